import type { SupplierGateway } from '../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../platform/context.ts'
import { acquireCall, updateBalance } from './health.sql.ts'

/** Stores the shop's balance at each supplier for the admin. Harmless if several processes do it. */
export async function checkBalances(ctx: Ctx, { suppliers }: SupplierGateway): Promise<void> {
  for (const supplier of suppliers.values()) {
    const turn = { supplier: supplier.name, endpoint: 'balance' as const, perMinute: supplier.callsPerMinute, waited: true, urgent: false }
    if ((await acquireCall(ctx.db, turn)) > 0) continue
    const balance = await supplier.balance()
    if (balance.outcome === 'known') await updateBalance(ctx.db, supplier.name, balance.pesewas, ctx.now)
    else ctx.log.warn({ supplier: supplier.name, detail: balance.detail }, 'a supplier did not report our balance')
  }
}

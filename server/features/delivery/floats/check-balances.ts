import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../../platform/context.ts'
import { acquireCall, updateBalance } from '../supplier/health.sql.ts'
import { deleteOldReadings, insertReading } from './floats.sql.ts'

/** Reads and keeps what the shop has left at each supplier and at the SMS service. Harmless if several processes do it. */
export async function checkBalances(ctx: Ctx, { suppliers }: SupplierGateway, { sender }: SmsGateway): Promise<void> {
  for (const { name, callsPerMinute, balance } of suppliers.values()) {
    const turn = { supplier: name, endpoint: 'balance' as const, perMinute: callsPerMinute, waited: true, urgent: false }
    if ((await acquireCall(ctx.db, turn)) > 0) continue
    const found = await balance()
    if (found.outcome === 'unknown') {
      ctx.log.warn({ supplier: name, detail: found.detail }, 'a supplier did not report our balance')
      continue
    }
    await updateBalance(ctx.db, name, found.pesewas, ctx.now)
    await insertReading(ctx.db, { key: name, amount: found.pesewas, now: ctx.now })
  }
  const left = await sender?.balance()
  if (left?.outcome === 'known') await insertReading(ctx.db, { key: 'sms', amount: left.messages, now: ctx.now })
  else if (left) ctx.log.debug({ detail: left.reason }, 'the message service did not report what is left')
  await deleteOldReadings(ctx.db, ctx.now)
}

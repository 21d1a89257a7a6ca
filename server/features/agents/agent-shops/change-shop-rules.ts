import type { ShopRules } from '../../../../shared/agent-shops.ts'
import { toPesewas } from '../../../../shared/money.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockShopRules, type ShopRulesRow, updateShopRules } from './agent-shops.sql.ts'
import { presentRules } from './present.ts'

/** Changes the limits of all agents' shops, and keeps the rest. Returns what is stored. */
export async function changeShopRules(ctx: Ctx, change: { [K in keyof ShopRules]?: ShopRules[K] | undefined }): Promise<ShopRulesRow> {
  const { minProfit, ...others } = change
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) as Partial<ShopRulesRow>
  if (minProfit !== undefined) given.minProfitPesewas = toPesewas(minProfit)
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const before = await lockShopRules(tx)
    const after = { ...before, ...given }
    await updateShopRules(tx, after)
    await recordAdminAction(tx, ctx, {
      action: 'agent-shop.rules',
      subject: { type: 'shop', id: 'shop' },
      before: presentRules(before),
      after: presentRules(after),
    })
    return after
  })
}

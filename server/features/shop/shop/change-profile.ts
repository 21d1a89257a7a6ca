import { toPesewas } from '../../../../shared/money.ts'
import type { ShopProfile } from '../../../../shared/shop-settings.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockProfile, type ProfileRow, updateProfile } from './shop.sql.ts'

/** Changes how customers see and reach the shop, and keeps the rest. Returns what is stored. */
export async function changeProfile(ctx: Ctx, change: { [K in keyof ShopProfile]?: ShopProfile[K] | undefined }): Promise<ProfileRow> {
  const { agentFee, ...texts } = change
  const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) as Partial<ProfileRow>
  if (agentFee !== undefined) given.agentFeePesewas = toPesewas(agentFee)
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const before = await lockProfile(tx)
    const after = { ...before, ...given }
    await updateProfile(tx, after, ctx.now)
    const names = Object.keys(given) as (keyof ProfileRow)[]
    await recordAdminAction(tx, ctx, {
      action: 'shop.profile',
      subject: { type: 'shop', id: 'shop' },
      before: Object.fromEntries(names.map((name) => [name, factOf(before[name])])),
      after: Object.fromEntries(names.map((name) => [name, factOf(after[name])])),
    })
    return after
  })
}

function factOf(value: ProfileRow[keyof ProfileRow]): string | number | null {
  return Array.isArray(value) ? value.join(', ') : value
}

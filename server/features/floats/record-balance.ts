import type { CountedBalanceRequest } from '../../../shared/floats.ts'
import { toPesewas } from '../../../shared/money.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { announceFloats } from './events.ts'
import { floatOfNetwork, insertReading } from './floats.sql.ts'

/** Keeps what an admin counted at a portal that is used by hand; what is delivered by hand from now on is taken off it. */
export async function recordBalance(ctx: Ctx, { network, balance }: CountedBalanceRequest): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'finance')
    const key = floatOfNetwork(network)
    await insertReading(tx, { key, amount: toPesewas(balance), now: ctx.now, enteredBy: actor.id })
    await recordAdminAction(tx, ctx, {
      action: 'supplier.balance',
      subject: { type: 'supplier', id: key },
      after: { balance },
    })
  })
  announceFloats(ctx)
}

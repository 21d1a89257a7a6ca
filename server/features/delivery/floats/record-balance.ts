import type { CountedBalanceRequest } from '../../../../shared/floats.ts'
import { toPesewas } from '../../../../shared/money.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceFloats } from './events.ts'
import { floatOfNetwork, insertReading, lockReadings, selectReadings, selectSpentByHand, selectSpentInHour } from './floats.sql.ts'

/** Keeps what an admin counted at a portal that is used by hand; what is delivered by hand from now on is taken off it. */
export async function recordBalance(ctx: Ctx, { network, balance }: CountedBalanceRequest): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'finance')
    const key = floatOfNetwork(network)
    await lockReadings(tx, key)
    const spentInHour = await selectSpentInHour(tx, network, ctx.now)
    const expected = await findExpected(tx, key, ctx)
    await insertReading(tx, { key, amount: toPesewas(balance), now: ctx.now, enteredBy: actor.id, expected, spentInHour })
    await recordAdminAction(tx, ctx, {
      action: 'supplier.balance',
      subject: { type: 'supplier', id: key },
      after: { balance },
    })
  })
  announceFloats(ctx)
}

/** What should be left there: what was entered last, less what was delivered by hand since. Null for the first entry. */
async function findExpected(tx: Tx, key: string, { now }: Pick<Ctx, 'now'>): Promise<number | null> {
  const last = (await selectReadings(tx, now)).findLast((reading) => reading.key === key)
  const spent = (await selectSpentByHand(tx)).find((row) => row.key === key)?.spent ?? 0
  return last ? last.amount - spent : null
}

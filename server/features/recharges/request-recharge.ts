import { randomInt } from 'node:crypto'
import { toPesewas } from '../../../shared/money.ts'
import { MAX_PENDING_RECHARGES, type RechargeRequest } from '../../../shared/recharges.ts'
import type { Ctx } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { announceRecharge } from './events.ts'
import { countPending, insertRecharge, type RechargeRow, selectRecharge } from './recharges.sql.ts'

const MOST_TRIES = 5

/** Notes that the asker is about to pay by mobile money, under eight digits that no other request has. */
export async function requestRecharge(ctx: Ctx, { amount }: RechargeRequest): Promise<RechargeRow> {
  const recharge = await transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    if ((await countPending(tx, userId)) >= MAX_PENDING_RECHARGES) {
      throw new AppError(
        429,
        'TOO_MANY_REQUESTS',
        `You have ${MAX_PENDING_RECHARGES} recharges waiting already. Please wait for a decision.`,
      )
    }
    const rechargeId = await insertUnderFreeId(tx, ctx, userId, toPesewas(amount))
    return (await selectRecharge(tx, rechargeId)) as RechargeRow
  })
  announceRecharge(ctx, recharge)
  return recharge
}

async function insertUnderFreeId(tx: Tx, ctx: Ctx, userId: string, amountPesewas: number): Promise<string> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    const rechargeId = String(randomInt(10_000_000, 100_000_000))
    if (await insertRecharge(tx, { rechargeId, userId, amountPesewas, now: ctx.now })) return rechargeId
  }
  throw new Error(`${MOST_TRIES} references in a row were taken`)
}

import { randomInt } from 'node:crypto'
import { toPesewas } from '../../../shared/money.ts'
import { MAX_PENDING_RECHARGES, type RechargeRequest } from '../../../shared/recharges.ts'
import { type Ctx, requireActor } from '../../platform/context.ts'
import { brokenConstraint } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { announceRecharge } from './events.ts'
import { countPending, insertRecharge, type RechargeRow, selectRecharge } from './recharges.sql.ts'

const MOST_TRIES = 5

/** Notes that the asker is about to pay by mobile money, under eight digits that no other request has. */
export async function requestRecharge(ctx: Ctx, { amount }: RechargeRequest): Promise<RechargeRow> {
  const { id: userId } = requireActor(ctx)
  if ((await countPending(ctx.db, userId)) >= MAX_PENDING_RECHARGES) {
    throw new AppError(429, 'TOO_MANY_REQUESTS', `You have ${MAX_PENDING_RECHARGES} recharges waiting already. Please wait for a decision.`)
  }
  const rechargeId = await insertUnderFreeId(ctx, userId, toPesewas(amount))
  const recharge = (await selectRecharge(ctx.db, rechargeId)) as RechargeRow
  announceRecharge(ctx, recharge)
  return recharge
}

async function insertUnderFreeId(ctx: Ctx, userId: string, amountPesewas: number): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const rechargeId = String(randomInt(10_000_000, 100_000_000))
    try {
      await insertRecharge(ctx.db, { rechargeId, userId, amountPesewas, now: ctx.now })
      return rechargeId
    } catch (error) {
      if (brokenConstraint(error) !== 'recharges_recharge_id_key' || attempt === MOST_TRIES) throw error
    }
  }
}

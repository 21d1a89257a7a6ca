import { randomInt } from 'node:crypto'
import { formatPesewas, toPesewas } from '../../../../shared/money.ts'
import {
  MAX_PENDING_CEDIS_OF_NEWCOMER,
  MAX_PENDING_OF_CONFIRMED,
  MAX_PENDING_OF_NEWCOMER,
  MAX_PENDING_RECHARGES,
  type RechargeRequest,
} from '../../../../shared/recharges.ts'
import { addressKey } from '../../../platform/address-key.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { UNPAID_DAYS } from './end-unpaid-recharges.ts'
import { announceRecharge } from './events.ts'
import { insertRecharge, type RechargeRow, type Standing, selectRecharge, selectStanding, takeRechargeTurn } from './recharges.sql.ts'

const MOST_ATTEMPTS = 5

/**
 * A person reviews each request. Wide, since hundreds may share a mobile operator's address, but hundreds of new customers a
 * day are not expected.
 */
const OF_NEWCOMERS_AT_ONE_ADDRESS = { size: 40, everyMs: 15 * 60_000 }

/**
 * Records that the caller will pay by mobile money, under a unique eight-digit reference.
 * @throws 429 when the caller has too many pending requests, TooManyAttempts when new customers at one address have too
 * many.
 */
export async function requestRecharge(ctx: Ctx, limiter: RateLimiter, { amount }: RechargeRequest): Promise<RechargeRow> {
  const { isNewcomer } = await selectStanding(ctx.db, requireActor(ctx).id)
  const buckets = isNewcomer ? [{ name: `recharge of a newcomer at ${addressKey(ctx.ip ?? '')}`, ...OF_NEWCOMERS_AT_ONE_ADDRESS }] : []
  await limiter.take(buckets)
  const amountPesewas = toPesewas(amount)
  const recharge = await transaction(ctx.db, async (tx) => {
    const { id: userId } = await lockActor(tx, ctx)
    await takeRechargeTurn(tx, userId)
    refuseTooMany(await selectStanding(tx, userId), amountPesewas)
    const rechargeId = await insertUnderFreeId(tx, ctx, userId, amountPesewas)
    return (await selectRecharge(tx, rechargeId)) as RechargeRow
  }).catch(async (error: unknown) => {
    for (const bucket of buckets) await limiter.giveBack(bucket)
    throw error
  })
  announceRecharge(ctx, recharge)
  return recharge
}

function refuseTooMany({ pending, pendingPesewas, isNewcomer, hasNumber }: Standing, amountPesewas: number) {
  const ofNewcomer = hasNumber ? MAX_PENDING_OF_CONFIRMED : MAX_PENDING_OF_NEWCOMER
  const most = isNewcomer ? ofNewcomer : MAX_PENDING_RECHARGES
  if (pending >= most) {
    const ends = isNewcomer ? ` One that nobody pays for ends after ${UNPAID_DAYS} days.` : ''
    throw new AppError('TOO_MANY_REQUESTS', `You have ${most} recharges waiting already. Please wait for a decision.${ends}`)
  }
  if (isNewcomer && pendingPesewas + amountPesewas > toPesewas(MAX_PENDING_CEDIS_OF_NEWCOMER)) {
    const sum = formatPesewas(toPesewas(MAX_PENDING_CEDIS_OF_NEWCOMER))
    const message = `Your first recharges may come to ${sum} cedis in all. Please wait until we have approved one.`
    throw new AppError('TOO_MANY_REQUESTS', message)
  }
}

async function insertUnderFreeId(tx: Tx, ctx: Ctx, userId: string, amountPesewas: number): Promise<string> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const rechargeId = String(randomInt(10_000_000, 100_000_000))
    if (await insertRecharge(tx, { rechargeId, userId, amountPesewas, now: ctx.now })) return rechargeId
  }
  throw new Error(`${MOST_ATTEMPTS} references in a row were taken`)
}

import { createHash } from 'node:crypto'
import { formatPesewas } from '../../../shared/money.ts'
import type { Ctx } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { AppError, Banned, Forbidden, InsufficientBalance, KeyReused, PurchasesPaused, Unauthenticated } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import type { RefusedLine } from '../purchases/purchases.sql.ts'
import { refuseLines } from '../purchases/refuse-lines.ts'
import { type BulkOutcome, lockKeyOwner, type NewBulk, placeBulkOrders, planForManyLines } from './bulk.sql.ts'
import { announceBulk } from './events.ts'
import { answerQuestion } from './schedules.sql.ts'

/** `pathOf` maps a line's index to its field in the request, for errors. `scheduleId`: this answers the schedule's question. */
export type WantedBulk = Pick<NewBulk, 'key' | 'name' | 'placedBy' | 'groupId' | 'lines' | 'leftOut' | 'totalPesewas'> & {
  pathOf: (line: RefusedLine) => string
  scheduleId?: string | undefined
}
export type PlacedBulk = { jobId: string; balancePesewas: number; balanceVersion: number; replayed: boolean }

export const ONLY_AGENTS = 'Lists of orders are for agents. Become an agent first.'

/**
 * Buys all lines of a list from the caller's wallet in one purchase, or does nothing. Repeating a key with the same lines returns the same
 * list without charging again. Wake the order relay afterwards.
 * @throws Forbidden for a customer; InsufficientBalance, KeyReused, Banned, PurchasesPaused; 409 when a price, a product or the total is
 * not as the buyer saw it; AppError (CONFLICT) when a refunded order was bought again already.
 */
export async function placeBulk(ctx: Ctx, wanted: WantedBulk): Promise<PlacedBulk> {
  return conclude(ctx, wanted, (tx) => lockAgent(tx, ctx))
}

/**
 * The same for the owner of a working API key.
 * @throws Unauthenticated when the key works no more; and as `placeBulk` does.
 */
export async function placeBulkWithKey(ctx: Ctx, keyHash: Buffer, wanted: WantedBulk): Promise<PlacedBulk> {
  return conclude(ctx, wanted, async (tx) => {
    const owner = await lockKeyOwner(tx, keyHash, ctx.now)
    if (owner === null) throw new Unauthenticated('This key does not work: it is unknown, has expired or was ended.')
    return owner
  })
}

/** @throws Forbidden for a customer. */
export async function lockAgent(tx: Tx, ctx: Ctx): Promise<string> {
  const { id, level } = await lockActor(tx, ctx)
  if (level === 'Customer') throw new Forbidden(ONLY_AGENTS)
  return id
}

async function conclude(ctx: Ctx, wanted: WantedBulk, lockBuyer: (tx: Tx) => Promise<string>): Promise<PlacedBulk> {
  const { userId, outcome } = await transaction(ctx.db, async (tx) => {
    await planForManyLines(tx)
    const buyer = await lockBuyer(tx)
    return { userId: buyer, outcome: await placeLines(tx, ctx, buyer, wanted) }
  })
  if (outcome.outcome === 'key-reused') throw new KeyReused()
  if (outcome.outcome === 'refused') throw refusal(outcome, wanted.pathOf)
  if (!outcome.replayed) await announceBulk(ctx, userId, outcome.jobId, outcome.networks ?? {})
  const { jobId, balancePesewas, balanceVersion, replayed } = outcome
  return { jobId, balancePesewas, balanceVersion, replayed }
}

async function placeLines(tx: Tx, ctx: Ctx, userId: string, wanted: WantedBulk): Promise<BulkOutcome> {
  const { scheduleId, pathOf: _path, ...bulk } = wanted
  const outcome = await placeBulkOrders(tx, { ...bulk, userId, requestHash: hashBulk(wanted), now: ctx.now })
  if (outcome.outcome === 'placed' && !outcome.replayed && scheduleId !== undefined) {
    await answerQuestion(tx, { id: scheduleId, userId, jobId: outcome.jobId, now: ctx.now })
  }
  return outcome
}

/** Identifies what is bought: the same key for something else is an error. */
export function hashBulk({ lines, totalPesewas }: Pick<WantedBulk, 'lines' | 'totalPesewas'>): Buffer {
  const bought = lines.map(({ number, product, network, offer, receiver, expectedPricePesewas, retryOf }) => {
    return [number, product, network, offer, receiver, expectedPricePesewas, retryOf]
  })
  return createHash('sha256')
    .update(JSON.stringify([totalPesewas, bought]))
    .digest()
}

function refusal(outcome: Extract<BulkOutcome, { outcome: 'refused' }>, pathOf: WantedBulk['pathOf']): AppError {
  switch (outcome.code) {
    case 'BANNED':
      return new Banned()
    case 'PAUSED':
      return new PurchasesPaused()
    case 'RETRIED':
      return new AppError(
        'CONFLICT',
        'Some of these refunded orders were bought again already. Nothing was charged. Please look at the list again.',
      )
    case 'INSUFFICIENT_BALANCE':
      return new InsufficientBalance('Insufficient balance. Please top up your wallet.')
    case 'TOTAL': {
      const message = `This list now costs GHS ${formatPesewas(outcome.totalPesewas)}. Nothing was charged.`
      return new AppError('PRICE_CHANGED', message, [{ path: 'total', message }])
    }
    default:
      return refuseLines(outcome.items, pathOf)
  }
}

import { createHash } from 'node:crypto'
import type { PlaceBulkRequest } from '../../../../shared/bulk.ts'
import { formatLongDate } from '../../../../shared/dates.ts'
import { formatPesewas, toPesewas } from '../../../../shared/money.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, Banned, Forbidden, Invalid, KeyReused, PinRequired, PurchasesPaused, Unauthenticated } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import type { RefusedLine } from '../purchases/purchases.sql.ts'
import { refuseLines } from '../purchases/refuse-lines.ts'
import { refuseOnTheWay } from '../purchases/refuse-on-the-way.ts'
import { refuseShort } from '../purchases/refuse-short.ts'
import {
  type BulkOutcome,
  clearStoredList,
  hasBoughtOrders,
  type ListPayer,
  lockKeyOwner,
  type NewBulk,
  placeBulkOrders,
  planForManyLines,
  type StoredList,
} from './bulk.sql.ts'
import { announceBulk } from './events.ts'
import { refuseAfa } from './refuse-afa.ts'
import { answerQuestion } from './schedules.sql.ts'

/** `pathOf` maps a line's index to its field in the request, for errors. `scheduleId`: this answers the schedule's question. */
export type WantedBulk = Pick<NewBulk, 'key' | 'name' | 'placedBy' | 'groupId' | 'lines' | 'leftOut' | 'totalPesewas'> & {
  pathOf: (line: RefusedLine) => string
  scheduleId?: string | undefined
  /** What `createPinProof` made. */
  pinProof?: string | undefined
  /** Maps a line's index to its field in the request: what is on its way to the same number already is refused. */
  askAt?: ((index: number) => string) | undefined
  /** How a refusal for `askAt` names the order that is on its way. */
  nameOrder?: ((seq: number) => string) | undefined
}
export type PlacedBulk = { jobId: string; balancePesewas: number; balanceVersion: number; replayed: boolean }

export const ONLY_AGENTS = 'Lists of orders are for agents. Become an agent first.'

/**
 * Buys all lines of a list from the caller's wallet in one purchase, or does nothing. Repeating a key with the same lines returns the same
 * list without charging again. Wake the order relay afterwards.
 * @throws Forbidden for a customer; InsufficientBalance, KeyReused, Banned, PurchasesPaused, PinRequired; 409 when a price, a product or the total is
 * not as the buyer saw it; AppError (CONFLICT) when a refunded order was bought again already.
 */
export async function placeBulk(ctx: Ctx, wanted: WantedBulk): Promise<PlacedBulk> {
  return conclude(ctx, wanted, (tx) => lockAgent(tx, ctx))
}

/**
 * The same for the owner of a working API key.
 * @throws Unauthenticated when the key works no more; KeyReused also when the key bought single orders; and as `placeBulk` does.
 */
export async function placeBulkWithKey(ctx: Ctx, keyHash: Buffer, wanted: WantedBulk): Promise<PlacedBulk> {
  return conclude(ctx, wanted, async (tx) => {
    const owner = await lockKeyOwner(tx, keyHash, ctx.now)
    if (owner === null) throw new Unauthenticated('This key does not work: it is unknown, has expired or was ended.')
    if (await hasBoughtOrders(tx, owner, wanted.key)) throw new KeyReused()
    return owner
  })
}

export type PaidList = { list: { jobId: string; networks: Record<string, number> }; reason: null } | { list: null; reason: string }

/**
 * Buys a list with the money that its card payment has put into the payer's wallet, or gives the reason why not. Call it with the payment and the
 * wallet locked; announce the list after the commit.
 */
export async function placePaidBulk(
  tx: Tx,
  ctx: Ctx,
  { userId, reference, paidBy, list: { scheduleId, ...list } }: { userId: string; reference: string; paidBy: ListPayer; list: StoredList },
): Promise<PaidList> {
  await planForManyLines(tx)
  const wanted = { ...list, key: keyOfPayment(reference), placedBy: 'hand' as const, scheduleId: scheduleId ?? undefined, paidBy }
  const outcome = await placeLines(tx, ctx, userId, wanted)
  if (outcome.outcome === 'placed') {
    await clearStoredList(tx, reference)
    return { list: { jobId: outcome.jobId, networks: outcome.networks ?? {} }, reason: null }
  }
  return { list: null, reason: outcome.outcome === 'refused' ? REASONS[outcome.code] : 'the list was placed already' }
}

/** The key under which the list of a card payment is placed, so that it is found by the payment's reference. */
export function keyOfPayment(reference: string): string {
  return `payment:${reference}`
}

const REASONS: Record<Extract<BulkOutcome, { outcome: 'refused' }>['code'], string> = {
  BANNED: 'the account is banned',
  PAUSED: 'purchases were paused',
  PIN_REQUIRED: 'the PIN was not given',
  ON_THE_WAY: 'some of it is on its way already',
  RETRIED: 'some of these refunded orders were bought again already',
  NOT_AVAILABLE: 'a package on the list is not sold any more',
  PRICE_CHANGED: 'a price on the list has changed since',
  TOTAL: 'a price on the list has changed since',
  INSUFFICIENT_BALANCE: 'the wallet could not cover the list',
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
    const { pathOf: _path, nameOrder: _name, pinProof, askAt, ...bulk } = wanted
    const proofHash = pinProof === undefined ? undefined : hashToken(pinProof)
    const placed = await placeLines(tx, ctx, buyer, { ...bulk, proofHash, asks: askAt !== undefined })
    // Afterwards, so that a list of the version before that is repeated gets its answer; what was placed just now is undone.
    if (placed.outcome === 'placed' && !placed.replayed && placed.networks?.AFA) await refuseAfa(tx, wanted)
    return { userId: buyer, outcome: placed }
  })
  if (outcome.outcome === 'key-reused') throw new KeyReused()
  if (outcome.outcome === 'refused') throw refuseBulk(outcome, wanted)
  if (!outcome.replayed) await announceBulk(ctx, userId, { jobId: outcome.jobId, networks: outcome.networks ?? {}, paidWith: 'wallet' })
  const { jobId, balancePesewas, balanceVersion, replayed } = outcome
  return { jobId, balancePesewas, balanceVersion, replayed }
}

type BulkToPlace = Omit<NewBulk, 'userId' | 'requestHash' | 'now'> & Pick<WantedBulk, 'scheduleId'>

async function placeLines(tx: Tx, ctx: Ctx, userId: string, wanted: BulkToPlace): Promise<BulkOutcome> {
  const { scheduleId, ...bulk } = wanted
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

/** Why nothing was bought, for the caller. */
export function refuseBulk(
  outcome: Extract<BulkOutcome, { outcome: 'refused' }>,
  { pathOf, askAt = String, nameOrder }: Pick<WantedBulk, 'pathOf' | 'askAt' | 'nameOrder'>,
): AppError {
  switch (outcome.code) {
    case 'BANNED':
      return new Banned()
    case 'PAUSED':
      return new PurchasesPaused()
    case 'PIN_REQUIRED':
      return new PinRequired()
    case 'RETRIED':
      return new AppError(
        'CONFLICT',
        'Some of these refunded orders were bought again already. Nothing was charged. Please look at the list again.',
      )
    case 'INSUFFICIENT_BALANCE':
      return refuseShort(outcome.dispute)
    case 'TOTAL': {
      const message = `This list now costs GHS ${formatPesewas(outcome.totalPesewas)}. Nothing was charged.`
      return new AppError('PRICE_CHANGED', message, [{ path: 'total', message }])
    }
    case 'ON_THE_WAY':
      return refuseOnTheWay(outcome.items, askAt, nameOrder)
    default:
      return refuseLines(outcome.items, pathOf)
  }
}

/**
 * A list as the wire has it, bought by hand.
 * @throws Invalid when a line is sent twice.
 */
export function toBulk(ctx: Ctx, { name, groupId, scheduleId, total, lines, leftOut = [] }: PlaceBulkRequest): Omit<WantedBulk, 'key'> {
  const numbers = [...lines, ...leftOut].map(({ number }) => number)
  if (new Set(numbers).size < numbers.length) throw new Invalid([{ path: 'lines', message: 'Each line is sent once.' }])
  return {
    name: name ?? `List of ${formatLongDate(ctx.now)}`,
    placedBy: 'hand',
    groupId: groupId ?? null,
    scheduleId,
    totalPesewas: toPesewas(total),
    leftOut,
    lines: lines.map(({ productId, phoneNumber, amount, retryOf = null, ...line }) => {
      return { ...line, product: productId, network: null, receiver: phoneNumber, expectedPricePesewas: toPesewas(amount), retryOf }
    }),
    pathOf: ({ index, code }) => `lines.${index}.${code === 'PRICE_CHANGED' ? 'amount' : 'offer'}`,
  }
}

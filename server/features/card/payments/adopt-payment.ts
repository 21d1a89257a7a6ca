import { cardSurcharge } from '../../../../shared/money.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { type Actor, type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, OutsideService } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { databaseBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'
import type { PurchaseLine } from '../../orders/purchases/purchases.sql.ts'
import { chooseFirstCheckTime } from './choose-check-time.ts'
import { lockReturnsOf, selectHoldReason } from './disputes.sql.ts'
import { insertForeignPayment, type NewPayment } from './payments.sql.ts'
import { fulfil, type Paid } from './settle-payment.ts'

/**
 * How often one user may name references that only the provider can know. Each is asked about for its own caller: an answer that somebody
 * else got a moment ago may be older than the payment.
 */
const PER_USER = { size: 100, everyMs: 1_000 }

/**
 * Adopts a payment that the caller's client started at the card provider under a reference unknown to us: it buys `line`, or fills the
 * caller's wallet. False, and nothing done, when the provider does not know the reference either.
 * @throws 402 unless the provider reports that the caller's e-mail address paid it (`requireOwnEmail`), and while it is disputed or being refunded;
 * OutsideService when the provider does not answer; TooManyAttempts.
 */
export async function adoptPayment(ctx: Ctx, gateway: CardGateway, reference: string, line: PurchaseLine): Promise<boolean> {
  const actor = requireActor(ctx)
  if (gateway.card.isOff) return false
  const limiter = openRateLimiter(databaseBuckets(ctx.db), () => ctx.now)
  await limiter.take([{ name: `references asked about by user ${actor.id}`, ...PER_USER }])
  const verification = await gateway.card.verify(reference)
  if (verification.outcome === 'unknown') throw new OutsideService(NO_ANSWER)
  if (verification.outcome === 'not-paid' && verification.isUnknownReference) return false
  if (verification.outcome !== 'paid' || !isOurs(gateway, verification) || !hasPaid(actor, verification)) {
    throw new AppError('UNPAID', NOT_PAID_BY_CALLER)
  }
  await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    await requireOwnEmail(tx, ctx, verification)
    const reason = await keepForeignPayment(tx, ctx, reference, toPay(line, verification))
    if (reason !== null) throw new AppError('UNPAID', `We cannot place this order, because ${reason}. Nothing was taken from your wallet.`)
  })
  await fulfil(ctx, gateway, reference, verification)
  return true
}

type ToPay = Pick<NewPayment, 'purpose' | 'lines' | 'pricePesewas' | 'surchargePesewas'>

/** Stores a payment of the actor's that the provider reports as paid, unless it may go back: then the reason is returned. */
export async function keepForeignPayment(tx: Tx, ctx: Ctx, reference: string, toPay: ToPay): Promise<string | null> {
  await lockReturnsOf(tx, reference)
  const reason = await selectHoldReason(tx, reference)
  if (reason !== null) return reason
  const checkAt = chooseFirstCheckTime(ctx.now)
  await insertForeignPayment(tx, { ...toPay, reference, userId: requireActor(ctx).id, now: ctx.now, checkAt })
  return null
}

const NO_ANSWER =
  'We could not ask the card provider about this reference. Nothing was taken from your wallet. Please try again in a minute.'
const NOT_CONFIRMED =
  'Please confirm your e-mail address first: press “Forgot your password?” where you sign in, and open the link in our mail. Then try again. Nothing was taken from your wallet.'
export const NOT_PAID_BY_CALLER =
  'We found no card payment of yours with that reference. Nothing was taken from your wallet. If you have just paid, please try again in a minute.'

/** A client that began a payment by itself orders with it at once. */
const ORDERED_WITHIN_MS = 3_600_000

/**
 * Anybody may take somebody else's address that no account has. So the account's address is its own only if it was confirmed, or if the
 * account had it when the payment began: no other account could pay with it then. Anything else waits for a person, who finds it among the
 * payments without an order.
 * @throws 402
 */
async function requireOwnEmail(tx: Tx, ctx: Ctx, { begunAt }: Paid): Promise<void> {
  const { id, email } = requireActor(ctx)
  const hadItAt = begunAt && ctx.now.getTime() - begunAt.getTime() <= ORDERED_WITHIN_MS ? begunAt : null
  const { rowCount } = await tx.query(
    `select from users where id = $1 and email = $2
       and (email_confirmed_at is not null or greatest(created_at, login_changed_at) <= $3::timestamptz)`,
    [id, email, hadItAt],
  )
  if (rowCount === 0) throw new AppError('UNPAID', NOT_CONFIRMED)
}

export function isOurs(gateway: CardGateway, paid: Paid): boolean {
  return paid.isTest === gateway.isTest && paid.currency === 'GHS' && paid.amountPesewas > 0
}

export function hasPaid(actor: Pick<Actor, 'email'>, { payerEmail }: Pick<Paid, 'payerEmail'>): boolean {
  return payerEmail?.trim().toLowerCase() === actor.email
}

/**
 * The public API's client multiplies by 1.03 and may truncate half a pesewa, so one pesewa less than our surcharge is
 * accepted.
 */
function toPay(line: PurchaseLine, { amountPesewas }: Paid): ToPay {
  const pricePesewas = Math.max(line.expectedPricePesewas, 1)
  const full = cardSurcharge(pricePesewas)
  const surchargePesewas = full > 0 && amountPesewas === pricePesewas + full - 1 ? full - 1 : full
  return { purpose: 'order', lines: [{ ...line, clientId: null }], pricePesewas, surchargePesewas }
}

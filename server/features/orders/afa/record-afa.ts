import type { AfaDetails } from '../../../../shared/afa-rules.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, Invalid, NotFound, Taken } from '../../../platform/errors.ts'
import { limitKnowledge } from '../../../platform/limit-knowledge.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { selectOrder, selectOrderByReference } from '../orders/orders.sql.ts'
import { refuseOtherBrowser } from '../orders/refuse-other-browser.ts'
import { isCardTaken, lockRegistration, selectRegistration, upsertDetails } from './afa.sql.ts'
import { openIfPossible } from './present.ts'
import { type SealRules, sealDetails } from './seal-details.ts'

/** `foreignCards`: whether the registrar takes cards of people of other countries. `keepDays`: when the details of an ended order are erased. */
export type AfaRules = SealRules & { foreignCards: boolean; keepDays: number }

/**
 * Keeps the details of the person whom the caller's AFA order registers, encrypted. Until they are sent on they can be given again.
 * @throws NotFound for an order that is another's or not of AFA; Invalid; Taken when the card is on another order; 409 CONFLICT once they were
 * sent on or the order has ended; TooManyAttempts after several cards that are taken.
 */
export async function recordAfa(
  ctx: Ctx,
  { limiter, ...rules }: AfaRules & { limiter: RateLimiter },
  orderId: string,
  details: AfaDetails,
): Promise<void> {
  if ((await selectOrder(ctx.db, orderId))?.userId !== requireActor(ctx).id) throw new NotFound('order')
  await limitKnowledge(limiter, ctx.ip, [{ door: 'card of order', of: orderId }], () =>
    transaction(ctx.db, async (tx) => {
      await lockActor(tx, ctx)
      await record(tx, ctx, rules, orderId, details)
    }),
  )
}

/**
 * The same for a guest, who has the order's reference. Details that are there and can be read are replaced from the browser alone that paid.
 * @throws as above; 409 CONFLICT in another browser.
 */
export async function recordGuestAfa(
  ctx: Ctx,
  { limiter, ...rules }: AfaRules & { limiter: RateLimiter },
  { reference, browser, details }: { reference: string; browser: Buffer | null; details: AfaDetails },
): Promise<void> {
  const order = await selectOrderByReference(ctx.db, reference)
  if (!order || order.guestPhone === null) throw new NotFound('order')
  const known = await selectRegistration(ctx.db, order.id)
  if (known && openIfPossible(known, rules.secretsKey) !== null) {
    const instead = 'Please call us if something is wrong.'
    await refuseOtherBrowser(ctx.db, { paymentReference: order.paymentReference, browser, instead })
  }
  await limitKnowledge(limiter, ctx.ip, [{ door: 'card of order', of: order.id }], () =>
    transaction(ctx.db, (tx) => record(tx, ctx, rules, order.id, details)),
  )
}

async function record(tx: Tx, ctx: Ctx, rules: AfaRules, orderId: string, details: AfaDetails) {
  if (!rules.foreignCards && details.ghanaCard.startsWith('FGN')) {
    throw new Invalid([{ path: 'ghanaCard', message: 'AFA takes only cards that begin with GHA. Please call us for a refund.' }])
  }
  const known = await lockRegistration(tx, orderId)
  if (!known) throw new NotFound('order')
  if (known.status !== 'pending') throw new AppError('CONFLICT', 'This order has ended already.')
  const sealed = sealDetails(details, rules)
  if (await isCardTaken(tx, sealed.cardHash, orderId)) {
    throw new Taken('ghanaCard', 'That card is being registered already, or is. Nobody needs AFA twice: ask us for a refund.')
  }
  if (!(await upsertDetails(tx, { orderId, ...sealed, now: ctx.now }))) {
    throw new AppError('CONFLICT', 'The details are with the registrar already. Please call us if something is wrong.')
  }
}

import { formatPesewas } from '../../../../shared/money.ts'
import { CARD_REFERENCE } from '../../../../shared/payments.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { brokenConstraint, transaction } from '../../../platform/db.ts'
import { AppError, KeyReused, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { claimOrderOfPayment, type OrderRow } from '../../orders/orders/orders.sql.ts'
import type { PurchaseLine } from '../../orders/purchases/purchases.sql.ts'
import { adoptPayment, NOT_PAID_BY_CALLER } from './adopt-payment.ts'
import { checkPayment } from './check-payment.ts'
import { explainHold, explainPayment } from './explain-payment.ts'
import { isOwned, lockPayment, type PaymentRow, selectPayment } from './payments.sql.ts'
import { announceSpent, spendRest } from './spend-rest.ts'

const OWN_REFERENCE = /^[0-9]+$/

/**
 * The order bought by a verified card payment, under the id chosen by the client. Each order of a payment is handed out
 * once, and the wallet is never charged. A payment that the client began itself buys further orders as long as its money lasts. For an
 * unknown reference the provider is asked whether the caller paid it. Null when it is the client's own, of no card payment.
 * @throws NotFound for another user's payment, 402 while it is not paid, 409 when it bought something else, KeyReused when
 * another order of the user has that id, OutsideService when the provider does not answer; whatever `spendRest` throws.
 */
export async function claimPaidOrder(ctx: Ctx, gateway: CardGateway, reference: string, line: PurchaseLine): Promise<OrderRow | null> {
  const actor = requireActor(ctx)
  const wanted = { clientId: line.clientId as string, network: line.network as string, offer: line.offer, receiver: line.receiver }
  if (!CARD_REFERENCE.test(reference)) throw new AppError('UNPAID', NOT_PAID_BY_CALLER)
  if (!(await selectPayment(ctx.db, reference)) && !(await adoptPayment(ctx, gateway, reference, line))) {
    if (OWN_REFERENCE.test(reference)) return null
    throw new AppError('UNPAID', NOT_PAID_BY_CALLER)
  }
  const known = await selectPayment(ctx.db, reference)
  if (!known) throw new AppError('UNPAID', NOT_PAID_BY_CALLER)
  if (known.userId !== actor.id) throw new NotFound('payment')
  const payment = await checkPayment(ctx, gateway, reference)
  if (payment.status === 'held' && payment.unspentPesewas === 0) {
    throw new AppError('UNPAID', `${explainPayment(payment)} No order was placed.`)
  }
  if (payment.status !== 'paid' && payment.status !== 'held') {
    throw new AppError('UNPAID', 'The card payment has not gone through. No order was placed.')
  }
  const { order, isNew } = await transaction(ctx.db, async (tx) => {
    const { level } = await lockActor(tx, ctx)
    const locked = (await lockPayment(tx, reference)) as PaymentRow
    const bought = await claimOrderOfPayment(tx, reference, wanted)
    if (bought || !isOwned(locked) || locked.unspentPesewas === 0) return { order: bought, isNew: false }
    // The first order of the payment failed, and this is its repetition.
    if (locked.status === 'held' && isSameLine(locked, line)) throw new AppError('UNPAID', `${explainPayment(locked)} No order was placed.`)
    return { order: await spendRest(tx, ctx, { payment: locked, line, level, buyer: actor }), isNew: true }
  }).catch((error: unknown) => {
    throw brokenConstraint(error) === 'orders_client_id' ? new KeyReused() : error
  })
  if (!order) throw new AppError('CONFLICT', nothingLeft(payment))
  if (isNew) await announceSpent(ctx, reference, order)
  return order
}

function isSameLine({ lines }: PaymentRow, { offer, receiver, network, expectedPricePesewas }: PurchaseLine): boolean {
  const [first] = lines ?? []
  return first?.offer === offer && first.receiver === receiver && first.network === network && first.seen === expectedPricePesewas
}

function nothingLeft(payment: PaymentRow): string {
  const { receivedPesewas, pricePesewas, surchargePesewas, leftPesewas } = payment
  const onHold = explainHold(payment)
  if (onHold !== null) return `The rest of that card payment is not used for orders any more. ${onHold}`
  const restPesewas = leftPesewas || (receivedPesewas ?? 0) - pricePesewas - surchargePesewas
  if (restPesewas <= 0) return 'That card payment was for something else, or its order is placed already.'
  return `GHS ${formatPesewas(restPesewas)} of that card payment went into your wallet. Please pay for this order from there.`
}

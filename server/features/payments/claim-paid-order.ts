import { formatPesewas } from '../../../shared/money.ts'
import { CARD_REFERENCE } from '../../../shared/payments.ts'
import type { CardGateway } from '../../integrations/payments/card-gateway.ts'
import { type Ctx, requireActor } from '../../platform/context.ts'
import { brokenConstraint, transaction } from '../../platform/db.ts'
import { AppError, KeyReused, NotFound } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { claimOrderOfPayment, type OrderRow } from '../orders/orders.sql.ts'
import type { PurchaseLine } from '../purchases/purchases.sql.ts'
import { adoptPayment } from './adopt-payment.ts'
import { checkPayment } from './check-payment.ts'
import { explainPayment } from './explain-payment.ts'
import { type PaymentRow, selectPayment } from './payments.sql.ts'

/**
 * The order bought by a verified card payment, under the id chosen by the client. Each order of a payment is handed out
 * once, and the wallet is never charged. For an unknown reference the provider is asked whether the caller paid it.
 * @throws NotFound for another user's payment, 402 while it is not paid, 409 when it bought something else, KeyReused when
 * another order of the user has that id.
 */
export async function claimPaidOrder(ctx: Ctx, gateway: CardGateway, reference: string, line: PurchaseLine): Promise<OrderRow> {
  const actor = requireActor(ctx)
  const wanted = { clientId: line.clientId as string, network: line.network as string, offer: line.offer, receiver: line.receiver }
  if (!CARD_REFERENCE.test(reference)) throw new AppError('UNPAID', UNKNOWN)
  if (!(await selectPayment(ctx.db, reference))) await adoptPayment(ctx, gateway, reference, line)
  const known = await selectPayment(ctx.db, reference)
  if (!known) throw new AppError('UNPAID', UNKNOWN)
  if (known.userId !== actor.id) throw new NotFound('payment')
  const payment = await checkPayment(ctx, gateway, reference)
  if (payment.status === 'held') throw new AppError('UNPAID', `${explainPayment(payment)} No order was placed.`)
  if (payment.status !== 'paid') throw new AppError('UNPAID', 'The card payment has not gone through. No order was placed.')
  const order = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    return claimOrderOfPayment(tx, reference, wanted)
  }).catch((error: unknown) => {
    throw brokenConstraint(error) === 'orders_client_id' ? new KeyReused() : error
  })
  if (!order) throw new AppError('CONFLICT', nothingLeft(payment))
  return order
}

const UNKNOWN =
  'We found no card payment of yours with that reference. Nothing was taken from your wallet. If you have just paid, please try again in a minute.'

function nothingLeft({ receivedPesewas, pricePesewas, surchargePesewas }: PaymentRow): string {
  const restPesewas = (receivedPesewas ?? 0) - pricePesewas - surchargePesewas
  if (restPesewas <= 0) return 'That card payment was for something else, or its order is placed already.'
  return `GHS ${formatPesewas(restPesewas)} of that card payment went into your wallet. Please pay for this order from there.`
}

import { formatPesewas } from '../../../../shared/money.ts'
import { CARD_PAYMENTS_RECEIVED, GUEST_PAYMENTS, REFUNDS_PENDING } from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'
import { oweRefund } from '../../orders/orders/refunds.sql.ts'
import { toOrderRow } from '../../orders/purchases/place-orders.ts'
import { fromStoredLine, placeShopOrders } from '../../orders/purchases/purchases.sql.ts'
import { hasBoughtSince, type PaymentRow, type Settled } from './payments.sql.ts'

/**
 * Turns what a guest has paid into the orders of an agent's shop, and owes the guest whatever did not buy them. The money passes through
 * the account for guests' payments, never through the agent's. Call it with the payment locked.
 */
export async function settleGuestPayment(
  tx: Tx,
  ctx: Ctx,
  payment: PaymentRow,
  receivedPesewas: number,
): Promise<Settled & { orders: OrderRow[] }> {
  const { reference, surchargePesewas } = payment
  const duePesewas = payment.pricePesewas + surchargePesewas
  if (receivedPesewas > 0) await receive(tx, ctx, payment, receivedPesewas)
  const { orders, reason } =
    receivedPesewas < duePesewas
      ? { orders: [], reason: `GHS ${formatPesewas(receivedPesewas)} was paid of GHS ${formatPesewas(duePesewas)}` }
      : await place(tx, ctx, payment)
  const restPesewas = receivedPesewas - (reason === null ? duePesewas : 0)
  if (restPesewas > 0) {
    await postTransfer(tx, {
      key: `guest-refund:${reference}`,
      kind: 'guest-refund',
      memo: `To be returned of card payment ${reference}`,
      actorId: null,
      lines: [
        { accountId: GUEST_PAYMENTS, amountPesewas: -restPesewas },
        { accountId: REFUNDS_PENDING, amountPesewas: restPesewas },
      ],
      now: ctx.now,
    })
    const why = reason ?? 'more was paid than was due'
    await oweRefund(tx, { ...toGuest(payment), orderId: null, amountPesewas: restPesewas, reason: why, now: ctx.now })
  }
  return { status: reason === null ? 'paid' : 'held', reason, inWallet: false, receivedPesewas, orders }
}

function toGuest({ reference, guestPhone }: PaymentRow) {
  return { paymentReference: reference, phone: guestPhone as string }
}

async function receive(tx: Tx, ctx: Ctx, { reference }: PaymentRow, amountPesewas: number) {
  await postTransfer(tx, {
    key: `card-payment:${reference}`,
    kind: 'card-payment',
    memo: `Card payment ${reference}`,
    actorId: null,
    lines: [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: -amountPesewas },
      { accountId: GUEST_PAYMENTS, amountPesewas },
    ],
    now: ctx.now,
  })
}

async function place(tx: Tx, ctx: Ctx, payment: PaymentRow): Promise<{ orders: OrderRow[]; reason: string | null }> {
  const { reference, surchargePesewas, shopId, guestPhone } = payment
  // A guest who was told that the payment had closed may have bought again and wants the bundle once.
  if (payment.status !== 'open' && (await hasBoughtSince(tx, payment))) {
    return { orders: [], reason: 'it came in late, after you had bought the same again' }
  }
  const outcome = await placeShopOrders(tx, {
    shopId: shopId as string,
    phone: guestPhone as string,
    payment: { reference, surchargePesewas },
    lines: (payment.lines ?? []).map(fromStoredLine),
    now: ctx.now,
  })
  if (outcome.outcome === 'refused') return { orders: [], reason: REFUSALS[outcome.code] }
  return { orders: outcome.orders.map((order) => toOrderRow(order, { username: `guest ${guestPhone}`, phone: guestPhone })), reason: null }
}

const REFUSALS = {
  CLOSED: 'the shop has closed',
  NOT_AVAILABLE: 'a product is not available any more',
  PRICE_CHANGED: 'a price has changed since',
}

import { insertPayment } from '../server/features/card/payments/payments.sql.ts'
import { settlePayment } from '../server/features/card/payments/settle-payment.ts'
import { toPurchaseLines } from '../server/features/orders/purchases/purchases.sql.ts'
import { makeReference } from '../server/platform/reference.ts'
import { cardSurcharge } from '../shared/money.ts'
import type { TestShop } from './app.ts'
import { call, cartLine, makeUser } from './builders.ts'
import { gatewayThat, makeCtx, paid } from './settling.ts'

type Refunded = { reference: string; orderIds: string[]; receivedPesewas: number }

/** Orders that a customer has paid in one card payment and the shop has rejected, so that what they cost is in the wallet. */
export async function makeRefundedByCard(shop: TestShop, userId: string, orders = 1): Promise<Refunded> {
  const lines = await Promise.all(Array.from({ length: orders }, (_, at) => cartLine(shop, { phoneNumber: `055123456${at}` })))
  const reference = makeReference()
  const pricePesewas = lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  const surchargePesewas = cardSurcharge(pricePesewas)
  await insertPayment(shop.database.db, {
    reference,
    userId,
    purpose: 'order',
    lines: toPurchaseLines(lines),
    pricePesewas,
    surchargePesewas,
    now: shop.clock.now,
    checkAt: shop.clock.now,
  })
  const receivedPesewas = pricePesewas + surchargePesewas
  await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(receivedPesewas)), reference)
  return { reference, receivedPesewas, orderIds: await rejectOrdersOf(shop, reference) }
}

/** Rejects all orders of a payment; their ids. */
export async function rejectOrdersOf(shop: TestShop, reference: string): Promise<string[]> {
  const admin = await makeUser(shop, { level: 'Admin' })
  const { rows } = await shop.database.db.query<{ id: string }>('select id from orders where payment_reference = $1 order by seq', [
    reference,
  ])
  for (const { id } of rows) {
    const { status, body } = await call(shop, 'PUT', `/order/update-status/${id}`, { as: admin, body: { status: 'rejected' } })
    if (status !== 200) throw new Error(`could not reject an order: ${JSON.stringify(body)}`)
  }
  return rows.map(({ id }) => id)
}

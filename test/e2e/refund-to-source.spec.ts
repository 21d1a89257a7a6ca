import type { Order } from '../../shared/orders.ts'
import type { PaymentReply } from '../../shared/payments.ts'
import type { Product } from '../../shared/products.ts'
import { check } from './check-accessibility.ts'
import type { Account, Shop } from './open-shop.ts'
import { answer, expect, keepSession, test, toastOf } from './shop.ts'

/** Orders that a customer has paid by card and the shop has rejected. */
async function buyAndReject(shop: Shop, customer: Account): Promise<Order> {
  const mtn = (await shop.call<Product[]>('GET', '/product')).find(({ network }) => network === 'MTN')
  if (!mtn) throw new Error('no MTN on the shelf')
  const items = [{ productId: mtn._id, offer: '1GB', amount: 5.5, phoneNumber: '0551234567' }]
  const { reference } = await shop.call<PaymentReply>('POST', '/payment', { as: customer, body: { purpose: 'order', items } })
  await shop.call('POST', `/sandbox/card/payments/${reference}/pay`, { body: {} })
  await shop.call('POST', `/payment/${reference}/confirm`, { as: customer, body: {} })
  const [order] = await shop.ordersOf(customer)
  if (!order) throw new Error('no order came of paying')
  await shop.decide(order, 'rejected')
  return order
}

test('a refund is sent back to the card from the order’s page, and staff see it', { tag: '@long' }, async ({ page, shop, browserOf }) => {
  const customer = await shop.makeUser()
  const order = await buyAndReject(shop, customer)
  await keepSession(page, customer)
  await page.goto(`/order/${order.number}`)
  await expect(page.getByText('¢5.67 is in your wallet, ready to spend.')).toBeVisible()
  await check(page, 'an order whose refund may go back to the card')
  await page.getByRole('button', { name: 'Send it back to my card instead' }).click()
  await answer(page, /Send ¢5\.67 back/, 'Yes, send ¢5.67')
  await expect(toastOf(page, '¢5.67 is on its way')).toBeVisible()
  await expect(page.getByText(/¢5\.67 is on its way back to the card or phone/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send it back to my card instead' })).toBeHidden()
  await page.reload()
  await expect(page.getByText(/¢5\.67 is on its way back to the card or phone/)).toBeVisible()

  const staff = await browserOf(shop.admin)
  await staff.goto('/admin/finance/refunds')
  await staff.getByRole('button', { name: 'On the way' }).click()
  await expect(staff.getByText(`¢5.67 to ${customer.username}`)).toBeVisible()
})

import type { SupplierOrderReply } from '../../shared/floats.ts'
import { check } from './check-accessibility.ts'
import { expect, keepSession, test } from './shop.ts'

test.use({ shopSettings: { JOB_TIMINGS: 'quick', SUPPLIER_CALLS_PER_MINUTE: '300' } })

test('the owner puts suppliers in a row with the keyboard, and a refused order goes to the next', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  await shop.sql(`insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from)
    select k.product_id, k.offer, s, 100, now() - interval '1 day' from packages k, unnest(array['hubnet', 'datamart']) s`)
  await keepSession(page, shop.admin)
  await page.goto('/admin/suppliers')
  const card = page.getByRole('region', { name: 'Who gets the orders' })
  const network = card.getByRole('group', { name: 'AirtelTigo' })
  await expect(network.getByRole('listitem')).toHaveText([/^1Hubnet/])
  for (const name of ['RemaData', 'DataMart']) await network.getByRole('button', { name: `${name} for AirtelTigo` }).click()
  await expect(network.getByRole('listitem')).toHaveText([/^1Hubnet/, /^2RemaData/, /^3DataMart/])
  await expect(network.getByText(/^Cost not set for/)).toHaveCount(1)

  // Twice up: the button stays under the finger, and at the top the other one is.
  const up = network.getByRole('button', { name: 'DataMart earlier for AirtelTigo' })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect(network.getByRole('listitem')).toHaveText([/^1Hubnet/, /^2DataMart/, /^3RemaData/])
  await expect(up).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(network.getByRole('listitem')).toHaveText([/^1DataMart/, /^2Hubnet/, /^3RemaData/])
  const down = network.getByRole('button', { name: 'DataMart later for AirtelTigo' })
  await expect(down).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(network.getByRole('listitem')).toHaveText([/^1Hubnet/, /^2DataMart/, /^3RemaData/])

  await card.getByLabel('Days for a new number').fill('90')
  troubles.expect(/^400 PUT \/api\/admin\/suppliers\/order$/)
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Enter a whole number from 1 to 30.')).toBeVisible()
  await card.getByLabel('Days for a new number').fill('5')
  await check(page, 'the order of the suppliers')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.reload()
  await expect(network.getByRole('listitem')).toHaveText([/^1Hubnet/, /^2DataMart/, /^3RemaData/])
  const reply = await shop.call<SupplierOrderReply>('GET', '/admin/suppliers/order', { as: shop.admin })
  expect(reply.verificationDays).toBe(5)

  await shop.call('POST', '/sandbox/supplier/hubnet/faults', { body: { call: 'order', kind: 'refuse', cause: 'refused' } })
  const buyer = await shop.makeUser({ balance: 20 })
  const [order] = await shop.buy(buyer, [{ network: 'AirtelTigo', phoneNumber: '0271234567' }])
  await page.goto(`/admin/orders/${order?.number}`)
  await expect(page.getByText('Goes on to DataMart')).toBeVisible({ timeout: 30_000 })
})

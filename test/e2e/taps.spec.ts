import type { Page } from '@playwright/test'
import { statementBody } from '../statements.ts'
import { expect, keepSession, offerTile, openStore, placedSheet, test, toastOf } from './shop.ts'

/** What each journey may cost, counted in the page: presses of a finger, and keys. */
const BUDGETS = {
  'from the store': { taps: 3, keys: 0 },
  'from home with Buy again': { taps: 2, keys: 0 },
  'by card': { taps: 4, keys: 0 },
  'three bundles in a cart': { taps: 9, keys: 0 },
  'for a number never bought for': { taps: 3, keys: 10 },
  'another one, found by name': { taps: 2, keys: 4 },
  'an order by hand': { taps: 2, keys: 0 },
  'ten matched top-ups': { taps: 2, keys: 0 },
}

test('a returning customer buys from the store in three taps', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 100 })
  await shop.buy(customer, [{ phoneNumber: '0241234567' }])
  await keepSession(page, customer)
  await openStore(page)
  const spent = await countIn(page)
  await page.goto('/store')
  await offerTile(page, 'MTN', '2GB').tap()
  await page.getByRole('button', { name: 'Pay with wallet' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).tap()
  await expect(placedSheet(page)).toContainText('024 123 4567')
  expect(await spent()).toEqual(BUDGETS['from the store'])
  expect((await shop.ordersOf(customer))[0]).toMatchObject({ offer: '2GB', receiver: '0241234567' })
})

test('Buy again on the home page buys in two taps, on a phone that has never been used for it', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 100 })
  const [arrived] = await shop.buy(customer, [{ offer: '2GB', phoneNumber: '0241234567' }])
  if (arrived) await shop.decide(arrived, 'completed')
  await keepSession(page, customer)
  await openStore(page)
  await page.evaluate(() => localStorage.removeItem('receivers'))
  const spent = await countIn(page)
  await page.goto('/')
  await page.getByRole('link', { name: /^Buy again: / }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).tap()
  await expect(placedSheet(page)).toContainText('024 123 4567')
  expect(await spent()).toEqual(BUDGETS['from home with Buy again'])
  const orders = await shop.ordersOf(customer)
  expect(orders.map(({ offer, receiver }) => `${offer} ${receiver}`)).toEqual(['2GB 0241234567', '2GB 0241234567'])
})

test('by card a returning customer needs four taps', { tag: '@long' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 6 })
  for (const arrived of await shop.buy(customer, [{ phoneNumber: '0241234567' }])) await shop.decide(arrived, 'completed')
  await keepSession(page, customer)
  await openStore(page)
  const spent = await countIn(page)
  await page.goto('/store')
  await offerTile(page, 'MTN', '1GB').tap()
  await page.getByRole('button', { name: 'Pay without wallet (card)' }).tap()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Pay ¢5\.67/ })
    .tap()
  await page
    .getByTitle('Card payment')
    .contentFrame()
    .getByRole('button', { name: /^Pay .*5\.67 by card$/ })
    .tap()
  await expect(placedSheet(page)).toContainText('024 123 4567')
  // The press in the provider's frame reaches the page's storage a moment later.
  await expect.poll(spent).toEqual(BUDGETS['by card'])
})

test('three bundles go through the cart in nine taps', { tag: '@long' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 200 })
  const lines = [
    { network: 'MTN', offer: '1GB', phoneNumber: '0241234567' },
    { network: 'Telecel', offer: '5GB', phoneNumber: '0201234567' },
    { network: 'AirtelTigo', offer: '1GB', phoneNumber: '0261234567' },
  ]
  for (const arrived of await shop.buy(customer, lines)) await shop.decide(arrived, 'completed')
  await keepSession(page, customer)
  await openStore(page)
  const spent = await countIn(page)
  await page.goto('/store')
  for (const { network, offer } of lines) {
    await offerTile(page, network, offer).tap()
    await page.getByRole('button', { name: 'Add to cart' }).tap()
    await expect(page.getByRole('dialog', { name: 'BUY PAGE' })).toHaveCount(0)
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).tap()
  await page.getByRole('button', { name: 'Checkout with wallet' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).tap()
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  expect(await spent()).toEqual(BUDGETS['three bundles in a cart'])
  const orders = await shop.ordersOf(customer)
  expect(orders.slice(0, 3).map(({ receiver }) => receiver)).toEqual(orders.slice(3).map(({ receiver }) => receiver))
})

test('a number that was never bought for costs its ten digits, and a name its first letters', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 100 })
  await shop.call('PUT', '/contact', { as: customer, body: { network: 'MTN', phoneNumber: '0551234567', name: 'Mum' } })
  await keepSession(page, customer)
  await openStore(page)
  const spent = await countIn(page)
  await page.goto('/store')
  await offerTile(page, 'MTN', '1GB').tap()
  await expect(page.getByLabel('Receiver phone number')).toBeFocused()
  await page.keyboard.type('0241234567')
  await page.getByRole('button', { name: 'Pay with wallet' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).tap()
  await expect(placedSheet(page)).toContainText('024 123 4567')
  expect(await spent()).toEqual(BUDGETS['for a number never bought for'])

  // Another number, two letters of a name, Enter to choose it and Enter to go on.
  await page.evaluate(() => sessionStorage.removeItem('spent'))
  await placedSheet(page).getByRole('button', { name: 'Another number' }).tap()
  await expect(page.getByLabel('Receiver phone number')).toBeFocused()
  await page.keyboard.type('mu')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).tap()
  await expect(placedSheet(page)).toContainText('Mum')
  expect(await spent()).toEqual(BUDGETS['another one, found by name'])
  expect((await shop.ordersOf(customer)).map(({ receiver }) => receiver)).toEqual(['0551234567', '0241234567'])
})

test('the owner decides an order by hand in two taps, and ten matched top-ups in two, as they come in', async ({ page, shop }) => {
  await shop.clearDesk('MTN PULSE')
  const customer = await shop.makeUser({ balance: 100 })
  await keepSession(page, shop.admin)
  const spent = await countIn(page)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Needs me' })).toBeVisible()
  const tab = page.getByRole('navigation', { name: 'Admin Portal' }).getByRole('link', { name: /^Inbox/ })
  const orders = page.getByRole('region', { name: 'Orders', exact: true }).getByRole('article')

  const [order] = await shop.buy(customer, [{ network: 'MTN PULSE', offer: 'MashUp GHS 5' }])
  const byHand = orders.filter({ hasText: '1 MTN PULSE order by hand' })
  await expect(byHand).toContainText('055 123 4567')
  await expect(tab).toContainText('waiting')
  await expect(page).toHaveTitle(/^\(\d+\) Needs me/)
  await byHand.getByRole('button', { name: /^Process/ }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).tap()
  await expect(toastOf(page, `Order ${order?.number} completed`)).toBeVisible()
  await expect(byHand).toHaveCount(0)
  expect(await spent()).toEqual(BUDGETS['an order by hand'])

  const payers = await Promise.all(Array.from({ length: 10 }, () => shop.makeUser()))
  const asked = await Promise.all(payers.map((payer, index) => shop.requestRecharge(payer, 60 + index)))
  const rows = asked.map(({ rechargeId, amount }, index) => ({
    transactionId: String(96_397_000_000 + index),
    amount: amount.toFixed(2),
    payerPhone: payers[index]?.phone ?? '',
    reference: rechargeId,
  }))
  await shop.call('POST', '/received-payment/statement', { as: shop.admin, body: statementBody(rows) })
  await page.reload()
  await page.evaluate(() => sessionStorage.removeItem('spent'))
  await page.getByRole('region', { name: 'Next' }).getByRole('button', { name: 'Approve 10' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).tap()
  await expect(toastOf(page, '10 recharge requests approved')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  expect(await spent()).toEqual(BUDGETS['ten matched top-ups'])
  expect(await Promise.all(payers.map((payer) => shop.balanceOf(payer)))).toEqual(asked.map(({ amount }) => amount))
})

/** Counts presses and keys from the next page on, also in frames and across pages; returns how to read them. */
async function countIn(page: Page): Promise<() => Promise<{ taps: number; keys: number }>> {
  await page.addInitScript(() => {
    const add = (what: 'taps' | 'keys') => (event: Event) => {
      if (!event.isTrusted) return
      const spent = JSON.parse(sessionStorage.getItem('spent') ?? '{"taps":0,"keys":0}')
      spent[what] += 1
      sessionStorage.setItem('spent', JSON.stringify(spent))
    }
    addEventListener('pointerdown', add('taps'), { capture: true })
    addEventListener('keydown', add('keys'), { capture: true })
  })
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('spent') ?? '{"taps":0,"keys":0}'))
}

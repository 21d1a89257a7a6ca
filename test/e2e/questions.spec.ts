import type { Page } from '@playwright/test'
import { answer, expect, fillBuyPage, keepSession, openStore, placedSheet, putIntoCart, test } from './shop.ts'

const PROCEED = 'Are you sure you want to proceed to checkout now?'

test('a cart that one tab has bought is bought by no question of another, also after its order is delivered', async ({
  page,
  context,
  shop,
}) => {
  const customer = await shop.makeUser({ balance: 60 })
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await page.goto('/cart')
  const other = await context.newPage()
  await other.goto('/cart')
  await askForCart(other)

  await askForCart(page)
  await answer(page, PROCEED)
  await expect(placedSheet(page)).toBeVisible()
  await expect(question(other)).toContainText('Your cart has changed in another tab, so we didn’t charge anything here.')
  await expect(question(other).getByRole('button', { name: 'Yes' })).toHaveCount(0)
  const [order] = await shop.ordersOf(customer)
  await shop.decide(order!, 'completed')
  await question(other).getByRole('button', { name: 'Go back' }).click()
  await expect(other.getByText('Your cart is empty')).toBeVisible()
  expect(await shop.ordersOf(customer)).toHaveLength(1)
  expect(await shop.balanceOf(customer)).toBe(54.5)
})

test('a tab that has heard of nothing buys the same lines of the cart no second time', async ({ page, context, shop }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await page.goto('/cart')
  const kept = await page.evaluate(() => localStorage.getItem('cartItems') ?? '')
  await askForCart(page)
  await answer(page, PROCEED)
  await expect(placedSheet(page)).toBeVisible()
  const [order] = await shop.ordersOf(customer)
  await shop.decide(order!, 'completed')

  const other = await context.newPage()
  await other.goto('/cart')
  await other.evaluate((lines) => localStorage.setItem('cartItems', lines), kept)
  await other.reload()
  await askForCart(other)
  await answer(other, PROCEED)
  await expect(placedSheet(other)).toBeVisible()
  expect(await shop.ordersOf(customer)).toHaveLength(1)
  expect(await shop.balanceOf(customer)).toBe(54.5)
})

test('a price, a stock and a balance that change under a question are said in it, and nothing is charged', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 9 })
  await keepSession(page, customer)
  await openStore(page)
  const dialog = await fillBuyPage(page, { phoneNumber: '0241234567' })
  const ask = () => dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  const goBack = () => question(page).getByRole('button', { name: 'Go back' }).click()
  await ask()
  await expect(question(page)).toContainText('Left in your wallet')
  await shop.setPrice('MTN', '1GB', 5.75)
  await expect(question(page)).toContainText('The price of 1GB has changed from ¢5.50 to ¢5.75.')
  await goBack()
  await ask()
  await expect(question(page)).toContainText('¢3.25')
  await shop.setPrice('MTN', '1GB', 5.5)
  await goBack()
  await ask()
  await expect(question(page)).toContainText('¢3.50')
  await shop.setStock('MTN', 'out of stock')
  await expect(question(page)).toContainText('1GB isn’t available any more.')
  await goBack()
  await shop.setStock('MTN', 'available')
  await openStore(page)
  await fillBuyPage(page, { phoneNumber: '0241234567' })
  await ask()
  await expect(question(page)).toContainText('¢3.50')
  await shop.call('PUT', '/user/balance', { as: shop.admin, body: { chosenId: customer._id, amount: -1, note: 'Test', showNote: true } })
  await expect(question(page)).toContainText('¢2.50')
  await shop.call('PUT', '/user/balance', { as: shop.admin, body: { chosenId: customer._id, amount: -4, note: 'Test', showNote: true } })
  await expect(question(page)).toContainText('Your wallet has ¢4.00 now, and this costs ¢5.50.')
  await goBack()
  expect(await shop.ordersOf(customer)).toEqual([])
})

test('a tab that opens while another buys asks nothing and buys nothing', async ({ page, context, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 60 })
  await shop.buy(customer, [{ phoneNumber: '0241234567' }])
  await keepSession(page, customer)
  await openStore(page)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked: Page[] = []
  troubles.expect(/^409 POST \/api\/order\/checkout$/)
  await context.route('**/api/order/checkout', async (route) => {
    asked.push(route.request().frame().page())
    await held
    await route.continue()
  })
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await page.goto('/cart')
  await askForCart(page)
  await answer(page, PROCEED)
  await expect.poll(() => asked.length).toBe(1)
  const other = await context.newPage()
  const connected = other.waitForEvent('websocket')
  await other.goto('/store')
  await connected
  release()
  await expect(question(page)).toContainText('on its way')
  await other.goto('/cart')
  await expect(other.getByText('Subtotal (1 item)')).toBeVisible()
  await expect(question(other)).toHaveCount(0)
  expect(asked.includes(other)).toBe(false)
})

function question(page: Page) {
  return page.getByRole('alertdialog')
}

async function askForCart(page: Page) {
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await expect(question(page)).toContainText(PROCEED)
}

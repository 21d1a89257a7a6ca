import type { Page } from '@playwright/test'
import type { Matches } from '../../shared/received-payments.ts'
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

test('what staff are asked about closes when a colleague has settled it meanwhile', { tag: '@desktop' }, async ({ page, shop }) => {
  const CHANGED = 'This has changed since you were asked'
  const buyer = await shop.makeUser({ balance: 100 })
  const [first, second, third] = await shop.buy(buyer, [
    { offer: '1GB', phoneNumber: '0241234567' },
    { offer: '2GB', phoneNumber: '0241234567' },
    { offer: '3GB', phoneNumber: '0241234567' },
  ])
  await expect
    .poll(async () => (await shop.call<{ ordersToRelay: number }>('GET', '/admin/jobs', { as: shop.admin })).ordersToRelay)
    .toBe(0)
  const goBack = () => question(page).getByRole('button', { name: 'Go back' }).click()
  await keepSession(page, shop.admin)

  await test.step('many orders', async () => {
    await page.goto(`/admin/orders?search=${encodeURIComponent(buyer.username)}`)
    await page.getByLabel('Select all pending orders on this page').check()
    await page.getByRole('region', { name: 'Selected orders' }).getByRole('button', { name: 'Process' }).click()
    await expect(question(page)).toContainText('process 3 orders')
    await shop.decide(third!, 'rejected')
    await expect(question(page)).toContainText('1 order changed since you opened this')
    await expect(question(page)).toContainText('process 2 orders')
    await page.keyboard.press('Escape')
  })

  await test.step('a batch', async () => {
    const { batch } = await shop.call<{ batch: { number: number } }>('POST', '/admin/batches', {
      as: shop.admin,
      body: { key: crypto.randomUUID(), network: 'MTN', ids: [first!._id, second!._id] },
    })
    await page.goto(`/admin/batches/${batch.number}`)
    await page.getByRole('button', { name: 'Release 2' }).click()
    await expect(question(page)).toContainText('release 2 orders')
    await shop.call('PUT', `/admin/batches/${batch.number}/settle`, { as: shop.admin, body: { completed: [first!._id] } })
    await expect(question(page)).toContainText(CHANGED)
    await goBack()
  })

  await test.step('prices', async () => {
    await page.goto('/admin/products')
    await page.getByRole('button', { name: /^Telecel/ }).click()
    await page.getByRole('button', { name: '+5 %' }).click()
    await page.getByRole('button', { name: 'Publish 18' }).click()
    await expect(question(page)).toContainText('on Telecel now?')
    await shop.setPrice('Telecel', '5GB', 24.9)
    await expect(question(page)).toContainText(CHANGED)
    await goBack()
    await shop.setPrice('Telecel', '5GB', 24.5)
  })

  await test.step('a matched payment', async () => {
    const { rechargeId } = await shop.requestRecharge(buyer, 50)
    const text = `Payment received for GHS 50.00 from KOFI TEST Current Balance: GHS 900.00 . Available Balance: GHS 900.00. Reference: ${rechargeId}. Transaction ID: 90817263544. TRANSACTION FEE: 0.00`
    await shop.call('POST', '/received-payment/messages', { as: shop.admin, body: { text } })
    await page.goto('/admin/finance/match')
    await page.getByRole('button', { name: /^Approve 1 / }).click()
    await expect(question(page)).toContainText('approve the recharge of ¢50.00')
    const { certain } = await shop.call<Matches>('GET', '/received-payment/matches', { as: shop.admin })
    const matches = certain.map(({ payment, request }) => ({ paymentId: payment._id, rechargeId: request?._id, amount: payment.amount }))
    await shop.call('POST', '/received-payment/approve', { as: shop.admin, body: { matches } })
    await expect(question(page)).toContainText(CHANGED)
    await goBack()
  })

  await test.step('a payment whose customer is looked for', async () => {
    const text =
      'Payment received for GHS 33.00 from AMA LOOKED FOR Current Balance: GHS 933.00 . Available Balance: GHS 933.00. Reference: data. Transaction ID: 90817263545. TRANSACTION FEE: 0.00'
    await shop.call('POST', '/received-payment/messages', { as: shop.admin, body: { text } })
    await page.goto('/admin/finance/match')
    await page
      .getByRole('article', { name: /AMA LOOKED FOR/ })
      .getByRole('button', { name: 'Find the customer' })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Find the customer' })
    await dialog.getByRole('combobox', { name: 'Username' }).fill(buyer.username)
    await page.getByRole('option', { name: buyer.username }).click()
    const { unmatched } = await shop.call<Matches>('GET', '/received-payment/matches', { as: shop.admin })
    const found = unmatched.find(({ payment }) => payment.transactionId === '90817263545')
    await shop.call('POST', `/received-payment/${found?.payment._id}/credit`, { as: shop.admin, body: { amount: 33, userId: buyer._id } })
    await expect(dialog).toContainText(CHANGED)
    await expect(dialog.getByRole('button', { name: /^Credit/ })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Go back' }).click()
  })
})

function question(page: Page) {
  return page.getByRole('alertdialog')
}

async function askForCart(page: Page) {
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await expect(question(page)).toContainText(PROCEED)
}

import type { Page } from '@playwright/test'
import { answer, entryOf, expect, fillBuyPage, firstTile, follow, keepSession, openStore, putIntoCart, test } from './shop.ts'

const PROCEED = 'Are you sure you want to proceed to checkout now?'
const buyPage = (page: Page) => page.getByRole('dialog', { name: 'BUY PAGE' })
const question = (page: Page) => page.getByRole('alertdialog')
const length = (page: Page) => page.evaluate(() => history.length)
/** Pressed by the person, not waited for as a page that loads. */
const back = (page: Page) => page.evaluate(() => history.back())
const forward = (page: Page) => page.evaluate(() => history.forward())

test('Back answers a question with No, then closes the BUY PAGE, then leaves the store', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 40 })
  await keepSession(page, customer)
  await page.goto('/user/history')
  await follow(page, '/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  const before = await length(page)
  const dialog = await fillBuyPage(page, { phoneNumber: '0241234567' })
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await expect(question(page)).toContainText(PROCEED)
  await expect.poll(() => length(page)).toBe(before + 1)

  await back(page)
  await expect(question(page)).toHaveCount(0)
  await expect(dialog.getByLabel('Receiver phone number')).toHaveValue('024 123 4567')
  await expect(page).toHaveURL(/\/store\?buy=/)

  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, PROCEED, 'No')
  await expect(question(page)).toHaveCount(0)
  await expect(dialog).toBeVisible()

  await back(page)
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL('/store')
  const wasShown = await page.evaluateHandle(() => {
    const shown: string[] = []
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node.nodeName === 'DIALOG') shown.push(node.textContent ?? '')
    }).observe(document.body, { childList: true, subtree: true })
    return shown
  })
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        // Forward, and back to the page.
        let arrivals = 0
        addEventListener('popstate', () => {
          arrivals += 1
          if (arrivals === 2) resolve()
        })
        history.forward()
      }),
  )
  await expect(page).toHaveURL('/store')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await wasShown.jsonValue()).toEqual([])
  await back(page)
  await expect(page).toHaveURL('/user/history')
  await expect(page.getByText("You haven't placed any order yet")).toBeVisible()
  expect(await shop.call<unknown[]>('GET', '/order/allorders', { as: customer })).toEqual([])
})

test('a dialog that a button closes leaves no press of Back without effect', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 40 }))
  await page.goto('/user/history')
  await follow(page, '/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  for (const _ of [1, 2, 3]) {
    await firstTile(page, 'MTN').click()
    await buyPage(page).getByRole('button', { name: 'Close' }).click()
    await expect(buyPage(page)).toHaveCount(0)
  }
  await expect.poll(() => page.evaluate(() => history.state?.dialogs ?? 0)).toBe(0)
  await back(page)
  await expect(page).toHaveURL('/user/history')
  await forward(page)
  await expect(page).toHaveURL('/store')
})

test('a link in a dialog leads on, and Back returns to where it was', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 0 }))
  await page.goto('/user/account')
  await follow(page, '/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  const dialog = await fillBuyPage(page)
  await dialog
    .getByRole('link', { name: 'Topup your wallet here' })
    .or(dialog.getByRole('button', { name: 'Topup your wallet here' }))
    .click()
  await expect(page).toHaveURL(/\/user\/finance/)
  await back(page)
  await expect(dialog).toBeVisible()
  await back(page)
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL('/store')
  await back(page)
  await expect(page).toHaveURL('/user/account')
})

test('a page that is loaded again over a question keeps no press of Back for it', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 40 }))
  await page.goto('/user/history')
  await follow(page, '/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await expect(question(page)).toBeVisible()
  await page.reload()
  // The address of the BUY PAGE opens it again; the question is gone.
  await expect(dialog).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => history.state?.dialogs ?? 0)).toBe(1)
  await back(page)
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL('/store')
  await back(page)
  await expect(page).toHaveURL('/user/history')
})

test('the PAYMENT NOTICE stays, however often Back is pressed', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser())
  await page.goto('/user/finance')
  await page.getByLabel('Recharge amount').fill('64')
  await page.getByRole('button', { name: 'Request' }).click()
  const notice = page.getByRole('dialog', { name: 'PAYMENT NOTICE' })
  await expect(notice).toBeVisible()
  for (const _ of [1, 2]) {
    await back(page)
    await expect.poll(() => page.evaluate(() => history.state?.dialogs ?? 0)).toBe(1)
    await expect(notice).toBeVisible()
  }
  await expect(page).toHaveURL(/\/user\/finance/)
})

test('Back from the cart’s question and from the card payment buys nothing', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 90 })
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await follow(page, '/cart')
  await page.getByRole('button', { name: /^Checkout with wallet/ }).click()
  await expect(question(page)).toContainText(PROCEED)
  await back(page)
  await expect(question(page)).toHaveCount(0)
  await expect(page).toHaveURL('/cart')

  await page.getByRole('button', { name: /^Checkout without wallet/ }).click()
  await question(page)
    .getByRole('button', { name: /^(Yes|Pay)/ })
    .click()
  await expect(page.getByRole('dialog', { name: 'Card payment' })).toBeVisible()
  await back(page)
  await expect(page.getByRole('dialog', { name: 'Card payment' })).toHaveCount(0)
  await expect(page.getByText('Payment cancelled').first()).toBeVisible()
  await expect(page).toHaveURL('/cart')
  expect(await shop.call<unknown[]>('GET', '/order/allorders', { as: customer })).toEqual([])
})

for (const tag of ['@phone', '@desktop']) {
  test(`Back from an owner’s question decides nothing ${tag}`, { tag }, async ({ page, shop }) => {
    const customer = await shop.makeUser({ balance: 40 })
    const [order] = await shop.buy(customer, [{}])
    await keepSession(page, shop.admin)
    await page.goto('/admin')
    await follow(page, '/admin/orders')
    const entry = entryOf(page, 'Orders', customer.username)
    for (const name of ['Process', 'Reject']) {
      await entry.getByRole('button', { name, exact: true }).click()
      await expect(question(page)).toBeVisible()
      await back(page)
      await expect(question(page)).toHaveCount(0)
      await expect(page).toHaveURL('/admin/orders')
    }
    expect(await shop.call('GET', '/order/allorders', { as: customer })).toMatchObject([{ _id: order?._id, status: 'pending' }])
    await back(page)
    await expect(page).toHaveURL('/admin')
  })
}

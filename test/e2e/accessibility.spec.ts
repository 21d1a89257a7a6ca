import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { answer, expect, fillBuyPage, keepSession, logOut, openAccountMenu, openStore, productCard, putIntoCart, test } from './shop.ts'

test('what a visitor sees is usable by everybody', async ({ page, troubles }) => {
  test.slow()
  troubles.expect(/^404 GET \/no-such-page$/)
  for (const path of ['/', '/store', '/login', '/register', '/reset-password/a-token', '/no-such-page']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    await check(page, path)
  }
  await page.goto('/register')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true')
  await check(page, 'the registration with all that is wrong')
  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await check(page, 'the forgotten password')
  await page.goto('/store')
  await productCard(page, 'MTN').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check(page, 'the invitation to sign in')
})

test('what a customer sees is usable by everybody', async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 200 })
  const [completed, rejected] = await shop.buy(customer, [
    {},
    { network: 'Telecel', offer: '5GB' },
    { network: 'AFA', offer: 'AFA registration' },
  ])
  if (completed) await shop.decide(completed, 'completed')
  if (rejected) await shop.decide(rejected, 'rejected')
  await shop.decideRecharge(await shop.requestRecharge(customer, 50), 'decline')
  await shop.decideRecharge(await shop.requestRecharge(customer, 60), 'approve')
  await shop.setStock('WAEC Checkers', 'out of stock')
  await keepSession(page, customer)

  await page.goto('/store')
  await expect(page.getByRole('dialog', { name: 'PLEASE NOTE' })).toBeVisible()
  await check(page, 'the notice')
  await openStore(page)
  await expect(productCard(page, 'WAEC Checkers')).toBeDisabled()
  await check(page, 'the store')
  await shop.setStock('WAEC Checkers', 'available')

  const dialog = await fillBuyPage(page, { phoneNumber: '0201234567' })
  await expect(dialog.getByText(/is usually/)).toBeVisible()
  await check(page, 'the buy page')
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'the question before a card payment')
  await answer(page, /proceed to checkout/, 'Cancel')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await putIntoCart(page, {})
  await page.goto('/cart')
  await expect(page.getByText('Subtotal (1 item)')).toBeVisible()
  await check(page, 'the cart')
  await page.goto('/user/history')
  await expect(page.getByText('Showing 3 of 3 entries')).toBeVisible()
  await check(page, 'the transactions')
  await page
    .getByRole('button', { name: /Receipt|Show the receipt|^[A-Za-z0-9]{16,24}$/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toBeVisible()
  await check(page, 'a receipt')

  await page.goto('/user/finance')
  await expect(page.getByText('Showing 2 of 2 entries')).toBeVisible()
  await page.getByLabel('Recharge amount').fill('20')
  await check(page, 'the wallet')
  await page.getByLabel('Recharge amount').fill('50')
  await page.getByRole('button', { name: 'Request' }).click()
  await expect(page.getByRole('dialog', { name: 'PAYMENT NOTICE' })).toContainText('Reference code')
  await check(page, 'the payment notice')
  await page.getByRole('button', { name: 'I have noted it' }).click()

  await openAccountMenu(page)
  await check(page, 'the account menu')
  await page.getByRole('button', { name: 'Become Agent' }).click()
  await expect(page.getByRole('dialog', { name: 'Become Agent' })).toBeVisible()
  await check(page, 'becoming an agent')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await logOut(page)
  await expect(page).toHaveURL('/login')
})

test('what an admin sees is usable by everybody', async ({ page, shop }) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 200 })
  const [completed, rejected, pending] = await shop.buy(customer, [{}, { offer: '2GB' }, { offer: '3GB' }])
  if (completed) await shop.decide(completed, 'completed')
  if (rejected) await shop.decide(rejected, 'rejected')
  await shop.requestRecharge(customer, 50)
  await shop.decideRecharge(await shop.requestRecharge(customer, 60), 'decline')
  await keepSession(page, shop.admin)

  await page.goto('/admin/stats')
  await expect(page.getByRole('table', { name: 'Orders' })).toBeVisible()
  await expect(page.getByLabel(`Level of ${customer.username}`)).toBeVisible()
  await check(page, 'the statistics')

  await page.goto('/admin/orders')
  await page.getByLabel(`Select order ${pending?.id}`, { exact: true }).check()
  await check(page, 'the orders')
  await page.getByRole('button', { name: 'Reject 1' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'the question before a rejection')

  await page.goto('/admin/finance')
  await expect(page.getByRole('button', { name: 'Approve' }).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Username' }).fill(customer.username.slice(0, -1))
  await expect(page.getByRole('listbox', { name: 'Users' })).toBeVisible()
  await check(page, 'the finances')

  await page.goto('/admin/products')
  await expect(page.getByLabel('Status of Telecel')).toBeVisible()
  await check(page, 'the products')
  await page.getByRole('button', { name: 'Update' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Update Product' })).toBeVisible()
  await check(page, 'a product')

  await page.goto('/admin/activity')
  await expect(page.getByText(/^Showing/)).toBeVisible()
  await check(page, 'the activity')
  await page.goto('/info')
  await expect(page.getByLabel('Notice text')).toBeVisible()
  await check(page, 'the notice and the payment details')
})
/** Nothing serious or critical in either look, and nothing wider than the screen. */
async function check(page: Page, screen: string) {
  await expectNothingGrave(page, screen)
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect.soft(tooWide, `${screen} is wider than its screen`).toBeLessThanOrEqual(0)
  // The looks differ by their colours alone.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothingGrave(page, `${screen} in the dark`, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNothingGrave(page: Page, screen: string, rules?: string[]) {
  // Half-faded text has colours that nobody is meant to read.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  // No screen holds a page of another origin, which is all that the slower way is for.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`))
  expect.soft(grave, screen).toEqual([])
}

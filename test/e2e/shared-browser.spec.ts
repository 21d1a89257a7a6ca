import type { Page } from '@playwright/test'
import { NOTICE, PASSWORD } from './open-shop.ts'
import { entriesOf, entryOf, expect, keepSession, logOut, openStore, putIntoCart, shownBalance, stopClock, test, toastOf } from './shop.ts'

// What one browser holds is shared by its tabs, and by all who sign in there one after the other. The size does not matter.

test('two tabs have one cart: what one adds, removes or buys the other shows', { tag: '@desktop' }, async ({ page, context, shop }) => {
  const customer = await shop.makeUser({ balance: 50 })
  await keepSession(page, customer)
  await openStore(page)
  const other = await context.newPage()
  await openStore(other)
  await putIntoCart(page, { phoneNumber: '0551110001' })
  await putIntoCart(other, { phoneNumber: '0551110002' })
  await putIntoCart(page, { phoneNumber: '0551110003' })
  await other.goto('/cart')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).click()
  for (const tab of [page, other]) {
    await expect(tab.getByText('Subtotal (3 items)')).toBeVisible()
    for (const number of ['055 111 0001', '055 111 0002', '055 111 0003'])
      await expect(tab.getByRole('main').getByText(number)).toBeVisible()
  }
  await other
    .getByRole('listitem')
    .filter({ hasText: '055 111 0002' })
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(page.getByText('Subtotal (2 items)')).toBeVisible()
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(other.getByText('Your cart is empty')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Checkout with wallet' })).toBeDisabled()
  await expect(shownBalance(other)).toContainText('¢39.00')
  expect((await shop.ordersOf(customer)).map(({ receiver }) => receiver).sort()).toEqual(['0551110001', '0551110003'])
})

test('who signs in after somebody else finds nothing of theirs, and is shown the notice', { tag: '@desktop' }, async ({ page, shop }) => {
  const [first, second] = [await shop.makeUser({ balance: 70 }), await shop.makeUser({ balance: 8 })]
  await shop.buy(first, [{ phoneNumber: '0557654321' }])
  await shop.buy(second, [{ phoneNumber: '0551234000' }])
  await keepSession(page, first)
  await openStore(page)
  await putIntoCart(page, {})
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
  await logOut(page)
  await expect(page).toHaveURL('/login')

  await logInHere(page, second)
  await expect(page.getByRole('dialog').getByText(NOTICE.split('\n')[0] as string)).toBeVisible()
  await page.getByRole('button', { name: 'I understand' }).click()
  await expect(shownBalance(page)).toContainText('¢2.50')
  const cart = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' })
  await expect(cart).not.toContainText('1 item')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
  await expect(entriesOf(page, 'My Transactions')).toContainText(/055 ?123 ?4000/)
})

test('a refusal that comes late, to who was here before, signs nobody out', { tag: '@desktop' }, async ({ page, shop, troubles }) => {
  const [first, second] = [await shop.makeUser({ balance: 5 }), await shop.makeUser({ balance: 9 })]
  await keepSession(page, first)
  const { promise: isTime, resolve: letGo } = Promise.withResolvers<void>()
  let held = 0
  await page.route('**/api/recharge', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    held += 1
    await isTime
    await route.continue().catch(() => undefined)
  })
  await page.goto('/user/finance')
  await page.getByLabel('Recharge amount').fill('50')
  await page.getByRole('button', { name: 'Request' }).click()
  await expect.poll(() => held).toBeGreaterThan(0)
  await logOut(page)
  await expect(page).toHaveURL('/login')
  await logInHere(page, second)
  troubles.expect(/^401 POST \/api\/recharge/)
  const late = page.waitForResponse((response) => response.status() === 401)
  letGo()
  await late
  await page.getByRole('button', { name: 'I understand' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
  await expect(page.getByText("You haven't placed any order yet")).toBeVisible()
  await expect(shownBalance(page)).toContainText('¢9.00')
})

test('a reply to an earlier search that comes late does not take the place of a later one', { tag: ['@desktop', '@long'] }, async ({
  page,
  shop,
}) => {
  const [ama, kofi] = [await shop.makeUser({ balance: 20 }), await shop.makeUser({ balance: 20 })]
  await shop.buy(ama, [{ phoneNumber: '0551110004' }])
  await shop.buy(kofi, [{ phoneNumber: '0551110005' }])
  await keepSession(page, shop.admin)
  const { promise: isTime, resolve: letGo } = Promise.withResolvers<void>()
  let isThrough = false
  await page.route(/\/api\/order\/allorders.*search=0551110004/, async (route) => {
    const response = await route.fetch()
    await isTime
    await route.fulfill({ response }).catch(() => undefined)
    isThrough = true
  })
  await page.goto('/admin/orders')
  const search = page.getByRole('searchbox', { name: 'Search orders' })
  const asked = page.waitForRequest(/search=0551110004/)
  await search.fill('0551110004')
  await asked
  await search.fill('0551110005')
  await expect(entryOf(page, 'Orders', kofi.username)).toBeVisible()
  await expect(entriesOf(page, 'Orders')).toHaveCount(1)
  letGo()
  await expect.poll(() => isThrough).toBe(true)
  // Two frames, in which it would have been drawn.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await expect(entryOf(page, 'Orders', kofi.username)).toBeVisible()
  await expect(entryOf(page, 'Orders', ama.username)).toHaveCount(0)
})

test('keys do nothing behind an open dialog', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 50 })
  const orders = await shop.buy(customer, [{ offer: '1GB' }, { offer: '2GB' }])
  await keepSession(page, shop.admin)
  await page.goto(`/admin/orders?search=${encodeURIComponent(customer.username)}`)
  await expect(entriesOf(page, 'Orders')).toHaveCount(2)
  await page.keyboard.press('j')
  await expect(entriesOf(page, 'Orders').first()).toBeFocused()
  await page.keyboard.press('p')
  await expect(page.getByRole('alertdialog')).toHaveCount(1)
  for (const key of ['j', 'x', 'r', '?', '/', 'p']) await page.keyboard.press(key)
  await expect(page.getByRole('alertdialog')).toHaveCount(1)
  await expect(page.getByRole('dialog', { name: 'Keys for orders' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Selected orders' })).toBeHidden()
  expect((await shop.ordersOf(customer)).map(({ status }) => status)).toEqual(orders.map(() => 'pending'))
})

test('the same toast said again stays for its own three seconds', { tag: ['@desktop', '@long'] }, async ({ page, shop }) => {
  await page.clock.install({ time: '2026-01-05T10:00:00Z' })
  await keepSession(page, await shop.makeUser())
  await openStore(page)
  await putIntoCart(page, {})
  const toast = toastOf(page, 'Added to your cart')
  await expect(toast).toBeVisible()
  // Its code is there now, and the page's time stands still but for what this test lets pass.
  await stopClock(page, '2026-01-05T11:00:00Z')
  await putIntoCart(page, {})
  await page.clock.runFor(2_000)
  await putIntoCart(page, {})
  await page.clock.runFor(2_500)
  await expect(toast).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(toast).toHaveCount(0)
})

/** Without loading the page again, as on a phone that is handed over. */
async function logInHere(page: Page, { phone }: { phone: string }) {
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/store')
}

import { PASSWORD } from './open-shop.ts'
import {
  alertOf,
  answer,
  answerWithStoppedClock,
  entriesOf,
  entryOf,
  expect,
  fillBuyPage,
  keepSession,
  openStore,
  placedSheet,
  putIntoCart,
  shownBalance,
  stopClock,
  test,
  toastOf,
} from './shop.ts'

const PRODUCT = {
  network: 'AFA',
  image: 'data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==',
  status: 'available',
}

test('a product that somebody else has deleted is neither changed nor deleted again', {
  tag: ['@desktop', '@long'],
}, async ({ page, shop, troubles }) => {
  const shelve = async (offer: string) => {
    const packages = [{ offer, priceCustomer: 9, priceAgent: 8 }]
    await shop.call('POST', '/product/create', { as: shop.admin, body: { ...PRODUCT, packages } })
    return entriesOf(page, 'Products').filter({ hasText: offer })
  }
  const [first, second, third] = [await shelve('Gone first'), await shelve('Gone second'), await shelve('Gone third')]
  await keepSession(page, shop.admin)
  await page.goto('/admin/products')
  // It goes while the admin's own request is under way, so that the screen cannot have heard of it.
  await page.route('**/api/product/**', async (route) => {
    const id = new URL(route.request().url()).pathname.split('/')[3] ?? ''
    await shop.call('DELETE', `/product/${id}`, { as: shop.admin })
    await route.continue()
  })
  troubles.expect(/^404 (PUT|DELETE) \/api\/product\//)

  await first.getByLabel('Status of AFA').selectOption('out of stock')
  await expect(alertOf(page, 'Error updating product status: That product does not exist.')).toBeVisible()

  await second.getByRole('button', { name: 'Delete' }).click()
  await answer(page, 'Are you sure you want to delete this product?')
  await expect(alertOf(page, 'Error deleting product: That product does not exist.')).toBeVisible()

  await third.getByRole('button', { name: 'Update' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Product' })
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(alertOf(page, 'Error saving product: That product does not exist.')).toBeVisible()
  await expect(dialog.getByText('Error saving product: That product does not exist.').first()).toBeVisible()
  await expect(toastOf(page, 'successfully')).toHaveCount(0)
})

test('a notice that did not reach the shop is not said to be saved', { tag: '@desktop' }, async ({ page, shop, troubles }) => {
  const { noticeContent } = await shop.notice()
  await keepSession(page, shop.admin)
  await page.goto('/info')
  troubles.expect(/PUT \/api\/extra\/(notice|momo-details)/)
  await page.route('**/api/extra/*', (route) => (route.request().method() === 'PUT' ? route.abort('connectionfailed') : route.continue()))
  await page.getByLabel('Notice text').fill('Nobody will read this.')
  await page.getByRole('button', { name: 'Save notice' }).click()
  await expect(alertOf(page, 'Error updating notice content:')).toBeVisible()
  await expect(toastOf(page, 'Notice message updated successfully')).toHaveCount(0)
  expect((await shop.notice()).noticeContent).toBe(noticeContent)
})

test('the last owner stays one and reads why', { tag: ['@desktop', '@long'] }, async ({ page, shop, troubles }) => {
  await keepSession(page, shop.admin)
  await page.goto('/admin/stats')
  await page.getByRole('searchbox', { name: 'Search users' }).fill(shop.admin.phone)
  const level = page.getByLabel(`Level of ${shop.admin.username}`)
  troubles.expect(/^409 PUT \/api\/user\/[^/]+\/level$/)
  await level.selectOption('Customer')
  await answer(page, `Are you sure you want to change ${shop.admin.username}'s level from Admin to Customer?`)
  await expect(alertOf(page, 'The last owner cannot be demoted.')).toBeVisible()
  await expect(level).toHaveValue('Admin')
  await expect(toastOf(page, 'User level updated successfully')).toHaveCount(0)
})

test("a recharge that is refused shows the shop's own words", { tag: ['@desktop', '@long'] }, async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser()
  for (let count = 0; count < 2; count++) await shop.requestRecharge(customer, 50)
  const refused = await shop.send('POST', '/api/recharge', { as: customer, body: { amount: 50 } })
  const { message } = (await refused.json()) as { message: string }
  await keepSession(page, customer)
  await page.goto('/user/finance')
  troubles.expect(/^4\d\d POST \/api\/recharge$/)
  await page.getByLabel('Recharge amount').fill('60')
  await page.getByRole('button', { name: 'Request' }).click()
  await expect(alertOf(page, message)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a recharge that somebody else has decided is not decided again', { tag: ['@desktop', '@long'] }, async ({ page, shop }) => {
  const customer = await shop.makeUser()
  const recharge = await shop.requestRecharge(customer, 90)
  await keepSession(page, shop.admin)
  await page.goto('/admin/finance')
  const entry = entryOf(page, 'Wallet Recharge History', recharge.rechargeId)
  await entry.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await shop.decideRecharge(recharge, 'decline')
  await answer(page, 'This has changed since you were asked', 'Go back')
  await expect(toastOf(page, 'Recharge request approved')).toHaveCount(0)
  await expect(entry.getByRole('button', { name: 'Declined' })).toBeDisabled()
  expect(await shop.balanceOf(customer)).toBe(0)
})

test('a toast stays three seconds', { tag: ['@desktop', '@long'] }, async ({ page, shop }) => {
  await keepSession(page, shop.admin)
  await page.clock.install({ time: '2026-01-05T10:00:00Z' })
  await page.goto('/info')
  const save = page.getByRole('button', { name: 'Save notice' })
  await expect(save).toBeVisible()
  await stopClock(page, '2026-01-05T11:00:00Z')
  await save.click()
  const toast = toastOf(page, 'Notice message updated successfully')
  await expect(toast).toBeVisible()
  await page.clock.runFor(2_900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toHaveCount(0)
})

test('too little money buys nothing, and like the top-up link leads to the wallet after two seconds', { tag: '@long' }, async ({
  page,
  shop,
}) => {
  const customer = await shop.makeUser({ balance: 5 })
  await keepSession(page, customer)
  await page.clock.install({ time: '2026-01-05T10:00:00Z' })
  const ways: [string, () => Promise<void>][] = [
    ['Please complete the topup before you order', () => page.getByRole('button', { name: 'Topup your wallet here' }).click()],
    [
      'Insufficient balance. Please top up your wallet.',
      async () => {
        await page.getByRole('button', { name: 'Pay with wallet' }).click()
        await expect(page.getByRole('alertdialog')).toHaveCount(0)
      },
    ],
  ]
  for (const [index, [message, leave]] of ways.entries()) {
    await openStore(page)
    await fillBuyPage(page)
    await stopClock(page, `2026-01-05T1${index + 1}:00:00Z`)
    await leave()
    await expect(page.getByText(message).first()).toBeVisible()
    await page.clock.runFor(1_900)
    expect(new URL(page.url()).pathname).toBe('/store')
    await page.clock.runFor(200)
    await expect(page).toHaveURL('/user/finance')
    await page.clock.resume()
  }
  await expect(shownBalance(page)).toContainText('¢5.00')
  expect(await shop.ordersOf(customer)).toEqual([])
  expect(await shop.balanceOf(customer)).toBe(5)
})

test('a login and a cart that is paid lead on after two seconds, and what the BUY PAGE bought stays until it is closed', {
  tag: ['@desktop', '@long'],
}, async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 20 })
  await page.clock.install({ time: '2026-01-05T10:00:00Z' })
  await page.goto('/login')
  await page.getByLabel('Phone number').fill(customer.phone)
  // The first toast brings its code along.
  troubles.expect(/^401 POST \/api\/user\/login$/)
  await page.getByLabel('Password', { exact: true }).fill('a wrong password')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(alertOf(page, /password/)).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await stopClock(page, '2026-01-05T11:00:00Z')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(toastOf(page, `Welcome back, ${customer.username}`)).toBeVisible()
  await page.clock.runFor(1_900)
  expect(new URL(page.url()).pathname).toBe('/login')
  await page.clock.runFor(200)
  await expect(page).toHaveURL('/store')

  await page.clock.resume()
  await page.getByRole('button', { name: 'I understand' }).click()
  const dialog = await fillBuyPage(page)
  await stopClock(page, '2026-01-05T12:00:00Z')
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answerWithStoppedClock(page, 'Are you sure you want to proceed to checkout now?')
  await expect(placedSheet(page)).toContainText('Your order is placed successfully')
  await page.clock.runFor(10_000)
  await expect(placedSheet(page)).toContainText('Your order is placed successfully')
  await placedSheet(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL('/store')

  await page.clock.resume()
  // Another number: the same bundle is still on its way to the first.
  await putIntoCart(page, { phoneNumber: '0241234567' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' }).click()
  await page.getByRole('button', { name: 'Checkout with wallet' }).click()
  await stopClock(page, '2026-01-05T13:00:00Z')
  await answerWithStoppedClock(page, 'Are you sure you want to proceed to checkout now?')
  await expect(placedSheet(page)).toContainText('Orders placed successfully')
  await page.clock.runFor(1_900)
  expect(new URL(page.url()).pathname).toBe('/cart')
  await page.clock.runFor(200)
  await expect(page).toHaveURL('/user/history')
})

test('a shelf without products says how to fill it', { tag: '@desktop' }, async ({ page, shop }) => {
  await keepSession(page, shop.admin)
  await page.route('**/api/product', (route) => route.fulfill({ json: [] }))
  await page.goto('/admin/products')
  await expect(page.getByText('No products available, use the button above')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add New Product' })).toBeVisible()
})

import type { Locator, Page } from '@playwright/test'
import { PASSWORD } from './open-shop.ts'
import { entriesOf, expect, firstTile, keepSession, openAccountMenu, openStore, test } from './shop.ts'

// A dialog's code is fetched when it is opened; without a connection that is said, and the page stays as it is.

test('Become Agent without a connection says so, and opens once there is one', { tag: '@long' }, async ({ page, shop, troubles }) => {
  await keepSession(page, await shop.makeUser({ balance: 10 }))
  await openStore(page)
  await openAccountMenu(page)
  troubles.expect(/ERR_INTERNET_DISCONNECTED|failed GET/)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Become Agent' }).click()
  await expect(notOpened(page)).toBeVisible()
  await expect(firstTile(page, 'MTN')).toBeVisible()
  const tryAgain = notOpened(page).getByRole('button', { name: 'Try again' })
  await Promise.all([page.waitForEvent('requestfailed'), tryAgain.click()])
  // Only then has the second try been given up, too: what goes on until the connection is back opens by itself.
  await expect(tryAgain).toBeEnabled()

  await page.context().setOffline(false)
  await tryAgain.click()
  await expect(page.getByRole('dialog', { name: 'Become Agent' })).toBeVisible()
  await expect(notOpened(page)).toHaveCount(0)
})

test('a product chosen without a connection opens once there is one, or is let go', { tag: '@long' }, async ({ page, troubles }) => {
  await page.goto('/store')
  await page.waitForLoadState('networkidle')
  troubles.expect(/ERR_INTERNET_DISCONNECTED|failed GET/)
  await page.context().setOffline(true)
  await firstTile(page, 'MTN').click()
  await notOpened(page).getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL('/store')
  await expect(notOpened(page)).toHaveCount(0)

  await firstTile(page, 'Telecel').click()
  await expect(notOpened(page)).toBeVisible()
  await page.context().setOffline(false)
  await notOpened(page).getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'Buy Telecel' })).toBeVisible()
})

test('an order without a connection says so, and opens by itself once there is one', async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 10 })
  await shop.buy(customer, [{}])
  await keepSession(page, customer)
  await page.goto('/user/history')
  await expect(entriesOf(page, 'My Transactions')).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  troubles.expect(/ERR_INTERNET_DISCONNECTED|failed GET|Failed to fetch/)
  await page.context().setOffline(true)
  await entriesOf(page, 'My Transactions').getByRole('link').first().click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
})

test('a product chosen after the shop was renewed opens with the new version', { tag: '@long' }, async ({ page, troubles }) => {
  await page.goto('/store')
  await page.waitForLoadState('networkidle')
  troubles.expect(/^404 GET \/assets\//)
  await page.route('**/assets/*', (route) => route.fulfill({ status: 404, json: {} }))
  await firstTile(page, 'Telecel').click()
  await expect(notOpened(page)).toBeVisible()
  await page.unrouteAll()
  await notOpened(page).getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'Buy Telecel' })).toBeVisible()
})

test('a page that lost the line before it could listen follows the shop once it is back', async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 10 })
  await keepSession(page, customer)
  troubles.expect(/ERR_FAILED|failed GET/)
  let isLost = true
  await page.route('**/assets/*.js', async (route) => {
    const reply = await route.fetch()
    return isLost && (await reply.text()).includes('productsUpdated') ? route.abort() : route.fulfill({ response: reply })
  })
  const lost = page.waitForEvent('requestfailed')
  await openStore(page)
  await lost
  await shop.call('PUT', '/user/balance', { as: shop.admin, body: { chosenId: customer._id, amount: 5 } })
  isLost = false
  await expect(page.getByRole('banner')).toContainText('15.00')
  await shop.call('PUT', '/user/balance', { as: shop.admin, body: { chosenId: customer._id, amount: 7 } })
  await expect(page.getByRole('banner')).toContainText('22.00')
  // A file that is still on its way would be answered after the page has gone.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a navigation whose code was lost comes by itself', { tag: '@long' }, async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser()
  await page.goto('/login')
  await page.getByLabel('Phone number').fill(customer.phone)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.waitForLoadState('networkidle')
  troubles.expect(/ERR_FAILED|failed GET/)
  let lost = 0
  await page.route('**/*.js', (route) => {
    lost += 1
    return lost > 6 ? route.continue() : route.abort()
  })
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' })).toBeVisible()
  expect(lost).toBeGreaterThan(6)
})

function notOpened(page: Page): Locator {
  return page.getByRole('alert').filter({ hasText: 'We couldn’t open this.' })
}

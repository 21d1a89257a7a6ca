import type { Page } from '@playwright/test'
import type { Order } from '../../shared/orders.ts'
import type { Account, Shop } from './open-shop.ts'
import { answer, booksHold, expect, keepSession, openAccountMenu, test, toastOf } from './shop.ts'

test.use({
  // What the shop takes minutes for by itself is done in seconds.
  shopSettings: { JOB_TIMINGS: 'quick', SUPPLIER_CALLS_PER_MINUTE: '600' },
  permissions: ['clipboard-read', 'clipboard-write'],
})

/** A number that the supplier of AirtelTigo refuses for good. */
const BARRED = '0270000001'
const LIST = [
  'Name\tNumber\tBundle',
  ...Array.from({ length: 30 }, (_, index) => `Kofi ${index}\t+233 24 555 ${2000 + index}\t${[1, 2, 5][index % 3]}GB`),
  `Esi\t${BARRED}\t1GB`,
  'Yaw\t0205550118\t5 gig',
].join('\n')

for (const [device, viewport] of [
  ['phone', { width: 360, height: 780 }],
  ['laptop', { width: 1440, height: 900 }],
] as const)
  test(`an agent’s day at a ${device}: they become one, send a list, sell in a shop of their own, buy by a key, invite, and withdraw what they earned`, {
    tag: '@long',
  }, async ({ page, browserOf, shop }) => {
    test.setTimeout(15 * 60_000)
    page.setDefaultTimeout(30_000)
    await page.setViewportSize(viewport)
    await openForAgents(shop)
    const agent = await shop.makeUser({ balance: 500 })

    await test.step('a customer becomes an agent by card', async () => {
      await keepSession(page, agent)
      await page.goto('/user/history')
      await openAccountMenu(page)
      await page.getByRole('button', { name: 'Become Agent' }).click()
      await page.getByRole('dialog', { name: 'Become Agent' }).getByRole('button', { name: /^Pay/ }).click()
      await payInPopUp(page)
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Bulk/ })).toBeVisible()
    })

    await test.step('a sheet’s columns are pasted, checked and paid for; the refused line is refunded and goes again once', async () => {
      await page.goto('/agent')
      await page.evaluate((list) => navigator.clipboard.writeText(list), LIST)
      await page.getByRole('button', { name: 'Paste' }).click()
      await page.getByRole('button', { name: /^Pay for 32/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
      await expect(page.getByText(/^31 of 32 completed$/)).toBeVisible({ timeout: 180_000 })
      const refused = (await shop.ordersOf(agent)).find(({ receiver }) => receiver === BARRED) as Order
      await shop.decide(refused, 'rejected')
      await expect(page.getByRole('button', { name: 'Try 1 again' })).toBeVisible()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV' }).click()
      expect((await download).suggestedFilename()).toMatch(/\.csv$/)
      await letThrough(shop)
      await page.getByRole('button', { name: 'Try 1 again' }).click()
      await page.getByRole('button', { name: /^Pay for 1 line/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
      await expect(page.getByText('1 of 1 completed')).toBeVisible({ timeout: 180_000 })
      await noSidewaysScroll(page)
    })

    const slug = `day-${device}`
    await test.step('a shop is opened and priced; two guests buy, one gets the data and one the money back', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My shop' }).click()
      await page.getByLabel('Shop name').fill('Akosua Data')
      await page.getByRole('textbox', { name: 'Link' }).fill(slug)
      await page.getByRole('button', { name: 'Open my shop' }).click()
      await page.getByRole('button', { name: '+¢0.50 each' }).click()
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await expect(toastOf(page, 'Saved. Guests see it now.')).toBeVisible()
      await noSidewaysScroll(page)
      const happy = await buyAsGuest(await guestOf(browserOf, viewport), slug, '0245550142')
      await expect(happy.getByText('completed').first()).toBeVisible({ timeout: 120_000 })
      await barAgain(shop)
      const unlucky = await buyAsGuest(await guestOf(browserOf, viewport), slug, BARRED, 'airteltigo')
      const sold = await shop.call<Order[]>('GET', `/order/allorders?search=${BARRED}&page=1`, { as: shop.admin })
      await shop.decide(sold.find(({ status }) => status === 'pending') as Order, 'rejected')
      await unlucky.reload()
      await expect(unlucky.getByText('rejected').first()).toBeVisible()
    })

    await test.step('Today and Sales say what was sold, and what is theirs', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
      await expect(page.getByText('2 shop orders')).toBeVisible()
      await expect(page.getByText('1 completed, 0 pending')).toBeVisible()
      await page.getByRole('link', { name: 'All', exact: true }).click()
      await expect(page.getByText('yours', { exact: true })).toBeVisible()
      await expect(page.getByText('none', { exact: true })).toBeVisible()
      await noSidewaysScroll(page)
    })

    await test.step('a till buys by a key', async () => {
      await page.goto('/agent/api')
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Till')
      await page.getByRole('button', { name: 'Make the key' }).click()
      const secret = (await page.locator('code').first().textContent()) ?? ''
      const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': `day-${device}` }
      const { packages } = await shop.findProduct('MTN')
      const price = packages.find(({ offer }) => offer === '1GB')?.priceAgent ?? 0
      const data = { network: 'MTN', offer: '1GB', receiver: '0244123456', expected_price: price.toFixed(2) }
      for (let times = 0; times < 2; times++)
        expect((await page.request.post('/v1/orders', { headers, data })).status(), 'the same order twice').toBeLessThan(300)
      expect((await shop.ordersOf(agent)).filter(({ receiver }) => receiver === '0244123456')).toHaveLength(1)
      await noSidewaysScroll(page)
    })

    await test.step('a customer comes by the agent’s link', async () => {
      await page.goto('/agent/invite')
      await page.getByRole('button', { name: 'Get my link' }).click()
      const link = await page
        .getByText(/\/register\?by=/)
        .first()
        .textContent()
      const invited = await guestOf(browserOf, viewport)
      const { username, phone, email } = shop.newPerson()
      await invited.goto(new URL(link?.replace(/^(?!http)/, 'http://') ?? '').href)
      const field = (name: string) => invited.getByLabel(name, { exact: true })
      await field('Username').fill(username)
      await field('Phone number').pressSequentially(phone)
      await field('Email').fill(email)
      for (const name of ['Password', 'Confirm password']) await field(name).fill('a good password')
      await invited.getByRole('button', { name: 'Register' }).click()
      await expect(invited).toHaveURL('/store')
      await page.reload()
      await expect(page.getByText('of ¢', { exact: false }).first()).toBeVisible()
      await noSidewaysScroll(page)
    })

    await test.step('what was earned is withdrawn, approved, and paid once', async () => {
      await page.goto('/agent/earnings')
      await page
        .getByRole('link', { name: /^Withdraw/ })
        .first()
        .click()
      await page.getByLabel('Mobile money number').fill('0245550100')
      await page.getByLabel('Name on that number').fill('Akosua Frimpong')
      await page.getByRole('button', { name: /^All/ }).click()
      await page.getByRole('button', { name: /^Withdraw/ }).click()
      await answer(page, /^Send ¢/)
      await page.getByRole('dialog', { name: 'Type the code' }).getByRole('button', { name: 'Go on without a code' }).click()
      const row = page.getByRole('listitem').filter({ hasText: 'to 024 555 0100' }).first()
      await expect(row).toContainText('Waiting for approval')
      const owner = await browserOf(shop.admin)
      owner.setDefaultTimeout(30_000)
      await owner.setViewportSize(viewport)
      await owner.goto('/admin/finance/withdrawals')
      const card = owner.getByRole('region', { name: /to 024 555 0100$/ })
      await card.getByRole('button', { name: 'Send', exact: true }).click()
      await owner.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
      await expect(row).toContainText('Paid', { timeout: 120_000 })
      await noSidewaysScroll(page)
    })

    await booksHold(shop)
  })

async function openForAgents(shop: Shop) {
  const as = shop.admin
  await shop.call('PUT', '/agent-shops/rules', { as, body: { newShops: true } })
  await shop.call('PUT', '/withdrawals/rules', { as, body: { enabled: true, minimum: 1, fee: 0, holdNights: 0 } })
  await shop.call('PUT', '/referrals/rules', { as, body: { enabled: true } })
  await shop.call('PUT', '/admin/settings', {
    as,
    body: { routes: { MTN: 'hubnet', AirtelTigo: 'hubnet', Telecel: 'remadata' }, completeDelivered: true },
  })
  for (const supplier of ['hubnet', 'remadata'])
    await shop.call('PATCH', `/sandbox/supplier/${supplier}/settings`, { body: { callsPerMinute: null, deliversAfterMs: 200 } })
  await barAgain(shop)
}

const barAgain = (shop: Shop) =>
  shop.call('POST', '/sandbox/supplier/hubnet/faults', {
    body: { call: 'order', kind: 'refuse', cause: 'refused', phone: BARRED, times: 50 },
  })
const letThrough = (shop: Shop) => shop.call('DELETE', '/sandbox/supplier/hubnet/faults')

async function payInPopUp(page: Page) {
  await page
    .getByTitle('Card payment')
    .contentFrame()
    .getByRole('button', { name: /^Pay .* by card$/ })
    .click()
}

async function guestOf(browserOf: (account: Account | null) => Promise<Page>, viewport: { width: number; height: number }) {
  const guest = await browserOf(null)
  guest.setDefaultTimeout(30_000)
  await guest.setViewportSize(viewport)
  return guest
}

/** Returns the page once it shows where the order is. */
async function buyAsGuest(guest: Page, slug: string, receiver: string, network = 'mtn'): Promise<Page> {
  await guest.goto(`/s/${slug}`)
  await guest.locator(`#${network}`).getByRole('button').first().click()
  const sheet = guest.getByRole('dialog')
  await sheet.getByLabel('Who gets the data?').pressSequentially(receiver)
  await sheet.getByRole('button', { name: /^Pay with mobile money or card/ }).click()
  await payInPopUp(guest)
  await guest.getByRole('link', { name: /^Follow order/ }).click()
  await expect(guest).toHaveURL(/\/t\//)
  return guest
}

async function noSidewaysScroll(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
}

import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'

import { openShopOf } from './earning-shop.ts'
import { findMisfits, LOOKS, type Look, lookAt } from './find-misfits.ts'
import type { Account, Shop } from './open-shop.ts'
import { expect, keepSession, test } from './shop.ts'

// Every screen at every look: `npm run test:letters`. What sells is looked at in `npm test` too, at the narrowest with the largest letters.
// A part of it: LOOK='320 px' SCREEN=orders npm run test:letters -- -g portal

type Screen = { name: string; path: string; open?: (page: Page) => Promise<void> }

const LIST = [
  'Kofi Mensah, 024 555 1000, 1GB',
  'Esi, 0245551001 2GB',
  '0555551002 5GB',
  '+233 24 555 1003 10GB',
  '024555013 5GB',
  '0595550103 2',
  '0245551001 2GB',
  '0205550118 5 gig',
].join('\n')

const HARDEST = LOOKS.filter(({ name }) => name === '320 px, letters of twice the size')

test('the screens that sell show every number at 320 px with letters of twice the size', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 12_345.67 })
  const [order] = await shop.buy(customer, [{ phoneNumber: '0271234567', network: 'AirtelTigo' }, {}])
  await keepSession(page, customer)
  await closeNotice(page)
  await walk(
    page,
    forCustomers(order?.number ?? '').filter(({ name }) => ['the BUY PAGE', 'My Transactions', 'the wallet', 'an order'].includes(name)),
    HARDEST,
  )
})

test('every visitor’s and guest’s screen fits every phone and letters of twice the size', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  test.setTimeout(15 * 60_000)
  troubles.allow(/^404 GET \/no-such-page$/)
  const agent = await shop.makeUser({ level: 'Agent', balance: 500 })
  await openAgentShop(shop, agent, 'madina')
  await page.goto('/')
  await walk(page, [
    { name: 'home', path: '/' },
    { name: 'the store', path: '/store' },
    { name: 'sign in', path: '/login' },
    { name: 'forgotten password', path: '/login', open: (at) => press(at, 'Forgot your password?') },
    { name: 'register', path: '/register' },
    { name: 'register with all that is wrong', path: '/register', open: (at) => press(at, 'Register') },
    { name: 'reset password', path: '/reset-password/a-token' },
    { name: 'track', path: '/track' },
    { name: 'no such page', path: '/no-such-page' },
    { name: 'the invitation to sign in', path: '/store', open: (at) => at.locator('#mtn').getByRole('button').first().click() },
    { name: 'an agent’s shop', path: '/s/madina' },
    { name: 'what a guest pays', path: '/s/madina', open: openGuestSheet },
  ])
})

test('every customer’s screen fits every phone and letters of twice the size', { tag: '@long' }, async ({ page, shop }) => {
  test.setTimeout(15 * 60_000)
  const customer = await shop.makeUser({ balance: 12_345.67 })
  const orders = await shop.buy(customer, [
    { network: 'AirtelTigo', phoneNumber: '0271234567' },
    { offer: '10GB' },
    { network: 'Telecel', offer: '5GB', phoneNumber: '0201234567' },
    { network: 'AFA', offer: 'AFA registration' },
  ])
  await shop.decide(orders[0] as (typeof orders)[0], 'completed')
  await shop.decide(orders[2] as (typeof orders)[0], 'rejected')
  await shop.decideRecharge(await shop.requestRecharge(customer, 1250.5), 'approve')
  await shop.requestRecharge(customer, 50)
  await keepSession(page, customer)
  await walk(page, [{ name: 'the notice', path: '/store' }])
  await closeNotice(page)
  await walk(page, [
    ...forCustomers(orders[0]?.number ?? ''),
    { name: 'an order that was refunded', path: `/order/${orders[2]?.number}` },
    { name: 'an AFA order', path: `/order/${orders[3]?.number}` },
    { name: 'the agents’ offer', path: '/user/history', open: openBecomeAgent },
  ])
})

test('every agent’s screen fits every phone and letters of twice the size', { tag: '@long' }, async ({ page, shop }) => {
  test.setTimeout(15 * 60_000)
  const agent = await shop.makeUser({ level: 'Agent', balance: 12_345.67 })
  await openAgentShop(shop, agent, null)
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true, subAgents: true } })
  await shop.call('POST', '/my-shop/sub-agent-invitations', { as: agent, body: {} })
  await shop.call('POST', '/referrals/link', { as: agent, body: {} }).catch(() => undefined)
  await shop.buy(agent, [{ phoneNumber: '0271234567', network: 'AirtelTigo' }, {}])
  await keepSession(page, agent)
  await closeNotice(page)
  await walk(page, [
    { name: 'today', path: '/agent' },
    { name: 'a list', path: '/agent/bulk', open: (at) => at.getByLabel('One number a line').fill(LIST) },
    { name: 'a list to check', path: '/agent/bulk/check', open: async (at) => expect(at.getByRole('heading', { level: 1 })).toBeVisible() },
  ])
  await page.goto('/agent/bulk/check')
  await page.evaluate(
    (list) => localStorage.setItem('bulkDraft', JSON.stringify({ text: list, decisions: {} })),
    LIST.split('\n').slice(0, 4).join('\n'),
  )
  await page.goto('/agent/bulk/check')
  await page.getByRole('button', { name: /^Pay for 4/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
  await expect(page).toHaveURL(/\/agent\/bulk\/sent\//)
  const sent = new URL(page.url()).pathname
  await walk(page, [
    { name: 'a list that was sent', path: sent },
    { name: 'past lists', path: '/agent/bulk/past' },
    { name: 'a new group', path: '/agent/bulk/groups/new' },
    { name: 'my shop', path: '/agent/shop' },
    { name: 'sales', path: '/agent/shop/sales' },
    { name: 'price list', path: '/agent/shop/price-list' },
    { name: 'sub-agents', path: '/agent/sub-agents' },
    { name: 'earnings', path: '/agent/earnings' },
    { name: 'withdraw', path: '/agent/earnings/withdraw' },
    { name: 'invite', path: '/agent/invite' },
    { name: 'API', path: '/agent/api' },
    { name: 'an agent’s account', path: '/user/account' },
  ])
})

test('every screen of the portal fits every phone and letters of twice the size', { tag: '@long' }, async ({ page, shop }) => {
  test.setTimeout(20 * 60_000)
  const customer = await shop.makeUser({ balance: 12_345.67 })
  const orders = await shop.buy(customer, [
    { phoneNumber: '0241234567' },
    { offer: '10GB', phoneNumber: '0559876543' },
    { network: 'AirtelTigo', phoneNumber: '0271234567' },
    { network: 'AFA', offer: 'AFA registration' },
    { network: 'Telecel', offer: '5GB', phoneNumber: '0201234567' },
  ])
  await shop.decide(orders[4] as (typeof orders)[0], 'rejected')
  const asked = await shop.requestRecharge(customer, 1250.5)
  await shop.call('POST', '/received-payment/messages', {
    as: shop.admin,
    body: {
      text: [8138, 8139]
        .map(
          (end) =>
            `Payment received for GHS ${end === 8138 ? '1,250.50' : '45.00'} from AMA SAMPLE. Reference: ${end === 8138 ? asked.rechargeId : 'data'}. Transaction ID: 8372429${end}.`,
        )
        .join('\n'),
    },
  })
  await openAgentShop(shop, await shop.makeUser({ level: 'Agent' }), 'portal')
  await expect
    .poll(async () => (await shop.call<{ ordersToRelay: number }>('GET', '/admin/jobs', { as: shop.admin })).ordersToRelay)
    .toBe(0)
  const ids = orders.slice(0, 2).map(({ _id }) => _id)
  const batch = await shop
    .call<{ batch: { number: number } }>('POST', '/admin/batches', {
      as: shop.admin,
      body: { key: randomUUID(), network: 'MTN', ids },
    })
    .catch((error) => console.log(String(error)))
  await keepSession(page, shop.admin)
  const main = [
    '/admin/inbox',
    '/admin/more',
    '/admin/stats',
    '/admin/orders',
    `/admin/orders/${orders[0]?.number}`,
    `/admin/orders/${orders[4]?.number}`,
    '/admin/batches',
    `/admin/batches/${batch?.batch.number}`,
    `/admin/batches/${batch?.batch.number}`,
    '/admin/afa',
    '/admin/finance',
    '/admin/finance/match',
    '/admin/finance/phones',
    '/admin/finance/phones/forms',
    '/admin/finance/held',
    '/admin/finance/refunds',
    '/admin/finance/withdrawals',
    '/admin/products',
    '/admin/customers',
    `/admin/customers/${customer._id}`,
    '/admin/customers/all',
    '/admin/day-close',
    '/admin/insight',
    '/admin/suppliers',
    '/admin/checkers',
    '/admin/reports',
    '/admin/shops',
    '/admin/settings',
    '/admin/staff',
    '/admin/approvals',
    '/admin/code',
    '/admin/activity',
    '/admin/work',
    '/admin/books',
    '/info',
  ]

  await walk(
    page,
    main.map((path) => ({ name: path, path })),
  )
})

function forCustomers(number: string): Screen[] {
  return [
    { name: 'the store, signed in', path: '/store' },
    { name: 'the BUY PAGE', path: '/store', open: openBuyPage },
    { name: 'My Transactions', path: '/user/history' },
    { name: 'the wallet', path: '/user/finance' },
    { name: 'the wallet with an amount', path: '/user/finance', open: (at) => at.getByLabel('Recharge amount').fill('1250.50') },
    { name: 'the account', path: '/user/account' },
    { name: 'an order', path: `/order/${number}` },
    { name: 'a receipt', path: `/receipt/${number}` },
    { name: 'the cart', path: '/cart', open: fillCart },
    { name: 'the account menu', path: '/store', open: (at) => press(at, 'Account') },
    { name: 'home, signed in', path: '/' },
  ]
}

/** Opens each screen once and looks at it in each way; all that is wrong is told at the end. */
async function walk(
  page: Page,
  screens: readonly Screen[],
  looks: readonly Look[] = LOOKS.filter(({ name }) => new RegExp(process.env.LOOK ?? '').test(name)),
) {
  const found: string[] = []
  for (const { name, path, open } of screens.filter(({ name }) => new RegExp(process.env.SCREEN ?? '').test(name))) {
    await lookAt(page, { width: 360, height: 740 })
    await page.goto(path, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    await expect(page.locator('main, [role="main"]').first()).toBeVisible()
    await expect(page.getByText('Loading…')).toHaveCount(0)
    await open?.(page)
    for (const look of looks) {
      await lookAt(page, look)
      const misfits = await findSettledMisfits(page)
      found.push(...misfits.map((one) => `${name}, ${look.name}: ${one}`))
      const pictures = process.env.PICTURES
      if (pictures && (misfits.length > 0 || process.env.PICTURES_OF === 'all'))
        await page.screenshot({
          path: `${pictures}/${name}-${look.name}.png`.replaceAll(/[ ,]+/g, '-').replace(/(?<=\/[^/]*)\/(?=admin|info)/g, ''),
          fullPage: look.height > 400,
        })
    }
  }
  expect.soft(found).toEqual([])
}

/** Lists whose rows are placed by script are so a moment after their letters have changed. */
async function findSettledMisfits(page: Page): Promise<string[]> {
  let misfits = await findMisfits(page)
  for (let attempt = 0; attempt < 3 && misfits.length > 0; attempt++) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))))
    misfits = await findMisfits(page)
  }
  return misfits
}

async function closeNotice(page: Page) {
  await page.goto('/store')
  await page.getByRole('button', { name: 'I understand' }).click()
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function openBuyPage(page: Page) {
  await page.locator('#mtn').getByRole('listitem').first().getByRole('button').click()
  await page.getByRole('dialog', { name: 'BUY PAGE' }).getByLabel('Receiver phone number').fill('0271234567')
}

async function fillCart(page: Page) {
  await page.goto('/store')
  await openBuyPage(page)
  await page.getByRole('dialog', { name: 'BUY PAGE' }).getByRole('button', { name: 'Add to cart' }).click()
  await page.goto('/cart')
  await expect(page.getByText(/^Subtotal/)).toBeVisible()
}

async function openGuestSheet(page: Page) {
  await page.locator('#mtn').getByRole('button').first().click()
  await page.getByRole('dialog').getByLabel('Who gets the data?').fill('0245550142')
}

async function openBecomeAgent(page: Page) {
  await press(page, 'Account')
  await press(page, 'Become Agent')
  await expect(page.getByRole('dialog', { name: 'Become Agent' })).toBeVisible()
}

async function openAgentShop(shop: Shop, agent: Account, slug: string | null) {
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
  if (slug === null) return openShopOf(shop, agent._id, 412_80)
  const look = { name: 'Akosua Data', about: 'Madina', colour: 'plum', phone: '0245550100', whatsapp: '0245550100' }
  await shop.call('POST', '/my-shop', { as: agent, body: { ...look, slug } })
}

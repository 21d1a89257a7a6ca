import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { PackageCost } from '../../shared/costs.ts'
import type { Order } from '../../shared/orders.ts'
import type { Product } from '../../shared/products.ts'
import type { ProfitReply } from '../../shared/profit.ts'
import type { Recharge } from '../../shared/recharges.ts'
import { type Account, type Line, PASSWORD, type Shop } from './open-shop.ts'
import { booksHold, expect, keepSession, test, toastOf } from './shop.ts'

// What the shop takes minutes for by itself is done in seconds.
test.use({
  shopSettings: { JOB_TIMINGS: 'quick', SUPPLIER_CALLS_PER_MINUTE: '600' },
  contextOptions: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' },
})

const AGENTS = 40
const TOP_UP = 400
const ORDERS = 300
/** What the shop pays, of what an agent does. */
const COST_SHARE = 0.9
/** Pesewas, of a code in the sample's stock of checkers. */
const SAMPLE_CODE_COST = 1_500
/** Numbers that the supplier of AirtelTigo refuses for good. */
const BARRED = ['0270000001', '0270000002', '0270000003']

const PHONE = { width: 390, height: 844 }
const LAPTOP = { width: 1440, height: 900 }

type Payer = { user: Account; recharge: Recharge }

// The owner at one size, the second admin and the helper at the other.
for (const [device, own, others] of [
  ['phone', PHONE, LAPTOP],
  ['laptop', LAPTOP, PHONE],
] as const)
  test(`an owner’s day at a ${device}: 300 orders, a second admin, a helper, suppliers that fail and 60 messages end with every order decided and every cedi explained`, {
    tag: '@long',
  }, async ({ page, browserOf, shop }) => {
    test.setTimeout(20 * 60_000)
    await page.setViewportSize(own)
    const hubnet = (method: string, path: string, body?: object) => shop.call(method, `/sandbox/supplier/hubnet/${path}`, body && { body })
    const remadata = (method: string, path: string, body?: object) =>
      shop.call(method, `/sandbox/supplier/remadata/${path}`, body && { body })
    await test.step('before opening: costs, routes, a helper for the orders and one for the money', async () => {
      await setCosts(shop)
      const routes = { MTN: 'by-hand', AirtelTigo: 'hubnet', Telecel: 'remadata' }
      await shop.call('PUT', '/admin/settings', { as: shop.admin, body: { routes, smsDailyCap: 5_000, completeDelivered: false } })
      // The sample's stock of checkers is small, and is no work of this day.
      const bece = { name: 'BECE', portal: 'https://eresults.waecgh.org', lowStock: 0 }
      await shop.call('PUT', '/admin/checkers/kinds/bece', { as: shop.admin, body: bece })
      for (const supplier of [hubnet, remadata]) await supplier('PATCH', 'settings', { callsPerMinute: null, deliversAfterMs: 200 })
      for (const phone of BARRED) await hubnet('POST', 'faults', { call: 'order', kind: 'refuse', cause: 'refused', phone, times: 50 })
      await remadata('POST', 'faults', { call: 'order', kind: 'refuse', cause: 'no-money', times: 10_000 })
    })
    const orderHelper = await hire(shop, ['orders'])
    const partner = await browserOf(await hire(shop, ['owner']))
    partner.setDefaultTimeout(60_000)
    await partner.setViewportSize(others)
    const payers = await askForMoney(shop)
    const { messages, expected } = composeMessages(payers)

    await test.step('at opening: sixty messages are pasted, and what is certain is approved in two taps', async () => {
      page.setDefaultTimeout(60_000)
      await keepSession(page, shop.admin)
      await page.goto('/admin/finance/match')
      await page.getByRole('textbox', { name: 'Paste payment messages' }).fill(messages.join('\n'))
      await page.getByRole('button', { name: 'Read messages' }).click()
      await expect(page.getByText(/^Read 60:/)).toContainText(`${expected.certain} certain`)
      await expect(page.getByText(/^Read 60:/)).toContainText(`${expected.notCounted} not counted`)
      await page
        .getByRole('region', { name: 'Next' })
        .getByRole('button', { name: /^Approve/ })
        .click()
      await yes(page)
      await expect(toastOf(page, `${expected.certain} recharge requests approved`)).toBeVisible()
      const [takenBack] = payers.slice(-1)
      const reversed = page.getByRole('article', { name: `${takenBack?.user.username}, ¢${TOP_UP}.00` })
      await expect(reversed).toContainText('A later message says that this money was taken back.')
      await reversed.getByRole('button', { name: 'Decline' }).click()
      await yes(page)
      await reversed.getByRole('button', { name: 'Not this one' }).click()
      const unmatched = page.getByRole('region', { name: 'Unmatched' }).getByRole('article')
      await unmatched.getByRole('button', { name: 'Dismiss' }).click()
      await expect(unmatched).toHaveCount(0)
      for (let left = expected.short; left > 0; left--) {
        await page
          .getByRole('button', { name: /^Credit ¢/ })
          .first()
          .click()
        await yes(page)
        await expect(page.getByRole('button', { name: /^Credit ¢/ })).toHaveCount(left - 1)
      }
      const balances = await Promise.all(payers.map(({ user }) => shop.balanceOf(user)))
      expect(sum(balances)).toBe(expected.credited)
    })

    const orders = await test.step('all morning: 300 orders come in on all networks', () => placeOrders(shop, payers))
    const sold = sum(orders.map(({ totalAmount }) => Math.round(totalAmount * 100)))

    await test.step('a supplier is out of money: the banner says so, and after a top-up one press sends what waited', async () => {
      await page.goto('/admin')
      const banner = page.getByRole('region', { name: 'Suppliers' })
      await expect(banner).toContainText('Your RemaData balance is finished.', { timeout: 120_000 })
      // Until somebody presses the button, however long that takes.
      await shop.sql(`update supplier_health set paused_until = now() + interval '1 hour' where supplier = 'remadata'`)
      await page.goto('/admin/suppliers')
      const tryNow = page.getByRole('region', { name: 'Next' }).getByRole('button', { name: 'Try now' })
      await expect(tryNow).toBeEnabled()
      await remadata('DELETE', 'faults')
      await tryNow.click()
      await expect(page.getByRole('region', { name: 'Next' })).toContainText('No orders held', { timeout: 240_000 })
    })

    await test.step('MTN goes to the portal as a batch, and its answer is pasted', async () => {
      await page.goto('/admin')
      const byHand = page.getByRole('article').filter({ hasText: /MTN orders by hand/ })
      await byHand.getByRole('button', { name: 'Make batch' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Batch \d+$/)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'XLSX' }).click()
      expect((await download).suggestedFilename()).toMatch(/\.xlsx$/)
      const mtn = orders.filter(({ network }) => network === 'MTN')
      const lines = mtn.map(({ receiver, offer }, index) => `${receiver} ${offer} ${index < 4 ? 'FAILED barred' : 'SUCCESSFUL'}`)
      // Two are not mentioned, and stay.
      await page.getByRole('textbox', { name: 'Results from the portal' }).fill(lines.slice(0, -2).join('\n'))
      await page.getByRole('button', { name: `Complete ${mtn.length - 6}` }).click()
      await yes(page)
      await expect(toastOf(page, `${mtn.length - 6} orders completed`)).toBeVisible({ timeout: 120_000 })
      await page.getByRole('button', { name: 'Refund 4…' }).click()
      await yes(page)
      await expect(toastOf(page, '4 orders refunded')).toBeVisible()
      await page.getByRole('button', { name: 'Release 2' }).click()
      await yes(page)
      await expect(toastOf(page, '2 orders released')).toBeVisible()
    })

    await test.step('what the supplier refused is refunded with a reason, while the second admin confirms what was delivered', async () => {
      await partner.goto('/admin')
      await Promise.all([refundRefused(page), confirmDeliveries(partner, shop)])
    })

    await test.step('a helper processes the rest by hand, and sees no wallets', async () => {
      const helper = await browserOf(orderHelper)
      helper.setDefaultTimeout(60_000)
      await helper.setViewportSize(others)
      await helper.goto('/admin/orders')
      const portal = helper.getByRole('navigation', { name: 'Admin Portal' })
      await expect(portal.getByRole('link', { name: /^Orders/ })).toBeVisible()
      await expect(portal.getByRole('link', { name: /^Money/ })).toHaveCount(0)
      await decideAllByHand(helper)
    })

    await test.step('at closing nothing waits', async () => {
      await page.goto('/admin')
      await expect(page.getByRole('article').or(page.getByText('Nothing waits for you')).first()).toBeVisible()
      // After closing time the shop asks for the day to be closed, and for nothing else.
      for (const section of ['Orders', 'Money', 'People and messages'])
        await expect(page.getByRole('region', { name: section, exact: true })).toHaveCount(0)
      const all = await everyOrder(shop)
      expect(all.filter(({ status }) => status === 'pending')).toEqual([])
      expect(all).toHaveLength(ORDERS)
    })

    await test.step('the day is closed: counted mobile money differs by what was sent without a request, which is explained', async () => {
      await page.goto('/admin/day-close')
      const wallets = page.getByRole('region', { name: 'Customers’ wallets' })
      await expect(wallets.getByRole('row').filter({ hasText: 'Paid for orders' })).toContainText(`${ORDERS} orders`)
      await expect(wallets.getByRole('row').filter({ hasText: 'Refunds' })).toContainText('7 ')
      await page.getByLabel('Mobile money: counted').fill(String(expected.credited))
      await page.getByRole('button', { name: /^Sign off/ }).click()
      await yes(page)
      await expect(toastOf(page, /is signed off\.$/)).toBeVisible()
    })

    await test.step('profit is that of a calculation by hand, and the books balance', async () => {
      const costs = await costOf(shop)
      // A checker costs what its code did, not what the price list says.
      costs.set('WAEC Checkers BECE', SAMPLE_CODE_COST)
      const done = (await everyOrder(shop)).filter(({ status }) => status === 'completed')
      const byHand = sum(
        done.map(({ network, offer, totalAmount }) => Math.round(totalAmount * 100) - (costs.get(`${network} ${offer}`) as number)),
      )
      const today = new Date().toISOString().slice(0, 10)
      const profit = await shop.call<ProfitReply>('GET', `/admin/profit?from=${today}&until=${today}`, { as: shop.admin })
      expect(Math.round(profit.profit * 100)).toBe(byHand)
      expect(profit.total).toMatchObject({ orders: done.length, uncostedOrders: 0 })
      const balances = await Promise.all(payers.map(({ user }) => shop.balanceOf(user)))
      const refunded = sold - sum(done.map(({ totalAmount }) => Math.round(totalAmount * 100)))
      expect(Math.round(sum(balances) * 100)).toBe(expected.credited * 100 - sold + refunded)
      await booksHold(shop)
    })
  })

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

async function yes(page: Page) {
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
}

const productsOf = (shop: Shop) => shop.call<Product[]>('GET', '/product')

/** In pesewas, by network and offer; the same at every supplier. */
async function costOf(shop: Shop): Promise<Map<string, number>> {
  const products = await productsOf(shop)
  return new Map(
    products.flatMap(({ network, packages }) =>
      packages.map(({ offer, priceAgent }) => [`${network} ${offer}`, Math.round(priceAgent * 100 * COST_SHARE)] as const),
    ),
  )
}

async function setCosts(shop: Shop) {
  const costs = await costOf(shop)
  const lines = (await productsOf(shop)).flatMap(({ _id, network, packages }) =>
    packages.flatMap(({ offer }) =>
      (['by-hand', 'hubnet', 'remadata'] as const).map(
        (supplier): Pick<PackageCost, 'productId' | 'offer' | 'supplier' | 'cost'> => ({
          productId: _id,
          offer,
          supplier,
          cost: (costs.get(`${network} ${offer}`) as number) / 100,
        }),
      ),
    ),
  )
  await shop.call('PUT', '/admin/costs', { as: shop.admin, body: { costs: lines } })
}

async function hire(shop: Shop, roles: string[]): Promise<Account> {
  const user = await shop.makeUser({ level: 'Admin' })
  await shop.call('PUT', `/admin/staff/${user._id}`, { as: shop.admin, body: { roles } })
  return shop.call<Account>('POST', '/user/login', { body: { userPhone: user.phone, password: PASSWORD } })
}

async function askForMoney(shop: Shop): Promise<Payer[]> {
  const payers: Payer[] = []
  for (let count = 0; count < AGENTS + 4; count++) {
    const user = await shop.makeUser({ level: 'Agent' })
    payers.push({ user, recharge: await shop.requestRecharge(user, TOP_UP) })
  }
  return payers
}

/** Forty that are right, three that fell short, one that was taken back, and sixteen that must not be counted. */
function composeMessages(payers: readonly Payer[]) {
  let id = randomInt(51_000_000_000, 90_000_000_000)
  const payment = (cedis: number, reference: string) =>
    `Payment received for GHS ${cedis}.00 from AMA SAMPLE. Reference: ${reference}. Transaction ID: ${++id}. TRANSACTION FEE: 0.00`
  const right = payers.slice(0, AGENTS).map(({ recharge }) => payment(TOP_UP, recharge.rechargeId))
  const short = payers.slice(AGENTS, AGENTS + 3).map(({ recharge }) => payment(TOP_UP - 5, recharge.rechargeId))
  const takenBack = payers.slice(AGENTS + 3).map(({ recharge }) => payment(TOP_UP, recharge.rechargeId))
  const reversal = `Reversal of GHS ${TOP_UP}.00 has been made. Transaction ID: ${id + 1}. Original: ${id++}.`
  const repeated = right.slice(0, 5)
  const forged = payers.slice(0, 4).map(({ recharge }) => `From: 0551004417\n${payment(900, recharge.rechargeId)}`)
  const out = [1, 2, 3].map(
    (cedis) =>
      `Payment made for GHS ${cedis}.00 to ADOM ELECTRICALS Current Balance: GHS 102.41 . Available Balance: GHS 102.41. Reference: 1. Transaction ID: ${++id}. Fee charged: GHS0.50 Tax charged: 0.`,
  )
  const failed = [1, 2, 3].map(
    () =>
      `You have exceeded your daily transaction limit. INTEROPERABILITY PULL OVA failed to send GHS 990.00 to your account. Go to my wallet to check your wallet limit. Financial transaction Id: ${++id}. Transaction Fee is 0.`,
  )
  return {
    messages: [...right, ...short, ...takenBack, reversal, ...repeated, ...forged, ...out, ...failed],
    expected: { certain: AGENTS, short: 3, notCounted: 16, credited: AGENTS * TOP_UP + 3 * (TOP_UP - 5) },
  }
}

/** Half of them MTN, a fifth each AirtelTigo and Telecel, and the rest everything else. */
async function placeOrders(shop: Shop, payers: readonly Payer[]): Promise<Order[]> {
  const others: Line[] = [
    { network: 'Airtime', offer: 'MTN GHS 5' },
    { network: 'WAEC Checkers', offer: 'BECE' },
    { network: 'MTN PULSE', offer: 'MashUp GHS 5' },
  ]
  const lines = Array.from({ length: ORDERS }, (_, index): Line => {
    const number = String(1_000_000 + index)
    if (index % 10 < 5) return { network: 'MTN', offer: index % 2 ? '1GB' : '2GB', phoneNumber: `024${number}` }
    if (index % 10 < 7) return { network: 'AirtelTigo', offer: '1GB', phoneNumber: BARRED[(index - 5) / 10] ?? `027${number}` }
    if (index % 10 < 9) return { network: 'Telecel', offer: '5GB', phoneNumber: `020${number}` }
    return others[Math.floor(index / 10) % others.length] as Line
  })
  const perBuyer = Math.ceil(ORDERS / AGENTS)
  const placed: Order[] = []
  for (const [index, { user }] of payers.slice(0, AGENTS).entries()) {
    const own = lines.slice(index * perBuyer, (index + 1) * perBuyer)
    if (own.length > 0) placed.push(...(await shop.buy(user, own)))
  }
  return placed
}

/** Selects what is to be decided, page after page, and processes it together; what is decided keeps its place until the page is opened again. */
async function decideAllByHand(page: Page) {
  for (;;) {
    await page.goto('/admin/orders')
    // A phone has the boxes behind a button.
    const select = page.getByRole('button', { name: 'Select', exact: true })
    const all = page.getByRole('checkbox', { name: /^Select all/ })
    const nothing = page.getByText(/^(?:Nothing to decide|No orders yet)$/)
    await expect(all.or(select).or(nothing).first()).toBeVisible()
    if (await nothing.isVisible()) return
    if (await select.isVisible()) await select.click()
    await all.check()
    await page.getByRole('button', { name: /^Process \d+/ }).click()
    const decided = page.waitForResponse((reply) => /\/api\/order\/(?:decide-many|update-status)/.test(reply.url()))
    await yes(page)
    expect((await decided).status()).toBe(200)
  }
}

async function refundRefused(page: Page) {
  for (let left = BARRED.length; left > 0; left--) {
    await page.goto('/admin')
    const refused = page.getByRole('article').filter({ hasText: /\d+: refused/ })
    await expect(refused).toHaveCount(left)
    await refused.first().getByRole('button', { name: 'Open' }).click()
    await page.getByRole('button', { name: 'Refund…' }).click()
    await page.getByRole('button', { name: 'Number barred' }).click()
    await page.getByRole('button', { name: /^Refund ¢[0-9.]+$/ }).click()
    await yes(page)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
}

/** Completes what the suppliers say is delivered, in the inbox, until they have delivered everything. */
async function confirmDeliveries(page: Page, shop: Shop) {
  const row = page.getByRole('article').filter({ hasText: 'delivered, to confirm' })
  const left = async () =>
    (await everyOrder(shop)).filter(({ status, supplier }) => status === 'pending' && (supplier ?? null) !== null).length
  while ((await left()) > 0) {
    // More are delivered while these are confirmed: look again.
    await page.reload()
    await expect(page.getByRole('article').or(page.getByText('Nothing waits for you')).first()).toBeVisible()
    if (!(await row.first().isVisible())) continue
    const decided = page.waitForResponse((reply) => /\/api\/order\/(?:decide-many|update-status)/.test(reply.url()))
    await row
      .first()
      .getByRole('button', { name: /^Complete/ })
      .click()
    await yes(page)
    expect((await decided).status()).toBe(200)
  }
}

async function everyOrder(shop: Shop): Promise<Order[]> {
  return shop.call<Order[]>('GET', '/order/allorders', { as: shop.admin })
}

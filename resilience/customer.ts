import { setTimeout as wait } from 'node:timers/promises'
import type { Page, Route } from '@playwright/test'
import { until } from '../test/until.ts'
import {
  answerYes,
  type BrowserShop,
  browserMissing,
  fillBuyPage,
  hear,
  openBrowserShop,
  openStore,
  payFromWallet,
  said,
  shownBalance,
} from './browser.ts'
import type { Experiment, Trial } from './experiment.ts'
import { endDatabaseOf } from './leftovers.ts'
import { proveLedger } from './own-database.ts'

/** P. What the customer sees, in a real Chromium: after any outcome the page says which. */
export const customer: Experiment[] = [
  {
    id: 'P1',
    beside: true,
    expects:
      'after any outcome (done, refused, a lost request or reply, the server or the database killed, a card paid, declined, cancelled, or paid and not told) the page says which, within 60 s, and never says what is not so',
    runs: { fast: 19, full: 190 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, tellEveryOutcome),
  },
  {
    id: 'P2',
    beside: true,
    expects:
      'the balance at the top equals the ledger after purchases, credits, debits, approvals, refunds, and changes made while offline',
    runs: { fast: 2, full: 20 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, showBalances),
  },
  {
    id: 'P3',
    expects:
      'every wallet’s statement adds up line by line, after purchases, credits, debits and refunds at once, and all else that was done here',
    runs: { fast: 20, full: 500 },
    async go(trial) {
      const shops = await trial.shops()
      const [admin] = shops.admins
      await trial.repeat(async () => {
        const person = await shops.makeUser({ pesewas: 10_000 })
        const bought = await shops.buy(person, [shops.line()])
        const [order] = bought.body.orders as { _id: string }[]
        const steps = Array.from({ length: 12 }, () => {
          const amount = Math.round((trial.random() - 0.5) * 2_000) / 100 || 1
          return trial.random() < 0.4
            ? shops.buy(person, [shops.line()])
            : shops.call('PUT', '/user/balance', { as: admin, body: { chosenId: person.id, amount } })
        })
        const refund = shops.call('PUT', `/order/update-status/${order?._id}`, { as: admin, body: { status: 'rejected' } })
        await Promise.all([...steps, refund])
      })
      const { rows } = await shops.db.query<{ wallets: number; lines: number; wrong: number }>(
        `select count(distinct account_id) as wallets, count(*) as lines, count(*) filter (where balance_after_pesewas <> running) as wrong
        from (select account_id, balance_after_pesewas, sum(amount_pesewas) over (partition by account_id order by entry_id, line) as running
          from postings where account_id >= 1000) lines`,
      )
      trial.same('lines that do not add up', rows[0]?.wrong, 0)
      trial.note(`${rows[0]?.lines} lines of ${rows[0]?.wallets} wallets`)
    },
  },
  {
    id: 'P4',
    beside: true,
    expects: 'each call that people make, refused by the server: its message in a failure toast, and no success message',
    runs: { fast: 1, full: 3 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, refuseEach),
  },
  {
    id: 'P5',
    beside: true,
    expects: 'a double click, Enter and a click, going back, two tabs, loading again, on each button that costs money: one effect',
    runs: { fast: 1, full: 10 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, pressTwice),
  },
  {
    id: 'D7',
    beside: true,
    expects: 'the network dropped as soon as Pay has left, the page loaded again, Pay pressed again: one order, by the key that was kept',
    runs: { fast: 5, full: 200 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, dropAndReload),
  },
  {
    id: 'K4',
    beside: true,
    expects: 'a page that was offline while 50 things changed: within 2 s of being back it shows what the shop has',
    runs: { fast: 2, full: 20 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, comeBack),
  },
  {
    id: 'H11',
    beside: true,
    expects: 'a customer at every admin address: redirected, and no admin data requested or received',
    runs: { fast: 1, full: 5 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, openAdminPages),
  },
  {
    id: 'I7',
    beside: true,
    expects: 'a phone shared by two: after the first signs out, the second finds none of their data in lists, storage or caches',
    runs: { fast: 2, full: 20 },
    unavailable: browserMissing,
    go: (trial) => withShop(trial, sharePhone),
  },
]

async function withShop(trial: Trial, go: (trial: Trial, shop: BrowserShop) => Promise<void>) {
  const shop = await openBrowserShop()
  try {
    await go(trial, shop)
    for (const violation of await proveLedger(shop.dataDir)) trial.wrong(`the books: ${violation}`)
  } finally {
    await shop.close()
  }
}

const PLACED = /Your order is placed successfully/
const PRICE = 550

type Outcome = {
  name: string
  cedis: number
  /** The fault during the purchase; none when left out. */
  fault?: (shop: BrowserShop, page: Page) => Promise<void>
  by?: 'card'
  /** What the page must show in the end. */
  tells: RegExp
  orders: number
}

const OUTCOMES: Outcome[] = [
  { name: 'done', cedis: 20, tells: PLACED, orders: 1 },
  { name: 'too little money', cedis: 1, tells: /Insufficient balance/, orders: 0 },
  {
    name: 'the price changed',
    cedis: 20,
    fault: (shop, page) => once(page, (route) => changed(shop, route)),
    tells: /price .*now/i,
    orders: 0,
  },
  {
    name: 'out of stock',
    cedis: 20,
    fault: (shop, page) => once(page, (route) => gone(shop, route)),
    tells: /not available any more/,
    orders: 0,
  },
  {
    name: 'the request is lost',
    cedis: 20,
    fault: (_, page) => once(page, (route) => route.abort('connectionreset')),
    tells: PLACED,
    orders: 1,
  },
  { name: 'the reply is lost', cedis: 20, fault: (_, page) => once(page, loseReply), tells: PLACED, orders: 1 },
  { name: 'three replies are lost', cedis: 20, fault: (_, page) => once(page, loseReply, 3), tells: PLACED, orders: 1 },
  { name: 'the shop answers 503', cedis: 20, fault: (_, page) => once(page, unavailable, 2), tells: PLACED, orders: 1 },
  { name: 'an answer that is half a JSON', cedis: 20, fault: (_, page) => once(page, half), tells: PLACED, orders: 1 },
  { name: 'a reply lost, and then too little is left', cedis: 6, fault: (_, page) => once(page, loseReply), tells: PLACED, orders: 1 },
  {
    name: 'killed before it has the request',
    cedis: 20,
    fault: (shop, page) => once(page, (route) => die(shop, route, false)),
    tells: PLACED,
    orders: 1,
  },
  {
    name: 'killed after it has committed',
    cedis: 20,
    fault: (shop, page) => once(page, (route) => die(shop, route, true)),
    tells: PLACED,
    orders: 1,
  },
  { name: 'the database killed', cedis: 20, fault: (shop, page) => once(page, (route) => dieBelow(shop, route)), tells: PLACED, orders: 1 },
  { name: 'paid by card', by: 'card', cedis: 0, tells: PLACED, orders: 1 },
  { name: 'a card declined, then cancelled', by: 'card', cedis: 0, tells: /Payment cancelled/, orders: 0 },
  { name: 'paid, and the pop-up closes at once', by: 'card', cedis: 0, tells: PLACED, orders: 1 },
  {
    name: 'paid, and three answers to the question are lost',
    by: 'card',
    cedis: 0,
    fault: (_, page) => loseConfirm(page),
    tells: PLACED,
    orders: 1,
  },
  { name: 'the card provider is away', by: 'card', cedis: 0, tells: /Card payment is not available/, orders: 0 },
  { name: 'paid by card, and the price has changed', by: 'card', cedis: 0, tells: /put into your wallet/, orders: 0 },
]

async function tellEveryOutcome(trial: Trial, shop: BrowserShop) {
  let slowestMs = 0
  for (let run = 0; run < trial.runs; run++) {
    const outcome = OUTCOMES[run % OUTCOMES.length] as Outcome
    const since = performance.now()
    await tellOutcome(trial, shop, outcome).catch((error: unknown) => trial.wrong(`${outcome.name}: ${String(error)}`))
    const took = performance.now() - since
    slowestMs = Math.max(slowestMs, took)
    trial.progress(`${outcome.name}: ${(took / 1000).toFixed(1)} s`)
    trial.did()
  }
  trial.note(`${OUTCOMES.length} outcomes, the slowest told after ${(slowestMs / 1000).toFixed(0)} s, opening the page included`)
}

async function tellOutcome(trial: Trial, shop: BrowserShop, { name, cedis, fault, by, tells, orders }: Outcome) {
  const buyer = await shop.makeCustomer(cedis)
  const page = await shop.pageFor(buyer)
  try {
    await fault?.(shop, page)
    if (by === 'card') await payByCard(shop, page, name)
    else await payFromWallet(page)
    const told = await hear(page, tells)
    // The page must never show a wrong outcome, neither before nor after the right one.
    const heard = await said(page)
    if (orders === 0 && heard.some((one) => PLACED.test(one))) trial.wrong(`${name}: told of an order that is not there`)
    if (orders === 1 && heard.some((one) => one.startsWith('alert:'))) trial.wrong(`${name}: told of a failure: ${heard}`)
    if (orders === 0 && name !== 'a card declined, then cancelled' && !heard.some((one) => one.startsWith('alert:') && tells.test(one)))
      trial.wrong(`${name}: “${told}” does not look like a failure`)
    trial.same(`${name}: orders`, (await shop.ordersOf(buyer)).length, orders)
    await until(async () => (await page.getByText('We’re checking if it went through').count()) === 0)
    await until(async () => (await shownBalance(page)) === (await shop.balanceOf(buyer))).catch(async () =>
      trial.wrong(`${name}: shown is ${await shownBalance(page)}, kept ${await shop.balanceOf(buyer)}`),
    )
  } finally {
    await restore(shop)
    await page.context().close()
  }
}

/** The next purchases, as many as given, meet this fault; later ones pass. */
async function once(page: Page, meet: (route: Route) => Promise<unknown>, times = 1) {
  let left = times
  await page.route('**/api/order/checkout', async (route) => {
    if (left-- > 0) await meet(route)
    else await route.continue()
  })
}

async function loseReply(route: Route) {
  await route.fetch().catch(() => undefined)
  await route.abort('connectionreset')
}

/** The shop has finished and the page does not know yet: that is when people press again. */
async function replyLate(route: Route) {
  const response = await route.fetch().catch(() => null)
  await wait(1_000)
  await (response ? route.fulfill({ response }) : route.abort('connectionreset')).catch(() => undefined)
}

const unavailable = (route: Route) =>
  route.fulfill({ status: 503, json: { message: 'The shop is busy. Please try again in a moment.', code: 'UNAVAILABLE' } })

async function half(route: Route) {
  const reply = await route.fetch()
  const text = await reply.text()
  await route.fulfill({ response: reply, body: text.slice(0, text.length / 2) })
}

/** `committed`: the server commits and dies before its reply arrives. */
async function die(shop: BrowserShop, route: Route, committed: boolean) {
  if (committed) await route.fetch()
  await shop.kill()
  await route.abort('connectionreset')
  setTimeout(() => void shop.restart().catch(() => undefined), 1_500)
}

async function dieBelow(shop: BrowserShop, route: Route) {
  endDatabaseOf(shop.dataDir)
  await route.continue()
}

async function changed(shop: BrowserShop, route: Route) {
  await setPrice(shop, 6)
  await route.continue()
}

async function gone(shop: BrowserShop, route: Route) {
  const product = await shop.product()
  await shop.call('PUT', `/product/${product._id}/status`, { as: shop.admin, body: { status: 'out of stock' } })
  await route.continue()
}

async function setPrice(shop: BrowserShop, priceCustomer: number) {
  const { _id, network, status, packages } = await shop.product()
  const changedPackages = packages.map(({ offer, priceCustomer: price, priceAgent }) => ({
    offer,
    priceCustomer: offer === '1GB' ? priceCustomer : price,
    priceAgent,
  }))
  await shop.call('PUT', `/product/${_id}`, { as: shop.admin, body: { network, status, packages: changedPackages } })
}

/** Restores what an outcome changed in the catalogue. */
async function restore(shop: BrowserShop) {
  const product = await until(() => shop.product().catch(() => null), 60_000)
  if (product.status !== 'available')
    await shop.call('PUT', `/product/${product._id}/status`, { as: shop.admin, body: { status: 'available' } })
  if (product.packages.find(({ offer }) => offer === '1GB')?.priceCustomer !== PRICE / 100) await setPrice(shop, PRICE / 100)
}

async function loseConfirm(page: Page) {
  let left = 3
  await page.route('**/api/payment/*/confirm', async (route) => {
    if (left-- <= 0) return route.continue()
    await route.fetch().catch(() => undefined)
    return route.abort('connectionreset')
  })
}

async function payByCard(shop: BrowserShop, page: Page, name: string) {
  await openStore(page)
  if (name === 'the card provider is away') await shop.call('POST', '/sandbox/card/faults', { body: { call: 'initialize', kind: 'error' } })
  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay without wallet (card)' }).click()
  await answerYes(page, /^Pay .* by card$/)
  if (name === 'the card provider is away') return
  const popup = page.getByTitle('Card payment').contentFrame()
  await popup.getByRole('heading', { name: 'Pay' }).waitFor()
  if (name.startsWith('a card declined')) {
    await popup.getByRole('button', { name: 'Decline' }).click()
    await popup.getByRole('alert').waitFor()
    await popup.getByRole('button', { name: 'Cancel' }).click()
    return
  }
  if (name.endsWith('the price has changed')) await setPrice(shop, 6)
  if (name.endsWith('closes at once')) await popup.getByRole('button', { name: 'Pay, but the window closes at once' }).click()
  else await popup.getByRole('button', { name: /^Pay .* by card$/ }).click()
}

async function showBalances(trial: Trial, shop: BrowserShop) {
  await trial.repeat(async () => {
    const buyer = await shop.makeCustomer(30)
    const page = await shop.pageFor(buyer)
    const agrees = async (after: string) => {
      const kept = await shop.balanceOf(buyer)
      await until(async () => (await shownBalance(page)) === kept, 5_000).catch(async () =>
        trial.wrong(`after ${after} ${await shownBalance(page)} is shown of ${kept}`),
      )
    }
    const credit = (amount: number) => shop.call('PUT', '/user/balance', { as: shop.admin, body: { chosenId: buyer._id, amount } })
    await payFromWallet(page)
    await hear(page, PLACED)
    await agrees('a purchase')
    await credit(7.35)
    await agrees('a credit')
    await credit(-0.35)
    await agrees('a debit')
    const [order] = await shop.ordersOf(buyer)
    await shop.call('PUT', `/order/update-status/${order?._id}`, { as: shop.admin, body: { status: 'rejected' } })
    await agrees('a refund')
    const { rechargeId } = await shop.call<{ rechargeId: string }>('POST', '/recharge', { as: buyer, body: { amount: 61.5 } })
    await shop.call('PUT', `/recharge/${rechargeId}/approve`, { as: shop.admin, body: {} })
    await agrees('an approval')
    await page.context().setOffline(true)
    for (const amount of [1, -2, 3.01]) await credit(amount)
    await page.context().setOffline(false)
    await agrees('changes while offline')
    await page.goto('/user/finance')
    await agrees('another screen')
    await page.context().close()
  })
}

const REFUSAL = 'This is what the shop says of it.'

/** Each call made by a button, and its page: the server's message must be shown as a failure. */
async function refuseEach(trial: Trial, shop: BrowserShop) {
  const buyer = await shop.makeCustomer(100)
  const { rechargeId } = await shop.call<{ rechargeId: string }>('POST', '/recharge', { as: buyer, body: { amount: 70 } })
  const bought = await shop.pageFor(buyer)
  await payFromWallet(bought)
  await hear(bought, PLACED)
  await bought.context().close()
  const fill = (page: Page, fields: Record<string, string>) =>
    Object.entries(fields).reduce(
      (before, [label, text]) => before.then(() => page.getByLabel(label, { exact: true }).fill(text)),
      Promise.resolve(),
    )
  const press = (page: Page, name: string | RegExp) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click()
  const cases: { as: { token: string } | null; call: string; at: string; act: (page: Page) => Promise<void>; tells?: RegExp }[] = [
    {
      as: null,
      call: '/user/login',
      at: '/login',
      act: async (page) => {
        await fill(page, { 'Phone number': '0241234567', Password: 'a good password' })
        await press(page, 'Login')
      },
    },
    {
      as: null,
      call: '/user/register',
      at: '/register',
      act: async (page) => {
        await fill(page, { Username: 'somebody new', 'Phone number': '0241234567', Email: 'a@example.com' })
        await fill(page, { Password: 'a good password', 'Confirm password': 'a good password' })
        await press(page, 'Register')
      },
    },
    {
      as: null,
      call: '/user/reset-password/*',
      at: `/reset-password/${'A'.repeat(43)}`,
      act: async (page) => {
        await fill(page, { 'New Password': 'a good password', 'Confirm Password': 'a good password' })
        await press(page, 'Reset Password')
      },
      tells: /Error resetting password|This is what the shop says/,
    },
    { as: buyer, call: '/order/checkout', at: '/store', act: (page) => payFromWallet(page) },
    {
      as: buyer,
      call: '/recharge',
      at: '/user/finance',
      act: async (page) => {
        await page.getByLabel('Recharge amount').fill('60')
        await press(page, 'Request')
      },
    },
    {
      as: shop.admin,
      call: '/recharge/*/approve',
      at: '/admin/finance',
      act: async (page) => {
        await page.getByRole('row').filter({ hasText: rechargeId }).getByRole('button', { name: 'Approve' }).click()
        await answerYes(page)
      },
    },
    {
      as: shop.admin,
      call: '/recharge/*/decline',
      at: '/admin/finance',
      act: async (page) => {
        await page.getByRole('row').filter({ hasText: rechargeId }).getByRole('button', { name: 'Decline' }).click()
        await answerYes(page)
      },
    },
    {
      as: shop.admin,
      call: '/order/update-status/*',
      at: '/admin/orders',
      act: async (page) => {
        await page.getByRole('row').filter({ hasText: buyer.username }).getByRole('button', { name: 'Process' }).click()
        await answerYes(page)
      },
      tells: /Error updating order status:/,
    },
    {
      as: shop.admin,
      call: '/extra/notice',
      at: '/info',
      act: async (page) => {
        await page.getByLabel('Notice text').fill('Nobody will read this.')
        await press(page, 'Save notice')
      },
      tells: /Error updating notice content:/,
    },
    {
      as: shop.admin,
      call: '/product/*/status',
      at: '/admin/products',
      act: async (page) => void (await page.getByLabel('Status of MTN', { exact: true }).first().selectOption('out of stock')),
      tells: /Error updating product status:/,
    },
  ]
  for (let round = 0; round < trial.runs; round++) {
    for (const { as, call, at, act, tells = /This is what the shop says/ } of cases) {
      const page = await shop.pageFor(as === shop.admin ? await signedInAdmin(shop) : as)
      try {
        await page.route(`**/api${call}`, (route) =>
          route.request().method() === 'GET'
            ? route.continue()
            : route.fulfill({ status: 409, json: { message: REFUSAL, code: 'CONFLICT' } }),
        )
        if (at !== '/store') await page.goto(at)
        await act(page)
        const told = await hear(page, tells, 15_000)
        if (!told.startsWith('alert:')) trial.wrong(`${call}: “${told}” is not styled as a failure`)
        const success = (await said(page)).find((one) => /success|approved|declined$|is placed/i.test(one))
        if (success) trial.wrong(`${call}: told “${success}”`)
      } catch (error) {
        trial.wrong(`${call}: ${String(error).slice(0, 400)}`)
      } finally {
        await page.context().close()
      }
      trial.did()
    }
  }
}

function signedInAdmin(shop: BrowserShop) {
  return shop.call<{ token: string }>('POST', '/user/login', { body: { userPhone: '0200000000', password: 'a good password' } })
}

async function pressTwice(trial: Trial, shop: BrowserShop) {
  const ways: [string, (page: Page) => Promise<void>][] = [
    [
      'a double click',
      async (page) => {
        await openStore(page)
        const dialog = await fillBuyPage(page)
        await dialog.getByRole('button', { name: 'Pay with wallet' }).dblclick()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).dblclick()
      },
    ],
    [
      'Enter and a click',
      async (page) => {
        await openStore(page)
        const dialog = await fillBuyPage(page)
        await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
        const yes = page.getByRole('alertdialog').getByRole('button', { name: 'Yes' })
        await yes.focus()
        await Promise.all([page.keyboard.press('Enter'), yes.click({ timeout: 1_000 }).catch(() => undefined)])
      },
    ],
    [
      'back and forward',
      async (page) => {
        await payFromWallet(page)
        await page.goBack().catch(() => undefined)
        await page.goForward().catch(() => undefined)
      },
    ],
    [
      'loading again',
      async (page) => {
        await payFromWallet(page)
        await page.reload()
        await page.reload()
      },
    ],
    [
      'two tabs',
      async (page) => {
        const other = await page.context().newPage()
        await openStore(page)
        await openStore(other)
        const dialogs = [await fillBuyPage(page), await fillBuyPage(other)]
        for (const dialog of dialogs) await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
        // Paying in two tabs is two purchases: the money is for one, and the other tab says so.
        await Promise.all([answerYes(page), answerYes(other)])
        await until(async () =>
          [...(await said(page)), ...(await said(other))].some((one) => /Insufficient|still checking|placed/.test(one)),
        )
      },
    ],
  ]
  for (let round = 0; round < trial.runs; round++) {
    for (const [name, press] of ways) {
      // Enough for a second purchase, except with two tabs, which are two purchases.
      const cedis = name === 'two tabs' ? 6 : 20
      const buyer = await shop.makeCustomer(cedis)
      const page = await shop.pageFor(buyer)
      await page.context().route('**/api/order/checkout', replyLate)
      try {
        await press(page)
        await until(async () => (await shop.ordersOf(buyer)).length > 0, 30_000)
        // By then everything that was started has had its effect.
        await page.waitForTimeout(3_000)
        trial.same(name, [(await shop.ordersOf(buyer)).length, await shop.balanceOf(buyer)], [1, cedis * 100 - PRICE])
      } catch (error) {
        trial.wrong(`${name}: ${String(error).slice(0, 300)}`)
      } finally {
        await page.context().close()
      }
      trial.did()
    }
    await rechargeTwice(trial, shop)
  }
}

async function rechargeTwice(trial: Trial, shop: BrowserShop) {
  const buyer = await shop.makeCustomer(0)
  const { rechargeId } = await shop.call<{ rechargeId: string }>('POST', '/recharge', { as: buyer, body: { amount: 70 } })
  const page = await shop.pageFor(await signedInAdmin(shop))
  await page.goto('/admin/finance')
  await page.getByRole('row').filter({ hasText: rechargeId }).getByRole('button', { name: 'Approve' }).dblclick()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).dblclick()
  await until(async () => (await shop.balanceOf(buyer)) > 0)
  await page.waitForTimeout(1_000)
  trial.same('an approval clicked twice', await shop.balanceOf(buyer), 7_000)
  await page.context().close()
  trial.did()
}

async function dropAndReload(trial: Trial, shop: BrowserShop) {
  await trial.repeat(async () => {
    const buyer = await shop.makeCustomer(20)
    const page = await shop.pageFor(buyer)
    const keys = new Set<string>()
    let asked = 0
    const isDone = trial.random() < 0.5
    let left = () => {}
    const first = new Promise<void>((resolve) => {
      left = resolve
    })
    await page.route('**/api/order/checkout', async (route) => {
      keys.add(route.request().headers()['idempotency-key'] ?? '')
      if (asked++ > 0) return route.continue()
      if (isDone) await route.fetch()
      left()
      await page.context().setOffline(true)
      return route.abort('connectionreset').catch(() => undefined)
    })
    await payFromWallet(page)
    await first
    await page.context().setOffline(false)
    await page.reload()
    // The page asks by itself; pressing Pay again meanwhile continues the same purchase.
    await page
      .getByRole('button', { name: 'Pay with wallet' })
      .click({ timeout: 500 })
      .catch(() => undefined)
    await hear(page, PLACED)
    trial.same('orders, balance, keys', [(await shop.ordersOf(buyer)).length, await shop.balanceOf(buyer), keys.size], [1, 1_450, 1])
    await page.context().close()
  })
}

async function comeBack(trial: Trial, shop: BrowserShop) {
  await trial.repeat(async () => {
    const buyer = await shop.makeCustomer(500)
    const product = await shop.product()
    const page = await shop.pageFor(buyer)
    await page.goto('/user/history')
    await page.getByRole('banner').waitFor()
    await until(async () => (await shownBalance(page)) === 50_000)
    await page.context().setOffline(true)
    const line = { productId: product._id, offer: '1GB', phoneNumber: '0551234567', amount: PRICE / 100 }
    for (let change = 0; change < 25; change++) {
      await shop.call('PUT', '/user/balance', { as: shop.admin, body: { chosenId: buyer._id, amount: 1 } })
      await fetch(`${shop.address}/api/order/checkout`, {
        method: 'POST',
        headers: { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({ items: [line] }),
      })
    }
    const kept = await shop.balanceOf(buyer)
    trial.same('the shop itself', [kept, (await shop.ordersOf(buyer)).length], [50_000 + 2_500 - 25 * PRICE, 25])
    await page.context().setOffline(false)
    const since = performance.now()
    await until(
      async () => (await shownBalance(page)) === kept && (await page.getByText('25', { exact: false }).count()) > 0,
      20_000,
    ).catch(async () => trial.wrong(`shown is ${await shownBalance(page)}, kept ${kept}`))
    const rows = page.getByRole('region', { name: 'My Transactions', exact: true }).getByRole('row')
    await until(async () => (await rows.count()) > 10, 20_000).catch(() => trial.wrong('the orders were not shown'))
    const took = performance.now() - since
    trial.note(`after ${(took / 1000).toFixed(1)} s`)
    trial.within('showing it', took, 2_000)
    await page.context().close()
  })
}

const ADMIN_PAGES = [
  '/admin',
  '/admin/inbox',
  '/admin/more',
  '/admin/stats',
  '/admin/orders',
  '/admin/finance',
  '/admin/products',
  '/admin/activity',
  '/info',
]

async function openAdminPages(trial: Trial, shop: BrowserShop) {
  const other = await shop.makeCustomer(33)
  for (let round = 0; round < trial.runs; round++) {
    for (const path of ADMIN_PAGES) {
      const page = await shop.pageFor(await shop.makeCustomer(1))
      const asked: string[] = []
      const received: string[] = []
      page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
      page.on('response', (response) => {
        if (/\/api\//.test(response.url()))
          void response.text().then(
            (text) => received.push(text),
            () => undefined,
          )
      })
      await page.goto(path)
      await page.waitForURL(/\/(login|store|$)/, { timeout: 10_000 }).catch(() => trial.wrong(`${path} stayed at ${page.url()}`))
      await page.waitForTimeout(300)
      const admins = asked.filter((one) => /^\/api\/(order|recharge|export|admin)|admin-page|info-page/.test(one))
      trial.same(`${path}: asked for`, admins, [])
      if (received.join(' ').includes(other.phone)) trial.wrong(`${path}: another’s phone was received`)
      await page.context().close()
      trial.did()
    }
  }
}

async function sharePhone(trial: Trial, shop: BrowserShop) {
  await trial.repeat(async () => {
    const [first, second] = [await shop.makeCustomer(40), await shop.makeCustomer(3)]
    const page = await shop.pageFor(first)
    await payFromWallet(page, { phone: '0243335791' })
    await hear(page, PLACED)
    for (const path of ['/user/history', '/user/finance', '/store']) await page.goto(path)
    await page.goto('/store#signout')
    await page.waitForURL(/\/login/)
    const kept = (await page.evaluate(
      `JSON.stringify({ local: { ...localStorage }, session: { ...sessionStorage }, cookies: document.cookie })`,
    )) as string
    for (const secret of [first.token, first.phone, first.email, first._id, first.username, '0243335791'])
      if (kept.includes(secret))
        trial.wrong(
          `after signing out ${secret} is kept: …${kept.slice(Math.max(0, kept.indexOf(secret) - 200), kept.indexOf(secret) + 40)}`,
        )
    await page.getByLabel('Phone number').fill(second.phone)
    await page.getByLabel('Password', { exact: true }).fill('a good password')
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL(/\/store/)
    for (const path of ['/user/history', '/user/finance', '/store', '/cart']) {
      await page.goto(path)
      await page.getByRole('banner').waitFor()
      await page.waitForTimeout(400)
      const shown = await page.content()
      for (const secret of [first.phone, first.email, first._id, first.username, first.token])
        if (shown.includes(secret)) trial.wrong(`${path} shows ${secret} to who signed in next`)
    }
    trial.same('the balance shown', await shownBalance(page), 300)
    await page.goBack()
    if ((await page.content()).includes(first.phone)) trial.wrong('going back shows the one before')
    await page.context().close()
  })
}

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertPayment } from '../server/features/card/payments/payments.sql.ts'
import { settlePayment } from '../server/features/card/payments/settle-payment.ts'
import { routes } from '../shared/api.ts'
import { type Endpoint, isForStaff } from '../shared/endpoint.ts'
import { formatPesewas } from '../shared/money.ts'
import type { Order } from '../shared/orders.ts'
import { hasRole, STAFF_ROLES, type StaffRole } from '../shared/staff-rules.ts'
import type { SignedInUser } from '../shared/users.ts'
import { AFA_FORM, newGhanaCard } from './afa.ts'
import { earn, makeRefund, makeWithdrawal } from './agent-shop.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, cartLine, checkout, findProduct, makeBatch, makeUser } from './builders.ts'
import { stockCheckers } from './checkers.ts'
import { gatewayThat, makeCtx, paid } from './settling.ts'

// Which confidential facts each role is shown, in every reply that somebody who works here can read. Each fact has values here
// that nothing else has, so it is found wherever a reply has it. What each role hears over the socket: staff-roles.test.ts.

const GHANA_CARD = newGhanaCard()

/** Whole phone numbers, in any way of writing them, and amounts in cedis. Amounts that are sums are filled in once they are there. */
const FACTS = {
  'customer’s phone': ['0243141592'],
  'customer’s e-mail': ['ama.sentinel@example.com'],
  'customer’s balance': [0],
  'customer’s top-up': [617.43],
  'credit by hand': [318.29, 777.31],
  'agent’s phone': ['0243171819'],
  'agent’s e-mail': ['kofi.sentinel@example.com'],
  'agent’s balance': [2719.83],
  'agent’s earnings': [0],
  'agent’s profit': [1.27],
  'number for earnings': ['0245550100'],
  'guest’s phone': ['0246600772', '0245550142'],
  receiver: ['0556677889'],
  'payer’s phone': ['0249911883'],
  cost: [3.17],
  profit: [2.33, 2.33 + 4.7 - 3.17],
  'wallets of all': [0],
  'shop’s mobile money': [9173.61],
  'code of a checker': [''],
  'AFA details': [AFA_FORM.fullName, GHANA_CARD],
  'colleague’s phone': ['0243999888'],
  'colleague’s e-mail': ['efua.sentinel@example.com'],
} satisfies Record<string, (string | number)[]>
type Fact = keyof typeof FACTS

const PEOPLE = [
  'customer’s phone',
  'customer’s e-mail',
  'agent’s phone',
  'agent’s e-mail',
  'guest’s phone',
  'receiver',
  'colleague’s phone',
  'colleague’s e-mail',
] as const satisfies Fact[]
const WALLETS = [
  'customer’s balance',
  'customer’s top-up',
  'credit by hand',
  'agent’s balance',
  'agent’s earnings',
  'agent’s profit',
] as const satisfies Fact[]

/** What each role's work needs. Nobody is shown a code of a checker or the details of an AFA order in a list: looking at one is recorded. */
const MAY_SEE: Record<Exclude<StaffRole, 'owner'>, readonly Fact[]> = {
  orders: PEOPLE,
  support: [...PEOPLE, ...WALLETS],
  finance: [...PEOPLE, ...WALLETS, 'number for earnings', 'payer’s phone', 'cost', 'profit', 'wallets of all', 'shop’s mobile money'],
  products: ['cost'],
}

type Read = { shows: Fact[]; path?: () => string; query?: () => Record<string, string> }
const DAYS = () => ({ from: '2026-11-15', to: '2026-11-21' })
const CLOSED = () => ({ from: ids.from!, until: ids.until! })

/** Every reply that is for staff, or shows staff more than their own, with all that an owner sees there. */
const READS: Record<string, Read> = {
  'GET /admin/actions': { shows: ['credit by hand', 'cost', 'wallets of all', 'shop’s mobile money'] },
  'GET /admin/afa': { shows: [], query: () => ({ state: 'received' }) },
  'GET /agent-shops': { shows: ['agent’s phone', 'agent’s earnings', 'agent’s profit'] },
  'GET /agent-shops/rules': { shows: [] },
  'GET /admin/books': { shows: [] },
  'GET /admin/batches': { shows: [] },
  'GET /admin/batches/:number': { shows: ['customer’s phone', 'receiver'], path: () => `/admin/batches/${ids.batch}` },
  'GET /admin/channel/:channel': { shows: [], path: () => '/admin/channel/ussd' },
  'GET /message-format': { shows: [] },
  'GET /message-format/versions': { shows: [], query: () => ({ network: 'MTN', name: 'bill' }) },
  'GET /admin/costs': { shows: ['cost'] },
  'GET /admin/costs/:productId': { shows: ['cost'], path: () => `/admin/costs/${ids.product}` },
  'GET /admin/customers': { shows: ['customer’s phone', 'customer’s balance', 'agent’s phone', 'agent’s balance', 'colleague’s phone'] },
  'GET /admin/customers/:id': {
    shows: ['customer’s phone', 'customer’s e-mail', 'customer’s balance', 'credit by hand'],
    path: () => `/admin/customers/${ids.customer}`,
  },
  'GET /admin/customers/:id/statement': {
    shows: ['customer’s balance', 'credit by hand', 'receiver'],
    path: () => `/admin/customers/${ids.customer}/statement`,
  },
  'GET /admin/customers/:id/orders': { shows: ['customer’s phone', 'receiver'], path: () => `/admin/customers/${ids.customer}/orders` },
  'GET /admin/customers/:id/recharges': { shows: ['customer’s top-up'], path: () => `/admin/customers/${ids.customer}/recharges` },
  'GET /admin/customers/:id/reports': { shows: ['receiver'], path: () => `/admin/customers/${ids.customer}/reports` },
  'GET /admin/orders/:id': { shows: ['customer’s phone', 'receiver', 'cost'], path: () => `/admin/orders/${ids.order}` },
  'GET /admin/day-close': { shows: ['profit', 'wallets of all'], query: CLOSED },
  'GET /admin/day-close/:id': { shows: ['profit', 'wallets of all'], path: () => `/admin/day-close/${ids.close}` },
  'GET /export/day-close': { shows: ['profit', 'wallets of all'], query: CLOSED },
  'GET /export/admin-withdrawals': { shows: ['agent’s phone', 'number for earnings'] },
  'GET /export/customer-statement': {
    shows: ['customer’s balance', 'credit by hand', 'receiver'],
    query: () => ({ customer: ids.customer! }),
  },
  'GET /export/admin-activity': { shows: ['credit by hand', 'cost', 'wallets of all', 'shop’s mobile money'] },
  'GET /export/admin-orders': { shows: ['customer’s phone', 'guest’s phone', 'receiver'] },
  'GET /export/admin-finance': { shows: ['customer’s phone', 'customer’s top-up'] },
  'GET /export/admin-products': { shows: [] },
  'GET /export/admin-insight': { shows: ['profit'], query: DAYS },
  'GET /export/admin-stats': {
    shows: [
      'customer’s phone',
      'customer’s e-mail',
      'customer’s balance',
      'agent’s phone',
      'agent’s e-mail',
      'agent’s balance',
      'colleague’s phone',
      'colleague’s e-mail',
    ],
  },
  'GET /admin/jobs': { shows: [] },
  'GET /admin/insight': { shows: ['profit'], query: DAYS },
  'GET /admin/suppliers': { shows: [] },
  'GET /admin/suppliers/order': { shows: [] },
  'GET /forwarder': { shows: ['shop’s mobile money'] },
  'GET /forwarder/:id/messages': { shows: [], path: () => `/forwarder/${ids.forwarder}/messages` },
  'GET /admin/inbox': { shows: ['customer’s phone', 'customer’s top-up', 'credit by hand'] },
  'GET /order/allorders': { shows: ['customer’s phone', 'guest’s phone', 'receiver'] },
  'GET /admin/order-counts': { shows: [] },
  'GET /order/:id': { shows: ['customer’s phone', 'receiver'] },
  'GET /payment': { shows: ['customer’s phone', 'guest’s phone'], query: () => ({ status: 'held' }) },
  'GET /payment/disputes': { shows: ['customer’s phone', 'customer’s e-mail'] },
  'GET /payment/unmatched': { shows: ['customer’s e-mail'] },
  'GET /admin/prices': { shows: ['cost'] },
  'GET /admin/profit': { shows: ['profit'], query: () => ({ from: '2026-11-15', until: '2026-11-21' }) },
  'GET /admin/profit/uncosted': { shows: [] },
  'GET /recharge': { shows: ['customer’s phone', 'customer’s top-up'] },
  'GET /received-payment': { shows: ['payer’s phone'] },
  'GET /received-payment/matches': { shows: ['customer’s top-up', 'payer’s phone'] },
  'GET /referrals/rules': { shows: [] },
  'GET /admin/reports': { shows: ['customer’s phone', 'receiver'] },
  'GET /admin/settings': { shows: [] },
  'GET /admin/staff': { shows: ['colleague’s phone'] },
  'GET /admin/shop': { shows: [] },
  'GET /admin/setup': { shows: [] },
  'GET /order/stats': { shows: ['customer’s top-up'] },
  'GET /admin/checkers': { shows: [] },
  'GET /admin/checkers/imports/:id/codes': { shows: [], path: () => `/admin/checkers/imports/${ids.import}/codes` },
  'GET /admin/order/:id/checkers': { shows: [], path: () => `/admin/order/${ids.checkerOrder}/checkers` },
  'GET /user': {
    shows: [
      'customer’s phone',
      'customer’s e-mail',
      'customer’s balance',
      'agent’s phone',
      'agent’s e-mail',
      'agent’s balance',
      'colleague’s phone',
      'colleague’s e-mail',
    ],
  },
  'GET /user/account-balances': {
    shows: [
      'customer’s phone',
      'customer’s e-mail',
      'customer’s balance',
      'agent’s phone',
      'agent’s e-mail',
      'agent’s balance',
      'colleague’s phone',
      'colleague’s e-mail',
    ],
  },
  'GET /admin/ussd': { shows: [] },
  'GET /admin/ussd/test': { shows: [] },
  'GET /admin/approvals': { shows: ['credit by hand'] },
  'GET /admin/whatsapp': { shows: [] },
  'GET /withdrawals': { shows: ['agent’s phone', 'agent’s earnings', 'number for earnings'] },
  'GET /withdrawals/rules': { shows: [] },
  'GET /refunds': { shows: ['guest’s phone'] },
}

let shop: TestShop
const staff = {} as Record<StaffRole, SignedInUser>
/** What the paths of routes name. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  const timings = { reconcileEveryMs: 3_600_000 }
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' }, timings })
  const { db } = shop.database
  for (const role of STAFF_ROLES) staff[role] = await makeUser(shop, { roles: [role] })
  await makeUser(shop, { roles: ['finance'], phone: '0243999888', email: 'efua.sentinel@example.com' })
  const buyer = await makeUser(shop, { balance: 4319.08, phone: '0243141592', email: 'ama.sentinel@example.com' })
  const agent = await makeUser(shop, { level: 'Agent', balance: 2719.83, phone: '0243171819', email: 'kofi.sentinel@example.com' })
  ids.customer = buyer._id
  ids.product = (await findProduct(shop, 'MTN'))._id
  await put('/admin/costs', { costs: [{ productId: ids.product, offer: '1GB', supplier: 'by-hand', cost: 3.17 }] })
  await put('/user/balance', { chosenId: buyer._id, amount: 318.29 })
  await post('/recharge', { amount: 617.43 }, buyer)

  const line = { ...(await cartLine(shop)), phoneNumber: '0556677889' }
  const [delivered, open] = [await buy(buyer, line), await buy(buyer, line)]
  ids.order = delivered._id
  await db.query('insert into reports (order_id, opened_at) values ($1, now())', [delivered._id])
  const { form } = await post<{ form: string }>('/afa', { ...AFA_FORM, ghanaCard: GHANA_CARD }, buyer)
  await buy(buyer, { ...(await cartLine(shop, { network: 'AFA', offer: 'AFA registration' })), afa: form })
  const { importId, lines } = await stockCheckers(shop, 'WASSCE', 3)
  FACTS['code of a checker'] = lines.flatMap(({ serial, pin }) => [serial, pin])
  ids.import = importId
  ids.checkerOrder = (await buy(buyer, await cartLine(shop, { network: 'WAEC Checkers', offer: 'WASSCE' })))._id

  // An agent's shop, what a guest bought there, and what waits to be withdrawn or to go back.
  const withdrawal = await makeWithdrawal(shop, agent._id)
  const found = await db.query<{ id: string }>('select shop_id as id from withdrawals where id = $1', [withdrawal])
  const shopId = found.rows[0]!.id
  await earn(shop, shopId, 8131.19)
  const guestOrder = await buyAsGuest(shopId)
  for (const id of [delivered._id, guestOrder]) await put(`/order/update-status/${id}`, { status: 'completed' })
  await makeRefund(shop, 'review')

  // Mobile money that came in, and card payments that went wrong.
  const text = 'Payment received for GHS 60.00 from KOJO PAYER , 233249911883 . Reference: x. Transaction ID: 70000000001.'
  await post('/received-payment/messages', { text })
  const phone = await post<{ forwarder: { _id: string } }>('/forwarder', { name: 'Till', app: 'other', networks: ['MTN'] })
  ids.forwarder = phone.forwarder._id
  await put(`/forwarder/${ids.forwarder}/balance`, { network: 'MTN', balance: 9173.61 })
  await db.query(
    `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, reason, received_pesewas, created_at, settled_at)
     values ('heldpaymentheldpayme', $1, 'agent-upgrade', 5000, 150, 'held', 'paid in NGN, not in GHS', 0, $2, $2)`,
    [buyer._id, shop.clock.now],
  )
  await db.query(
    `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, outcome, payer_email, heard_at)
     values ('d1', 'heldpaymentheldpayme', 5150, 'GHS', 'chargeback', 'pending', 'open', 'ama.sentinel@example.com', now())`,
  )
  await db.query(
    `insert into unmatched_payments (reference, amount_pesewas, currency, is_test, payer_email, found_at)
     values ('nobodys', 500, 'GHS', true, 'ama.sentinel@example.com', now())`,
  )

  // What waits for a second person, a batch, and a close of the day.
  await put('/admin/staff/rules', { secondPersonAbove: 500 })
  await call(shop, 'PUT', '/user/balance', { as: staff.finance, body: { chosenId: agent._id, amount: 777.31 } })
  ids.batch = String((await makeBatch(shop, staff.owner, [open])).number)
  shop.clock.advance(60_000)
  const { sheet } = (
    await call<{ sheet: { from: string; until: string; wallets: { closing: number } } }>(shop, 'GET', '/admin/day-close', {
      as: staff.finance,
    })
  ).body
  const closing = sheet.wallets.closing
  FACTS['wallets of all'] = [closing]
  const closed = await post<{ close: { _id: string } }>('/admin/day-close', { from: sheet.from, until: sheet.until, closing })
  Object.assign(ids, { close: closed.close._id, from: sheet.from, until: sheet.until })
  shop.clock.advance(60_000)

  const held = async (where: string, id: string) =>
    (await db.query<{ cedis: number }>(`select balance_pesewas / 100.0::float as cedis from wallets where ${where} = $1`, [id])).rows[0]!
      .cedis
  FACTS['customer’s balance'] = [await held('user_id', buyer._id)]
  FACTS['agent’s earnings'] = [await held('shop_id', shopId)]
})
afterAll(() => shop.close())

async function buy(as: SignedInUser, line: Awaited<ReturnType<typeof cartLine>> & { afa?: string }): Promise<Order> {
  return (await checkout(shop, as, [line])).body.orders[0]!
}

/** 1GB, which costs the agent 4.70, for 5.97. */
async function buyAsGuest(shopId: string): Promise<string> {
  const { database, clock } = shop
  const reference = randomUUID().replaceAll('-', '').slice(0, 20)
  await database.db.query('update agent_shop_rules set enabled = true, max_markup = 30, min_profit_pesewas = 10')
  await database.db.query(
    `insert into shop_prices (shop_id, product_id, offer, price_pesewas, changed_at) values ($1, $2, '1GB', 597, $3)`,
    [shopId, ids.product, clock.now],
  )
  await insertPayment(database.db, {
    reference,
    userId: null,
    guest: { shopId, phone: '0246600772' },
    purpose: 'order',
    lines: [{ product: ids.product!, network: null, offer: '1GB', receiver: '0556677889', expectedPricePesewas: 597, clientId: null }],
    pricePesewas: 597,
    surchargePesewas: 0,
    now: clock.now,
    checkAt: new Date(clock.now.getTime() + 48 * 3_600_000),
  })
  await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(597)), reference)
  const { rows } = await database.db.query<{ id: string }>('select id from orders where payment_reference = $1', [reference])
  return rows[0]!.id
}

async function send<T>(method: 'POST' | 'PUT', path: string, body: object, as = staff.owner): Promise<T> {
  const reply = await call<T>(shop, method, path, { as, body })
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
const post = <T>(path: string, body: object, as?: SignedInUser) => send<T>('POST', path, body, as)
const put = (path: string, body: object) => send('PUT', path, body)

/** 8131.19 or 8,131.19. */
const writtenAs = (cedis: number) =>
  formatPesewas(Math.round(cedis * 100))
    .replaceAll(',', ',?')
    .replace('.', '\\.')

/** What a reply has of the facts, as text: a phone number however it is written, an amount as a number of its own. */
function factsIn(text: string): Fact[] {
  const has = (value: string | number) => {
    if (typeof value === 'number') return new RegExp(`(?<![\\d.])${writtenAs(value)}(?!\\d)`).test(text)
    if (/^0\d{9}$/.test(value)) return new RegExp(value.slice(1).split('').join('[ -]?')).test(text)
    return text.includes(value)
  }
  return (Object.keys(FACTS) as Fact[]).filter((fact) => FACTS[fact].some(has))
}

const declared = Object.entries<Endpoint>(routes).filter(([route]) => route.startsWith('GET '))

async function read(route: string, as: SignedInUser) {
  const { path = () => route.slice(4), query = () => ({}) } = READS[route] ?? {}
  // What is a customer's own is asked for by its id.
  const url = path().replace(':id', ids.order!)
  const { status, body } = await call<unknown>(shop, 'GET', url, { as, query: query() })
  return { status, facts: factsIn(typeof body === 'string' ? body : JSON.stringify(body)) }
}

test('every reply that is for staff is declared', () => {
  const forStaff = declared.filter(([, { access }]) => isForStaff(access)).map(([route]) => route)
  expect(forStaff.filter((route) => !READS[route])).toEqual([])
  expect(Object.keys(READS).filter((route) => !declared.some(([name]) => name === route))).toEqual([])
})

test.each(STAFF_ROLES)('%s: every reply shows what is declared, and no more than the work needs', async (role) => {
  for (const [route, { access }] of declared) {
    if (isForStaff(access) && !hasRole({ roles: [role] }, access)) continue
    const { status, facts } = await read(route, staff[role])
    const shows = READS[route]?.shows ?? []
    if (READS[route] && role === 'owner') expect([route, status, facts]).toEqual([route, 200, shows])
    const beyond = facts.filter((fact) => !shows.includes(fact) || (role !== 'owner' && !MAY_SEE[role].includes(fact)))
    expect([route, beyond]).toEqual([route, []])
  }
})

test('every fact is somewhere, but for what a list shows nobody', () => {
  const shown = Object.values(READS).flatMap(({ shows }) => shows)
  expect(Object.keys(FACTS).filter((fact) => !shown.includes(fact as Fact))).toEqual(['code of a checker', 'AFA details'])
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OwnShopReply } from '../../../../shared/agent-shops.ts'
import type { CheckerStock, ImportedChecker, OwnChecker, SoldChecker } from '../../../../shared/checkers.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { PaymentReply } from '../../../../shared/payments.ts'
import type { Product } from '../../../../shared/products.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { clearCheckers, makeCheckerOrder, makeCode, makeUnsoldCode, stockCheckers, TEST_VAULT } from '../../../../test/checkers.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { SmsSender } from '../../../integrations/sms/sms-sender.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { transaction } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { databaseBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'
import { openVault } from '../../../platform/vault.ts'
import { insertCodeMessage, selectLevels } from './checkers.sql.ts'
import { ensureVault } from './ensure-vault.ts'
import { notifyLowStock } from './notify-low-stock.ts'
import { sealCodesAnew } from './seal-codes.ts'
import { sendCheckerMessage, sendNewCheckers, sendOwnCheckers } from './send-checkers.ts'

const TIMINGS = QUICK_TIMINGS.sms

let shop: TestShop
let owner: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
})
beforeEach(async () => {
  shop.clock.advance(60 * 60_000)
  owner = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 100 })
  // What earlier tests left in the stock is no part of the next.
  await clearCheckers(shop)
  const { body } = await call<CheckerStock>(shop, 'GET', '/admin/checkers', { as: owner })
  for (const { _id, sold, voided, takenBackAt } of body.imports) if (sold + voided === 0 && !takenBackAt) await takeBack(_id)
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

const query = (text: string, values: unknown[] = []) => shop.database.db.query(text, values)
const takeBack = (id: string) => call(shop, 'POST', `/admin/checkers/imports/${id}/take-back`, { as: owner, body: {} })
const line = (offer = 'BECE') => cartLine(shop, { network: 'WAEC Checkers', offer, phoneNumber: '0551234567' })
const buy = async (offer = 'BECE', as = buyer) => checkout(shop, as, [await line(offer)])
const codesOf = async ({ _id }: Pick<Order, '_id'>, as = buyer) =>
  (await call<{ checkers: OwnChecker[] } & ErrorBody>(shop, 'GET', `/order/${_id}/checkers`, { as })).body.checkers
const post = <T = unknown>(path: string, body: unknown = {}, as: SignedInUser = owner) =>
  call<T & ErrorBody>(shop, 'POST', path, { as, body })
const bare = (codes: readonly OwnChecker[]) => codes.map(({ serial, pin }) => ({ serial, pin }))

const priceOfBece = async () => Math.round((await line()).amount * 100)

/** In pesewas: what the stock has cost and what is lost, both negative. */
async function houseOf(): Promise<{ stock: number; losses: number }> {
  const { rows } = await query(
    `select coalesce(sum(pesewas) filter (where account_id = 21), 0)::integer as stock,
       coalesce(sum(pesewas) filter (where account_id = 22), 0)::integer as losses from house_balances`,
  )
  return rows[0] as { stock: number; losses: number }
}

async function kindOf(kind: string) {
  const { body } = await call<CheckerStock>(shop, 'GET', '/admin/checkers', { as: owner })
  return body.kinds.find((one) => one.kind === kind)!
}

async function packageOf(offer: string) {
  const { body } = await call<Product[]>(shop, 'GET', '/product')
  return body.flatMap(({ packages }) => packages).find((one) => one.offer === offer)
}

/** Sells what is left of a kind, so that a test has just the codes that it adds. */
async function sellOut(kind: string) {
  await stockCheckers(shop, kind.toUpperCase(), 0)
  const { inStock } = await kindOf(kind)
  for (let left = inStock; left > 0; left--) await buy(kind.toUpperCase(), await makeUser(shop, { balance: 100 }))
}

describe('a checker from the stock', () => {
  test('is with its buyer as it is paid for, oldest first, and booked as sold and delivered', async () => {
    const { lines } = await stockCheckers(shop, 'BECE', 3)
    const { status, body } = await buy()
    const order = body.orders[0] as Order
    expect([status, order.status]).toEqual([200, 'completed'])
    expect(await codesOf(order)).toEqual([{ name: 'BECE', portal: 'https://eresults.waecgh.org', ...lines[0]!, replaced: false }])
    const { rows } = await query(
      `select e.kind, array_agg(p.account_id::integer order by p.line) as accounts, array_agg(p.amount_pesewas::integer order by p.line) as amounts
       from journal_entries e join postings p on p.entry_id = e.id where e.key in ($1, $2) group by e.id order by e.id`,
      [`order:${order._id}`, `delivery:${order._id}`],
    )
    expect(rows).toEqual([
      { kind: 'order', accounts: [expect.any(Number), 8], amounts: [-1900, 1900] },
      { kind: 'delivery', accounts: [8, 1, 10, 21], amounts: [-1900, 1900, -1500, 1500] },
    ])
    const messages = async () => (await query('select kind from sms_messages where order_id = $1', [order._id])).rows
    await until(async () => (await messages()).length > 0)
    expect(await messages()).toEqual([{ kind: 'order' }])
  })

  test('is sold by lines of a cart and of a list, two to a package if it says so, and repeated requests get the same', async () => {
    await sellOut('bece')
    const { lines } = await stockCheckers(shop, 'BECE', 5, { units: 2 })
    const key = randomUUID()
    const items = [await line(), await cartLine(shop), await line()]
    const first = await checkout(shop, buyer, items, key)
    expect((await checkout(shop, buyer, items, key)).body).toMatchObject({ orders: first.body.orders })
    expect(first.body.orders.map(({ status }) => status)).toEqual(['completed', 'pending', 'completed'])
    const sold = await Promise.all(first.body.orders.map((order) => codesOf(order)))
    expect(sold.map(bare)).toEqual([lines.slice(0, 2), [], lines.slice(2, 4)])

    const { lines: others } = await stockCheckers(shop, 'BECE', 2)
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const { productId } = await line()
    const listed = { text: 'x', name: '', productId, offer: 'BECE', phoneNumber: '0551234567', amount: 16.5 }
    const list = { name: 'School', total: 33, lines: [1, 2].map((number) => ({ ...listed, number })), leftOut: [] }
    const placed = await call<{ bulk: { _id: string } }>(shop, 'POST', '/bulk', {
      as: agent,
      body: list,
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(placed.status).toBe(200)
    const { rows } = await query(`select o.id as _id, o.status from orders o where o.user_id = $1 order by seq`, [agent._id])
    expect(rows.map(({ status }) => status)).toEqual(['completed', 'completed'])
    const ofList = await Promise.all((rows as { _id: string }[]).map((order) => codesOf(order, agent)))
    expect(ofList.flatMap(bare)).toEqual([lines[4], others[0]])
  })

  test('is sold out when it is: refused, not charged, shown to everyone, and on sale again after an import', async () => {
    await sellOut('bece')
    await stockCheckers(shop, 'BECE', 2)
    await sellOut('bece')
    expect(await packageOf('BECE')).toMatchObject({ soldOut: true })
    expect(await packageOf('WASSCE')).not.toHaveProperty('soldOut')
    const { status, body } = await buy()
    expect([status, body]).toMatchObject([
      409,
      {
        code: 'NOT_AVAILABLE',
        message: 'WAEC Checkers BECE is sold out at the moment. Nothing was charged.',
        issues: [{ path: 'items.0.offer' }],
      },
    ])
    expect(await balanceOf(shop, buyer._id)).toBe(10_000)
    const byCard = await post('/payment', { purpose: 'order', items: [await line()] }, buyer)
    expect([byCard.status, byCard.body.issues?.[0]?.path]).toEqual([409, 'items.0.offer'])
    expect((await query('select from payments where user_id = $1', [buyer._id])).rowCount).toBe(0)
    await stockCheckers(shop, 'BECE', 1)
    expect(await packageOf('BECE')).not.toHaveProperty('soldOut')
    const key = randomUUID()
    const two = [await line(), await line()]
    const short = await checkout(shop, buyer, two, key)
    const said = { code: 'NOT_AVAILABLE', issues: [{ path: 'items.1.offer', message: expect.stringContaining('is sold out') }] }
    expect(short.body).toMatchObject(said)
    // The stored refusal says the same.
    expect((await checkout(shop, buyer, two, key)).body).toMatchObject(said)
    expect((await buy()).status).toBe(200)
  })

  test('is the oldest that is left, also of those that were written anew since', async () => {
    await sellOut('bece')
    const { importId, lines } = await stockCheckers(shop, 'BECE', 3)
    await query('update checker_codes set sealed = sealed where id = (select min(id) from checker_codes where import_id = $1)', [importId])
    // However the database reads the stock.
    const { rows } = await query(`select indexdef as made from pg_indexes where indexname = 'checker_codes_stock'`)
    await query('drop index checker_codes_stock')
    const { body } = await buy()
    await query(rows[0].made)
    expect((await codesOf(body.orders[0] as Order)).map(({ serial }) => serial)).toEqual([lines[0]?.serial])
  })

  test('is held for a purchase only as far as its lines need it: others may buy the rest meanwhile', async () => {
    await sellOut('bece')
    await stockCheckers(shop, 'BECE', 2)
    const [data, checker] = [await cartLine(shop), await line()]
    const tx = await shop.database.db.connect()
    try {
      await tx.query('begin')
      const items = [data, checker]
      const short = await tx.query('select short_of_checkers($1::uuid[], $2) as place', [
        items.map(({ productId }) => productId),
        items.map(({ offer }) => offer),
      ])
      expect(short.rows).toEqual([{ place: null }])
      expect([(await buy()).status, (await buy()).status]).toEqual([200, 409])
    } finally {
      await tx.query('rollback')
      tx.release()
    }
    expect((await buy()).status).toBe(200)
  })

  test('counts for its own lines of a cart, and not for others', async () => {
    await sellOut('bece')
    await sellOut('wassce')
    await stockCheckers(shop, 'BECE', 1)
    await stockCheckers(shop, 'WASSCE', 1)
    const { status, body } = await checkout(shop, buyer, [await cartLine(shop), await line('WASSCE'), await line()])
    expect([status, body.orders.map((order) => order.status)]).toEqual([200, ['pending', 'completed', 'completed']])
    await stockCheckers(shop, 'BECE', 1)
    await stockCheckers(shop, 'WASSCE', 1)
    const items = [await cartLine(shop), await line('WASSCE'), await line(), await line()]
    const short = await checkout(shop, await makeUser(shop, { balance: 200 }), items)
    expect([short.status, (short.body as unknown as ErrorBody).issues?.map(({ path }) => path)]).toEqual([409, ['items.3.offer']])
  })

  test('has one buyer each, when twenty want the last five', async () => {
    await sellOut('bece')
    const { lines } = await stockCheckers(shop, 'BECE', 5)
    const buyers = await Promise.all(Array.from({ length: 20 }, () => makeUser(shop, { balance: 20 })))
    const item = await line()
    const replies = await Promise.all(buyers.map((as) => checkout(shop, as, [item])))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(15)
    const sold = await Promise.all(replies.flatMap(({ body }, at) => (body.orders ? [codesOf(body.orders[0] as Order, buyers[at])] : [])))
    expect(sold.flatMap(bare).toSorted(bySerial)).toEqual(lines.toSorted(bySerial))
    const balances = await Promise.all(buyers.map(({ _id }) => balanceOf(shop, _id)))
    expect(balances.toSorted((a, b) => a - b)).toEqual([...Array(5).fill(100), ...Array(15).fill(2_000)])
  })

  test('is refused before a card payment begins where the stock does not suffice for the cart', async () => {
    await sellOut('bece')
    await stockCheckers(shop, 'BECE', 2)
    const items = [await line(), await cartLine(shop), await line(), await line()]
    const refused = await post<PaymentReply>('/payment', { purpose: 'order', items }, buyer)
    expect([refused.status, refused.body.code, refused.body.issues?.map(({ path }) => path)]).toEqual([
      409,
      'NOT_AVAILABLE',
      ['items.3.offer'],
    ])
    expect((await post<PaymentReply>('/payment', { purpose: 'order', items: items.slice(0, 3) }, buyer)).status).toBe(200)
  })

  test('paid for by card and sold out meanwhile leaves the money in the wallet', async () => {
    await stockCheckers(shop, 'BECE', 1)
    await sellOut('wassce')
    await stockCheckers(shop, 'WASSCE', 1)
    const provider = shop.sandbox!.cardProvider
    const pay = async () => {
      const { body } = await post<PaymentReply>('/payment', { purpose: 'order', items: [await line('WASSCE')] }, buyer)
      return body
    }
    const [good, late] = [await pay(), await pay()]
    for (const { reference } of [good, late]) {
      await provider.pay(reference)
      await post(`/payment/${reference}/confirm`, {}, buyer)
    }
    const { rows } = await query('select payment_reference as by, status from orders where user_id = $1', [buyer._id])
    expect(rows).toEqual([{ by: good.reference, status: 'completed' }])
    expect(await balanceOf(shop, buyer._id)).toBeGreaterThanOrEqual(10_000 + 2_100)
  })
})

const bySerial = (a: { serial: string }, b: { serial: string }) => a.serial.localeCompare(b.serial)

describe('a guest of an agent’s shop', () => {
  test('gets it once the payment is settled, sees it with the number that bought it alone, and the agent earns at once', async () => {
    await query('update agent_shop_rules set new_shops = true')
    const agent = await makeUser(shop, { level: 'Agent' })
    const slug = `cards-${agent._id.slice(0, 6)}`
    const look = { slug, name: 'Akosua Cards', about: null, colour: 'plum', phone: null, whatsapp: null }
    expect((await call<OwnShopReply>(shop, 'POST', '/my-shop', { as: agent, body: look })).status).toBe(200)
    await sellOut('bece')
    await stockCheckers(shop, 'BECE', 0)
    type Offers = { shop: { offers: { offer: string; price: number }[] } }
    const shown = async () => (await call<Offers>(shop, 'GET', `/shops/${slug}`)).body.shop.offers.find(({ offer }) => offer === 'BECE')
    expect(await shown()).toBeUndefined()
    const { lines } = await stockCheckers(shop, 'BECE', 1)
    const { price } = (await shown())!
    const items = [{ ...(await line()), amount: price }]
    const cookies: Record<string, string>[] = []
    const pay = async () => {
      const begun = await call<PaymentReply>(shop, 'POST', `/shops/${slug}/payment`, {
        ...(cookies[0] && { headers: cookies[0] }),
        body: { phone: '0245550142', items },
      })
      cookies.push({ cookie: String(begun.headers['set-cookie']).split(';')[0] as string })
      return begun.body.reference
    }
    const [reference, late] = [await pay(), await pay()]
    for (const paid of [reference, late]) {
      await shop.sandbox!.cardProvider.pay(paid)
      await call(shop, 'POST', `/shops/payment/${paid}/confirm`, { body: {} })
    }
    const { rows } = await query('select id, reference, status from orders where payment_reference in ($1, $2)', [reference, late])
    expect(rows).toMatchObject([{ status: 'completed' }])
    // One browser keeps its id from payment to payment; in another the reference and the number, which staff see, show nothing.
    expect(cookies[1]).toEqual(cookies[0])
    const ask = (phoneNumber: string, headers = cookies[0] as Record<string, string>) =>
      call<{ checkers: OwnChecker[] }>(shop, 'POST', `/track/${rows[0]?.reference}/checkers`, { headers, body: { phoneNumber } })
    for (const headers of [{}, { cookie: `guest=${'x'.repeat(32)}` }])
      expect(await ask('0245550142', headers as Record<string, string>)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(bare((await ask('0245550142')).body.checkers)).toEqual(lines)
    expect((await ask('0245550143')).status).toBe(404)
    expect(bare((await ask('0551234567')).body.checkers)).toEqual(lines)
    const send = (phoneNumber: string) =>
      post<{ message: string; code: string }>(`/track/${rows[0]?.reference}/checkers/send`, { phoneNumber })
    const texts = () => shop.sandbox!.sms.messages().filter(({ body }) => body.includes(lines[0]!.pin))
    await until(() => texts().length === 1)
    expect([(await send('0245550143')).status, (await send('0245550142')).body.code]).toEqual([404, 'CONFLICT'])
    for (let times = 2; times <= 6; times++) {
      shop.clock.advance(5 * 60_000)
      expect((await send('0245550142')).body.message).toBe('We are sending it to 055 ••• 4567.')
      await until(() => texts().length === times)
    }
    shop.clock.advance(5 * 60_000)
    expect((await send('0245550142')).body.message).toBe('We have sent it often enough by SMS. Please call us.')
    const tracked = await call(shop, 'GET', `/track/${rows[0]?.reference}`)
    expect(JSON.stringify(tracked.body)).not.toContain(lines[0]!.pin)
    const owed = await query('select status from refunds where payment_reference = $1', [late])
    expect(owed.rowCount).toBe(1)
    const begin = () =>
      call<PaymentReply & ErrorBody>(shop, 'POST', `/shops/${slug}/payment`, { body: { phone: '0245550142', items: [items[0], items[0]] } })
    await stockCheckers(shop, 'BECE', 1)
    expect((await begin()).body).toMatchObject({ code: 'NOT_AVAILABLE', issues: [{ path: 'items.1.offer' }] })
    // One is left meanwhile, and this guest has paid for two: they get none, and all of their money back.
    await stockCheckers(shop, 'BECE', 1)
    const two = await begin()
    expect((await buy()).status).toBe(200)
    await shop.sandbox!.cardProvider.pay(two.body.reference)
    await call(shop, 'POST', `/shops/payment/${two.body.reference}/confirm`, { body: {} })
    const ofTwo = await query(
      `select (select count(*)::integer from orders where payment_reference = $1) as orders, amount_pesewas as "owedPesewas"
       from refunds where payment_reference = $1`,
      [two.body.reference],
    )
    expect(ofTwo.rows).toEqual([{ orders: 0, owedPesewas: Math.round(two.body.amount) }])
    const earned = await query(
      `select amount_pesewas from postings p join journal_entries e on e.id = p.entry_id join wallets w on w.account_id = p.account_id
      where e.key = 'delivery:' || $1 and w.shop_id is not null`,
      [rows[0]?.id],
    )
    expect(earned.rows[0]?.amount_pesewas).toBeGreaterThan(0)
  })
})

describe('the developer API', () => {
  test('sells it and gives the codes to the key of its owner alone', async () => {
    await stockCheckers(shop, 'BECE', 1)
    const [agent, other] = await Promise.all([1, 2].map(() => makeUser(shop, { level: 'Agent', balance: 100 })))
    const keyOf = async (as: SignedInUser) => {
      const scopes = ['orders:read', 'orders:write', 'catalogue:read']
      const made = await call<{ secret: string }>(shop, 'POST', '/api-keys', { as, body: { name: 'till', scopes, isTest: false } })
      return made.body.secret
    }
    const v1 = async (method: 'GET' | 'POST', path: string, secret: string, payload?: object) => {
      const reply = await shop.app.inject({
        method,
        url: `/v1${path}`,
        headers: { authorization: `Bearer ${secret}`, ...(method === 'POST' && { 'idempotency-key': randomUUID() }) },
        ...(payload && { payload }),
      })
      return { status: reply.statusCode, body: reply.json() }
    }
    const secret = await keyOf(agent!)
    const wanted = { network: 'WAEC Checkers', offer: 'BECE', receiver: '0551234567', expected_price: '16.50' }
    const bought = await v1('POST', '/orders', secret, wanted)
    expect(bought).toMatchObject({ status: 201, body: { status: 'completed' } })
    const codes = await v1('GET', `/orders/${bought.body.id}/checkers`, secret)
    expect([codes.status, codes.body.data]).toEqual([
      200,
      [{ name: 'BECE', serial: expect.any(String), pin: expect.any(String), portal: 'https://eresults.waecgh.org', replaced: false }],
    ])
    expect((await v1('GET', `/orders/${bought.body.id}/checkers`, await keyOf(other!))).status).toBe(404)
  })
})

describe('an import', () => {
  const request = (lines: unknown[], more = {}) => ({ kind: 'wassce', distributor: 'Kwame', unitCost: 15.5, lines, ...more })

  test('says of each line whether it is good, and keeps none of what is not', async () => {
    await sellOut('bece')
    const sold = (await stockCheckers(shop, 'WASSCE', 1)).lines[0]!
    await sellOut('wassce')
    const held = (await stockCheckers(shop, 'WASSCE', 1)).lines[0]!
    const good = makeCode()
    const lines = [
      good,
      { ...good, serial: good.serial.toLowerCase() },
      held,
      { ...makeCode(), pin: sold.pin },
      { serial: '1.23457E+11', pin: '123456789012' },
      { serial: 'AB12', pin: '12' },
    ]
    const checked = await post<{ lines: { state: string; problem: string | null }[] }>('/admin/checkers/check', { kind: 'wassce', lines })
    expect(checked.body.lines.map(({ state }) => state)).toEqual(['good', 'twice', 'in-stock', 'sold', 'malformed', 'malformed'])
    expect(checked.body.lines[4]?.problem).toBe(
      'The serial was shortened by a spreadsheet. Save that column as text and choose the file again.',
    )
    const torn = [held, { ...held, pin: makeCode().pin }, { ...makeCode(), pin: good.pin }, good]
    const both = await post<{ lines: { state: string }[] }>('/admin/checkers/check', { kind: 'wassce', lines: torn })
    expect(both.body.lines.map(({ state }) => state)).toEqual(Array(4).fill('malformed'))
    const before = await kindOf('wassce')
    const refused = await post('/admin/checkers/imports', request(lines))
    expect([refused.status, refused.body.code, refused.body.issues?.[0]?.path]).toEqual([409, 'TAKEN', 'lines.1'])
    const malformed = await post('/admin/checkers/imports', request([good, lines[5]]))
    expect([malformed.status, malformed.body.issues?.[0]?.path]).toEqual([400, 'lines.1'])
    expect(await kindOf('wassce')).toEqual(before)
    const twice = await Promise.all([1, 2, 3].map(() => post('/admin/checkers/imports', request([good]))))
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const kept = await query('select kind, sealed, tail from checker_codes')
    expect(JSON.stringify(kept.rows.map((row) => ({ ...row, sealed: row.sealed.toString('latin1') })))).not.toContain(good.pin)
  })

  test('is taken back, and may come again, as long as nothing of it is sold', async () => {
    const { importId, lines } = await stockCheckers(shop, 'BECE', 2)
    expect((await takeBack(importId)).status).toBe(200)
    expect((await takeBack(importId)).body).toMatchObject({ code: 'ALREADY_DECIDED' })
    expect((await post('/admin/checkers/imports', { ...request(lines), kind: 'bece' })).status).toBe(200)
    const { imports } = (await call<CheckerStock>(shop, 'GET', '/admin/checkers', { as: owner })).body
    await sellOut('bece')
    expect((await takeBack(imports[0]!._id)).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('are sold') })
  })

  test('says how many of it are sold, and is taken back once when two do it at the same moment', async () => {
    await sellOut('bece')
    const { importId } = await stockCheckers(shop, 'BECE', 2)
    const other = await stockCheckers(shop, 'WASSCE', 1)
    await buy()
    const { imports } = (await call<CheckerStock>(shop, 'GET', '/admin/checkers', { as: owner })).body
    const soldOf = (id: string) => imports.find(({ _id }) => _id === id)?.sold
    expect([soldOf(importId), soldOf(other.importId)]).toEqual([1, 0])

    const tx = await shop.database.db.connect()
    try {
      await tx.query('begin')
      await tx.query('select from checker_codes where import_id = $1 for update', [other.importId])
      const both = [takeBack(other.importId), takeBack(other.importId)]
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until(async () => ((await query(waiting)).rowCount ?? 0) >= 2)
      await tx.query('rollback')
      expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 409])
    } finally {
      await tx.query('rollback')
      tx.release()
    }
  })

  test('has one code voided with a reason: it is never sold, its cost is a loss, and the import can no longer be taken back', async () => {
    await sellOut('bece')
    const { importId, lines } = await stockCheckers(shop, 'BECE', 3)
    const before = await houseOf()
    const list = async (search = '') =>
      (
        await call<ImportedChecker[]>(shop, 'GET', `/admin/checkers/imports/${importId}/codes`, {
          as: owner,
          query: { page: '1', pageSize: '50', ...(search && { search }) },
        })
      ).body
    expect((await list()).map(({ serialEnd, state }) => [serialEnd, state])).toEqual(
      lines.map(({ serial }) => [serial.slice(-4), 'in-stock']),
    )
    const [bad] = (await list(lines[0]!.serial)).slice(0, 1) as [ImportedChecker]
    const voided = (reason: unknown, as = owner, id = bad._id) => post(`/admin/checker-codes/${id}/void`, { reason }, as)
    expect((await voided('x')).body.issues?.[0]?.path).toBe('reason')
    expect((await voided('Already used', await makeUser(shop, { roles: ['support'] }))).status).toBe(403)
    expect((await voided('Already used', owner, '999999999')).status).toBe(404)
    expect(await houseOf()).toEqual(before)

    expect((await voided('Already used')).status).toBe(200)
    expect((await voided('Already used')).body.code).toBe('ALREADY_DECIDED')
    expect(await houseOf()).toEqual({ stock: before.stock + 1500, losses: before.losses - 1500 })
    expect((await list())[0]).toMatchObject({ state: 'voided', reason: 'Already used', by: owner.username, order: null })
    expect((await takeBack(importId)).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('1 of its codes are voided'),
    })
    // It stays known, so that it doesn't come in again with the next file.
    expect((await post('/admin/checkers/imports', { ...request([lines[0]!]), kind: 'bece' })).body.code).toBe('TAKEN')
    expect(await kindOf('bece')).toMatchObject({ inStock: 2, value: 30 })
    const bought = [await buy(), await buy(), await buy()]
    expect(bought.map(({ status }) => status)).toEqual([200, 200, 409])
    const sold = (await list()).find(({ state }) => state === 'sold') as ImportedChecker
    expect((await voided('Too late', owner, sold._id)).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('sold') })
    expect(await checkLedger(shop.database.db)).toEqual([])
    await expect(
      query('update checker_codes set order_id = $2, n = 9, sold_at = now() where id = $1', [bad._id, randomUUID()]),
    ).rejects.toThrow(/not for sale/)
  })

  test('has its last code voided and bought at the same moment: one of the two comes about, twenty times', async () => {
    await sellOut('bece')
    for (let round = 0; round < 20; round++) {
      const code = await makeUnsoldCode(shop)
      const as = await makeUser(shop, { balance: 100 })
      const acts = [() => buy('BECE', as), () => post(`/admin/checker-codes/${code}/void`, { reason: 'Already used' })]
      const [one, other] = await Promise.all((round % 2 ? acts : acts.toReversed()).map((act) => act()))
      expect([one?.status, other?.status].sort()).toEqual([200, 409])
      const { rows } = await query('select order_id, voided_at from checker_codes where id = $1', [code])
      const isSold = rows[0].order_id !== null
      expect(rows[0].voided_at === null).toBe(isSold)
      expect(await balanceOf(shop, as._id)).toBe(isSold ? 10_000 - (await priceOfBece()) : 10_000)
    }
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test.each(['purchase', 'voiding'] as const)(
    'has a code that is bought and voided at once: the %s has it first, and the other is refused',
    async (first) => {
      await sellOut('bece')
      const code = await makeUnsoldCode(shop)
      const acts = { purchase: () => buy(), voiding: () => post(`/admin/checker-codes/${code}/void`, { reason: 'Already used' }) }
      const later = first === 'purchase' ? 'voiding' : 'purchase'
      // Both record what they did, with the code locked by then.
      const holder = await shop.database.db.connect()
      await holder.query('begin; lock table admin_actions in share mode')
      const winner = acts[first]()
      await until(() => isWaitedFor(holder))
      const loser = acts[later]()
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%checker_codes%for update%'`
      // A purchase passes a held code by instead of waiting.
      if (later === 'voiding') await until(async () => (await query(waiting)).rowCount === 1)
      else expect((await loser).status).toBe(409)
      await holder.query('rollback')
      holder.release()
      expect([(await winner).status, (await loser).status]).toEqual([200, 409])
      expect(await checkLedger(shop.database.db)).toEqual([])
    },
  )

  test('of a kind or by a person that may not is refused', async () => {
    expect((await post('/admin/checkers/imports', request([makeCode()], { kind: 'lottery' }))).body.issues?.[0]?.path).toBe('kind')
    expect((await post('/admin/checkers/imports', request([makeCode()], { unitCost: 0 }))).body.issues?.[0]?.path).toBe('unitCost')
    const support = await makeUser(shop, { roles: ['support'] })
    expect((await post('/admin/checkers/imports', request([makeCode()]), support)).status).toBe(403)
  })
})

describe('a sold code', () => {
  test('is shown to its buyer alone; staff see its end, and are recorded when they look', async () => {
    const { order, code } = await makeCheckerOrder(shop, buyer)
    const [own] = await codesOf(order)
    for (const as of [owner, await makeUser(shop)]) {
      expect((await call(shop, 'GET', `/order/${order._id}/checkers`, { as })).status).toBe(404)
    }
    const masked = await call<{ checkers: SoldChecker[] }>(shop, 'GET', `/admin/order/${order._id}/checkers`, { as: owner })
    expect(masked.body.checkers).toMatchObject([{ _id: String(code), serialEnd: own!.serial.slice(-4), fault: null }])
    expect(JSON.stringify(masked.body)).not.toContain(own!.pin)
    // Whoever knows the reference and the number of a customer's order is no guest.
    for (const path of ['checkers', 'checkers/send']) {
      expect((await post(`/track/${order.reference}/${path}`, { phoneNumber: '0551234567' })).status).toBe(404)
    }
    expect((await post(`/admin/order/${order._id}/checkers/reveal`, { reason: ' ' })).status).toBe(400)
    const revealed = await post<{ checkers: OwnChecker[] }>(`/admin/order/${order._id}/checkers/reveal`, { reason: 'She deleted the SMS' })
    expect(revealed.body.checkers).toEqual([own])
    const { rows } = await query(`select * from admin_actions where subject_id = $1 order by id`, [order._id])
    expect(rows).toMatchObject([
      { action: 'order.completed', actor_id: null },
      { action: 'checkers.revealed', after: { roles: ['owner'], codes: 1 }, note: 'She deleted the SMS' },
    ])
    expect(JSON.stringify(rows)).not.toContain(own!.pin)
  })

  test('is texted to the receiver once without being stored, and again when it was asked for, not too often', async () => {
    const { order } = await makeCheckerOrder(shop, buyer)
    const [own] = await codesOf(order)
    const texts = () => shop.sandbox!.sms.messages().filter(({ body }) => body.includes(own!.pin))
    await until(() => texts().length === 1)
    expect(texts()[0]!.body).toContain(`order ${order.number}. Serial: ${own!.serial} PIN: ${own!.pin} Use it at eresults.waecgh.org`)
    const stored = await query(`select body from sms_messages where kind = 'checker'`)
    expect(JSON.stringify(stored.rows)).not.toContain(own!.pin)
    const send = (by = 'sms', as = buyer) => post(`/order/${order._id}/checkers/send`, { by }, as)
    expect((await send()).body).toMatchObject({ code: 'CONFLICT' })
    shop.clock.advance(5 * 60_000)
    expect((await send()).body.message).toBe('We are sending it to 055 ••• 4567.')
    await until(() => texts().length === 2)
    expect((await send('sms', await makeUser(shop))).status).toBe(404)
    const mails = (to = buyer) => shop.sandbox!.mail.messages().filter((mail) => mail.to === to.email)
    await until(() => mails().length === 1)
    expect((await send('email')).body.message).toBe(`We are sending it to ${buyer.email}.`)
    await until(() => mails().length === 2)
    for (const mail of mails()) expect(mail.body).toContain(`Serial: ${own!.serial}\nPIN: ${own!.pin}`)
  })

  test.each([
    ['Customer', ['mail-checkers']],
    ['Agent', []],
  ])('is mailed by itself to who buys it as %s: agents sell it on, and ask where they want a mail', async (level, mailed) => {
    const { order } = await makeCheckerOrder(shop, buyer)
    await query('update users set level = $2 where id = $1', [buyer._id, level])
    const queues: string[] = []
    const { ctx } = makeCtx(shop)
    Object.assign(ctx, { jobs: { wake: () => {}, enqueue: async (_: unknown, queue: string) => void queues.push(queue) } })
    const sms = { sender: null } as SmsGateway
    await sendNewCheckers(ctx, { sms, mails: { dailyCap: 1_000 } }, { orderId: order._id })
    await sendNewCheckers(ctx, { sms, mails: null }, { orderId: order._id })
    expect(queues).toEqual(mailed)
  })

  test('is mailed no more than five times to who asks, and while there are mails for those who forgot their password', async () => {
    const { order } = await makeCheckerOrder(shop, buyer)
    const limited = openRateLimiter(databaseBuckets(shop.database.db), () => shop.clock.now)
    const { ctx } = makeCtx(shop, { id: buyer._id, email: buyer.email, sessionHash: hashToken(buyer.token) })
    Object.assign(ctx, { jobs: { wake: () => {}, enqueue: async () => {} } })
    const send = (mails: { dailyCap: number } | null, limiter = limited) =>
      sendOwnCheckers(ctx, { sms: {} as SmsGateway, mails, limiter }, { named: order._id, by: 'email' })
    for (const _ of [1, 2, 3, 4, 5]) expect(await send({ dailyCap: 1_000 })).toContain(buyer.email)
    await expect(send({ dailyCap: 1_000 })).rejects.toMatchObject({ status: 429 })
    const unlimited = openRateLimiter(null, () => shop.clock.now)
    await expect(send(null, unlimited)).rejects.toMatchObject({ code: 'CONFLICT' })
    const day = shop.clock.now.toISOString().slice(0, 10)
    const used = (mails: number) =>
      query('insert into mail_days (day, used) values ($1, $2) on conflict (day) do update set used = $2', [day, mails])
    // Mails of other tests may be on their way meanwhile.
    await used(480)
    expect(await send({ dailyCap: 1_000 }, unlimited)).toContain(buyer.email)
    await used(500)
    await expect(send({ dailyCap: 1_000 }, unlimited)).rejects.toMatchObject({ code: 'CONFLICT' })
    await used(0)
  })

  test('that is faulty is replaced once, at the shop’s cost, and never again', async () => {
    const { order, code } = await makeCheckerOrder(shop, buyer)
    const [faulty] = await codesOf(order)
    const replace = (id: number | string) =>
      post<{ checkers: SoldChecker[] }>(`/admin/checker-codes/${id}/replace`, { reason: 'Used already' })
    shop.clock.advance(60_000)
    const replies = await Promise.all([1, 2, 3].map(() => replace(code)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const codes = await codesOf(order)
    expect(codes.map(({ replaced }) => replaced)).toEqual([true, false])
    expect(codes[0]?.serial).toBe(faulty?.serial)
    const { checkers } = replies.find(({ status }) => status === 200)!.body
    expect((await replace(checkers[1]!._id)).body.message).toContain('is a replacement itself')
    const texted = await query(
      'select c.id from sms_messages m join checker_codes c on c.id = m.checker_code_id where c.order_id = $1 and m.asked_at = $2',
      [order._id, shop.clock.now],
    )
    expect(texted.rows.map(({ id }) => String(id))).toEqual([checkers[1]!._id])
    const { rows } = await query(
      `select sum(p.amount_pesewas)::integer as loss from postings p join journal_entries e on e.id = p.entry_id
      where e.kind = 'checker-loss' and e.memo like $1 and p.account_id = 22`,
      [`%order ${order.number}`],
    )
    expect(rows).toEqual([{ loss: -1500 }])
    const day = shop.clock.now.toISOString().slice(0, 10)
    const profit = await call<{ other: { checkerLosses: number } }>(shop, 'GET', '/admin/profit', {
      as: owner,
      query: { from: day, until: day },
    })
    expect(profit.body.other.checkerLosses).toBeGreaterThanOrEqual(15)
  })

  test('that is faulty is replaced up to what staff may move alone in a day, by what buyers paid, and beyond it by an owner', async () => {
    // The codes cost 15.00 each, and were sold for 21.00.
    await query('update staff_rules set second_person_above_pesewas = 3000')
    const clerk = await makeUser(shop, { roles: ['support'] })
    const codes = [(await makeCheckerOrder(shop, buyer)).code, (await makeCheckerOrder(shop, buyer)).code]
    const replace = (code: number, as: { token: string }) =>
      call<ErrorBody>(shop, 'POST', `/admin/checker-codes/${code}/replace`, { as, body: { reason: 'Used already' } })
    expect((await replace(codes[0]!, clerk)).status).toBe(200)
    const refused = await replace(codes[1]!, clerk)
    expect([refused.status, refused.body.code]).toEqual([409, 'SECOND_PERSON_NEEDED'])
    expect((await replace(codes[1]!, owner)).status).toBe(200)
    await query('update staff_rules set second_person_above_pesewas = null')
  })

  test('of an order that was refunded is its buyer’s no more: neither shown nor sent, by no way; staff see what it was', async () => {
    const { order, code } = await makeCheckerOrder(shop, buyer)
    const [own] = await codesOf(order)
    shop.clock.advance(3 * 60 * 60_000)
    owner = await makeUser(shop, { level: 'Admin' })
    const opened = await post<{ report: { _id: string } }>(`/order/${order._id}/report`, { text: 'It says that the PIN is used' }, buyer)
    const ended = await call(shop, 'PUT', `/admin/reports/${opened.body.report._id}/end`, {
      as: owner,
      body: { outcome: 'refunded', text: 'We are sorry: your money is back' },
    })
    expect([opened.status, ended.status]).toEqual([200, 200])
    expect(await codesOf(order)).toEqual([])
    for (const by of ['sms', 'email']) {
      expect((await post(`/order/${order._id}/checkers/send`, { by }, buyer)).body.message).toContain('was refunded')
    }
    expect((await post(`/admin/order/${order._id}/checkers/send`)).body.message).toContain('was refunded')
    // One that was asked for before the refund and is sent after it.
    const { text, tried } = await sendByHand(code, 'accepted')
    expect([text, tried]).toEqual([null, { status: 'failed', detail: 'there was nothing to say any more' }])
    const looked = await post<{ checkers: OwnChecker[] }>(`/admin/order/${order._id}/checkers/reveal`, { reason: 'For the distributor' })
    expect(looked.body.checkers).toEqual([own])
    const replaced = await post(`/admin/checker-codes/${code}/replace`, { reason: 'Used already' })
    expect([replaced.status, replaced.body.message]).toEqual([409, 'That order is refunded, so there is nothing to replace.'])
  })

  test.each(['rejected', 'not-taken', 'unknown'] as const)(
    'is not kept when the message service (%s) repeats the text in its answer',
    async (outcome) => {
      const { order, code } = await makeCheckerOrder(shop, buyer)
      const [own] = await codesOf(order)
      const { text, tried, logged } = await sendByHand(code, outcome)
      expect(text).toContain(`Serial: ${own!.serial} PIN: ${own!.pin}`)
      expect(tried.detail).toContain('Not allowed: Dwadi')
      for (const kept of [JSON.stringify(tried), logged]) {
        for (const part of [own!.serial, own!.pin, own!.pin.slice(0, 6)]) expect(kept).not.toContain(part)
      }
    },
  )

  test('whose message another process is sending goes on by its own job, which alone knows the code', async () => {
    const { code } = await makeCheckerOrder(shop, buyer)
    const { queues } = await sendByHand(code, 'accepted', 'sending')
    expect(queues).toEqual(['send-checker'])
  })

  test('is sent also when codes that anybody asks for have used up their half of the day', async () => {
    const { code } = await makeCheckerOrder(shop, buyer)
    const day = shop.clock.now.toISOString().slice(0, 10)
    const use = (used: number) =>
      query('insert into sms_days (day, used) values ($1, $2) on conflict (day) do update set used = excluded.used', [day, used])
    const cap = (await query('select sms_daily_cap as most from operations_settings')).rows[0]?.most as number
    await use(cap - 1)
    expect((await sendByHand(code, 'accepted')).tried.status).toBe('sent')
    await use(cap)
    expect((await sendByHand(code, 'accepted')).tried.status).toBe('over-cap')
    await query('delete from sms_days')
  })

  /** Sends a message with the code by a service that answers so, and repeats the text; `status` is where the message stands before. */
  async function sendByHand(codeId: number, outcome: 'accepted' | 'rejected' | 'not-taken' | 'unknown', status = 'waiting') {
    const body = 'Dwadi: WASSCE checker. Serial: xxxx-xxxx PIN: xxxx-xxxx-xxxx'
    const message = { codeId, receiver: '0551234567', body, askedAt: new Date(0), now: shop.clock.now }
    const messageId = (await transaction(shop.database.db, (tx) => insertCodeMessage(tx, message))) as string
    await query('update sms_messages set status = $2, sending_since = clock_timestamp() where id = $1', [messageId, status])
    let text: string | null = null
    const send = async (sent: { text: string }) => {
      text = sent.text
      return outcome === 'accepted' ? { outcome, providerId: null } : { outcome, reason: `Not allowed: ${sent.text}` }
    }
    const sms: SmsGateway = {
      sender: { provider: 'arkesel', send } as unknown as SmsSender,
      shopName: 'Dwadi',
      shopPhone: '',
      timings: TIMINGS,
    }
    const queues: string[] = []
    const { ctx, logged } = makeCtx(shop)
    Object.assign(ctx, { jobs: { wake: () => {}, enqueue: async (_: unknown, queue: string) => void queues.push(queue) } })
    const failed = await sendCheckerMessage(ctx, sms, TEST_VAULT, { messageId }).catch((error: Error) => error.message)
    const { rows } = await query('select status, detail from sms_messages where id = $1', [messageId])
    await query('delete from sms_messages where id = $1', [messageId])
    return { text, tried: rows[0] as { status: string; detail: string }, logged: `${JSON.stringify(logged)} ${failed}`, queues }
  }

  test('stays sold for good, whatever somebody tries in the database', async () => {
    const { code } = await makeCheckerOrder(shop, buyer)
    for (const change of [
      'order_id = null, n = null, sold_at = null',
      `serial_hash = 'x'`,
      'unit_cost_pesewas = 1',
      'taken_back_at = now()',
    ]) {
      await expect(query(`update checker_codes set ${change} where id = $1`, [code])).rejects.toThrow()
    }
    await expect(query('delete from checker_codes where id = $1', [code])).rejects.toThrow()
    await expect(query('truncate checker_codes cascade')).rejects.toThrow('checker_codes')
  })

  test('is encrypted under today’s key after a change of keys, and opens under no other', async () => {
    const { code } = await makeCheckerOrder(shop, buyer)
    const next = openVault({ key: 'another key, of next year', previousKey: 'the key of the checkers of a test' })
    const { ctx } = makeCtx(shop)
    expect(await sealCodesAnew(ctx, next)).toBeGreaterThan(0)
    expect(await sealCodesAnew(ctx, next)).toBe(0)
    const sealed = async () => (await query('select sealed from checker_codes where id = $1', [code])).rows[0]?.sealed as Buffer
    expect(() => TEST_VAULT.open(Buffer.from([]))).toThrow('under another key')
    const kept = await sealed()
    expect(() => TEST_VAULT.open(kept)).toThrow('under another key')
    expect(next.open(kept)).toContain('S')
    kept[kept.length - 1]! ^= 1
    expect(() => next.open(kept)).toThrow()
    await sealCodesAnew(ctx, openVault({ key: 'the key of the checkers of a test', previousKey: 'another key, of next year' }))
    expect(TEST_VAULT.open(await sealed())).toContain('S')
  })
})

test('the owner is told once that few are left, and again after there were enough', async () => {
  await sellOut('bece')
  await stockCheckers(shop, 'BECE', 3)
  const low = (lowStock: number) =>
    call(shop, 'PUT', '/admin/checkers/kinds/bece', { as: owner, body: { name: 'BECE', portal: 'https://eresults.waecgh.org', lowStock } })
  const told = async () => {
    const logged = makeCtx(shop)
    const sms = { sender: null, shopPhone: '0240000000', shopName: 'Dwadi' }
    Object.assign(logged.ctx, { jobs: { wake: () => {}, enqueue: async () => {} } })
    await notifyLowStock(logged.ctx, sms as never)
    return logged.logged.map(({ msg }) => msg)
  }
  await low(3)
  expect(await told()).toEqual([])
  await low(4)
  expect(await told()).toEqual(['ALARM checkers-low'])
  expect(await told()).toEqual([])
  const inbox = await call<{ groups: { kind: string; detail: string; count: number }[] }>(shop, 'GET', '/admin/inbox', { as: owner })
  expect(inbox.body.groups).toContainEqual(expect.objectContaining({ kind: 'checkers-low', detail: 'BECE', count: 3 }))
  await low(3)
  expect(await told()).toEqual([])
  await low(9)
  expect(await told()).toEqual(['ALARM checkers-low'])
})

test('the owner is not told of a kind that no package on sale is made of', async () => {
  await sellOut('bece')
  const { body } = await call<CheckerStock>(shop, 'GET', '/admin/checkers', { as: owner })
  const kind = body.kinds.find((one) => one.kind === 'bece')!
  const isLow = async () => (await selectLevels(shop.database.db)).some((one) => one.kind === 'bece' && one.isLow)
  expect([kind.inStock, await isLow()]).toEqual([0, true])
  await query(`update packages set hidden = true where offer = 'BECE'`)
  expect(await isLow()).toBe(false)
  await query(`update packages set hidden = false where offer = 'BECE'`)
  expect(await isLow()).toBe(true)
})

test('the record of a change says what that kind was before, and a package that is sold by hand again leaves the others in the stock', async () => {
  const change = (kind: string, lowStock: number) =>
    call(shop, 'PUT', `/admin/checkers/kinds/${kind}`, {
      as: owner,
      body: { name: kind.toUpperCase(), portal: 'https://eresults.waecgh.org', lowStock },
    })
  await change('wassce', 41)
  await change('bece', 42)
  await change('wassce', 43)
  const { rows } = await query(
    `select subject_id as kind, before ->> 'name' as name, before ->> 'lowStock' as was from admin_actions where action = 'checkers.kind'
     order by id desc limit 1`,
  )
  expect(rows).toEqual([{ kind: 'wassce', name: 'WASSCE', was: '41' }])

  await stockCheckers(shop, 'BECE', 1)
  await stockCheckers(shop, 'WASSCE', 1)
  const { productId, offer } = await line()
  const byHand = { productId, offer, kind: null, units: 1 }
  expect((await call(shop, 'PUT', '/admin/checkers/packages', { as: owner, body: byHand })).status).toBe(200)
  const left = await query('select offer from checker_packages')
  expect(left.rows).toEqual([{ offer: 'WASSCE' }])
})

test('only an owner changes the portal that buyers get beside serial and PIN', async () => {
  const staff = await makeUser(shop, { roles: ['products'] })
  const portalNow = async () => (await query(`select portal from checker_kinds where kind = 'bece'`)).rows[0]
  const { portal } = (await portalNow()) as { portal: string }
  const set = (as: SignedInUser, address: string, lowStock: number) =>
    call(shop, 'PUT', '/admin/checkers/kinds/bece', { as, body: { name: 'BECE', portal: address, lowStock } })
  expect((await set(staff, 'https://thief.example', 5)).body).toMatchObject({ issues: [{ path: 'portal' }] })
  expect(await portalNow()).toEqual({ portal })
  expect((await set(staff, portal, 5)).status).toBe(200)
  expect((await set(owner, 'https://results.example', 5)).status).toBe(200)
  expect((await set(owner, portal, 5)).status).toBe(200)
})

test('only an owner has a package sell more for its price', async () => {
  await stockCheckers(shop, 'BECE', 1)
  await stockCheckers(shop, 'WASSCE', 1)
  const staff = await makeUser(shop, { roles: ['products'] })
  const { productId, offer } = await line()
  const set = (as: SignedInUser, kind: string | null, units: number) =>
    call(shop, 'PUT', '/admin/checkers/packages', { as, body: { productId, offer, kind, units } })
  expect((await set(owner, 'bece', 2)).status).toBe(200)
  for (const [kind, units, path] of [
    ['wassce', 1, 'kind'],
    ['wassce', 10, 'kind'],
    ['bece', 3, 'units'],
  ] as const)
    expect((await set(staff, kind, units)).body).toMatchObject({ issues: [{ path }] })
  expect((await query('select kind, units from checker_packages where offer = $1', [offer])).rows).toEqual([{ kind: 'bece', units: 2 }])
  for (const [kind, units] of [
    ['bece', 2],
    ['bece', 1],
    [null, 1],
  ] as const)
    expect((await set(staff, kind, units)).status).toBe(200)
  expect((await set(staff, 'bece', 1)).status).toBe(400)
  expect((await set(owner, 'bece', 1)).status).toBe(200)
})

test('a shop whose packages are sold from the stock does not start without the key', async () => {
  const database = await openTestDatabase()
  try {
    await expect(ensureVault(database.db, null)).resolves.toBeUndefined()
    // A package that is there is all that counts, not what stands behind it.
    await database.db.query(
      `do $$ begin
         set local session_replication_role = replica;
         insert into checker_packages (product_id, offer, kind) values (gen_random_uuid(), 'BECE', 'bece');
       end $$`,
    )
    await expect(ensureVault(database.db, null)).rejects.toThrow('CHECKERS_KEY')
  } finally {
    await database.close()
  }
})

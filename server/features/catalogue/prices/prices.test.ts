import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { PricedPackage, PricesReply } from '../../../../shared/prices.ts'
import type { Product } from '../../../../shared/products.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { createLog } from '../../../platform/log.ts'
import { publishScheduledPrices } from './publish-scheduled-prices.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const MINUTE_MS = 60_000

let shop: TestShop
let admin: SignedInUser
let other: SignedInUser
let mtn: string

beforeAll(async () => {
  // The test looks for scheduled prices by itself, so that it knows when.
  shop = await openTestShop({ timings: { pricesMs: 1_440 * MINUTE_MS } })
  admin = await makeUser(shop, { level: 'Admin', username: 'the owner' })
  other = await makeUser(shop, { level: 'Admin' })
  mtn = (await findProduct(shop, 'MTN'))._id
})
afterAll(() => shop.close())

beforeEach(async () => {
  await shop.database.db.query('update price_schedules set ended_at = now(), outcome = $1 where ended_at is null', ['cancelled'])
  await shop.database.db.query(
    `update packages k set price_customer_pesewas = 550, price_agent_pesewas = 470, hidden = false
     where k.product_id = $1 and k.offer in ('1GB', '2GB')`,
    [mtn],
  )
})

const read = async () => (await call<PricesReply>(shop, 'GET', '/admin/prices', { as: admin })).body
const publish = <T = PricesReply>(body: object, as: { token: string } = admin) =>
  call<T>(shop, 'POST', '/admin/prices/publish', { as, body })
const schedule = <T = PricesReply>(body: object, as: { token: string } = admin) =>
  call<T>(shop, 'POST', '/admin/price-schedules', { as, body })
const undo = <T = PricesReply>(id: string | undefined, as: { token: string } = admin) =>
  call<T>(shop, 'POST', `/admin/prices/${id}/undo`, { as })
const cancel = <T = PricesReply>(id: string | undefined, as = admin) => call<T>(shop, 'DELETE', `/admin/price-schedules/${id}`, { as })

/** A new customer price of MTN; both packages cost 5.50 before each test. */
const dearer = (to: number, offer = '1GB', from = 5.5) => ({ productId: mtn, offer, priceCustomer: { from, to } })
const hide = (offer = '1GB') => ({ productId: mtn, offer, hidden: { from: false, to: true } })
const inMinutes = (minutes: number) => new Date(shop.clock.now.getTime() + minutes * MINUTE_MS).toISOString()

async function packageNow(offer = '1GB'): Promise<PricedPackage> {
  const product = (await read()).products.find(({ _id }) => _id === mtn)
  return product!.packages.find((line) => line.offer === offer)!
}

async function newestAction(): Promise<AdminAction> {
  return (await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin, query: { page: '1', pageSize: '5' } })).body[0]!
}

async function publications(): Promise<number> {
  const { rows } = await shop.database.db.query<{ count: number }>('select count(*) from price_publications')
  return rows[0]!.count
}

/** What one process does when it looks for scheduled prices. */
function lookForScheduled() {
  const { app, database, clock } = shop
  const ctx = { db: database.db, now: clock.now, actor: null, ip: null, log: createLog('silent'), jobs: undefined as never }
  return publishScheduledPrices({ ...ctx, realtime: app.realtime })
}

describe('publishing', () => {
  test('changes prices, costs and what is shown together, and replies with all prices', async () => {
    const changes = [{ ...dearer(5.8), priceAgent: { from: 4.7, to: 4.9 } }, hide('2GB')]
    const costs = [{ productId: mtn, offer: '1GB', supplier: 'by-hand', from: (await packageNow()).cost, to: 4.3 }]
    const { status, body } = await publish({ changes, costs })
    expect(status).toBe(200)
    const line = (offer: string) => body.products.find(({ _id }) => _id === mtn)!.packages.find((one) => one.offer === offer)
    expect(line('1GB')).toEqual({ offer: '1GB', priceCustomer: 5.8, priceAgent: 4.9, hidden: false, cost: 4.3 })
    expect(line('2GB')).toMatchObject({ priceCustomer: 5.5, hidden: true, cost: null })
    expect(body.lastPublication).toMatchObject({
      by: 'the owner',
      scheduled: false,
      changedSince: [],
      changes: [{ offer: '1GB' }, { offer: '2GB' }],
    })
  })

  test('with one package that has changed meanwhile changes none, and names each that has', async () => {
    await publish({ changes: [dearer(6), dearer(7, '2GB')] }, other)
    const before = await publications()
    const changes = [{ productId: mtn, offer: '3GB', priceCustomer: { from: 15.5, to: 16.3 } }, dearer(5.8), dearer(5.8, '2GB')]
    const { status, body } = await publish<ErrorBody>({ changes })
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.issues).toEqual([
      { path: 'changes.1', message: 'MTN 1GB costs ¢6.00, agents ¢4.70 now.' },
      { path: 'changes.2', message: 'MTN 2GB costs ¢7.00, agents ¢4.70 now.' },
    ])
    expect([(await packageNow('3GB')).priceCustomer, await publications()]).toEqual([15.5, before])
  })

  test('is refused when the cost has changed meanwhile, prices and all', async () => {
    const from = (await packageNow()).cost
    const cost = (to: number) => ({ productId: mtn, offer: '1GB', supplier: 'by-hand', from, to })
    await publish({ costs: [cost(4.05)] }, other)
    const { status, body } = await publish<ErrorBody>({ changes: [dearer(5.8)], costs: [cost(4.5)] })
    expect([status, body.issues]).toEqual([409, [{ path: 'costs.0', message: 'The cost of MTN 1GB has changed.' }]])
    expect(await packageNow()).toMatchObject({ priceCustomer: 5.5, cost: 4.05 })
  })

  test('by two admins at once: one succeeds, the other is told, and no price is of both', async () => {
    const of = (price: number) => [dearer(price), dearer(price, '2GB')]
    const replies = await Promise.all([publish({ changes: of(5.8) }), publish({ changes: of(6.1).toReversed() }, other)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const price = replies[0].status === 200 ? 5.8 : 6.1
    expect([(await packageNow()).priceCustomer, (await packageNow('2GB')).priceCustomer]).toEqual([price, price])
  })

  test('twice, as when the first reply was lost, is one publication', async () => {
    const before = await publications()
    const replies = [await publish({ changes: [dearer(5.8)] }), await publish({ changes: [dearer(5.8)] })]
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await publications()).toBe(before + 1)
  })

  test('of a package that the product editor removed names it', async () => {
    const { status, body } = await publish<ErrorBody>({ changes: [dearer(5.8, '7GB')] })
    expect([status, body.issues?.[0]?.message]).toEqual([409, 'MTN 7GB is not in the catalogue any more.'])
  })

  test.each([
    [{ changes: [] }, ''],
    [{ changes: [{ productId: NOBODY, offer: '1GB' }] }, 'changes.0'],
    [{ changes: [{ productId: NOBODY, offer: '1GB', priceCustomer: { from: 5, to: 0 } }] }, 'changes.0.priceCustomer.to'],
    [{ changes: [{ productId: NOBODY, offer: '1GB', priceAgent: { from: 5, to: 5.005 } }] }, 'changes.0.priceAgent.to'],
    [{ changes: [hideNobody(), hideNobody()] }, 'changes'],
    [{ costs: [{ productId: NOBODY, offer: '1GB', supplier: 'nobody', from: null, to: 4 }] }, 'costs.0.supplier'],
  ])('of %j is refused at "%s"', async (body, path) => {
    const reply = await publish<ErrorBody>(body)
    expect([reply.status, reply.body.issues?.[0]?.path]).toEqual([400, path])
  })

  test('is for staff who look after products', async () => {
    for (const as of [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { roles: ['orders', 'finance', 'support'] })]) {
      expect((await publish({ changes: [dearer(5.8)] }, as)).status).toBe(403)
      expect((await schedule({ liveAt: inMinutes(1), changes: [dearer(5.8)] }, as)).status).toBe(403)
      expect((await call(shop, 'GET', '/admin/prices', { as })).status).toBe(403)
    }
    expect((await publish({ changes: [dearer(5.8)] }, await makeUser(shop, { roles: ['products'] }))).status).toBe(200)
  })
})

function hideNobody() {
  return { productId: NOBODY, offer: '1GB', hidden: { from: false, to: true } }
}

describe('a hidden package', () => {
  test('is in nobody’s catalogue, is not sold to a page that still shows it, and comes back with its prices', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const line = await cartLine(shop)
    await publish({ changes: [hide()] })
    for (const options of [{}, { as: buyer }, { as: admin }]) {
      const { body } = await call<Product[]>(shop, 'GET', '/product', options)
      expect(body.find(({ _id }) => _id === mtn)!.packages.map(({ offer }) => offer)).not.toContain('1GB')
    }
    const refused = await checkout(shop, buyer, [line])
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_AVAILABLE'])
    const byCard = await call<ErrorBody>(shop, 'POST', '/payment', { as: buyer, body: { purpose: 'order', items: [line] } })
    expect(byCard.body.code).toBe('NOT_AVAILABLE')
    expect(await balanceOf(shop, buyer._id)).toBe(2000)
    await publish({ changes: [{ productId: mtn, offer: '1GB', hidden: { from: true, to: false } }] })
    expect((await checkout(shop, buyer, [line])).status).toBe(200)
  })

  test('stays with orders that were made before', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const order = (await checkout(shop, buyer, [await cartLine(shop)])).body.orders[0]!
    await publish({ changes: [hide()] })
    const { body } = await call<{ offer: string; totalAmount: number }[]>(shop, 'GET', '/order/allorders', { as: buyer })
    expect(body[0]).toMatchObject({ _id: order._id, offer: '1GB', totalAmount: 5.5 })
  })

  test('stays hidden when the product is saved by somebody who does not see it', async () => {
    await publish({ changes: [hide()] })
    const product = await findProduct(shop, 'MTN')
    const { network, status, packages } = product
    await call(shop, 'PUT', `/product/${mtn}`, { as: admin, body: { network, status, packages } })
    expect(await packageNow()).toMatchObject({ priceCustomer: 5.5, hidden: true })
  })

  test('that is the last of its product leaves it out of stock', async () => {
    const afa = await findProduct(shop, 'AFA')
    await publish({ changes: [{ productId: afa._id, offer: 'AFA registration', hidden: { from: false, to: true } }] })
    expect(await findProduct(shop, 'AFA')).toMatchObject({ status: 'out of stock', packages: [] })
    expect((await read()).products.find(({ _id }) => _id === afa._id)).toMatchObject({ status: 'available' })
  })
})

describe('a customer who has the old page open', () => {
  test('is told the new price when one is published between looking and buying, and pays nothing', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    const line = await cartLine(shop)
    await publish({ changes: [dearer(5.8)] })
    const refused = await checkout(shop, buyer, [line])
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'PRICE_CHANGED',
      'The price of MTN 1GB is now GHS 5.80. Nothing was charged.',
    ])
    const bought = await checkout(shop, buyer, [{ ...line, amount: 5.8 }])
    expect([bought.status, bought.body.balance]).toEqual([200, 14.2])
  })

  test('who buys while prices are published pays the old price or is told the new one, never another', async () => {
    const line = await cartLine(shop)
    const buyers = await Promise.all(Array.from({ length: 12 }, () => makeUser(shop, { balance: 6 })))
    const [published, ...bought] = await Promise.all([
      publish({ changes: [dearer(5.8)] }),
      ...buyers.map((buyer) => checkout(shop, buyer, [line])),
    ])
    expect(published.status).toBe(200)
    const wrong = bought.filter(
      ({ status, body }) => !(status === 200 ? body.orders[0]?.totalAmount === 5.5 : body.code === 'PRICE_CHANGED'),
    )
    expect(wrong).toEqual([])
  })
})

describe('undoing', () => {
  test('brings back prices and what was shown, once', async () => {
    const { lastPublication } = (await publish({ changes: [dearer(5.8), hide('2GB')] })).body
    const { status, body } = await undo(lastPublication?._id)
    expect([status, body.lastPublication]).toEqual([200, null])
    expect([await packageNow(), await packageNow('2GB')]).toMatchObject([
      { priceCustomer: 5.5, hidden: false },
      { priceCustomer: 5.5, hidden: false },
    ])
    const again = await undo<ErrorBody>(lastPublication?._id)
    expect([again.status, again.body.message]).toEqual([409, 'These prices were undone already.'])
  })

  test('is refused when another change came after it, and names the package', async () => {
    const { lastPublication } = (await publish({ changes: [dearer(5.8), dearer(5.8, '2GB')] })).body
    const { network, status: stock, packages } = await findProduct(shop, 'MTN')
    const edited = packages.map((line) => (line.offer === '1GB' ? { ...line, priceCustomer: 6 } : line))
    await call(shop, 'PUT', `/product/${mtn}`, { as: other, body: { network, status: stock, packages: edited } })
    expect((await read()).lastPublication?.changedSince).toEqual(['MTN 1GB'])
    const { status, body } = await undo<ErrorBody>(lastPublication?._id)
    expect([status, body.issues]).toEqual([409, [{ path: 'changes.0', message: 'MTN 1GB costs ¢6.00, agents ¢4.70 now.' }]])
    expect((await packageNow('2GB')).priceCustomer).toBe(5.8)
  })

  test('is for the newest publication only', async () => {
    const { lastPublication } = (await publish({ changes: [dearer(5.8)] })).body
    await publish({ changes: [dearer(5.9, '2GB')] }, other)
    const { status, body } = await undo<ErrorBody>(lastPublication?._id)
    expect([status, body.message]).toEqual([409, 'Prices were published since. Only the newest can be undone.'])
    expect((await undo(NOBODY)).status).toBe(404)
  })

  test('by two admins at once happens once', async () => {
    const { lastPublication } = (await publish({ changes: [dearer(5.8)] })).body
    const replies = await Promise.all([undo(lastPublication?._id), undo(lastPublication?._id, other)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await packageNow()).priceCustomer).toBe(5.5)
  })

  test('the database refuses a second undo, and a change of what was published', async () => {
    const { lastPublication } = (await publish({ changes: [dearer(5.8)] })).body
    const insert = `insert into price_publications (changes, published_at, published_by, undoes) values ('[1]', now(), $1, $2)`
    await shop.database.db.query(insert, [admin._id, lastPublication?._id])
    await expect(shop.database.db.query(insert, [admin._id, lastPublication?._id])).rejects.toMatchObject({ code: '23505' })
    await expect(shop.database.db.query(`update price_publications set published_at = now()`)).rejects.toMatchObject({ code: 'DW001' })
  })
})

describe('scheduled prices', () => {
  test('go live at their time, once, however many processes look at the same moment', async () => {
    const before = await publications()
    const { status, body } = await schedule({ liveAt: inMinutes(2), changes: [dearer(5.8), hide('2GB')] })
    expect([status, body.schedules]).toMatchObject([200, [{ by: 'the owner', changes: [{ conflict: false }, { conflict: false }] }]])
    await lookForScheduled()
    expect((await packageNow()).priceCustomer).toBe(5.5)
    shop.clock.advance(2 * MINUTE_MS)
    await Promise.all(Array.from({ length: 6 }, lookForScheduled))
    expect([await packageNow(), await packageNow('2GB')]).toMatchObject([{ priceCustomer: 5.8 }, { hidden: true }])
    const after = await read()
    expect([await publications(), after.schedules, after.incomplete]).toEqual([before + 1, [], []])
    expect(after.lastPublication).toMatchObject({ scheduled: true, by: 'the owner' })
    expect(await newestAction()).toMatchObject({
      actor: null,
      action: 'prices.publish',
      note: 'Scheduled by the owner',
      after: { 'MTN 1GB': '¢5.80' },
    })
  })

  test('go live as soon as the shop is up again when it was down at that time', async () => {
    await schedule({ liveAt: inMinutes(1), changes: [dearer(5.8)] })
    shop.clock.advance(50 * MINUTE_MS)
    await lookForScheduled()
    expect((await packageNow()).priceCustomer).toBe(5.8)
  })

  test('leave a package alone that somebody changed after it was scheduled, and say so before and after', async () => {
    await schedule({ liveAt: inMinutes(1), changes: [dearer(5.8), dearer(5.9, '2GB')] })
    await publish({ changes: [dearer(6.5)] }, other)
    expect((await read()).schedules[0]?.changes.map(({ offer, conflict }) => [offer, conflict])).toEqual([
      ['1GB', true],
      ['2GB', false],
    ])
    shop.clock.advance(MINUTE_MS)
    await lookForScheduled()
    expect([(await packageNow()).priceCustomer, (await packageNow('2GB')).priceCustomer]).toEqual([6.5, 5.9])
    const leftOut = [{ offer: '1GB', priceCustomer: { from: 5.5, to: 5.8 } }]
    expect((await read()).incomplete).toMatchObject([{ outcome: 'published', leftOut }])
    expect((await newestAction()).note).toBe('Scheduled by the owner; left as they were: MTN 1GB')
    await publish({ changes: [dearer(5.8, '1GB', 6.5)] })
    expect((await read()).incomplete).toEqual([])
  })

  test('may be cancelled until they are live, once', async () => {
    const { schedules } = (await schedule({ liveAt: inMinutes(1), changes: [dearer(5.8)] })).body
    const replies = await Promise.all([cancel(schedules[0]?._id), cancel(schedules[0]?._id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    shop.clock.advance(2 * MINUTE_MS)
    await lookForScheduled()
    expect((await packageNow()).priceCustomer).toBe(5.5)
    expect((await cancel(NOBODY)).status).toBe(404)
  })

  test('that are cancelled at the moment they go live do one or the other', async () => {
    const { schedules } = (await schedule({ liveAt: inMinutes(1), changes: [dearer(5.8)] })).body
    shop.clock.advance(MINUTE_MS)
    const [{ status }] = await Promise.all([cancel(schedules[0]?._id), lookForScheduled()])
    expect((await packageNow()).priceCustomer).toBe(status === 200 ? 5.5 : 5.8)
  })

  test('of somebody who was demoted since do not go live', async () => {
    const former = await makeUser(shop, { level: 'Admin' })
    await schedule({ liveAt: inMinutes(1), changes: [dearer(5.8)] }, former)
    // Whoever ends an admin's work has said their password a moment ago.
    const owner = await makeUser(shop, { level: 'Admin' })
    const demoted = await call(shop, 'PUT', `/user/${former._id}/level`, { as: owner, body: { userLevel: 'Customer' } })
    expect(demoted.status).toBe(200)
    shop.clock.advance(MINUTE_MS)
    await lookForScheduled()
    expect((await packageNow()).priceCustomer).toBe(5.5)
    expect((await read()).incomplete[0]).toMatchObject({ outcome: 'refused', by: former.username })
  })

  test('of a package are scheduled once at a time', async () => {
    await schedule({ liveAt: inMinutes(1), changes: [dearer(5.8)] })
    const { status, body } = await schedule<ErrorBody>({ liveAt: inMinutes(3), changes: [dearer(6), dearer(6, '2GB')] }, other)
    expect([status, body.issues?.map(({ path }) => path)]).toEqual([409, ['changes.0']])
  })

  test.each([
    ['-1', 'Choose a time to come.'],
    ['129601', 'Choose a time within 90 days.'],
  ])('in %s minutes are refused', async (minutes, message) => {
    const { status, body } = await schedule<ErrorBody>({ liveAt: inMinutes(Number(minutes)), changes: [dearer(5.8)] })
    expect([status, body.issues]).toEqual([400, [{ path: 'liveAt', message }]])
  })

  test('are published by the shop’s own loop', async () => {
    const looking = await openTestShop({ timings: { pricesMs: 50 } })
    try {
      const owner = await makeUser(looking, { level: 'Admin' })
      const { _id: productId } = await findProduct(looking, 'MTN')
      const changes = [{ productId, offer: '1GB', priceCustomer: { from: 5.5, to: 5.8 } }]
      const liveAt = new Date(looking.clock.now.getTime() + MINUTE_MS).toISOString()
      expect((await call(looking, 'POST', '/admin/price-schedules', { as: owner, body: { liveAt, changes } })).status).toBe(200)
      looking.clock.advance(MINUTE_MS)
      await until(async () => (await cartLine(looking)).amount === 5.8)
    } finally {
      await looking.close()
    }
  })
})

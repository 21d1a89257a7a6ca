import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OrderDetail } from '../../../../shared/deliveries.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { DeliveryStatus } from '../../../../shared/suppliers.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeBatch, makeUser, ordersRelayed } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  admin = await makeUser(shop, { level: 'Admin', username: 'akua' })
  buyer = await makeUser(shop, { balance: 5_000, username: 'kojo' })
})
afterAll(() => shop.close())
afterEach(() => suppliers().hubnet.clearFaults())

const suppliers = () => shop.sandbox!.supplier
type Reply = { detail: OrderDetail } & ErrorBody

/** An MTN order, which a person sends; with `standing`, one that stands so at Hubnet, where nobody knows it. */
async function buy(standing?: DeliveryStatus, { notFound = 0 } = {}): Promise<Order> {
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { phoneNumber: '0241234567' })])
  const [order] = body.orders as [Order]
  await ordersRelayed(shop)
  if (standing)
    await shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, not_found, sent_at, created_at, updated_at)
       values ($1, $2, 'hubnet', 1000, $3, $4, $5, now(), now(), now())`,
      [order._id, order.reference, standing, standing === 'waiting' || standing === 'cancelled' ? 0 : 1, notFound],
    )
  return order
}

const read = async (order: Order, as = admin) => (await call<Reply>(shop, 'GET', `/admin/orders/${order.number}`, { as })).body.detail
const put = (order: Order, act: string, body?: unknown, as = admin) =>
  call<Reply>(shop, 'PUT', `/admin/orders/${order._id}/${act}`, { as, body })
const send = (order: Order, to: string, supplierStatus: DeliveryStatus | null, more = {}) =>
  put(order, 'send-again', { to, supplierStatus, ...more })
const arrived = (name: 'hubnet' | 'remadata', phone = '0241234567') =>
  suppliers()
    [name].deliveries()
    .filter((one) => one.phone.endsWith(phone.slice(1)))

async function sentTo(order: Order, supplier: string) {
  return until(async () => {
    const { order: seen } = await read(order)
    return seen.supplier?.name === supplier && seen.supplier.status === 'accepted' && seen
  })
}

describe('sending again', () => {
  test('what a supplier has refused goes to another, under a new reference, once, however often it is pressed', async () => {
    const order = await buy('rejected')
    const before = arrived('remadata').length
    const replies = await Promise.all([
      send(order, 'remadata', 'rejected'),
      send(order, 'remadata', 'rejected'),
      send(order, 'hubnet', 'rejected'),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const to = (await read(order)).order.supplier!.name
    await sentTo(order, to)
    const { rows } = await shop.database.db.query<{ reference: string; restarts: number }>(
      `select reference, (select count(*)::integer from delivery_restarts r where r.order_id = d.order_id) as restarts
       from supplier_deliveries d where order_id = $1`,
      [order._id],
    )
    expect([rows[0]!.reference === order.reference, rows[0]!.restarts]).toEqual([false, 1])
    if (to === 'remadata') expect(arrived('remadata')).toHaveLength(before + 1)
    expect((await read(order)).events.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'paid', 'restarted', 'sent', 'sent'])
  })

  test('what a person was to send goes to a supplier under its own reference', async () => {
    const order = await buy()
    expect((await send(order, 'remadata', null)).status).toBe(200)
    await sentTo(order, 'remadata')
    expect(
      suppliers()
        .remadata.deliveries()
        .map(({ reference }) => reference),
    ).toContain(order.reference)
  })

  test('an unclear order needs two answers of "not found", and a look at the portal', async () => {
    const once = await buy('unknown', { notFound: 1 })
    expect((await send(once, 'remadata', 'unknown', { lookedAtPortal: true })).body.message).toMatch(/has not said twice/)
    expect((await read(once)).sendAgain).toMatchObject({ possible: false, needsPortal: true })
    const twice = await buy('unknown', { notFound: 2 })
    expect((await send(twice, 'remadata', 'unknown')).body.message).toBe('Look on the supplier’s portal first: it may be there.')
    expect((await send(twice, 'by-hand', 'unknown', { lookedAtPortal: true })).status).toBe(200)
    expect((await read(twice)).order.supplier?.status).toBe('cancelled')
    // From here it is as any other that a person sends.
    expect((await makeBatch(shop, admin, [twice])).orders).toBe(1)
  })

  test('what may have arrived is sent again up to what staff may move alone in a day, and beyond it by an owner', async () => {
    const [first, second, refused] = [await buy('unknown', { notFound: 2 }), await buy('unknown', { notFound: 2 }), await buy('rejected')]
    const listed = await buy()
    const batch = await makeBatch(shop, admin, [listed])
    await call(shop, 'PUT', `/admin/batches/${batch.number}/settle`, { as: admin, body: { released: [listed._id] } })
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 600')
    const clerk = await makeUser(shop, { roles: ['orders'] })
    const again = (order: Order, as: SignedInUser, to = 'by-hand') =>
      put(order, 'send-again', { to, supplierStatus: 'unknown', lookedAtPortal: true }, as)
    expect((await again(first, clerk)).status).toBe(200)
    const beyond = await again(second, clerk)
    expect([beyond.status, beyond.body.code]).toEqual([409, 'SECOND_PERSON_NEEDED'])
    // Whoever had the list may have sent it already.
    expect((await put(listed, 'send-again', { to: 'remadata', supplierStatus: null }, clerk)).body.code).toBe('SECOND_PERSON_NEEDED')
    // What a supplier has refused has not arrived.
    expect((await put(refused, 'send-again', { to: 'remadata', supplierStatus: 'rejected' }, clerk)).status).toBe(200)
    expect((await again(second, admin)).status).toBe(200)
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = null')
  })

  test.each(['sending', 'accepted', 'delivered'] as const)('an order that is %s at its supplier is refused', async (standing) => {
    const order = await buy(standing)
    const refused = await send(order, 'remadata', standing)
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
    expect((await read(order)).sendAgain.possible).toBe(false)
    const anew = `update supplier_deliveries set reference = 'ANOTHERREFERENCE', status = 'waiting', attempts = 0, sent_at = null,
      accepted_at = null, delivered_at = null where order_id = $1`
    await expect(shop.database.db.query(anew, [order._id])).rejects.toMatchObject({ code: 'DW006' })
  })

  test('the database refuses to take an unclear order back before it was twice not found', async () => {
    const order = await buy('unknown', { notFound: 1 })
    const cancel = `update supplier_deliveries set status = 'cancelled' where order_id = $1`
    await expect(shop.database.db.query(cancel, [order._id])).rejects.toMatchObject({ code: 'DW006' })
  })

  test('an order that has moved on, is decided, in a batch or for a supplier without its network is refused', async () => {
    const moved = await buy('rejected')
    expect((await send(moved, 'remadata', 'unknown')).body.message).toBe('That order has moved on since you looked.')
    const locked = await buy('failed')
    const { number } = await makeBatch(shop, admin, [locked])
    expect((await send(locked, 'remadata', 'failed')).body.message).toBe(`That order is in Batch ${number}, locked by akua.`)
    const decided = await buy('rejected')
    await call(shop, 'PUT', `/order/update-status/${decided._id}`, { as: admin, body: { status: 'rejected' } })
    expect((await send(decided, 'remadata', 'rejected')).body.code).toBe('ALREADY_DECIDED')
    expect((await send(moved, 'by-hand', 'rejected')).body.message).toBe('That order is yours to send by hand already.')
  })

  test('what waits for a supplier that rests goes to another, and not to the first as well', async () => {
    const order = await buy('waiting')
    const before = arrived('hubnet').length
    expect((await send(order, 'remadata', 'waiting')).status).toBe(200)
    await sentTo(order, 'remadata')
    expect(arrived('hubnet')).toHaveLength(before)
  })
})

describe('what the database lets become of an order at its supplier', () => {
  type Columns = Record<string, unknown>
  const NEXT = 'NEXTREFERENCE'
  const assign = (columns: Columns) => Object.keys(columns).map((column, index) => `${column} = $${index + 2}`)

  /** Undone afterwards. Replies with the code of the refusal, or `taken`. */
  async function attempt(order: Order, { first = {}, restarts = [], change }: { first?: Columns; restarts?: Columns[]; change: Columns }) {
    const tx = await shop.database.db.connect()
    try {
      await tx.query('begin')
      await tx.query(`set local session_replication_role = replica`)
      if (Object.keys(first).length > 0)
        await tx.query(`update supplier_deliveries set ${assign(first)} where order_id = $1`, [order._id, ...Object.values(first)])
      await tx.query(`set local session_replication_role = origin`)
      for (const restart of restarts) {
        const row = { order_id: order._id, from_supplier: 'hubnet', looked_at_portal: false, restarted_at: shop.clock.now, ...restart }
        const values = Object.keys(row).map((_, index) => `$${index + 1}`)
        await tx.query(`insert into delivery_restarts (${Object.keys(row)}) values (${values})`, Object.values(row))
      }
      await tx.query(`update supplier_deliveries set ${assign(change)} where order_id = $1`, [order._id, ...Object.values(change)])
      return 'taken'
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    } finally {
      await tx.query('rollback')
      tx.release()
    }
  }

  const asNew = { reference: NEXT, supplier: 'remadata', status: 'waiting', attempts: 0, resent: 0, asked: 0, not_found: 0 }
  const nothingYet = { not_found_at: null, sent_at: null, accepted_at: null, delivered_at: null, supplier_reference: null }
  /** An admin sends it again, as the record says, to another supplier. */
  const restarting = (
    order: Order,
    { record = {}, first = {}, change = {} }: { record?: Columns; first?: Columns; change?: Columns } = {},
  ) =>
    attempt(order, {
      first,
      restarts: [
        {
          ...{ reference: NEXT, to_supplier: 'remadata', from_reference: order.reference, restarted_by: admin._id },
          ...{ from_status: first.status ?? 'rejected', looked_at_portal: first.status === 'unknown', ...record },
        },
      ],
      change: { ...asNew, ...nothingYet, ...change },
    })

  test('it is sent anew as the record of it says, and in no other way', async () => {
    const [order, other] = [await buy('rejected'), await buy('rejected')]
    expect(await restarting(order)).toBe('taken')
    for (const record of [
      { order_id: other._id },
      { reference: 'OTHERREFERENCE' },
      { to_supplier: 'datamart' },
      { from_reference: 'OTHERREFERENCE' },
      { from_status: 'failed' },
    ])
      expect([record, await restarting(order, { record })]).toEqual([record, 'DW006'])
  })

  test('it begins anew with nothing of what was, but for what was ordered', async () => {
    const order = await buy('rejected')
    const { now } = shop.clock
    for (const change of [
      ...[{ supplier: 'datamart' }, { volume_mb: 2000 }, { not_found_apart_ms: 1 }, { status: 'sending' }, { attempts: 1 }],
      ...[{ resent: 1 }, { asked: 1 }, { not_found: 1 }, { not_found_at: now }, { sent_at: now }, { accepted_at: now }],
      ...[{ delivered_at: now }, { supplier_reference: 'H1' }],
    ])
      expect([change, await restarting(order, { change })]).toEqual([change, 'DW006'])
  })

  test.each([
    ['waiting', 0, 'taken'],
    ['rejected', 0, 'taken'],
    ['failed', 0, 'taken'],
    ['cancelled', 0, 'taken'],
    ['unknown', 1, 'DW006'],
    ['unknown', 2, 'taken'],
    ['unknown', 3, 'taken'],
  ])('one that is %s, and was not found %i times, is sent again: %s', async (status, notFound, outcome) => {
    expect(await restarting(await buy('rejected'), { first: { status, not_found: notFound } })).toBe(outcome)
  })

  test('one that was refunded is not sent again', async () => {
    const order = await buy('rejected')
    await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'rejected' } })
    expect(await restarting(order)).toBe('DW006')
  })

  test.each([
    ['from one that refused it', { status: 'rejected' }, {}, 'taken'],
    ['from one that failed', { status: 'failed' }, {}, 'taken'],
    ['from one that may have had it and refused it the second time', { status: 'rejected', resent: 1 }, {}, 'DW006'],
    ['from one that had it and failed', { status: 'failed', resent: 1 }, {}, 'taken'],
    ['back to one that refused it', { status: 'rejected' }, { from_status: 'rejected' }, 'DW006'],
    ['back to one that failed', { status: 'rejected' }, { from_status: 'failed' }, 'DW006'],
    ['back to one that it never reached', { status: 'rejected' }, { from_status: 'waiting' }, 'taken'],
    ['on, although another refused it', { status: 'rejected' }, { from_status: 'rejected', from_supplier: 'datamart' }, 'taken'],
  ])('by itself it goes %s only where it cannot arrive twice', async (_where, first, before, outcome) => {
    const order = await buy('rejected')
    const earlier = { reference: 'EARLIERREFERENCE', to_supplier: 'hubnet', from_supplier: 'remadata', from_reference: 'FIRSTREFERENCE' }
    const restarts = [
      ...('from_status' in before ? [{ ...earlier, restarted_by: admin._id, ...before }] : []),
      { reference: NEXT, to_supplier: 'remadata', from_reference: order.reference, from_status: first.status },
    ]
    expect(await attempt(order, { first, restarts, change: { ...asNew, ...nothingYet } })).toBe(outcome)
  })

  test('under its reference it stays what was ordered, and is sent once unless it was twice not found', async () => {
    const order = await buy('rejected')
    for (const change of [{ order_id: admin._id }, { supplier: 'remadata' }, { volume_mb: 2000 }, { not_found_apart_ms: 1 }])
      expect([change, await attempt(order, { change })]).toEqual([change, 'DW006'])
    const send = (status: string, notFound = 0) =>
      attempt(order, { first: { status, not_found: notFound }, change: { status: 'sending', not_found: notFound } })
    expect([await send('waiting'), await send('unknown', 2), await send('unknown', 3)]).toEqual(['taken', 'taken', 'taken'])
    for (const status of ['accepted', 'rejected', 'delivered', 'failed', 'cancelled']) {
      expect([status, await send(status, 2)]).toEqual([status, 'DW006'])
    }
    expect(await send('unknown', 1)).toBe('DW006')
  })

  test('it is taken back from a supplier that may have it only as an admin’s look there was noted, after two answers of "not found"', async () => {
    const order = await buy('rejected')
    const look = { reference: null, to_supplier: null, from_reference: order.reference, from_status: 'unknown', looked_at_portal: true }
    const cancel = (notFound: number, record: Columns = {}) =>
      attempt(order, {
        first: { status: 'unknown', not_found: notFound },
        restarts: [{ ...look, restarted_by: admin._id, ...record }],
        change: { status: 'cancelled' },
      })
    expect([await cancel(1), await cancel(2)]).toEqual(['DW006', 'taken'])
    const other = await buy('rejected')
    for (const record of [
      { order_id: other._id },
      { from_reference: 'OTHERREFERENCE' },
      { from_status: 'rejected' },
      { to_supplier: 'remadata', reference: NEXT },
    ])
      expect([record, await cancel(2, record)]).toEqual([record, 'DW006'])
    const waiting = await attempt(order, { first: { status: 'waiting' }, change: { status: 'cancelled' } })
    expect(waiting).toBe('taken')
  })

  test('each answer of "not found" counts once, long enough after the one before, and begins anew from nothing', async () => {
    const order = await buy('rejected')
    const count = (before: number, minutesAgo: number, after: number) =>
      attempt(order, {
        first: {
          ...{ status: 'unknown', not_found: before, not_found_apart_ms: 600_000 },
          not_found_at: before === 0 ? null : new Date(Date.now() - minutesAgo * 60_000),
        },
        change: { not_found: after },
      })
    expect([await count(0, 0, 1), await count(1, 11, 2), await count(1, 9, 2), await count(1, 11, 3)]).toEqual([
      'taken',
      'taken',
      'DW006',
      'DW006',
    ])
    expect([await count(2, 11, 0), await count(2, 11, 1)]).toEqual(['taken', 'DW006'])
  })
})

describe('correcting the receiver', () => {
  const agreed = { agreedBy: 'Kojo', consent: 'whatsapp' }
  const correct = (order: Order, receiver: string, seen = order.receiver, as = admin) =>
    put(order, 'receiver', { receiver, seen, ...agreed }, as)

  test('needs the buyer’s consent, which is kept, and shown to the buyer; then it can be found and sent there', async () => {
    const order = await buy('rejected')
    const { status, body } = await correct(order, '0249999991')
    expect([status, body.detail.order.receiver]).toEqual([200, '0249999991'])
    const correction = { from: '0241234567', to: '0249999991', at: shop.clock.now.toISOString(), ...agreed }
    expect(body.detail.events.find(({ kind }) => kind === 'corrected')).toMatchObject({ by: 'akua', correction })
    const seen = await call<{ correction: unknown; order: Order }>(shop, 'GET', `/order/${order._id}`, { as: buyer })
    expect([seen.body.order.receiver, seen.body.correction]).toEqual(['0249999991', correction])
    const { rows } = await shop.database.db.query(`select note from admin_actions where action = 'order.receiver' and subject_id = $1`, [
      order._id,
    ])
    expect(rows).toEqual([{ note: 'Kojo agreed (whatsapp)' }])
    const found = await call<Order[]>(shop, 'GET', '/order/allorders', { as: admin, query: { search: '0249999991', page: '1' } })
    expect(found.body.map(({ _id }) => _id)).toEqual([order._id])
    await send(order, 'remadata', 'rejected')
    await sentTo(order, 'remadata')
    expect(arrived('remadata', '0249999991')).toHaveLength(1)
    const missing = await put(await buy(), 'receiver', { receiver: '0249999992', seen: '0241234567', agreedBy: 'Kojo' })
    expect([missing.status, missing.body.code]).toEqual([400, 'INVALID'])
  })

  test('is told to the buyer by message, each time, with the number that it has now', async () => {
    const order = await buy()
    await correct(order, '0249999971')
    await correct(order, '0249999972', '0249999971')
    const { rows } = await shop.database.db.query<{ receiver: string; body: string }>(
      `select receiver, body from sms_messages where body like '%order ' || $1 || ' is now%' order by created_at, body`,
      [order.number],
    )
    expect(rows.map(({ receiver }) => receiver)).toEqual([buyer.phone, buyer.phone])
    expect(rows.map(({ body }) => body.match(/is now (\d+), as you agreed/)?.[1])).toEqual(['0249999971', '0249999972'])
  })

  test('by one person who is no owner is five a day, also at the same moment; then an owner does it', async () => {
    const clerk = await makeUser(shop, { roles: ['orders'] })
    const orders: Order[] = []
    for (let n = 0; n < 7; n++) orders.push(await buy())
    const asked = await Promise.all(orders.slice(0, 6).map((order, n) => correct(order, `024999996${n}`, order.receiver, clerk)))
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 409])
    const last = orders[6] as Order
    expect((await correct(last, '0249999967', last.receiver, clerk)).body).toMatchObject({ code: 'SECOND_PERSON_NEEDED' })
    expect((await read(last)).order.receiver).toBe(last.receiver)
    expect((await correct(last, '0249999967')).status).toBe(200)
  })

  test('by one person is worth no more in all than what the owner lets one person move alone', async () => {
    const clerk = await makeUser(shop, { roles: ['orders'] })
    const { db } = shop.database
    const [first, second] = [await buy(), await buy()]
    await db.query('update staff_rules set second_person_above_pesewas = 1000')
    try {
      expect((await correct(first, '0249999951', first.receiver, clerk)).status).toBe(200)
      expect((await correct(second, '0249999952', second.receiver, clerk)).body.code).toBe('SECOND_PERSON_NEEDED')
    } finally {
      await db.query('update staff_rules set second_person_above_pesewas = null')
    }
    expect((await correct(second, '0249999952', second.receiver, clerk)).status).toBe(200)
  })

  test('is never to a number that this person has bought for or noted, nor twice to one for different buyers', async () => {
    const clerk = await makeUser(shop, { roles: ['orders'], balance: 50 })
    const { body } = await checkout(shop, clerk, [await cartLine(shop, { as: 'Agent', phoneNumber: '0249999941' })])
    expect(body.orders).toHaveLength(1)
    await shop.database.db.query(
      `insert into contacts (user_id, network, phone, name, created_at, updated_at) values ($1, 'MTN', '0249999942', 'A friend', now(), now())`,
      [clerk._id],
    )
    const order = await buy()
    for (const friend of ['0249999941', '0249999942', clerk.phone]) {
      const refused = await correct(order, friend, order.receiver, clerk)
      expect([friend, refused.status, refused.body.code]).toEqual([friend, 403, 'FORBIDDEN'])
    }
    expect((await correct(order, '0249999943', order.receiver, clerk)).status).toBe(200)
    const other = await makeUser(shop, { balance: 50 })
    const bought = await checkout(shop, other, [await cartLine(shop, { phoneNumber: '0241234567' })])
    await ordersRelayed(shop)
    const [theirs] = bought.body.orders as [Order]
    expect((await correct(theirs, '0249999943', theirs.receiver, clerk)).status).toBe(403)
  })

  test('by two at once happens once', async () => {
    const order = await buy()
    const replies = await Promise.all([correct(order, '0249999993'), correct(order, '0249999994')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await correct(order, '0249999995')).body.message).toMatch(/Somebody has corrected that number meanwhile/)
  })

  test.each(['sending', 'accepted', 'unknown', 'delivered'] as const)('is refused once it is %s, by the database too', async (standing) => {
    const order = await buy(standing)
    expect((await correct(order, '0249999996')).status).toBe(409)
    const { db } = shop.database
    await expect(db.query(`update orders set receiver = '0249999996' where id = $1`, [order._id])).rejects.toMatchObject({ code: 'DW005' })
  })

  test('without a record of the consent is refused by the database', async () => {
    const order = await buy()
    const change = `update orders set receiver = '0249999996' where id = $1`
    await expect(shop.database.db.query(change, [order._id])).rejects.toMatchObject({ code: 'DW005' })
  })
})

test('asking a supplier at once brings its answer, and there is nothing to ask about an order by hand', async () => {
  const order = await buy('failed')
  const calls = () =>
    suppliers()
      .hubnet.calls()
      .filter(({ url }) => String(url).includes(order.reference)).length
  const before = calls()
  expect((await put(order, 'query-status')).status).toBe(200)
  await until(() => calls() > before)
  expect((await put(await buy(), 'query-status')).status).toBe(409)
})

test('a refund with a reason: the buyer reads it', async () => {
  const order = await buy()
  const before = await balanceOf(shop, buyer._id)
  const body = { status: 'rejected', refundReason: 'MTN could not load 1GB to 024 123 4567.' }
  expect((await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body })).status).toBe(200)
  expect(await balanceOf(shop, buyer._id)).toBe(before + 550)
  const seen = await call<{ order: Order }>(shop, 'GET', `/order/${order._id}`, { as: buyer })
  expect(seen.body.order.refundReason).toBe(body.refundReason)
  expect((await read(order)).events.at(-1)).toMatchObject({ kind: 'refunded', by: 'akua', detail: body.refundReason })
})

test('costs are shown to those who see costs, and an order’s page to nobody but the staff', async () => {
  const order = await buy()
  const helper = await makeUser(shop, { roles: ['orders'] })
  expect((await read(order)).routes.map(({ to, cost }) => [to, cost])).toEqual([
    ['by-hand', null],
    ['hubnet', null],
    ['remadata', null],
    ['datamart', null],
  ])
  expect((await read(order, helper)).routes.some((route) => 'cost' in route)).toBe(false)
  for (const path of [`/admin/orders/${order._id}`]) expect((await call(shop, 'GET', path, { as: buyer })).status).toBe(403)
  const money = await makeUser(shop, { roles: ['finance'] })
  for (const act of ['send-again', 'receiver', 'query-status']) {
    const body = { to: 'by-hand', supplierStatus: null, receiver: '0249999999', seen: order.receiver, agreedBy: 'Kojo', consent: 'call' }
    expect([act, (await put(order, act, body, money)).status]).toEqual([act, 403])
    expect([act, (await put(order, act, body, buyer)).status]).toEqual([act, 403])
  }
})

test('orders are listed as to be decided or waiting, with their number', async () => {
  const shopOfItsOwn = await openTestShop()
  try {
    const owner = await makeUser(shopOfItsOwn, { level: 'Admin' })
    const ama = await makeUser(shopOfItsOwn, { balance: 500 })
    const line = await cartLine(shopOfItsOwn)
    const { body } = await checkout(shopOfItsOwn, ama, Array(8).fill(line))
    await ordersRelayed(shopOfItsOwn)
    const put = (index: number, standing: DeliveryStatus, notFound = 0) =>
      shopOfItsOwn.database.db.query(
        `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, not_found, created_at, updated_at)
         values ($1, $2, 'hubnet', 1000, $3, 1, $4, now(), now())`,
        [body.orders[index]!._id, body.orders[index]!.reference, standing, notFound],
      )
    await put(0, 'accepted')
    await put(1, 'unknown')
    await put(2, 'unknown', 2)
    await put(3, 'rejected')
    await put(4, 'delivered')
    await makeBatch(shopOfItsOwn, owner, [body.orders[5]!])
    const list = async (query: Record<string, string>) => {
      const reply = await call<Order[]>(shopOfItsOwn, 'GET', '/order/allorders', { as: owner, query: { page: '1', ...query } })
      return [reply.headers['x-total-count'], reply.body.map(({ _id }) => body.orders.findIndex((order) => order._id === _id))]
    }
    expect(await list({ segment: 'to-decide' })).toEqual(['5', [7, 6, 4, 3, 2]])
    expect(await list({ segment: 'to-decide', search: body.orders[3]!.number })).toEqual(['1', [3]])
    expect(await list({ segment: 'waiting', network: 'MTN' })).toEqual(['2', [1, 0]])
    expect(await list({ segment: 'waiting', network: 'Telecel' })).toEqual(['0', []])
    const counts = await call(shopOfItsOwn, 'GET', '/admin/order-counts', { as: owner })
    expect(counts.body).toEqual({
      pending: 8,
      completed: 0,
      rejected: 0,
      networks: [
        { network: 'MTN', toDecide: 5, waiting: 3, byHand: { orders: 3, amount: 16.5, oldestAt: shopOfItsOwn.clock.now.toISOString() } },
      ],
    })
  } finally {
    await shopOfItsOwn.close()
  }
})

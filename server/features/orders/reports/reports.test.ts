import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order, OrderProgress, Report, Reporting } from '../../../../shared/orders.ts'
import type { ReportOfOrder } from '../../../../shared/reports.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeBatch, makeUser, ordersRelayed } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import { INVARIANTS } from '../../../ledger/invariants/invariants.ts'
import { queryDeliveryStatus } from '../../delivery/supplier/query-delivery-status.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
})
afterAll(() => shop.close())

beforeEach(async () => {
  shop.clock.advance(24 * 60 * MINUTE)
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 100 })
})

/** Records and money agree after every test, whatever it tried. */
afterEach(async () => {
  for (const { id, rules } of INVARIANTS.filter(({ id }) => id === 'I8' || id === 'I9')) {
    for (const { sql } of rules) {
      const { rows } = await shop.database.db.query(sql, sql.includes('$1') ? [0] : [])
      expect([id, rows]).toEqual([id, []])
    }
  }
})

const MINUTE = 60_000

/** An admin's session ends sooner than a network's longest usual time. */
async function pass(minutes: number) {
  shop.clock.advance(minutes * MINUTE)
  admin = await makeUser(shop, { level: 'Admin' })
}
const REFUND = { outcome: 'refunded', text: 'MTN never loaded it.' }
const RESEND = { outcome: 'resent', text: 'We have sent it again.' }
const DELIVERED = { outcome: 'delivered', text: 'MTN confirms that it came at 14:09.' }

async function buy(network = 'MTN'): Promise<Order> {
  const { body } = await checkout(shop, buyer, [
    await cartLine(shop, { network, phoneNumber: network === 'MTN' ? '0551234567' : '0271234567' }),
  ])
  return body.orders[0] as Order
}

const complete = (order: Order) => call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'completed' } })

function report(order: Order, text?: string, as = buyer) {
  return call<{ report: Report } & ErrorBody>(shop, 'POST', `/order/${order._id}/report`, { as, body: text === undefined ? {} : { text } })
}

function write(id: string, text: string, as: SignedInUser) {
  return call<{ report: Report } & ErrorBody>(shop, 'POST', `/report/${id}/message`, { as, body: { text } })
}

function end(id: string, body: object, as = admin) {
  return call<{ report: ReportOfOrder } & ErrorBody>(shop, 'PUT', `/admin/reports/${id}/end`, { as, body })
}

async function read(order: Order, as = buyer) {
  return (await call<{ order: Order; progress: OrderProgress; reporting: Reporting }>(shop, 'GET', `/order/${order._id}`, { as })).body
}

/** A completed order by hand with an open report. */
async function reported(network = 'MTN') {
  const order = await buy(network)
  if (network === 'MTN') await complete(order)
  await pass(121)
  return { order, id: (await report(order)).body.report._id }
}

const hubnet = () => shop.sandbox!.supplier.hubnet

async function deliveryOf({ _id }: Order) {
  const { rows } = await shop.database.db.query<{ status: string; reference: string; attempts: number }>(
    'select status, reference, attempts from supplier_deliveries where order_id = $1',
    [_id],
  )
  return rows[0] ?? null
}

function reaches(order: Order, status: string) {
  return until(async () => {
    const delivery = await deliveryOf(order)
    return delivery?.status === status && delivery
  })
}

/** An order that its supplier says it has delivered, completed by the shop, with an open report. */
async function reportedAtSupplier(state: 'delivered' | 'failed' = 'delivered') {
  const order = await buy('AirtelTigo')
  await reaches(order, 'accepted')
  await hubnet().setState(order.reference, { state, webhook: true })
  await reaches(order, state)
  if (state === 'delivered') await complete(order)
  await pass(121)
  return { order, id: (await report(order)).body.report._id }
}

describe('a report opens', () => {
  test('after two hours while the shop does not know how long the network takes, and no earlier', async () => {
    const order = await buy()
    const opensAt = new Date(shop.clock.now.getTime() + 120 * MINUTE).toISOString()
    expect((await read(order)).reporting).toEqual({ opensAt, report: null })
    shop.clock.advance(119 * MINUTE)
    const early = await report(order)
    expect([early.status, early.body.code, early.body.message]).toEqual([
      409,
      'CONFLICT',
      expect.stringMatching(/^It is still within the usual time for MTN\. You can report it from \d\d:\d\d\.$/),
    ])
    shop.clock.advance(MINUTE)
    const opened = await report(order, '  Nothing came  ')
    const at = shop.clock.now.toISOString()
    expect([opened.status, opened.body.report]).toEqual([
      200,
      {
        _id: expect.any(String),
        orderId: order._id,
        number: order.number,
        status: 'open',
        openedAt: at,
        endedAt: null,
        messages: [{ from: 'customer', text: 'Nothing came', at }],
      },
    ])
    expect((await read(order)).reporting).toEqual({ opensAt: null, report: opened.body.report })
  })

  test('once nearly all recent orders of the network had arrived', async () => {
    const line = await cartLine(shop, { network: 'Telecel', offer: '5GB', phoneNumber: '0201234567' })
    const many = await checkout(shop, await makeUser(shop, { balance: 10_000 }), Array(24).fill(line))
    await pass(40)
    for (const order of many.body.orders) await complete(order)
    const { body } = await checkout(shop, await makeUser(shop, { balance: 100 }), [line])
    const owner = body.orders[0] as Order
    const { reporting } = await read(owner, admin)
    expect(reporting.opensAt).toBe(new Date(shop.clock.now.getTime() + 40 * MINUTE).toISOString())
  })

  test('once, however often and at once it is asked for', async () => {
    const order = await buy()
    await pass(121)
    const replies = await Promise.all(Array.from({ length: 6 }, () => report(order, 'Nothing came')))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.report._id}`)).size).toBe(1)
    expect((await read(order)).reporting.report?.messages).toHaveLength(1)
  })

  test('for nobody but the buyer, and never for a refunded order', async () => {
    const order = await buy()
    await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'rejected' } })
    await pass(121)
    expect((await report(order, '', await makeUser(shop))).status).toBe(404)
    expect((await report(order, '', admin)).status).toBe(404)
    const refunded = await report(order)
    expect([refunded.status, refunded.body.message]).toEqual([409, 'We refunded that order, so there is nothing left to deliver.'])
    expect((await read(order)).reporting).toEqual({ opensAt: null, report: null })
  })
})

describe('its lines', () => {
  test('are the buyer’s and the shop’s, in order, and nobody else’s', async () => {
    const { order, id } = await reported()
    await write(id, 'Hello?', buyer)
    await write(id, 'We are asking MTN.', admin)
    expect((await write(id, 'Me too', await makeUser(shop, { level: 'Agent' }))).status).toBe(404)
    const lines = (await read(order)).reporting.report?.messages.map(({ from, text }) => `${from}: ${text}`)
    expect(lines).toEqual(['customer: Hello?', 'shop: We are asking MTN.'])
  })

  test.each([
    ['', 'Write a line.'],
    ['x'.repeat(501), 'Write at most 500 characters.'],
    ['a\u0000b', 'That text holds characters that cannot be shown.'],
  ])('are refused when they cannot be kept (%#)', async (text, message) => {
    const { id } = await reported()
    const { status, body } = await write(id, text, buyer)
    expect([status, body.message]).toEqual([400, message])
  })

  test('cannot be added once it has ended, nor changed in the database', async () => {
    const { id } = await reported()
    await end(id, DELIVERED)
    expect((await write(id, 'But', buyer)).body).toMatchObject({ code: 'ALREADY_DECIDED', message: 'That report is already closed.' })
    await expect(shop.database.db.query(`update report_messages set body = 'x'`)).rejects.toMatchObject({ code: 'DW001' })
  })
})

describe('a report ends', () => {
  test('in a refund of a completed order, once, with its words and its record', async () => {
    const { order, id } = await reported()
    const before = await balanceOf(shop, buyer._id)
    const ended = await end(id, REFUND)
    expect([ended.status, ended.body.report.status, ended.body.report.order.status]).toEqual([200, 'refunded', 'rejected'])
    expect(ended.body.report.messages.at(-1)).toMatchObject({ from: 'shop', text: REFUND.text })
    expect((await balanceOf(shop, buyer._id)) - before).toBe(550)
    expect((await end(id, REFUND)).body.code).toBe('ALREADY_DECIDED')
    expect((await read(order)).progress.steps.map(({ step }) => step)).toEqual(['paid', 'refunded'])
    const { rows } = await shop.database.db.query(`select action, before, note from admin_actions where subject_id = $1 order by id`, [
      order._id,
    ])
    expect(rows).toEqual([
      { action: 'order.completed', before: { status: 'pending' }, note: '' },
      { action: 'order.rejected', before: { status: 'completed' }, note: REFUND.text },
      { action: 'report.refunded', before: { status: 'open' }, note: REFUND.text },
    ])
  })

  test('in refunds up to what staff may move alone in a day, and beyond it by an owner', async () => {
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 1200')
    const [first, second, third] = [await reported(), await reported(), await reported()]
    const clerk = await makeUser(shop, { roles: ['support', 'finance', 'orders'] })
    const owner = await makeUser(shop, { level: 'Admin' })
    expect((await end(first.id, REFUND, clerk)).status).toBe(200)
    expect((await end(second.id, REFUND, clerk)).status).toBe(200)
    const before = await balanceOf(shop, buyer._id)
    const refused = await end(third.id, REFUND, clerk)
    expect([refused.status, refused.body.code]).toEqual([409, 'SECOND_PERSON_NEEDED'])
    expect([await balanceOf(shop, buyer._id), (await read(third.order)).reporting.report?.status]).toEqual([before, 'open'])
    expect((await end(third.id, REFUND, owner)).status).toBe(200)

    const [one, other] = [await reported(), await reported()]
    const colleague = await makeUser(shop, { roles: ['support', 'finance', 'orders'] })
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 600')
    const atOnce = await Promise.all([one, other].map(({ id }) => end(id, REFUND, colleague)))
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409])
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = null')
  })

  test('in second deliveries and refunds up to what staff may move alone in a day, and beyond it by an owner', async () => {
    const [first, second, third] = [await reportedAtSupplier(), await reportedAtSupplier(), await reported()]
    const price = first.order.totalAmount * 100
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = $1', [price + third.order.totalAmount * 100])
    const clerk = await makeUser(shop, { roles: ['support'] })
    const again = { ...RESEND, supplierStatus: 'delivered' }
    expect((await end(first.id, again, clerk)).status).toBe(200)
    expect((await end(third.id, RESEND, clerk)).status).toBe(200)
    for (const more of [again, { ...REFUND, supplierStatus: 'delivered' }]) {
      const refused = await end(second.id, more, clerk)
      expect([refused.status, refused.body.code]).toEqual([409, 'SECOND_PERSON_NEEDED'])
    }
    expect([(await deliveryOf(second.order))?.status, (await read(second.order)).reporting.report?.status]).toEqual(['delivered', 'open'])
    const { rows } = await shop.database.db.query(
      `select before, after from admin_actions where subject_id = $1 and action = 'report.resent'`,
      [first.order._id],
    )
    expect(rows).toEqual([{ before: { status: 'open', supplierStatus: 'delivered' }, after: { status: 'resent', worthPesewas: price } }])
    expect((await end(second.id, again)).status).toBe(200)
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = null')
  })

  test('in a resend of what its supplier failed to deliver, which no limit holds', async () => {
    const { id } = await reportedAtSupplier('failed')
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 0')
    expect((await end(id, RESEND, await makeUser(shop, { roles: ['support'] }))).status).toBe(200)
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = null')
  })

  test('with an ordinary refund of a pending order, which the shop decided elsewhere', async () => {
    const order = await buy()
    await pass(121)
    await report(order)
    await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'rejected' } })
    expect((await read(order)).reporting.report?.status).toBe('refunded')
  })

  test('as delivered after all, which completes a pending order and takes nothing', async () => {
    const order = await buy()
    await pass(121)
    const { _id } = (await report(order)).body.report
    const before = await balanceOf(shop, buyer._id)
    const { body } = await end(_id, DELIVERED)
    expect([body.report.status, body.report.order.status, await balanceOf(shop, buyer._id)]).toEqual(['delivered', 'completed', before])
    expect((await read(order)).reporting.opensAt).toBe(new Date(shop.clock.now.getTime() + 120 * MINUTE).toISOString())
  })

  test('in one resend by hand, after which nothing is refunded', async () => {
    const { order, id } = await reported()
    expect((await end(id, RESEND)).body.report.status).toBe('resent')
    expect((await read(order)).progress.steps.map(({ step }) => step)).toEqual(['paid', 'completed', 'resent'])
    await pass(121)
    const again = (await report(order)).body.report._id
    expect((await end(again, REFUND)).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('sent again') })
    expect((await end(again, RESEND)).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('sent again once already') })
    expect((await end(again, DELIVERED)).status).toBe(200)
  })

  test('in no resend of an order that was never sent', async () => {
    const order = await buy()
    await pass(121)
    const { _id } = (await report(order)).body.report
    expect((await end(_id, RESEND)).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('has not been sent yet') })
    expect((await read(order)).reporting.report).toMatchObject({ status: 'open', messages: [] })
  })

  test('in no resend while the order is locked in a batch, which somebody may be sending by hand', async () => {
    const order = await buy()
    await pass(121)
    const { _id } = (await report(order)).body.report
    await ordersRelayed(shop)
    await shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at)
       values ($1, $2, 'hubnet', 1000, 'rejected', 1, now(), now())`,
      [order._id, order.reference],
    )
    const batch = await makeBatch(shop, admin, [order])
    expect((await end(_id, RESEND)).body).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining(`Batch ${batch.number}`) })
    expect(await deliveryOf(order)).toMatchObject({ status: 'rejected', reference: order.reference })
    expect((await end(_id, DELIVERED)).status).toBe(409)
    expect((await end(_id, REFUND)).status).toBe(409)
  })

  test('in exactly one way, when admins end it differently at the same time', async () => {
    const { order, id } = await reported()
    const before = await balanceOf(shop, buyer._id)
    const replies = await Promise.all([REFUND, RESEND, DELIVERED, REFUND, RESEND].map((how) => end(id, how)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const { status } = (await read(order)).reporting.report as Report
    expect(await balanceOf(shop, buyer._id)).toBe(before + (status === 'refunded' ? 550 : 0))
  })

  test('by an admin only, with words, and not for a report that does not exist', async () => {
    const { id } = await reported()
    expect((await end(id, REFUND, buyer)).status).toBe(403)
    expect((await end(id, { ...REFUND, text: ' ' })).body.issues?.[0]?.path).toBe('text')
    expect((await end(randomUUID(), REFUND)).status).toBe(404)
  })

  test('although its buyer was banned meanwhile, who can add nothing any more', async () => {
    const { id } = await reported()
    await call(shop, 'PUT', `/user/${buyer._id}/status`, { as: admin, body: { status: 'Banned' } })
    expect((await write(id, 'Hello?', buyer)).status).toBe(401)
    expect((await end(id, REFUND)).status).toBe(200)
  })
})

describe('an order at a supplier', () => {
  test('is sent once more under a new reference, and is complete when that one is delivered', async () => {
    const { order, id } = await reportedAtSupplier()
    expect((await end(id, RESEND)).status).toBe(200)
    const { reference, attempts } = await reaches(order, 'accepted')
    expect([reference === order.reference, attempts]).toEqual([false, 1])
    expect((await read(order)).progress.steps.map(({ step, at }) => `${step} ${at !== null}`)).toEqual([
      'paid true',
      'resent true',
      'sent true',
      'delivered false',
    ])
    shop.clock.advance(MINUTE)
    await hubnet().setState(reference, { state: 'delivered', webhook: true })
    await reaches(order, 'delivered')
    const { progress } = await read(order)
    expect(progress.steps.at(-1)).toEqual({ step: 'delivered', at: shop.clock.now.toISOString() })
    expect(
      hubnet()
        .deliveries()
        .filter((one) => [reference, order.reference].includes(one.reference)),
    ).toHaveLength(2)
  })

  test('is not undone by what the supplier says late about the delivery before', async () => {
    const { order, id } = await reportedAtSupplier('failed')
    const queryStatus = async () => {
      await end(id, RESEND)
      await reaches(order, 'accepted')
      return { outcome: 'failed', detail: 'never loaded' }
    }
    // Under another supplier's name, so that its turns and its health are its own.
    const suppliers = new Map([['hubnet', { name: 'remadata', callsPerMinute: 60, queryStatus }]])
    await queryDeliveryStatus(makeCtx(shop).ctx, { suppliers, timings: {} } as unknown as SupplierGateway, { orderId: order._id })
    expect((await deliveryOf(order))?.status).toBe('accepted')
  })

  test('can be refunded after all when the supplier fails to deliver it again', async () => {
    const { order, id } = await reportedAtSupplier('failed')
    await end(id, RESEND)
    const { reference } = await reaches(order, 'accepted')
    const refused = await call<ErrorBody>(shop, 'PUT', `/order/update-status/${order._id}`, {
      as: admin,
      body: { status: 'rejected', override: { reason: 'the customer insists' } },
    })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('was sent again')])
    await hubnet().setState(reference, { state: 'failed', webhook: true })
    await reaches(order, 'failed')
    const rejected = await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'rejected' } })
    expect(rejected.status).toBe(200)
  })

  test.each(['waiting', 'sending', 'accepted', 'unknown'])('is never sent again while it is %s there', async (standing) => {
    const { order, id } = await reportedAtSupplier()
    await shop.database.db.query('update supplier_deliveries set status = $2 where order_id = $1', [order._id, 'waiting'])
    if (standing !== 'waiting')
      await shop.database.db.query('update supplier_deliveries set status = $2 where order_id = $1', [order._id, standing])
    const { status, body } = await end(id, RESEND)
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect((await deliveryOf(order))?.reference).toBe(order.reference)
  })

  test('is not ended when it has moved on since the admin looked', async () => {
    const { id } = await reportedAtSupplier()
    for (const how of [REFUND, RESEND]) expect((await end(id, { ...how, supplierStatus: 'failed' })).status).toBe(409)
    expect((await end(id, { ...REFUND, supplierStatus: 'delivered' })).status).toBe(200)
  })
})

test('a report that a process of version 0.2 left open as it refunded the order ends as refunded, without money', async () => {
  const order = await buy()
  await pass(121)
  const id = (await report(order)).body.report._id
  await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'rejected' } })
  await shop.database.db.query(`begin; alter table reports disable trigger reports_guarded;
    update reports set status = 'open', ended_at = null, ended_by = null where id = '${id}';
    alter table reports enable trigger reports_guarded; commit`)
  for (const other of [RESEND, DELIVERED]) expect((await end(id, other)).body.code).toBe('ALREADY_DECIDED')
  const ended = await end(id, REFUND)
  expect([ended.status, ended.body.report?.status, await balanceOf(shop, buyer._id)]).toEqual([200, 'refunded', 10_000])
})

describe('the database refuses', () => {
  const sql = (text: string, values: unknown[] = []) => shop.database.db.query(text, values)

  test('to reject a completed order without a report that ends in a refund, and such an end without the refund', async () => {
    const { order, id } = await reported()
    await expect(
      sql(`update orders set status = 'rejected', override_reason = 'because' where id = $1`, [order._id]),
    ).rejects.toMatchObject({ code: 'DW005' })
    await expect(sql(`update reports set status = 'refunded', ended_at = now() where id = $1`, [id])).rejects.toMatchObject({
      code: 'DW008',
    })
  })

  test('to end a report twice, to open a second one, and to resend what was refunded', async () => {
    const { order, id } = await reported()
    const open = () => sql('insert into reports (order_id, opened_at) values ($1, now())', [order._id])
    await expect(open()).rejects.toMatchObject({ code: '23505' })
    await end(id, REFUND)
    await expect(sql(`update reports set status = 'resent' where id = $1`, [id])).rejects.toMatchObject({ code: 'DW008' })
    await expect(open()).rejects.toMatchObject({ code: 'DW008' })
  })

  test('to refund what was sent again, and to send it under any other reference', async () => {
    const { order, id } = await reportedAtSupplier('failed')
    const anew = `update supplier_deliveries set reference = 'AAAAAAAAAAAAAAAAAAAA', status = 'waiting', attempts = 0, asked = 0, resent = 0,
      sent_at = null, accepted_at = null, delivered_at = null, supplier_reference = null where order_id = $1`
    await expect(sql(anew, [order._id])).rejects.toMatchObject({ code: 'DW006' })
    await end(id, RESEND)
    await reaches(order, 'accepted')
    await expect(sql(anew, [order._id])).rejects.toMatchObject({ code: 'DW006' })
    const reject = `update orders set status = 'rejected', decided_at = now(), override_reason = 'because' where id = $1`
    await expect(sql(reject, [order._id])).rejects.toMatchObject({ code: 'DW007' })
  })
})

test('the list has all of a thousand and one reports, the newest first, and finds one by its order', async () => {
  const { db } = shop.database
  const { order, id } = await reported()
  await end(id, DELIVERED)
  await db.query(
    `insert into reports (order_id, status, opened_at, ended_at) select $1, 'delivered', now(), now() from generate_series(1, 1000)`,
    [order._id],
  )
  const list = async (query: Record<string, string>) => {
    const { body, headers } = await call<ReportOfOrder[]>(shop, 'GET', '/admin/reports', { as: admin, query })
    return { rows: body, total: Number(headers['x-total-count']) }
  }
  const { rows } = await db.query<{ id: string }>(`select id from reports where status = 'delivered' order by seq desc`)
  const seen: string[] = []
  for (let page = 1; seen.length < rows.length; page++) {
    const found = await list({ status: 'delivered', page: `${page}`, pageSize: '50' })
    expect([found.total, found.rows.length > 0]).toEqual([rows.length, true])
    seen.push(...found.rows.map(({ _id }) => _id))
  }
  expect(seen).toEqual(rows.map(({ id }) => id))
  expect(rows.length).toBeGreaterThanOrEqual(1_001)
  const { order: other } = await reported()
  const found = await list({ search: other.number })
  expect(found.rows.map((one) => [one.number, one.order.user])).toEqual([[other.number, buyer.username]])
})

test('a report takes a hundred lines, also at the same moment, and can be ended all the same', async () => {
  const { id: _id } = await reported()
  await Promise.all(Array.from({ length: 97 }, (_, at) => write(_id, `line ${at}`, buyer)))
  const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => write(_id, `more ${at}`, at % 2 === 0 ? buyer : admin)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'CONFLICT',
    message: 'That report is full. Please call us, or write on WhatsApp.',
  })
  const count = async () =>
    (await shop.database.db.query<{ count: number }>('select count(*)::integer as count from report_messages where report_id = $1', [_id]))
      .rows[0]?.count
  expect(await count()).toBe(100)
  expect((await end(_id, DELIVERED)).status).toBe(200)
  // Whatever the program lets through, the database keeps the buyer's to as many.
  const add = (lines: number) =>
    shop.database.db.query(
      `insert into report_messages (report_id, user_id, from_shop, body, created_at) select $1, $2, false, 'x', now() from generate_series(1, $3)`,
      [_id, buyer._id, lines],
    )
  await expect(add(100)).rejects.toMatchObject({ code: 'DW015' })
})

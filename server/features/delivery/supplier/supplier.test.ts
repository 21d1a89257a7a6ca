import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { JobsReply } from '../../../../shared/jobs.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SettingsReply } from '../../../../shared/settings.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { actionsAbout, balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { until } from '../../../../test/until.ts'
import type { Tx } from '../../../platform/db.ts'
import { openJobQueue } from '../../../platform/job-queue.ts'
import { createLog } from '../../../platform/log.ts'
import { NOTIFY_QUEUE, notifyJob, QUERY_STATUS_QUEUE, queryStatusJob, queueRules } from '../../../platform/queues.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 5_000 })
})
afterAll(() => shop.close())
afterEach(async () => {
  hubnet().clearFaults()
  await hubnet().change({ balancePesewas: 1_000_000 })
  await change({ completeDelivered: false, rejectRefused: false })
})

const hubnet = () => shop.sandbox!.supplier.hubnet
const change = (body: object) => call<SettingsReply>(shop, 'PUT', '/admin/settings', { as: admin, body })

async function buy(network = 'AirtelTigo'): Promise<Order> {
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { network, phoneNumber: '0271234567' })])
  return body.orders[0]!
}

async function seenBy(user: SignedInUser, order: Order): Promise<Order> {
  const { body } = await call<Order[]>(shop, 'GET', '/order/allorders', { as: user, query: { page: '1', pageSize: '50' } })
  return body.find(({ _id }) => _id === order._id)!
}

/** Waits until the order stands so at its supplier, and gives what the admin sees of it. */
function reaches(order: Order, status: string) {
  return until(async () => {
    const seen = await seenBy(admin, order)
    return seen.supplier?.status === status && seen
  })
}

const arrived = (order: Order) =>
  hubnet()
    .deliveries()
    .filter(({ reference }) => reference === order.reference)
const setState = (order: Order, state: 'delivered' | 'failed', webhook = true) => hubnet().setState(order.reference, { state, webhook })

describe('an order of a network that is routed to a supplier', () => {
  test('is sent once, under its own reference, with a thousand megabytes to the gigabyte', async () => {
    const order = await buy()
    const seen = await reaches(order, 'accepted')
    expect(seen.supplier).toMatchObject({ name: 'hubnet', attempts: 1 })
    expect(arrived(order)).toMatchObject([{ reference: order.reference, phone: '0271234567', network: 'at', volumeMb: 1000 }])
    expect(seen.status).toBe('pending')
  })

  test('shows its buyer a plain status, and nothing about the supplier', async () => {
    const order = await buy()
    await reaches(order, 'accepted')
    const seen = await seenBy(buyer, order)
    expect(seen.supplierStatus).toBe('Sent to network')
    expect(Object.keys(seen)).not.toContain('supplier')
    const proxy = { body: { reference: order.reference }, url: 'http://evil.example', headers: {} }
    expect((await call(shop, 'POST', '/proxy', { as: buyer, body: proxy })).body).toEqual({ data: { status: 'Sent to network' } })
    expect((await call(shop, 'POST', '/proxy', { as: admin, body: proxy })).status).toBe(404)
  })

  test('of another network is processed by hand', async () => {
    const order = await buy('MTN')
    await until(async () => (await jobs()).ordersToRelay === 0)
    const seen = await seenBy(admin, order)
    expect([seen.supplier, seen.supplierStatus]).toEqual([null, null])
    expect((await call(shop, 'POST', '/proxy', { as: buyer, body: { body: { reference: order.reference } } })).body).toEqual({
      data: { status: 'pending' },
    })
  })
})

describe('what becomes of it', () => {
  test('a webhook event causes a status query, and the order waits for the admin', async () => {
    const order = await buy()
    await reaches(order, 'accepted')
    await setState(order, 'delivered')
    expect((await reaches(order, 'delivered')).status).toBe('pending')
  })

  test('is found without any webhook event', async () => {
    const order = await buy()
    await reaches(order, 'accepted')
    await setState(order, 'failed', false)
    await reaches(order, 'failed')
  })

  test('is not taken from a webhook event when the status query says otherwise', async () => {
    const order = await buy()
    await reaches(order, 'accepted')
    const { rows } = await shop.database.db.query<{ secret: string }>('select secret from supplier_webhook')
    const body = { event: 'transfer.delivered', status: true, data: { reference: order.reference, status: 'delivered' } }
    const asked = () =>
      hubnet()
        .calls()
        .filter(({ url }) => String(url).includes(order.reference)).length
    const before = asked()
    expect((await call(shop, 'POST', `/supplier/webhook/${rows[0]!.secret}`, { body })).body).toEqual({ received: true })
    await until(() => asked() > before)
    expect((await seenBy(admin, order)).supplier?.status).toBe('accepted')
  })

  test('needs the secret of the webhook URL; with it, nonsense is accepted and ignored', async () => {
    expect((await call(shop, 'POST', '/supplier/webhook/wrong', { body: {} })).status).toBe(404)
    const { rows } = await shop.database.db.query<{ secret: string }>('select secret from supplier_webhook')
    for (const body of [{}, [], { data: { reference: 'nobody0000000000' } }, { reference: ['x'] }]) {
      expect((await call(shop, 'POST', `/supplier/webhook/${rows[0]!.secret}`, { body })).status).toBe(200)
    }
  })

  test('completes the order automatically if switched on, recorded without an actor', async () => {
    await change({ completeDelivered: true })
    const order = await buy()
    await reaches(order, 'accepted')
    await setState(order, 'delivered')
    await until(async () => (await seenBy(buyer, order)).status === 'completed')
    expect(await actionsAbout(shop, admin, order._id)).toMatchObject([
      { actor: null, action: 'order.completed', note: 'The supplier has delivered it.' },
    ])
  })

  test('a refusal leaves the order to the admin, or rejects and refunds it if switched on', async () => {
    hubnet().addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
    const left = await buy()
    await reaches(left, 'rejected')
    expect((await seenBy(buyer, left)).status).toBe('pending')

    await change({ rejectRefused: true })
    hubnet().addFault({ call: 'order', kind: 'refuse', cause: 'invalid' })
    const before = await balanceOf(shop, buyer._id)
    const order = await buy()
    await until(async () => (await seenBy(buyer, order)).status === 'rejected')
    expect(await balanceOf(shop, buyer._id)).toBe(before)
    expect(arrived(order)).toEqual([])
  })
})

describe('when its outcome is not known', () => {
  test.each([
    ['the connection is cut after it was taken', { kind: 'drop' }],
    ['no answer comes', { kind: 'hang' }],
    ['the answer is cut in half', { kind: 'malformed' }],
    ['the answer is ten megabytes', { kind: 'huge' }],
    ['the answer is about another order', { kind: 'wrong-reference' }],
  ] as const)('%s: its status is queried, and it is never sent again', async (_name, fault) => {
    hubnet().addFault({ call: 'order', ...fault })
    const order = await buy()
    const seen = await reaches(order, 'accepted')
    expect([seen.supplier?.attempts, arrived(order).length]).toEqual([1, 1])
  })

  test('it is sent again under the same reference after two answers of "not found"', async () => {
    hubnet().addFault({ call: 'order', kind: 'drop', acts: false })
    const order = await buy()
    const seen = await reaches(order, 'accepted')
    expect([seen.supplier?.attempts, arrived(order).length]).toEqual([2, 1])
    const calls = hubnet()
      .calls()
      .filter((entry) => JSON.stringify(entry).includes(order.reference))
    const questions = calls.filter(({ url }) => String(url).includes('check-transaction-status'))
    expect(questions.length).toBeGreaterThanOrEqual(2)
  })

  test('a delivery that is told of before the call which ordered it has been answered is not forgotten', async () => {
    const patient = await openTestShop({
      withSandbox: true,
      timings: { supplier: { ...QUICK_TIMINGS.supplier, timeoutMs: 5_000, queryAcceptedAfterMs: 3_600_000 } },
    })
    try {
      const customer = await makeUser(patient, { balance: 20 })
      const supplier = patient.sandbox!.supplier.hubnet
      await supplier.change({ deliversAfterMs: 0 })
      supplier.addFault({ call: 'order', kind: 'slow', delayMs: 800 })
      const line = await cartLine(patient, { network: 'AirtelTigo', phoneNumber: '0271234567' })
      const order = (await checkout(patient, customer, [line])).body.orders[0]!
      const standing = async () =>
        (await patient.database.db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [order._id]))
          .rows[0]?.status
      await until(() => supplier.deliveries().some(({ reference, state }) => reference === order.reference && state === 'delivered'))
      expect(await standing()).toBe('sending')
      await until(async () => (await standing()) === 'delivered')
    } finally {
      await patient.close()
    }
  })

  test('a question that comes while the outcome of the call is being stored is asked again', async () => {
    const patient = await openTestShop({
      withSandbox: true,
      timings: { supplier: { ...QUICK_TIMINGS.supplier, timeoutMs: 5_000, callDeadAfterMs: 60_000 } },
    })
    const { db } = patient.database
    const jobs = await openJobQueue({ db, log: createLog('silent'), queues: queueRules(QUICK_TIMINGS), timings: QUICK_TIMINGS.jobs })
    const holder = await db.connect()
    try {
      const customer = await makeUser(patient, { balance: 20 })
      patient.sandbox!.supplier.hubnet.addFault({ call: 'order', kind: 'hang' })
      const line = await cartLine(patient, { network: 'AirtelTigo', phoneNumber: '0271234567' })
      const { _id } = (await checkout(patient, customer, [line])).body.orders[0]!
      const standing = async () =>
        (await db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [_id])).rows[0]?.status
      await until(async () => (await standing()) === 'sending')
      // A question waits, so that storing the outcome adds no other; that then waits for this transaction.
      await jobs.enqueue(db, QUERY_STATUS_QUEUE, [queryStatusJob(_id, { afterMs: 3_600_000 })])
      await holder.query('begin')
      await jobs.enqueue(holder as unknown as Tx, NOTIFY_QUEUE, [notifyJob('order', _id)])
      await until(() => isWaitedFor(holder))
      await jobs.hasten(db as unknown as Tx, QUERY_STATUS_QUEUE, [_id])
      await until(async () => {
        const { rows } = await db.query<{ state: string }>(
          `select state from jobs.job where name = $1 and data ->> 'orderId' = $2 order by created_on limit 1`,
          [QUERY_STATUS_QUEUE, _id],
        )
        return rows[0]?.state === 'completed'
      })
      await holder.query('rollback')
      await until(async () => (await standing()) === 'accepted' || (await standing()) === 'delivered')
    } finally {
      await holder.query('rollback')
      holder.release()
      await jobs.stop()
      await patient.close()
    }
  })

  test('answers of "not found" in quick succession count as one, and it is not sent again', async () => {
    const patient = await openTestShop({
      withSandbox: true,
      timings: { supplier: { ...QUICK_TIMINGS.supplier, notFoundApartMs: 3_600_000 } },
    })
    try {
      const customer = await makeUser(patient, { balance: 20 })
      patient.sandbox!.supplier.hubnet.addFault({ call: 'order', kind: 'drop', acts: false })
      const line = await cartLine(patient, { network: 'AirtelTigo', phoneNumber: '0271234567' })
      const order = (await checkout(patient, customer, [line])).body.orders[0]!
      const standing = async () => {
        const { rows } = await patient.database.db.query<{ asked: number; notFound: number; status: string; attempts: number }>(
          `select asked, not_found as "notFound", status, attempts from supplier_deliveries where order_id = $1`,
          [order._id],
        )
        return rows[0]
      }
      await until(async () => (await standing())?.asked === 1)
      const { rows } = await patient.database.db.query<{ secret: string }>('select secret from supplier_webhook')
      for (const asked of [2, 3, 4]) {
        const body = { event: 'transfer.delivered', status: true, data: { reference: order.reference, status: 'delivered' } }
        await call(patient, 'POST', `/supplier/webhook/${rows[0]!.secret}`, { body })
        await until(async () => (await standing())?.asked === asked)
      }
      expect(await standing()).toEqual({ asked: 4, notFound: 1, status: 'unknown', attempts: 1 })
    } finally {
      await patient.close()
    }
  })

  test('the database requires "not found" answers to be apart by its own clock', async () => {
    const order = await buy('MTN')
    const { db } = shop.database
    await db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, sent_at, not_found_apart_ms, created_at, updated_at)
       select id, reference, 'hubnet', 1000, 'unknown', 1, now(), 400, now(), now() from orders where id = $1`,
      [order._id],
    )
    const set = (change: string) => db.query(`update supplier_deliveries set ${change} where order_id = $1`, [order._id])
    await expect(set('not_found = 2')).rejects.toMatchObject({ code: 'DW006' })
    await set(`not_found = 1, not_found_at = now() - interval '1 hour'`)
    await set(`not_found_at = now() - interval '1 hour'`)
    await expect(set('not_found = 2')).rejects.toThrow(/too soon/)
    await expect(set('not_found_apart_ms = 1')).rejects.toThrow(/cannot be changed/)
    await expect(set(`status = 'sending'`)).rejects.toThrow(/cannot be sent/)
    await until(() =>
      set('not_found = 2').then(
        () => true,
        () => false,
      ),
    )
    await set(`status = 'sending', not_found = 0, attempts = 2, resent = 1`)
    await set(`status = 'delivered'`)
  })

  test('a "duplicate" reply means that it has the order: no second delivery, no failure', async () => {
    hubnet().addFault({ call: 'order', kind: 'refuse', cause: 'duplicate' })
    const order = await buy()
    expect((await reaches(order, 'unknown')).supplierStatus).toBe('Being checked')
    await reaches(order, 'accepted')
    expect(arrived(order)).toHaveLength(1)
  })

  test('the database refuses to resend what the supplier may have', async () => {
    const order = await buy()
    await reaches(order, 'accepted')
    const sendAgain = `update supplier_deliveries set status = 'sending' where order_id = $1`
    await expect(shop.database.db.query(sendAgain, [order._id])).rejects.toThrow(/cannot be sent/)
    const other = `update supplier_deliveries set reference = 'another000000000' where order_id = $1`
    await expect(shop.database.db.query(other, [order._id])).rejects.toThrow(/cannot be changed/)
  })
})

const jobs = async () => (await call<JobsReply>(shop, 'GET', '/admin/jobs', { as: admin })).body

describe('a faulty supplier', () => {
  test('with an empty balance is paused, the admin sees why, and the order is sent after a top-up', async () => {
    await hubnet().change({ balancePesewas: 0 })
    const order = await buy()
    const isOpen = await until(async () => (await jobs()).suppliers.find(({ name, openUntil }) => name === 'hubnet' && openUntil))
    expect(isOpen.reason).toMatch(/^our balance there is empty/)
    await shop.database.db.query('update supplier_health set balance_pesewas = 0, balance_at = now() where balance_pesewas is null')
    const asHelper = await call<JobsReply>(shop, 'GET', '/admin/jobs', { as: await makeUser(shop, { roles: ['orders'] }) })
    expect([(await jobs()).suppliers, asHelper.body.suppliers].map(([one]) => typeof one?.balance)).toEqual(['number', 'object'])
    // The supplier rests a moment before the order is put back to wait.
    await reaches(order, 'waiting')
    expect(await seenBy(admin, order)).toMatchObject({ status: 'pending', supplier: { status: 'waiting' } })
    await hubnet().change({ balancePesewas: 100_000 })
    await reaches(order, 'accepted')
    expect(arrived(order)).toHaveLength(1)
  })

  test('is called within its limit per minute, by all callers together', async () => {
    const turn = () =>
      shop.database.db
        .query<{ wait: number }>(`select take_supplier_turn('test', 'send', 5, false, false) as wait`)
        .then(({ rows }) => rows[0]!.wait)
    const waits = await Promise.all(Array.from({ length: 40 }, turn))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
    const later = waits.filter((wait) => wait > 0).sort((one, other) => one - other)
    // Those who wait are promised turns twelve seconds apart, not all the same one.
    expect(later[0]).toBeGreaterThan(55_000)
    expect(later.at(-1)! - later[0]!).toBeGreaterThan(34 * 12_000 - 5_000)
    // Noted by a clock that has been set back by a day since.
    await shop.database.db.query(
      `update supplier_calls set promised_at = promised_at + interval '1 day',
         recent = array(select call + interval '1 day' from unnest(recent) call order by call) where supplier = 'test'`,
    )
    expect(await turn()).toBe(0)
  })
})

test('an order that was not taken at first is not sent once its card payment is disputed', async () => {
  hubnet().addFault({ call: 'order', kind: 'refuse', cause: 'no-money', times: 1_000 })
  const items = [await cartLine(shop, { network: 'AirtelTigo', phoneNumber: '0271234567' })]
  const { reference } = (await call<{ reference: string }>(shop, 'POST', '/payment', { as: buyer, body: { purpose: 'order', items } })).body
  await shop.sandbox!.cardProvider.pay(reference)
  const order = await until(async () => {
    const { body } = await call<{ orders: Order[] }>(shop, 'POST', `/payment/${reference}/confirm`, { as: buyer })
    return body.orders[0]
  })
  await until(async () => {
    const { supplier } = await seenBy(admin, order)
    return supplier?.status === 'waiting' && supplier.attempts > 0
  })
  await shop.database.db.query(`update payments set hold_reason = 'the payer disputes it' where reference = $1`, [reference])
  hubnet().clearFaults()
  await until(async () => (await seenBy(admin, order)).supplier?.detail === 'on hold: the payer disputes it')
  expect(arrived(order)).toEqual([])
})

describe('a decision by hand', () => {
  test('before it is sent keeps it from being sent', async () => {
    await shop.database.db.query(
      `insert into supplier_health (supplier, paused_until) values ('hubnet', now() + interval '1 hour')
       on conflict (supplier) do update set paused_until = excluded.paused_until`,
    )
    const [rejected, completed] = [await buy(), await buy()]
    await reaches(rejected, 'waiting')
    await reaches(completed, 'waiting')
    for (const [order, status] of [
      [rejected, 'rejected'],
      [completed, 'completed'],
    ] as const) {
      const reply = await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status } })
      expect([reply.status, (reply.body as { order: Order }).order.supplier?.status]).toEqual([200, 'cancelled'])
    }
    await shop.database.db.query(`update supplier_health set paused_until = '-infinity'`)
    const next = await buy()
    await reaches(next, 'accepted')
    expect([arrived(rejected), arrived(completed)]).toEqual([[], []])
  })

  test('while it is sent, which then turns out not to have been taken, keeps it from being sent again', async () => {
    await shop.database.db.query(`insert into supplier_health (supplier) values ('hubnet') on conflict do nothing`)
    await shop.database.db.query(`update supplier_health set paused_until = 'infinity' where supplier = 'hubnet'`)
    const order = await buy()
    await reaches(order, 'waiting')
    await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'completed' } })
    await shop.database.db.query(`update supplier_deliveries set status = 'waiting', attempts = 1 where order_id = $1`, [order._id])
    await shop.database.db.query(`update supplier_health set paused_until = '-infinity'`)
    await shop.database.db.query(`insert into jobs.job (name, data) values ('supplier-send', $1)`, [{ orderId: order._id }])
    expect((await reaches(order, 'cancelled')).supplier?.detail).toBe('the order was completed by hand')
    expect(arrived(order)).toEqual([])
  })

  test('while it is sent: Process leaves one delivery, Reject has to wait', async () => {
    hubnet().addFault({ call: 'order', kind: 'slow', delayMs: 500 })
    const order = await buy()
    await reaches(order, 'sending')
    const reject = await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'rejected' } })
    expect([reject.status, reject.body.code]).toEqual([409, 'CONFLICT'])
    const process = await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'completed' } })
    expect(process.status).toBe(200)
    expect((await reaches(order, 'accepted')).status).toBe('completed')
    expect(arrived(order)).toHaveLength(1)
  })
})

describe('a rejection of what the supplier has', () => {
  const reject = (order: Order, override?: object) =>
    call<{ order: Order } & { message: string }>(shop, 'PUT', `/order/update-status/${order._id}`, {
      as: admin,
      body: { status: 'rejected', ...(override ? { override } : {}) },
    })

  test('is 409 without a reason; with one, and the order still as it was seen, the buyer is refunded', async () => {
    const order = await buy()
    await reaches(order, 'accepted')
    const before = await balanceOf(shop, buyer._id)
    const refused = await reject(order)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The supplier has that order and may still deliver it. Give a reason to go on.',
    ])
    await setState(order, 'delivered')
    await reaches(order, 'delivered')
    expect((await reject(order)).status).toBe(409)
    expect((await reject(order, { reason: 'The line is dead', supplierStatus: 'accepted' })).status).toBe(409)
    expect(await balanceOf(shop, buyer._id)).toBe(before)
    expect((await reject(order, { reason: 'The line is dead', supplierStatus: 'delivered' })).status).toBe(200)
    expect(await balanceOf(shop, buyer._id)).toBe(before + 500)
    expect(await actionsAbout(shop, admin, order._id)).toMatchObject([
      {
        actor: admin.username,
        action: 'order.rejected',
        note: 'The line is dead',
        before: { status: 'pending', supplierStatus: 'delivered' },
      },
    ])
  })
})

describe('the settings', () => {
  test('route each network, and record who changed them with before and after', async () => {
    const { body } = await call<SettingsReply>(shop, 'GET', '/admin/settings', { as: admin })
    expect(body.settings.routes).toMatchObject({ AirtelTigo: 'hubnet', MTN: 'by-hand' })
    expect(body.suppliers.find(({ name }) => name === 'hubnet')?.networks).toEqual(['MTN', 'AirtelTigo'])

    const changed = await change({ routes: { MTN: 'hubnet' }, smsDailyCap: 100 })
    expect(changed.body.settings).toMatchObject({ ...body.settings, routes: { ...body.settings.routes, MTN: 'hubnet' }, smsDailyCap: 100 })
    const order = await buy('MTN')
    await reaches(order, 'accepted')
    expect(arrived(order)).toMatchObject([{ network: 'mtn' }])

    const { body: actions } = await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin, query: { search: 'settings' } })
    expect(actions.find(({ after }) => after?.smsDailyCap === 100)).toMatchObject({
      action: 'settings.change',
      before: { smsDailyCap: body.settings.smsDailyCap, routes: { MTN: 'by-hand' } },
      after: { routes: { MTN: 'hubnet' } },
    })
    await change({ routes: { MTN: 'by-hand' }, smsDailyCap: body.settings.smsDailyCap })
  })

  test.each([
    ['a supplier that does not carry the network', { routes: { AFA: 'hubnet' } }, 'routes.AFA'],
    ['a supplier that nobody knows', { routes: { MTN: 'acme' } }, 'routes.MTN'],
    ['a network that nobody knows', { smsDigestAbove: 0 }, 'smsDigestAbove'],
    ['half a message', { smsDailyCap: 1.5 }, 'smsDailyCap'],
    ['a number of nine digits', { operatorPhone: '024123456' }, 'operatorPhone'],
    ['a word for yes', { buyerSms: 'yes' }, 'buyerSms'],
  ])('refuse %s and name the field', async (_name, body, path) => {
    const reply = await call<{ issues: { path: string }[] }>(shop, 'PUT', '/admin/settings', { as: admin, body })
    expect([reply.status, reply.body.issues.map((issue) => issue.path)]).toEqual([400, [path]])
  })
})

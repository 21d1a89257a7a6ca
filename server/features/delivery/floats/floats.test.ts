import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Float, FloatsReply } from '../../../../shared/floats.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'

let shop: TestShop
let admin: SignedInUser
let other: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  // The breaker stays open until somebody presses the button, however slow the machine is.
  const supplier = {
    ...QUICK_TIMINGS.supplier,
    timeoutMs: 20_000,
    callDeadAfterMs: 60_000,
    breakerOpenMs: 3_600_000,
    longestBreakerOpenMs: 3_600_000,
  }
  // Nor does a job count as dead that a slow machine takes long over, and wait for its next turn.
  const jobs = { ...QUICK_TIMINGS.jobs, expireSeconds: 120 }
  shop = await openTestShop({ withSandbox: true, timings: { supplier, jobs } })
  admin = await makeUser(shop, { level: 'Admin' })
  other = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 5_000 })
})
afterAll(() => shop.close())
afterEach(async () => {
  await untilRead()
  hubnet().clearFaults()
  await hubnet().change({ balancePesewas: 1_000_000 })
  await shop.database.db.query(`delete from supplier_health`)
  await shop.database.db.query(`delete from float_alarms`)
  await shop.database.db.query(`delete from float_readings`)
})

/** Waits until no reading of the balances is under way, and nothing is left to tell. */
const untilRead = () =>
  until(async () => {
    const left = `select from jobs.job where name in ('supplier-balance', 'supplier-alarm') and state < 'completed' and start_after <= now()`
    return (await shop.database.db.query(left)).rowCount === 0
  })

const hubnet = () => shop.sandbox!.supplier.hubnet
const read = async () => (await call<FloatsReply>(shop, 'GET', '/admin/suppliers', { as: admin })).body
const floatOf = async (key: string) => (await read()).floats.find((float) => float.key === key) as Float
const retry = (as = admin) => call<{ message: string }>(shop, 'POST', '/admin/suppliers/hubnet/retry', { as })
const alarmsSent = () => shop.sandbox!.sms.messages().filter(({ body }) => /balance|our orders/.test(body))
const openAlarms = async () =>
  (await shop.database.db.query<{ kind: string }>('select kind from float_alarms where ended_at is null order by kind')).rows.map(
    ({ kind }) => kind,
  )

async function buy(count: number): Promise<Order[]> {
  const line = await cartLine(shop, { network: 'AirtelTigo', phoneNumber: '0271234567' })
  return (await checkout(shop, buyer, Array(count).fill(line))).body.orders
}

const arrived = (order: Order) =>
  hubnet()
    .deliveries()
    .filter(({ reference }) => reference === order.reference)

const statusOf = async ({ _id }: Order) =>
  (await shop.database.db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [_id])).rows[0]?.status

/** Waits until no call of an order is under way: what it comes to is not known yet, and such an order cannot be given back. */
const untilSent = () =>
  until(async () => (await shop.database.db.query(`select from jobs.job where name = 'supplier-send' and state = 'active'`)).rowCount === 0)

/** Orders that wait at a supplier whose balance is finished, and the owner who was told of it. */
async function runDry(count: number): Promise<Order[]> {
  const before = alarmsSent().length
  for (let n = 0; n < 50; n++) hubnet().addFault({ call: 'order', kind: 'refuse', cause: 'no-money' })
  const orders = await buy(count)
  // A call that was begun before the breaker opened may end after it; from then on none begins.
  await until(async () => {
    await untilSent()
    const { state, held } = await floatOf('hubnet')
    return state === 'finished' && held.orders === count
  })
  await until(() => alarmsSent().length > before)
  return orders
}

describe('a supplier whose balance is finished', () => {
  test('holds its orders, and the owner gets one message, however often it fails again', async () => {
    const before = alarmsSent().length
    const orders = await runDry(3)
    const float = await floatOf('hubnet')
    expect(float).toMatchObject({ kind: 'supplier', networks: ['AirtelTigo'], state: 'finished' })
    expect(float.held).toEqual({ orders: 3, value: Math.round(orders.reduce((sum, { totalAmount }) => sum + totalAmount * 100, 0)) / 100 })
    expect(float.problem).toMatchObject({ failures: expect.any(Number), nextTryAt: expect.any(String) })
    const failures = float.problem!.failures
    await retry()
    await until(async () => ((await floatOf('hubnet')).problem?.failures ?? 0) > failures && (await floatOf('hubnet')).state === 'finished')
    await untilRead()
    await untilSent()
    expect(alarmsSent().length).toBe(before + 1)
    expect(alarmsSent()[0]?.body).toMatch(/^Dwadi: your Hubnet balance is finished\./)
    expect(await openAlarms()).toEqual(['finished'])
    await call(shop, 'POST', '/admin/suppliers/hubnet/release', { as: admin })
  })

  test('pressing Try now by two admins at once sends each order once, and the alarm is over', async () => {
    const orders = await runDry(4)
    hubnet().clearFaults()
    const replies = await Promise.all([retry(), retry(other), retry(), retry(other)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.some(({ body }) => body.message === '4 orders are being sent now.')).toBe(true)
    await until(async () => (await Promise.all(orders.map(statusOf))).every((status) => status === 'accepted'))
    expect(orders.map((order) => arrived(order).length)).toEqual([1, 1, 1, 1])
    await until(async () => (await openAlarms()).length === 0)
    expect((await floatOf('hubnet')).held.orders).toBe(0)
    expect((await floatOf('hubnet')).problem).toBeNull()
  })

  test('keeps a completed order that is to be sent again: nobody processes it by hand, and it could not be refunded', async () => {
    const [order] = await runDry(1)
    await call(shop, 'PUT', `/order/update-status/${order!._id}`, { as: admin, body: { status: 'completed' } })
    await shop.database.db.query(`update supplier_deliveries set status = 'waiting' where order_id = $1`, [order!._id])
    const { body } = await call<{ message: string }>(shop, 'POST', '/admin/suppliers/hubnet/release', { as: admin })
    expect(body.message).toBe('No order is waiting there any more.')
    await shop.database.db.query(`update supplier_deliveries set status = 'cancelled' where order_id = $1`, [order!._id])
  })

  test('gives its orders back to be processed by hand, once, and none is sent afterwards', async () => {
    const orders = await runDry(2)
    const release = () => call<{ message: string }>(shop, 'POST', '/admin/suppliers/hubnet/release', { as: admin })
    const replies = await Promise.all([release(), release()])
    expect(replies.map(({ body }) => body.message).toSorted()).toEqual([
      '2 orders are yours to process by hand now.',
      'No order is waiting there any more.',
    ])
    hubnet().clearFaults()
    expect((await retry()).body.message).toBe('No order is waiting there. The next one is sent at once.')
    expect(await Promise.all(orders.map(statusOf))).toEqual(['cancelled', 'cancelled'])
    expect(orders.flatMap(arrived)).toEqual([])
    const decided = await call(shop, 'PUT', `/order/update-status/${orders[0]!._id}`, { as: admin, body: { status: 'completed' } })
    expect(decided.status).toBe(200)
  })
})

describe('a balance that runs out', () => {
  test('is told once before it does, with how long it lasts at today’s rate, and that is over once it is topped up', async () => {
    const before = alarmsSent().length
    await hubnet().change({ balancePesewas: 6_000 })
    const at = (hoursAgo: number) => new Date(shop.clock.now.getTime() - hoursAgo * 3_600_000)
    for (const [hoursAgo, pesewas] of [
      [3, 30_000],
      [2, 22_000],
      [1, 13_000],
    ] as const) {
      await shop.database.db.query(`insert into float_readings (float_key, amount, read_at) values ('hubnet', $1, $2)`, [
        pesewas,
        at(hoursAgo),
      ])
    }
    await retry()
    await until(() => alarmsSent().length > before)
    // 240.00 went in three hours, so 60.00 last three quarters of one.
    expect(await floatOf('hubnet')).toMatchObject({
      state: 'low',
      balance: 60,
      perHour: 80,
      rateFrom: 'balance',
      emptyAt: at(-0.75).toISOString(),
      today: { opening: 300, topUps: 0, spent: 240 },
    })
    expect(alarmsSent()[0]?.body).toBe("Dwadi: your Hubnet balance, GHS 60.00, lasts about 45 minutes at today's rate. Please top up.")
    await hubnet().change({ balancePesewas: 5_000 })
    await retry()
    await until(async () => (await floatOf('hubnet')).balance === 50)
    await hubnet().change({ balancePesewas: 205_000 })
    await retry()
    await until(async () => (await openAlarms()).length === 0)
    expect((await floatOf('hubnet')).today).toEqual({ opening: 300, topUps: 2_000, spent: 250 })
    expect(alarmsSent().length).toBe(before + 1)
  })

  test('is not told of before the owner wants to hear of it', async () => {
    await hubnet().change({ balancePesewas: 16_000 })
    await shop.database.db.query(
      `insert into float_readings (float_key, amount, read_at)
       select 'hubnet', 16000 + hours * 8000, $1::timestamptz - make_interval(hours => hours) from generate_series(1, 3) hours`,
      [shop.clock.now],
    )
    await retry()
    await until(async () => (await floatOf('hubnet')).balance === 160)
    await untilRead()
    // It lasts two hours, and an hour before is when the owner is told.
    expect([(await floatOf('hubnet')).perHour, await openAlarms()]).toEqual([80, []])
  })

  test('has no rate and no end while there are too few readings', async () => {
    await retry()
    await until(async () => (await floatOf('hubnet')).balance === 10_000)
    expect(await floatOf('hubnet')).toMatchObject({ state: 'enough', perHour: null, rateFrom: null, emptyAt: null })
  })

  test('of a portal without an API is what an admin counted', async () => {
    expect(await floatOf('by-hand:MTN')).toBeUndefined()
    await call(shop, 'PUT', '/admin/suppliers/balance', { as: admin, body: { network: 'MTN', balance: 3_314.4 } })
    expect(await floatOf('by-hand:MTN')).toMatchObject({
      kind: 'by-hand',
      networks: ['MTN'],
      balance: 3_314.4,
      state: 'enough',
      emptyAt: null,
    })
    for (const body of [{ network: 'MTN', balance: -1 }, { network: 'Nobody', balance: 1 }, {}]) {
      expect((await call(shop, 'PUT', '/admin/suppliers/balance', { as: admin, body })).status).toBe(400)
    }
  })

  test('of such a portal goes down with what is delivered by hand at its cost, and says which orders have none', async () => {
    const [mtn, telecel] = [await cartLine(shop), await cartLine(shop, { network: 'Telecel', offer: '5GB' })]
    const cost = (productId: string, offer: string, pesewas: number) =>
      shop.database.db.query(
        `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from) values ($1, $2, 'by-hand', $3, '2026-01-01')`,
        [productId, offer, pesewas],
      )
    await cost(mtn.productId, '1GB', 430)
    const deliver = async (line: typeof mtn) => {
      const { body } = await checkout(shop, buyer, [line])
      await call(shop, 'PUT', `/order/update-status/${body.orders[0]!._id}`, { as: admin, body: { status: 'completed' } })
    }
    // Delivered before it was counted, in the same hour: it is gone from there already.
    await deliver(mtn)
    for (const [network, balance] of [
      ['MTN', 100],
      ['Telecel', 80],
    ] as const) {
      await call(shop, 'PUT', '/admin/suppliers/balance', { as: admin, body: { network, balance } })
    }
    await deliver(mtn)
    await deliver(mtn)
    await deliver(telecel)
    expect(await floatOf('by-hand:MTN')).toMatchObject({ balance: 91.4, withoutCost: 0, rateFrom: 'deliveries' })
    expect(await floatOf('by-hand:Telecel')).toMatchObject({ balance: 80, withoutCost: 1, perHour: null })
    await shop.database.db.query('select fold_insight_deltas()')
    expect(await floatOf('by-hand:MTN')).toMatchObject({ balance: 91.4 })
    // A hundred more than there should be was topped up.
    await call(shop, 'PUT', '/admin/suppliers/balance', { as: admin, body: { network: 'MTN', balance: 191.4 } })
    expect(await floatOf('by-hand:MTN')).toMatchObject({ balance: 191.4, today: { opening: 100, topUps: 100, spent: 8.6 } })
    await deliver(mtn)
    expect((await floatOf('by-hand:MTN')).balance).toBe(187.1)
  })

  test('is no business of whoever only processes orders, but what waits there is', async () => {
    const helper = await makeUser(shop, { roles: ['orders'] })
    await call(shop, 'PUT', '/admin/suppliers/balance', { as: admin, body: { network: 'MTN', balance: 50 } })
    const { body } = await call<FloatsReply>(shop, 'GET', '/admin/suppliers', { as: helper })
    expect(body.floats.map(({ balance, perHour, today }) => [balance, perHour, today])).toEqual(body.floats.map(() => [null, null, null]))
    expect(body.floats.find(({ key }) => key === 'by-hand:MTN')).toMatchObject({ state: 'enough', held: { orders: 0, value: 0 } })
    expect((await retry(helper)).status).toBe(200)
    expect((await call(shop, 'PUT', '/admin/suppliers/balance', { as: helper, body: { network: 'MTN', balance: 1 } })).status).toBe(403)
  })

  test('of the message service is read, and lasts as long as today’s messages say', async () => {
    await shop.database.db.query(`insert into sms_days (day, used) values ($1, 130) on conflict (day) do update set used = 130`, [
      shop.clock.now.toISOString().slice(0, 10),
    ])
    await retry()
    const float = await until(async () => {
      const sms = await floatOf('sms')
      return sms.balance !== null && sms
    })
    // The shop opened at 7:40 and it is noon.
    expect(float).toMatchObject({ kind: 'sms', perHour: 30, rateFrom: 'deliveries', state: 'enough' })
  })
})

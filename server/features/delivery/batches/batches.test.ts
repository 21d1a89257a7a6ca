import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Batch, BatchSummary, SettleBatchRequest } from '../../../../shared/batches.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeBatch, makeUser, ordersRelayed } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { decideOrderAsSupplierSays } from '../../orders/orders/decide-order.ts'

let shop: TestShop
let akua: SignedInUser
let kwesi: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  akua = await makeUser(shop, { level: 'Admin', username: 'akua' })
  kwesi = await makeUser(shop, { roles: ['orders'], username: 'kwesi' })
})
afterAll(() => shop.close())
beforeEach(async () => {
  // Orders of the test before are no longer pending, so that "the oldest of a network" are this test's.
  await shop.database.db.query(`update batch_orders set status = 'released', ended_at = now() where status = 'locked'`)
  await shop.database.db.query(`update supplier_deliveries set status = 'cancelled' where status = 'waiting'`)
  const { rows } = await shop.database.db.query<{ id: string }>(`select id from orders where status = 'pending'`)
  for (let at = 0; at < rows.length; at += 100)
    await call(shop, 'POST', '/order/decide-many', {
      as: akua,
      body: { ids: rows.slice(at, at + 100).map(({ id }) => id), status: 'completed' },
    })
  buyer = await makeUser(shop, { balance: 1_000 })
})

type Reply = { batch: Batch; refused: { id: string; message: string }[] } & ErrorBody

async function buy(count: number, network = 'MTN', offer = '1GB'): Promise<Order[]> {
  const line = await cartLine(shop, { network, offer })
  const { body } = await checkout(shop, buyer, Array(count).fill(line))
  await ordersRelayed(shop)
  return body.orders
}

const idsOf = (orders: readonly { _id: string }[]) => orders.map(({ _id }) => _id)
const create = (body: object, as = akua) =>
  call<Reply>(shop, 'POST', '/admin/batches', { as, body: { key: randomUUID(), network: 'MTN', ...body } })
const settle = ({ number }: { number: number }, body: SettleBatchRequest, as = akua) =>
  call<Reply>(shop, 'PUT', `/admin/batches/${number}/settle`, { as, body })
const read = async ({ number }: { number: number }) => (await call<Reply>(shop, 'GET', `/admin/batches/${number}`, { as: akua })).body.batch
const statusOf = async ({ _id }: Order) => (await call<{ order: Order }>(shop, 'GET', `/order/${_id}`, { as: akua })).body.order.status
const openBatches = async () =>
  (await call<BatchSummary[]>(shop, 'GET', '/admin/batches', { as: akua, query: { open: 'true' } })).body.map(({ number }) => number)

describe('a batch', () => {
  test('takes the pending orders of one network, and says whose it is, since when, how many and how much', async () => {
    const orders = await buy(3)
    await buy(1, 'Telecel', '5GB')
    const { status, body } = await create({})
    expect([status, body.refused]).toEqual([200, []])
    expect(body.batch).toMatchObject({
      network: 'MTN',
      madeBy: 'akua',
      madeAt: shop.clock.now.toISOString(),
      orders: 3,
      locked: 3,
      exportedAt: null,
    })
    expect([body.batch.amount, body.batch.lockedAmount]).toEqual([16.5, 16.5])
    expect(body.batch.rows.map(({ status: stands, order }) => [stands, order._id])).toEqual(idsOf(orders).map((id) => ['locked', id]))
    expect(body.batch.rows[0]?.order.batch).toEqual({ number: body.batch.number, by: 'akua' })
    expect(body.batch.format).toEqual({ file: 'xlsx', columns: ['number', 'gb'], withHeader: true, numberFormat: 'local' })
    expect(await openBatches()).toEqual([body.batch.number])
  })

  test('takes the chosen orders alone, and says of each other why not', async () => {
    const [one, two, done] = (await buy(3)) as [Order, Order, Order]
    const [telecel] = (await buy(1, 'Telecel', '5GB')) as [Order]
    const earlier = await makeBatch(shop, kwesi, [two])
    await call(shop, 'PUT', `/order/update-status/${done._id}`, { as: akua, body: { status: 'completed' } })
    const { body } = await create({ ids: [one.number, two._id, done._id, telecel._id] })
    expect(idsOf(body.batch.rows.map(({ order }) => order))).toEqual([one._id])
    expect(new Map(body.refused.map(({ id, message }) => [id, message]))).toEqual(
      new Map([
        [two._id, `It is in Batch ${earlier.number}, locked by kwesi.`],
        [done._id, 'It is already completed.'],
        [telecel._id, 'It is an order of Telecel, which has a portal of its own.'],
      ]),
    )
  })

  test('takes nothing that a supplier has, may have or will get, and nothing on hold', async () => {
    const [waiting, accepted, unknown, rejected] = (await buy(4)) as [Order, Order, Order, Order]
    for (const [order, standing] of [
      [waiting, 'waiting'],
      [accepted, 'accepted'],
      [unknown, 'unknown'],
      [rejected, 'rejected'],
    ] as const)
      await shop.database.db.query(
        `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at) values ($1, $2, 'hubnet', 1000, $3, 1, now(), now())`,
        [order._id, order.reference, standing],
      )
    const { body } = await create({})
    expect(idsOf(body.batch.rows.map(({ order }) => order))).toEqual([rejected._id])
    const lock = `insert into batch_orders (batch_id, order_id) select id, $1 from batches where number = $2`
    for (const { _id } of [waiting, accepted, unknown])
      await expect(shop.database.db.query(lock, [_id, body.batch.number])).rejects.toMatchObject({ code: 'DW009' })
  })

  test('is made once for one press, and there is nothing to batch without orders', async () => {
    await buy(2)
    const key = randomUUID()
    const [first, second] = await Promise.all([create({ key }), create({ key })])
    const third = await create({ key })
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200])
    expect(new Set([first, second, third].map(({ body }) => body.batch.number)).size).toBe(1)
    const none = await create({})
    expect([none.status, none.body.code]).toEqual([409, 'CONFLICT'])
    expect(none.body.message).toBe('There is no MTN order to batch. Another admin may have taken them: see the open batches.')
  })

  test('made by two admins at once from the same orders: each order is in one batch, and none in both', async () => {
    const orders = await buy(20)
    const ids = idsOf(orders)
    const replies = await Promise.all([create({ ids }), create({ ids: ids.toReversed() }, kwesi), create({}, kwesi)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const { rows } = await shop.database.db.query(`select order_id from batch_orders where status = 'locked'`)
    expect(rows.map(({ order_id }) => order_id).toSorted()).toEqual(ids.toSorted())
  })
})

describe('while it locks an order, nobody else', () => {
  const locked = (number: number) => `That order is in Batch ${number}, locked by akua. Open the batch to decide it.`

  test('decides it, alone or among many', async () => {
    const [order] = (await buy(1)) as [Order]
    const { number } = await makeBatch(shop, akua, [order])
    for (const status of ['completed', 'rejected']) {
      const alone = await call<ErrorBody>(shop, 'PUT', `/order/update-status/${order._id}`, { as: kwesi, body: { status } })
      expect([alone.status, alone.body.message]).toEqual([409, locked(number)])
      const many = await call<Reply>(shop, 'POST', '/order/decide-many', { as: kwesi, body: { ids: [order._id], status } })
      expect(many.body.refused).toEqual([{ id: order._id, message: locked(number) }])
    }
    expect([await statusOf(order), await balanceOf(shop, buyer._id)]).toEqual(['pending', 100_000 - 550])
  })

  test('decides it by what its supplier says late', async () => {
    const [order] = (await buy(1)) as [Order]
    await shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at) values ($1, $2, 'hubnet', 1000, 'failed', 1, now(), now())`,
      [order._id, order.reference],
    )
    await makeBatch(shop, akua, [order])
    await decideOrderAsSupplierSays(makeCtx(shop).ctx, { orderId: order._id, status: 'rejected' })
    expect(await statusOf(order)).toBe('pending')
  })

  test('decides or sends it past the application', async () => {
    const [order] = (await buy(1)) as [Order]
    const batch = await makeBatch(shop, akua, [order])
    const { db } = shop.database
    await expect(db.query(`update orders set status = 'completed', decided_at = now() where id = $1`, [order._id])).rejects.toMatchObject({
      code: 'DW009',
    })
    const send = `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, created_at, updated_at) values ($1, $2, 'hubnet', 1000, now(), now())`
    await expect(db.query(send, [order._id, order.reference])).rejects.toMatchObject({ code: 'DW009' })
    // Nor does the batch say what did not happen, or take back what it said.
    await expect(
      db.query(`update batch_orders set status = 'completed', ended_at = now() where order_id = $1`, [order._id]),
    ).rejects.toMatchObject({
      code: 'DW009',
    })
    await settle(batch, { released: [order._id] })
    await expect(
      db.query(`update batch_orders set status = 'locked', ended_at = null where order_id = $1`, [order._id]),
    ).rejects.toMatchObject({
      code: 'DW009',
    })
  })
})

describe('its results', () => {
  test('complete, refund with a reason that the buyer reads, release, and leave the rest locked', async () => {
    const [one, two, three, four] = (await buy(4)) as [Order, Order, Order, Order]
    const batch = await makeBatch(shop, akua, [one, two, three, four])
    const { status, body } = await settle(batch, {
      completed: [one._id],
      rejected: [{ id: two._id, reason: 'MTN says that the number is barred.' }],
      released: [three._id],
    })
    expect([status, body.refused]).toEqual([200, []])
    expect(body.batch.rows.map((row) => row.status)).toEqual(['completed', 'rejected', 'released', 'locked'])
    expect([body.batch.locked, body.batch.lockedAmount, body.batch.orders]).toEqual([1, 5.5, 4])
    expect(await Promise.all([one, two, three, four].map(statusOf))).toEqual(['completed', 'rejected', 'pending', 'pending'])
    expect(await balanceOf(shop, buyer._id)).toBe(100_000 - 3 * 550)
    const seen = await call<{ order: Order }>(shop, 'GET', `/order/${two._id}`, { as: buyer })
    expect(seen.body.order.refundReason).toBe('MTN says that the number is barred.')
    // What was released is anybody's again.
    expect((await makeBatch(shop, kwesi, [three])).madeBy).toBe('kwesi')
  })

  test('sent again change nothing and refuse nothing; others for the same order are refused', async () => {
    const [one, two] = (await buy(2)) as [Order, Order]
    const batch = await makeBatch(shop, akua, [one, two])
    const results = { completed: [one._id], rejected: [{ id: two._id, reason: 'The number is barred' }] }
    await settle(batch, results)
    const again = await settle(batch, results)
    expect([again.status, again.body.refused]).toEqual([200, []])
    const other = await settle(batch, { completed: [two._id], released: [one._id] })
    expect(other.body.refused).toEqual([
      { id: two._id, message: 'That order is already rejected.' },
      { id: one._id, message: 'That order is already completed.' },
    ])
    expect(await balanceOf(shop, buyer._id)).toBe(100_000 - 550)
  })

  test('by two admins at once: each order is decided once, and its money moves once', async () => {
    const orders = await buy(8)
    const batch = await makeBatch(shop, akua, orders)
    const ids = idsOf(orders)
    const replies = await Promise.all([
      settle(batch, { completed: ids }),
      settle(batch, { rejected: ids.toReversed().map((id) => ({ id, reason: 'It failed' })) }, kwesi),
      settle(batch, { released: ids }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const { rows } = await read(batch)
    expect(rows.map(({ status }) => status)).not.toContain('locked')
    for (const { status, order } of rows) expect(order.status).toBe(status === 'released' ? 'pending' : status)
    const refunded = rows.filter(({ status }) => status === 'rejected').length
    expect(await balanceOf(shop, buyer._id)).toBe(100_000 - (8 - refunded) * 550)
    // Whoever came second was told so, for each order.
    expect(replies.reduce((sum, { body }) => sum + body.refused.length, 0)).toBe(16)
  })

  test('refund up to what staff may move alone in a day, through whichever door, and beyond it by an owner', async () => {
    const rejecting = (order: Order, reason = 'No network') => [{ id: order._id, reason }]
    const [one, two, three, four, five, never] = (await buy(6)) as [Order, Order, Order, Order, Order, Order]
    const clerk = await makeUser(shop, { roles: ['orders', 'support'] })
    const batch = await makeBatch(shop, clerk, [one, two, three, four, five])
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 1200')
    // A limit that is used up stops neither the other lines nor what was never on a list.
    const answer = await settle(batch, { completed: [five._id], rejected: [one, two, three].flatMap((order) => rejecting(order)) }, clerk)
    expect([answer.status, answer.body.refused.map(({ id }) => id)]).toEqual([200, [three._id]])
    expect(answer.body.refused[0]?.message).toMatch(/up to GHS 12.00 a day/)
    expect([await statusOf(two), await statusOf(three), await statusOf(five)]).toEqual(['rejected', 'pending', 'completed'])
    await settle(batch, { released: [three._id, four._id] }, clerk)
    const alone = await call<ErrorBody>(shop, 'PUT', `/order/update-status/${three._id}`, { as: clerk, body: { status: 'rejected' } })
    expect([alone.status, alone.body.code]).toEqual([409, 'SECOND_PERSON_NEEDED'])
    const atOnce = await call<Reply>(shop, 'POST', '/order/decide-many', {
      as: clerk,
      body: { ids: [three._id, four._id, never._id], status: 'rejected' },
    })
    expect(idsOf(atOnce.body.refused.map(({ id }) => ({ _id: id })))).toEqual([three._id, four._id])
    expect([await statusOf(three), await statusOf(never)]).toEqual(['pending', 'rejected'])
    const listed = await makeBatch(shop, akua, [three, four])
    expect((await settle(listed, { rejected: [...rejecting(three), ...rejecting(four)] })).body.refused).toEqual([])
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = null')
  })

  test('of what no batch has listed but was perhaps sent by hand count alike, and what waits untouched is refunded freely', async () => {
    const [old] = (await buy(1)) as [Order]
    shop.clock.advance(25 * 3_600_000)
    const [passed, sent, untouched] = (await buy(3)) as [Order, Order, Order]
    const clerk = await makeUser(shop, { roles: ['orders'] })
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 600')
    const refund = async ({ _id }: Order, as = clerk) =>
      (await call<ErrorBody>(shop, 'PUT', `/order/update-status/${_id}`, { as, body: { status: 'rejected' } })).body.code
    const [first, second] = (await buy(2)) as [Order, Order]
    // Nobody has sent anything of this network: as many as there are.
    expect([await refund(first), await refund(second)]).toEqual([undefined, undefined])
    await call(shop, 'PUT', `/order/update-status/${sent._id}`, { as: clerk, body: { status: 'completed' } })
    expect([await refund(passed), await refund(old), await refund(untouched)]).toEqual([undefined, 'SECOND_PERSON_NEEDED', undefined])
    expect(await refund(old, await makeUser(shop, { level: 'Admin' }))).toBeUndefined()
    shop.clock.advance(-25 * 3_600_000)
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = null')
  })

  test('of an order that is not in the batch, or in none any more, are refused', async () => {
    const [inside, outside] = (await buy(2)) as [Order, Order]
    const batch = await makeBatch(shop, akua, [inside])
    const stranger = await settle(batch, { completed: [outside._id], released: [randomUUID()] })
    expect(stranger.body.refused.map(({ message }) => message)).toEqual([
      'That order is not in this batch any more.',
      'That order is not in this batch.',
    ])
    await settle(batch, { released: [inside._id] })
    await call(shop, 'PUT', `/order/update-status/${inside._id}`, { as: kwesi, body: { status: 'completed' } })
    const late = await settle(batch, { rejected: [{ id: inside._id, reason: 'The number is barred' }] })
    expect(late.body.refused).toEqual([{ id: inside._id, message: 'That order is already completed.' }])
  })
})

test('its maker or an owner gives orders back, and nobody else', async () => {
  const [one, two] = (await buy(2)) as [Order, Order]
  const ofAkua = await makeBatch(shop, akua, [one])
  const refused = await settle(ofAkua, { released: [one._id] }, kwesi)
  expect([refused.status, refused.body.message]).toEqual([403, `Only akua or an owner can release what is in Batch ${ofAkua.number}.`])
  expect((await read(ofAkua)).locked).toBe(1)
  const ofKwesi = await makeBatch(shop, kwesi, [two])
  expect((await settle(ofKwesi, { released: [two._id] }, akua)).body.batch.locked).toBe(0)
})

test('the file of a network is remembered for its next batch, and an export notes when', async () => {
  const [one, two] = (await buy(2)) as [Order, Order]
  const batch = await makeBatch(shop, akua, [one])
  const format = { file: 'csv', columns: ['gb', 'number'], withHeader: false, numberFormat: 'international' }
  const path = `/admin/batches/${batch.number}`
  expect((await call<Reply>(shop, 'PUT', `${path}/format`, { as: akua, body: format })).body.batch.format).toEqual(format)
  expect((await makeBatch(shop, kwesi, [two])).format).toEqual(format)
  const twice = { ...format, columns: ['gb', 'gb'] }
  expect((await call(shop, 'PUT', `${path}/format`, { as: akua, body: twice })).status).toBe(400)
  expect((await call<Reply>(shop, 'PUT', `${path}/exported`, { as: akua })).body.batch.exportedAt).toBe(shop.clock.now.toISOString())
  expect((await call(shop, 'PUT', '/admin/batches/99999/exported', { as: akua })).status).toBe(404)
})

test('batches are for those who process orders', async () => {
  const money = await makeUser(shop, { roles: ['finance'] })
  const [order] = (await buy(1)) as [Order]
  const { number } = await makeBatch(shop, akua, [order])
  for (const [method, path] of [
    ['GET', '/admin/batches'],
    ['GET', `/admin/batches/${number}`],
    ['POST', '/admin/batches'],
    ['PUT', `/admin/batches/${number}/settle`],
  ] as const) {
    for (const as of [buyer, money]) expect((await call(shop, method, path, { as, body: {} })).status).toBe(403)
    expect((await call(shop, method, path, { body: {} })).status).toBe(401)
  }
})

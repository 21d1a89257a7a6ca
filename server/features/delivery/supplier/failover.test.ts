import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OrderDetail } from '../../../../shared/deliveries.ts'
import type { SupplierOrderReply } from '../../../../shared/floats.ts'
import type { InboxReply } from '../../../../shared/inbox.ts'
import type { Order, OrderProgress } from '../../../../shared/orders.ts'
import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import type { Tx } from '../../../platform/db.ts'
import { createLog } from '../../../platform/log.ts'
import { selectPendingGroups } from '../../office/inbox/inbox.sql.ts'
import { restartByAdmin } from '../../orders/orders/deliveries.sql.ts'

let shop: TestShop
let owner: SignedInUser
let buyer: SignedInUser
const lines: string[] = []
const NAMES = ['hubnet', 'remadata', 'datamart'] as const

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, log: createLog('error', { write: (line: string) => void lines.push(line) }) })
  owner = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 5_000 })
  for (const name of NAMES) await simulator(name).change({ deliversAfterMs: 0 })
  await setCosts({ hubnet: 300, remadata: 310, datamart: 320 })
  await arrange(NAMES)
  await call(shop, 'PUT', '/admin/settings', { as: owner, body: { completeDelivered: true } })
})
afterAll(() => shop.close())
afterEach(async () => {
  for (const name of NAMES) {
    simulator(name).clearFaults()
    await simulator(name).change({ balancePesewas: 1_000_000 })
  }
  await shop.database.db.query('delete from supplier_health; delete from supplier_gaps')
  await arrange(NAMES, { sendBelowCost: false })
})

const simulator = (name: SupplierName) => shop.sandbox!.supplier[name]
const arrange = (suppliers: readonly string[], rest: object = {}) =>
  call<SupplierOrderReply>(shop, 'PUT', '/admin/suppliers/order', {
    as: owner,
    body: { networks: { AirtelTigo: suppliers }, ...rest, seen: {} },
  })

/** In pesewas, of every package of AirtelTigo. */
async function setCosts(costs: Partial<Record<SupplierName, number | null>>) {
  await shop.database.db.query(
    `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from)
     select k.product_id, k.offer, c.key, nullif(c.value, 'null')::bigint, $2 from packages k join products p on p.id = k.product_id, jsonb_each_text($1) c
     where p.network = 'AirtelTigo'`,
    [JSON.stringify(costs), shop.clock.now],
  )
}

async function buy(): Promise<Order> {
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { network: 'AirtelTigo', phoneNumber: '0271234567' })])
  return body.orders[0]!
}
const detailOf = async ({ _id }: Order) =>
  (await call<{ detail: OrderDetail }>(shop, 'GET', `/admin/orders/${_id}`, { as: owner })).body.detail
const reaches = (order: Order, status: string) =>
  until(async () => {
    const detail = await detailOf(order)
    return detail.order.supplier?.status === status && detail
  })
const isCompleted = (order: Order) => until(async () => (await detailOf(order)).order.status === 'completed')
/** Where it arrived, under whatever reference. */
async function arrived(order: Order): Promise<string[]> {
  const { rows } = await shop.database.db.query<{ reference: string }>(
    `select reference from supplier_deliveries where order_id = $1 union all select from_reference from delivery_restarts where order_id = $1`,
    [order._id],
  )
  const ours = rows.map(({ reference }) => reference)
  return NAMES.flatMap((name) =>
    simulator(name)
      .deliveries()
      .filter(({ reference, state }) => ours.includes(reference) && state === 'delivered')
      .map(() => name),
  )
}
const costOf = async ({ _id }: Order) =>
  (
    await shop.database.db.query<{ supplier: string; cost: number; posted: number }>(
      `select cost_supplier as supplier, cost_pesewas as cost, (select sum(p.amount_pesewas)::bigint from postings p join journal_entries e on e.id = p.entry_id
         where e.key = 'delivery:' || o.id and p.account_id = supplier_account(o.cost_supplier)) as posted from orders o where id = $1`,
      [_id],
    )
  ).rows[0]

/** The groups of the inbox that the order is in. */
async function inInbox({ _id }: Order) {
  const { groups } = (await call<InboxReply>(shop, 'GET', '/admin/inbox', { as: owner })).body
  return groups.filter(({ orders }) => orders.some((order) => order._id === _id))
}

describe('an order whose supplier refuses it', () => {
  test('goes on under a new reference each time, and its delivery costs what it cost at the one that delivered', async () => {
    simulator('hubnet').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
    simulator('remadata').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    const order = await buy()
    await isCompleted(order)
    expect(await arrived(order)).toEqual(['datamart'])
    expect(await costOf(order)).toEqual({ supplier: 'datamart', cost: 320, posted: 320 })
    const { events } = await detailOf(order)
    expect(events.filter(({ kind }) => kind === 'restarted')).toMatchObject([
      { supplier: 'hubnet', to: 'remadata', detail: 'it was refused: The receiver cannot be served' },
      { supplier: 'remadata', to: 'datamart' },
    ])
    for (const told of [
      { kind: 'rejected', supplier: 'hubnet', reference: order.reference },
      { kind: 'failed', supplier: 'remadata' },
    ])
      expect(events).toContainEqual(expect.objectContaining(told))
    expect(new Set(events.flatMap(({ reference }) => reference ?? [])).size).toBe(3)
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('waits for a person once all have refused it, and is not sent again by what they say later', async () => {
    simulator('hubnet').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    for (const name of ['remadata', 'datamart'] as const) simulator(name).addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
    const order = await buy()
    const { order: seen } = await reaches(order, 'rejected')
    expect([seen.status, seen.supplier?.name]).toEqual(['pending', 'datamart'])
    await expect(
      shop.database.db.query(
        `insert into delivery_restarts (order_id, reference, to_supplier, from_supplier, from_reference, from_status, looked_at_portal, restarted_at)
         select order_id, 'AAAAAAAAAAAAAAAAAAAA', 'hubnet', supplier, reference, status, false, now() from supplier_deliveries where order_id = '${order._id}';
         update supplier_deliveries set reference = 'AAAAAAAAAAAAAAAAAAAA', supplier = 'hubnet', status = 'waiting', attempts = 0, asked = 0,
           supplier_reference = null, sent_at = null, accepted_at = null where order_id = '${order._id}'`,
      ),
    ).rejects.toThrow('cannot be changed')
  })

  test('does not go where it costs more than it was sold for, unless the owner allows it', async () => {
    await arrange(['hubnet', 'remadata'])
    await setCosts({ remadata: 999_999 })
    simulator('hubnet').addFault({ call: 'order', kind: 'refuse', cause: 'refused', times: 2 })
    const kept = await buy()
    expect((await reaches(kept, 'rejected')).order.supplier?.name).toBe('hubnet')
    await arrange(['hubnet', 'remadata'], { sendBelowCost: true })
    const sent = await buy()
    await isCompleted(sent)
    expect(await arrived(sent)).toEqual(['remadata'])
    await setCosts({ remadata: 310 })
  })
})

describe('an order that waits at a supplier', () => {
  const pause = (name: SupplierName, isPaused = true) =>
    shop.database.db.query(
      `insert into supplier_health (supplier, paused_until) values ($1, $2) on conflict (supplier) do update set paused_until = excluded.paused_until`,
      [name, isPaused ? 'infinity' : '-infinity'],
    )
  const retry = (name: SupplierName) => call(shop, 'POST', `/admin/suppliers/${name}/retry`, { as: owner })
  /** Refused by hubnet, an order waits at remadata. */
  async function waitsAtRemadata(): Promise<Order> {
    await pause('remadata')
    simulator('hubnet').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
    const order = await buy()
    await until(async () => (await detailOf(order)).order.supplier?.name === 'remadata')
    return order
  }

  test('is not sent there once it costs more than it was sold for: a person has it then', async () => {
    await arrange(['hubnet', 'remadata'])
    const order = await waitsAtRemadata()
    await setCosts({ remadata: 999_999 })
    await retry('remadata')
    const { order: seen } = await reaches(order, 'cancelled')
    expect([seen.status, seen.supplier?.name, seen.supplier?.detail]).toEqual([
      'pending',
      'remadata',
      'not sent: remadata: it costs more there than it was sold for',
    ])
    expect(await arrived(order)).toEqual([])
    await setCosts({ remadata: 310 })
  })

  test('is not sent to its only supplier at a loss, unless the owner lets it', async () => {
    await arrange(['hubnet'])
    await setCosts({ hubnet: 999_999 })
    const kept = await buy()
    const { order: seen } = await reaches(kept, 'cancelled')
    expect([seen.status, seen.supplier?.detail]).toEqual(['pending', 'not sent: hubnet: it costs more there than it was sold for'])
    expect(await inInbox(kept)).toMatchObject([{ kind: 'not-sent', supplier: 'hubnet' }])
    await arrange(['hubnet'], { sendBelowCost: true })
    const sent = await buy()
    await isCompleted(sent)
    expect([await arrived(kept), await arrived(sent)]).toEqual([[], ['hubnet']])
    await setCosts({ hubnet: 300 })
    await arrange(['hubnet'], { sendBelowCost: false })
  })

  test('is not sent there once the owner no longer lets it go at a loss', async () => {
    await setCosts({ remadata: 999_999 })
    await arrange(['hubnet', 'remadata'], { sendBelowCost: true })
    const order = await waitsAtRemadata()
    await arrange(['hubnet', 'remadata'], { sendBelowCost: false })
    await retry('remadata')
    await reaches(order, 'cancelled')
    expect(await arrived(order)).toEqual([])
    await setCosts({ remadata: 310 })
  })

  test('waits at the first again rather than be sent at a loss', async () => {
    await arrange(['hubnet', 'remadata'])
    await pause('hubnet')
    simulator('remadata').addFault({ call: 'order', kind: 'refuse', cause: 'no-money' })
    const order = await buy()
    await until(async () => {
      const { supplier } = (await detailOf(order)).order
      return supplier?.name === 'remadata' && supplier.status === 'waiting' && supplier.attempts > 0
    })
    await setCosts({ remadata: 999_999 })
    await retry('remadata')
    await until(async () => (await detailOf(order)).order.supplier?.name === 'hubnet')
    await retry('hubnet')
    await isCompleted(order)
    expect(await arrived(order)).toEqual(['hubnet'])
    await setCosts({ remadata: 310 })
  })
})

describe('an order that its supplier called failed and then delivered', () => {
  /** The supplier's webhook event, about a reference that the order no longer has. */
  async function tell(reference: string) {
    const { rows } = await shop.database.db.query<{ secret: string }>('select secret from supplier_webhook')
    expect((await call(shop, 'POST', `/supplier/webhook/${rows[0]!.secret}`, { body: { data: { reference } } })).status).toBe(200)
  }
  /** What the owner sees of it among the orders that were given away. */
  const lossOf = async ({ number }: Order) =>
    (await call<SupplierOrderReply>(shop, 'GET', '/admin/suppliers/order', { as: owner })).body.afterAll.filter(
      (one) => one.number === number,
    )
  const toldAfterAll = async (order: Order) => (await detailOf(order)).events.filter(({ kind }) => kind === 'delivered-after-all')

  test('is not sent to the next supplier any more, if it still waits there', async () => {
    await arrange(['hubnet', 'remadata'])
    await shop.database.db.query(`insert into supplier_health (supplier, paused_until) values ('remadata', 'infinity')`)
    simulator('hubnet').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    const order = await buy()
    await until(async () => (await detailOf(order)).order.supplier?.name === 'remadata')
    await simulator('hubnet').setState(order.reference, { state: 'delivered', webhook: false })
    await tell(order.reference)
    const { order: seen } = await reaches(order, 'cancelled')
    expect([seen.status, seen.supplier?.detail]).toEqual(['pending', `hubnet has delivered it after all, under ${order.reference}`])
    expect(await arrived(order)).toEqual(['hubnet'])
    expect((await toldAfterAll(order)).length).toBe(1)
    expect(await inInbox(order)).toMatchObject([{ kind: 'delivered', supplier: 'hubnet' }])
    const body = { key: randomUUID(), network: 'MTN', ids: [order._id] }
    expect((await call(shop, 'POST', '/admin/batches', { as: owner, body })).status).toBe(409)
    await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: owner, body: { status: 'completed' } })
    const { rows } = await shop.database.db.query('select status, cost_supplier as supplier from orders where id = $1', [order._id])
    expect(rows).toEqual([{ status: 'completed', supplier: 'hubnet' }])
    await shop.database.db.query('delete from supplier_health')
    expect(await lossOf(order)).toEqual([])
  })

  test('which the next has by then, is told of by an alarm and in its history, once; a forged event changes nothing', async () => {
    await arrange(['hubnet', 'remadata'])
    simulator('hubnet').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    const order = await buy()
    await isCompleted(order)
    lines.length = 0
    const asked = () =>
      simulator('hubnet')
        .calls()
        .filter(({ url }) => String(url).includes(order.reference)).length
    const before = asked()
    await tell(order.reference)
    await until(() => asked() > before)
    await simulator('hubnet').setState(order.reference, { state: 'delivered', webhook: false })
    expect(lines.filter((line) => line.includes('delivered-after-all'))).toEqual([])
    expect(await toldAfterAll(order)).toEqual([])
    const alarms = () => lines.filter((line) => line.includes('delivered-after-all') && line.includes(order._id)).length
    await until(async () => {
      await tell(order.reference)
      return alarms() >= 2
    })
    expect(await toldAfterAll(order)).toMatchObject([{ supplier: 'hubnet', reference: order.reference }])
    expect((await detailOf(order)).order).toMatchObject({ status: 'completed', supplier: { name: 'remadata', status: 'delivered' } })
    expect(await lossOf(order)).toMatchObject([{ supplier: 'hubnet', reference: order.reference, deliveredBy: 'remadata' }])
  })

  test('when it had been refunded, stands with what the owner has given away', async () => {
    await arrange(['hubnet'])
    simulator('hubnet').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    const refunded = await buy()
    await reaches(refunded, 'failed')
    await call(shop, 'PUT', `/order/update-status/${refunded._id}`, { as: owner, body: { status: 'rejected' } })
    expect(await lossOf(refunded)).toEqual([])
    await simulator('hubnet').setState(refunded.reference, { state: 'delivered', webhook: false })
    shop.clock.advance(1_000)
    await until(async () => {
      await tell(refunded.reference)
      return (await lossOf(refunded)).length > 0
    })
    expect(await lossOf(refunded)).toMatchObject([{ supplier: 'hubnet', reference: refunded.reference, deliveredBy: null }])
    const { events } = await detailOf(refunded)
    expect(events.map(({ kind }) => kind)).toContain('delivered')
  })
})

test('Telecel data goes to its supplier and, refused there, to the next, like that of any network', async () => {
  const body = { networks: { Telecel: ['remadata', 'datamart'] }, sendBelowCost: true, seen: {} }
  expect((await call(shop, 'PUT', '/admin/suppliers/order', { as: owner, body })).status).toBe(200)
  const buyTelecel = async (phoneNumber: string) =>
    (await checkout(shop, buyer, [await cartLine(shop, { network: 'Telecel', offer: '5GB', phoneNumber })])).body.orders[0]!
  const first = await buyTelecel('0201234567')
  await isCompleted(first)
  simulator('remadata').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
  const second = await buyTelecel('0501234567')
  await isCompleted(second)
  expect([await arrived(first), await arrived(second)]).toEqual([['remadata'], ['datamart']])
  expect(NAMES.flatMap((name) => simulator(name).deliveries()).filter(({ phone }) => /^0[25]0/.test(phone))).toMatchObject([
    { network: 'telecel', phone: '0201234567', volumeMb: 5_000 },
    { network: 'TELECEL', phone: '0501234567', volumeMb: 5_000 },
  ])
  await call(shop, 'PUT', '/admin/suppliers/order', { as: owner, body: { networks: { Telecel: [] }, seen: {} } })
})

describe('an order that its supplier does not take now', () => {
  test.each(['no-money', 'not-approved', 'too-often'] as const)('%s: goes to the next, and so do those after it', async (cause) => {
    simulator('hubnet').addFault({ call: 'order', kind: 'refuse', cause, times: 100 })
    const [first, second] = [await buy(), await buy()]
    for (const order of [first, second]) {
      await isCompleted(order)
      expect(await arrived(order)).toEqual(['remadata'])
    }
  })

  test('a bundle that is not sold there is not tried there again for a day', async () => {
    await arrange(['datamart', 'remadata'])
    simulator('datamart').addFault({ call: 'order', kind: 'refuse', cause: 'not-sold' })
    // One after the other: the second is to find what the first has learned.
    for (let time = 0; time < 2; time++) {
      const order = await buy()
      await isCompleted(order)
      expect(await arrived(order)).toEqual(['remadata'])
    }
    const { body } = await arrange(['datamart', 'remadata'])
    const seen = body.networks.find(({ network }) => network === 'AirtelTigo')
    expect(seen?.suppliers.map(({ name, configured, notSoldMb }) => [name, configured, notSoldMb])).toEqual([
      ['datamart', true, [1000]],
      ['remadata', true, []],
    ])
    expect(seen?.others.map(({ name }) => name)).toEqual(['hubnet'])
    shop.clock.advance(24 * 3_600_000 + 1)
    owner = await makeUser(shop, { level: 'Admin' })
    buyer = await makeUser(shop, { balance: 5_000 })
    const later = await buy()
    await isCompleted(later)
    expect(await arrived(later)).toEqual(['datamart'])
    await shop.database.db.query(`update operations_settings set supplier_fallbacks = '{}'`)
  })
})

test('what an admin sends to a supplier stays there, although another could take it', async () => {
  await arrange(['hubnet'])
  simulator('hubnet').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
  const order = await buy()
  await reaches(order, 'rejected')
  await arrange(NAMES)
  simulator('datamart').addFault({ call: 'order', kind: 'refuse', cause: 'no-money' })
  const body = { to: 'datamart', supplierStatus: 'rejected' }
  expect((await call(shop, 'PUT', `/admin/orders/${order._id}/send-again`, { as: owner, body })).status).toBe(200)
  const tried = await until(async () => {
    const { events } = await detailOf(order)
    return events.some(({ kind, supplier }) => kind === 'not-taken' && supplier === 'datamart') && events
  })
  expect(tried.filter(({ kind }) => kind === 'restarted').map(({ to }) => to)).toEqual(['datamart'])
  expect((await detailOf(order)).order.supplier).toMatchObject({ name: 'datamart', status: 'waiting' })
})

test('an order that moves to another supplier while a job waits for it is not sent by that job', async () => {
  await arrange(['hubnet'])
  const pause = `insert into supplier_health (supplier, paused_until) values ('hubnet', 'infinity') on conflict (supplier) do update set paused_until = 'infinity'`
  await shop.database.db.query(pause)
  const order = await buy()
  await reaches(order, 'waiting')
  const tx = await shop.database.db.connect()
  try {
    await tx.query('begin')
    await tx.query('select from orders where id = $1 for update', [order._id])
    await call(shop, 'POST', '/admin/suppliers/hubnet/retry', { as: owner })
    await until(() => isWaitedFor(tx))
    const to = { supplier: 'datamart' as const, reference: 'QQQQQQQQQQQQQQQQQQQQ' }
    const restart = { orderId: order._id, to, lookedAtPortal: false, by: owner._id, now: shop.clock.now }
    await restartByAdmin(tx as unknown as Tx, restart)
    await tx.query('commit')
  } finally {
    await tx.query('rollback')
    tx.release()
  }
  const { db } = shop.database
  const jobs = `select from jobs.job where name = 'supplier-send' and data ->> 'orderId' = $1 and state < 'completed'`
  await until(async () => (await db.query(jobs, [order._id])).rowCount === 0)
  expect((await detailOf(order)).order.supplier?.name).toBe('datamart')
  // A job that had to begin anew since the order was locked for so long may have sent it to where it belongs by now.
  const atHubnet = simulator('hubnet').deliveries()
  expect(atHubnet.map(({ reference }) => reference)).not.toContain('QQQQQQQQQQQQQQQQQQQQ')
})

test('an order that was sent again since it could not be found there stays there, although it is not taken then', async () => {
  simulator('hubnet').addFault({ call: 'order', kind: 'drop', acts: false })
  simulator('hubnet').addFault({ call: 'order', kind: 'refuse', cause: 'no-money', times: 1_000 })
  const order = await buy()
  await until(async () => {
    const { supplier } = (await detailOf(order)).order
    return supplier?.name !== 'hubnet' || (supplier.status === 'waiting' && supplier.attempts > 1)
  })
  simulator('hubnet').clearFaults()
  await isCompleted(order)
  expect(await arrived(order)).toEqual(['hubnet'])
})

test.each([
  [29, 'remadata'],
  [31, 'hubnet'],
])('an empty balance that was read %i minutes ago lets the order go to %s', async (minutes, name) => {
  const readAt = new Date(shop.clock.now.getTime() - minutes * 60_000)
  await shop.database.db.query(`insert into supplier_health (supplier, balance_pesewas, balance_at) values ('hubnet', 0, $1)`, [readAt])
  const order = await buy()
  await isCompleted(order)
  expect(await arrived(order)).toEqual([name])
})

test('an order of unknown outcome stays where it is, however long, and so does what an admin sends somewhere', async () => {
  await arrange(['remadata', 'datamart'])
  simulator('remadata').addFault({ call: 'order', kind: 'drop', acts: true })
  const unclear = await buy()
  await until(async () => {
    const { rows } = await shop.database.db.query('select from supplier_deliveries where order_id = $1 and not_found >= 2', [unclear._id])
    return rows.length === 1
  })
  // A job of an earlier delivery comes late, and nothing is proved by then.
  const { rows: late } = await shop.database.db.query<{ id: string }>(
    `insert into jobs.job (name, data) values ('supplier-send', $1) returning id`,
    [{ orderId: unclear._id }],
  )
  await until(async () => {
    const { rows } = await shop.database.db.query(`select from jobs.job where id = $1 and state = 'completed'`, [late[0]?.id])
    return rows.length === 1
  })
  simulator('remadata').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
  simulator('datamart').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
  const chosen = await buy()
  await reaches(chosen, 'rejected')
  simulator('datamart').addFault({ call: 'order', kind: 'refuse', cause: 'no-money' })
  const body = { to: 'datamart', supplierStatus: 'rejected' }
  expect((await call(shop, 'PUT', `/admin/orders/${chosen._id}/send-again`, { as: owner, body })).status).toBe(200)
  const waits = await until(async () => {
    const { order } = await detailOf(chosen)
    return order.supplier?.status === 'waiting' && order.supplier.attempts > 0 && order
  })
  expect(waits.supplier?.name).toBe('datamart')
  const { order } = await detailOf(unclear)
  expect([order.supplier?.name, order.supplier?.status]).toEqual(['remadata', 'unknown'])
  expect(await arrived(unclear)).toEqual(['remadata'])
})

test('a number that its network verifies first is not late for a week, and the order ends as it then turns out', async () => {
  simulator('hubnet').addFault({ call: 'delivery', kind: 'end', state: 'processing', word: 'Awaiting-Verification', afterMs: 0 })
  const order = await buy()
  const own = async () =>
    (
      await call<{ order: Order; progress: OrderProgress; reporting: { opensAt: string } }>(shop, 'GET', `/order/${order._id}`, {
        as: buyer,
      })
    ).body
  const seen = await until(async () => {
    const found = await own()
    return found.progress.verifying && found
  })
  expect([seen.order.verifying, seen.order.supplierStatus, seen.progress.expected]).toEqual([
    true,
    'Waiting for the network to check the number',
    null,
  ])
  const days = (new Date(seen.reporting.opensAt).getTime() - shop.clock.now.getTime()) / 86_400_000
  expect(Math.round(days)).toBe(7)
  const looking = { tooLongSince: new Date('2100-01-01'), relayedSince: new Date(0), mostPerNetwork: 100, mostSeqs: 100 }
  const late = async (days: number) => {
    const now = new Date(shop.clock.now.getTime() + days * 86_400_000)
    const groups = await selectPendingGroups(shop.database.db, { ...looking, now })
    return groups.some(({ kind, seqs }) => kind === 'too-long' && seqs.includes(Number(order.number)))
  }
  expect([await late(6.9), await late(7.1)]).toEqual([false, true])
  await simulator('hubnet').setState(order.reference, { state: 'failed' })
  await isCompleted(order)
  expect(await arrived(order)).toEqual(['remadata'])
  expect((await own()).progress.verifying).toBeUndefined()
})

describe('the owner’s order', () => {
  test.each([
    [{ networks: { MTN: ['remadata', 'remadata'] }, seen: {} }, 'networks.MTN'],
    [{ networks: { Telecel: ['nobody'] }, seen: {} }, 'networks.Telecel.0'],
    [{ networks: { MTN: ['hubnet'], Telecel: ['hubnet'] }, seen: {} }, 'networks.Telecel'],
    [{ verificationDays: 0, seen: {} }, 'verificationDays'],
    [{ verificationDays: 7 }, 'seen'],
  ])('%j is refused', async (body, path) => {
    const before = (await call(shop, 'GET', '/admin/suppliers/order', { as: owner })).body
    const { status, body: said } = await call<{ issues: { path: string }[] }>(shop, 'PUT', '/admin/suppliers/order', { as: owner, body })
    expect([status, said.issues[0]?.path]).toEqual([400, path])
    expect((await call(shop, 'GET', '/admin/suppliers/order', { as: owner })).body).toEqual(before)
  })

  test('is not saved over somebody else’s, and is what the settings show', async () => {
    const body = { networks: { AirtelTigo: ['datamart'] }, seen: { networks: { AirtelTigo: ['remadata'] } } }
    expect((await call(shop, 'PUT', '/admin/suppliers/order', { as: owner, body })).status).toBe(409)
    await arrange(['datamart', 'remadata'])
    const { body: settings } = await call<{ settings: { routes: object } }>(shop, 'GET', '/admin/settings', { as: owner })
    expect(settings.settings.routes).toMatchObject({ AirtelTigo: 'datamart' })
    await call(shop, 'PUT', '/admin/settings', { as: owner, body: { routes: { AirtelTigo: 'by-hand' } } })
    const { body: none } = await call<SupplierOrderReply>(shop, 'GET', '/admin/suppliers/order', { as: owner })
    expect(none.networks.find(({ network }) => network === 'AirtelTigo')?.suppliers).toEqual([])
    expect(none.networks.map(({ network }) => network)).toEqual(['MTN', 'AirtelTigo', 'Telecel', 'Airtime'])
  })
})

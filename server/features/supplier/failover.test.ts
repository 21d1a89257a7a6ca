import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OrderDetail } from '../../../shared/deliveries.ts'
import type { SupplierOrderReply } from '../../../shared/floats.ts'
import type { Order } from '../../../shared/orders.ts'
import type { SupplierName } from '../../../shared/suppliers.ts'
import type { SignedInUser } from '../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../test/builders.ts'
import { until } from '../../../test/until.ts'
import { checkLedger } from '../../ledger/check-ledger.ts'

let shop: TestShop
let owner: SignedInUser
let buyer: SignedInUser
const NAMES = ['remadata', 'hubnet', 'datamart'] as const

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  owner = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 5_000 })
  for (const name of NAMES) await simulator(name).change({ deliversAfterMs: 0 })
  await setCosts({ remadata: 300, hubnet: 310, datamart: 320 })
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
  call<SupplierOrderReply>(shop, 'PUT', '/admin/suppliers/order', { as: owner, body: { networks: { Telecel: suppliers }, ...rest, seen: {} } })

/** In pesewas, of every package of Telecel. */
async function setCosts(costs: Partial<Record<SupplierName, number | null>>) {
  await shop.database.db.query(
    `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from)
     select k.product_id, k.offer, c.key, nullif(c.value, 'null')::bigint, $2 from packages k join products p on p.id = k.product_id, jsonb_each_text($1) c
     where p.network = 'Telecel'`,
    [JSON.stringify(costs), shop.clock.now],
  )
}

async function buy(): Promise<Order> {
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { network: 'Telecel', phoneNumber: '0201234567' })])
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

describe('an order whose supplier refuses it', () => {
  test('goes on under a new reference each time, and its delivery costs what it cost at the one that delivered', async () => {
    simulator('remadata').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
    simulator('hubnet').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    const order = await buy()
    await isCompleted(order)
    // Hubnet does not carry Telecel, so the third gets it.
    expect(await arrived(order)).toEqual(['datamart'])
    expect(await costOf(order)).toEqual({ supplier: 'datamart', cost: 320, posted: 320 })
    const { events } = await detailOf(order)
    expect(events.filter(({ kind }) => ['rejected', 'restarted', 'delivered'].includes(kind))).toMatchObject([
      { kind: 'rejected', supplier: 'remadata', reference: order.reference },
      { kind: 'restarted', supplier: 'remadata', to: 'datamart', detail: 'it was refused: The receiver cannot be served' },
      { kind: 'delivered', supplier: 'datamart' },
    ])
    expect(new Set(events.flatMap(({ reference }) => reference ?? [])).size).toBe(2)
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('or that could not deliver it', async () => {
    simulator('remadata').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    const order = await buy()
    await isCompleted(order)
    expect(await arrived(order)).toEqual(['datamart'])
  })

  test('waits for a person once all have refused it, and is not sent again by what they say later', async () => {
    simulator('remadata').addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    simulator('datamart').addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
    const order = await buy()
    const { order: seen } = await reaches(order, 'rejected')
    expect([seen.status, seen.supplier?.name]).toEqual(['pending', 'datamart'])
    await expect(
      shop.database.db.query(
        `insert into delivery_restarts (order_id, reference, to_supplier, from_supplier, from_reference, from_status, looked_at_portal, restarted_at)
         select order_id, 'AAAAAAAAAAAAAAAAAAAA', 'remadata', supplier, reference, status, false, now() from supplier_deliveries where order_id = '${order._id}';
         update supplier_deliveries set reference = 'AAAAAAAAAAAAAAAAAAAA', supplier = 'remadata', status = 'waiting', attempts = 0, asked = 0,
           supplier_reference = null, sent_at = null, accepted_at = null where order_id = '${order._id}'`,
      ),
    ).rejects.toThrow('cannot be changed')
  })

  test('does not go where it costs more than it was sold for, unless the owner allows it', async () => {
    await setCosts({ datamart: 999_999 })
    simulator('remadata').addFault({ call: 'order', kind: 'refuse', cause: 'refused', times: 2 })
    const kept = await buy()
    expect((await reaches(kept, 'rejected')).order.supplier?.name).toBe('remadata')
    await arrange(NAMES, { sendBelowCost: true })
    const sent = await buy()
    await isCompleted(sent)
    expect(await arrived(sent)).toEqual(['datamart'])
    await setCosts({ datamart: 320 })
  })
})

describe('an order that its supplier does not take now', () => {
  test.each(['no-money', 'not-approved', 'too-often'] as const)('%s: goes to the next, and so do those after it', async (cause) => {
    simulator('remadata').addFault({ call: 'order', kind: 'refuse', cause, times: 100 })
    const [first, second] = [await buy(), await buy()]
    for (const order of [first, second]) {
      await isCompleted(order)
      expect(await arrived(order)).toEqual(['datamart'])
    }
    const calls = simulator('remadata')
      .calls()
      .filter(({ url, method }) => method === 'POST' && String(url).includes('buy-data'))
    expect(calls.length).toBeGreaterThan(0)
  })

  test('a bundle that is not sold there is not tried there again for a day', async () => {
    simulator('remadata').addFault({ call: 'order', kind: 'refuse', cause: 'invalid', status: 400 })
    await shop.database.db.query(
      `insert into supplier_gaps (supplier, network, volume_mb, detail, noted_at) values ('remadata', 'Telecel', 1000, 'sold out', $1)`,
      [shop.clock.now],
    )
    const order = await buy()
    await isCompleted(order)
    expect(await arrived(order)).toEqual(['datamart'])
    const telecel = (await arrange(NAMES)).body.networks.find(({ network }) => network === 'Telecel')
    expect(telecel?.suppliers.map(({ name, configured, notSoldMb }) => [name, configured, notSoldMb])).toEqual([
      ['remadata', true, [1000]],
      ['hubnet', false, []],
      ['datamart', true, []],
    ])
  })
})

test('an order of unknown outcome stays where it is, however long, and so does what an admin sends somewhere', async () => {
  simulator('remadata').addFault({ call: 'order', kind: 'drop', acts: true })
  const unclear = await buy()
  await until(async () => {
    const { rows } = await shop.database.db.query('select from supplier_deliveries where order_id = $1 and not_found >= 2', [unclear._id])
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

describe('the owner’s order', () => {
  test.each([
    [{ networks: { Telecel: ['remadata', 'remadata'] }, seen: {} }, 'networks.Telecel'],
    [{ networks: { Telecel: ['nobody'] }, seen: {} }, 'networks.Telecel.0'],
    [{ networks: { AirtelTigo: ['hubnet'], MTN: ['hubnet'], Airtime: ['hubnet'] }, seen: {} }, 'networks.Airtime'],
    [{ verificationDays: 0, seen: {} }, 'verificationDays'],
    [{ verificationDays: 7 }, 'seen'],
  ])('%j is refused', async (body, path) => {
    const before = (await call(shop, 'GET', '/admin/suppliers/order', { as: owner })).body
    const { status, body: said } = await call<{ issues: { path: string }[] }>(shop, 'PUT', '/admin/suppliers/order', { as: owner, body })
    expect([status, said.issues[0]?.path]).toEqual([400, path])
    expect((await call(shop, 'GET', '/admin/suppliers/order', { as: owner })).body).toEqual(before)
  })

  test('is not saved over somebody else’s, and is what the settings show', async () => {
    const body = { networks: { Telecel: ['datamart'] }, seen: { networks: { Telecel: ['remadata'] } } }
    expect((await call(shop, 'PUT', '/admin/suppliers/order', { as: owner, body })).status).toBe(409)
    await arrange(['datamart', 'remadata'])
    const { body: settings } = await call<{ settings: { routes: object } }>(shop, 'GET', '/admin/settings', { as: owner })
    expect(settings.settings.routes).toMatchObject({ Telecel: 'datamart' })
    await call(shop, 'PUT', '/admin/settings', { as: owner, body: { routes: { Telecel: 'by-hand' } } })
    const { body: none } = await call<SupplierOrderReply>(shop, 'GET', '/admin/suppliers/order', { as: owner })
    expect(none.networks.find(({ network }) => network === 'Telecel')?.suppliers).toEqual([])
    expect(none.networks.map(({ network }) => network)).toEqual(['MTN', 'AirtelTigo', 'Telecel'])
  })
})

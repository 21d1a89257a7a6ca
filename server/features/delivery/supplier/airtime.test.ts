import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrderDetail } from '../../../../shared/deliveries.ts'
import type { SupplierOrderReply } from '../../../../shared/floats.ts'
import type { InboxReply } from '../../../../shared/inbox.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { Product } from '../../../../shared/products.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { createLog } from '../../../platform/log.ts'

let shop: TestShop
let owner: SignedInUser
let buyer: SignedInUser
let numbers = 0
const lines: string[] = []

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, log: createLog('error', { write: (line: string) => void lines.push(line) }) })
  owner = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 5_000 })
  await call(shop, 'PUT', '/admin/settings', { as: owner, body: { completeDelivered: true } })
})
beforeEach(async () => {
  await far().change({ deliversAfterMs: 0, balancePesewas: 1_000_000 })
  await setCost(490)
  await arrange(['reloadly'], { sendBelowCost: false })
})
afterEach(async () => {
  far().clearFaults()
  await shop.database.db.query('delete from supplier_health')
})
afterAll(() => shop.close())

const far = () => shop.sandbox!.supplier.reloadly
const arrange = (suppliers: string[], rest: object = {}) =>
  call<SupplierOrderReply>(shop, 'PUT', '/admin/suppliers/order', {
    as: owner,
    body: { networks: { Airtime: suppliers }, ...rest, seen: {} },
  })

/** Of every package of airtime at Reloadly; null: not known. */
async function setCost(pesewas: number | null) {
  shop.clock.advance(1_000)
  await shop.database.db.query(
    `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from)
     select k.product_id, k.offer, 'reloadly', $1, $2 from packages k join products p on p.id = k.product_id where p.network = 'Airtime'`,
    [pesewas, shop.clock.now],
  )
}

async function buy(offer = 'MTN GHS 5'): Promise<Order> {
  const phoneNumber = `024${String(++numbers).padStart(7, '0')}`
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { network: 'Airtime', offer, phoneNumber })])
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
const sentFor = (order: Order) =>
  far()
    .deliveries()
    .filter(({ phone }) => phone === order.receiver)
/** Once the relay has seen it, an order without a delivery is a person's. */
const isByHand = (order: Order) =>
  until(async () => {
    const { rows } = await shop.database.db.query('select from order_outbox where order_id = $1', [order._id])
    return rows.length === 0 && (await detailOf(order)).order.supplier === null
  })
const sendAgain = (order: Order, supplierStatus: string | null, to = 'reloadly') =>
  call<{ message: string }>(shop, 'PUT', `/admin/orders/${order._id}/send-again`, { as: owner, body: { to, supplierStatus } })

describe('an order of airtime', () => {
  test('goes to its supplier as an amount for the operator’s phone, and costs what was set', async () => {
    const order = await buy('Telecel GHS 5')
    await isCompleted(order)
    expect(sentFor(order)).toMatchObject([{ reference: order.reference, network: 'Telecel', airtimePesewas: 500, state: 'delivered' }])
    const { rows } = await shop.database.db.query(
      `select cost_supplier as supplier, cost_pesewas as cost, (select sum(p.amount_pesewas)::bigint from postings p
         join journal_entries e on e.id = p.entry_id where e.key = 'delivery:' || o.id and p.account_id = supplier_account('reloadly')) as posted
       from orders o where id = $1`,
      [order._id],
    )
    expect(rows).toEqual([{ supplier: 'reloadly', cost: 490, posted: 490 }])
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('that names no operator or amount is a person’s', async () => {
    const airtime: Product = await findProduct(shop, 'Airtime')
    await shop.database.db.query(
      `insert into packages (product_id, offer, price_customer_pesewas, price_agent_pesewas, position) values ($1, 'GHS 5', 500, 500, 99)`,
      [airtime._id],
    )
    const order = await buy('GHS 5')
    await isByHand(order)
    expect(await sendAgain(order, null)).toMatchObject({ status: 409, body: { message: 'The shop cannot send GHS 5 there.' } })
  })

  test('is not sent while nobody routed airtime to a supplier, and a person may send it there', async () => {
    await arrange([])
    const order = await buy()
    await isByHand(order)
    expect(sentFor(order)).toEqual([])
    expect((await detailOf(order)).routes.map(({ to }) => to)).toEqual(['by-hand', 'reloadly'])
    expect((await sendAgain(order, null)).status).toBe(200)
    await isCompleted(order)
    expect(sentFor(order)).toHaveLength(1)
  })

  test('the database keeps what it is as it is', async () => {
    await far().change({ deliversAfterMs: null })
    const order = await buy()
    await reaches(order, 'accepted')
    for (const change of [`airtime_pesewas = 50000`, `airtime_operator = 'Telecel'`])
      await expect(
        shop.database.db.query(`update supplier_deliveries set ${change} where order_id = $1`, [order._id]),
      ).rejects.toMatchObject({ code: 'DW006' })
    for (const wares of [
      `1000, 'MTN', 500`,
      `null, null, 500`,
      `null, 'MTN', null`,
      `null, null, null`,
      `null, 'Glo', 500`,
      `null, 'MTN', 0`,
    ])
      await expect(
        shop.database.db.query(
          `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, airtime_operator, airtime_pesewas, not_found_apart_ms, created_at, updated_at)
           values (gen_random_uuid(), 'AAAAAAAAAAAAAAAAAAAA', 'reloadly', ${wares}, 1, now(), now())`,
        ),
      ).rejects.toMatchObject({ constraint: 'supplier_deliveries_ware' })
  })
})

describe('the price guard', () => {
  test.each([
    [
      'costs a pesewa more than it was sold for',
      501,
      'It costs more there than it was sold for.',
      'it costs more there than it was sold for',
    ],
    ['has no cost there', null, 'Its cost there is not set.', 'its cost is not set'],
  ])('what %s is a person’s, who is told why, until the owner lets it go', async (_what, cost, why, reason) => {
    await setCost(cost)
    const order = await buy()
    const { supplier } = (await reaches(order, 'cancelled')).order
    expect([supplier?.attempts, supplier?.detail]).toEqual([0, `not sent: reloadly: ${reason}`])
    const { body: inbox } = await call<InboxReply>(shop, 'GET', '/admin/inbox', { as: owner })
    const kept = inbox.groups.filter(({ kind }) => kind === 'not-sent').flatMap(({ orders }) => orders)
    expect(kept.map(({ id }) => id)).toContain(order.id)
    const refused = await sendAgain(order, 'cancelled')
    expect([refused.status, refused.body.message]).toEqual([409, `${why} The owner can change that under Suppliers.`])
    expect(sentFor(order)).toEqual([])
    await arrange(['reloadly'], { sendBelowCost: true })
    expect((await sendAgain(order, 'cancelled')).status).toBe(200)
    const next = await buy()
    for (const one of [order, next]) await isCompleted(one)
  })

  test('what waits for its only supplier is not sent once it costs more than it was sold for', async () => {
    far().addFault({ call: 'order', kind: 'refuse', cause: 'no-money' })
    const order = await buy()
    await until(async () => {
      const { supplier } = (await detailOf(order)).order
      return supplier?.status === 'waiting' && supplier.attempts > 0
    })
    await setCost(600)
    await call(shop, 'POST', '/admin/suppliers/reloadly/retry', { as: owner })
    await reaches(order, 'cancelled')
    expect(sentFor(order)).toEqual([])
    expect((await sendAgain(order, 'cancelled')).status).toBe(409)
  })

  test('what costs exactly its price goes', async () => {
    await setCost(500)
    await isCompleted(await buy())
  })

  test('says so when the supplier took more than the shop got, whatever cost was set', async () => {
    lines.length = 0
    const order = await buy()
    await isCompleted(order)
    expect(lines.filter((line) => line.includes('supplier-costs-more'))).toEqual([])
    await shop.database.db.query('update packages set price_customer_pesewas = 485, price_agent_pesewas = 485 where offer = $1', [
      'MTN GHS 5',
    ])
    await setCost(480)
    const atLoss = await buy()
    await isCompleted(atLoss)
    const alarms = lines.filter((line) => line.includes('supplier-costs-more')).map((line) => JSON.parse(line))
    expect(alarms).toMatchObject([{ orderId: atLoss._id, supplier: 'reloadly', costPesewas: 490, soldForPesewas: 485 }])
    await shop.database.db.query('update packages set price_customer_pesewas = 500, price_agent_pesewas = 500 where offer = $1', [
      'MTN GHS 5',
    ])
  })
})

describe('when the supplier', () => {
  test('refuses, the order waits for a person, who may send it again under a new reference', async () => {
    far().addFault({ call: 'order', kind: 'refuse', cause: 'refused' })
    const order = await buy()
    await reaches(order, 'rejected')
    expect((await sendAgain(order, 'rejected')).status).toBe(200)
    await isCompleted(order)
    expect(sentFor(order)).toHaveLength(1)
    expect(sentFor(order)[0]?.reference).not.toBe(order.reference)
  })

  test.each([
    ['cuts the line', { kind: 'drop' as const, acts: true }],
    ['gives no answer', { kind: 'hang' as const, acts: true }],
    ['takes it and calls it failed', { kind: 'reply' as const, status: 400, body: { errorCode: 'TOPUP_TRANSACTION_FAILED' }, acts: true }],
    ['answers about another order', { kind: 'wrong-reference' as const }],
  ])('%s, the order is found by our reference and sent once', async (_what, fault) => {
    far().addFault({ call: 'order', ...fault })
    const order = await buy()
    await isCompleted(order)
    expect(sentFor(order)).toHaveLength(1)
  })

  test('did not get it and says twice that it knows nothing, nobody sends it again but a person', async () => {
    far().addFault({ call: 'order', kind: 'drop', acts: false })
    const order = await buy()
    await until(async () => {
      const { rows } = await shop.database.db.query('select from supplier_deliveries where order_id = $1 and not_found >= 2', [order._id])
      return rows.length === 1
    })
    const { order: seen } = await detailOf(order)
    expect([seen.status, seen.supplier?.status, sentFor(order)]).toEqual(['pending', 'unknown', []])
  })

  test('takes it and then fails, the order waits for a person', async () => {
    far().addFault({ call: 'delivery', kind: 'end', state: 'failed', afterMs: 0 })
    const order = await buy()
    expect((await reaches(order, 'failed')).order.status).toBe('pending')
  })

  test('has just served the number, the order is sent a little later, and others are not kept waiting', async () => {
    far().addFault({ call: 'order', kind: 'refuse', cause: 'refused', code: 'PHONE_RECENTLY_RECHARGED', times: 2 })
    const order = await buy()
    await isCompleted(order)
    expect(sentFor(order)).toMatchObject([{ reference: order.reference }])
    const { rows } = await shop.database.db.query('select failures, pauses from supplier_health where supplier = $1', ['reloadly'])
    expect(rows.filter(({ failures, pauses }) => failures + pauses > 0)).toEqual([])
  })

  test('has no money of the shop’s left, orders wait and the owner hears of it', async () => {
    await far().change({ balancePesewas: 100 })
    lines.length = 0
    const order = await buy()
    await until(async () => lines.some((line) => line.includes('supplier-paused') && line.includes('our balance there is empty')))
    await reaches(order, 'waiting')
    await far().change({ balancePesewas: 1_000_000 })
    await isCompleted(order)
    expect(sentFor(order)).toHaveLength(1)
  })
})

test('offers of airtime must name an operator and an amount while a supplier sends it', async () => {
  const airtime = await findProduct(shop, 'Airtime')
  const packages = airtime.packages.map(({ _id, ...kept }) => kept)
  const save = (offer: string) =>
    call<{ issues: { path: string; message: string }[] }>(shop, 'PUT', `/product/${airtime._id}`, {
      as: owner,
      body: { network: 'Airtime', status: 'available', packages: [...packages, { offer, priceCustomer: 2, priceAgent: 2 }] },
    })
  expect(await save('A little airtime')).toMatchObject({
    status: 400,
    body: {
      issues: [
        {
          path: `packages.${packages.length}.offer`,
          message: 'An airtime offer goes to a supplier, so it names one network and one amount, like MTN GHS 5.',
        },
      ],
    },
  })
  expect((await save('Telecel GHS 2')).status).toBe(200)
})

test('data is not routed to a supplier of airtime, nor airtime to one of data', async () => {
  for (const [network, name] of [
    ['MTN', 'reloadly'],
    ['Airtime', 'hubnet'],
  ]) {
    const body = { networks: { [network as string]: [name] }, seen: {} }
    const { status } = await call(shop, 'PUT', '/admin/suppliers/order', { as: owner, body })
    expect([network, status]).toEqual([network, 400])
  }
})

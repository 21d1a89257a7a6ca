import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
let productId: string

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
  productId = (await findProduct(shop, 'MTN'))._id
})
beforeEach(async () => {
  buyer = await makeUser(shop, { balance: 20 })
  await setCost('by-hand', null)
  await setCost('hubnet', null)
})
afterAll(() => shop.close())

async function setCost(supplier: string, cost: number | null) {
  const costs = [{ productId, offer: '1GB', supplier, cost }]
  expect((await call(shop, 'PUT', '/admin/costs', { as: admin, body: { costs } })).status).toBe(200)
}

/** An order of 5.50. */
async function buy(as: SignedInUser = buyer): Promise<string> {
  return (await checkout(shop, as, [await cartLine(shop, { as: as.userLevel })])).body.orders[0]!._id
}

async function decide(orderId: string, status: 'completed' | 'rejected') {
  const reply = await call(shop, 'PUT', `/order/update-status/${orderId}`, { as: admin, body: { status } })
  expect([reply.status, reply.body.message]).toEqual([200, undefined])
}

/** An order of 5.50, as it was bought when a purchase credited the sales. */
async function buyAsBefore(): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `with made as (
       insert into orders (user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference, created_at)
       select $1, id, network, '1GB', image_hash, 'Customer', '0551234567', 550, 'wallet', new_reference(), $3 from products where id = $2 returning *
     ), paid as (
       select made.id, post_entry('order:' || made.id, 'order', '', $1, array[account_id, 1], array[-550, 550], $3)
       from made join wallets using (user_id)
     )
     select id from paid`,
    [buyer._id, productId, shop.clock.now],
  )
  await shop.database.db.query('update wallets set total_purchase_pesewas = total_purchase_pesewas + 550 where user_id = $1', [buyer._id])
  return rows[0]!.id
}

/** Everything in the books about an order but its purchase: kind and the house's accounts. */
async function booked(orderId: string) {
  const { rows } = await shop.database.db.query<{ name: string; lines: Record<string, number> }>(
    `select split_part(e.key, ':', 1) as name, json_object_agg(a.code, p.amount_pesewas order by p.line) as lines
     from journal_entries e join postings p on p.entry_id = e.id join accounts a on a.id = p.account_id and a.id < 1000
     where e.key in ('delivery:' || $1, 'order-refund:' || $1, 'refund-source:' || $1, 'delivery-cost:' || $1) group by e.id order by e.id`,
    [orderId],
  )
  return rows.map(({ name, lines }) => [name, lines])
}

async function costOf(orderId: string) {
  const { rows } = await shop.database.db.query<{ supplier: string | null; cost: number | null }>(
    'select cost_supplier as supplier, cost_pesewas as cost from orders where id = $1',
    [orderId],
  )
  return rows[0]
}

async function deliverBy(orderId: string, supplier: string, status: string) {
  await shop.database.db.query(
    `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at)
     select id, reference, $2, 1000, 'accepted', 1, now(), now() from orders where id = $1`,
    [orderId, supplier],
  )
  await shop.database.db.query('update supplier_deliveries set status = $2 where order_id = $1', [orderId, status])
}

async function counts() {
  const { rows } = await shop.database.db.query<Record<string, number>>(
    `select coalesce(sum(orders), 0) as orders, coalesce(sum(sales_pesewas), 0) as sales, coalesce(sum(cost_pesewas), 0) as cost,
       coalesce(sum(uncosted_orders), 0) as uncosted, coalesce(sum(uncosted_pesewas), 0) as "uncostedSales",
       coalesce(sum(refunded_pesewas), 0) as refunded, coalesce(sum(refunded_uncosted_pesewas), 0) as "refundedUncosted"
     from delivery_counts where agent_id is not distinct from $1::uuid`,
    [buyer.userLevel === 'Agent' ? buyer._id : null],
  )
  return rows[0]!
}

describe('a delivery', () => {
  test('turns what was paid into sales, and owes its cost to who delivered it by hand', async () => {
    await setCost('by-hand', 4.8)
    const orderId = await buy()
    expect(await booked(orderId)).toEqual([])
    expect(await costOf(orderId)).toEqual({ supplier: null, cost: null })
    await decide(orderId, 'completed')
    expect(await booked(orderId)).toEqual([
      ['delivery', { 'orders-undelivered': -550, sales: 550, 'cost-of-sales': -480, 'supplier:by-hand': 480 }],
    ])
    expect(await costOf(orderId)).toEqual({ supplier: 'by-hand', cost: 480 })
    expect(await balanceOf(shop, buyer._id)).toBe(1_450)
  })

  test('keeps its cost when the price at the supplier changes', async () => {
    await setCost('by-hand', 4.8)
    const orderId = await buy()
    await decide(orderId, 'completed')
    await setCost('by-hand', 5)
    expect(await costOf(orderId)).toEqual({ supplier: 'by-hand', cost: 480 })
    const next = await buy()
    await decide(next, 'completed')
    expect(await costOf(next)).toEqual({ supplier: 'by-hand', cost: 500 })
  })

  test('whose cost nobody knows books the sale alone', async () => {
    const orderId = await buy()
    await decide(orderId, 'completed')
    expect(await booked(orderId)).toEqual([['delivery', { 'orders-undelivered': -550, sales: 550 }]])
    expect(await costOf(orderId)).toEqual({ supplier: 'by-hand', cost: null })
  })

  test.each(['delivered', 'failed'])('costs what the supplier asks only if it was there: %s', async (status) => {
    await setCost('by-hand', 4.8)
    await setCost('hubnet', 4.6)
    const orderId = await buy()
    await deliverBy(orderId, 'hubnet', status)
    await decide(orderId, 'completed')
    expect(await costOf(orderId)).toEqual(status === 'delivered' ? { supplier: 'hubnet', cost: 460 } : { supplier: 'by-hand', cost: 480 })
    expect(await booked(orderId)).toMatchObject([
      ['delivery', { [status === 'delivered' ? 'supplier:hubnet' : 'supplier:by-hand']: expect.any(Number) }],
    ])
  })

  test('of many orders at once is booked once for each', async () => {
    await setCost('by-hand', 4.8)
    const ids = [await buy(), await buy(), await buy()]
    const body = { ids, status: 'completed' }
    await Promise.all([1, 2].map(() => call(shop, 'POST', '/order/decide-many', { as: admin, body })))
    for (const id of ids) expect(await booked(id)).toHaveLength(1)
  })

  test('by an older version beside, which knows nothing of it, is booked all the same', async () => {
    await setCost('by-hand', 4.8)
    const orderId = await buy()
    await shop.database.db.query(`update orders set status = 'completed', decided_at = $2 where id = $1`, [orderId, shop.clock.now])
    await shop.database.db.query(
      `insert into admin_actions (action, subject_type, subject_id, created_at) values ('order.completed', 'order', $1, $2)`,
      [orderId, shop.clock.now],
    )
    expect(await booked(orderId)).toMatchObject([['delivery', { sales: 550, 'cost-of-sales': -480 }]])
  })

  test('of an order that an older version sold books its cost, since its price is in the sales', async () => {
    await setCost('by-hand', 4.8)
    const orderId = await buyAsBefore()
    await decide(orderId, 'completed')
    expect(await booked(orderId)).toEqual([['delivery', { 'cost-of-sales': -480, 'supplier:by-hand': 480 }]])
    await setCost('by-hand', null)
    const uncosted = await buyAsBefore()
    await decide(uncosted, 'completed')
    expect(await booked(uncosted)).toEqual([])
  })
})

describe('a refund', () => {
  test('before the delivery comes from the undelivered orders, of an older version from the sales', async () => {
    const [orderId, older] = [await buy(), await buyAsBefore()]
    await decide(orderId, 'rejected')
    await decide(older, 'rejected')
    expect(await booked(orderId)).toEqual([['order-refund', { 'orders-undelivered': -550 }]])
    expect(await booked(older)).toEqual([['order-refund', { sales: -550 }]])
    expect(await balanceOf(shop, buyer._id)).toBe(2_000)
  })

  test('after the delivery comes from the sales, and the cost stays', async () => {
    await setCost('by-hand', 4.8)
    const before = await counts()
    const orderId = await buy()
    await decide(orderId, 'completed')
    shop.clock.advance(5 * 3_600_000)
    admin = await makeUser(shop, { level: 'Admin' })
    const opened = await call<{ report: { _id: string } }>(shop, 'POST', `/order/${orderId}/report`, {
      as: buyer,
      body: { text: 'Nothing came' },
    })
    const ended = await call(shop, 'PUT', `/admin/reports/${opened.body.report._id}/end`, {
      as: admin,
      body: { outcome: 'refunded', text: 'It never came' },
    })
    expect([opened.status, ended.status]).toEqual([200, 200])
    expect(await booked(orderId)).toEqual([
      ['delivery', { 'orders-undelivered': -550, sales: 550, 'cost-of-sales': -480, 'supplier:by-hand': 480 }],
      ['order-refund', { sales: -550 }],
    ])
    expect(await costOf(orderId)).toEqual({ supplier: 'by-hand', cost: 480 })
    expect(await counts()).toEqual({
      ...before,
      orders: before.orders! + 1,
      sales: before.sales! + 550,
      cost: before.cost! + 480,
      refunded: before.refunded! + 550,
    })
  })

  test('by an older version, which takes it from the sales, is put right in its transaction', async () => {
    const orderId = await buy()
    await shop.database.db.query(
      `begin;
       select post_entry('order-refund:${orderId}', 'order-refund', '', null, array[account_id, 1], array[550, -550], now())
         from wallets where user_id = '${buyer._id}';
       update orders set status = 'rejected', decided_at = now() where id = '${orderId}';
       update wallets set total_purchase_pesewas = total_purchase_pesewas - 550 where user_id = '${buyer._id}';
       insert into admin_actions (action, subject_type, subject_id, created_at) values ('order.rejected', 'order', '${orderId}', now());
       update list_counts set rows = (select count(*) from admin_actions) where list = 'admin_actions';
       commit`,
    )
    expect(await booked(orderId)).toEqual([
      ['order-refund', { sales: -550 }],
      ['refund-source', { 'orders-undelivered': -550, sales: 550 }],
    ])
  })
})

describe('the database', () => {
  const change = (orderId: string, set: string) => shop.database.db.query(`update orders set ${set} where id = $1`, [orderId])

  test('sets the cost of an order at its delivery alone', async () => {
    const orderId = await buy()
    for (const set of ['cost_pesewas = 1', `completed_at = now(), cost_supplier = 'by-hand'`])
      await expect(change(orderId, set)).rejects.toMatchObject({ code: 'DW005' })
  })

  test('keeps a known cost, who delivered it, and when', async () => {
    await setCost('by-hand', 4.8)
    const orderId = await buy()
    await decide(orderId, 'completed')
    for (const set of ['cost_pesewas = 1', 'cost_pesewas = null', `cost_supplier = 'hubnet'`, `completed_at = now() + interval '1 day'`])
      await expect(change(orderId, set)).rejects.toMatchObject({ code: 'DW005' })
  })

  test('opens an account for a supplier that it does not know, one for all who ask at once', async () => {
    const name = `portal-${randomUUID().slice(0, 8)}`
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() => shop.database.db.query<{ id: number }>('select supplier_account($1) as id', [name])),
    )
    expect(new Set(asked.map(({ rows }) => rows[0]?.id)).size).toBe(1)
    expect(asked[0]?.rows[0]?.id).toBeGreaterThan(102)
  })
})

test('deliveries are counted by agent, before and after folding', async () => {
  await setCost('by-hand', 4.8)
  buyer = await makeUser(shop, { balance: 50, level: 'Agent' })
  const first = await buy()
  await decide(first, 'completed')
  await setCost('by-hand', null)
  const second = await buy()
  await decide(second, 'completed')
  const expected = { orders: 2, cost: 480, uncosted: 1, refunded: 0, refundedUncosted: 0 }
  expect(await counts()).toMatchObject(expected)
  await shop.database.db.query('select fold_delivery_deltas()')
  expect(await counts()).toMatchObject(expected)
  const { rows } = await shop.database.db.query('select count(*) as left from delivery_deltas')
  expect(rows).toEqual([{ left: 0 }])
})

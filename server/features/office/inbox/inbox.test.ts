import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InboxGroup, InboxReply } from '../../../../shared/inbox.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { DeliveryStatus } from '../../../../shared/suppliers.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { makeRefund } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, findProduct, makeBatch, makePaymentOnHold, makeUser, ordersRelayed } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { insertRehearsal } from '../reconciliation/rehearsals.sql.ts'
import { selectPendingGroups } from './inbox.sql.ts'
import { readInbox } from './read-inbox.ts'

const MINUTE_MS = 60_000
const MORNING = new Date('2026-11-21T07:50:00Z')

const OFFERS: Partial<Record<Network, string>> = { 'MTN PULSE': 'MashUp GHS 5', Telecel: '5GB' }

let shop: TestShop
let owner: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  shop.clock.now = MORNING
  owner = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 20_000 })
})
afterAll(() => shop.close())
beforeEach(() => {
  shop.clock.now = MORNING
})

async function read(as = owner): Promise<InboxReply> {
  const { status, body } = await call<InboxReply>(shop, 'GET', '/admin/inbox', { as })
  expect(status).toBe(200)
  return body
}

async function buy(network: Network, minutes = 0): Promise<Order> {
  shop.clock.now = new Date(MORNING.getTime() + minutes * MINUTE_MS)
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { network, offer: OFFERS[network] ?? '1GB' })])
  await ordersRelayed(shop)
  return body.orders[0] as Order
}

/** As the order would stand at its supplier, sent so many minutes ago. */
async function stand({ _id }: Order, status: DeliveryStatus, { asked = 0, minutesAgo = 0, detail = '' } = {}) {
  await shop.database.db.query(
    `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, asked, attempts, sent_at, created_at, updated_at, detail)
     select id, reference, 'hubnet', 1000, $2::text, $3, ($2 <> 'waiting')::integer, $4, $4, $4, $5 from orders where id = $1`,
    [_id, status, asked, new Date(shop.clock.now.getTime() - minutesAgo * MINUTE_MS), detail],
  )
}

async function decide(orders: Order[]) {
  for (const { _id } of orders) {
    const body = { status: 'completed', override: { reason: 'looked at it' } }
    const { status } = await call(shop, 'PUT', `/order/update-status/${_id}`, { as: owner, body })
    expect(status).toBe(200)
  }
}

test('orders by hand are a group for each network, and what a supplier has is not to be decided', async () => {
  const mtn = [await buy('MTN'), await buy('MTN', 5), await buy('MTN', 9)]
  const pulse = await buy('MTN PULSE', 10)
  const sent = await buy('AirtelTigo', 11)
  const waiting = await buy('AirtelTigo', 12)
  await stand(sent, 'accepted')
  await stand(waiting, 'waiting')
  try {
    const { groups, day } = await read()
    expect(groups).toMatchObject([
      { kind: 'by-hand', key: 'by-hand:MTN', network: 'MTN', count: 3, more: false, oldestAt: MORNING.toISOString() },
      { kind: 'by-hand', key: 'by-hand:MTN PULSE', network: 'MTN PULSE', count: 1, amount: pulse.totalAmount },
    ])
    expect(groups[0]?.amount).toBe(mtn.reduce((sum, { totalAmount }) => sum + totalAmount, 0))
    expect(groups[0]?.orders.map(({ number }) => number).sort()).toEqual(mtn.map(({ number }) => number))
    expect(day).toMatchObject({ withSuppliers: 2 })
  } finally {
    await decide([...mtn, pulse, sent, waiting])
  }
})

test('what a supplier refused, lost, has had too long or says it delivered is to be decided', async () => {
  const [refused, failed, unclear, justSent, late, first, second] = [
    await buy('Telecel'),
    await buy('Telecel'),
    await buy('Telecel'),
    await buy('Telecel'),
    await buy('Telecel'),
    await buy('Telecel'),
    await buy('Telecel'),
  ]
  await stand(refused, 'rejected')
  await stand(failed, 'failed')
  await stand(unclear, 'unknown', { asked: 2 })
  await stand(justSent, 'unknown')
  await stand(late, 'accepted', { minutesAgo: 61 })
  await stand(first, 'delivered')
  await stand(second, 'delivered')
  const numbers = (group: InboxGroup | undefined) => group?.orders.map(({ number }) => number).sort()
  try {
    const { groups, day } = await read()
    const byKind = new Map(groups.map((group) => [group.kind, group]))
    expect([...byKind.keys()].sort()).toEqual(['delivered', 'refused', 'too-long', 'unclear'])
    expect(numbers(byKind.get('refused'))).toEqual([refused.number, failed.number])
    expect(numbers(byKind.get('unclear'))).toEqual([unclear.number])
    expect(numbers(byKind.get('too-long'))).toEqual([late.number])
    expect(byKind.get('delivered')).toMatchObject({ count: 2, supplier: 'hubnet', network: null })
    expect(day.withSuppliers).toBe(2)
  } finally {
    await decide([refused, failed, unclear, justSent, late, first, second])
  }
})

test('what was kept from its supplier because of its cost stands apart from what is sent by hand', async () => {
  const [byHand, atLoss, takenOver] = [await buy('Telecel'), await buy('Telecel'), await buy('Telecel')]
  await stand(atLoss, 'cancelled', { detail: 'not sent: hubnet: it costs more there than it was sold for' })
  await stand(takenOver, 'cancelled', { detail: 'an admin took it over before it was sent' })
  try {
    const { groups } = await read()
    expect(groups).toMatchObject([
      { kind: 'by-hand', network: 'Telecel', count: 2 },
      { kind: 'not-sent', supplier: 'hubnet', count: 1, orders: [{ number: atLoss.number }] },
    ])
  } finally {
    await decide([byHand, atLoss, takenOver])
  }
})

test('an order whose card payment is disputed stands apart from those to be sent', async () => {
  const order = await buy('MTN')
  const { db } = shop.database
  const reference = await makePaymentOnHold(shop, buyer._id)
  const look = () =>
    selectPendingGroups(tx, { now: shop.clock.now, tooLongSince: MORNING, relayedSince: MORNING, mostPerNetwork: 10, mostSeqs: 1 })
  // A payment without the order's money, so it is taken back.
  const tx = await db.connect()
  try {
    await tx.query('begin')
    await tx.query('update orders set top_up_reference = $2 where id = $1', [order._id, reference])
    expect(await look()).toMatchObject([{ kind: 'on-hold', orders: 1, network: null, seqs: [Number(order.number)] }])
  } finally {
    await tx.query('rollback')
    tx.release()
  }
  expect(await look()).toMatchObject([{ kind: 'by-hand', orders: 1, network: 'MTN' }])
  await decide([order])
})

test('orders in a batch are with whoever made it, and not to be decided', async () => {
  const orders = [await buy('MTN'), await buy('MTN', 1)]
  const { number } = await makeBatch(shop, owner, orders)
  const { groups, day } = await read()
  expect(groups).toMatchObject([{ kind: 'batch', count: 2, number: String(number), who: owner.username, network: 'MTN' }])
  expect(day.withSuppliers).toBe(2)
  const body = { completed: orders.map(({ _id }) => _id) }
  expect((await call(shop, 'PUT', `/admin/batches/${number}/settle`, { as: owner, body })).status).toBe(200)
})

test('top-ups, reports and stuck work are shown with what they are about, to whoever may see them', async () => {
  const order = await buy('MTN')
  await decide([order])
  await call(shop, 'POST', '/recharge', { as: buyer, body: { amount: 120 } })
  await shop.database.db.query(
    `with opened as (insert into reports (order_id, opened_at) values ($1, $2) returning id)
     insert into report_messages (report_id, user_id, from_shop, body, created_at) select id, $3, false, 'not received', $2 from opened`,
    [order._id, shop.clock.now, buyer._id],
  )
  expect((await read()).groups).toMatchObject([
    { kind: 'top-ups', count: 1, amount: 120 },
    { kind: 'report', count: 1, who: buyer.username, number: order.number, detail: 'not received' },
  ])
  const kindsFor = async (roles: Parameters<typeof makeUser>[1] & object) =>
    (await read(await makeUser(shop, roles))).groups.map(({ kind }) => kind)
  expect(await kindsFor({ roles: ['orders'] })).toEqual(['report'])
  expect(await kindsFor({ roles: ['finance'] })).toEqual(['top-ups'])
  expect(await kindsFor({ roles: ['products'] })).toEqual([])
  expect((await call(shop, 'GET', '/admin/inbox', { as: buyer })).status).toBe(403)
})

test('whoever looks after products alone sees no order, but how the day goes', async () => {
  const order = await buy('MTN')
  const { groups, day } = await read(await makeUser(shop, { roles: ['products'] }))
  expect(groups).toEqual([])
  expect(day.orders).toBeGreaterThan(0)
  await decide([order])
})

test('scheduled prices that did not go live are shown to whoever looks after prices, until they are as planned', async () => {
  const { _id: productId } = await findProduct(shop, 'WAEC Checkers')
  const left = [{ productId, network: 'WAEC Checkers', offer: 'BECE', priceCustomerPesewas: { from: 1900, to: 2050 } }]
  await shop.database.db.query(
    `insert into price_schedules (changes, live_at, created_at, created_by, ended_at, outcome, left_out) values ($1, $2, $2, $3, $2, 'published', $1)`,
    [JSON.stringify(left), MORNING, owner._id],
  )
  const found = async (as: SignedInUser) => (await read(as)).groups.filter(({ kind }) => kind === 'prices-left-out')
  expect(await found(owner)).toMatchObject([{ count: 1, oldestAt: MORNING.toISOString() }])
  expect(await found(await makeUser(shop, { roles: ['orders'] }))).toEqual([])
  const changes = [{ productId, offer: 'BECE', priceCustomer: { from: 19, to: 20.5 } }]
  await call(shop, 'POST', '/admin/prices/publish', { as: await makeUser(shop, { roles: ['products'] }), body: { changes } })
  expect(await found(owner)).toEqual([])
})

test('of very many that wait the oldest are looked at, and the group says that there are more', async () => {
  const orders = [await buy('MTN'), await buy('MTN', 1), await buy('MTN', 2)]
  const look = (mostPerNetwork: number) =>
    selectPendingGroups(shop.database.db, {
      now: shop.clock.now,
      tooLongSince: MORNING,
      relayedSince: MORNING,
      mostPerNetwork,
      mostSeqs: 1,
    })
  expect(await look(2)).toMatchObject([{ kind: 'by-hand', orders: 2, more: true, seqs: [Number(orders[0]?.number)] }])
  expect(await look(4)).toMatchObject([{ kind: 'by-hand', orders: 3, more: false }])
  await decide(orders)
})

test('the day counts its orders by the hour and those decided, whatever was folded, and yesterday’s are not in it', async () => {
  shop.clock.now = new Date('2026-11-23T10:10:00Z')
  const at = async (time: string) => {
    shop.clock.now = new Date(`2026-11-${time}Z`)
    const { body } = await checkout(shop, buyer, [await cartLine(shop)])
    return body.orders[0] as Order
  }
  await at('22T23:59:59')
  const today = [await at('23T00:00:00'), await at('23T09:59:59'), await at('23T10:00:00')]
  await shop.database.db.query('select fold_order_deltas()')
  today.push(await at('23T10:05:00'))
  owner = await makeUser(shop, { level: 'Admin' })
  await decide(today.slice(0, 3))
  const { day } = await read()
  expect(day.hours).toEqual(Array.from({ length: 24 }, (_, hour) => ({ 0: 1, 9: 1, 10: 2 })[hour] ?? 0))
  expect(day).toMatchObject({ orders: 4, decided: 3 })
})

test('a refund that the provider does not have waits for whoever sees the finances', async () => {
  await makeRefund(shop, 'review')
  const found = async (as: SignedInUser) => (await read(as)).groups.filter(({ kind }) => kind === 'refunds')
  expect(await found(owner)).toMatchObject([{ count: 1, amount: 5, oldestAt: shop.clock.now.toISOString() }])
  expect(await found(await makeUser(shop, { roles: ['support'] }))).toEqual([])
})

test('the owner of a live shop is told when no restore was rehearsed for a month, until one is', async () => {
  const { db } = shop.database
  const DAY_MS = 24 * 60 * MINUTE_MS
  const found = async (days: number, { mode = 'live' as 'live' | 'sandbox', role = 'owner' as 'owner' | 'finance' } = {}) => {
    const now = new Date(Date.now() + days * DAY_MS)
    const { ctx } = makeCtx(shop, { id: owner._id, level: 'Admin', roles: [role] })
    const jobs = { listFailed: async () => ({ failed: [], total: 0 }) }
    const { groups } = await readInbox({ ...ctx, jobs, now } as unknown as typeof ctx, { hours: null, mode })
    return groups.filter(({ kind }) => kind === 'restore-rehearsal').map(({ detail }) => detail)
  }
  expect(await found(29)).toEqual([])
  expect(await found(31)).toEqual(['never'])
  expect(await found(31, { mode: 'sandbox' })).toEqual([])
  expect(await found(31, { role: 'finance' })).toEqual([])
  await insertRehearsal(db, { restoredTo: new Date(), source: 'file', orders: 3, entries: 5, tookMs: 4_000 })
  expect(await found(29)).toEqual([])
  expect(await found(31)).toEqual([''])
  expect((await read()).groups.map(({ kind }) => kind)).not.toContain('restore-rehearsal')
})

test('the owner alone sees that the disk is nearly full, and how much is left', async () => {
  const found = async (role: 'owner' | 'orders', low: { freeMb: number; since: Date } | null) => {
    const { ctx } = makeCtx(shop, { id: owner._id, level: 'Admin', roles: [role] })
    const jobs = { listFailed: async () => ({ failed: [], total: 0 }) }
    const reading = { ...ctx, jobs } as unknown as typeof ctx
    const { groups } = await readInbox(reading, { hours: null, mode: 'sandbox' }, { low: () => low })
    return groups.filter(({ kind }) => kind === 'disk-low').map(({ detail, oldestAt }) => ({ detail, oldestAt }))
  }
  expect(await found('owner', { freeMb: 812, since: MORNING })).toEqual([{ detail: '812', oldestAt: MORNING.toISOString() }])
  expect(await found('orders', { freeMb: 812, since: MORNING })).toEqual([])
  expect(await found('owner', null)).toEqual([])
})

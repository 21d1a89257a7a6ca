import { setTimeout as wait } from 'node:timers/promises'
import { type FaultProxy, openFaultProxy } from '../test/fault-proxy.ts'
import { until } from '../test/until.ts'
import { makeRecharges } from './concurrency.ts'
import type { Experiment, Trial } from './experiment.ts'
import { count } from './measure.ts'
import { type Line, openShops, type Person, pesewas, type Shop, type Shops } from './shops.ts'

/** B3. Kills the server at named moments, because random kills seldom hit the ones that matter. */
export const failpoints: Experiment[] = [
  {
    id: 'B3',
    beside: true,
    expects: 'the server killed (or its connection cut) at each of the named boundaries, the client tries again: exactly one effect',
    runs: { fast: 3, full: 20 },
    deadlineMs: { fast: 20 * 60_000, full: 120 * 60_000 },
    async go(trial) {
      await dieAt(trial, BOUNDARIES, trial.runs, true)
      trial.note(`${BOUNDARIES.length + INSIDE.length} boundaries`)
    },
  },
]

/** A point at which the server dies: `statement` in a transaction that contains `after`, or a call of an outside service. */
export type Boundary = {
  name: string
  at: 'before' | 'after'
  statement?: RegExp
  after?: RegExp
  service?: 'card' | 'supplier' | 'sms'
  path?: RegExp
  /** Acts and retries as a client would, and returns the effects. */
  act: (world: World, again: () => Promise<void>) => Promise<Record<string, unknown>>
  expected: Record<string, unknown>
}

export type World = {
  shops: Shops
  proxy: FaultProxy
  services: Record<'card' | 'supplier' | 'sms', FaultProxy>
  /** The open shop. */
  shop: () => Shop
  start: () => Promise<Shop>
}

const COMMIT = /^\s*commit/i

export const BOUNDARIES: Boundary[] = (['before', 'after'] as const).flatMap((at): Boundary[] => [
  {
    name: 'checkout, its one statement (after: committed, no reply)',
    at,
    statement: /place_wallet_orders/,
    act: buyOnce,
    expected: { orders: 1, spent: 550 },
  },
  { name: 'order/create, its one statement', at, statement: /place_wallet_orders/, act: createOnce, expected: { orders: 1, spent: 550 } },
  {
    name: 'approve a recharge, its entry',
    at,
    statement: /post_entry|insert into journal_entries/,
    act: approveOnce,
    expected: { credited: 5101, status: 'approved' },
  },
  {
    name: 'approve a recharge, COMMIT',
    at,
    statement: COMMIT,
    after: /recharges/,
    act: approveOnce,
    expected: { credited: 5101, status: 'approved' },
  },
  { name: 'reject an order, the refund', at, statement: /post_entry/, act: rejectOnce, expected: { refunds: 1, status: 'rejected' } },
  {
    name: 'reject an order, COMMIT',
    at,
    statement: COMMIT,
    after: /update orders/,
    act: rejectOnce,
    expected: { refunds: 1, status: 'rejected' },
  },
  {
    name: 'credit by an admin, COMMIT',
    at,
    statement: COMMIT,
    after: /post_entry/,
    act: creditOnce,
    expected: { credited: 2000, actions: 1 },
  },
  {
    name: 'card payment, the call that verifies',
    at,
    service: 'card',
    path: /\/transaction\/verify/,
    act: payOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'card payment, COMMIT of its fulfilment',
    at,
    statement: COMMIT,
    after: /place_wallet_orders/,
    act: payOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'card notice, the keeping of it',
    at,
    statement: /insert into webhook_events/,
    act: noticeOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'card notice, the mark that it was handled',
    at,
    statement: /update webhook_events/,
    act: noticeOnce,
    expected: { orders: 1, payment: 'paid' },
  },
  {
    name: 'new order, COMMIT of its jobs',
    at,
    statement: COMMIT,
    after: /order_outbox/,
    act: deliverOnce,
    expected: { orders: 1, deliveries: 1 },
  },
  {
    name: 'supplier, COMMIT of the mark that it is being sent',
    at,
    statement: COMMIT,
    after: /update supplier_deliveries/,
    act: deliverOnce,
    expected: { orders: 1, deliveries: 1 },
  },
  {
    name: 'supplier, the call that orders',
    at,
    service: 'supplier',
    path: /new-transaction|order|transaction/,
    act: deliverOnce,
    expected: { orders: 1, deliveries: 1 },
  },
  {
    name: 'message, the call that sends (at most one)',
    at,
    service: 'sms',
    path: /sms/,
    act: tellOnce,
    expected: { orders: 1, tooMany: 0 },
  },
])

/**
 * Kills the shop at each boundary `runsEach` times and has the client try again. Most of the time is spent waiting for a
 * shop to open again, so several boundaries are tried at once, each on a database of its own.
 */
export async function dieAt(trial: Trial, boundaries: Boundary[], runsEach: number, inside = false): Promise<void> {
  const missed = new Set<string>()
  const left = [...boundaries]
  await Promise.all(
    Array.from({ length: Math.min(LANES, boundaries.length) }, async (_, lane) => {
      const world = await openWorld(trial)
      try {
        for (let boundary = left.shift(); boundary; boundary = left.shift()) await dieOften(trial, world, boundary, runsEach, missed)
        if (inside && lane === 0) await insideTheStatement(trial, world.shops, runsEach)
        for (const violation of await world.shops.prove()) trial.wrong(violation)
      } finally {
        await world.close()
      }
    }),
  )
  if (missed.size > 0) trial.wrong(`never reached: ${[...missed].join('; ')}`)
}

const LANES = 3

async function openWorld(trial: Trial): Promise<World & { close(): Promise<void> }> {
  const shops = await openShops({ ...trial.opening, processes: 0 })
  const proxy = await openFaultProxy(shops.databaseUrl)
  const services = {
    card: await openFaultProxy(shops.card.baseUrl),
    supplier: await openFaultProxy(shops.sandbox.supplier.baseUrl),
    sms: await openFaultProxy(shops.sandbox.sms.baseUrl),
  }
  const env = {
    DATABASE_URL: proxy.url,
    PAYSTACK_BASE_URL: services.card.url,
    SUPPLIER_HUBNET_BASE_URL: services.supplier.url,
    SMS_ARKESEL_BASE_URL: services.sms.url,
  }
  const start = () => shops.startAnother(env)
  await start()
  await shops.ready()
  return {
    shops,
    proxy,
    services,
    start,
    shop: () => shops.all[0] as Shop,
    async close() {
      await shops.close()
      await proxy.close()
      for (const service of Object.values(services)) await service.close()
    },
  }
}

async function dieOften(trial: Trial, world: World, boundary: Boundary, runs: number, missed: Set<string>) {
  const { name, at, act, expected } = boundary
  for (let run = 0; run < runs; run++) {
    const trap = setTrap(world, boundary)
    const found = await act(world, trap.startAgain).catch((error: unknown) => ({ failed: String(error) }))
    trial.same(`${at} ${name}`, found, expected)
    trial.progress(`${at} ${name}${trap.wasReached() ? '' : ', which was not reached'}: ${JSON.stringify(found)}`)
    if (!trap.wasReached()) missed.add(`${at} ${name}`)
    trap.disarm()
    await trap.startAgain()
    trial.did()
  }
}

export type Trap = {
  wasReached(): boolean
  /** Cuts nothing any more. */
  disarm(): void
  /** Starts a new shop after the trap has killed one; does nothing while it is alive. */
  startAgain(): Promise<void>
}

/**
 * Kills the shop once, at the first statement or call that the boundary names. Only that first one is cut: the answer to
 * a second one, cut as well, could come after the next shop was begun, and whoever then waits for the killed one to end
 * would wait for a shop that lives.
 */
export function setTrap(
  { shops, proxy, services, shop, start }: Pick<World, 'proxy' | 'services' | 'shop' | 'start'> & { shops: Pick<Shops, 'all'> },
  { at, statement, after, service, path }: Pick<Boundary, 'at' | 'statement' | 'after' | 'service' | 'path'>,
): Trap {
  const verdict = at === 'before' ? 'cut-before' : 'cut-after'
  let armed = true
  let reached = false
  let killed: Shop | null = null
  const take = () => {
    if (!armed) return 'pass'
    armed = false
    return verdict
  }
  const onCut = () => {
    if (reached) return
    reached = true
    killed = shop()
    killed.program.process.kill('SIGKILL')
  }
  if (statement) {
    proxy.onCut = onCut
    proxy.decide = (sql, before) => (statement.test(sql) && (!after || before.some((one) => after.test(one))) ? take() : 'pass')
  }
  if (service && path) {
    services[service].onCut = onCut
    services[service].decide = (called) => (path.test(called) ? take() : 'pass')
  }
  return {
    wasReached: () => reached,
    disarm() {
      armed = false
    },
    async startAgain() {
      if (!killed && shops.all.length > 0) return
      await killed?.program.ended()
      killed = null
      shops.all.splice(0, shops.all.length)
      await start()
    },
  }
}

/** Boundaries inside of the one statement that buys: there the database's own process is ended. */
const INSIDE = [
  { name: 'after the order was inserted', event: 'after insert on orders' },
  { name: 'after the debit', event: 'after update of balance_pesewas on wallets' },
  { name: 'after the postings', event: 'after insert on postings' },
  { name: 'after the key was inserted', event: 'after insert on idempotency_keys' },
]

async function insideTheStatement(trial: Trial, shops: Shops, runs: number) {
  await shops.db.query('create sequence if not exists resilience_shots')
  await shops.db.query(`create or replace function resilience_end_backend() returns trigger language plpgsql security definer as $$ begin
    if nextval('resilience_shots') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if; return null; end $$`)
  for (const [index, { name, event }] of [...INSIDE, { name: 'at COMMIT', event: 'deferred' }].entries()) {
    await shops.db.query(
      event === 'deferred'
        ? `create constraint trigger resilience_point_${index} after insert on journal_entries deferrable initially deferred for each row execute function resilience_end_backend()`
        : `create trigger resilience_point_${index} ${event} for each row execute function resilience_end_backend()`,
    )
    const table = event === 'deferred' ? 'journal_entries' : (event.split(' ').at(-1) as string)
    try {
      for (let run = 0; run < runs; run++) {
        const line = shops.line()
        const buyer = await withoutShots(shops, () => shops.makeUser({ pesewas: 10_000 }))
        const key = crypto.randomUUID()
        await shops.db.query(`select setval('resilience_shots', 1, false)`)
        const first = await shops.buy(buyer, [line], key)
        if (first.status !== 503) trial.wrong(`${name}: the first try got ${first.status}, not 503`)
        await until(async () => (await shops.call('GET', '/product')).status === 200)
        const second = await shops.buy(buyer, [line], key)
        const { orders, pesewas: left } = await shops.books(buyer.id)
        trial.same(name, [second.status, orders, left], [200, 1, 10_000 - pesewas(line.amount)])
        trial.did()
      }
    } finally {
      await shops.db.query(`drop trigger resilience_point_${index} on ${table}`)
    }
  }
}

async function withoutShots<T>(shops: Shops, work: () => Promise<T>): Promise<T> {
  await shops.db.query(`select setval('resilience_shots', 1000000)`)
  return work()
}

/** Asks until there is an answer; a server that died is started again first. */
async function insist<T extends { status: number }>(world: World, again: () => Promise<void>, ask: () => Promise<T>): Promise<T> {
  return until(
    async () => {
      const reply = await ask()
      if (reply.status !== 0 && reply.status < 500) return reply
      await wait(50)
      await again()
      return false
    },
    60_000,
    'an answer that is not a failure',
  ).catch(() => {
    throw new Error(`no answer from ${world.shop().address}`)
  })
}

async function buyOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const key = crypto.randomUUID()
  await insist(world, again, () => shops.buy(buyer, [shops.line()], key, 0))
  const { orders, pesewas: left } = await shops.books(buyer.id)
  return { orders, spent: 10_000 - left }
}

async function createOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const line = shops.line()
  const newOrder = { id: crypto.randomUUID(), network: 'MTN', offer: line.offer, receiver: '0551234567', totalAmount: line.amount }
  await insist(world, again, () => shops.call('POST', '/order/create', { as: buyer, body: { newOrder } }))
  const { orders, pesewas: left } = await shops.books(buyer.id)
  return { orders, spent: 10_000 - left }
}

async function approveOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const asker = await shops.makeUser()
  const [recharge] = await makeRecharges(shops, asker, 1)
  await insist(world, again, () => shops.call('PUT', `/recharge/${recharge?.id}/approve`, { as: shops.admins[0], body: {} }))
  const { rows } = await shops.db.query<{ status: string }>('select status from recharges where id = $1', [recharge?.id])
  return { credited: (await shops.books(asker.id)).pesewas, status: rows[0]?.status }
}

async function rejectOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const { rows: made } = await shops.db.query<{ order: string }>(
    `select place_wallet_orders($1, $2, '\\x00', $3, now()) -> 'orders' -> 0 ->> 'id' as "order"`,
    [buyer.id, `checkout:${crypto.randomUUID()}`, JSON.stringify([toLine(shops.line())])],
  )
  const order = made[0]?.order
  await insist(world, again, () =>
    shops.call('PUT', `/order/update-status/${order}`, { as: shops.admins[0], body: { status: 'rejected' } }),
  )
  const { rows } = await shops.db.query<{ status: string; refunds: number }>(
    `select status, (select count(*) from journal_entries where key = 'order-refund:' || o.id) as refunds from orders o where id = $1`,
    [order],
  )
  return { refunds: rows[0]?.refunds, status: rows[0]?.status }
}

function toLine({ productId, offer, phoneNumber, amount }: Line) {
  return { product: productId, network: null, offer, receiver: phoneNumber, seen: pesewas(amount), clientId: null }
}

async function creditOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const user = await shops.makeUser()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  await insist(world, again, () =>
    shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: user.id, amount: 20 }, headers }),
  )
  const { rows } = await shops.db.query<{ actions: number }>('select count(*) as actions from admin_actions where subject_id = $1', [
    user.id,
  ])
  return { credited: (await shops.books(user.id)).pesewas, actions: rows[0]?.actions }
}

/** Paid with the notice lost: the browser's confirmation settles it, and comes again after the crash. */
async function payOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const payer = await shops.makeUser()
  const started = await shops.call<{ reference: string }>('POST', '/payment', {
    as: payer,
    body: { purpose: 'order', items: [shops.line()] },
  })
  const { reference } = started.body
  shops.card.addFault({ call: 'webhook', kind: 'lose', reference, times: 100 })
  await shops.card.pay(reference)
  const state = () => paymentState(shops, payer, reference)
  await until(async () => {
    await shops.call('POST', `/payment/${reference}/confirm`, { as: payer, body: {} })
    await again()
    return (await state()).payment === 'paid'
  }, 60_000).catch(() => undefined)
  return state()
}

/** Paid in a browser that closed: the provider's notice settles it, and is sent until it is taken. */
async function noticeOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const payer = await shops.makeUser()
  const started = await shops.call<{ reference: string }>('POST', '/payment', {
    as: payer,
    body: { purpose: 'order', items: [shops.line()] },
  })
  const { reference } = started.body
  await shops.card.pay(reference)
  const state = () => paymentState(shops, payer, reference)
  // Until it is paid and the notice is marked, so that the boundary after the effect is passed too.
  const isSettled = async () => {
    await wait(100)
    await again()
    const { rows } = await shops.db.query('select from webhook_events where reference = $1 and handled_at is not null', [reference])
    return rows.length > 0 && (await state()).payment === 'paid'
  }
  await until(isSettled, 60_000, `webhook event of ${reference} to be handled`).catch(() => undefined)
  return state()
}

async function paymentState(shops: Shops, payer: Person, reference: string) {
  const { rows } = await shops.db.query<{ status: string }>('select status from payments where reference = $1', [reference])
  return { orders: (await shops.books(payer.id)).orders, payment: rows[0]?.status }
}

async function deliverOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  const buyer = await shops.makeUser({ pesewas: 100_000 })
  const key = crypto.randomUUID()
  const line = shops.line({ network: 'AirtelTigo', phone: '0271234567' })
  const bought = await insist(world, again, () => shops.buy(buyer, [line], key))
  const [order] = bought.body.orders as { _id: string; reference: string }[]
  const arrived = () => shops.sandbox.supplier.hubnet.deliveries().filter(({ reference }) => reference === order?.reference).length
  const stands = async () =>
    (await shops.db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [order?._id])).rows[0]?.status
  const isSent = async () => {
    await wait(100)
    await again()
    return ['accepted', 'delivered'].includes((await stands()) ?? '')
  }
  await until(isSent, 60_000, `order ${order?._id} to be with the supplier`).catch(() => undefined)
  return { orders: (await shops.books(buyer.id)).orders, deliveries: arrived() }
}

async function tellOnce(world: World, again: () => Promise<void>) {
  const { shops } = world
  await shops.db.query(
    `update operations_settings set operator_phone = '0241112223', operator_sms = true, sms_digest_above = 1000, sms_daily_cap = 100000`,
  )
  const buyer = await shops.makeUser({ pesewas: 10_000 })
  const key = crypto.randomUUID()
  const bought = await insist(world, again, () => shops.buy(buyer, [shops.line()], key))
  const [order] = bought.body.orders as { _id: string; id: string }[]
  const isDecided = async () => {
    await wait(100)
    await again()
    const { rows } = await shops.db.query<{ status: string }>('select status from sms_messages where order_id = $1', [order?._id])
    return rows[0] !== undefined && ['sent', 'unknown', 'failed'].includes(rows[0].status)
  }
  await until(isDecided, 30_000, `SMS of order ${order?._id} to be sent`).catch(() => undefined)
  // Those that an earlier order's job had still to send are that order's.
  const { rows } = await shops.db.query<{ seq: number }>('select seq from orders where id = $1', [order?._id])
  const sent = count(shops.sandbox.sms.sent(), ({ body }) => body.startsWith(`New order ${rows[0]?.seq}:`))
  return { orders: (await shops.books(buyer.id)).orders, tooMany: Math.max(0, sent - 1) }
}

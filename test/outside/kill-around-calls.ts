import type pg from 'pg'
import { checkLedger } from '../../server/ledger/check-ledger.ts'
import { closeShop, type OpenShop } from '../process/open-shops.ts'
import { until } from '../until.ts'
import { type Outside, openOutside } from './open-outside.ts'

export type Killing = { step: string; kills: number }
export type KilledShops = {
  kills: Killing[]
  orders: number
  /** What went wrong, one sentence each; empty when nothing did. */
  violations: string[]
}

type Bought = { _id: string; reference: string }
/** Brings a shop to a step of its work for a new order, and resolves when it stands there. `after` lets go what held it. */
type Step = (outside: Outside, shop: OpenShop, phone: string) => Promise<{ order: Bought; after?: () => Promise<void> }>

/**
 * Kills the shop (SIGKILL) at steps around its calls to the outside, all of them unless `steps` names some, opens it again,
 * and so on; then lets it finish and proves that every order came to its receiver once and that no message went out twice.
 */
export async function killAroundCalls(
  databaseUrl: string,
  rounds: number,
  { steps = Object.keys(STEPS), onKill = () => {} }: { steps?: string[]; onKill?: (step: string) => void } = {},
): Promise<KilledShops> {
  const outside = await openOutside(databaseUrl, { deliversAfterMs: null })
  const kills: Killing[] = []
  const orders: Bought[] = []
  try {
    let shop = await outside.openShop()
    await outside.db.query('update operations_settings set sms_digest_above = 1000, sms_daily_cap = 10000')
    for (const step of steps) {
      const reach = STEPS[step]
      if (!reach) throw new Error(`there is no step ${step}`)
      // A message names no order of its own to the service, so no other may be on its way.
      if (step.startsWith('message')) await settle(outside, orders.length)
      for (let round = 0; round < rounds; round++) {
        const { order, after } = await reach(outside, shop, `027${String(orders.length).padStart(7, '0')}`)
        shop.program.process.kill('SIGKILL')
        await shop.program.ended()
        await after?.()
        orders.push(order)
        onKill(step)
        shop = await outside.openShop()
      }
      kills.push({ step, kills: rounds })
    }
    outside.supplier.clearFaults()
    outside.sms.clearFaults()
    const violations = await finish(outside, orders)
    await closeShop(shop)
    return { kills, orders: orders.length, violations }
  } finally {
    await outside.close()
  }
}

const STEPS: Record<string, Step> = {
  'relay: jobs added, not committed': async (outside, shop, phone) => {
    const release = await hold(outside, 'lock table jobs.job_common in share mode', []).catch(() =>
      hold(outside, 'lock table jobs.job in share mode', []),
    )
    const order = await buyOne(outside, shop, phone)
    await isHeldUp(outside)
    return { order, after: release }
  },
  'send: not yet claimed': async (outside, shop, phone) => {
    await outside.db.query(
      `insert into supplier_health (supplier, paused_until) values ('hubnet', 'infinity') on conflict (supplier) do update set paused_until = excluded.paused_until`,
    )
    const order = await buyOne(outside, shop, phone)
    await until(async () => (await statusOf(outside, order)) === 'waiting')
    const release = await holdDelivery(outside, order)
    await outside.db.query(`update supplier_health set paused_until = '-infinity'`)
    await outside.db.query(`update jobs.job set start_after = now() where name = 'supplier-send' and state < 'active'`)
    await isHeldUp(outside)
    return { order, after: release }
  },
  'send: under way, not taken': async (outside, shop, phone) => {
    outside.supplier.addFault({ phone, call: 'order', kind: 'hang', acts: false })
    return atSending(outside, shop, phone)
  },
  'send: taken, no reply yet': async (outside, shop, phone) => {
    outside.supplier.addFault({ phone, call: 'order', kind: 'hang', acts: true })
    return atSending(outside, shop, phone)
  },
  'send: replied, not recorded': async (outside, shop, phone) => {
    outside.supplier.addFault({ phone, call: 'order', kind: 'slow', delayMs: 300, acts: true })
    const { order } = await atSending(outside, shop, phone)
    const release = await holdDelivery(outside, order)
    await isHeldUp(outside)
    return { order, after: release }
  },
  'send: recorded, job not done': async (outside, shop, phone) => {
    outside.supplier.addFault({ phone, call: 'order', kind: 'slow', delayMs: 300, acts: true })
    const { order } = await atSending(outside, shop, phone)
    const release = await hold(outside, `select from jobs.job where name = 'supplier-send' and data ->> 'orderId' = $1 for update`, [
      order._id,
    ])
    await until(async () => (await statusOf(outside, order)) === 'accepted')
    return { order, after: release }
  },
  'ask: under way': async (outside, shop, phone) => {
    outside.supplier.addFault({ phone, call: 'order', kind: 'drop', acts: true })
    outside.supplier.addFault({ phone, call: 'status', kind: 'hang' })
    return atAsking(outside, shop, phone)
  },
  'ask: replied, not recorded': async (outside, shop, phone) => {
    outside.supplier.addFault({ phone, call: 'order', kind: 'drop', acts: true })
    outside.supplier.addFault({ phone, call: 'status', kind: 'slow', delayMs: 300 })
    const { order } = await atAsking(outside, shop, phone)
    const release = await holdDelivery(outside, order)
    await isHeldUp(outside)
    return { order, after: release }
  },
  'message: under way, not sent': async (outside, shop, phone) => {
    outside.sms.addFault({ call: 'send', kind: 'hang', acts: false })
    return atMessage(outside, shop, phone)
  },
  'message: sent, no reply yet': async (outside, shop, phone) => {
    outside.sms.addFault({ call: 'send', kind: 'hang', acts: true })
    return atMessage(outside, shop, phone)
  },
  'message: replied, not recorded': async (outside, shop, phone) => {
    outside.sms.addFault({ call: 'send', kind: 'slow', delayMs: 300, acts: true })
    const { order } = await atMessage(outside, shop, phone)
    const release = await hold(outside, 'select from sms_messages where order_id = $1 for update', [order._id])
    await isHeldUp(outside)
    return { order, after: release }
  },
}

async function buyOne(outside: Outside, shop: OpenShop, phone: string): Promise<Bought> {
  return (await outside.buy(shop, 1, phone))[0] as Bought
}

/** Buys, and waits until the supplier has been called with the order. */
async function atSending(outside: Outside, shop: OpenShop, phone: string): Promise<{ order: Bought }> {
  const faultsBefore = outside.supplier.control.faults.list().length
  const order = await buyOne(outside, shop, phone)
  await until(() => outside.supplier.control.faults.list().length < faultsBefore)
  return { order }
}

/** Buys, and waits until the supplier has been asked about the order. */
async function atAsking(outside: Outside, shop: OpenShop, phone: string): Promise<{ order: Bought }> {
  const order = await buyOne(outside, shop, phone)
  await until(() => outside.supplier.calls().some(({ url }) => url.includes(order.reference)))
  return { order }
}

async function atMessage(outside: Outside, shop: OpenShop, phone: string): Promise<{ order: Bought }> {
  const before = outside.sms.calls().length
  const order = await buyOne(outside, shop, phone)
  await until(async () => {
    const { rows } = await outside.db.query(`select from sms_messages where order_id = $1 and status = 'sending'`, [order._id])
    return rows.length > 0 && outside.sms.calls().length > before
  })
  return { order }
}

async function statusOf(outside: Outside, order: Bought): Promise<string | undefined> {
  const { rows } = await outside.db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [order._id])
  return rows[0]?.status
}

/** Holds what the statement locks, in a transaction of this process, until the function is called. */
async function hold(outside: Outside, statement: string, values: unknown[]): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await outside.db.connect()
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  try {
    await client.query(statement, values)
  } catch (error) {
    await client.query('rollback')
    client.release()
    throw error
  }
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

function holdDelivery(outside: Outside, order: Bought) {
  return hold(outside, 'select from supplier_deliveries where order_id = $1 for update', [order._id])
}

/** Waits until the shop waits for what this process holds. */
async function isHeldUp(outside: Outside) {
  await until(async () => {
    const { rows } = await outside.db.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'dwadi' and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  })
}

/** Waits until everything is done that can be done; what is not by then is found wanting. */
async function settle(outside: Outside, orders: number) {
  const count = async (sql: string) =>
    (await outside.db.query<{ total: number }>(`select count(*) as total from ${sql}`)).rows[0]?.total ?? 0
  await until(async () => (await count(`supplier_deliveries where status = 'accepted'`)) === orders, 60_000).catch(() => undefined)
  await until(async () => (await count(`sms_messages where status in ('sent', 'unknown')`)) === orders, 60_000).catch(() => undefined)
}

async function finish(outside: Outside, orders: Bought[]): Promise<string[]> {
  await settle(outside, orders.length)
  const violations: string[] = []
  for (const { reference, _id } of orders) {
    const arrived = outside.supplier.deliveries().filter((delivery) => delivery.reference === reference).length
    if (arrived !== 1) violations.push(`order ${reference} was delivered ${arrived} times`)
    const { rows } = await outside.db.query<{ status: string; message: string | null; body: string | null }>(
      `select d.status, m.status as message, m.body from supplier_deliveries d left join sms_messages m using (order_id) where order_id = $1`,
      [_id],
    )
    if (rows[0]?.status !== 'accepted') violations.push(`order ${reference} is ${rows[0]?.status} in the shop`)
    if (!['sent', 'unknown'].includes(rows[0]?.message ?? ''))
      violations.push(`the message about order ${reference} is ${rows[0]?.message}`)
    const heard = outside.sms.sent().filter(({ body }) => body === rows[0]?.body).length
    if (heard > 1) violations.push(`the message about order ${reference} was sent ${heard} times`)
  }
  const { deliveries, duplicates } = outside.supplier.tally()
  if (deliveries !== orders.length || duplicates > 0) violations.push(`${deliveries} deliveries, ${duplicates} of them one too many`)
  return [...violations, ...(await checkLedger(outside.db)).map(({ rule, subject }) => `${rule}: ${subject}`)]
}

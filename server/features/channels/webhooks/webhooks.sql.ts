import type { WebhookEvent } from '../../../../shared/webhook-rules.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { DueWebhook } from '../../../platform/queues.ts'

export type EndpointRow = {
  id: string
  userId: string
  url: string
  isTest: boolean
  events: WebhookEvent[]
  createdAt: Date
  failingSince: Date | null
  disabledAt: Date | null
  /** It fails or is slow, and is served after the others. */
  isBehind: boolean
  oldSecretUntil: Date | null
}

/** Why nothing was sent to an endpoint. */
export const SWITCHED_OFF = 'switched off'

const BEHIND = '(p.failing_since is not null or p.slow_since is not null)'
const ENDPOINT = `id, user_id as "userId", url, is_test as "isTest", events, created_at as "createdAt", failing_since as "failingSince",
  disabled_at as "disabledAt", (failing_since is not null or slow_since is not null) as "isBehind", old_secret_until as "oldSecretUntil"`

export async function selectEndpointsOfUser(db: Queryable, userId: string): Promise<EndpointRow[]> {
  const { rows } = await db.query<EndpointRow>(
    `select ${ENDPOINT} from webhook_endpoints where user_id = $1 and ended_at is null order by created_at desc, id limit 50`,
    [userId],
  )
  return rows
}

/** An endpoint of the user that has not ended, locked; null when there is none. */
export async function lockEndpoint(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<EndpointRow | null> {
  const { rows } = await tx.query<EndpointRow>(
    `select ${ENDPOINT} from webhook_endpoints where id = $1 and user_id = $2 and ended_at is null for no key update`,
    [id, userId],
  )
  return rows[0] ?? null
}

export type NewEndpoint = Pick<EndpointRow, 'userId' | 'url' | 'events' | 'isTest'> & { secret: Buffer; now: Date }

export async function insertEndpoint(tx: Tx, made: NewEndpoint): Promise<EndpointRow> {
  const { rows } = await tx.query<EndpointRow>(
    `insert into webhook_endpoints (user_id, url, events, is_test, secret, created_at) values ($1, $2, $3, $4, $5, $6) returning ${ENDPOINT}`,
    [made.userId, made.url, made.events, made.isTest, made.secret, made.now],
  )
  return rows[0] as EndpointRow
}

export async function updateEndpoint(tx: Tx, id: string, { url, events }: Pick<EndpointRow, 'url' | 'events'>): Promise<EndpointRow> {
  const { rows } = await tx.query<EndpointRow>(
    `update webhook_endpoints set proven_at = case when url = $2 then proven_at end, unproven_calls = greatest(unproven_calls - 5, 0),
       url = $2, events = $3, failing_since = null, slow_since = null, disabled_at = null where id = $1 returning ${ENDPOINT}`,
    [id, url, events],
  )
  return rows[0] as EndpointRow
}

export async function updateEndpointEnded(tx: Tx, id: string, now: Date): Promise<EndpointRow> {
  const { rows } = await tx.query<EndpointRow>(`update webhook_endpoints set ended_at = $2 where id = $1 returning ${ENDPOINT}`, [id, now])
  return rows[0] as EndpointRow
}

export async function updateSecret(tx: Tx, id: string, { secret, oldUntil }: { secret: Buffer; oldUntil: Date }): Promise<EndpointRow> {
  const { rows } = await tx.query<EndpointRow>(
    `update webhook_endpoints set old_secret = secret, old_secret_until = $3, secret = $2 where id = $1 returning ${ENDPOINT}`,
    [id, secret, oldUntil],
  )
  return rows[0] as EndpointRow
}

export type NewEvent = {
  seq: number
  id: string
  userId: string
  isTest: boolean
  type: string
  createdAt: Date
  order: EventOrder
}
type EventOrder = { seq: number; network: string; offer: string; receiver: string; pricePesewas: number; createdAt: Date }

/** Events that no endpoint was given yet, locked; those that another process is giving out are left to it. */
export async function lockNewEvents(tx: Tx, limit: number): Promise<NewEvent[]> {
  const { rows } = await tx.query<Omit<NewEvent, 'order'> & Omit<EventOrder, 'seq' | 'createdAt'> & { orderSeq: number; orderedAt: Date }>(
    `select e.seq, e.id, e.user_id as "userId", e.is_test as "isTest", e.type, e.created_at as "createdAt",
       coalesce(o.seq, t.seq) as "orderSeq", coalesce(o.network, t.network) as network, coalesce(o.offer, t.offer) as offer,
       coalesce(o.receiver, t.receiver) as receiver, coalesce(o.price_pesewas, t.price_pesewas) as "pricePesewas",
       coalesce(o.created_at, t.created_at) as "orderedAt"
     from api_events e left join orders o on o.id = e.order_id left join test_orders t on t.seq = e.test_order
     where e.body is null order by e.seq limit $1 for no key update of e skip locked`,
    [limit],
  )
  return rows.map(({ orderSeq, orderedAt, network, offer, receiver, pricePesewas, ...event }) => {
    return { ...event, order: { seq: orderSeq, network, offer, receiver, pricePesewas, createdAt: orderedAt } }
  })
}

/**
 * Writes what events say, and gives them to the endpoints that want them. Returns the deliveries to make. One that is switched off gets
 * them as failed: they are listed, and sent once it is saved.
 */
export async function insertDeliveries(tx: Tx, events: readonly { id: string; body: string }[], now: Date): Promise<DueWebhook[]> {
  const { rows } = await tx.query<DueWebhook>(
    `with said as (
       update api_events e set body = t.body from unnest($1::uuid[], $2::text[]) as t (id, body) where e.id = t.id
       returning e.id, e.user_id, e.is_test, e.type
     ), given as (
       insert into webhook_deliveries (endpoint_id, event_id, status, problem, next_at)
       select p.id, s.id, case when p.disabled_at is null then 'waiting' else 'failed' end,
         case when p.disabled_at is not null then '${SWITCHED_OFF}' end, case when p.disabled_at is null then $3::timestamptz end
       from said s join webhook_endpoints p on p.user_id = s.user_id and p.is_test = s.is_test
       where s.type = any (p.events) and p.ended_at is null
       on conflict do nothing returning id, endpoint_id, status
     )
     select g.id, p.user_id as "userId", ${BEHIND} as "isBehind" from given g join webhook_endpoints p on p.id = g.endpoint_id
     where g.status = 'waiting'`,
    [events.map(({ id }) => id), events.map(({ body }) => body), now],
  )
  return rows
}

/** An event of one endpoint alone, to try it out. */
export async function insertTestDelivery(
  tx: Tx,
  endpoint: EndpointRow,
  { id, body, now }: { id: string; body: string; now: Date },
): Promise<string> {
  await tx.query(`insert into api_events (id, user_id, is_test, type, created_at, body) values ($1, $2, $3, 'endpoint.test', $4, $5)`, [
    id,
    endpoint.userId,
    endpoint.isTest,
    now,
    body,
  ])
  const { rows } = await tx.query<{ id: string }>(
    'insert into webhook_deliveries (endpoint_id, event_id, next_at) values ($1, $2, $3) returning id',
    [endpoint.id, id, now],
  )
  return (rows[0] as { id: string }).id
}

export type DueDelivery = {
  status: 'waiting' | 'delivered' | 'failed'
  attempts: number
  eventId: string
  body: string
  endpointId: string
  url: string
  secret: Buffer
  oldSecret: Buffer | null
  userId: string
  isWorking: boolean
  isBehind: boolean
}

export async function selectDelivery(db: Queryable, id: string, now: Date): Promise<DueDelivery | null> {
  const { rows } = await db.query<DueDelivery>(
    `select d.status, d.attempts, e.id as "eventId", e.body, p.id as "endpointId", p.url, p.secret, p.user_id as "userId",
       ${BEHIND} as "isBehind",
       case when p.old_secret_until > $2 then p.old_secret end as "oldSecret",
       p.ended_at is null and p.disabled_at is null and u.status = 'Active' and u.level <> 'Customer' as "isWorking"
     from webhook_deliveries d join api_events e on e.id = d.event_id join webhook_endpoints p on p.id = d.endpoint_id
       join users u on u.id = p.user_id
     where d.id = $1`,
    [id, now],
  )
  return rows[0] ?? null
}

export type Attempt = {
  id: string
  status: 'waiting' | 'delivered' | 'failed'
  answer: number | null
  problem: string | null
  tookMs: number | null
  now: Date
  nextAt: Date | null
}

/** Records an attempt, unless one that ran at the same time was taken. */
export async function updateDelivery(tx: Tx, { id, status, answer, problem, tookMs, now, nextAt }: Attempt): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = $2, attempts = attempts + 1, answer = $3, problem = $4, took_ms = $5, attempted_at = $6, next_at = $7
     where id = $1 and (status <> 'delivered' or $2 = 'delivered')`,
    [id, status, answer, problem, tookMs, now, nextAt],
  )
}

/** Takes one of the calls that an endpoint gets before it has answered one; false when there are none left. Always true for one that has. */
export async function takeUnprovenCall(db: Queryable, id: string, most: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update webhook_endpoints set unproven_calls = unproven_calls + 1 where id = $1 and proven_at is null and unproven_calls < $2`,
    [id, most],
  )
  if (rowCount === 1) return true
  return (await db.query('select from webhook_endpoints where id = $1 and proven_at is not null', [id])).rowCount === 1
}

/** Notes how an endpoint answered. True when that switched it off: nothing has arrived since `disabledIfSince`. */
export async function updateEndpointHealth(
  tx: Tx,
  id: string,
  { works, isSlow, now, disabledIfSince }: { works: boolean; isSlow: boolean; now: Date; disabledIfSince: Date },
): Promise<boolean> {
  if (works) {
    await tx.query('update webhook_endpoints set proven_at = $2 where id = $1 and proven_at is null', [id, now])
    await tx.query(
      `update webhook_endpoints set failing_since = null, slow_since = case when $3 then coalesce(slow_since, $2) end
       where id = $1 and (failing_since is not null or (slow_since is not null) <> $3)`,
      [id, now, isSlow],
    )
    return false
  }
  await tx.query('update webhook_endpoints set failing_since = $2 where id = $1 and failing_since is null', [id, now])
  const { rowCount } = await tx.query(
    'update webhook_endpoints set disabled_at = $2 where id = $1 and failing_since <= $3 and disabled_at is null and ended_at is null',
    [id, now, disabledIfSince],
  )
  return rowCount === 1
}

/** What still waits for an endpoint that is switched off or has ended will not be sent. */
export async function updateWaitingDropped(tx: Tx, endpointId: string): Promise<void> {
  await tx.query(`update webhook_deliveries set status = 'failed', next_at = null where endpoint_id = $1 and status = 'waiting'`, [
    endpointId,
  ])
}

/** Has everything that an endpoint missed since a time sent again from its first try on, the oldest first. Returns the deliveries to make. */
export async function updateMissedWaiting(
  tx: Tx,
  endpointId: string,
  { since, now, most }: { since: Date; now: Date; most: number },
): Promise<DueWebhook[]> {
  const { rows } = await tx.query<DueWebhook>(
    `with missed as (
       select d.seq from webhook_deliveries d join api_events e on e.id = d.event_id join webhook_endpoints p on p.id = d.endpoint_id
       where d.endpoint_id = $1 and d.status = 'failed' and e.created_at >= $2 and e.type = any (p.events) order by d.seq limit $4
     ), again as (
       update webhook_deliveries d set status = 'waiting', attempts = 0, next_at = $3 from missed m where d.seq = m.seq
       returning d.seq, d.id, d.endpoint_id
     )
     select a.id, p.user_id as "userId", ${BEHIND} as "isBehind" from again a join webhook_endpoints p on p.id = a.endpoint_id order by a.seq`,
    [endpointId, since, now, most],
  )
  return rows
}

export type DeliveryRow = {
  seq: number
  id: string
  eventId: string
  type: string
  orderSeq: number | null
  isTest: boolean
  status: 'waiting' | 'delivered' | 'failed'
  attempts: number
  answer: number | null
  problem: string | null
  tookMs: number | null
  createdAt: Date
  attemptedAt: Date | null
  nextAt: Date | null
}

export async function selectDeliveriesBefore(
  db: Queryable,
  { endpointId, before, limit }: { endpointId: string; before: number | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>(
    `select d.seq, d.id, e.id as "eventId", e.type, e.is_test as "isTest", coalesce(o.seq, e.test_order) as "orderSeq", d.status, d.attempts, d.answer, d.problem,
       d.took_ms as "tookMs", e.created_at as "createdAt", d.attempted_at as "attemptedAt", d.next_at as "nextAt"
     from webhook_deliveries d join api_events e on e.id = d.event_id left join orders o on o.id = e.order_id
     where d.endpoint_id = $1 and ($2::bigint is null or d.seq < $2) order by d.seq desc limit $3`,
    [endpointId, before, limit],
  )
  return rows
}

export async function selectOwnEndpoint(db: Queryable, { id, userId }: { id: string; userId: string }): Promise<EndpointRow | null> {
  const { rows } = await db.query<EndpointRow>(
    `select ${ENDPOINT} from webhook_endpoints where id = $1 and user_id = $2 and ended_at is null`,
    [id, userId],
  )
  return rows[0] ?? null
}

/** The endpoint of a delivery of the user, locked against its end; null when there is none. */
export async function lockEndpointOfDelivery(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<{ disabledAt: Date | null; endedAt: Date | null; isBehind: boolean } | null> {
  const { rows } = await tx.query<{ disabledAt: Date | null; endedAt: Date | null; isBehind: boolean }>(
    `select p.disabled_at as "disabledAt", p.ended_at as "endedAt", ${BEHIND} as "isBehind" from webhook_deliveries d join webhook_endpoints p on p.id = d.endpoint_id
     where d.id = $1 and p.user_id = $2 for share of p`,
    [id, userId],
  )
  return rows[0] ?? null
}

export async function updateDeliveryWaiting(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(`update webhook_deliveries set status = 'waiting', next_at = $2 where id = $1`, [id, now])
}

/** Events, and what test keys did, are kept for a while; what was sent, and what tests paid, goes with them. */
export async function deleteOldEvents(db: Queryable, { before, testsBefore }: { before: Date; testsBefore: Date }): Promise<void> {
  await db.query(`delete from api_events where created_at < $1 or ((is_test or type = 'endpoint.test') and created_at < $2)`, [
    before,
    testsBefore,
  ])
  await db.query('delete from test_purchases where created_at < $1', [testsBefore])
  await db.query('delete from test_movements where created_at < $1', [testsBefore])
}

/** Whom to tell that an endpoint is off; null when it is on again or has ended. `host` holds no path, which may be secret. */
export async function selectOwnerOfDisabled(
  db: Queryable,
  endpointId: string,
): Promise<{ username: string; email: string; host: string; failingSince: Date } | null> {
  const { rows } = await db.query<{ username: string; email: string; url: string; failingSince: Date }>(
    `select u.username, u.email, p.url, p.failing_since as "failingSince" from webhook_endpoints p join users u on u.id = p.user_id
     where p.id = $1 and p.disabled_at is not null and p.ended_at is null`,
    [endpointId],
  )
  const [found] = rows
  return found ? { username: found.username, email: found.email, host: new URL(found.url).host, failingSince: found.failingSince } : null
}

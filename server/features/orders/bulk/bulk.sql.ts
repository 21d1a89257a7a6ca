import type { BulkNetwork } from '../../../../shared/bulk-line.ts'
import type { Network } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { DisputedWallet, LinesOnTheWay, RefusedLines } from '../purchases/purchases.sql.ts'

/** A line to buy. The expected price is the one that the buyer was shown; it is compared, never charged. */
export type BulkPurchaseLine = {
  /** Its place on the buyer's list, and what is written there. */
  number: number
  text: string
  name: string
  product: string | null
  network: Network | null
  offer: string
  receiver: string
  expectedPricePesewas: number
  /** A refunded order of the buyer's that this line buys once more. */
  retryOf: string | null
}
export type LeftOutLine = { number: number; text: string; why: string }

export type NewBulk = {
  userId: string
  key: string
  requestHash: Buffer
  name: string
  placedBy: 'hand' | 'schedule' | 'api'
  groupId: string | null
  lines: readonly BulkPurchaseLine[]
  leftOut: readonly LeftOutLine[]
  totalPesewas: number
  /** The card payment that pays for it, or the top-up whose money stands in the wallet. */
  paidBy?: ListPayer
  /** Of the proof that the buyer gave their PIN; for a list placed by hand. */
  proofHash?: Buffer | undefined
  /** What is on its way to the same number already is refused. */
  asks?: boolean
  now: Date
}

/** How the money of a card payment reaches a list; the surcharge of a top-up is no part of its orders. */
export type ListPayer = { payment: string; surcharge: number } | { topUp: string }

/** The reply of `place_bulk_orders`. */
export type BulkOutcome =
  | {
      outcome: 'placed'
      replayed: boolean
      jobId: string
      balancePesewas: number
      totalPurchasePesewas: number
      balanceVersion: number
      /** How many orders of each network; only of a list that was just placed. */
      networks?: Record<string, number>
    }
  | { outcome: 'refused'; code: 'BANNED' | 'PAUSED' | 'RETRIED' | 'PIN_REQUIRED' }
  | { outcome: 'refused'; code: 'ON_THE_WAY'; items: LinesOnTheWay }
  | { outcome: 'refused'; code: 'NOT_AVAILABLE' | 'PRICE_CHANGED'; items: RefusedLines; totalPesewas: number }
  | { outcome: 'refused'; code: 'TOTAL'; totalPesewas: number }
  | { outcome: 'refused'; code: 'INSUFFICIENT_BALANCE'; totalPesewas: number; balancePesewas: number; dispute?: DisputedWallet | null }
  | { outcome: 'key-reused' }

/**
 * A connection keeps the plans that it made when tables were small. Reading a whole table for each of thousands of lines would take
 * minutes, so plans are made anew, by index, and stay good for single purchases.
 */
export async function planForManyLines(tx: Tx) {
  await tx.query('discard plans; set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan; set local jit = off')
}

/** Call `planForManyLines` before. */
export async function placeBulkOrders(tx: Tx, bulk: NewBulk): Promise<BulkOutcome> {
  const { key, name, placedBy, groupId, lines, leftOut, paidBy, proofHash, asks } = bulk
  const { rows } = await tx.query<{ outcome: BulkOutcome }>('select place_bulk_orders($1, $2, $3, $4, $5, $6, $7) as outcome', [
    bulk.userId,
    JSON.stringify({ key, name, placedBy, groupId, ...paidBy, pinProof: proofHash?.toString('hex'), ...(asks && { asks }) }),
    bulk.requestHash,
    JSON.stringify(lines.map(({ expectedPricePesewas, ...line }) => ({ ...line, seen: expectedPricePesewas }))),
    JSON.stringify(leftOut),
    bulk.totalPesewas,
    bulk.now,
  ])
  return (rows[0] as { outcome: BulkOutcome }).outcome
}

/** What a card payment is to buy once it is settled. */
export type StoredList = Pick<NewBulk, 'name' | 'groupId' | 'lines' | 'leftOut' | 'totalPesewas'> & { scheduleId: string | null }

export async function insertStoredList(
  tx: Tx,
  { reference, userId, list, now }: { reference: string; userId: string; list: StoredList; now: Date },
) {
  await tx.query('insert into payment_lists (reference, user_id, list, created_at) values ($1, $2, $3, $4)', [
    reference,
    userId,
    JSON.stringify(list),
    now,
  ])
}

/** Lists whose payment is not open any more: money that comes for one later stays in its payer's wallet. */
export async function clearOldLists(db: Queryable, before: Date) {
  await db.query(
    `update payment_lists l set list = null where list is not null and created_at < $1
       and not exists (select from payments p where p.reference = l.reference and p.status = 'open')`,
    [before],
  )
}

/** Null once the list was placed, or a day after its payment was closed. */
export async function selectStoredList(tx: Tx, reference: string): Promise<StoredList | null> {
  const { rows } = await tx.query<{ list: StoredList | null }>('select list from payment_lists where reference = $1', [reference])
  return rows[0]?.list ?? null
}

/** Once the list is placed, its lines are those of its orders. */
export async function clearStoredList(tx: Tx, reference: string) {
  await tx.query('update payment_lists set list = null where reference = $1', [reference])
}

export async function selectJobIdByKey(db: Queryable, userId: string, key: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>('select id from bulk_jobs where user_id = $1 and key = $2', [userId, key])
  return rows[0]?.id ?? null
}

/** True when one of these refunded orders was bought again already. */
export async function hasBeenRetried(db: Queryable, orderIds: readonly string[]): Promise<boolean> {
  const { rowCount } = await db.query('select from bulk_lines where retry_of = any ($1) limit 1', [orderIds])
  return rowCount === 1
}

/** The owner of a working key, whose end waits for this transaction or is seen; null when it works no more. */
export async function lockKeyOwner(tx: Tx, keyHash: Buffer, now: Date): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select u.id from api_keys k join users u on u.id = k.user_id
     where k.hash = $1 and not k.is_test and 'orders:write' = any (k.scopes) and k.ended_at is null and (k.expires_at is null or k.expires_at > $2) and u.status = 'Active' and u.level <> 'Customer'
       and (k.pin_proven or not exists (select from transaction_pins t where t.user_id = u.id and t.at_checkout))
     for share of k, u`,
    [keyHash, now],
  )
  return rows[0]?.id ?? null
}

/** True when the user's idempotency key was used for orders outside a list. It locks the wallet, so that two requests with a key wait for each other. */
export async function hasBoughtOrders(tx: Tx, userId: string, key: string): Promise<boolean> {
  await tx.query('select from wallets where user_id = $1 for update', [userId])
  const { rowCount } = await tx.query('select from idempotency_keys where user_id = $1 and key = $2', [userId, key])
  return rowCount === 1
}

export type JobRow = {
  id: string
  seq: number
  name: string
  placedBy: NewBulk['placedBy']
  createdAt: Date
  groupId: string | null
  lines: number
  leftOut: number
  totalPesewas: number
  pending: number
  completed: number
  rejected: number
  refundedPesewas: number
}

/** The orders of a list lie side by side, so they are counted in one short stretch of an index. */
const JOB = `j.id, j.seq, j.name, j.placed_by as "placedBy", j.created_at as "createdAt", j.group_id as "groupId", j.lines, j.left_out as "leftOut",
  j.total_pesewas as "totalPesewas", stand.pending, stand.completed, stand.rejected, stand.refunded as "refundedPesewas"`
const STAND = `lateral (
    select count(*) filter (where o.status = 'pending') as pending, count(*) filter (where o.status = 'completed') as completed,
      count(*) filter (where o.status = 'rejected') as rejected,
      coalesce(sum(o.price_pesewas + o.surcharge_pesewas) filter (where o.status = 'rejected'), 0)::bigint as refunded
    from orders o where o.user_id = j.user_id and o.seq between j.first_seq and j.last_seq
  ) stand`

/** A user's lists before `before`, newest first. */
export async function selectJobs(
  db: Queryable,
  { userId, before, limit }: { userId: string; before: number | null; limit: number },
): Promise<JobRow[]> {
  const { rows } = await db.query<JobRow>(
    `select ${JOB} from (
       select * from bulk_jobs where user_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3
     ) j cross join ${STAND} order by j.seq desc`,
    [userId, before, limit],
  )
  return rows
}

export async function selectJob(db: Queryable, userId: string, id: string): Promise<JobRow | null> {
  const { rows } = await db.query<JobRow>(
    `select ${JOB} from (select * from bulk_jobs where id = $2 and user_id = $1) j cross join ${STAND}`,
    [userId, id],
  )
  return rows[0] ?? null
}

export type LineRow = {
  number: number
  text: string
  name: string
  why: string
  orderId: string | null
  seq: number | null
  network: Network | null
  offer: string | null
  receiver: string | null
  pricePesewas: number | null
  status: OrderStatus | null
  refundReason: string | null
  retried: string | null
}

const LINE = `l.line as number, l.written as text, l.name, l.why, o.id as "orderId", o.seq, o.network, o.offer, o.receiver, o.price_pesewas as "pricePesewas",
  o.status, o.refund_reason as "refundReason", (select r.order_id from bulk_lines r where r.retry_of = l.order_id) as retried`

/** The lines of a list after a line, in their order. */
export async function selectLines(
  db: Queryable,
  { jobId, after, state, limit }: { jobId: string; after: number; state: OrderStatus | 'left-out' | null; limit: number },
): Promise<LineRow[]> {
  const { rows } = await db.query<LineRow>(
    `select ${LINE} from bulk_lines l left join orders o on o.id = l.order_id
     where l.job_id = $1 and l.line > $2 and ($3::text is null or coalesce(o.status, 'left-out') = $3) order by l.line limit $4`,
    [jobId, after, state, limit],
  )
  return rows
}

export type RepeatableLine = { text: string; name: string; receiver: string; network: BulkNetwork; offer: string; orderId: string }

/** The lines that were bought, or of them those that were refunded and not bought again, to be bought once more. */
export async function selectRepeatable(
  db: Queryable,
  jobId: string,
  { onlyRefunded }: { onlyRefunded: boolean },
): Promise<RepeatableLine[]> {
  const { rows } = await db.query<RepeatableLine>(
    `select l.written as text, l.name, o.receiver, o.network, o.offer, o.id as "orderId" from bulk_lines l join orders o on o.id = l.order_id
     where l.job_id = $1
       and (not $2 or (o.status = 'rejected' and not exists (select from bulk_lines r where r.retry_of = o.id)))
     order by l.line`,
    [jobId, onlyRefunded],
  )
  return rows
}

export type OnItsWayRow = { receiver: string; offer: string; network: string; seq: number; delivered: boolean; at: Date }

/** The newest pending order of the user's for each of these numbers, and of each package the newest that was delivered to it since then. */
export async function selectOnItsWay(
  db: Queryable,
  { userId, receivers, since }: { userId: string; receivers: readonly string[]; since: Date },
): Promise<OnItsWayRow[]> {
  const { rows } = await db.query<OnItsWayRow>(
    `select o.* from (select distinct unnest($2::text[]) as receiver) asked cross join lateral (
       (select receiver, offer, network, seq, false as delivered, created_at as at from orders
        where orders.receiver = asked.receiver and user_id = $1 and status = 'pending' order by seq desc limit 1)
       union all
       (select distinct on (network, offer) receiver, offer, network, seq, true, completed_at from orders
        where orders.receiver = asked.receiver and user_id = $1 and status = 'completed' and completed_at >= $3 order by network, offer, seq desc)
     ) o`,
    [userId, receivers, since],
  )
  return rows
}

export async function selectAfaProducts(tx: Tx): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(`select id from products where network = 'AFA'`)
  return new Set(rows.map(({ id }) => id))
}

import type { OrderStatus } from '../../../../shared/orders.ts'
import type { UserLevel } from '../../../../shared/users.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { type LinesOnTheWay, type PurchaseLine, type RefusedLine, storeLines } from '../../orders/purchases/purchases.sql.ts'

export type ApiOrderRow = {
  seq: number
  network: string
  offer: string
  receiver: string
  pricePesewas: number
  status: OrderStatus
  createdAt: Date
  decidedAt: Date | null
  isTest: boolean
  /** The network checks the receiver's number first. Left out of what was placed just now. */
  verifying?: boolean
}

const ORDER = `seq, network, offer, receiver, price_pesewas as "pricePesewas", status, created_at as "createdAt", decided_at as "decidedAt"`
/** Of a live order whose columns are named by `of`; nobody verifies the number of a test order. */
const verifying = (of: string, isTest: boolean) =>
  isTest
    ? 'false as verifying'
    : `${of}.status = 'pending' and exists (select from supplier_deliveries d
         where d.order_id = ${of}.id and d.status = 'accepted' and d.verifying_since is not null) as verifying`
const orders = (isTest: boolean) =>
  `(select ${ORDER}, ${isTest} as "isTest", ${verifying('orders', isTest)} from ${isTest ? 'test_orders' : 'orders'}`

/** A user's orders, or test orders, before the given number, the newest first. */
export async function selectOrdersBefore(
  db: Queryable,
  { userId, isTest, before, limit }: { userId: string; isTest: boolean; before: number | null; limit: number },
): Promise<ApiOrderRow[]> {
  const { rows } = await db.query<ApiOrderRow>(
    `${orders(isTest)} where user_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3)`,
    [userId, before, limit],
  )
  return rows
}

export async function selectOwnOrder(
  db: Queryable,
  { userId, isTest, seq }: { userId: string; isTest: boolean; seq: number },
): Promise<ApiOrderRow | null> {
  const { rows } = await db.query<ApiOrderRow>(`${orders(isTest)} where user_id = $1 and seq = $2)`, [userId, seq])
  return rows[0] ?? null
}

/** The owner of a working test key that may buy, both locked until the transaction ends; null when it works no more. */
export async function lockTestBuyer(
  tx: Tx,
  keyHash: Buffer,
  now: Date,
): Promise<{ keyId: string; userId: string; level: UserLevel } | null> {
  const { rows } = await tx.query<{ keyId: string; userId: string; level: UserLevel }>(
    `select k.id as "keyId", u.id as "userId", u.level from api_keys k join users u on u.id = k.user_id
     where k.hash = $1 and k.is_test and 'orders:write' = any (k.scopes) and k.ended_at is null and (k.expires_at is null or k.expires_at > $2)
       and u.status = 'Active' and u.level <> 'Customer'
     for share`,
    [keyHash, now],
  )
  return rows[0] ?? null
}

type TestPurchase = { userId: string; keyId: string; key: string; requestHash: Buffer; now: Date }

/** Null when the user has used the key before, in another request or in this one. */
export async function insertTestPurchase(tx: Tx, { userId, keyId, key, requestHash, now }: TestPurchase): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into test_purchases (user_id, key_id, key, request_hash, created_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id, key) do nothing returning id`,
    [userId, keyId, key, requestHash, now],
  )
  return rows[0]?.id ?? null
}

export type FoundPurchase = { purchaseId: string; orders: ApiOrderRow[]; balancePesewas: number | null }

/** An earlier purchase with the key, if its request was the same; its orders and the balance are as they were then. */
export async function selectTestPurchase(tx: Tx, { userId, key, requestHash }: TestPurchase): Promise<FoundPurchase | null> {
  const { rows } = await tx.query<ApiOrderRow & Omit<FoundPurchase, 'orders'>>(
    `select p.id as "purchaseId", p.balance_pesewas as "balancePesewas", o.seq, o.network, o.offer, o.receiver, o.price_pesewas as "pricePesewas",
       'pending' as status, o.created_at as "createdAt", null as "decidedAt", true as "isTest"
     from test_purchases p join test_orders o on o.purchase_id = p.id where p.user_id = $1 and p.key = $2 and p.request_hash = $3 order by o.seq`,
    [userId, key, requestHash],
  )
  const [first] = rows
  if (!first) return null
  const orders = rows.map(({ purchaseId: _, balancePesewas: __, ...order }) => order)
  return { purchaseId: first.purchaseId, balancePesewas: first.balancePesewas, orders }
}

/** The lines of a purchase as `price_lines` prices them for everybody. */
export async function selectPrices(
  tx: Tx,
  level: UserLevel,
  lines: PurchaseLine[],
): Promise<{ pricePesewas: number; refused: RefusedLine | null }[]> {
  const { rows } = await tx.query<{ pricePesewas: number; refused: RefusedLine | null }>(
    'select price_pesewas as "pricePesewas", refused from price_lines($1, $2)',
    [level, storeLines(lines)],
  )
  return rows
}

export type NewTestOrder = Pick<ApiOrderRow, 'network' | 'offer' | 'receiver' | 'pricePesewas'> & {
  next: 'completed' | 'rejected' | null
  afterMs: number
}

export async function insertTestOrders(
  tx: Tx,
  { purchaseId, userId, orders, now }: { purchaseId: string; userId: string; orders: NewTestOrder[]; now: Date },
): Promise<ApiOrderRow[]> {
  const { rows } = await tx.query<ApiOrderRow>(
    `insert into test_orders (purchase_id, user_id, line, network, offer, receiver, price_pesewas, next_status, next_at, created_at)
     select $1, $2, place, network, offer, receiver, price, next, case when next is not null then $9::timestamptz + after * interval '1 millisecond' end, $9
     from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::bigint[]) with ordinality
       as line (network, offer, receiver, price, next, after, place) order by place
     returning ${ORDER}, true as "isTest"`,
    [
      purchaseId,
      userId,
      orders.map(({ network }) => network),
      orders.map(({ offer }) => offer),
      orders.map(({ receiver }) => receiver),
      orders.map(({ pricePesewas }) => pricePesewas),
      orders.map(({ next }) => next),
      orders.map(({ afterMs }) => afterMs),
      now,
    ],
  )
  return rows
}

/** Decides a test order as was planned for it; null when nothing is planned any more. */
export async function updateTestOrderDecided(
  tx: Tx,
  seq: number,
  now: Date,
): Promise<{ userId: string; receiver: string; status: 'completed' | 'rejected' } | null> {
  const { rows } = await tx.query<{ userId: string; receiver: string; status: 'completed' | 'rejected' }>(
    `update test_orders set status = next_status, decided_at = $2, next_status = null, next_at = null
     where seq = $1 and next_status is not null returning user_id as "userId", receiver, status`,
    [seq, now],
  )
  return rows[0] ?? null
}

export async function updateTestOrderPlanned(tx: Tx, seq: number, { next, at }: { next: 'rejected'; at: Date }): Promise<void> {
  await tx.query('update test_orders set next_status = $2, next_at = $3 where seq = $1', [seq, next, at])
}

/** `list` makes it a list, which its first order numbers. */
export async function updateTestPurchase(
  tx: Tx,
  id: string,
  { balancePesewas, list }: { balancePesewas: number; list: { name: string; firstOrder: number } | null },
): Promise<void> {
  await tx.query('update test_purchases set balance_pesewas = $2, list_name = $3, first_order = $4 where id = $1', [
    id,
    balancePesewas,
    list?.name ?? null,
    list?.firstOrder ?? null,
  ])
}

/** The balance of a user's wallet for tests, which is made empty where there is none. It stays locked until the transaction ends. */
export async function lockTestWallet(tx: Tx, userId: string): Promise<{ balancePesewas: number; isNew: boolean }> {
  const { rows } = await tx.query<{ balancePesewas: number; isNew: boolean }>(
    `insert into test_wallets as w (user_id, balance_pesewas) values ($1, 0) on conflict (user_id) do update set balance_pesewas = w.balance_pesewas
     returning balance_pesewas as "balancePesewas", xmax = 0 as "isNew"`,
    [userId],
  )
  return rows[0] as { balancePesewas: number; isNew: boolean }
}

type TestMovements = {
  userId: string
  kind: 'order' | 'order-refund' | 'top-up'
  lines: readonly { testOrder: number | null; amountPesewas: number }[]
  now: Date
}

/** Moves the balance of a wallet for tests, which `lockTestWallet` locked, and notes each movement. Returns the balance after them. */
export async function insertTestMovements(tx: Tx, { userId, kind, lines, now }: TestMovements): Promise<number> {
  const { rows } = await tx.query<{ balancePesewas: number }>(
    `with moved as (
       update test_wallets set balance_pesewas = balance_pesewas + $5 where user_id = $1 returning balance_pesewas
     ), noted as (
       insert into test_movements (user_id, kind, test_order, amount_pesewas, balance_after_pesewas, created_at)
       select $1, $2, test_order, amount, balance_pesewas - $5 + sum(amount) over (order by place), $6
       from moved cross join unnest($3::bigint[], $4::bigint[]) with ordinality as line (test_order, amount, place) order by place
     )
     select balance_pesewas as "balancePesewas" from moved`,
    [
      userId,
      kind,
      lines.map(({ testOrder }) => testOrder),
      lines.map(({ amountPesewas }) => amountPesewas),
      lines.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0),
      now,
    ],
  )
  return (rows[0] as { balancePesewas: number }).balancePesewas
}

/** What was paid for a test order; null for one that was bought before test keys had a wallet. */
export async function selectTestPrice(tx: Tx, seq: number): Promise<number | null> {
  const { rows } = await tx.query<{ pesewas: number }>(
    `select -amount_pesewas as pesewas from test_movements where test_order = $1 and kind = 'order'`,
    [seq],
  )
  return rows[0]?.pesewas ?? null
}

export type TestMovementRow = {
  seq: number
  shownKind: 'order' | 'order-refund' | 'top-up'
  memo: string
  reference: string | null
  amountPesewas: number
  balanceAfterPesewas: number
  createdAt: Date
}

/** The movements of a user's wallet for tests before the given one, newest first, in the words of a statement. */
export async function selectTestMovements(
  db: Queryable,
  { userId, before, limit }: { userId: string; before: number | null; limit: number },
): Promise<TestMovementRow[]> {
  const { rows } = await db.query<TestMovementRow>(
    `select m.seq, m.kind as "shownKind", o.seq::text as reference, m.amount_pesewas as "amountPesewas",
       m.balance_after_pesewas as "balanceAfterPesewas", m.created_at as "createdAt",
       case m.kind when 'top-up' then 'Test money' when 'order-refund' then 'Refund of ' else '' end
         || coalesce(o.network || ' ' || o.offer || ' to ' || o.receiver, '') as memo
     from (select * from test_movements where user_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3) m
       left join test_orders o on o.seq = m.test_order order by m.seq desc`,
    [userId, before, limit],
  )
  return rows
}

export type ApiListRow = {
  id: string
  seq: number
  name: string
  isTest: boolean
  orders: number
  pending: number
  completed: number
  rejected: number
  totalPesewas: number
  refundedPesewas: number
  createdAt: Date
}

const lists = (isTest: boolean, which: string) => `select l.id, l.seq, l.name, ${isTest} as "isTest", l.created_at as "createdAt", stand.*
  from (${
    isTest
      ? `select id, first_order as seq, list_name as name, created_at from test_purchases where user_id = $1 and first_order is not null and ${which.replaceAll('seq', 'first_order')}`
      : `select id, seq, name, created_at, first_seq, last_seq from bulk_jobs where user_id = $1 and ${which}`
  }) l cross join lateral (
    select count(*) as orders, count(*) filter (where o.status = 'pending') as pending, count(*) filter (where o.status = 'completed') as completed,
      count(*) filter (where o.status = 'rejected') as rejected, coalesce(sum(o.price_pesewas), 0)::bigint as "totalPesewas",
      coalesce(sum(o.price_pesewas) filter (where o.status = 'rejected'), 0)::bigint as "refundedPesewas"
    from ${isTest ? 'test_orders o where o.purchase_id = l.id' : 'orders o where o.user_id = $1 and o.seq between l.first_seq and l.last_seq'}
  ) stand`

/** A user's lists, or lists of test orders, before the given number, the newest first. */
export async function selectListsBefore(
  db: Queryable,
  { userId, isTest, before, limit }: { userId: string; isTest: boolean; before: number | null; limit: number },
): Promise<ApiListRow[]> {
  const { rows } = await db.query<ApiListRow>(
    `${lists(isTest, '($2::bigint is null or seq < $2) order by seq desc limit $3')} order by l.seq desc`,
    [userId, before, limit],
  )
  return rows
}

/** One list of a user, by its number or by its id; null when they have none such. */
export async function selectOwnList(
  db: Queryable,
  { userId, isTest, seq, id }: { userId: string; isTest: boolean } & ({ seq: number; id?: never } | { id: string; seq?: never }),
): Promise<ApiListRow | null> {
  const { rows } = await db.query<ApiListRow>(lists(isTest, id === undefined ? 'seq = $2::bigint' : 'id = $2'), [userId, id ?? seq])
  return rows[0] ?? null
}

/** The orders of a list that `selectOwnList` found, after the given line, in the order of their lines. */
export async function selectOrdersOfList(
  db: Queryable,
  { listId, isTest, after, status, limit }: { listId: string; isTest: boolean; after: number; status: OrderStatus | null; limit: number },
): Promise<(ApiOrderRow & { line: number })[]> {
  const found = isTest
    ? 'select o.* from test_orders o where purchase_id = $1'
    : 'select l.line, o.* from bulk_lines l join orders o on o.id = l.order_id where l.job_id = $1'
  const { rows } = await db.query<ApiOrderRow & { line: number }>(
    `select line, ${ORDER}, ${isTest} as "isTest", ${verifying('o', isTest)} from (${found}) o
     where line > $2::bigint and ($3::text is null or status = $3) order by line limit $4`,
    [listId, after, status, limit],
  )
  return rows
}

/** How many events of tests an account has; another one waits until this transaction ends. */
export async function countTestEvents(tx: Tx, userId: string): Promise<number> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('test events of ' || $1, 0))", [userId])
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) as count from api_events where user_id = $1 and (is_test or type = 'endpoint.test')`,
    [userId],
  )
  return rows[0]?.count ?? 0
}

/** Notes what became of a test order, for the webhooks of its owner. */
export async function insertTestEvent(
  tx: Tx,
  { userId, type, seq, now }: { userId: string; type: string; seq: number; now: Date },
): Promise<void> {
  await tx.query(
    `insert into api_events (user_id, is_test, type, test_order, created_at) select $1, true, $2, $3, $4
     where exists (select from webhook_endpoints where user_id = $1 and is_test and ended_at is null) on conflict do nothing`,
    [userId, type, seq, now],
  )
}

/** Takes one request of a key's allowance. `waitMs` is 0 when there was one; `left` are at once, all again after `allAfterMs`. */
export async function takeKeyAttempt(
  db: Queryable,
  { name, size, everyMs, now }: { name: string; size: number; everyMs: number; now: Date },
): Promise<{ waitMs: number; left: number; allAfterMs: number }> {
  const { rows } = await db.query<{ taken: { waitMs: number; left: number; allAfterMs: number } }>({
    name: 'take-key-attempt',
    text: 'select take_attempt_of($1, $2, $3, $4) as taken',
    values: [name, size, everyMs, now],
  })
  return (rows[0] as { taken: { waitMs: number; left: number; allAfterMs: number } }).taken
}

/** Of these lines those of which the buyer has the same test bundle for the same number pending, at most 100. */
export async function selectTestOnTheWay(
  tx: Tx,
  { userId, lines }: { userId: string; lines: readonly PurchaseLine[] },
): Promise<LinesOnTheWay | null> {
  const { rows } = await tx.query<LinesOnTheWay[0]>(
    `select line.place::integer - 1 as index, max(o.seq) as seq, o.network, o.offer, o.receiver
     from unnest($2::text[], $3::text[], $4::text[]) with ordinality as line (network, offer, receiver, place)
     join test_orders o on o.user_id = $1 and o.status = 'pending' and (o.network, o.offer, o.receiver) = (line.network, line.offer, line.receiver)
     group by line.place, o.network, o.offer, o.receiver order by line.place limit 100`,
    [userId, lines.map(({ network }) => network), lines.map(({ offer }) => offer), lines.map(({ receiver }) => receiver)],
  )
  const [first, ...more] = rows
  return first ? [first, ...more] : null
}

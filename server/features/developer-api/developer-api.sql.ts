import type { OrderStatus } from '../../../shared/orders.ts'
import type { UserLevel } from '../../../shared/users.ts'
import type { Queryable, Tx } from '../../platform/db.ts'
import { type PurchaseLine, type RefusedLine, storeLines } from '../purchases/purchases.sql.ts'

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
}

const ORDER = `seq, network, offer, receiver, price_pesewas as "pricePesewas", status, created_at as "createdAt", decided_at as "decidedAt"`
const orders = (isTest: boolean) => `(select ${ORDER}, ${isTest} as "isTest" from ${isTest ? 'test_orders' : 'orders'}`

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

/** An earlier purchase with the key, if its request was the same; its orders are as they were then. */
export async function selectTestPurchase(tx: Tx, { userId, key, requestHash }: TestPurchase): Promise<ApiOrderRow[] | null> {
  const { rows } = await tx.query<ApiOrderRow>(
    `select o.seq, o.network, o.offer, o.receiver, o.price_pesewas as "pricePesewas", 'pending' as status, o.created_at as "createdAt",
       null as "decidedAt", true as "isTest"
     from test_purchases p join test_orders o on o.purchase_id = p.id where p.user_id = $1 and p.key = $2 and p.request_hash = $3 order by o.seq`,
    [userId, key, requestHash],
  )
  return rows.length > 0 ? rows : null
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
    `insert into test_orders (purchase_id, user_id, network, offer, receiver, price_pesewas, next_status, next_at, created_at)
     select $1, $2, network, offer, receiver, price, next, case when next is not null then $9::timestamptz + after * interval '1 millisecond' end, $9
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

/** Notes what became of a test order, for the webhooks of its owner. */
export async function insertTestEvent(
  tx: Tx,
  { userId, type, seq, now }: { userId: string; type: string; seq: number; now: Date },
): Promise<void> {
  await tx.query(
    `insert into api_events (user_id, is_test, type, test_order, created_at) select $1, true, $2, $3, $4
     where exists (select from webhook_endpoints where user_id = $1 and is_test and disabled_at is null and ended_at is null) on conflict do nothing`,
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

import type { Consent, ReceiverCorrection } from '../../../../shared/orders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { OrderRow } from '../../orders/orders/orders.sql.ts'

/** Everything that is stored about an order besides itself; times are JSON timestamps. */
export type StoredEvents = {
  told: {
    kind: 'not-taken' | 'unknown' | 'asked' | 'rejected' | 'failed' | 'delivered-after-all'
    supplier: string
    reference: string
    detail: string
    sentAt: string | null
    at: string
  }[]
  restarts: {
    from: string
    fromReference: string
    sentAt: string | null
    acceptedAt: string | null
    to: string | null
    /** Null where it went on by itself; then `why`. */
    by: string | null
    why: string | null
    at: string
  }[]
  delivery: { supplier: string; reference: string; sentAt: string | null; acceptedAt: string | null; deliveredAt: string | null } | null
  corrections: (ReceiverCorrection & { by: string })[]
  batches: { number: number; by: string; at: string; releasedBy: string | null; releasedAt: string | null }[]
  reports: { at: string }[]
  decidedBy: string | null
}

export async function selectStoredEvents(db: Queryable, orderId: string): Promise<StoredEvents> {
  const { rows } = await db.query<StoredEvents>(
    `select
       (select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'supplier', e.supplier, 'reference', e.reference, 'detail', e.detail,
          'sentAt', e.sent_at, 'at', e.at) order by e.id), '[]') from delivery_events e where e.order_id = o.id) as told,
       (select coalesce(jsonb_agg(jsonb_build_object('from', r.from_supplier, 'fromReference', r.from_reference, 'sentAt', r.from_sent_at,
          'acceptedAt', r.from_accepted_at, 'to', r.to_supplier, 'by', u.username, 'why', r.why, 'at', r.restarted_at) order by r.id), '[]')
        from delivery_restarts r left join users u on u.id = r.restarted_by where r.order_id = o.id) as restarts,
       (select jsonb_build_object('supplier', d.supplier, 'reference', d.reference, 'sentAt', d.sent_at, 'acceptedAt', d.accepted_at,
          'deliveredAt', d.delivered_at) from supplier_deliveries d where d.order_id = o.id) as delivery,
       (select coalesce(jsonb_agg(jsonb_build_object('from', c.from_receiver, 'to', c.to_receiver, 'agreedBy', c.agreed_by, 'consent', c.consent,
          'by', u.username, 'at', c.corrected_at) order by c.id), '[]')
        from receiver_corrections c join users u on u.id = c.corrected_by where c.order_id = o.id) as corrections,
       (select coalesce(jsonb_agg(jsonb_build_object('number', b.number, 'by', u.username, 'at', b.made_at, 'releasedBy', e.username,
          'releasedAt', case when l.status = 'released' then l.ended_at end) order by b.number), '[]')
        from batch_orders l join batches b on b.id = l.batch_id join users u on u.id = b.made_by left join users e on e.id = l.ended_by
        where l.order_id = o.id) as batches,
       (select coalesce(jsonb_agg(jsonb_build_object('at', r.opened_at) order by r.seq), '[]') from reports r where r.order_id = o.id) as reports,
       (select u.username from users u where u.id = o.decided_by) as "decidedBy"
     from orders o where o.id = $1`,
    [orderId],
  )
  return rows[0] as StoredEvents
}

export type BuyerFacts = { id: string; username: string; phone: string; level: string; since: Date; orders: number }

export async function selectBuyer(db: Queryable, userId: string): Promise<BuyerFacts> {
  const { rows } = await db.query<BuyerFacts>(
    `select u.id, u.username, u.phone, u.level, u.created_at as since,
       (select count(*) from (select from orders o where o.user_id = u.id limit 1000) newest)::integer as orders
     from users u where u.id = $1`,
    [userId],
  )
  return rows[0] as BuyerFacts
}

/** The guest who bought an order, as buyer: their id is that of the agent in whose shop it was. */
export async function selectGuest(db: Queryable, order: OrderRow): Promise<BuyerFacts> {
  const { rows } = await db.query<BuyerFacts>(
    `select a.owner_id as id, $2 as username, $3 as phone, 'Guest of ' || a.name as level, $4::timestamptz as since,
       (select count(*) from (select from payments p where p.guest_phone = $3 and p.status = 'paid' limit 1000) paid)::integer as orders
     from agent_shops a where a.id = $1`,
    [order.shopId, order.username, order.guestPhone, order.createdAt],
  )
  return rows[0] as BuyerFacts
}

/** What the order's package costs now where it could be sent, in pesewas; null while nobody has set it. */
export async function selectCostsOf(
  db: Queryable,
  { productId, offer }: { productId: string; offer: string },
  routes: string[],
  now: Date,
): Promise<Map<string, number | null>> {
  const { rows } = await db.query<{ route: string; cost: number | null }>(
    'select route, package_cost($1, $2, route, $4) as cost from unnest($3::text[]) route',
    [productId, offer, routes, now],
  )
  return new Map(rows.map(({ route, cost }) => [route, cost]))
}

export async function isInOutbox(db: Queryable, orderId: string): Promise<boolean> {
  const { rows } = await db.query('select from order_outbox where order_id = $1 limit 1', [orderId])
  return rows.length > 0
}

export type Correction = { orderId: string; from: string; to: string; agreedBy: string; consent: Consent; by: string; now: Date }

/** Records the consent and changes the receiver, which the database allows only with that record. */
export async function correctOrder(tx: Tx, { orderId, from, to, agreedBy, consent, by, now }: Correction) {
  await tx.query(
    `insert into receiver_corrections (order_id, from_receiver, to_receiver, agreed_by, consent, corrected_by, corrected_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [orderId, from, to, agreedBy, consent, by, now],
  )
  await tx.query('update orders set receiver = $2 where id = $1', [orderId, to])
  // An order that is not searchable yet is indexed later, with the new number.
  await tx.query(
    `update order_search s set words = order_words(o, u) from orders o left join users u on u.id = o.user_id where o.id = $1 and s.seq = o.seq`,
    [orderId],
  )
}

/**
 * Whether somebody, or an account that shares a number with theirs or that they invited, has had anything to do with this number; or whether they have
 * corrected another buyer's order to it before.
 */
export async function hasUsedNumber(tx: Tx, { actorId, phone, buyerId }: { actorId: string; phone: string; buyerId: string | null }) {
  const { rows } = await tx.query<{ used: boolean }>(
    `with circle as materialized (
       select $1::uuid as id
       union select u.id from users u join confirmed_numbers c on c.phone = u.phone where c.user_id = $1
       union select c.user_id from confirmed_numbers c join users u on u.phone = c.phone where u.id = $1
       union select referred_id from referrals where referrer_id = $1
     )
     select exists (select from users u join circle using (id) where u.phone = $2)
       or exists (select from confirmed_numbers c where c.phone = $2 and c.user_id in (select id from circle))
       or exists (select from payout_numbers p where p.phone = $2 and p.confirmed_by in (select id from circle))
       or exists (select from contacts c where c.phone = $2 and c.user_id in (select id from circle))
       or exists (select from orders o where o.receiver = $2 and o.user_id in (select id from circle))
       or exists (select from receiver_corrections c join orders o on o.id = c.order_id
                  where c.corrected_by = $1 and c.to_receiver = $2 and (o.user_id is null or o.user_id is distinct from $3)) as used`,
    [actorId, phone, buyerId],
  )
  return rows[0]?.used ?? false
}

/** How many numbers of orders somebody has corrected since then, and what those orders cost, in pesewas. */
export async function selectCorrectedAlone(tx: Tx, actorId: string, since: Date): Promise<{ orders: number; pesewas: number }> {
  const { rows } = await tx.query<{ orders: number; pesewas: number }>(
    `select count(*)::integer as orders, coalesce(sum(o.price_pesewas), 0)::bigint as pesewas
     from admin_actions a join orders o on o.id = case when a.action = 'order.receiver' then a.subject_id::uuid end
     where a.actor_id = $1 and a.created_at >= $2 and a.action = 'order.receiver'`,
    [actorId, since],
  )
  return rows[0] ?? { orders: 0, pesewas: 0 }
}

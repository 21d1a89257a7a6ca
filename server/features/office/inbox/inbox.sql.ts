import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable } from '../../../platform/db.ts'
import { HOLD_REASON } from '../../orders/orders/payment-losses.sql.ts'
import { GOES_ON } from '../../orders/orders/segments.sql.ts'

export type PendingKind =
  | 'by-hand'
  | 'not-sent'
  | 'unclear'
  | 'refused'
  | 'too-long'
  | 'delivered'
  | 'on-hold'
  | 'in-batch'
  | 'waiting'
  | 'at-supplier'
export type PendingGroup = {
  kind: PendingKind
  /** Null where a group has orders of several. */
  network: Network | null
  supplier: SupplierName | null
  orders: number
  pesewas: number
  oldest: Date
  /** The numbers of the oldest. */
  seqs: number[]
  /** Whether one of the networks in it has more pending orders than were looked at. */
  more: boolean
}

/**
 * A number that the network verifies has the days that the owner gives it, counted to `now`. `relayedSince`: younger orders may not have reached their supplier yet. `mostPerNetwork`: how many pending orders of a network
 * are looked at, the oldest, so that the cost stays bounded.
 */
export type Looking = { now: Date; tooLongSince: Date; relayedSince: Date; mostPerNetwork: number; mostSeqs: number }

/**
 * Pending orders by what is to be done with them: of the orders by hand a group for each network, of those that a supplier has
 * or had a group for each supplier. Orders locked in a batch are with whoever made it. Unclear is an order that the supplier was asked about twice without learning what became of it.
 * One that a supplier delivered after all, which it had left, is delivered too. Not sent is one that was kept from its suppliers because of its cost.
 */
export async function selectPendingGroups(
  db: Queryable,
  { now, tooLongSince, relayedSince, mostPerNetwork, mostSeqs }: Looking,
): Promise<PendingGroup[]> {
  const { rows } = await db.query<PendingGroup>({
    name: 'inbox-pending',
    text: `with pending as (
        select o.*, count(*) over (partition by o.network) >= $2 as more
        from unnest($1::text[]) network, lateral (
          select id, seq, network, price_pesewas, created_at, ${HOLD_REASON} as hold_reason
          from orders o where o.network = network.network and o.status = 'pending' order by o.seq limit $2
        ) o
      ), sorted as (
        select o.seq, o.network, o.price_pesewas, o.created_at, o.more, coalesce(late.supplier, d.supplier) as supplier,
          case
            when l.order_id is not null then 'in-batch'
            when o.hold_reason is not null then 'on-hold'
            when late.supplier is not null and d.status in ('cancelled', 'rejected', 'failed') then 'delivered'
            when d.order_id is null and o.created_at > $5 and exists (select from order_outbox x where x.order_id = o.id) then 'at-supplier'
            when d.status = 'cancelled' and d.detail like 'not sent: %' then 'not-sent'
            when d.order_id is null or d.status = 'cancelled' then 'by-hand'
            when d.status = 'unknown' and not (${GOES_ON}) then 'unclear'
            when d.status in ('rejected', 'failed') then 'refused'
            when d.status = 'delivered' then 'delivered'
            when d.status = 'waiting' then 'waiting'
            when d.status = 'accepted' and d.verifying_since > $6::timestamptz - (select verification_days from operations_settings) * interval '1 day' then 'at-supplier'
            when coalesce(d.sent_at, d.created_at) < $3 then 'too-long'
            else 'at-supplier'
          end as kind
        from pending o left join supplier_deliveries d on d.order_id = o.id
          left join batch_orders l on l.order_id = o.id and l.status = 'locked'
          left join lateral (select supplier from delivery_events e where e.order_id = o.id and e.kind = 'delivered-after-all' limit 1) late on true
      )
      select kind, case when kind = 'by-hand' then network end as network,
        case when kind not in ('by-hand', 'on-hold', 'in-batch') then supplier end as supplier, count(*)::integer as orders,
        sum(price_pesewas) as pesewas, min(created_at) as oldest, (array_agg(seq order by seq))[:$4] as seqs, bool_or(more) as more
      from sorted group by 1, 2, 3 order by min(seq)`,
    values: [NETWORKS, mostPerNetwork, tooLongSince, mostSeqs, relayedSince, now],
  })
  return rows.map((row) => ({ ...row, seqs: row.seqs.map(Number) }))
}

/** Orders made on a day, and those of them that are decided, from the folded counts. */
export async function selectOrdersOfDay(db: Queryable, day: string): Promise<{ orders: number; decided: number }> {
  const { rows } = await db.query<{ orders: number; decided: number }>({
    name: 'inbox-day',
    text: `select coalesce(sum(orders), 0)::integer as orders, coalesce(sum(orders) filter (where status <> 'pending'), 0)::integer as decided
      from order_counts where day = $1`,
    values: [day],
  })
  return rows[0] as { orders: number; decided: number }
}

/** Orders near midnight may have their numbers in another order than their times, by fewer than this. */
const OUT_OF_ORDER = 1_000

/** Orders since `today`, by the hour in UTC; `orders` says how many there are about, so that only the newest are read. */
export async function selectOrdersByHour(db: Queryable, { today, orders }: { today: Date; orders: number }): Promise<number[]> {
  const { rows } = await db.query<{ hour: number; orders: number }>({
    name: 'inbox-hours',
    text: `select extract(hour from created_at at time zone 'UTC')::integer as hour, count(*)::integer as orders
      from (select created_at from orders order by seq desc limit $2) newest
      where created_at >= $1 and created_at < $1::timestamptz + interval '1 day' group by 1`,
    values: [today, orders + OUT_OF_ORDER],
  })
  const byHour = new Map(rows.map(({ hour, orders }) => [hour, orders]))
  return Array.from({ length: 24 }, (_, hour) => byHour.get(hour) ?? 0)
}

export type OpenDispute = { id: string; reference: string; pesewas: number; dueAt: Date | null; heardAt: Date; category: string }

/** Disputes that nobody has answered, the most urgent first. */
export async function selectOpenDisputes(db: Queryable, limit: number): Promise<OpenDispute[]> {
  const { rows } = await db.query<OpenDispute>(
    `select provider_id as id, reference, amount_pesewas as pesewas, due_at as "dueAt", heard_at as "heardAt", category
     from disputes where outcome = 'open' order by due_at nulls last, seq limit $1`,
    [limit],
  )
  return rows
}

export type OpenReport = { id: string; orderSeq: number; username: string; openedAt: Date; text: string }

/** Reports that wait for an answer, the oldest first, and how many there are. */
export async function selectOpenReports(db: Queryable, limit: number): Promise<{ reports: OpenReport[]; total: number }> {
  const { rows } = await db.query<OpenReport & { total: number }>(
    `select r.id, o.seq as "orderSeq", coalesce(u.username, 'guest ' || o.guest_phone) as username, r.opened_at as "openedAt", count(*) over ()::integer as total,
       coalesce((select m.body from report_messages m where m.report_id = r.id and not m.from_shop order by m.id desc limit 1), '') as text
     from reports r join orders o on o.id = r.order_id left join users u on u.id = o.user_id
     where r.status = 'open' order by r.seq limit $1`,
    [limit],
  )
  return { reports: rows, total: rows[0]?.total ?? 0 }
}

/** Guests' refunds that a person has to decide: the provider does not have them, or they could not be sent for a while. */
export async function selectWaitingRefunds(
  db: Queryable,
  dueSince: Date,
): Promise<{ refunds: number; pesewas: number; oldest: Date | null }> {
  const { rows } = await db.query<{ refunds: number; pesewas: number; oldest: Date | null }>(
    `select count(*)::integer as refunds, coalesce(sum(amount_pesewas), 0)::bigint as pesewas, min(created_at) as oldest
     from refunds where status in ('due', 'review') and (status = 'review' or created_at < $1)`,
    [dueSince],
  )
  return rows[0] as { refunds: number; pesewas: number; oldest: Date | null }
}

import type { Queryable } from '../../platform/db.ts'

/**
 * When the supplier took an order and when it reported the delivery; null when it did not, or no supplier has the order. For
 * deliveries older than these columns it is the last call and the last change.
 */
export type DeliveryTimes = { acceptedAt: Date | null; deliveredAt: Date | null }

export async function selectDeliveryTimes(db: Queryable, orderId: string): Promise<DeliveryTimes> {
  const { rows } = await db.query<DeliveryTimes>(
    `select coalesce(accepted_at, case when status in ('accepted', 'delivered') then sent_at end) as "acceptedAt",
       coalesce(delivered_at, case when status = 'delivered' then updated_at end) as "deliveredAt"
     from supplier_deliveries where order_id = $1`,
    [orderId],
  )
  return rows[0] ?? { acceptedAt: null, deliveredAt: null }
}

/** How long orders took from payment to delivery: one in ten at most p10, half at most p50, nine in ten at most p90. */
export type UsualTimes = { p10Seconds: number; p50Seconds: number; p90Seconds: number }

/** The newest 200 completed orders of a network since `since`, by the supplier's report or else by the shop's decision. */
export async function selectUsualTimes(db: Queryable, network: string, since: Date): Promise<UsualTimes & { orders: number }> {
  const { rows } = await db.query<UsualTimes & { orders: number }>({
    name: 'usual-delivery-times',
    text: `select count(*)::integer as orders, percentile_cont(0.1) within group (order by took) as "p10Seconds",
        percentile_cont(0.5) within group (order by took) as "p50Seconds", percentile_cont(0.9) within group (order by took) as "p90Seconds"
      from (
        select extract(epoch from coalesce(d.delivered_at, o.decided_at) - o.created_at)::float8 as took
        from (select id, created_at, decided_at from orders where network = $1 and status = 'completed' order by seq desc limit 200) o
        left join supplier_deliveries d on d.order_id = o.id
        where o.created_at >= $2
      ) recent`,
    values: [network, since],
  })
  return rows[0] as UsualTimes & { orders: number }
}

import type { ReceiverCorrection } from '../../../../shared/orders.ts'
import type { Queryable } from '../../../platform/db.ts'

/**
 * When the supplier took an order and when it reported the delivery; null when it did not, or no supplier has the order. For
 * deliveries older than these columns it is the last call and the last change. `resentAt`: when it was sent once more because
 * of a report; the others are then about that.
 */
export type DeliveryTimes = {
  acceptedAt: Date | null
  deliveredAt: Date | null
  resentAt: Date | null
  /** The newest correction of the receiver. `at` is a JSON timestamp. */
  correction: ReceiverCorrection | null
}

const CORRECTION = `(select jsonb_build_object('from', c.from_receiver, 'to', c.to_receiver, 'agreedBy', c.agreed_by, 'consent', c.consent,
         'at', c.corrected_at) from receiver_corrections c where c.order_id = o.id order by c.id desc limit 1)`

export async function selectDeliveryTimes(db: Queryable, orderId: string): Promise<DeliveryTimes> {
  const { rows } = await db.query<DeliveryTimes>(
    `select coalesce(d.accepted_at, case when d.status in ('accepted', 'delivered') then d.sent_at end) as "acceptedAt",
       coalesce(d.delivered_at, case when d.status = 'delivered' then d.updated_at end) as "deliveredAt", r.ended_at as "resentAt",
       ${CORRECTION} as correction
     from orders o left join supplier_deliveries d on d.order_id = o.id
       left join reports r on r.order_id = o.id and r.status = 'resent'
     where o.id = $1`,
    [orderId],
  )
  return rows[0] ?? { acceptedAt: null, deliveredAt: null, resentAt: null, correction: null }
}

/** How long orders took from payment to delivery: one in ten at most p10, half at most p50, and so on. */
export type UsualTimes = { p10Seconds: number; p50Seconds: number; p90Seconds: number; p98Seconds: number }

/** The newest 200 completed orders of a network since `since`, by the supplier's report or else by the shop's decision. */
export async function selectUsualTimes(db: Queryable, network: string, since: Date): Promise<UsualTimes & { orders: number }> {
  const { rows } = await db.query<UsualTimes & { orders: number }>({
    name: 'usual-delivery-times',
    text: `select count(*)::integer as orders, percentile_cont(0.1) within group (order by took) as "p10Seconds",
        percentile_cont(0.5) within group (order by took) as "p50Seconds", percentile_cont(0.9) within group (order by took) as "p90Seconds",
        percentile_cont(0.98) within group (order by took) as "p98Seconds"
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

/** For how many days a number may be with its network for verification before an order counts as late. */
export async function selectVerificationDays(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ days: number }>('select verification_days as days from operations_settings')
  return rows[0]?.days ?? 0
}

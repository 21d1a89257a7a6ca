import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { Queryable } from '../../../platform/db.ts'
import { HOLD_REASON } from './payment-losses.sql.ts'

/** True of an order `o` that a person has to send: no supplier has, may have or will get it or has delivered it after all, and no batch or dispute holds it. */
export const IS_BY_HAND = `o.status = 'pending'
  and not exists (select from supplier_deliveries d where d.order_id = o.id
    and d.status in ('waiting', 'sending', 'accepted', 'unknown', 'delivered'))
  and not exists (select from delivery_events e where e.order_id = o.id and e.kind = 'delivered-after-all')
  and not exists (select from batch_orders l where l.order_id = o.id and l.status = 'locked')
  and not exists (select from order_outbox x where x.order_id = o.id)
  and ${HOLD_REASON} is null`

/** The `_id`s of the oldest orders of a network that a person has to send. */
export async function selectByHand(db: Queryable, network: Network, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select o.id from orders o where o.network = $1 and ${IS_BY_HAND} order by o.seq limit $2`,
    [network, limit],
  )
  return rows.map(({ id }) => id)
}

export type ByHand = { network: Network; orders: number; amountPesewas: number; oldestAt: Date | null }

/** Of each network the oldest orders that a person has to send, at most `limit` of each. */
export async function selectOldestByHand(db: Queryable, limit: number): Promise<ByHand[]> {
  const { rows } = await db.query<ByHand>(
    `select n.network, found.* from unnest($1::text[]) n (network) cross join lateral (
       select count(*)::integer as orders, coalesce(sum(price_pesewas), 0)::bigint as "amountPesewas", min(created_at) as "oldestAt"
       from (select o.price_pesewas, o.created_at from orders o where o.network = n.network and ${IS_BY_HAND} order by o.seq limit $2) oldest
     ) found where found.orders > 0`,
    [NETWORKS, limit],
  )
  return rows
}

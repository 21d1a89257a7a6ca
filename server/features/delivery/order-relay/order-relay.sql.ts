import type { Network } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type NewOrder = {
  id: string
  network: Network
  offer: string
  reference: string
  status: OrderStatus
  userId: string | null
  /** The list that it was bought with. */
  bulkJobId: string | null
  /** The first of its list, or in none: the operator is told of it. */
  isAlone: boolean
}

/** Takes orders out of the outbox, skipping those locked by another relay. */
export async function takeNewOrders(tx: Tx, limit: number): Promise<NewOrder[]> {
  const { rows } = await tx.query<NewOrder>(
    `with taken as (
       delete from order_outbox where ctid = any (array(select ctid from order_outbox limit $1 for update skip locked)) returning order_id
     )
     select o.id, o.network, o.offer, o.reference, o.status, o.user_id as "userId", l.job_id as "bulkJobId", coalesce(j.first_seq = o.seq, true) as "isAlone"
     from taken join orders o on o.id = taken.order_id left join bulk_lines l on l.order_id = o.id left join bulk_jobs j on j.id = l.job_id
     order by o.seq`,
    [limit],
  )
  return rows
}

export async function countNewOrders(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>('select count(*) as total from order_outbox')
  return rows[0]?.total ?? 0
}

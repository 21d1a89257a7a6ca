import type { Network } from '../../../../shared/networks.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type ContactRow = { id: string; network: Network; phone: string; name: string }

export type ReceiverRow = {
  network: Network
  phone: string
  contactId: string | null
  name: string | null
  productId: string | null
  offer: string | null
  lastBoughtAt: Date | null
}

/**
 * A user's named numbers, and the receivers of their newest `orders` orders, at most `most` without a name. Rejected orders
 * don't count: what could not be delivered is often a wrong number.
 */
export async function selectReceivers(
  db: Queryable,
  userId: string,
  { orders, most }: { orders: number; most: number },
): Promise<ReceiverRow[]> {
  const { rows } = await db.query<ReceiverRow>(
    `with newest as materialized (
       select network, receiver, product_id, offer, created_at, status, seq from orders where user_id = $1 order by seq desc limit $2
     ), recent as (
       select distinct on (network, receiver) network, receiver, product_id, offer, created_at, seq
       from newest where status <> 'rejected' order by network, receiver, seq desc
     ), shown as (
       select coalesce(c.network, r.network) as network, coalesce(c.phone, r.receiver) as phone, c.id, c.name, r.product_id, r.offer,
         r.created_at, r.seq, row_number() over (partition by c.id is null order by r.seq desc) as place
       from recent r full join (select * from contacts where user_id = $1) c on c.network = r.network and c.phone = r.receiver
     )
     select network, phone, id as "contactId", name, product_id as "productId", offer, created_at as "lastBoughtAt"
     from shown where id is not null or place <= $3 order by seq desc nulls last, name, network, phone`,
    [userId, orders, most],
  )
  return rows
}

/** Adds or renames a contact. */
export async function upsertContact(
  tx: Tx,
  { userId, network, phone, name, now }: Omit<ContactRow, 'id'> & { userId: string; now: Date },
): Promise<ContactRow> {
  const { rows } = await tx.query<ContactRow>(
    `insert into contacts (user_id, network, phone, name, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
     on conflict (user_id, network, phone) do update set name = excluded.name, updated_at = excluded.updated_at
     returning id, network, phone, name`,
    [userId, network, phone, name, now],
  )
  return rows[0] as ContactRow
}

/** True if the user had that contact. */
export async function removeContact(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from contacts where id = $1 and user_id = $2', [id, userId])
  return rowCount === 1
}

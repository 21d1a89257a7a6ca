import type { Queryable } from '../../platform/db.ts'

export type ApiOrderRow = {
  seq: number
  network: string
  offer: string
  receiver: string
  pricePesewas: number
  status: string
  createdAt: Date
}

/** A user's orders before the given number, the newest first. */
export async function selectOrdersBefore(
  db: Queryable,
  { userId, before, limit }: { userId: string; before: number | null; limit: number },
): Promise<ApiOrderRow[]> {
  const { rows } = await db.query<ApiOrderRow>(
    `select seq, network, offer, receiver, price_pesewas as "pricePesewas", status, created_at as "createdAt" from orders
     where user_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3`,
    [userId, before, limit],
  )
  return rows
}

export async function selectOwnOrder(db: Queryable, userId: string, seq: number): Promise<ApiOrderRow | null> {
  const { rows } = await db.query<ApiOrderRow>(
    `select seq, network, offer, receiver, price_pesewas as "pricePesewas", status, created_at as "createdAt" from orders
     where user_id = $1 and seq = $2`,
    [userId, seq],
  )
  return rows[0] ?? null
}

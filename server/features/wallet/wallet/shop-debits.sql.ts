import type { Queryable } from '../../../platform/db.ts'

export type ShopDebitRow = { id: string; amountPesewas: number; note: string; createdAt: Date }

const MOST_LISTED = 20

/** Debits by admins that the user has not dismissed, newest first. */
export async function selectShopDebits(db: Queryable, userId: string): Promise<ShopDebitRow[]> {
  const { rows } = await db.query<ShopDebitRow>({
    name: 'select-shop-debits',
    text: `select id::text as id, ((before->>'balancePesewas')::bigint - (after->>'balancePesewas')::bigint)::float8 as "amountPesewas",
        note, created_at as "createdAt"
      from admin_actions
      where subject_type = 'user' and subject_id = $1::text and action = 'wallet.debit'
        and id > coalesce((select up_to from dismissed_debits where user_id = $1::uuid), 0)
      order by id desc limit ${MOST_LISTED}`,
    values: [userId],
  })
  return rows
}

/** False when the debit is not this user's. */
export async function dismissShopDebits(db: Queryable, userId: string, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into dismissed_debits (user_id, up_to, dismissed_at)
      select $1::uuid, id, $3 from admin_actions
      where id = $2::bigint and subject_type = 'user' and subject_id = $1::text and action = 'wallet.debit'
      on conflict (user_id) do update set up_to = greatest(dismissed_debits.up_to, excluded.up_to), dismissed_at = excluded.dismissed_at`,
    [userId, id, now],
  )
  return rowCount === 1
}

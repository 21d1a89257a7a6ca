import type { Queryable, Tx } from '../../../platform/db.ts'

/** A number that was confirmed for a shop's earnings; from `freeAt` on money goes there without a person. */
export type PayoutNumber = { phone: string; freeAt: Date }
type Place = { shopId: string; phone: string }

const MOST_NUMBERS = 20
const STAYS = 'not exists (select from payout_number_removals r where r.shop_id = n.shop_id and r.phone = n.phone)'

/** The newest first. */
export async function selectPayoutNumbers(db: Queryable, shopId: string): Promise<PayoutNumber[]> {
  const { rows } = await db.query<PayoutNumber>({
    name: 'payout-numbers',
    text: `select phone, free_at as "freeAt" from payout_numbers n where shop_id = $1 and ${STAYS} order by confirmed_at desc, phone limit ${MOST_NUMBERS}`,
    values: [shopId],
  })
  return rows
}

export async function selectPayoutNumber(db: Queryable, { shopId, phone }: Place): Promise<PayoutNumber | null> {
  const { rows } = await db.query<PayoutNumber>(
    `select phone, free_at as "freeAt" from payout_numbers n where shop_id = $1 and phone = $2 and ${STAYS}`,
    [shopId, phone],
  )
  return rows[0] ?? null
}

export async function insertPayoutNumber(
  tx: Tx,
  { shopId, phone, codeId, userId, now, freeAt }: Place & { codeId: string; userId: string; now: Date; freeAt: Date },
): Promise<void> {
  await tx.query(
    'insert into payout_numbers (shop_id, phone, code_id, confirmed_by, confirmed_at, free_at) values ($1, $2, $3, $4, $5, $6)',
    [shopId, phone, codeId, userId, now, freeAt],
  )
}

export async function insertRemoval(tx: Tx, { shopId, phone, userId, now }: Place & { userId: string; now: Date }) {
  await tx.query('insert into payout_number_removals (shop_id, phone, removed_by, removed_at) values ($1, $2, $3, $4)', [
    shopId,
    phone,
    userId,
    now,
  ])
}

/** Whether the shop has ever removed the number, which no code confirms any more. */
export async function selectIsRemoved(tx: Tx, { shopId, phone }: Place): Promise<boolean> {
  const { rows } = await tx.query('select from payout_number_removals where shop_id = $1 and phone = $2 limit 1', [shopId, phone])
  return rows.length > 0
}

/** When a user's phone, e-mail address or password was changed last; null if never. Call it with the user locked. */
export async function selectLoginChange(tx: Tx, userId: string): Promise<Date | null> {
  const { rows } = await tx.query<{ at: Date | null }>('select login_changed_at as at from users where id = $1', [userId])
  return rows[0]?.at ?? null
}

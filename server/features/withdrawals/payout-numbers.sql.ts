import type { Queryable, Tx } from '../../platform/db.ts'

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

export type CodesSent = { toNumber: number; byShop: number; lastAt: Date | null }

/**
 * Codes asked for since a time: for a number by all shops, and by one shop; and when that shop asked last for that number. Until the
 * transaction ends nobody else counts those of the number.
 */
export async function countCodesSent(tx: Tx, { shopId, phone }: Place, since: Date): Promise<CodesSent> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payout code to ${phone}`])
  const { rows } = await tx.query<CodesSent>(
    `select (select count(*)::int from payout_codes where phone = $2 and asked_at > $3) as "toNumber",
       (select count(*)::int from payout_codes where shop_id = $1 and asked_at > $3) as "byShop",
       (select max(asked_at) from payout_codes where shop_id = $1 and phone = $2 and asked_at > $3) as "lastAt"`,
    [shopId, phone, since],
  )
  return rows[0] as CodesSent
}

export async function insertPayoutCode(tx: Tx, { shopId, phone, userId, now }: Place & { userId: string; now: Date }): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'insert into payout_codes (shop_id, phone, asked_by, asked_at) values ($1, $2, $3, $4) returning id',
    [shopId, phone, userId, now],
  )
  return (rows[0] as { id: string }).id
}

/** Keeps the hash of a code that is about to be sent. False when it was asked for too long ago, or was used. */
export async function updateCodeHash(
  tx: Tx,
  { id, hash, endsAt, askedSince }: { id: string; hash: Buffer; endsAt: Date; askedSince: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update payout_codes set hash = $2, ends_at = $3 where id = $1 and used_at is null and asked_at >= $4',
    [id, hash, endsAt, askedSince],
  )
  return rowCount === 1
}

export type LiveCode = { id: string; hash: Buffer; wrong: number }

/** Codes of a shop for a number that still work, the newest first, locked. */
export async function lockLiveCodes(
  tx: Tx,
  { shopId, phone }: Place,
  { now, mostWrong }: { now: Date; mostWrong: number },
): Promise<LiveCode[]> {
  const { rows } = await tx.query<LiveCode>(
    `select id, hash, wrong from payout_codes
     where shop_id = $1 and phone = $2 and ends_at > $3 and used_at is null and wrong < $4 order by asked_at desc, id for update`,
    [shopId, phone, now, mostWrong],
  )
  return rows
}

/** How often a code of a shop was missed since a time: a wrong try misses each code that works. */
export async function countWrongCodes(tx: Tx, shopId: string, since: Date): Promise<number> {
  const { rows } = await tx.query<{ wrong: number }>(
    'select coalesce(sum(wrong), 0)::int as wrong from payout_codes where shop_id = $1 and asked_at > $2',
    [shopId, since],
  )
  return rows[0]?.wrong ?? 0
}

export async function markWrong(tx: Tx, ids: string[]) {
  await tx.query('update payout_codes set wrong = wrong + 1 where id = any ($1::uuid[])', [ids])
}

export async function markUsed(tx: Tx, id: string, now: Date) {
  await tx.query('update payout_codes set used_at = $2 where id = $1', [id, now])
}

/** When a user's phone, e-mail address or password was changed last; null if never. Call it with the user locked. */
export async function selectLoginChange(tx: Tx, userId: string): Promise<Date | null> {
  const { rows } = await tx.query<{ at: Date | null }>('select login_changed_at as at from users where id = $1', [userId])
  return rows[0]?.at ?? null
}

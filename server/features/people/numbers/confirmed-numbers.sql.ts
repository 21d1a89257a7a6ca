import type { Queryable, Tx } from '../../../platform/db.ts'

export type ConfirmedNumber = { phone: string; confirmedAt: Date }

/** The numbers that an account has confirmed, the newest first. */
export async function selectConfirmedNumbers(db: Queryable, userId: string): Promise<ConfirmedNumber[]> {
  const { rows } = await db.query<ConfirmedNumber>(
    'select phone, confirmed_at as "confirmedAt" from confirmed_numbers where user_id = $1 order by confirmed_at desc, phone',
    [userId],
  )
  return rows
}

/** The account that has confirmed a number by a code sent to it; a number has at most one. */
export type NumberOwner = { phone: string; userId: string; username: string }

/** The accounts that have confirmed these numbers, at most one for each. */
export async function selectOwnersOf(db: Queryable, phones: readonly string[]): Promise<NumberOwner[]> {
  const { rows } = await db.query<NumberOwner>(
    `select n.phone, n.user_id as "userId", u.username from confirmed_numbers n join users u on u.id = n.user_id where n.phone = any ($1)`,
    [phones],
  )
  return rows
}

/** The same, and no confirmation of these numbers is dropped, made or taken over until the transaction ends. */
export async function lockOwnersOf(tx: Tx, phones: readonly string[]): Promise<NumberOwner[]> {
  await lockNumbers(tx, phones)
  const { rows } = await tx.query<NumberOwner>(
    `select n.phone, n.user_id as "userId", u.username from confirmed_numbers n join users u on u.id = n.user_id where n.phone = any ($1)
     for share of n`,
    [phones],
  )
  return rows
}

/** Whether an account has confirmed a number. */
export async function selectIsConfirmed(db: Queryable, { userId, phone }: { userId: string; phone: string }): Promise<boolean> {
  const { rowCount } = await db.query('select from confirmed_numbers where user_id = $1 and phone = $2', [userId, phone])
  return rowCount === 1
}

/** Whether a mail to the account's present address was answered. */
export async function selectIsEmailConfirmed(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from users where id = $1 and email_confirmed_at is not null', [userId])
  return rowCount === 1
}

/** Replaces the account that has confirmed a number; returns the former one, with its mail address. */
export async function replaceOwner(
  tx: Tx,
  { phone, userId, codeId, now }: { phone: string; userId: string; codeId: string; now: Date },
): Promise<{ userId: string; email: string } | null> {
  await lockNumbers(tx, [phone])
  const { rows } = await tx.query<{ userId: string; email: string }>(
    `delete from confirmed_numbers n using users u where n.phone = $1 and u.id = n.user_id returning u.id as "userId", u.email`,
    [phone],
  )
  await tx.query('insert into confirmed_numbers (phone, user_id, code_id, confirmed_at) values ($1, $2, $3, $4)', [
    phone,
    userId,
    codeId,
    now,
  ])
  return rows[0] ?? null
}

/** Also where a number has no row yet. */
async function lockNumbers(tx: Tx, phones: readonly string[]) {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('number ' || phone, 0)) from unnest($1::text[]) phone`, [
    [...phones].toSorted(),
  ])
}

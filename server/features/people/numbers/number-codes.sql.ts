import type { Queryable, Tx } from '../../../platform/db.ts'
import { IS_BUYER } from '../users/known-users.sql.ts'

/**
 * Whose codes: of the account's own number where `shopId` is null, else of a number for that shop's earnings. `payout_codes` has both kinds, from
 * the time when only earnings had codes. Who has no account yet has a code's id instead, which only they know.
 */
export type CodePlace = { userId: string; shopId: string | null; phone: string }
export type NewcomersPlace = { userId: null; shopId: null; phone: string; codeId: string }

const OF_PLACE = 'asked_by = $1 and shop_id is not distinct from $2 and phone = $3'

/** Whether a code goes to the number that its account gives as its own, and whether that account is more than anybody can make by the dozen. */
export type CodeFor = { isOwn: boolean; isBuyer: boolean }

export async function selectCodeFor(db: Queryable, { userId, phone }: Pick<CodePlace, 'userId' | 'phone'>): Promise<CodeFor> {
  const { rows } = await db.query<CodeFor>(`select u.phone = $2 as "isOwn", ${IS_BUYER} as "isBuyer" from users u where u.id = $1`, [
    userId,
    phone,
  ])
  return rows[0] ?? { isOwn: false, isBuyer: false }
}

/** The same of a code that was asked for. At registration the number becomes the account's own. */
export async function selectCodeForOf(db: Queryable, codeId: string): Promise<CodeFor> {
  const { rows } = await db.query<CodeFor>(
    `select u.id is null or u.phone = c.phone as "isOwn", u.id is not null and ${IS_BUYER} as "isBuyer"
     from payout_codes c left join users u on u.id = c.asked_by where c.id = $1`,
    [codeId],
  )
  return rows[0] ?? { isOwn: false, isBuyer: false }
}

export type CodesSent = { toNumber: number; byAccount: number; toOthers: number; lastAt: Date | null }

/**
 * Codes asked for since a time: for the number by all accounts, and by the account for any number, and for numbers other than its own; and when the
 * account asked last for this place. Until the transaction ends nobody else counts those of the number or of the account.
 */
export async function countCodesSent(tx: Tx, { userId, shopId, phone }: CodePlace, since: Date): Promise<CodesSent> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) name`, [
    [`payout code of ${userId}`, `payout code to ${phone}`],
  ])
  const { rows } = await tx.query<CodesSent>(
    `select (select count(*)::int from payout_codes where phone = $3 and asked_at > $4) as "toNumber",
       (select count(*)::int from payout_codes where asked_by = $1 and asked_at > $4) as "byAccount",
       (select count(*)::int from payout_codes c join users u on u.id = c.asked_by
         where c.asked_by = $1 and c.asked_at > $4 and c.phone <> u.phone) as "toOthers",
       (select max(asked_at) from payout_codes where ${OF_PLACE} and asked_at > $4) as "lastAt"`,
    [userId, shopId, phone, since],
  )
  return rows[0] as CodesSent
}

export type NewcomersCodes = { toNumber: number; inAll: number; mostInAll: number; lastAt: Date | null }

/** Codes for people without an account since a time, and how many those may be. Until the transaction ends nobody else counts them. */
export async function countNewcomersCodes(tx: Tx, phone: string, since: Date): Promise<NewcomersCodes> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('codes of newcomers', 0))`)
  const { rows } = await tx.query<NewcomersCodes>(
    `select count(*) filter (where phone = $1)::int as "toNumber", count(*)::int as "inAll", max(asked_at) filter (where phone = $1) as "lastAt",
       (select sms_daily_cap / 8 from operations_settings) as "mostInAll"
     from payout_codes where asked_by is null and asked_at > $2`,
    [phone, since],
  )
  return rows[0] as NewcomersCodes
}

/**
 * Codes that accounts which have bought nothing asked for since a time, to their own numbers or to others, and the most of such: an eighth of
 * the day's messages. Until the transaction ends nobody else counts.
 */
export async function countFreeCodes(tx: Tx, isOwn: boolean, since: Date): Promise<Pick<NewcomersCodes, 'inAll' | 'mostInAll'>> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('codes of free accounts', 0))`)
  const { rows } = await tx.query<Pick<NewcomersCodes, 'inAll' | 'mostInAll'>>(
    `select count(*)::int as "inAll", (select ceil(sms_daily_cap / 8.0)::int from operations_settings) as "mostInAll"
     from payout_codes c join users u on u.id = c.asked_by where c.asked_at > $1 and (c.phone = u.phone) = $2 and not ${IS_BUYER}`,
    [since, isOwn],
  )
  return rows[0] as NewcomersCodes
}

export async function insertCode(
  tx: Tx,
  { userId, shopId, phone }: Omit<NewcomersPlace, 'codeId'> | CodePlace,
  now: Date,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'insert into payout_codes (asked_by, shop_id, phone, asked_at) values ($1, $2, $3, $4) returning id',
    [userId, shopId, phone, now],
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

/** Codes of a place that still work, the newest first, locked. */
export async function lockLiveCodes(
  tx: Tx,
  place: CodePlace | NewcomersPlace,
  { now, mostWrong }: { now: Date; mostWrong: number },
): Promise<LiveCode[]> {
  const { userId, shopId, phone } = place
  if (userId === null) {
    const { rows } = await tx.query<LiveCode>(
      `select id, hash, wrong from payout_codes
       where id = $1 and asked_by is null and phone = $2 and ends_at > $3 and used_at is null and wrong < $4 for update`,
      [place.codeId, phone, now, mostWrong],
    )
    return rows
  }
  const { rows } = await tx.query<LiveCode>(
    `select id, hash, wrong from payout_codes
     where ${OF_PLACE} and ends_at > $4 and used_at is null and wrong < $5 order by asked_at desc, id for update`,
    [userId, shopId, phone, now, mostWrong],
  )
  return rows
}

/** How often an account missed a code since a time: a wrong try misses each code that works. */
export async function countWrongCodes(tx: Tx, userId: string | null, since: Date): Promise<number> {
  const { rows } = await tx.query<{ wrong: number }>(
    'select coalesce(sum(wrong), 0)::int as wrong from payout_codes where asked_by = $1 and asked_at > $2',
    [userId, since],
  )
  return rows[0]?.wrong ?? 0
}

export async function markWrong(tx: Tx, ids: string[]) {
  await tx.query('update payout_codes set wrong = wrong + 1 where id = any ($1::uuid[])', [ids])
}

export async function markUsed(tx: Tx, id: string, now: Date) {
  await tx.query('update payout_codes set used_at = $2 where id = $1', [id, now])
}

/** The code of somebody without an account becomes that of the account which it has opened. */
export async function updateCodeOwner(tx: Tx, id: string, userId: string) {
  await tx.query('update payout_codes set asked_by = $2 where id = $1 and asked_by is null', [id, userId])
}

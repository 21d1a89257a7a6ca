import type { Queryable, Tx } from './db.ts'

/** Tables that count something with a daily cap. */
export type Counted = 'sms_days' | 'mail_days' | 'whatsapp_days'
export type DayUse = { used: number; warnNow: boolean; fullNow: boolean }

/**
 * Of a day's messages or mails, the most that those may use which anybody can cause: the other half is kept for codes to confirmed numbers, and for
 * links to choose a new password.
 */
export function lesserCap(cap: number): number {
  return Math.ceil(cap / 2)
}

/** Of these, the most that notices may use; the rest is kept for codes that somebody waits for. */
export function noticeCap(cap: number): number {
  return Math.ceil((cap * 3) / 8)
}

/** Of these again, the most that codes may use which free accounts ask for to numbers of others: whoever uses them up keeps nobody else from a code. */
export function freeCap(cap: number): number {
  return Math.ceil(cap / 4)
}

/**
 * Counts `wanted` more for the day, as far as `cap` allows: `allowed` of them. Warns once at 80 % and once at 100 %; the rest count as dropped. With
 * `most`, those that may use no more than a part of the day; what to do with the rest is the caller's.
 */
export async function countDay(
  tx: Tx,
  what: Counted,
  day: string,
  cap: number,
  { wanted = 1, most = cap }: { wanted?: number; most?: number } = {},
): Promise<DayUse & { allowed: number }> {
  const before = (await lockDay(tx, what, day)) ?? (await beginDay(tx, what, day))
  const allowed = Math.max(0, Math.min(wanted, most - before.used))
  const used = before.used + allowed
  const warnNow = !before.warned && used * 5 >= cap * 4
  const fullNow = !before.fullWarned && most === cap && allowed < wanted
  if (wanted > 0) {
    await tx.query(
      `update ${what} set used = $2, warned = warned or $3, full_warned = full_warned or $4, dropped = dropped + $5 where day = $1`,
      [day, used, warnNow, fullNow, most < cap ? 0 : wanted - allowed],
    )
  }
  return { allowed, used, warnNow, fullNow }
}

type Day = { used: number; warned: boolean; fullWarned: boolean }

async function lockDay(tx: Tx, what: Counted, day: string): Promise<Day | undefined> {
  const { rows } = await tx.query<Day>(`select used, warned, full_warned as "fullWarned" from ${what} where day = $1 for update`, [day])
  return rows[0]
}

async function beginDay(tx: Tx, what: Counted, day: string): Promise<Day> {
  await tx.query(`insert into ${what} (day) values ($1) on conflict do nothing`, [day])
  return (await lockDay(tx, what, day)) as Day
}

/** Counts one that was not sent for another reason than the day's cap. */
export async function countDropped(tx: Tx, what: Counted, day: string) {
  if (!(await lockDay(tx, what, day))) await beginDay(tx, what, day)
  await tx.query(`update ${what} set dropped = dropped + 1 where day = $1`, [day])
}

export async function giveBackDay(db: Queryable, what: Counted, day: string) {
  await db.query(`update ${what} set used = used - 1 where day = $1 and used > 0`, [day])
}

export async function selectUsedToday(db: Queryable, what: Counted, day: string): Promise<number> {
  const { rows } = await db.query<{ used: number }>(`select used from ${what} where day = $1`, [day])
  return rows[0]?.used ?? 0
}

/** Of a day, how many messages and mails were not sent, since the day's were used up. */
export async function selectDropped(db: Queryable, day: string): Promise<{ what: 'sms' | 'mail'; dropped: number }[]> {
  const { rows } = await db.query<{ what: 'sms' | 'mail'; dropped: number }>(
    `select 'sms' as what, dropped from sms_days where day = $1 and dropped > 0
     union all select 'mail', dropped from mail_days where day = $1 and dropped > 0 order by what`,
    [day],
  )
  return rows
}

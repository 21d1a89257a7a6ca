import { isoDay } from '../../../../shared/dates.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { countDay, countDropped, freeCap, giveBackDay, lesserCap, selectUsedToday } from '../../../platform/day-caps.sql.ts'
import { transaction } from '../../../platform/db.ts'
import { TooManyAttempts } from '../../../platform/errors.ts'
import { countShareRefused } from '../../../platform/metrics.ts'
import { databaseBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'
import { bucketOf } from '../../../platform/shares.ts'
import { selectIsKnown } from '../users/known-users.sql.ts'

const DAY_MS = 86_400_000

/** Counts a mail about to be sent. False when the daily cap is reached; then it counts as dropped. */
export async function countMail(ctx: Ctx, { dailyCap }: { dailyCap: number }, most = dailyCap): Promise<boolean> {
  const day = await transaction(ctx.db, (tx) => countDay(tx, 'mail_days', isoDay(ctx.now), dailyCap, { most }))
  if (day.warnNow || day.fullNow) raiseAlarm(ctx.log, 'mail-daily-cap', { used: day.used, cap: dailyCap })
  return day.allowed > 0
}

/**
 * The same for mails that nobody waits for, or that any new account may ask for. Once half the day's are used they end: the rest is kept for password
 * mails of accounts that have bought or confirmed something. Accounts are free, so those of which neither is so have a quarter of a day's together.
 */
export async function countLesserMail(ctx: Ctx, { dailyCap }: { dailyCap: number }, isKnown: boolean): Promise<boolean> {
  if (isKnown) return countMail(ctx, { dailyCap }, lesserCap(dailyCap))
  const size = freeCap(dailyCap)
  const limiter = openRateLimiter(databaseBuckets(ctx.db), () => ctx.now)
  const ofNewcomers = { name: 'mails of accounts that nobody knows', size, everyMs: Math.floor(DAY_MS / size) }
  try {
    await limiter.take([ofNewcomers])
  } catch (error) {
    if (error instanceof TooManyAttempts) return false
    throw error
  }
  const isCounted = await countMail(ctx, { dailyCap }, lesserCap(dailyCap))
  if (!isCounted) await limiter.giveBack(ofNewcomers)
  return isCounted
}

/** The same for a mail that tells a user of something. */
export async function countNotice(ctx: Ctx, mail: { dailyCap: number }, userId: string): Promise<boolean> {
  return countLesserMail(ctx, mail, await selectIsKnown(ctx.db, userId))
}

export async function areLesserMailsUsedUp(ctx: Ctx, { dailyCap }: { dailyCap: number }): Promise<boolean> {
  return (await selectUsedToday(ctx.db, 'mail_days', isoDay(ctx.now))) >= lesserCap(dailyCap)
}

/** Undoes the count of a mail that was not accepted; its retry counts again. */
export async function giveBackMail(ctx: Ctx) {
  await giveBackDay(ctx.db, 'mail_days', isoDay(ctx.now))
}

/**
 * Takes a mail of a kind from the share of its receiver. False when the address has had its mails of that kind: then the mail is dropped, which
 * the owner sees in the inbox.
 */
export async function takeMailTo(ctx: Ctx, kind: string, to: string): Promise<boolean> {
  const name = 'mails to an address'
  try {
    await openRateLimiter(databaseBuckets(ctx.db), () => ctx.now).take([bucketOf(name, `${kind}: ${to.toLowerCase()}`)])
    return true
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error
    countShareRefused(name)
    ctx.log.error({ kind }, 'a mail was dropped: its address has had its share of the day')
    await transaction(ctx.db, (tx) => countDropped(tx, 'mail_days', isoDay(ctx.now)))
    return false
  }
}

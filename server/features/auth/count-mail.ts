import { isoDay } from '../../../shared/dates.ts'
import { raiseAlarm } from '../../platform/alarms.ts'
import type { Ctx } from '../../platform/context.ts'
import { countDay, giveBackDay, lesserCap, selectUsedToday } from '../../platform/day-caps.sql.ts'
import { transaction } from '../../platform/db.ts'

/** Counts a mail about to be sent. False, with nothing counted, when the daily cap is reached. */
export async function countMail(ctx: Ctx, { dailyCap }: { dailyCap: number }): Promise<boolean> {
  const day = await transaction(ctx.db, (tx) => countDay(tx, 'mail_days', isoDay(ctx.now), dailyCap))
  if (day.warnNow || day.fullNow) raiseAlarm(ctx.log, 'mail-daily-cap', { used: day.used, cap: dailyCap })
  return day.allowed > 0
}

/**
 * The same for mails that nobody waits for, of which half the day's are the most: the rest is kept for password mails.
 */
export async function countLesserMail(ctx: Ctx, mail: { dailyCap: number }): Promise<boolean> {
  return !(await areLesserMailsUsedUp(ctx, mail)) && countMail(ctx, mail)
}

export async function areLesserMailsUsedUp(ctx: Ctx, { dailyCap }: { dailyCap: number }): Promise<boolean> {
  return (await selectUsedToday(ctx.db, 'mail_days', isoDay(ctx.now))) >= lesserCap(dailyCap)
}

/** Undoes the count of a mail that was not accepted; its retry counts again. */
export async function giveBackMail(ctx: Ctx) {
  await giveBackDay(ctx.db, 'mail_days', isoDay(ctx.now))
}

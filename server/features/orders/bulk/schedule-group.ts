import type { ScheduleRequest } from '../../../../shared/bulk.ts'
import { toPesewas } from '../../../../shared/money.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid, NotFound } from '../../../platform/errors.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { selectPin } from '../../people/transaction-pin/transaction-pin.sql.ts'
import { findNextRun } from './find-next-run.ts'
import { selectGroup } from './groups.sql.ts'
import { lockAgent } from './place-bulk.ts'
import { insertSchedule, lockSchedule, type SavedSchedule, type ScheduleRow, updateSchedule } from './schedules.sql.ts'

/**
 * Makes a schedule, or changes the one with this id.
 * @throws Forbidden for a customer; PinRequired; NotFound for a group or schedule of somebody else; Invalid for a time that is over; AppError (CONFLICT)
 * when the caller has as many as one can.
 */
export function scheduleGroup(ctx: Ctx, id: string | null, wanted: ScheduleRequest, pinProof?: string): Promise<ScheduleRow> {
  return transaction(ctx.db, async (tx) => {
    const userId = await lockAgent(tx, ctx)
    // It spends from the wallet later, when nobody can be asked.
    await takePinProof(tx, userId, pinProof, ctx.now)
    if (id !== null && !(await lockSchedule(tx, userId, id))) throw new NotFound('schedule')
    if (!(await selectGroup(tx, userId, wanted.groupId))) throw new NotFound('group')
    const pinProven = (await selectPin(tx, userId))?.atCheckout === true
    const times = toRunTimes(wanted, ctx.now)
    const saved = { ...times, userId, groupId: wanted.groupId, mostPesewas: toPesewas(wanted.most), pinProven, now: ctx.now }
    if (id !== null) await updateSchedule(tx, id, saved)
    const made = id ?? (await insertSchedule(tx, saved))
    return (await lockSchedule(tx, userId, made)) as ScheduleRow
  })
}

/** Only the day that goes with `repeats` is kept. */
function toRunTimes(
  { repeats, day, weekday, monthDay, time }: ScheduleRequest,
  now: Date,
): Omit<SavedSchedule, 'userId' | 'groupId' | 'mostPesewas' | 'pinProven' | 'now'> {
  const times = {
    repeats,
    time,
    day: repeats === 'once' ? day : null,
    weekday: repeats === 'weekly' ? weekday : null,
    monthDay: repeats === 'monthly' ? monthDay : null,
  }
  const chosen = times.day ?? times.weekday ?? times.monthDay
  if (chosen === null || (times.day !== null && !isDate(times.day))) throw new Invalid([{ path: 'day', message: 'Choose the day.' }])
  const nextAt = findNextRun(times, now)
  if (!nextAt) throw new Invalid([{ path: 'day', message: 'That time is over. Choose a later one.' }])
  return { ...times, nextAt }
}

/** False for the 31st of a shorter month. */
function isDate(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

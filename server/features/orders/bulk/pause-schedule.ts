import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { selectPin } from '../../people/transaction-pin/transaction-pin.sql.ts'
import { findNextRun } from './find-next-run.ts'
import { answerQuestion, lockSchedule, removeSchedule, type ScheduleRow, updatePaused, updateResumed } from './schedules.sql.ts'

/** @throws NotFound, also for someone else's schedule. */
export function pauseSchedule(ctx: Ctx, id: string): Promise<ScheduleRow> {
  return change(ctx, id, (tx, { nextAt }) => updatePaused(tx, id, { isPaused: true, nextAt, now: ctx.now }))
}

/**
 * Runs again from the next time on: what was missed in the pause is left out. It asks for the PIN, where there is one, unless it was given before.
 * @throws NotFound, also for someone else's schedule; PinRequired.
 */
export function resumeSchedule(ctx: Ctx, id: string, pinProof?: string): Promise<ScheduleRow> {
  return change(ctx, id, async (tx, { userId, ...schedule }) => {
    if (!schedule.pinProven) await takePinProof(tx, userId, pinProof, ctx.now)
    const pinProven = schedule.pinProven || (await selectPin(tx, userId))?.atCheckout === true
    const nextAt = schedule.isPaused ? findNextRun(schedule, ctx.now) : schedule.nextAt
    await updateResumed(tx, id, { nextAt, pinProven, now: ctx.now })
  })
}

/**
 * Answers its question by placing nothing this time.
 * @throws NotFound, also for someone else's schedule.
 */
export function skipScheduleRun(ctx: Ctx, id: string): Promise<ScheduleRow> {
  return change(ctx, id, (tx, { userId }) => answerQuestion(tx, { id, userId, jobId: null, now: ctx.now }))
}

/** @throws NotFound, also for someone else's schedule. */
export async function deleteSchedule(ctx: Ctx, id: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    if (!(await removeSchedule(tx, actor.id, id))) throw new NotFound('schedule')
  })
}

function change(ctx: Ctx, id: string, how: (tx: Tx, schedule: ScheduleRow) => Promise<void>): Promise<ScheduleRow> {
  return transaction(ctx.db, async (tx) => {
    const actor = await lockActor(tx, ctx)
    const schedule = await lockSchedule(tx, actor.id, id)
    if (!schedule) throw new NotFound('schedule')
    await how(tx, schedule)
    return (await lockSchedule(tx, actor.id, id)) as ScheduleRow
  })
}

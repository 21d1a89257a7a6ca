import type { GroupLine } from '../../../../shared/bulk.ts'
import type { PausedWhy, ScheduleQuestion } from '../../../../shared/bulk-rules.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { RunTimes } from './find-next-run.ts'

export type ScheduleRow = RunTimes & {
  id: string
  userId: string
  groupId: string
  groupName: string
  lines: number
  mostPesewas: number
  isPaused: boolean
  pausedWhy: PausedWhy | null
  pinProven: boolean
  nextAt: Date | null
  warnedFor: Date | null
  question: ScheduleQuestion | null
  questionDueAt: Date | null
  questionTotalPesewas: number | null
  lastJobId: string | null
}

const SCHEDULE = `s.id, s.user_id as "userId", s.group_id as "groupId", g.name as "groupName", jsonb_array_length(g.lines) as lines, s.repeats,
  s.day::text as day, s.weekday, s.month_day as "monthDay", to_char(s.at_time, 'HH24:MI') as time, s.most_pesewas as "mostPesewas",
  s.is_paused as "isPaused", case when s.is_paused then s.paused_why end as "pausedWhy", s.pin_proven as "pinProven", s.next_at as "nextAt", s.warned_for as "warnedFor", s.question, s.question_due_at as "questionDueAt",
  s.question_total_pesewas as "questionTotalPesewas", s.last_job_id as "lastJobId"`
const FROM = 'bulk_schedules s join bulk_groups g on g.id = s.group_id'

/** Those with a question first, then by when they run next. */
export async function selectSchedules(db: Queryable, userId: string): Promise<ScheduleRow[]> {
  const { rows } = await db.query<ScheduleRow>(
    `select ${SCHEDULE} from ${FROM} where s.user_id = $1 order by s.question is null, s.next_at nulls last, s.id limit 100`,
    [userId],
  )
  return rows
}

/** A user's schedule, locked until the transaction ends. */
export async function lockSchedule(tx: Tx, userId: string, id: string): Promise<ScheduleRow | null> {
  const { rows } = await tx.query<ScheduleRow>(`select ${SCHEDULE} from ${FROM} where s.id = $2 and s.user_id = $1 for update of s`, [
    userId,
    id,
  ])
  return rows[0] ?? null
}

export type SavedSchedule = RunTimes & { userId: string; groupId: string; mostPesewas: number; nextAt: Date; pinProven: boolean; now: Date }

export async function insertSchedule(tx: Tx, saved: SavedSchedule): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into bulk_schedules (user_id, group_id, repeats, day, weekday, month_day, at_time, most_pesewas, next_at, pin_proven, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id`,
    [...valuesOf(saved), saved.now],
  )
  return (rows[0] as { id: string }).id
}

export async function updateSchedule(tx: Tx, id: string, saved: SavedSchedule) {
  await tx.query(
    `update bulk_schedules set group_id = $2, repeats = $3, day = $4, weekday = $5, month_day = $6, at_time = $7, most_pesewas = $8, next_at = $9,
       pin_proven = $10, warned_for = null, updated_at = $11 where user_id = $1 and id = $12`,
    [...valuesOf(saved), saved.now, id],
  )
}

function valuesOf({ userId, groupId, repeats, day, weekday, monthDay, time, mostPesewas, nextAt, pinProven }: SavedSchedule) {
  return [userId, groupId, repeats, day, weekday, monthDay, time, mostPesewas, nextAt, pinProven]
}

export async function updatePaused(tx: Tx, id: string, { isPaused, nextAt, now }: { isPaused: boolean; nextAt: Date | null; now: Date }) {
  await tx.query('update bulk_schedules set is_paused = $2, next_at = $3, updated_at = $4 where id = $1', [id, isPaused, nextAt, now])
}

export async function updateResumed(
  tx: Tx,
  id: string,
  { nextAt, pinProven, now }: { nextAt: Date | null; pinProven: boolean; now: Date },
) {
  await tx.query(
    'update bulk_schedules set is_paused = false, paused_why = null, next_at = $2, pin_proven = $3, updated_at = $4 where id = $1',
    [id, nextAt, pinProven, now],
  )
}

/** Its question is answered: by a list that was placed, or with none by skipping the run. */
export async function answerQuestion(tx: Tx, { id, userId, jobId, now }: { id: string; userId: string; jobId: string | null; now: Date }) {
  await tx.query(
    `update bulk_schedules set question = null, question_due_at = null, question_total_pesewas = null,
       last_job_id = coalesce($3, last_job_id), updated_at = $4 where id = $1 and user_id = $2`,
    [id, userId, jobId, now],
  )
}

export async function hasSchedule(tx: Tx, groupId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from bulk_schedules where group_id = $1 limit 1', [groupId])
  return rowCount === 1
}

export async function removeSchedule(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from bulk_schedules where id = $1 and user_id = $2', [id, userId])
  return rowCount === 1
}

/** Schedules whose time has come, or that come by `soon` and whose wallet was not looked at yet. */
export async function selectDueSchedules(
  db: Queryable,
  { now, soon, but }: { now: Date; soon: Date; but: readonly string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from bulk_schedules where next_at is not null and not is_paused and id <> all ($3)
       and (next_at <= $1 or (next_at <= $2 and warned_for is distinct from next_at)) order by next_at limit 100`,
    [now, soon, but],
  )
  return rows.map(({ id }) => id)
}

export type DueSchedule = ScheduleRow & { group: GroupLine[]; phone: string; mayBuy: boolean; balancePesewas: number }

/** One of them, locked with its owner's rights; null when another process has it, or it is no longer due. */
export async function lockDueSchedule(tx: Tx, id: string): Promise<DueSchedule | null> {
  // The owner first, as a change of their password does, which pauses their schedules.
  await tx.query('select from users where id = (select user_id from bulk_schedules where id = $1) for share', [id])
  const { rows } = await tx.query<DueSchedule>(
    `select ${SCHEDULE}, g.lines as "group", u.phone, (u.status = 'Active' and u.level <> 'Customer') as "mayBuy",
       (select balance_pesewas + reserved_pesewas from wallets w where w.user_id = u.id) as "balancePesewas"
     from ${FROM} join users u on u.id = s.user_id
     where s.id = $1 and s.next_at is not null and not s.is_paused for update of s skip locked`,
    [id],
  )
  return rows[0] ?? null
}

export async function noteWarned(tx: Tx, id: string, nextAt: Date) {
  await tx.query('update bulk_schedules set warned_for = $2 where id = $1', [id, nextAt])
}

export type RunEnd = {
  nextAt: Date | null
  jobId: string | null
  question: { why: ScheduleQuestion; dueAt: Date; totalPesewas: number | null } | null
  now: Date
}

/** Its run has been placed, or asks. A question that is still open stays until a newer one takes its place. */
export async function endRun(tx: Tx, id: string, { nextAt, jobId, question, now }: RunEnd) {
  await tx.query(
    `update bulk_schedules set next_at = $2, last_job_id = coalesce($3, last_job_id), question = coalesce($4, question),
       question_due_at = case when $4::text is null then question_due_at else $5 end,
       question_total_pesewas = case when $4::text is null then question_total_pesewas else $6 end, updated_at = $7 where id = $1`,
    [id, nextAt, jobId, question?.why ?? null, question?.dueAt ?? null, question?.totalPesewas ?? null, now],
  )
}

/** The most lines of one bulk order, and of one saved group. */
export const MAX_BULK_LINES = 5_000

/** The most groups that one agent can save. */
export const MAX_BULK_GROUPS = 50

/** The most schedules that one agent can have. */
export const MAX_BULK_SCHEDULES = 50

/** What a schedule asks about instead of placing its group. */
export const SCHEDULE_QUESTIONS = ['price', 'balance', 'missed', 'lines'] as const
export type ScheduleQuestion = (typeof SCHEDULE_QUESTIONS)[number]

/** Why the shop has paused a schedule for which nobody gave a PIN: the wallet asks for one now, or the password was changed. */
export const PAUSED_WHY = ['pin', 'password'] as const
export type PausedWhy = (typeof PAUSED_WHY)[number]

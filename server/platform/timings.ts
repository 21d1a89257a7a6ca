import type { JobTimings } from './job-queue.ts'

/** How quickly the shop's own work follows upon itself. */
export type Timings = {
  jobs: JobTimings
  /** From the end of one check of the books to the next. */
  reconcileEveryMs: number
  /** The relay of new orders, when nothing wakes it. */
  relayMs: number
  /** How often open payments, and webhook events that nobody has handled, are looked for. */
  paymentsMs: number
  /** How often unsent password mails are looked for. */
  mailsMs: number
  /** How often sockets are looked through for sessions that have ended. */
  socketsMs: number
  supplier: {
    timeoutMs: number
    /** A call that was begun longer ago than this died with its process; longer than any call takes. */
    callDeadAfterMs: number
    /** After an outcome that is not known: when to ask first. */
    queryUnknownAfterMs: number
    /** After the supplier took an order: when to ask first; then at intervals that double, up to the longest. */
    queryAcceptedAfterMs: number
    longestQueryIntervalMs: number
    /** How far apart two answers of "not found" must be before an order may be sent again. */
    notFoundApartMs: number
    /** The first rest of a supplier that fails; each further one doubles, up to the longest. */
    breakerOpenMs: number
    longestBreakerOpenMs: number
  }
  sms: { timeoutMs: number; callDeadAfterMs: number; digestAfterMs: number }
  /** Retries of a job that failed. */
  firstRetrySeconds: number
  longestRetrySeconds: number
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

export const USUAL_TIMINGS: Timings = {
  jobs: { pollSeconds: 2, superviseSeconds: 15, expireSeconds: 120, heartbeatSeconds: 20 },
  reconcileEveryMs: 30 * SECOND_MS,
  relayMs: SECOND_MS,
  paymentsMs: 5 * SECOND_MS,
  mailsMs: 5 * SECOND_MS,
  socketsMs: 5 * SECOND_MS,
  supplier: {
    timeoutMs: 20 * SECOND_MS,
    callDeadAfterMs: 60 * SECOND_MS,
    queryUnknownAfterMs: 20 * SECOND_MS,
    queryAcceptedAfterMs: 2 * MINUTE_MS,
    longestQueryIntervalMs: 60 * MINUTE_MS,
    notFoundApartMs: 2 * MINUTE_MS,
    breakerOpenMs: 30 * SECOND_MS,
    longestBreakerOpenMs: 10 * MINUTE_MS,
  },
  sms: { timeoutMs: 15 * SECOND_MS, callDeadAfterMs: 60 * SECOND_MS, digestAfterMs: MINUTE_MS },
  firstRetrySeconds: 10,
  longestRetrySeconds: 900,
}

/** For tests, which wait for what a shop takes minutes for. Nothing but the waiting differs. */
export const QUICK_TIMINGS: Timings = {
  jobs: { pollSeconds: 0.5, superviseSeconds: 1, expireSeconds: 6, heartbeatSeconds: null },
  reconcileEveryMs: 5 * SECOND_MS,
  relayMs: 100,
  paymentsMs: SECOND_MS,
  mailsMs: 200,
  socketsMs: 500,
  supplier: {
    timeoutMs: 800,
    callDeadAfterMs: 1_500,
    queryUnknownAfterMs: 100,
    queryAcceptedAfterMs: 200,
    longestQueryIntervalMs: SECOND_MS,
    notFoundApartMs: 300,
    breakerOpenMs: 300,
    longestBreakerOpenMs: SECOND_MS,
  },
  sms: { timeoutMs: 800, callDeadAfterMs: 1_500, digestAfterMs: 500 },
  firstRetrySeconds: 0,
  longestRetrySeconds: 1,
}

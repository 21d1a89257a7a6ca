import type { JobPace } from './job-queue.ts'

/** How quickly the shop's own work follows upon itself. */
export type Pace = {
  jobs: JobPace
  /** From the end of one check of the books to the next. */
  booksMs: number
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
    askUnknownAfterMs: number
    /** After the supplier took an order: when to ask first; then at intervals that double, up to the longest. */
    askAcceptedAfterMs: number
    longestAskMs: number
    /** How far apart two answers of "not found" must be before an order may be sent again. */
    notFoundApartMs: number
    /** The first rest of a supplier that fails; each further one doubles, up to the longest. */
    pauseMs: number
    longestPauseMs: number
  }
  sms: { timeoutMs: number; callDeadAfterMs: number; digestAfterMs: number }
  /** Retries of a job that failed. */
  firstRetrySeconds: number
  longestRetrySeconds: number
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

export const USUAL_PACE: Pace = {
  jobs: { pollSeconds: 2, superviseSeconds: 15, expireSeconds: 120, heartbeatSeconds: 20 },
  booksMs: 30 * SECOND_MS,
  relayMs: SECOND_MS,
  paymentsMs: 5 * SECOND_MS,
  mailsMs: 5 * SECOND_MS,
  socketsMs: 5 * SECOND_MS,
  supplier: {
    timeoutMs: 20 * SECOND_MS,
    callDeadAfterMs: 60 * SECOND_MS,
    askUnknownAfterMs: 20 * SECOND_MS,
    askAcceptedAfterMs: 2 * MINUTE_MS,
    longestAskMs: 60 * MINUTE_MS,
    notFoundApartMs: 2 * MINUTE_MS,
    pauseMs: 30 * SECOND_MS,
    longestPauseMs: 10 * MINUTE_MS,
  },
  sms: { timeoutMs: 15 * SECOND_MS, callDeadAfterMs: 60 * SECOND_MS, digestAfterMs: MINUTE_MS },
  firstRetrySeconds: 10,
  longestRetrySeconds: 900,
}

/** For tests, which wait for what a shop takes minutes for. Nothing but the waiting differs. */
export const QUICK_PACE: Pace = {
  jobs: { pollSeconds: 0.5, superviseSeconds: 1, expireSeconds: 6, heartbeatSeconds: null },
  booksMs: 5 * SECOND_MS,
  relayMs: 100,
  paymentsMs: SECOND_MS,
  mailsMs: 200,
  socketsMs: 500,
  supplier: {
    timeoutMs: 800,
    callDeadAfterMs: 1_500,
    askUnknownAfterMs: 100,
    askAcceptedAfterMs: 200,
    longestAskMs: SECOND_MS,
    notFoundApartMs: 300,
    pauseMs: 300,
    longestPauseMs: SECOND_MS,
  },
  sms: { timeoutMs: 800, callDeadAfterMs: 1_500, digestAfterMs: 500 },
  firstRetrySeconds: 0,
  longestRetrySeconds: 1,
}

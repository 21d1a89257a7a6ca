import type { JobTimings } from './job-queue.ts'

/** Intervals of the shop's background work. */
export type Timings = {
  jobs: JobTimings
  /** From the end of one reconciliation to the next. */
  reconcileEveryMs: number
  /** Polling interval of the order relay; it is also woken by new orders. */
  relayMs: number
  /** Polling interval for open payments and unhandled webhook events. */
  paymentsMs: number
  /** Polling interval for unsent password mails. */
  mailsMs: number
  /** How often scheduled prices are looked for. */
  pricesMs: number
  /** How often sockets are checked for ended sessions. */
  socketsMs: number
  supplier: {
    timeoutMs: number
    /** A call begun longer ago than this died with its process; longer than any call takes. */
    callDeadAfterMs: number
    /** Delay before the first status query after an unknown outcome. */
    queryUnknownAfterMs: number
    /** Delay before the first status query after the supplier accepted; it then doubles up to the longest. */
    queryAcceptedAfterMs: number
    longestQueryIntervalMs: number
    /** The least time between two "not found" answers before an order may be sent again. */
    notFoundApartMs: number
    /** How long the circuit breaker first opens; it doubles each time, up to the longest. */
    breakerOpenMs: number
    longestBreakerOpenMs: number
    /** How long an order waits whose number its supplier has served a moment ago. */
    sameNumberApartMs: number
  }
  sms: { timeoutMs: number; callDeadAfterMs: number; digestAfterMs: number }
  /**
   * Events of the developer API. An endpoint that takes longer than `slowAfterMs` is served after the others. `retryAfterMs`: the
   * pause before each further attempt; after the last one it is given up.
   */
  webhooks: { relayMs: number; timeoutMs: number; slowAfterMs: number; retryAfterMs: readonly number[] }
  /** When test orders of the developer API are decided. */
  testOrders: { soonMs: number; lateMs: number }
  /** Retries of a failed job. */
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
  pricesMs: 5 * SECOND_MS,
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
    sameNumberApartMs: 130 * SECOND_MS,
  },
  sms: { timeoutMs: 15 * SECOND_MS, callDeadAfterMs: 60 * SECOND_MS, digestAfterMs: MINUTE_MS },
  webhooks: {
    relayMs: 2 * SECOND_MS,
    timeoutMs: 10 * SECOND_MS,
    slowAfterMs: 2 * SECOND_MS,
    retryAfterMs: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 60 * MINUTE_MS)],
  },
  testOrders: { soonMs: 5 * SECOND_MS, lateMs: 2 * MINUTE_MS },
  firstRetrySeconds: 10,
  longestRetrySeconds: 900,
}

/** For tests: the same work with shorter waits. */
export const QUICK_TIMINGS: Timings = {
  jobs: { pollSeconds: 0.5, superviseSeconds: 1, expireSeconds: 6, heartbeatSeconds: null },
  reconcileEveryMs: 5 * SECOND_MS,
  relayMs: 100,
  paymentsMs: SECOND_MS,
  mailsMs: 200,
  pricesMs: 500,
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
    sameNumberApartMs: 300,
  },
  sms: { timeoutMs: 800, callDeadAfterMs: 1_500, digestAfterMs: 500 },
  webhooks: { relayMs: 200, timeoutMs: 5 * SECOND_MS, slowAfterMs: 2 * SECOND_MS, retryAfterMs: [100, 200, 300] },
  testOrders: { soonMs: 100, lateMs: 200 },
  firstRetrySeconds: 0,
  longestRetrySeconds: 1,
}

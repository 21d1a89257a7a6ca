import type { BulkJob, PlaceBulkRequest } from '../../../../../shared/bulk.ts'
import { isOutcomeUnknown } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { ofUser, session } from '../../../../lib/session.ts'
import { updateSessionUser } from '../../../../lib/session-change.ts'
import { createStore } from '../../../../lib/store.ts'
import { createStored } from '../../../../lib/stored.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { retryDelayMs } from '../../purchases/purchase-attempt.ts'
import { placeBulk } from './api.ts'

/** One attempt to pay for a list. Every copy of the request carries its key, so it buys once even if replies are lost. */
export type BulkAttempt = { key: string; userId: string; request: PlaceBulkRequest; startedAt: number }
export type BulkPhase = 'idle' | 'sending' | 'checking'
export type BulkOutcome = { status: 'placed'; job: BulkJob } | { status: 'refused'; error: Error }

/** The payment that has no answer yet, also after the page was loaded again. */
export const unansweredBulk = ofUser(createStored<BulkAttempt | null>('bulkAttempt', null, isAttempt), null)

/** What the payment of a list is doing. */
export const bulkPhase = createStore<BulkPhase>('idle')

let running: Promise<BulkOutcome> | null = null

/**
 * Pays for a list from the wallet, once, however often it is called. Answers only with what the shop decided: without a reply it asks again
 * with the same key until there is one. Another list is refused until then.
 */
export function payBulk(request: PlaceBulkRequest): Promise<BulkOutcome> {
  const userId = session.get()?._id
  if (!userId) return Promise.resolve({ status: 'refused', error: new Error(bulkTexts.signedOut) })
  const earlier = unansweredBulk.get()
  if (earlier && !isSame(earlier.request, request)) return Promise.resolve({ status: 'refused', error: new Error(bulkTexts.earlierOpen) })
  return run(earlier ?? { key: crypto.randomUUID(), userId, request, startedAt: Date.now() })
}

/** Asks what became of the payment that has no answer yet. */
export function resumeBulk(): Promise<BulkOutcome> | null {
  const earlier = unansweredBulk.get()
  return earlier && run(earlier)
}

function run(attempt: BulkAttempt): Promise<BulkOutcome> {
  if (running) return running
  unansweredBulk.set(attempt)
  bulkPhase.set('sending')
  running = sendUntilAnswered(attempt).finally(() => {
    running = null
    bulkPhase.set('idle')
  })
  return running
}

async function sendUntilAnswered({ key, userId, request }: BulkAttempt): Promise<BulkOutcome> {
  for (let attempt = 0; ; attempt++) {
    const user = session.get()
    if (user?._id !== userId) return { status: 'refused', error: new Error(bulkTexts.signedOut) }
    try {
      const { job, balance, balanceVersion } = await placeBulk(request, key)
      unansweredBulk.set(null)
      updateSessionUser({ ...user, balance, balanceVersion })
      for (const list of [['bulk'], ['bulk-schedules'], ['orders']]) void queryClient.invalidateQueries({ queryKey: list })
      return { status: 'placed', job }
    } catch (error) {
      if (!isOutcomeUnknown(error)) {
        unansweredBulk.set(null)
        return { status: 'refused', error: error instanceof Error ? error : new Error(String(error)) }
      }
      bulkPhase.set('checking')
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt)))
    }
  }
}

function isSame(one: PlaceBulkRequest, other: PlaceBulkRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isAttempt(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  const { key, userId, request, startedAt } = value as Partial<BulkAttempt>
  return typeof key === 'string' && typeof userId === 'string' && typeof startedAt === 'number' && typeof request === 'object'
}

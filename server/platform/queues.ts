import type { Decision } from '../../shared/orders.ts'
import type { NewJob, QueueRules } from './job-queue.ts'
import type { Timings } from './timings.ts'

/**
 * Every queue's name, its jobs and how failed ones are retried. Names and payloads stand in the database while older
 * processes run: change either only so that both releases can read it.
 */
export const SEND_QUEUE = 'supplier-send'
export const QUERY_STATUS_QUEUE = 'supplier-ask'
export const BALANCE_QUEUE = 'supplier-balance'
export const DECIDE_QUEUE = 'decide-order'
export const NOTIFY_QUEUE = 'tell'
export const DIGEST_QUEUE = 'sms-digest'
export const SMS_QUEUE = 'send-sms'
export const PASSWORD_CHANGED_QUEUE = 'tell-password-changed'
export const CARD_EVENT_QUEUE = 'card-event'
export const DAILY_QUEUE = 'daily-check'
export const CHECK_QUEUE = 'check-books'

export function queueRules({ firstRetrySeconds, longestRetrySeconds }: Pick<Timings, 'firstRetrySeconds' | 'longestRetrySeconds'>) {
  const rules: QueueRules = { retries: 5, firstRetrySeconds, longestRetrySeconds }
  // Messages, mails and the card provider's events wait for services that may be away for hours.
  const patient: QueueRules = { ...rules, retries: 9 }
  return {
    [SEND_QUEUE]: rules,
    [QUERY_STATUS_QUEUE]: rules,
    [BALANCE_QUEUE]: rules,
    [DECIDE_QUEUE]: rules,
    [NOTIFY_QUEUE]: rules,
    [DIGEST_QUEUE]: rules,
    [SMS_QUEUE]: patient,
    [PASSWORD_CHANGED_QUEUE]: patient,
    [CARD_EVENT_QUEUE]: patient,
    [DAILY_QUEUE]: rules,
    [CHECK_QUEUE]: rules,
  }
}

/** `waited`: its call was reserved at the supplier for this time. `urgent`: it uses the lane for orders of unknown outcome. */
export type DeliveryJob = { orderId: string; waited?: 1; urgent?: 1 }
type DeliveryJobOptions = { afterMs?: number; urgent?: boolean }

export function sendJob(orderId: string, options: DeliveryJobOptions = {}): NewJob {
  return { data: { orderId }, key: orderId, ...options }
}

/** Asks the supplier about an order; `urgent` when its outcome is unknown or a webhook event has come. */
export function queryStatusJob(orderId: string, { afterMs, urgent = false }: DeliveryJobOptions = {}): NewJob {
  const data: DeliveryJob = urgent ? { orderId, urgent: 1 } : { orderId }
  return { data, key: orderId, urgent, ...(afterMs === undefined ? {} : { afterMs }) }
}

export type DecideJob = { orderId: string; status: Decision }

export function decideJob(orderId: string, status: Decision): NewJob {
  return { data: { orderId, status } satisfies DecideJob, key: `${orderId}:${status}` }
}

/** `order`: the operator hears of an order. `completed`: its buyer hears that it is done. */
export type NotifyJob = { kind: 'order' | 'completed'; orderId: string }

export function notifyJob(kind: NotifyJob['kind'], orderId: string): NewJob {
  return { data: { kind, orderId } satisfies NotifyJob, key: `${kind}:${orderId}` }
}

export type SmsJob = { messageId: string }

export function smsJob(messageId: string, options: { afterMs?: number } = {}): NewJob {
  return { data: { messageId } satisfies SmsJob, key: messageId, ...options }
}

export function digestJob(afterMs: number): NewJob {
  return { data: {}, key: 'digest', afterMs }
}

export type PasswordChangedJob = { userId: string; changedAt: string }

export function passwordChangedJob(userId: string, changedAt: Date): NewJob {
  return { data: { userId, changedAt: changedAt.toISOString() } satisfies PasswordChangedJob }
}

/** `event` is the name of a webhook event that could not be acted on. */
export type CardEventJob = { eventId: number; event: string }

export function cardEventJob(eventId: number, event: string): NewJob {
  return { data: { eventId, event } satisfies CardEventJob, key: String(eventId) }
}

/** With `askedAt`, all rows of every invariant that have not been checked since; otherwise the newer rows. */
export type CheckJob = { askedAt?: string }

/** A full check has a key of its own, so that the repeated check, which always waits, does not keep it out. */
export function fullCheckJob(askedAt: Date | string): NewJob {
  return { data: { askedAt: typeof askedAt === 'string' ? askedAt : askedAt.toISOString() } satisfies CheckJob, key: 'asked' }
}

export function nextCheckJob(afterMs: number): NewJob {
  return { data: {} satisfies CheckJob, key: 'repeated', afterMs }
}

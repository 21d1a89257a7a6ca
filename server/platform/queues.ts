import type { Decision } from '../../shared/orders.ts'
import type { NewJob, QueueRules } from './job-queue.ts'
import type { Timings } from './timings.ts'

/**
 * Every queue's name, jobs and retry rules. Names and payloads are stored in the database, where a process of the previous
 * release may read them: keep changes compatible with both.
 */
export const SEND_QUEUE = 'supplier-send'
export const QUERY_STATUS_QUEUE = 'supplier-ask'
export const BALANCE_QUEUE = 'supplier-balance'
export const ALARM_QUEUE = 'supplier-alarm'
export const DECIDE_QUEUE = 'decide-order'
export const NOTIFY_QUEUE = 'tell'
/** Orders that were relayed together, told to the operator by one job. An older process would look for one order in it. */
export const NEW_ORDERS_QUEUE = 'tell-new-orders'
export const NEWS_QUEUE = 'tell-buyer'
/** The network checks a number first. An older process would take such a job of `tell-buyer` for a refund. */
export const VERIFYING_QUEUE = 'tell-verifying'
export const DIGEST_QUEUE = 'sms-digest'
export const SCHEDULED_LISTS_QUEUE = 'scheduled-lists'
export const SMS_QUEUE = 'send-sms'
/** Messages with a gap for a code, which an older process would send as they are. */
export const REFUND_CODE_QUEUE = 'send-refund-code'
export const PIN_CODE_QUEUE = 'send-pin-code'
export const PIN_CHANGED_QUEUE = 'tell-pin-changed'
/** The same for codes that confirm a number for earnings. */
export const PAYOUT_CODE_QUEUE = 'send-payout-code'
export const PAYOUT_NUMBER_QUEUE = 'tell-payout-number'
export const NUMBER_TAKEN_QUEUE = 'tell-number-taken'
/** An order of checkers was sold from the stock. */
export const CHECKER_QUEUE = 'checkers-sold'
/** Messages with a gap for a serial and a PIN. */
export const CHECKER_SMS_QUEUE = 'send-checker'
export const CHECKER_MAIL_QUEUE = 'mail-checkers'
export const WHATSAPP_QUEUE = 'send-whatsapp'
export const PASSWORD_CHANGED_QUEUE = 'tell-password-changed'
export const ACCOUNT_CHANGED_QUEUE = 'tell-account-changed'
export const CARD_EVENT_QUEUE = 'card-event'
export const DAILY_QUEUE = 'daily-check'
export const WEBHOOK_QUEUE = 'send-webhook'
export const WEBHOOK_OFF_QUEUE = 'tell-webhook-off'
export const TEST_ORDER_QUEUE = 'test-order'
export const CHECK_QUEUE = 'check-books'
/** Checks of all rows of one invariant in a large shop, which take minutes. */
export const ALL_ROWS_QUEUE = 'check-all-rows'

export function queueRules({ firstRetrySeconds, longestRetrySeconds }: Pick<Timings, 'firstRetrySeconds' | 'longestRetrySeconds'>) {
  const rules: QueueRules = { retries: 5, firstRetrySeconds, longestRetrySeconds }
  // Messages, mails and card events depend on services that may be down for hours.
  const patient: QueueRules = { ...rules, retries: 9 }
  return {
    [SEND_QUEUE]: rules,
    [QUERY_STATUS_QUEUE]: rules,
    [BALANCE_QUEUE]: rules,
    [ALARM_QUEUE]: rules,
    [DECIDE_QUEUE]: rules,
    [NOTIFY_QUEUE]: rules,
    [NEW_ORDERS_QUEUE]: rules,
    [NEWS_QUEUE]: rules,
    [VERIFYING_QUEUE]: rules,
    [DIGEST_QUEUE]: rules,
    [SMS_QUEUE]: patient,
    [REFUND_CODE_QUEUE]: patient,
    [PIN_CODE_QUEUE]: patient,
    [PIN_CHANGED_QUEUE]: patient,
    [PAYOUT_CODE_QUEUE]: patient,
    [PAYOUT_NUMBER_QUEUE]: patient,
    [NUMBER_TAKEN_QUEUE]: patient,
    [CHECKER_QUEUE]: rules,
    [CHECKER_SMS_QUEUE]: patient,
    [CHECKER_MAIL_QUEUE]: patient,
    [WHATSAPP_QUEUE]: patient,
    [PASSWORD_CHANGED_QUEUE]: patient,
    [ACCOUNT_CHANGED_QUEUE]: patient,
    [CARD_EVENT_QUEUE]: patient,
    [WEBHOOK_QUEUE]: rules,
    [WEBHOOK_OFF_QUEUE]: patient,
    [TEST_ORDER_QUEUE]: rules,
    [SCHEDULED_LISTS_QUEUE]: rules,
    [DAILY_QUEUE]: rules,
    [CHECK_QUEUE]: rules,
    [ALL_ROWS_QUEUE]: { ...rules, isLong: true },
  }
}

/**
 * `waited`: its call was already reserved at the supplier. `urgent`: it uses the rate-limit lane for orders of unknown
 * outcome. `earlier`: the reference of a delivery that the order has left since, which is what is asked about.
 */
export type DeliveryJob = { orderId: string; waited?: 1; urgent?: 1; earlier?: string }
type DeliveryJobOptions = { afterMs?: number; urgent?: boolean }

export function sendJob(orderId: string, options: DeliveryJobOptions = {}): NewJob {
  return { data: { orderId }, key: orderId, ...options }
}

/** Queries the supplier for an order's status; `urgent` when its outcome is unknown or a webhook event has come. */
export function queryStatusJob(orderId: string, { afterMs, urgent = false }: DeliveryJobOptions = {}): NewJob {
  const data: DeliveryJob = urgent ? { orderId, urgent: 1 } : { orderId }
  return { data, key: orderId, urgent, ...(afterMs === undefined ? {} : { afterMs }) }
}

/** A supplier has told of an order. A key of its own: the next regular query may be an hour away and would block this one. */
export function noticeJob(orderId: string, { afterMs }: { afterMs?: number } = {}): NewJob {
  return { ...queryStatusJob(orderId, { urgent: true, ...(afterMs === undefined ? {} : { afterMs }) }), key: `${orderId}:notice` }
}

/** The same for a delivery that the order has left since. An older process asks about the order's delivery of now instead. */
export function earlierNoticeJob(orderId: string, earlier: string): NewJob {
  return { data: { orderId, urgent: 1, earlier } satisfies DeliveryJob, key: `${earlier}:notice`, urgent: true }
}

/** Checks what the owner must be told about a supplier. */
export function alarmJob(supplier: string): NewJob {
  return { data: {}, key: supplier }
}

/** Reads all balances once more, soon. */
export function balanceJob(): NewJob {
  return { data: {}, key: 'now' }
}

export type DecideJob = { orderId: string; status: Decision }

export function decideJob(orderId: string, status: Decision): NewJob {
  return { data: { orderId, status } satisfies DecideJob, key: `${orderId}:${status}` }
}

/** `order` notifies the operator of a new order; `completed` notifies its buyer. */
export type NotifyJob = { kind: 'order' | 'completed'; orderId: string }

export function notifyJob(kind: NotifyJob['kind'], orderId: string): NewJob {
  return { data: { kind, orderId } satisfies NotifyJob, key: `${kind}:${orderId}` }
}

export type NewOrdersJob = { orderIds: string[] }

/** Notifies the operator of at least one new order. */
export function newOrdersJob(orderIds: string[]): NewJob {
  return { data: { orderIds } satisfies NewOrdersJob, key: String(orderIds[0]) }
}

/**
 * Notifies a buyer that an order was refunded, or that the shop answered its report. A queue of its own, since a process of
 * version 0.3 would take it for a completed order.
 */
export type NewsJob = { kind: 'rejected' | 'reply'; orderId: string; reportMessageId?: number }

export function refundNewsJob(orderId: string): NewJob {
  return { data: { kind: 'rejected', orderId } satisfies NewsJob, key: `rejected:${orderId}` }
}

export type VerifyingJob = { orderId: string }

export function verifyingJob(orderId: string): NewJob {
  return { data: { orderId } satisfies VerifyingJob, key: orderId }
}

export function answerNewsJob(orderId: string, reportMessageId: number): NewJob {
  return { data: { kind: 'reply', orderId, reportMessageId } satisfies NewsJob, key: `reply:${reportMessageId}` }
}

export type CheckerJob = { orderId: string }

export function checkerJob(orderId: string): NewJob {
  return { data: { orderId } satisfies CheckerJob, key: orderId }
}

export type SmsJob = { messageId: string }

export function smsJob(messageId: string, options: { afterMs?: number } = {}): NewJob {
  return { data: { messageId } satisfies SmsJob, key: messageId, ...options }
}

export function digestJob(afterMs: number): NewJob {
  return { data: {}, key: 'digest', afterMs }
}

export type WhatsappJob = { whatsappId: string }

export function whatsappJob(whatsappId: string, options: { afterMs?: number } = {}): NewJob {
  return { data: { whatsappId } satisfies WhatsappJob, key: whatsappId, ...options }
}

export type PasswordChangedJob = { userId: string; changedAt: string }

export function passwordChangedJob(userId: string, changedAt: Date): NewJob {
  return { data: { userId, changedAt: changedAt.toISOString() } satisfies PasswordChangedJob }
}

/** `to` is the mail address before the change. */
export type AccountChangedJob = { userId: string; to: string; what: 'password' | 'email' | 'phone' | 'api-key'; changedAt: string }

export function accountChangedJob(change: Omit<AccountChangedJob, 'changedAt'>, changedAt: Date): NewJob {
  return { data: { ...change, changedAt: changedAt.toISOString() } satisfies AccountChangedJob }
}

/** `asked`: somebody asked for a new one, which takes a day. */
export type PinChangedJob = { userId: string; to: string; what: 'set' | 'changed' | 'ended' | 'asked'; changedAt: string }

export function pinChangedJob(change: Omit<PinChangedJob, 'changedAt'>, changedAt: Date): NewJob {
  return { data: { ...change, changedAt: changedAt.toISOString() } satisfies PinChangedJob }
}

/**
 * Another account has confirmed `phone`, which the user had confirmed before; or with `standIn`, which they had without confirming it, and sign in with
 * that instead.
 */
export type NumberTakenJob = { userId: string; to: string; phone: string; takenAt: string; standIn?: string }

export function numberTakenJob(taken: Omit<NumberTakenJob, 'takenAt'>, takenAt: Date): NewJob {
  return { data: { ...taken, takenAt: takenAt.toISOString() } satisfies NumberTakenJob }
}

/** `phone` can now get the earnings of the user's shop; `to` is the mail address as it was then. */
export type PayoutNumberJob = { userId: string; to: string; phone: string; confirmedAt: string }

export function payoutNumberJob(confirmed: Omit<PayoutNumberJob, 'confirmedAt'>, confirmedAt: Date): NewJob {
  return { data: { ...confirmed, confirmedAt: confirmedAt.toISOString() } satisfies PayoutNumberJob }
}

/** `event` is the type of a webhook event that could not be handled. */
export type CardEventJob = { eventId: number; event: string }

export function cardEventJob(eventId: number, event: string): NewJob {
  return { data: { eventId, event } satisfies CardEventJob, key: String(eventId) }
}

/** With `askedAt`, checks all rows not checked since then; otherwise only the newer rows. */
export type CheckJob = { askedAt?: string }

/** A full check needs its own key: the repeating check always has one waiting. */
export function fullCheckJob(askedAt: Date | string): NewJob {
  return { data: { askedAt: typeof askedAt === 'string' ? askedAt : askedAt.toISOString() } satisfies CheckJob, key: 'asked' }
}

export function nextCheckJob(afterMs: number): NewJob {
  return { data: {} satisfies CheckJob, key: 'repeated', afterMs }
}

export type AllRowsJob = { invariant: string; askedAt?: string }

export function allRowsJob(invariant: string, askedAt?: string): NewJob {
  return { data: { invariant, ...(askedAt === undefined ? {} : { askedAt }) } satisfies AllRowsJob, key: invariant }
}

/** Sends an event to an agent's endpoint, at most one job for each at a time. */
export type WebhookJob = { deliveryId: string }
/** A delivery to make: whose it is, and whether its endpoint fails or is slow, so that all others go first. */
export type DueWebhook = { id: string; userId: string; isBehind: boolean }

export function webhookJob({ id, userId, isBehind }: DueWebhook, options: { afterMs?: number } = {}): NewJob {
  return { data: { deliveryId: id } satisfies WebhookJob, key: id, group: userId, behind: isBehind, ...options }
}

export type WebhookOffJob = { endpointId: string }

export function webhookOffJob(endpointId: string): NewJob {
  return { data: { endpointId } satisfies WebhookOffJob, key: endpointId }
}

export type TestOrderJob = { seq: number }

export function testOrderJob(seq: number, afterMs: number): NewJob {
  return { data: { seq } satisfies TestOrderJob, key: String(seq), afterMs }
}

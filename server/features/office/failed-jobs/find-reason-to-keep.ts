import {
  ALARM_QUEUE,
  ALL_ROWS_QUEUE,
  BALANCE_QUEUE,
  CARD_EVENT_QUEUE,
  CHECK_QUEUE,
  DAILY_QUEUE,
  DECIDE_QUEUE,
  DIGEST_QUEUE,
  NEW_ORDERS_QUEUE,
  NEWS_QUEUE,
  NOTIFY_QUEUE,
  PASSWORD_CHANGED_QUEUE,
  PIN_CHANGED_QUEUE,
  PIN_CODE_QUEUE,
  QUERY_STATUS_QUEUE,
  REFUND_CODE_QUEUE,
  SCHEDULED_LISTS_QUEUE,
  SEND_QUEUE,
  SMS_QUEUE,
  TEST_ORDER_QUEUE,
  VERIFYING_QUEUE,
  WEBHOOK_OFF_QUEUE,
  WEBHOOK_QUEUE,
  WHATSAPP_QUEUE,
} from '../../../platform/queues.ts'
import type { JobOrder } from './job-subjects.sql.ts'

/** Jobs that are scheduled again automatically. */
const COMES_AGAIN = [ALARM_QUEUE, BALANCE_QUEUE, DAILY_QUEUE, CHECK_QUEUE, ALL_ROWS_QUEUE, SCHEDULED_LISTS_QUEUE]
const MESSAGES = [
  NOTIFY_QUEUE,
  NEW_ORDERS_QUEUE,
  NEWS_QUEUE,
  VERIFYING_QUEUE,
  SMS_QUEUE,
  REFUND_CODE_QUEUE,
  DIGEST_QUEUE,
  PASSWORD_CHANGED_QUEUE,
  PIN_CODE_QUEUE,
  PIN_CHANGED_QUEUE,
  WHATSAPP_QUEUE,
]
/** Agents' programs can read what they were not told, and test orders are nobody's. */
const FOR_PROGRAMS = [WEBHOOK_QUEUE, WEBHOOK_OFF_QUEUE, TEST_ORDER_QUEUE]
const DEALS_WITH_ORDER = [SEND_QUEUE, QUERY_STATUS_QUEUE, DECIDE_QUEUE]

/**
 * Why a failed job must not be dismissed, as text for an admin; null when it may be. A job that a buyer's money depends on
 * stays until the order is decided or can be decided by hand.
 */
export function findReasonToKeep(
  { queue, data }: { queue: string; data?: object },
  order: Pick<JobOrder, 'id' | 'status' | 'delivery'> | null,
): string | null {
  if (COMES_AGAIN.includes(queue) || FOR_PROGRAMS.includes(queue) || isAboutMessage(queue)) return null
  // Payments are polled anyway; events about disputes and refunds are recorded nowhere else.
  if (queue === CARD_EVENT_QUEUE) return isAboutCharge(data) ? null : LOOK_AT_PROVIDER
  if (!DEALS_WITH_ORDER.includes(queue)) return 'Nobody has said yet what would be lost with work of this kind.'
  if (order?.status !== 'pending') return null
  if (queue === DECIDE_QUEUE) return `Order ${order.id} is not decided. Process or reject it by hand, then this can be dismissed.`
  // While the call's outcome is unknown, the order cannot be rejected by hand either.
  if (order.delivery === 'sending') return `Order ${order.id} may be on its way to the supplier. Try again, so that the shop finds out.`
  return null
}

const LOOK_AT_PROVIDER =
  'It says something of a dispute or a refund that the books must know. Try again; if it keeps failing, look it up at the card provider.'

function isAboutCharge(data: object | undefined): boolean {
  const { event = '' } = (data ?? {}) as { event?: string }
  return event.startsWith('charge.') && !event.startsWith('charge.dispute.')
}

/** True when dismissing the job only leaves a message unsent. */
export function isAboutMessage(queue: string): boolean {
  return MESSAGES.includes(queue)
}

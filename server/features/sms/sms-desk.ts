import type { SmsSender } from '../../integrations/sms/sms-sender.ts'
import type { NewJob } from '../../platform/job-queue.ts'
import type { Pace } from '../../platform/pace.ts'

/** The message service, or null for a shop without one, and what the shop calls itself in its messages. */
export type SmsDesk = { sender: SmsSender | null; shopName: string; shopPhone: string; pace: Pace['sms'] }

export const TELL_QUEUE = 'tell'
export const SMS_QUEUE = 'send-sms'
export const DIGEST_QUEUE = 'sms-digest'

/** `order`: the operator hears of an order. `completed`: its buyer hears that it is done. */
export type TellJob = { kind: 'order' | 'completed'; orderId: string }

export function tellJob(kind: TellJob['kind'], orderId: string): NewJob {
  return { data: { kind, orderId }, key: `${kind}:${orderId}` }
}

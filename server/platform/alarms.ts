import type { Log } from './log.ts'

/** Something that a person must look at: an error line in the log, with this name in its field `alarm`. */
export type AlarmName =
  | 'wrong-money'
  | 'records-disagree'
  | 'purchases-paused'
  | 'job-failed'
  | 'supplier-paused'
  | 'supplier-order-unclear'
  | 'supplier-costs-more'
  | 'delivered-after-refund'
  | 'delivered-after-all'
  | 'sms-daily-cap'
  | 'sms-not-sent'
  | 'mail-daily-cap'
  | 'whatsapp-daily-cap'
  | 'checkers-low'
  | 'card-dispute'
  | 'card-refund'
  | 'card-payment-unmatched'
  | 'refund-unclear'
  | 'refund-rejected'
  | 'refund-needs-attention'
  | 'refund-paid-twice'
  | 'withdrawal-unclear'
  | 'withdrawal-refused'
  | 'withdrawal-reversed'
  | 'withdrawal-paid-late'
  | 'balances-fork'
  | 'disk-low'
  | 'phone-silent'
  | 'referral-cap'

export function raiseAlarm(log: Log, alarm: AlarmName, facts: Record<string, unknown>) {
  log.error({ ...facts, alarm }, `ALARM ${alarm}`)
}

import type { Timings } from '../../platform/timings.ts'
import type { SmsSender } from './sms-sender.ts'

/** The message service, or null for a shop without one, and the shop's name and phone for its messages. */
export type SmsGateway = { sender: SmsSender | null; shopName: string; shopPhone: string; timings: Timings['sms'] }

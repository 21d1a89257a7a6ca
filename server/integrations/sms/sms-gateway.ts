import type { Pace } from '../../platform/pace.ts'
import type { SmsSender } from './sms-sender.ts'

/** The message service, or null for a shop without one, and the shop's name and phone as its messages give them. */
export type SmsDesk = { sender: SmsSender | null; shopName: string; shopPhone: string; pace: Pace['sms'] }

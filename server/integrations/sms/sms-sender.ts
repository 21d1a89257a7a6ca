/** One message. `to` has ten digits; `text` is one segment of the GSM-7 alphabet (`gsm-text.ts`). */
export type Sms = { to: string; text: string }

/**
 * `rejected`: the message itself is unacceptable, so don't retry. `not-taken`: certainly not sent, so retry. `unknown`: it
 * may have been sent; the services cannot be queried by our reference, and a retry might send it twice.
 */
export type SmsOutcome =
  | { outcome: 'accepted'; providerId: string | null }
  | { outcome: 'rejected' | 'not-taken' | 'unknown'; reason: string }

/** How many messages the shop can still send. */
export type SmsBalance = { outcome: 'known'; messages: number } | { outcome: 'unknown'; reason: string }

/** The interface to a message service. Its methods never throw for what the service does. */
export type SmsSender = { provider: string; send(sms: Sms): Promise<SmsOutcome>; balance(): Promise<SmsBalance> }

/** A count in a reply, which some services send as text; null for anything else. */
export function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? Math.floor(count) : null
}

/** 0241234567 as 233241234567, the form that the services expect. */
export function toInternational(phone: string): string {
  return `233${phone.slice(1)}`
}

/** One message. `to` has ten digits; `text` is one segment of the GSM-7 alphabet (`gsm-text.ts`). */
export type Sms = { to: string; text: string }

/**
 * What came of sending a message. `rejected`: never to be sent, for what it is. `not-taken`: certainly not sent, and
 * worth another try. `unknown`: it may have been sent; since none of the services knows a reference of ours, it can be
 * neither asked about nor sent again without the risk of a second one.
 */
export type SmsOutcome =
  | { outcome: 'accepted'; providerId: string | null }
  | { outcome: 'rejected' | 'not-taken' | 'unknown'; reason: string }

/** A message service in our words. Does not throw for what the service does. */
export type SmsSender = { provider: string; send(sms: Sms): Promise<SmsOutcome> }

/** 0241234567 as the services want it. */
export function toInternational(phone: string): string {
  return `233${phone.slice(1)}`
}

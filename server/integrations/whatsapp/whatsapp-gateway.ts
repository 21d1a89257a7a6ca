import type { Timings } from '../../platform/timings.ts'

/** The WhatsApp number of the shop, or null for a shop without one; and where its customers find the shop. */
export type WhatsappGateway = {
  business: WhatsappBusiness | null
  /** The number that customers write to, ten digits; empty when it is not known. */
  number: string
  shopName: string
  publicUrl: () => string
  timings: Timings['sms']
}

/** One message. With `options` it is a list to choose from: at most 10, titles of at most 24 characters; `button` opens it. */
export type WhatsappText = { text: string; options?: WhatsappOption[]; button?: string }
export type WhatsappOption = { id: string; title: string; description?: string }

/** A message whose wording Meta has approved before, with the values of its gaps. */
export type WhatsappTemplate = { name: string; language: string; values: string[] }

/**
 * `rejected`: this message is unacceptable or its receiver can't get it, so don't retry. `outside-window`: rejected since the customer has not
 * written for 24 hours; a template may still go. `not-taken`: certainly not sent, so retry. `unknown`: it may have been sent.
 */
export type WhatsappOutcome =
  | { outcome: 'accepted'; providerId: string }
  | { outcome: 'rejected' | 'outside-window' | 'not-taken' | 'unknown'; reason: string }

/** What a customer sent. `text` is null for what is no text: pictures, voice messages, places. It may be a PIN: never log or keep it. */
export type ReceivedMessage = { id: string; phone: string; at: Date; text: string | null }
/** What became of a message of ours. */
export type ReceivedStatus = { providerId: string; status: 'sent' | 'delivered' | 'read' | 'failed'; at: Date; reason: string }
/** A message of a person whom WhatsApp names by a user id only. `name`: as the person shows it, with the username; may be empty. */
export type UnnumberedMessage = { id: string; userId: string; name: string }
export type WhatsappEvent = { messages: ReceivedMessage[]; unnumbered: UnnumberedMessage[]; statuses: ReceivedStatus[] }

/** The interface to one WhatsApp number. Its methods never throw for what the service does. */
export type WhatsappBusiness = {
  /** `to` has ten digits. */
  send(to: string, message: WhatsappText): Promise<WhatsappOutcome>
  sendTemplate(to: string, template: WhatsappTemplate): Promise<WhatsappOutcome>
  /** Null when the signature is wrong. What is not about this number is left out. */
  readWebhook(rawBody: Buffer, signature: string | undefined): WhatsappEvent | null
  /** Whether whoever registers the webhook knows our token. */
  isVerifyToken(token: string): boolean
}

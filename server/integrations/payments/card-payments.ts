import type { PaymentProgress } from '../../../shared/payments.ts'

/** The outcome of preparing a payment. `unknown`: the provider may have received the request. */
export type InitializeOutcome =
  | { outcome: 'accepted'; accessCode: string }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unknown'; reason: string }

/** What the card provider reports about a payment. Amounts are in pesewas when `currency` is GHS. */
export type Verification =
  /**
   * `payerEmail` is what the payer gave the provider and `begunAt` when they began, if known. `feePesewas` is what the provider keeps of the
   * amount; null if it does not say.
   */
  | {
      outcome: 'paid'
      amountPesewas: number
      feePesewas: number | null
      currency: string
      isTest: boolean
      payerEmail: string | null
      begunAt?: Date
    }
  /** No money has arrived; `final` when none can any more. `progress` is how far the payer has come, if the provider says. `isUnknownReference`: it says that nobody has begun a payment with it. */
  | { outcome: 'not-paid'; final: boolean; reason: string; progress?: PaymentProgress; isUnknownReference?: true }
  | { outcome: 'reversed'; reason: string }
  /** No answer that can be trusted: query again later. */
  | { outcome: 'unknown'; reason: string }

/** A payment in the provider's list; `paidAt` is when the money came. */
export type ListedPayment = { reference: string; paidAt: Date; paid: Extract<Verification, { outcome: 'paid' }> }

export type PaidList = { outcome: 'listed'; payments: ListedPayment[] } | { outcome: 'unknown'; reason: string }

export type WebhookEvent = { event: string; reference: string | null }

/** A webhook event about a dispute: a payer's bank asks for the money back. `reference` is ours. */
export type DisputeWebhookEvent = {
  id: string
  reference: string
  amountPesewas: number
  currency: string
  category: string
  /** The provider's own term. */
  status: string
  resolution: string | null
  outcome: 'open' | 'won' | 'lost' | 'unclear'
  payerEmail: string | null
  dueAt: Date | null
  /** When the provider decided it, by its own clock; null while it is open, or where it does not say. */
  decidedAt: Date | null
}

export const REFUND_STATUSES = ['pending', 'processing', 'needs-attention', 'failed', 'processed'] as const

/** A webhook event about a refund to a payer. Early events carry no id. */
export type RefundWebhookEvent = {
  id: string | null
  reference: string
  amountPesewas: number
  currency: string
  status: (typeof REFUND_STATUSES)[number]
}

/** The interface to a card provider. Its methods never throw for what the provider does. */
export type CardPayments = {
  publicKey: string
  /** The shop takes no cards, so that no reference is a card payment. */
  isOff?: true
  /** Prepares a payment; `reference` is ours and unique, `amountPesewas` is what the payer is charged. */
  initialize(payment: {
    reference: string
    amountPesewas: number
    email: string
    metadata: Record<string, string>
  }): Promise<InitializeOutcome>
  verify(reference: string): Promise<Verification>
  /** What was paid with an e-mail address since a time, newest first, with us or with a client of its own. At most the newest 20. */
  listPaid(payer: { email: string; since: Date }): Promise<PaidList>
  /** The content of a signed webhook event, or null when the signature is wrong. */
  readWebhook(rawBody: Buffer, signature: string | undefined): WebhookEvent | null
  /** Parses the stored body of a dispute event; null when its form is unknown. */
  readDispute(body: string): DisputeWebhookEvent | null
  readRefund(body: string): RefundWebhookEvent | null
}

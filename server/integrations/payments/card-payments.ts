import type { PaymentProgress } from '../../../shared/payments.ts'

/** What came of asking the card provider to get a payment ready. Unknown: it may or may not have heard us. */
export type InitializeOutcome =
  | { outcome: 'accepted'; accessCode: string }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unknown'; reason: string }

/** What the card provider says of a payment. Amounts are in pesewas when `currency` is GHS. */
export type Verification =
  /** `payerEmail` is what the payer gave the provider; null when it does not say. */
  | { outcome: 'paid'; amountPesewas: number; currency: string; isTest: boolean; payerEmail: string | null }
  /** No money has come; `final` when none can come any more. `progress` is how far the payer has come, where the provider says so. */
  | { outcome: 'not-paid'; final: boolean; reason: string; progress?: PaymentProgress }
  | { outcome: 'reversed'; reason: string }
  /** The provider did not answer, or not in a way that can be trusted: ask again later. */
  | { outcome: 'unknown'; reason: string }

export type WebhookEvent = { event: string; reference: string | null }

/** What a webhook event says of a dispute: a payer's bank asks for the money back. `reference` is ours. */
export type DisputeWebhookEvent = {
  id: string
  reference: string
  amountPesewas: number
  currency: string
  category: string
  /** In the provider's words. */
  status: string
  resolution: string | null
  outcome: 'open' | 'won' | 'lost' | 'unclear'
  payerEmail: string | null
  dueAt: Date | null
}

export const REFUND_STATUSES = ['pending', 'processing', 'needs-attention', 'failed', 'processed'] as const

/** What a webhook event says of money that goes back to a payer. Early events carry no id. */
export type RefundWebhookEvent = {
  id: string | null
  reference: string
  amountPesewas: number
  currency: string
  status: (typeof REFUND_STATUSES)[number]
}

/** The card provider in our words. No method throws for what the provider does. */
export type CardPayments = {
  publicKey: string
  /** Makes a payment ready to be paid; `reference` is ours and unique, `amountPesewas` is what the payer is charged. */
  initialize(payment: {
    reference: string
    amountPesewas: number
    email: string
    metadata: Record<string, string>
  }): Promise<InitializeOutcome>
  verify(reference: string): Promise<Verification>
  /** What a signed notice says, or null when the signature is not the provider's. */
  readWebhook(rawBody: Buffer, signature: string | undefined): WebhookEvent | null
  /** The kept body of a signed webhook event about a dispute or a refund; null when it is not in a form that we know. */
  readDispute(body: string): DisputeWebhookEvent | null
  readRefund(body: string): RefundWebhookEvent | null
}

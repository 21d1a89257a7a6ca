import type { PayoutNetwork } from '../../../shared/withdrawal-rules.ts'

/** Where money is sent. `phone` has ten digits; the provider does not compare the name with the number. */
export type Recipient = { network: PayoutNetwork; phone: string; name: string }

/** The outcome of naming a recipient. Nothing is sent by it, so `unknown` may be repeated. */
export type RecipientOutcome =
  | { outcome: 'accepted'; recipientCode: string }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unknown'; reason: string }

/**
 * The outcome of sending money. `refused-for-now`: nothing was sent for a reason of the shop's account, such as its balance. `unknown`:
 * the provider may have received the request.
 */
export type SendOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'refused-for-now'; reason: string }
  | { outcome: 'unknown'; reason: string }

/** What the provider reports about a payout. `feePesewas` is what it took on top of the amount; null if it does not say. */
export type PayoutStatus =
  | { outcome: 'paid'; amountPesewas: number; feePesewas: number | null; currency: string; isTest: boolean }
  /** `needs` what a person must do in the provider's dashboard, if anything. */
  | { outcome: 'under-way'; reason: string; needs: 'otp' | null }
  | { outcome: 'failed'; reason: string }
  /** The money has come back. */
  | { outcome: 'reversed'; reason: string }
  /** The provider knows no payout with this reference. */
  | { outcome: 'not-found'; reason: string }
  | { outcome: 'unknown'; reason: string }

/** The interface to a provider that sends mobile money. Its methods never throw for what the provider does. */
export type Payouts = {
  /** False where payouts are only made by hand. */
  available: boolean
  nameRecipient(recipient: Recipient): Promise<RecipientOutcome>
  /** `reference` is ours: one for each payout, for good. */
  send(payout: { reference: string; amountPesewas: number; recipientCode: string; reason: string }): Promise<SendOutcome>
  queryStatus(reference: string): Promise<PayoutStatus>
}

/** What became of asking for a refund. `already`: the provider has one for this payment. */
export type RefundOutcome =
  | { outcome: 'accepted'; id: string | null }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unknown'; reason: string }

/** A refund as the provider lists it. `amountPesewas` in the payment's currency. */
export type ListedRefund = { id: string; amountPesewas: number; currency: string; status: string; note: string | null }

/** The interface to a provider that sends a payment back the way it came. */
export type RefundsToSource = {
  available: boolean
  /** `note` is kept by the provider and tells our refunds of one payment apart. */
  request(refund: { reference: string; amountPesewas: number; note: string }): Promise<RefundOutcome>
  /** The refunds of one payment; null when the provider gives no answer that can be trusted. */
  list(reference: string): Promise<ListedRefund[] | null>
}

import { randomInt } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import type { CardPayment, CardPayments } from './payments.ts'
import { customer } from './replies.ts'
import type { CardWebhooks } from './webhooks.ts'

export const DISPUTE_STEPS = ['create', 'remind', 'resolve'] as const
export const RESOLUTIONS = ['auto-accepted', 'merchant-accepted', 'declined'] as const
export const REFUND_STEPS = ['pending', 'processing', 'processed', 'failed', 'needs-attention'] as const

/** The provider gives a shop in Ghana two days to answer a dispute. */
const ANSWER_WITHIN_MS = 48 * 3_600_000

export type DisputeStep = {
  step: (typeof DISPUTE_STEPS)[number]
  /** Which dispute; by default the payment's newest, or a new one. */
  id?: number | undefined
  amountPesewas?: number | undefined
  resolution?: (typeof RESOLUTIONS)[number] | undefined
}
export type RefundStep = { step: (typeof REFUND_STEPS)[number]; id?: number | undefined; amountPesewas?: number | undefined }

export type Returns = {
  /** Sends the webhook event of a dispute: opened, reminder, or resolved. Returns the payment. */
  dispute(reference: string, step: DisputeStep): Promise<CardPayment>
  /** Sends the webhook event of a refund at this step; early ones have no id, like the provider's. */
  refund(reference: string, step: RefundStep): Promise<CardPayment>
}

/** Disputes by payers' banks and refunds from the provider's dashboard. */
export function playReturns(payments: CardPayments, webhooks: CardWebhooks, { now }: { now: () => Date }): Returns {
  return {
    async dispute(reference, { step, id, amountPesewas, resolution = 'auto-accepted' }) {
      const payment = paid(reference)
      const known = payment.disputes.find((one) => one.id === id) ?? (id === undefined ? payment.disputes.at(-1) : undefined)
      const dispute = known ?? {
        id: id ?? randomInt(100_000, 999_999),
        amountPesewas: amountPesewas ?? payment.amountPesewas,
        dueAt: new Date(now().getTime() + ANSWER_WITHIN_MS).toISOString(),
      }
      if (!known) payment.disputes.push(dispute)
      const isOver = step === 'resolve'
      if (isOver && resolution !== 'declined' && dispute.amountPesewas >= payment.amountPesewas) payment.status = 'reversed'
      webhooks.send(payment, {
        event: `charge.dispute.${step}`,
        data: {
          id: dispute.id,
          refund_amount: dispute.amountPesewas,
          currency: payment.currency,
          status: isOver ? 'resolved' : 'awaiting-merchant-feedback',
          resolution: isOver ? resolution : null,
          domain: payment.domain,
          transaction: transactionOf(payment),
          transaction_reference: null,
          category: 'chargeback',
          customer: customer(payment),
          bin: '408408',
          last4: '4081',
          dueAt: dispute.dueAt,
          resolvedAt: isOver ? now().toISOString() : null,
          evidence: null,
          attachments: null,
          note: null,
          history: [],
          messages: [],
          created_at: now().toISOString(),
        },
      })
      await payments.save()
      return payment
    },
    async refund(reference, { step, id, amountPesewas }) {
      const payment = paid(reference)
      const amount = amountPesewas ?? payment.amountPesewas
      const asked = payment.refunds.find((one) => one.id === id)
      if (asked) asked.status = step
      if (step === 'processed' && amount >= payment.amountPesewas) payment.status = 'reversed'
      const isNamed = step !== 'pending' || id !== undefined
      webhooks.send(payment, {
        event: `refund.${step}`,
        data: {
          status: step,
          transaction_reference: reference,
          refund_reference: isNamed ? String(id ?? `9${payment.id}`) : null,
          // A number in the events of a failure, a text in the others, as the provider sends it.
          amount: step === 'failed' || step === 'needs-attention' ? amount : String(amount),
          currency: payment.currency,
          processor: 'gh-card-bank',
          customer: customer(payment),
          integration: 100_043,
          domain: payment.domain,
        },
      })
      await payments.save()
      return payment
    },
  }

  function paid(reference: string) {
    const payment = payments.find(reference)
    if (!payment) throw new Refusal(404, 'The card provider knows no payment with that reference.')
    if (payment.status !== 'success' && payment.status !== 'reversed') throw new Refusal(409, 'This payment was never made.')
    return payment
  }

  function transactionOf(payment: CardPayment) {
    const { id, domain, status, reference, amountPesewas: amount, currency, channel } = payment
    return { id, domain, status, reference, amount, currency, channel: channel ?? 'card' }
  }
}

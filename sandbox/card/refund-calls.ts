import * as z from 'zod'
import type { Answer } from '../faults.ts'
import type { CardPayment, CardPayments } from './payments.ts'
import { errorBody } from './replies.ts'
import type { Returns } from './returns.ts'

export type RefundCalls = { payments: CardPayments; returns: Returns; now: () => Date }

const newRefund = z.object({
  transaction: z.union([z.string(), z.int()]),
  amount: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.int().min(1))
    .optional(),
  currency: z.string().optional(),
  merchant_note: z.string().max(500).optional(),
})

/** Refunds of one payment begin here, so that its first is not taken for that of another. */
const FIRST_REFUND = 10

/** `POST /refund`: queues it and sends `refund.pending`; a person or a test moves it on. */
export async function requestRefund({ payments, returns, now }: RefundCalls, body: unknown): Promise<Answer> {
  const given = newRefund.safeParse(body)
  if (!given.success) return refuse(400, 'Invalid refund', 'invalid_params')
  const { transaction, amount, currency = 'GHS', merchant_note: note } = given.data
  const payment = payments.find(String(transaction)) ?? payments.list().find(({ id }) => id === transaction)
  if (!payment) return refuse(404, 'Transaction not found', 'transaction_not_found')
  if (payment.status !== 'success') return refuse(400, 'Transaction has not been paid, or has been fully reversed', 'invalid_params')
  if (currency !== payment.currency) return refuse(400, 'Currency does not match that of the transaction', 'invalid_params')
  const givenBack = payment.refunds.filter(({ status }) => status !== 'failed').reduce((sum, one) => sum + one.amountPesewas, 0)
  const wanted = amount ?? payment.amountPesewas
  if (givenBack + wanted > payment.amountPesewas) {
    return refuse(400, 'Refund amount cannot be greater than the transaction amount left', 'invalid_params')
  }
  const id = payment.id * 100 + FIRST_REFUND + payment.refunds.length
  const refund = { id, amountPesewas: wanted, status: 'pending' as const, note: note ?? null, createdAt: now().toISOString() }
  payment.refunds.push(refund)
  await returns.refund(payment.reference, { step: 'pending', id, amountPesewas: wanted })
  return {
    status: 200,
    body: {
      status: true,
      message: 'Refund has been queued for processing',
      data: {
        ...refundData(payment, refund),
        transaction: { id: payment.id, reference: payment.reference, amount: payment.amountPesewas },
      },
    },
  }
}

/** `GET /refund`: all of them, or those of one payment; newest first. */
export async function listRefunds({ payments }: RefundCalls, transaction: string | undefined): Promise<Answer> {
  const listed = payments
    .list()
    .filter((payment) => transaction === undefined || payment.reference === transaction || String(payment.id) === transaction)
    .flatMap((payment) => payment.refunds.map((refund) => refundData(payment, refund)))
  return { status: 200, body: { status: true, message: 'Refunds retrieved', data: listed.reverse(), meta: { total: listed.length } } }
}

function refundData(payment: CardPayment, refund: CardPayment['refunds'][number]) {
  return {
    id: refund.id,
    integration: 100_043,
    domain: payment.domain,
    transaction: payment.id,
    dispute: null,
    amount: refund.amountPesewas,
    deducted_amount: refund.status === 'processed' ? refund.amountPesewas : null,
    currency: payment.currency,
    channel: payment.channel,
    fully_deducted: null,
    refunded_by: 'shop',
    refunded_at: null,
    expected_at: null,
    settlement: null,
    customer_note: null,
    merchant_note: refund.note,
    status: refund.status,
    created_at: refund.createdAt,
  }
}

function refuse(status: number, message: string, code: string): Answer {
  return { status, body: errorBody(message, code, 'Check the transaction and the amount') }
}

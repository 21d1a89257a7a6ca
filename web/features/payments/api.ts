import type { ConfirmPaymentReply, PaymentReply, PaymentRequest } from '../../../shared/payments.ts'
import { call } from '../../lib/api.ts'

export function startPayment(body: PaymentRequest): Promise<PaymentReply> {
  return call('POST /payment', { body })
}

export function confirmPayment(reference: string): Promise<ConfirmPaymentReply> {
  return call('POST /payment/:reference/confirm', { params: { reference }, timeoutMs: 15_000 })
}

import type { ConfirmPaymentReply, PaymentReply, PaymentRequest } from '../../../shared/payments.ts'
import { request } from '../../lib/http.ts'

export function startPayment(body: PaymentRequest): Promise<PaymentReply> {
  return request('POST', '/payment', { body })
}

export function confirmPayment(reference: string): Promise<ConfirmPaymentReply> {
  return request('POST', `/payment/${encodeURIComponent(reference)}/confirm`, { timeoutMs: 15_000 })
}

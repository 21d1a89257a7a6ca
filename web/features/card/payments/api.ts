import type { ConfirmPaymentReply, PaymentReply, PaymentRequest } from '../../../../shared/payments.ts'
import { call } from '../../../lib/api.ts'
import { sendAsking } from '../../orders/purchases/send-asking.ts'

export function startPayment(body: PaymentRequest): Promise<PaymentReply> {
  return sendAsking()((headers) => call('POST /payment', { headers, body }))
}

export function confirmPayment(reference: string): Promise<ConfirmPaymentReply> {
  return call('POST /payment/:reference/confirm', { params: { reference }, timeoutMs: 15_000 })
}

import { formatShortTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { Match, ReceivedPayment } from '../../../../../shared/received-payments.ts'
import { shopNow } from '../../../../lib/clock.ts'

/** Who sent it, as well as the message says it. */
export function payerOf({ payerName, payerPhone }: ReceivedPayment): string {
  return payerName ?? (payerPhone ? spacedPhone(payerPhone) : 'Payer not named')
}

/** "MTN 83724298138". */
export function transactionOf({ network, transactionId }: ReceivedPayment): string {
  return `${network === 'Other' ? 'Unknown network' : network} ${transactionId}`
}

/** The strongest first. */
const STRONGEST = ['reference', 'number', 'name'] as const

/** "amount and reference agree". */
export function agreementOf({ agrees }: Match): string {
  const strongest = STRONGEST.find((one) => agrees.includes(one))
  return `${agrees.includes('amount') ? 'amount and ' : ''}${strongest ?? 'request'} agree`
}

/** When the network says that it came, or else when it was read. */
export function timeOf({ sentAt, receivedAt }: ReceivedPayment): string {
  const now = shopNow()
  return sentAt ? formatShortTime(new Date(sentAt), now) : `read ${formatShortTime(new Date(receivedAt), now)}`
}

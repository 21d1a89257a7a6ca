import { formatDateTime } from '../../../../shared/dates.ts'
import { CLOSE_PAYMENT_AFTER_MINUTES } from '../../../../shared/limits.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import type { PaymentRow } from './payments.sql.ts'

/** A sentence for the payer of a card payment; null when it is paid for and there is nothing to say. */
export function explainPayment({
  status,
  reason,
  receivedPesewas,
  toppedUpPesewas,
  inWallet,
  listLines,
  ...payment
}: PaymentRow): string | null {
  switch (status) {
    case 'paid':
      return (
        explainHold(payment) ??
        (listLines === null
          ? null
          : `We’re loading your list of ${listLines.toLocaleString('en-GB')} ${listLines === 1 ? 'line' : 'lines'}.`)
      )
    case 'held':
      return inWallet
        ? [
            // Payments of versions before have noted nothing as left.
            `GHS ${formatPesewas(toppedUpPesewas ?? (payment.leftPesewas || (receivedPesewas ?? 0)))} was put into your wallet, because ${reason}.`,
            ...(payment.unspentPesewas > 0
              ? [`GHS ${formatPesewas(payment.unspentPesewas)} waits for further orders of this payment.`]
              : []),
            ...(payment.onHoldUntil ? [explainHold(payment)] : []),
          ].join(' ')
        : `Your payment is held because it was ${reason}. Please contact us with the reference.`
    case 'open':
      return 'The card payment has not gone through yet.'
    case 'expired':
      return `This payment was not approved within ${CLOSE_PAYMENT_AFTER_MINUTES} minutes, so we closed it. If you were charged all the same, you get what you paid for or the money in your wallet by itself.`
    default:
      return 'The card payment did not go through. Nothing was charged.'
  }
}

type OnHold = Pick<PaymentRow, 'onHoldPesewas' | 'onHoldUntil' | 'waitsForStaff'>

export function explainHold({ onHoldPesewas, onHoldUntil, waitsForStaff }: OnHold): string | null {
  if (onHoldUntil && waitsForStaff) {
    return `GHS ${formatPesewas(onHoldPesewas)} of it is more than can be topped up at once, so we look at it first. Please contact us with the reference.`
  }
  return onHoldUntil && `You can spend GHS ${formatPesewas(onHoldPesewas)} of it from ${formatDateTime(onHoldUntil)}.`
}

import type { CheckoutItem } from '../../../../shared/orders.ts'
import type { OwnPayment } from '../../../../shared/payments.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { moneyText } from '../../../ui/money.tsx'
import { PaymentLines, totalOfPayments } from './payment-lines.tsx'
import { askAboutWaiting, refreshWaitingPayments, waitingPayments, wasPaid } from './waiting-payments.ts'

/** What is about to be paid: lines of a cart, the agent upgrade, or a top-up of so many cedis, with the lines that it is to buy. */
export type Wanted =
  | { purpose: 'order'; items: readonly CheckoutItem[] }
  | { purpose: 'agent-upgrade' }
  | { purpose: 'top-up'; amount: number; items: readonly CheckoutItem[] }

/** How long a purchase waits for the status of an earlier payment. */
const LOOK_FOR_MS = 4000

/**
 * False when the same is being paid by card already and the buyer would rather wait, or it turned out to be paid just now.
 * Payments for which `isReopened` is true don't count: reopening a payment cannot charge it twice.
 */
export async function agreeToPayAgain(wanted: Wanted, isReopened: (payment: OwnPayment) => boolean = () => false): Promise<boolean> {
  const before = waitingPayments().filter((payment) => paysForSame(payment, wanted))
  await Promise.race([
    Promise.all([refreshWaitingPayments(), askAboutWaiting(before)]),
    new Promise((resolve) => setTimeout(resolve, LOOK_FOR_MS)),
  ])
  if (before.some(({ reference }) => wasPaid(reference))) return false
  const waiting = waitingPayments().filter((payment) => paysForSame(payment, wanted) && !isReopened(payment))
  if (waiting.length === 0) return true
  const yes = await confirmAction(questionAbout(waiting))
  return yes && !waiting.some(({ reference }) => wasPaid(reference))
}

function paysForSame(payment: Pick<OwnPayment, 'purpose' | 'items' | 'price'>, wanted: Wanted): boolean {
  if (wanted.purpose === 'agent-upgrade') return payment.purpose === wanted.purpose
  if (wanted.purpose === 'top-up' && wanted.items.length === 0)
    return payment.purpose === 'top-up' && payment.items.length === 0 && payment.price === wanted.amount
  return payment.items.some((line) =>
    wanted.items.some((item) => item.productId === line.productId && item.offer === line.offer && item.phoneNumber === line.phoneNumber),
  )
}

function questionAbout(waiting: readonly OwnPayment[]) {
  const [first] = waiting as [OwnPayment]
  const isTopUp = first.purpose === 'top-up' && first.items.length === 0
  const what = first.purpose === 'agent-upgrade' ? paymentTexts.theUpgrade : isTopUp ? paymentTexts.thisTopUp : paymentTexts.theseLines
  const subject = paymentTexts.open(waiting.length, moneyText(totalOfPayments(waiting)), what)
  const unfinished = waiting.every(({ progress }) => progress === 'unfinished' || progress === 'declined')
  return {
    title: paymentTexts.payAgainTitle,
    question: unfinished ? paymentTexts.payAgainClosed(subject) : paymentTexts.payAgainWaiting(subject),
    cautious: true,
    details: (
      <>
        {waiting.map((payment) => (
          <PaymentLines key={payment.reference} payment={payment} />
        ))}
        <p className="mt-3 text-body text-muted">
          {first.purpose === 'agent-upgrade' ? paymentTexts.twiceFee : isTopUp ? paymentTexts.twiceTopUp : paymentTexts.twiceOrders}
        </p>
      </>
    ),
    yes: paymentTexts.payAgain,
    no: paymentTexts.noWait,
  }
}

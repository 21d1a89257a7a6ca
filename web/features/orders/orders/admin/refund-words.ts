import type { Order } from '../../../../../shared/orders.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { totalPaid } from '../total-paid.ts'

/** Where an order's money goes when it is refunded: into the buyer's wallet, or back to a guest, who has none. */
export function refundPlan(order: Order): string {
  const sum = moneyText(totalPaid(order))
  if (order.guest) return `We send ${sum} back to ${order.agent}, the way it was paid.`
  return order.onHold
    ? `We refund ${order.agent}’s wallet, less what has already gone back to the payer’s card or mobile money.`
    : `We refund ${sum} to ${order.agent}’s wallet.`
}

/** What the buyer reads after the reason. */
export function refundRead(order: Order): string {
  const sum = moneyText(totalPaid(order))
  return order.guest ? `We send ${sum} back the way you paid.` : `We refunded ${sum} to your wallet.`
}

/** Where the money of several refunded orders goes. */
export function refundPlanOf(orders: readonly Order[]): string {
  const guests = orders.filter(({ guest }) => guest).length
  if (guests === 0) return 'We refund the buyers’ wallets.'
  if (guests === orders.length) return 'We send the guests’ money back the way they paid.'
  return 'We refund the buyers’ wallets. Guests get their money back the way they paid.'
}

import { CHANNEL_WORDS } from '../../../../../shared/channel-rules.ts'
import type { Order } from '../../../../../shared/orders.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { totalPaid } from '../total-paid.ts'

/** The price of an order, and beneath where it was bought, if not on the site, or what its buyer's card was charged for it. */
export function OrderAmount({ order, className }: { order: Order; className?: string }) {
  return (
    <span className={classNames('inline-flex flex-col', className)}>
      <Money cedis={order.totalAmount} />
      {order.channel && <span className="text-small font-normal text-muted">by {CHANNEL_WORDS[order.channel]}</span>}
      {order.paidWith === 'card' && (
        <span className="tabular text-small font-normal whitespace-nowrap text-muted">{moneyText(totalPaid(order))} by card</span>
      )}
    </span>
  )
}

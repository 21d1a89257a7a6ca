import { MessageCircle, Printer, Share2 } from 'lucide-react'
import { formatCedis } from '../../../shared/money.ts'
import type { Order } from '../../../shared/orders.ts'
import { spacedPhone } from '../../../shared/phones.ts'
import { whatsAppShareLink } from '../../lib/links.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Detail, Details } from '../../ui/details.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { moneyText } from '../../ui/money.tsx'
import { StatusBadge, toneOfStatus } from '../../ui/status-badge.tsx'
import { useShop } from '../shop/api.ts'
import { deliveryNews } from './delivery-news.ts'
import { PaidAmounts } from './paid-amounts.tsx'
import { PaidReferences } from './paid-references.tsx'
import { totalPaid } from './total-paid.ts'

/** One order's receipt, to print or share. */
export default function ReceiptDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const shop = useShop()
  const text = receiptText(order, shop.name)
  const delivery = deliveryNews(order)
  const canShare = typeof navigator.share === 'function'
  return (
    <Dialog
      title="Receipt"
      onClose={onClose}
      className="receipt"
      footer={
        <div className="no-print flex w-full flex-col gap-2 sm:flex-row">
          <a href={whatsAppShareLink(text)} target="_blank" rel="noreferrer" className={`${buttonClass('primary')} flex-1`}>
            <MessageCircle className="size-5" aria-hidden="true" />
            WhatsApp
          </a>
          {canShare && (
            <Button
              variant="secondary"
              className="flex-1"
              icon={<Share2 className="size-5" aria-hidden="true" />}
              onClick={() => void navigator.share({ title: `Receipt ${order.reference}`, text }).catch(() => undefined)}
            >
              Share
            </Button>
          )}
          <Button
            variant="secondary"
            className="flex-1"
            icon={<Printer className="size-5" aria-hidden="true" />}
            onClick={() => window.print()}
          >
            Print
          </Button>
        </div>
      }
    >
      <div className="mb-4 flex items-center justify-between gap-3">
        <p className="tabular text-display">
          GHS <strong>{formatCedis(totalPaid(order))}</strong>
        </p>
        <StatusBadge tone={toneOfStatus(order.status)}>{order.status}</StatusBadge>
      </div>
      <Details>
        <Detail name="Shop">{shop.name}</Detail>
        <Detail name="Network">{order.network}</Detail>
        <Detail name="Offer">{order.offer}</Detail>
        <Detail name="Receiver">
          <span className="tabular">{spacedPhone(order.receiver)}</span>
        </Detail>
        <Detail name="Paid with">{order.paidWith === 'card' ? 'Card' : 'Wallet'}</Detail>
        <PaidReferences order={order} />
        <Detail name="ID">{order.number}</Detail>
        <Detail name="Date">{order.date} UTC</Detail>
        {delivery && <Detail name="Delivery">{delivery}</Detail>}
        {order.actionTimestamp && (
          <Detail name={order.status === 'rejected' ? 'Rejected' : 'Completed'}>{order.actionTimestamp} UTC</Detail>
        )}
        <Detail name="Bought by">{order.user}</Detail>
        <PaidAmounts order={order} />
      </Details>
      {order.status === 'rejected' && (
        <p className="mt-4 text-body text-muted">We refunded {moneyText(totalPaid(order))} to your wallet.</p>
      )}
    </Dialog>
  )
}

function receiptText(order: Order, shopName: string): string {
  const surcharge = order.surcharge > 0 ? ` with GHS ${formatCedis(order.surcharge)} card surcharge` : ''
  return [
    `${shopName}: receipt of order ${order.number}`,
    `${order.network} ${order.offer} for ${spacedPhone(order.receiver)}`,
    `GHS ${formatCedis(totalPaid(order))}${surcharge}, ${order.status}`,
    ...(order.paymentReference ? [`Payment reference ${order.paymentReference}`] : []),
    `${order.paymentReference ? 'Order reference' : 'Reference'} ${order.reference}`,
    `${order.date} UTC`,
  ].join('\n')
}

import { Check, Clock, Lock, Pause, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order } from '../../../../shared/orders.ts'
import { capitalised } from '../../../lib/admin/words.ts'
import { StateChip } from '../../../ui/admin/card.tsx'
import type { RowTone } from '../../../ui/admin/row.tsx'
import { supplierName } from '../../supplier/admin/supplier-words.ts'

/** How an order stands, with why it is on hold. */
export function OrderStatus({ order }: { order: Order }) {
  if (order.onHold) {
    return (
      <span className="flex flex-col items-start gap-0.5 max-lg:items-end">
        <OrderStatusMark order={order} />
        <span className="max-w-36 truncate text-small leading-tight text-muted max-lg:sr-only">{capitalised(order.onHold)}</span>
      </span>
    )
  }
  return <OrderStatusMark order={order} />
}

/** The same without the reason. Of a pending order it says who has it. */
export function OrderStatusMark({ order }: { order: Order }) {
  const { word, tone, icon } = standOf(order)
  return (
    <StateChip tone={tone} icon={icon}>
      {word}
    </StateChip>
  )
}

type Stand = { word: string; tone: RowTone; icon: ReactNode }

function standOf({ status, onHold, batch, supplier }: Order): Stand {
  if (status === 'completed') return { word: 'Completed', tone: 'done', icon: <Check aria-hidden="true" /> }
  if (status === 'rejected') return { word: 'Rejected', tone: 'danger', icon: <X aria-hidden="true" /> }
  if (onHold) return { word: 'On hold', tone: 'danger', icon: <Pause aria-hidden="true" /> }
  if (batch) return { word: `Batch ${batch.number}`, tone: 'pending', icon: <Lock aria-hidden="true" /> }
  switch (supplier?.status) {
    case 'waiting':
      return { word: `Held: ${supplierName(supplier.name)}`, tone: 'pending', icon: <Clock aria-hidden="true" /> }
    case 'sending':
    case 'accepted':
      return { word: `With ${supplierName(supplier.name)}`, tone: 'pending', icon: <Clock aria-hidden="true" /> }
    case 'unknown':
      return { word: 'Unclear', tone: 'danger', icon: <X aria-hidden="true" /> }
    case 'rejected':
      return { word: 'Refused', tone: 'danger', icon: <X aria-hidden="true" /> }
    case 'failed':
      return { word: 'Failed', tone: 'danger', icon: <X aria-hidden="true" /> }
    case 'delivered':
      return { word: 'Delivered', tone: 'done', icon: <Check aria-hidden="true" /> }
    default:
      return { word: 'Pending', tone: 'pending', icon: <Clock aria-hidden="true" /> }
  }
}

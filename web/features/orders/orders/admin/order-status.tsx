import { Check, Clock, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order, OrderStatus as Status } from '../../../../../shared/orders.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { StateChip } from '../../../../ui/admin/card.tsx'
import type { RowTone } from '../../../../ui/admin/row.tsx'
import { classNames } from '../../../../ui/class-names.ts'

const STATUSES: Record<Status, { tone: RowTone; icon: ReactNode }> = {
  pending: { tone: 'pending', icon: <Clock aria-hidden="true" /> },
  completed: { tone: 'done', icon: <Check aria-hidden="true" /> },
  rejected: { tone: 'danger', icon: <X aria-hidden="true" /> },
}

/** An order's status, and below a pending one who has it or why it waits. */
export function OrderStatus({ order, className }: { order: Order; className?: string }) {
  const news = newsOf(order)
  return (
    <span className={classNames('inline-flex flex-col items-start gap-0.5', className)}>
      <StateChip {...STATUSES[order.status]}>{capitalised(order.status)}</StateChip>
      {news && (
        <span
          className={classNames('max-w-[9rem] truncate text-small leading-tight', news.tone === 'danger' ? 'text-danger' : 'text-muted')}
          title={news.words}
        >
          {news.words}
        </span>
      )}
    </span>
  )
}

function newsOf({ status, onHold, batch, supplier }: Order): { words: string; tone?: 'danger' } | null {
  if (status !== 'pending') return null
  if (onHold) return { words: `On hold: ${onHold}`, tone: 'danger' }
  if (batch) return { words: `Batch ${batch.number}` }
  switch (supplier?.status) {
    case 'waiting':
      return { words: `Held: ${supplierName(supplier.name)}` }
    case 'sending':
    case 'accepted':
      return { words: `With ${supplierName(supplier.name)}` }
    case 'unknown':
      return { words: `Unclear: ${supplierName(supplier.name)}`, tone: 'danger' }
    case 'rejected':
      return { words: `Refused: ${supplierName(supplier.name)}`, tone: 'danger' }
    case 'failed':
      return { words: `Failed: ${supplierName(supplier.name)}`, tone: 'danger' }
    case 'delivered':
      return { words: `Delivered: ${supplierName(supplier.name)}` }
    default:
      return null
  }
}

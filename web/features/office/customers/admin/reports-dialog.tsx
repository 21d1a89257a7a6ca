import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Customer } from '../../../../../shared/customers.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { StatusBadge } from '../../../../ui/status-badge.tsx'
import { customerReportsQuery } from './api.ts'
import { momentWords } from './moment-words.ts'
import { PagedList } from './paged-list.tsx'

const WORDS = { open: 'Open', delivered: 'Delivered', resent: 'Sent again', refunded: 'Refunded' } as const
const TONES = { open: 'pending', delivered: 'done', resent: 'done', refunded: 'danger' } as const

/** What a customer reported as not delivered, and how it ended. */
export function ReportsDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const query = useInfiniteQuery(customerReportsQuery(customer._id))
  const reports = query.data?.pages.flatMap((page) => page.reports)
  return (
    <Dialog title={`Reports of ${customer.username}`} onClose={onClose}>
      <PagedList query={query} what="The reports" rows={reports} empty={`${customer.username} has reported nothing.`}>
        {({ _id, orderId, number, network, offer, receiver, status, openedAt }) => (
          <li key={_id}>
            <Link href={`/admin/orders/${orderId}`} onClick={onClose} className="flex items-center gap-3 py-2.5">
              <span className="min-w-0 flex-1">
                <span className="tabular block font-semibold">
                  Order {number}: {network} {offer}
                </span>
                <span className="tabular block text-small text-muted">
                  {spacedPhone(receiver)} · {momentWords(openedAt)}
                </span>
              </span>
              <StatusBadge tone={TONES[status]}>{WORDS[status]}</StatusBadge>
            </Link>
          </li>
        )}
      </PagedList>
    </Dialog>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { Customer } from '../../../../../shared/customers.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Money } from '../../../../ui/money.tsx'
import { StatusBadge, toneOfStatus } from '../../../../ui/status-badge.tsx'
import { customerRechargesQuery } from './api.ts'
import { momentWords } from './moment-words.ts'
import { PagedList } from './paged-list.tsx'

/** A customer's top-up requests; they are decided in Finance. */
export function RechargesDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const query = useInfiniteQuery(customerRechargesQuery(customer._id))
  const recharges = query.data?.pages.flatMap((page) => page.recharges)
  return (
    <Dialog
      title={`Top-ups of ${customer.username}`}
      onClose={onClose}
      no="Close"
      yes={
        customer.waitingTopUps > 0
          ? {
              href: `/admin/finance?search=${encodeURIComponent(customer.username)}`,
              onClick: onClose,
              children: 'Decide in Finance',
            }
          : undefined
      }
    >
      <PagedList query={query} what="The top-ups" rows={recharges} empty={`${customer.username} has not asked for a top-up yet.`}>
        {({ _id, rechargeId, amount, status, createdAt, declineReason }) => (
          <li key={_id} className="flex items-center gap-3 py-2.5">
            <span className="min-w-0 flex-1">
              <span className="tabular block font-semibold">{rechargeId}</span>
              <span className="tabular block text-small text-muted">
                {momentWords(createdAt)}
                {declineReason && ` · ${declineReason}`}
              </span>
            </span>
            {amount !== null && <Money cedis={amount} />}
            <StatusBadge tone={toneOfStatus(status)}>{status[0]?.toUpperCase() + status.slice(1)}</StatusBadge>
          </li>
        )}
      </PagedList>
    </Dialog>
  )
}

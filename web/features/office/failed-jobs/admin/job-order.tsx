import { Link } from 'wouter'
import type { FailedJob } from '../../../../../shared/jobs.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { Money } from '../../../../ui/money.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { StatusBadge, toneOfStatus } from '../../../../ui/status-badge.tsx'
import { totalPaid } from '../../../orders/orders/total-paid.ts'

/** The order that a job is for, on one or two lines. */
export function JobOrder({ order, linked }: { order: NonNullable<FailedJob['order']>; linked?: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <NetworkBadge network={order.network} />
      <span>{order.offer}</span>
      <span className="tabular font-medium whitespace-nowrap">{spacedPhone(order.receiver)}</span>
      <Money cedis={totalPaid(order)} />
      <span className="min-w-0 truncate text-muted">{order.agent}</span>
      <StatusBadge tone={toneOfStatus(order.status)}>{capitalised(order.status)}</StatusBadge>
      {linked && (
        <Link
          href={`/admin/orders?search=${encodeURIComponent(order.reference)}`}
          className="inline-flex min-h-11 items-center font-semibold text-brand-text underline underline-offset-4 sm:min-h-8"
        >
          Show the order
        </Link>
      )}
    </p>
  )
}

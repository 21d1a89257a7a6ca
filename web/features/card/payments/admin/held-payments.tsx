import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { HeldPayment } from '../../../../../shared/payments.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { callList } from '../../../../lib/api.ts'
import { NameAndPhone } from '../../../../ui/admin/name-and-phone.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { TwoLineDate } from '../../../../ui/admin/two-line-date.tsx'
import { Button } from '../../../../ui/button.tsx'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { ShortReference } from '../../../../ui/short-reference.tsx'
import { StatusBadge } from '../../../../ui/status-badge.tsx'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { ReleaseHoldDialog } from './release-hold-dialog.tsx'

const COLUMNS: Column<HeldPayment>[] = [
  { key: 'date', header: 'Date', cell: (payment) => <TwoLineDate text={formatDateTime(new Date(payment.createdAt))} /> },
  { key: 'reference', header: 'Reference', cell: (payment) => <ShortReference reference={payment.reference} /> },
  { key: 'user', header: 'Username', cell: (payment) => <NameAndPhone name={payment.user} phone={payment.phone} /> },
  { key: 'amount', header: 'Amount', align: 'right', cell: (payment) => <Money cedis={payment.amount} /> },
  { key: 'status', header: 'Status', cell: (payment) => <StatusBadge tone="pending">{capitalised(payment.status)}</StatusBadge> },
  { key: 'reason', header: 'Reason', cell: (payment) => <span className="block max-w-xl">{payment.reason}</span> },
]

type WithRelease = { payment: HeldPayment; onRelease: (payment: HeldPayment) => void }

/** Card payments that arrived but could not pay for their order. */
export function HeldPayments() {
  const list = useListState()
  const query = { ...list.query, status: 'held' }
  const { data, isPlaceholderData, error, refetch } = useQuery({
    queryKey: ['payments', query],
    queryFn: ({ signal }) => callList('GET /payment', { query, signal }),
    placeholderData: keepPreviousData,
  })
  const [releasing, setReleasing] = useState<HeldPayment | null>(null)
  const columns: Column<HeldPayment>[] = [
    ...COLUMNS,
    { key: 'release', header: '', cell: (payment) => <Release payment={payment} onRelease={setReleasing} /> },
  ]
  useLastPage(isPlaceholderData ? undefined : data, list)
  return (
    <div>
      <h2 className="pb-3 text-title">Held card payments</h2>
      {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
      {error && !data ? (
        <LoadError what="The held card payments" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="Held card payments"
          columns={columns}
          rows={data?.rows}
          rowKey={(payment) => payment.reference}
          total={data?.total ?? 0}
          state={list.table}
          onState={list.setTable}
          stale={isPlaceholderData}
          searchLabel="Search held payments"
          card={(payment) => <HeldPaymentCard payment={payment} onRelease={setReleasing} />}
          empty={
            <p className="rounded-box border border-dashed border-line px-4 py-5 text-muted">
              No payments on hold. When a card payment arrives and we can’t place its order, you’ll see it here.
            </p>
          }
        />
      )}
      {releasing && (
        <ReleaseHoldDialog
          reference={releasing.reference}
          what="money"
          warning={`GHS ${releasing.waits?.toFixed(2)} of ${releasing.user} goes into the wallet and can be spent at once. If the card was not theirs, its bank takes the money back from you.`}
          onClose={() => setReleasing(null)}
        />
      )}
    </div>
  )
}

function Release({ payment, onRelease }: WithRelease) {
  if (payment.waits === null) return null
  return (
    <Button variant="secondary" size="compact" onClick={() => onRelease(payment)}>
      Release
    </Button>
  )
}

function HeldPaymentCard({ payment, onRelease }: WithRelease) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <Money cedis={payment.amount} className="text-title" />
        <StatusBadge tone="pending">{capitalised(payment.status)}</StatusBadge>
      </div>
      <NameAndPhone name={payment.user} phone={payment.phone} />
      <p>{payment.reason}</p>
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-small text-muted">
        <ShortReference reference={payment.reference} />
        <span className="tabular">{formatDateTime(new Date(payment.createdAt))}</span>
      </p>
      <Release payment={payment} onRelease={onRelease} />
    </div>
  )
}

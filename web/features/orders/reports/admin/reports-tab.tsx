import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MessageSquareWarning } from 'lucide-react'
import { useState } from 'react'
import type { ReportOfOrder } from '../../../../../shared/reports.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { FilterSelect } from '../../../../ui/admin/filter-select.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { StatusBadge, type StatusTone } from '../../../../ui/status-badge.tsx'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { OrderAmount } from '../../orders/admin/order-amount.tsx'
import { reportsQuery } from './api.ts'
import { ReportDialog } from './report-dialog.tsx'

const STATUS_OPTIONS = [
  { value: 'open', label: 'Open' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'resent', label: 'Sent again' },
  { value: 'refunded', label: 'Refunded' },
]
const TONES: Record<ReportOfOrder['status'], StatusTone> = { open: 'pending', delivered: 'done', resent: 'done', refunded: 'danger' }

/** Orders that customers say have not arrived: each is answered, and ends as delivered, sent again or refunded. */
export default function ReportsTab() {
  const list = useListState({ status: '' })
  const { data, isPlaceholderData, error, refetch } = useQuery({ ...reportsQuery(list.query), placeholderData: keepPreviousData })
  useLastPage(isPlaceholderData ? undefined : data, list)
  const [shown, setShown] = useState<ReportOfOrder | null>(null)
  const now = useNow()

  const answer = (report: ReportOfOrder, block = false) => (
    <Button size="compact" variant={report.status === 'open' ? 'primary' : 'secondary'} block={block} onClick={() => setShown(report)}>
      {report.status === 'open' ? 'Answer' : 'Show'}
    </Button>
  )
  const columns: Column<ReportOfOrder>[] = [
    { key: 'order', header: 'Order', cell: ({ number }) => <span className="tabular">{number}</span> },
    { key: 'agent', header: 'Agent', cell: ({ order }) => <span className="block max-w-36 break-words">{order.agent}</span> },
    { key: 'network', header: 'Network', cell: ({ order }) => <NetworkBadge network={order.network} className="whitespace-nowrap" /> },
    { key: 'receiver', header: 'Receiver', cell: ({ order }) => <span className="tabular">{order.receiver}</span> },
    { key: 'offer', header: 'Offer', cell: ({ order }) => order.offer },
    { key: 'amount', header: 'Amount', align: 'right', cell: ({ order }) => <OrderAmount order={order} /> },
    { key: 'status', header: 'Status', cell: (report) => <Status report={report} now={now} /> },
    { key: 'last', header: 'Last line', cell: (report) => <LastLine report={report} /> },
    { key: 'action', header: 'Action', sticky: true, cell: (report) => answer(report) },
  ]

  if (error && !data) return <LoadError what="The reports" error={error} onRetry={() => void refetch()} />
  return (
    <>
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <DataTable
        caption="Reports"
        columns={columns}
        rows={data?.rows}
        rowKey={(report) => report._id}
        total={data?.total ?? 0}
        state={list.table}
        onState={list.setTable}
        stale={isPlaceholderData}
        searchLabel="Search reports"
        wideFrom="(min-width: 64rem)"
        card={(report) => (
          <div className="flex flex-col gap-1.5">
            <div className="flex items-start justify-between gap-3">
              <OrderAmount order={report.order} className="text-title" />
              <Status report={report} now={now} />
            </div>
            <p>
              <span className="tabular">{report.number}</span> · {report.order.network} {report.order.offer} to{' '}
              <span className="tabular">{report.order.receiver}</span>
            </p>
            <p className="truncate text-small text-muted">{report.order.agent}</p>
            <LastLine report={report} />
            {answer(report, true)}
          </div>
        )}
        empty={
          list.narrowed ? (
            <EmptyState
              icon={<MessageSquareWarning />}
              title="No report matches"
              action={<Button onClick={list.clear}>Show all reports</Button>}
            />
          ) : (
            <EmptyState icon={<MessageSquareWarning />} title="No reports">
              When a customer says that an order hasn’t arrived, it shows up here, and you answer it here.
            </EmptyState>
          )
        }
        filters={
          <FilterSelect
            label="Status"
            all="All statuses"
            value={list.filters.status}
            options={STATUS_OPTIONS}
            onValue={(status) => list.setFilter('status', status)}
          />
        }
      />
      {shown && <ReportDialog report={data?.rows.find(({ _id }) => _id === shown._id) ?? shown} onClose={() => setShown(null)} />}
    </>
  )
}

function Status({ report, now }: { report: ReportOfOrder; now: Date }) {
  const label = STATUS_OPTIONS.find(({ value }) => value === report.status)?.label ?? report.status
  return (
    <span className="flex flex-col items-end gap-0.5 lg:items-start">
      <StatusBadge tone={TONES[report.status]}>{label}</StatusBadge>
      {report.status === 'open' && <span className="text-small text-muted">for {waitingFor(report.openedAt, now)}</span>}
    </span>
  )
}

function LastLine({ report }: { report: ReportOfOrder }) {
  const last = report.messages.at(-1)
  if (!last) return null
  return (
    <span className="line-clamp-2 max-w-72 text-small break-words">
      <span className="text-muted">{last.from === 'shop' ? 'Shop' : 'Customer'}:</span> {last.text}
    </span>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowRight, History } from 'lucide-react'
import { actionName } from '../../../../../shared/action-words.ts'
import type { AdminAction } from '../../../../../shared/admin-actions.ts'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { callList } from '../../../../lib/api.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { TwoLineDate } from '../../../../ui/admin/two-line-date.tsx'
import { CsvButton } from '../../../../ui/csv-button.tsx'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Field } from '../../../../ui/field.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { changesOf } from './action-words.ts'

const NO_FILTERS = { from: '', to: '' }

const COLUMNS: Column<AdminAction>[] = [
  { key: 'date', header: 'Date', cell: (action) => <TwoLineDate text={formatDateTime(new Date(action.createdAt))} /> },
  { key: 'actor', header: 'Who', cell: (action) => <span className="font-medium">{action.actor ?? 'The shop'}</span> },
  { key: 'action', header: 'Action', cell: (action) => <span className="whitespace-nowrap">{actionName(action.action)}</span> },
  { key: 'subject', header: 'Subject', cell: (action) => <span className="block max-w-72 break-words">{action.subject}</span> },
  { key: 'change', header: 'Change', cell: (action) => <Changes action={action} /> },
  { key: 'note', header: 'Note', cell: (action) => <span className="block max-w-72 break-words">{action.note || <Nothing />}</span> },
  { key: 'ip', header: 'Address', cell: (action) => <span className="tabular text-small text-muted">{action.ip ?? '–'}</span> },
]

/** Which admin did what, when and why. Append-only. */
export default function ActivityTab() {
  const list = useListState(NO_FILTERS)
  const { data, isPlaceholderData, error, refetch } = useQuery({
    queryKey: ['admin-actions', list.query],
    queryFn: ({ signal }) => callList('GET /admin/actions', { query: list.query, signal }),
    placeholderData: keepPreviousData,
  })
  useLastPage(isPlaceholderData ? undefined : data, list)
  if (error && !data) return <LoadError what="The activity" error={error} onRetry={() => void refetch()} />
  return (
    <>
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <DataTable
        caption="Activity"
        columns={COLUMNS}
        rows={data?.rows}
        rowKey={(action) => action._id}
        total={data?.total ?? 0}
        state={list.table}
        onState={list.setTable}
        stale={isPlaceholderData}
        searchLabel="Search activity"
        filters={
          <>
            <DayField label="From" value={list.filters.from} onValue={(day) => list.setFilter('from', day)} />
            <DayField label="To" value={list.filters.to} onValue={(day) => list.setFilter('to', day)} />
            <CsvButton file="admin-activity" />
          </>
        }
        wideFrom="(min-width: 64rem)"
        card={(action) => <ActionCard action={action} />}
        empty={
          <EmptyState icon={<History />} title="Nothing done yet">
            You’ll see here who decided an order, updated a wallet or changed a user, and when.
          </EmptyState>
        }
      />
    </>
  )
}

function DayField({ label, value, onValue }: { label: string; value: string; onValue: (day: string) => void }) {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="min-w-9 text-small text-muted">
        {label}
      </span>
      <Field label={label} hideLabel type="date" value={value} onChange={(event) => onValue(event.currentTarget.value)} className="w-40" />
    </span>
  )
}

function Changes({ action }: { action: AdminAction }) {
  const changes = changesOf(action)
  if (changes.length === 0) return <Nothing />
  return (
    <ul className="flex flex-col">
      {changes.map(({ name, before, after }) => (
        <li key={name} className="max-w-96 break-words">
          <span className="text-muted">{name} </span>
          {before !== null && <span>{before}</span>}
          {before !== null && after !== null && <ArrowRight aria-label="to" className="mx-1 inline size-3.5 text-muted" />}
          {after !== null ? <span className="font-semibold">{after}</span> : <span className="text-muted"> removed</span>}
        </li>
      ))}
    </ul>
  )
}

function Nothing() {
  return <span className="text-muted">–</span>
}

function ActionCard({ action }: { action: AdminAction }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-large font-semibold">{actionName(action.action)}</span>
        <span className="text-right text-small text-muted">{action.actor ?? 'The shop'}</span>
      </p>
      <p className="break-words">{action.subject}</p>
      {changesOf(action).length > 0 && <Changes action={action} />}
      {action.note && <p className="break-words text-muted">“{action.note}”</p>}
      <p className="tabular flex flex-wrap justify-between gap-x-3 text-small text-muted">
        <span>{formatDateTime(new Date(action.createdAt))}</span>
        <span>{action.ip}</span>
      </p>
    </div>
  )
}

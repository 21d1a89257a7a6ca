import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../shared/dates.ts'
import type { StatementLine } from '../../../shared/wallet.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { classNames } from '../../ui/class-names.ts'
import { type Column, DataTable, FIRST_PAGE } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { controlClass, SelectControl } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { LoadError } from '../../ui/notice-box.tsx'
import { CsvButton } from '../export/csv-button.tsx'
import { statementQuery } from './api.ts'

const MONTHS_BACK = 12

/** Every movement of the own wallet with the balance after it. */
export function Statement() {
  const [state, setState] = useState(FIRST_PAGE)
  const [month, setMonth] = useState('')
  const search = useDebounced(state.search).trim()
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...statementQuery({ page: state.page, pageSize: state.pageSize, search, month }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <LoadError what="Your statement" error={error} onRetry={() => void refetch()} />
  return (
    <DataTable
      caption="Statement"
      columns={COLUMNS}
      rows={data?.rows}
      rowKey={(line) => line.id}
      total={data?.total ?? 0}
      state={state}
      onState={setState}
      stale={isPlaceholderData}
      searchLabel="Search my statement"
      card={(line) => <LineCard line={line} />}
      filters={
        <SelectControl
          aria-label="Month"
          value={month}
          onChange={(event) => {
            setMonth(event.currentTarget.value)
            setState({ ...state, page: 1 })
          }}
          className={classNames(controlClass, 'min-h-11! w-36 text-body!')}
        >
          <option value="">All months</option>
          {lastMonths(new Date()).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectControl>
      }
      actions={<CsvButton file="statement" filters={{ ...(month && { month }), ...(search && { search }) }} />}
      empty={
        <EmptyState icon={<ScrollText />} title={month ? 'Nothing moved in that month' : 'Nothing has moved yet'}>
          {month ? 'Choose another month.' : 'Top-ups, purchases and refunds are listed here, each with your balance after it.'}
        </EmptyState>
      }
    />
  )
}

const COLUMNS: readonly Column<StatementLine>[] = [
  { key: 'date', header: 'Date', cell: (line) => <span className="tabular text-small whitespace-nowrap">{dateOf(line)}</span> },
  {
    key: 'what',
    header: 'What',
    cell: (line) => (
      <span>
        <span className="block font-medium">{line.kind}</span>
        {line.details && <span className="block text-small text-muted">{line.details}</span>}
      </span>
    ),
  },
  { key: 'reference', header: 'Reference', cell: (line) => <span className="tabular text-small break-all">{line.reference}</span> },
  { key: 'amount', header: 'Amount', align: 'right', cell: (line) => <Money cedis={line.amount} signed className={toneOf(line)} /> },
  { key: 'balance', header: 'Balance', align: 'right', cell: (line) => <Money cedis={line.balance} /> },
]

function LineCard({ line }: { line: StatementLine }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start justify-between gap-3">
        <span className="font-semibold">{line.kind}</span>
        <Money cedis={line.amount} signed className={classNames('text-large', toneOf(line))} />
      </div>
      {line.details && <p className="text-body break-words text-muted">{line.details}</p>}
      <div className="tabular flex flex-wrap items-center justify-between gap-x-3 text-small text-muted">
        <span>
          {dateOf(line)}
          {line.reference && <span className="break-all"> · {line.reference}</span>}
        </span>
        <span className="whitespace-nowrap">
          Balance <Money cedis={line.balance} />
        </span>
      </div>
    </div>
  )
}

function toneOf({ amount }: StatementLine): string | undefined {
  return amount > 0 ? 'text-done' : undefined
}

function dateOf({ createdAt }: StatementLine): string {
  return formatDateTime(new Date(createdAt))
}

/** This month and those before it, as the server and as people name them. Months are in UTC, Ghana's time all year. */
function lastMonths(now: Date): { value: string; label: string }[] {
  return Array.from({ length: MONTHS_BACK }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    return {
      value: first.toISOString().slice(0, 7),
      label: first.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
    }
  })
}

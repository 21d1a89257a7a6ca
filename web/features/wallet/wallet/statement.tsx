import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { formatDateTime } from '../../../../shared/dates.ts'
import type { StatementLine } from '../../../../shared/wallet.ts'
import { shopNow } from '../../../lib/clock.ts'
import { walletTexts } from '../../../texts/wallet.ts'
import { classNames } from '../../../ui/class-names.ts'
import { CsvButton } from '../../../ui/csv-button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { controlClass, SelectControl } from '../../../ui/field.tsx'
import { Money } from '../../../ui/money.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { ShortReference } from '../../../ui/short-reference.tsx'
import { useLastPage, useListState } from '../../../ui/use-list-state.ts'
import { statementQuery } from './api.ts'

const MONTHS_BACK = 12
const NO_FILTERS = { month: '' }

/** Every movement of the own wallet with the balance after it. */
export function Statement() {
  const list = useListState(NO_FILTERS)
  const { month } = list.filters
  const { search } = list.query
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...statementQuery(list.query), placeholderData: keepPreviousData })
  useLastPage(isPlaceholderData ? undefined : data, list)
  if (error && !data) return <LoadError what={walletTexts.statementOf} error={error} onRetry={() => void refetch()} />
  return (
    <DataTable
      caption={walletTexts.statement}
      columns={COLUMNS}
      rows={data?.rows}
      rowKey={(line) => line.id}
      total={data?.total ?? 0}
      state={list.table}
      onState={list.setTable}
      stale={isPlaceholderData}
      searchLabel={walletTexts.searchStatement}
      card={(line) => <LineCard line={line} />}
      filters={
        <>
          <SelectControl
            aria-label={walletTexts.month}
            value={month}
            onChange={(event) => list.setFilter('month', event.currentTarget.value)}
            className={classNames(controlClass, 'min-h-11! w-36 text-body! max-lg:text-large!')}
          >
            <option value="">{walletTexts.allMonths}</option>
            {lastMonths(shopNow()).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectControl>
          <CsvButton file="statement" filters={{ ...(month && { month }), ...(search && { search }) }} />
        </>
      }
      empty={
        <EmptyState icon={<ScrollText />} title={month ? walletTexts.nothingThatMonth : walletTexts.nothingYet}>
          {month ? walletTexts.otherMonth : walletTexts.nothingYetText}
        </EmptyState>
      }
    />
  )
}

const COLUMNS: readonly Column<StatementLine>[] = [
  { key: 'date', header: walletTexts.date, cell: (line) => <span className="tabular text-small whitespace-nowrap">{dateOf(line)}</span> },
  {
    key: 'what',
    header: walletTexts.what,
    cell: (line) => (
      <span>
        <span className="block font-medium">{line.kind}</span>
        {line.details && <span className="block text-small break-words text-muted">{detailsOf(line)}</span>}
      </span>
    ),
  },
  {
    key: 'reference',
    header: walletTexts.referenceColumn,
    cell: ({ reference }) => reference && <ShortReference reference={reference} />,
  },
  { key: 'amount', header: walletTexts.sum, align: 'right', cell: (line) => <Money cedis={line.amount} signed className={toneOf(line)} /> },
  { key: 'balance', header: walletTexts.balanceAfter, align: 'right', cell: (line) => <Money cedis={line.balance} /> },
]

function LineCard({ line }: { line: StatementLine }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-start justify-between gap-x-3">
        <span className="font-semibold">{line.kind}</span>
        <Money cedis={line.amount} signed className={classNames('text-large', toneOf(line))} />
      </div>
      {line.details && <p className="text-small break-words text-muted">{detailsOf(line)}</p>}
      <div className="tabular flex flex-wrap items-center justify-between gap-x-3 text-small text-muted">
        <span>{dateOf(line)}</span>
        {line.reference && <ShortReference reference={line.reference} />}
        <span>
          {walletTexts.balanceAfter} <Money cedis={line.balance} />
        </span>
      </div>
    </div>
  )
}

/** What an admin wrote stands in quotation marks. */
function detailsOf({ kind, details }: StatementLine): string | null {
  return kind === 'Credit by the shop' || kind === 'Debit by the shop' ? walletTexts.quoted(details ?? '') : details
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

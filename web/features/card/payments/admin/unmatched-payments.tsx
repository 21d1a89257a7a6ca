import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { UnmatchedPayment } from '../../../../../shared/payments.ts'
import { callList } from '../../../../lib/api.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { TwoLineDate } from '../../../../ui/admin/two-line-date.tsx'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { ShortReference } from '../../../../ui/short-reference.tsx'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'

const COLUMNS: Column<UnmatchedPayment>[] = [
  { key: 'date', header: 'Date', cell: (payment) => <TwoLineDate text={formatDateTime(new Date(payment.foundAt))} /> },
  { key: 'reference', header: 'Reference', cell: (payment) => <ShortReference reference={payment.reference} /> },
  { key: 'payer', header: 'Payer', cell: (payment) => <span className="break-all">{payment.payerEmail ?? 'Unknown'}</span> },
  { key: 'amount', header: 'Amount', align: 'right', cell: (payment) => <Amount payment={payment} /> },
  { key: 'todo', header: 'What to do', cell: (payment) => <span className="block max-w-xl">{payment.whatToDo}</span> },
]

/** Card payments under references that the shop never issued. An admin must find out whose they are. */
export function UnmatchedPayments() {
  const list = useListState(undefined, 'unmatched-')
  const query = list.query
  const { data, isPlaceholderData, error, refetch } = useQuery({
    queryKey: ['payments', 'unmatched', query],
    queryFn: ({ signal }) => callList('GET /payment/unmatched', { query, signal }),
    placeholderData: keepPreviousData,
  })
  useLastPage(isPlaceholderData ? undefined : data, list)
  return (
    <div>
      <h2 className="pb-3 text-title">Card payments we can't match</h2>
      {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
      {error && !data ? (
        <LoadError what="The card payments we can't match" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="Card payments we can't match"
          columns={COLUMNS}
          rows={data?.rows}
          rowKey={(payment) => payment.reference}
          total={data?.total ?? 0}
          state={list.table}
          onState={list.setTable}
          stale={isPlaceholderData}
          searchLabel="Search by reference or e-mail"
          card={(payment) => (
            <div className="flex flex-col gap-1.5">
              <Amount payment={payment} />
              <p className="font-medium break-all">{payment.payerEmail ?? 'Unknown payer'}</p>
              <p>{payment.whatToDo}</p>
              <p className="flex flex-wrap items-center justify-between gap-x-3 text-small text-muted">
                <ShortReference reference={payment.reference} />
                <span className="tabular">{formatDateTime(new Date(payment.foundAt))}</span>
              </p>
            </div>
          )}
          empty={
            <p className="rounded-box border border-dashed border-line px-4 py-5 text-muted">
              Nothing here. Money that comes under a reference we don't know is listed here until we know whose it is.
            </p>
          }
        />
      )}
    </div>
  )
}

function Amount({ payment: { amount, currency } }: { payment: UnmatchedPayment }) {
  if (currency === 'GHS') return <Money cedis={amount} className="font-semibold" />
  return (
    <span className="tabular font-semibold">
      {currency} {amount.toFixed(2)}
    </span>
  )
}

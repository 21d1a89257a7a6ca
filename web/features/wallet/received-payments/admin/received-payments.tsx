import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatDateTime, formatLongDate } from '../../../../../shared/dates.ts'
import type { ListedPayment } from '../../../../../shared/received-payments.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { NameAndPhone } from '../../../../ui/admin/name-and-phone.tsx'
import { Button } from '../../../../ui/button.tsx'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { receivedPaymentsQuery } from './api.ts'
import { payerOf, transactionOf } from './payment-words.ts'
import { takeBack } from './take-back.tsx'

/** Every payment that was read, with who got it. A wrong credit is taken back here. */
export function ReceivedPayments() {
  const list = useListState()
  const { data, isPlaceholderData, error, refetch } = useQuery({ ...receivedPaymentsQuery(list.query), placeholderData: keepPreviousData })
  useLastPage(isPlaceholderData ? undefined : data, list)
  if (error && !data) return <LoadError what="The received payments" error={error} onRetry={() => void refetch()} />
  return (
    <DataTable
      caption="Received payments"
      columns={COLUMNS}
      rows={data?.rows}
      rowKey={(payment) => payment._id}
      total={data?.total ?? 0}
      state={list.table}
      onState={list.setTable}
      stale={isPlaceholderData}
      searchLabel="Search received payments"
      card={(payment) => (
        <div className="flex flex-col gap-1">
          <p className="flex items-baseline justify-between gap-3">
            <Payer payment={payment} />
            <Money cedis={payment.amount} />
          </p>
          <p className="tabular text-small break-words text-muted">
            {transactionOf(payment)}
            {payment.reference && `, reference ${payment.reference}`}
          </p>
          <p className="text-small">{fateOf(payment)}</p>
          <TakeBackButton payment={payment} />
        </div>
      )}
      empty={
        <p className="rounded-box border border-dashed border-line px-4 py-5 text-muted">
          No payments yet. Paste the SMS you got, and they show up here.
        </p>
      }
    />
  )
}

const COLUMNS: Column<ListedPayment>[] = [
  { key: 'read', header: 'Read', cell: (payment) => <span className="tabular">{formatDateTime(new Date(payment.receivedAt))}</span> },
  { key: 'payment', header: 'Payment', cell: (payment) => <Transaction payment={payment} /> },
  { key: 'from', header: 'From', cell: (payment) => <Payer payment={payment} /> },
  { key: 'amount', header: 'Amount', align: 'right', cell: (payment) => <Money cedis={payment.amount} /> },
  { key: 'fate', header: 'Counted', cell: fateOf },
  { key: 'actions', header: 'Actions', cell: (payment) => <TakeBackButton payment={payment} /> },
]

function Payer({ payment }: { payment: ListedPayment }) {
  return <NameAndPhone name={payerOf(payment)} phone={payment.payerName && payment.payerPhone} />
}

function Transaction({ payment }: { payment: ListedPayment }) {
  return (
    <span className="tabular block">
      {transactionOf(payment)}
      {payment.reference && <span className="block max-w-48 text-small break-words text-muted">{payment.reference}</span>}
    </span>
  )
}

function TakeBackButton({ payment }: { payment: ListedPayment }) {
  const { credit } = payment
  if (!credit) return null
  return (
    <Button
      variant="secondary"
      size="compact"
      onClick={() => void takeBack(payment, credit.username, aboutRecord(payment, 'status', 'credit'))}
    >
      Take back
    </Button>
  )
}

function fateOf({ status, credit }: ListedPayment): string {
  if (credit) {
    const request = credit.rechargeId ? ` for ${credit.rechargeId}` : ''
    return `Credited to ${credit.username}${request} on ${formatLongDate(new Date(credit.at))}, by ${credit.by}`
  }
  return status === 'dismissed' ? 'Dismissed' : 'Waits'
}

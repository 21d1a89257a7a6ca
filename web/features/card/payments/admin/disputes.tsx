import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { Order } from '../../../../../shared/orders.ts'
import type { PaymentDispute } from '../../../../../shared/payments.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { callList } from '../../../../lib/api.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { TwoLineDate } from '../../../../ui/admin/two-line-date.tsx'
import { Button } from '../../../../ui/button.tsx'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { StatusBadge, type StatusTone } from '../../../../ui/status-badge.tsx'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { ReleaseHoldDialog } from './release-hold-dialog.tsx'

const TONES: Record<string, StatusTone> = { open: 'pending', unclear: 'pending', won: 'done', lost: 'danger', processed: 'danger' }
const WORDS: Record<string, string> = { open: 'To answer', 'needs-attention': 'Needs attention', processed: 'Refunded' }

function disputesQuery(query: { search: string; page: number; pageSize: number }) {
  return queryOptions({
    queryKey: ['payments', 'disputes', query],
    queryFn: ({ signal }) => callList('GET /payment/disputes', { query, signal }),
  })
}

/** What payers' banks ask back and what was refunded at the card provider: what to answer by when, and with what evidence. */
export function Disputes() {
  const list = useListState(undefined, 'disputes-')
  const [releasing, setReleasing] = useState<PaymentDispute | null>(null)
  const { data, isPlaceholderData, error, refetch } = useQuery({ ...disputesQuery(list.query), placeholderData: keepPreviousData })
  useLastPage(isPlaceholderData ? undefined : data, list)
  const columns: Column<PaymentDispute>[] = [
    { key: 'due', header: 'Answer by', cell: (one) => <TwoLineDate text={one.dueAt && formatDateTime(new Date(one.dueAt))} /> },
    { key: 'amount', header: 'Amount', align: 'right', cell: (one) => <Money cedis={one.amount} /> },
    { key: 'outcome', header: 'Status', cell: (one) => <Outcome dispute={one} /> },
    { key: 'customer', header: 'Customer', cell: (one) => <Customer dispute={one} /> },
    { key: 'orders', header: 'Orders', cell: (one) => <Evidence orders={one.orders} /> },
    { key: 'todo', header: 'What to do', cell: (one) => <WhatToDo dispute={one} onRelease={setReleasing} /> },
  ]
  return (
    <div>
      <h2 className="pb-3 text-title">Disputes and refunds</h2>
      {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
      {error && !data ? (
        <LoadError what="The disputes" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="Disputes and refunds"
          columns={columns}
          rows={data?.rows}
          rowKey={({ kind, id }) => `${kind} ${id}`}
          total={data?.total ?? 0}
          state={list.table}
          onState={list.setTable}
          stale={isPlaceholderData}
          searchLabel="Search disputes and refunds"
          card={(one) => <DisputeCard dispute={one} onRelease={setReleasing} />}
          empty={
            <p className="rounded-box border border-dashed border-line px-4 py-5 text-muted">
              No disputes. If a customer's bank asks for a card payment back, you'll see here what to answer and by when.
            </p>
          }
        />
      )}
      {releasing && (
        <ReleaseHoldDialog
          reference={releasing.reference}
          what="orders"
          warning={`They are on hold, because ${releasing.onHold}. If they are delivered and the money goes back, you lose both.`}
          onClose={() => setReleasing(null)}
        />
      )}
    </div>
  )
}

type Props = { dispute: PaymentDispute }
type WithRelease = Props & { onRelease: (dispute: PaymentDispute) => void }

function DisputeCard({ dispute, onRelease }: WithRelease) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <Money cedis={dispute.amount} className="text-title" />
        <Outcome dispute={dispute} />
      </div>
      {dispute.dueAt && (
        <p>
          Answer by <DueDate dispute={dispute} />
        </p>
      )}
      <Customer dispute={dispute} />
      <Evidence orders={dispute.orders} />
      <WhatToDo dispute={dispute} onRelease={onRelease} />
    </div>
  )
}

function DueDate({ dispute: { dueAt } }: Props) {
  if (!dueAt) return <span className="text-muted">–</span>
  return <span className="tabular font-semibold whitespace-nowrap">{formatDateTime(new Date(dueAt))}</span>
}

function Outcome({ dispute: { kind, outcome } }: Props) {
  const word = WORDS[outcome] ?? capitalised(outcome)
  return (
    <StatusBadge tone={TONES[outcome] ?? 'neutral'}>{kind === 'refund' && outcome !== 'processed' ? `Refund: ${word}` : word}</StatusBadge>
  )
}

function Customer({ dispute: { customer, payerEmail, reference } }: Props) {
  return (
    <div className="flex flex-col break-words">
      <span className="font-medium">{customer ? customer.username : 'Not one of ours'}</span>
      {customer && <span className="tabular text-small">{spacedPhone(customer.phone)}</span>}
      <span className="text-small break-all text-muted">{customer?.email ?? payerEmail}</span>
      <span className="text-small break-all text-muted">{reference}</span>
    </div>
  )
}

/** What shows that an order was delivered: when, and under which reference at whom. */
function Evidence({ orders }: { orders: Order[] }) {
  if (orders.length === 0) return <span className="text-muted">None</span>
  return (
    <ul className="flex flex-col gap-2 text-small">
      {orders.map((order) => (
        <li key={order._id} className="flex flex-col">
          <span className="font-medium">
            Order {order.id}: {order.network} {order.offer} to <span className="tabular">{spacedPhone(order.receiver)}</span>
          </span>
          <span className="text-muted">
            {capitalised(order.status)}
            {order.actionTimestamp && ` ${order.actionTimestamp}`}, ordered {order.date}
          </span>
          <span className="break-all text-muted">
            {order.supplier
              ? `${supplierName(order.supplier.name)} ${order.supplier.supplierReference ?? order.reference}: ${order.supplier.detail || order.supplier.status}`
              : order.reference}
          </span>
        </li>
      ))}
    </ul>
  )
}

function WhatToDo({ dispute, onRelease }: WithRelease) {
  const isWaiting = dispute.onHold !== null && dispute.orders.some(({ status }) => status === 'pending')
  return (
    <div className="flex max-w-xl flex-col items-start gap-2">
      <p>{dispute.whatToDo}</p>
      {dispute.booked > 0 && (
        <p className="text-small text-muted">
          Booked: <Money cedis={dispute.booked} />
        </p>
      )}
      {isWaiting && (
        <>
          <StatusBadge tone="pending">Orders on hold</StatusBadge>
          <Button variant="secondary" size="compact" onClick={() => onRelease(dispute)}>
            Release the orders
          </Button>
        </>
      )}
    </div>
  )
}

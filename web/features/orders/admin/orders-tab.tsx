import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Inbox, Keyboard } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { NETWORKS } from '../../../../shared/networks.ts'
import { type DecideManyRequest, type Decision, ORDER_STATUSES, type Order } from '../../../../shared/orders.ts'
import { capitalised, counted } from '../../../lib/admin/words.ts'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { CHANGED, useChangedRows } from '../../../ui/admin/changed-rows.ts'
import { FilterSelect } from '../../../ui/admin/filter-select.tsx'
import { RefreshProblem } from '../../../ui/admin/refresh-problem.tsx'
import { TwoLineDate } from '../../../ui/admin/two-line-date.tsx'
import { useLastPage, useListState } from '../../../ui/admin/use-list-state.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { NetworkBadge } from '../../../ui/network-badge.tsx'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { ordersQuery } from '../api.ts'
import { totalPaid } from '../total-paid.ts'
import { MAX_DECIDE_MANY, type Refusal, useDecideOrders } from './api.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CopyOffer } from './copy-offer.tsx'
import { CopyReceiver } from './copy-receiver.tsx'
import { DecideOrderDialog } from './decide-order-dialog.tsx'
import { DecideOrdersDialog } from './decide-orders-dialog.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderAmount } from './order-amount.tsx'
import { OrderCard } from './order-card.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderKeysDialog } from './order-keys-dialog.tsx'
import { OrderReference } from './order-reference.tsx'
import { OrderStatus, OrderStatusMark } from './order-status.tsx'
import { OrderSupplier, SupplierWarning } from './order-supplier.tsx'
import { addToSelection, asksForReasonAlone } from './plan-decisions.ts'
import { focusRow, useOrderKeys } from './use-order-keys.ts'

const NO_FILTERS = { status: '', network: '' }
const NONE: ReadonlyMap<string, Order> = new Map()
const STATUS_OPTIONS = ORDER_STATUSES.map((status) => ({ value: status, label: capitalised(status) }))
const NETWORK_OPTIONS = NETWORKS.map((network) => ({ value: network, label: network }))
const versionOf = (order: Order) => order.status
/** Eleven columns need the room of a laptop; below that an order is a card. */
const WIDE_FROM = '(min-width: 64rem)'

/** Every order of the shop, newest first, to be processed or rejected one by one or many at once. */
export function OrdersTab() {
  const list = useListState(NO_FILTERS)
  const orders = useQuery({ ...ordersQuery(list.query), placeholderData: keepPreviousData })
  const { data, isPlaceholderData, error, refetch } = orders
  useLastPage(isPlaceholderData ? undefined : data, list)
  const changed = useChangedRows(isPlaceholderData ? undefined : data?.rows, versionOf, JSON.stringify(list.query))
  const { deciding, decideOne, decideMany } = useDecideOrders()
  const [picked, setPicked] = useState(NONE)
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const [helping, setHelping] = useState(false)
  const [reasoning, setReasoning] = useState<{ order: Order; status: Decision } | null>(null)
  const [askingMany, setAskingMany] = useState<Decision | null>(null)
  const hasKeyboard = useMediaQuery('(hover: hover) and (pointer: fine)')

  const rows = data?.rows ?? []
  const fresh = (order: Order) => rows.find((row) => row._id === order._id) ?? order
  const selected = [...picked.values()].map(fresh).filter((order) => order.status === 'pending')
  const pendingHere = rows.filter((order) => order.status === 'pending')

  const toggle = (order: Order) => {
    const next = new Map(picked)
    if (!next.delete(order._id) && selected.length < MAX_DECIDE_MANY) next.set(order._id, order)
    setPicked(next)
  }
  const selectAllHere = () => setPicked(addToSelection(selected, pendingHere, MAX_DECIDE_MANY))

  const askOne = async (order: Order, status: Decision) => {
    if (asksForReasonAlone(order, status)) return setReasoning({ order, status })
    const verb = status === 'completed' ? 'process' : 'reject'
    const yes = await confirmAction({
      question: `Are you sure you want to ${verb} order ${order.id}?`,
      title: `${capitalised(verb)} order`,
      danger: status === 'rejected',
      details: (
        <>
          <OrderFacts order={order} />
          <SupplierWarning order={order} status={status} />
          {status === 'rejected' && (
            <p className="mt-3 text-body text-muted">
              We refund {moneyText(totalPaid(order))} to {order.agent}’s wallet.
            </p>
          )}
        </>
      ),
    })
    if (yes) await decideOne(order, status)
    focusRow(order._id)
  }

  const decideSelected = async (orders: readonly Order[], request: DecideManyRequest) => {
    setAskingMany(null)
    const refused = await decideMany(orders, request)
    if (refused === null) return
    setRefusals(refused)
    const decided = new Set(request.ids)
    setPicked((before) => new Map([...before].filter(([id]) => !decided.has(id))))
  }

  const act = (id: string | null, status: Decision) => {
    if (selected.length > 0) setAskingMany(status)
    else {
      const order = pendingHere.find((row) => row._id === id)
      if (order && !deciding.has(order._id)) void askOne(order, status)
    }
  }
  useOrderKeys({
    process: (id) => act(id, 'completed'),
    reject: (id) => act(id, 'rejected'),
    select: (id) => {
      const order = pendingHere.find((row) => row._id === id)
      if (order) toggle(order)
    },
    clear: () => setPicked(NONE),
    help: () => setHelping(true),
  })

  const selectBox = (order: Order) =>
    order.status === 'pending' && (
      <SelectBox label={`Select order ${order.id}`} checked={picked.has(order._id)} onChange={() => toggle(order)} />
    )
  const actions = (order: Order) => ({
    order,
    busy: deciding.has(order._id),
    onDecide: (one: Order, status: Decision) => void askOne(one, status),
  })
  const allSelected = pendingHere.length > 0 && pendingHere.every((order) => picked.has(order._id))

  const columns: Column<Order>[] = [
    {
      key: 'select',
      header: 'Select',
      headerCell: (
        <SelectBox
          label="Select all pending orders on this page"
          checked={allSelected}
          disabled={pendingHere.length === 0 || isPlaceholderData}
          onChange={() => (allSelected ? setPicked(NONE) : selectAllHere())}
        />
      ),
      cell: selectBox,
      className: 'w-11 pr-0',
    },
    { key: 'id', header: 'ID', cell: (order) => <span className="tabular block max-w-24 min-w-11 break-words">{order.id}</span> },
    { key: 'agent', header: 'Agent', cell: (order) => <span className="block max-w-36 break-words">{order.agent}</span> },
    { key: 'network', header: 'Network', cell: (order) => <NetworkBadge network={order.network} className="whitespace-nowrap" /> },
    { key: 'receiver', header: 'Receiver', cell: (order) => <CopyReceiver order={order} /> },
    { key: 'offer', header: 'Offer', cell: (order) => <CopyOffer order={order} /> },
    {
      key: 'reference',
      header: 'Reference',
      cell: (order) => <OrderReference order={order} className="block w-22 text-small break-all" />,
    },
    {
      key: 'date',
      header: 'Payment Date',
      headerCell: <span className="block w-20 whitespace-normal">Payment Date</span>,
      cell: (order) => <TwoLineDate text={order.date} />,
    },
    { key: 'amount', header: 'Amount', align: 'right', cell: (order) => <OrderAmount order={order} /> },
    { key: 'status', header: 'Status', cell: (order) => <StatusCell order={order} /> },
    { key: 'action', sticky: true, header: 'Action', cell: (order) => <ActionCell {...actions(order)} /> },
    {
      key: 'actionTimestamp',
      header: 'Action Timestamp',
      headerCell: <span className="block w-22 whitespace-normal">Action Timestamp</span>,
      cell: (order) => <TwoLineDate text={order.actionTimestamp} />,
    },
  ]

  if (error && !data) return <LoadError what="The orders" error={error} onRetry={() => void refetch()} />
  return (
    <>
      {refusals.length > 0 && <Refusals refusals={refusals} onClose={() => setRefusals([])} />}
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <ChangeNews rows={rows} changed={changed} />
      <DataTable
        caption="Orders"
        columns={columns}
        rows={data?.rows}
        rowKey={(order) => order._id}
        total={data?.total ?? 0}
        state={list.table}
        onState={list.setTable}
        stale={isPlaceholderData}
        searchLabel="Search orders"
        wideFrom={WIDE_FROM}
        focusableRows
        dense
        rowClass={(order) => classNames(changed.has(order._id) && CHANGED, picked.has(order._id) && 'bg-brand-soft!')}
        card={(order) => <OrderCard {...actions(order)} select={selectBox(order)} />}
        empty={
          list.narrowed ? (
            <EmptyState icon={<Inbox />} title="No order matches" action={<Button onClick={list.clear}>Show all orders</Button>}>
              No order has this status and network.
            </EmptyState>
          ) : (
            <EmptyState icon={<Inbox />} title="No orders yet">
              When a customer or an agent buys, the order shows up here by itself.
            </EmptyState>
          )
        }
        filters={
          <>
            <FilterSelect
              label="Status"
              all="All statuses"
              value={list.filters.status}
              options={STATUS_OPTIONS}
              onValue={(status) => list.setFilter('status', status)}
            />
            <FilterSelect
              label="Network"
              all="All networks"
              value={list.filters.network}
              options={NETWORK_OPTIONS}
              onValue={(network) => list.setFilter('network', network)}
            />
          </>
        }
        actions={
          hasKeyboard && (
            <Button variant="quiet" icon={<Keyboard className="size-5" aria-hidden="true" />} onClick={() => setHelping(true)}>
              Keys
            </Button>
          )
        }
      />
      {selected.length > 0 && (
        <BulkBar
          orders={selected}
          busy={selected.some((order) => deciding.has(order._id))}
          more={pendingHere.filter((order) => !picked.has(order._id)).length}
          onSelectAll={selectAllHere}
          onClear={() => setPicked(NONE)}
          onDecide={setAskingMany}
        />
      )}
      {askingMany && (
        <DecideOrdersDialog
          orders={selected}
          status={askingMany}
          onDecide={(orders, request) => void decideSelected(orders, request)}
          onClose={() => setAskingMany(null)}
        />
      )}
      {reasoning && (
        <DecideOrderDialog
          order={fresh(reasoning.order)}
          status={reasoning.status}
          onDecide={(reason) => {
            setReasoning(null)
            void decideOne(fresh(reasoning.order), reasoning.status, reason).finally(() => focusRow(reasoning.order._id))
          }}
          onClose={() => setReasoning(null)}
        />
      )}
      {helping && <OrderKeysDialog onClose={() => setHelping(false)} />}
    </>
  )
}

/** Where the table is wider than the screen, its Status column is out of view beside what is to be decided. */
function ActionCell(props: ComponentProps<typeof OrderActions>) {
  return (
    <>
      <span aria-hidden="true" className="mb-1 block min-[86rem]:hidden">
        <OrderStatusMark order={props.order} />
      </span>
      <OrderActions {...props} />
    </>
  )
}

function StatusCell({ order }: { order: Order }) {
  return (
    <span className="flex flex-col items-start">
      <OrderStatus order={order} />
      <OrderSupplier order={order} className="min-h-6 pl-1.5" />
    </span>
  )
}

function SelectBox({ label, ...input }: { label: string; checked: boolean; disabled?: boolean; onChange: () => void }) {
  return (
    <label className="-m-2.5 inline-flex size-11 shrink-0 cursor-pointer items-center justify-center">
      <span className="sr-only">{label}</span>
      <input type="checkbox" {...input} className="size-5 accent-brand" />
    </label>
  )
}

function Refusals({ refusals, onClose }: { refusals: readonly Refusal[]; onClose: () => void }) {
  return (
    <NoticeBox
      tone="danger"
      className="mb-4"
      title={`${counted(refusals.length, 'order')} could not be decided.`}
      action={
        <button type="button" onClick={onClose} className="min-h-11 rounded-box px-3 font-semibold underline underline-offset-4">
          Dismiss
        </button>
      }
    >
      <ul>
        {refusals.map(({ order, message }) => (
          <li key={order._id}>
            Order {order.id}: {message}
          </li>
        ))}
      </ul>
    </NoticeBox>
  )
}

/** Announces to screen readers what others added or changed. */
function ChangeNews({ rows, changed }: { rows: readonly Order[]; changed: ReadonlySet<string> }) {
  const news = rows.filter((order) => changed.has(order._id)).map((order) => `Order ${order.id} is ${order.status}.`)
  return (
    <p role="status" className="sr-only">
      {news.join(' ')}
    </p>
  )
}

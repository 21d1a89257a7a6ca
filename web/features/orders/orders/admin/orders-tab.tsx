import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Inbox, Keyboard } from 'lucide-react'
import { type ComponentProps, lazy, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { DecideManyRequest, Decision, Order, OrderCounts } from '../../../../../shared/orders.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { capitalised, counted } from '../../../../lib/admin/words.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { CHANGED, useChangedRows } from '../../../../ui/admin/changed-rows.ts'
import { NameAndPhone } from '../../../../ui/admin/name-and-phone.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { TwoLineDate } from '../../../../ui/admin/two-line-date.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money } from '../../../../ui/money.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { type ListState, useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { makeBatch, openBatchesQuery } from '../../../delivery/batches/admin/api.ts'
import { BatchLine } from '../../../delivery/batches/admin/batch-line.tsx'
import { type OrderFilter, ordersQuery } from '../api.ts'
import { OrderReference } from '../order-reference.tsx'
import { MAX_DECIDE_MANY, orderCountsQuery, type Refusal, useDecideOrders } from './api.ts'
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
import { OrderSegments, SEGMENTS, type Segment } from './order-segments.tsx'
import { OrderStatus } from './order-status.tsx'
import { OrderSupplier, SupplierWarning } from './order-supplier.tsx'
import { addToSelection, asksForReasonAlone } from './plan-decisions.ts'
import { refundPlan } from './refund-words.ts'
import { useKeptRows } from './use-kept-rows.ts'
import { focusRow, useOrderKeys } from './use-order-keys.ts'

const OrderDetailPage = lazy(() => import('./order-detail-page.tsx'))

const NO_FILTERS = { segment: '', status: '', network: '' }
const NONE: ReadonlyMap<string, Order> = new Map()
const versionOf = (order: Order) => order.status

/** All orders, unless the address asks for a part of them. */
function segmentOf({ filters }: ListState<typeof NO_FILTERS>): Segment {
  if (SEGMENTS.includes(filters.segment as Segment)) return filters.segment as Segment
  if (filters.status === 'completed' || filters.status === 'rejected') return filters.status
  return filters.status === 'pending' ? 'to-decide' : 'all'
}

function toFilter({ segment: _segment, status: _status, ...query }: ListState<typeof NO_FILTERS>['query'], segment: Segment): OrderFilter {
  if (segment === 'all') return query
  return segment === 'to-decide' || segment === 'waiting' ? { ...query, segment } : { ...query, status: segment }
}
/** Eleven columns need the room of a laptop; below that an order is a card. */
const WIDE_FROM = '(min-width: 64rem)'

/** The list of orders, or the one that the address names. */
export function OrdersTab() {
  const [path] = useLocation()
  const id = /^\/admin\/orders\/([^/]+)/.exec(path)?.[1]
  return id === undefined ? <OrderList /> : <OrderDetailPage key={id} id={decodeURIComponent(id)} />
}

/** The orders of the shop, newest first, to be processed, batched or rejected one by one or many at once. */
function OrderList() {
  const list = useListState(NO_FILTERS)
  const segment = segmentOf(list)
  const orders = useQuery({ ...ordersQuery(toFilter(list.query, segment)), placeholderData: keepPreviousData })
  const counts = useQuery(orderCountsQuery)
  const mayDecide = hasRole(session.use() ?? {}, 'orders')
  const batches = useQuery({ ...openBatchesQuery, enabled: mayDecide })
  const { data: fetched, isPlaceholderData, error, refetch } = orders
  const [, navigate] = useLocation()
  const [selecting, setSelecting] = useState(false)
  const [batching, setBatching] = useState(false)
  const data = useKeptRows(isPlaceholderData ? undefined : fetched, JSON.stringify([list.query, segment])) ?? fetched

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
  const selected = [...picked.values()].map(fresh).filter((order) => order.status === 'pending' && !order.batch)
  const pendingHere = mayDecide ? rows.filter((order) => order.status === 'pending' && !order.batch) : []

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
      about: aboutRecord(order, 'status', 'receiver'),
      question: `Are you sure you want to ${verb} order ${order.id}?`,
      title: `${capitalised(verb)} order`,
      danger: status === 'rejected',
      details: (
        <>
          <OrderFacts order={order} />
          <SupplierWarning order={order} status={status} />
          {status === 'rejected' && <p className="mt-3 text-body text-muted">{refundPlan(order)}</p>}
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

  const batch = async (asked: { network: string; ids?: string[] }) => {
    setBatching(true)
    try {
      const { batch: made, refused } = await makeBatch({ key: crypto.randomUUID(), ...asked })
      setPicked(NONE)
      setSelecting(false)
      if (refused.length > 0) toast.info(`${counted(refused.length, 'order')} left out. ${refused[0]?.message}`)
      navigate(`/admin/batches/${made.number}`)
    } catch (problem) {
      toast.danger(messageOf(problem))
    } finally {
      setBatching(false)
    }
  }
  const clear = () => {
    setPicked(NONE)
    setSelecting(false)
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
    clear,
    help: () => setHelping(true),
  })

  const selectBox = (order: Order) =>
    order.status === 'pending' &&
    !order.batch && <SelectBox label={`Select order ${order.id}`} checked={picked.has(order._id)} onChange={() => toggle(order)} />
  const actions = (order: Order) => ({
    order,
    busy: deciding.has(order._id),
    onDecide: (one: Order, status: Decision) => void askOne(one, status),
  })
  const allSelected = pendingHere.length > 0 && pendingHere.every((order) => picked.has(order._id))

  const shownBatches =
    (segment === 'waiting' || segment === 'to-decide') && list.table.page === 1 && list.query.search === ''
      ? (batches.data?.rows ?? []).filter(({ network }) => list.filters.network === '' || network === list.filters.network)
      : []
  const byHand = mayDecide ? nextByHand(counts.data, list.filters.network) : undefined

  const allColumns: Column<Order>[] = [
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
    {
      key: 'id',
      header: 'ID',
      cell: (order) => (
        <Link href={`/admin/orders/${order.number}`} className="tabular block max-w-24 min-w-11 break-words hover:underline">
          {order.id}
        </Link>
      ),
    },
    { key: 'agent', header: 'Agent', cell: (order) => <NameAndPhone name={order.agent} phone={order.buyerPhone} cut /> },
    { key: 'network', header: 'Network', cell: (order) => <NetworkBadge network={order.network} className="leading-tight" /> },
    { key: 'receiver', header: 'Receiver', cell: (order) => <CopyReceiver order={order} /> },
    { key: 'offer', header: 'Offer', cell: (order) => <CopyOffer order={order} /> },
    {
      key: 'reference',
      header: 'Reference',
      cell: (order) => <OrderReference order={order} clientName="client’s" />,
    },
    {
      key: 'date',
      header: 'Payment Date',
      headerCell: <span className="block w-20 whitespace-normal">Payment Date</span>,
      cell: (order) => <TwoLineDate text={order.date} />,
    },
    { key: 'amount', header: 'Amount', align: 'right', cell: (order) => <OrderAmount order={order} /> },
    { key: 'status', header: 'Status', cell: (order) => <OrderSupplier order={order} /> },
    { key: 'action', sticky: true, header: 'Action', cell: (order) => <ActionCell {...actions(order)} /> },
    {
      key: 'actionTimestamp',
      header: 'Action Timestamp',
      headerCell: <span className="block w-22 whitespace-normal">Action Timestamp</span>,
      cell: (order) => <TwoLineDate text={order.actionTimestamp} />,
    },
  ]
  const nothingToDecide = segment === 'to-decide' && list.filters.network === '' && list.query.search === '' && total(counts.data) > 0
  const columns = mayDecide ? allColumns : allColumns.filter(({ key }) => key !== 'select')

  if (error && !data) return <LoadError what="The orders" error={error} onRetry={() => void refetch()} />
  return (
    <>
      {refusals.length > 0 && <Refusals refusals={refusals} onClose={() => setRefusals([])} />}
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <ChangeNews rows={rows} changed={changed} />
      <OrderSegments
        segment={segment}
        counts={counts.data}
        network={list.filters.network}
        onSegment={(wanted) => list.setFilters(filtersFor(wanted))}
        onNetwork={(network) => list.setFilters({ network, ...filtersFor(segment) })}
      />
      {selecting && pendingHere.length > 0 && (
        <label className="mb-1 flex min-h-11 items-center gap-3 lg:hidden">
          <input
            type="checkbox"
            checked={allSelected}
            onChange={() => (allSelected ? setPicked(NONE) : selectAllHere())}
            className="size-5.5 accent-brand"
          />
          Select all {pendingHere.length}
        </label>
      )}
      {shownBatches.length > 0 && (
        <ul aria-label="Batches" className="mb-3 flex flex-col gap-2">
          {shownBatches.map((one) => (
            <li key={one.number}>
              <BatchLine batch={one} />
            </li>
          ))}
        </ul>
      )}
      <DataTable
        caption="Orders"
        columns={columns}
        rows={data?.rows}
        rowKey={(order) => order._id}
        total={Math.max(data?.total ?? 0, rows.length)}
        state={list.table}
        onState={list.setTable}
        stale={isPlaceholderData}
        searchLabel="Search orders"
        wideFrom={WIDE_FROM}
        focusableRows
        dense="tight"
        rowClass={(order) => classNames(changed.has(order._id) && CHANGED, picked.has(order._id) && 'bg-brand-soft!')}
        bareCards
        card={(order) => (
          <OrderCard
            {...actions(order)}
            selecting={selecting || selected.length > 0}
            selected={picked.has(order._id)}
            onSelect={() => toggle(order)}
          />
        )}
        empty={
          list.narrowed && !nothingToDecide ? (
            <EmptyState
              icon={<Inbox />}
              title="No order matches"
              action={
                <Button variant="secondary" onClick={() => list.setFilters(NO_FILTERS)}>
                  Show all orders
                </Button>
              }
            >
              No order is in this part and network.
            </EmptyState>
          ) : (
            <EmptyState icon={<Inbox />} title={nothingToDecide ? 'Nothing to decide' : 'No orders yet'}>
              When a customer or an agent buys, the order shows up here by itself.
            </EmptyState>
          )
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
          busy={batching || selected.some((order) => deciding.has(order._id))}
          more={pendingHere.filter((order) => !picked.has(order._id)).length}
          onSelectAll={selectAllHere}
          onClear={clear}
          onDecide={setAskingMany}
          onBatch={(network, those) => void batch({ network, ids: those.map(({ _id }) => _id) })}
        />
      )}
      {selected.length === 0 && (pendingHere.length > 0 || byHand) && (
        <ActBar
          note={byHand ? `${byHand.orders} ${byHand.network} by hand` : `${counted(pendingHere.length, 'order')} here`}
          detail={
            byHand?.oldestAt
              ? `oldest: ${waitingFor(byHand.oldestAt, shopNow())
                  .replace('less than a minute', 'just now')
                  .replace(/ minutes?/, ' min')}`
              : undefined
          }
        >
          {pendingHere.length > 0 && (
            <Button
              variant="secondary"
              className="lg:hidden"
              aria-pressed={selecting}
              onClick={() => (selecting ? clear() : setSelecting(true))}
            >
              {selecting ? 'Cancel' : 'Select'}
            </Button>
          )}
          {byHand && (
            <Button busy={batching} stub={<Money cedis={byHand.amount} />} onClick={() => void batch({ network: byHand.network })}>
              Batch {counted(byHand.orders, 'order')}
            </Button>
          )}
        </ActBar>
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

/** In the address what was asked for: an export reads the status there. */
function filtersFor(segment: Segment): { segment: string; status: string } {
  const isStatus = segment === 'completed' || segment === 'rejected'
  return { segment: isStatus || segment === 'all' ? '' : segment, status: isStatus ? segment : '' }
}

/** What one press would batch: of the chosen network, or of the one with the most to send by hand. */
function nextByHand(counts: OrderCounts | undefined, network: string) {
  const candidates = (counts?.networks ?? []).filter((one) => one.byHand.orders > 0 && (network === '' || one.network === network))
  const [most] = candidates.toSorted((one, other) => other.byHand.orders - one.byHand.orders)
  return most && { network: most.network, ...most.byHand }
}

function total(counts: OrderCounts | undefined): number {
  return counts ? counts.pending + counts.completed + counts.rejected : 0
}

/** Where the table is wider than the screen, its Status column is out of view beside what is to be decided. */
function ActionCell(props: ComponentProps<typeof OrderActions>) {
  return (
    <>
      <span aria-hidden="true" className="mb-1 block min-[86rem]:hidden">
        <OrderStatus order={props.order} />
      </span>
      <OrderActions {...props} />
    </>
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

import { useQuery } from '@tanstack/react-query'
import { ChevronRight, ExternalLink, IdCard, MessageCircle, PackageX, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { bundleName } from '../../../../../shared/bundle-name.ts'
import type { OrderDetail } from '../../../../../shared/deliveries.ts'
import { whatsAppLink } from '../../../../../shared/links.ts'
import type { Decision, Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { ANSWERS_REPORTS, hasRole } from '../../../../../shared/staff-rules.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { clockTime } from '../../../../lib/admin/clock-time.ts'
import { isTyping, keysOn } from '../../../../lib/admin/keys.ts'
import { reasonWords, standingOf } from '../../../../lib/admin/supplier-words.ts'
import { capitalised, counted } from '../../../../lib/admin/words.ts'
import { call } from '../../../../lib/api.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { queryClient, refreshSoon } from '../../../../lib/query-client.ts'
import { session } from '../../../../lib/session.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card } from '../../../../ui/admin/card.tsx'
import { noteOwnChange } from '../../../../ui/admin/changed-rows.ts'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useShop } from '../../../shop/shop/api.ts'
import { OrderReference } from '../order-reference.tsx'
import { totalPaid } from '../total-paid.ts'
import { orderDetailQuery, useDecideOrders } from './api.ts'
import { wasRefused } from './choose-route.ts'
import { CopyReceiver } from './copy-receiver.tsx'
import { DecideOrderDialog } from './decide-order-dialog.tsx'
import { type Act, OrderActs } from './order-acts.tsx'
import { OrderEvents } from './order-events.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderStatus } from './order-status.tsx'
import { SupplierWarning } from './order-supplier.tsx'
import { asksForReason, asksForReasonAlone } from './plan-decisions.ts'
import { refundRead } from './refund-words.ts'

/** Few orders need it. */
const SoldCheckers = lazy(() => import('../../checkers/admin/sold-checkers.tsx'))

/** One order: what happened to it, and what can be done. `id` is its number or `_id`. */
export default function OrderDetailPage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(orderDetailQuery(id))
  if (!data && error instanceof RefusedError && [400, 404].includes(error.status))
    return (
      <EmptyState icon={<PackageX />} title="There is no such order" action={<ButtonLink href="/admin/orders">See the orders</ButtonLink>}>
        Check the number, or search for the receiver.
      </EmptyState>
    )
  if (!data && error) return <LoadError what="The order" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label="Loading the order…">
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_25rem]">
          <Skeleton className="h-80" />
          <Skeleton className="h-40" />
        </div>
      </Loading>
    )
  return <OpenOrder id={id} detail={data} />
}

function OpenOrder({ id, detail }: { id: string; detail: OrderDetail }) {
  const { order, buyer, routes, recent } = detail
  const [open, setOpen] = useState<Act | null>(null)
  const acts = useRef<HTMLDivElement>(null)
  const show = (act: Act) => {
    setOpen(act)
    acts.current?.scrollIntoView({ block: 'start' })
  }
  const [busy, setBusy] = useState(false)
  const [reasoning, setReasoning] = useState<Decision | null>(null)
  const { decideOne, deciding } = useDecideOrders()
  const shop = useShop()
  useScreenTitle({ title: `Order ${order.number}`, subtitle: `${buyer.username} · ${clockTime(order.createdAt)}`, back: '/admin/orders' })
  const pending = order.status === 'pending'
  const locked = order.batch !== undefined
  const mayDecide = hasRole(session.use() ?? {}, 'orders')
  const isOpen = pending && !locked && mayDecide
  const unclear = pending && order.supplier?.status === 'unknown'
  // Nobody has delivered it, so it is sent before it is completed.
  const isRefused = pending && wasRefused(order)
  const isBusy = busy || deciding.has(order._id)

  const act = async (path: 'query-status' | 'send-again' | 'receiver', body: unknown, told: string) => {
    setBusy(true)
    try {
      const route = `PUT /admin/orders/:id/${path}` as 'PUT /admin/orders/:id/receiver'
      const { detail: now } = await call(route, { params: { id: order._id }, body: body as never })
      queryClient.setQueryData(orderDetailQuery(id).queryKey, now)
      noteOwnChange(order._id)
      refreshSoon(['orders'], ['stats'], ['admin-actions'])
      setOpen(null)
      toast.success(told)
    } catch (problem) {
      toast.danger(messageOf(problem))
      refreshSoon(['order'])
    } finally {
      setBusy(false)
    }
  }
  const complete = async () => {
    if (asksForReasonAlone(order, 'completed')) return setReasoning('completed')
    const yes = await confirmAction({
      about: aboutRecord(order, 'status', 'receiver'),
      question: `Are you sure you want to process order ${order.id}?`,
      title: 'Process order',
      details: (
        <>
          <OrderFacts order={order} />
          <SupplierWarning order={order} status="completed" />
        </>
      ),
    })
    if (yes) await decideOne(order, 'completed').then(() => refreshSoon(['order']))
  }
  const refund = async (reason: string) => {
    const yes = await confirmAction({
      about: aboutRecord(order, 'status'),
      question: `Are you sure you want to reject order ${order.id}?`,
      title: 'Reject order',
      danger: true,
      stub: moneyText(totalPaid(order)),
      details: (
        <>
          <p className="mt-2 text-body">
            {buyer.username} reads: {reason} {refundRead(order)}
          </p>
          <SupplierWarning order={order} status="rejected" />
        </>
      ),
    })
    if (!yes) return
    const overrides = asksForReason([order], 'rejected')
    setBusy(true)
    await decideOne(order, 'rejected', overrides ? reason : undefined, reason)
    setBusy(false)
    refreshSoon(['order'])
    setOpen(null)
  }
  const portal = async () => {
    const reference =
      order.supplier?.supplierReference ?? detail.events.findLast(({ kind }) => kind === 'sent')?.reference ?? order.reference
    if (await copyText(reference)) toast.info(`Copied ${reference}. Look for it on ${supplierName(order.supplier?.name ?? '')}’s portal.`)
    show('send')
  }
  useActKeys({ p: unclear ? portal : complete, e: complete, s: () => show('send'), r: () => show('refund') }, isOpen)
  const cost = costOf(detail)

  return (
    <>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_25rem] lg:grid-rows-[auto_1fr] lg:gap-5">
        <div className="flex min-w-0 flex-col gap-4 lg:col-start-1">
          <section
            aria-label="What was bought"
            className={classNames(
              'relative overflow-hidden rounded-box border border-line bg-surface py-3 pr-4 pl-5 before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-net',
              networkClass(order.network),
            )}
          >
            <div className="flex flex-wrap items-center gap-x-3 text-display font-bold">
              <CopyReceiver order={order} />
              <Money cedis={totalPaid(order)} className="ml-auto text-title" />
            </div>
            <div className="mt-1 flex items-center gap-3">
              <span className="min-w-0 flex-1">{bundleName(order.network, order.offer)}</span>
              <OrderStatus order={order} />
            </div>
          </section>
          <Notice order={order} buyer={buyer.username} />
          <Card
            title="What happened"
            state={
              detail.ask.possible &&
              mayDecide && (
                <Button
                  variant="quiet"
                  busy={isBusy}
                  icon={<RefreshCw className="size-4" aria-hidden="true" />}
                  onClick={() => void act('query-status', {}, `We’re asking ${supplierName(order.supplier?.name ?? '')}.`)}
                >
                  Ask again
                </Button>
              )
            }
          >
            <OrderEvents detail={detail} />
          </Card>
        </div>
        <div className="min-w-0 max-lg:order-1 lg:col-start-1 lg:row-start-2">
          <Card label="Details" className="@container">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 px-4 py-3 text-body @max-[15rem]:grid-cols-1 lg:grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)] [&>dd]:text-right lg:[&>dd]:text-left [&>dt]:text-muted">
              <dt>ID</dt>
              <dd className="tabular">{order.number}</dd>
              <dt>Agent</dt>
              <dd>
                <Link href={`/admin/customers/${buyer._id}`} className="font-semibold text-brand-text hover:underline">
                  {buyer.username}
                </Link>
                {!buyer.username.includes(buyer.phone) && (
                  <span className="tabular block text-small text-muted">{spacedPhone(buyer.phone)}</span>
                )}
              </dd>
              <dt>Network</dt>
              <dd>{order.network}</dd>
              <dt>Offer</dt>
              <dd>{order.offer}</dd>
              <dt>Reference</dt>
              <dd className="text-small break-all">
                <OrderReference order={order} clientName="client’s" whole />
              </dd>
              <dt>Payment Date</dt>
              <dd className="tabular text-small">{order.date}</dd>
              <dt>Amount</dt>
              <dd>
                <Money cedis={order.totalAmount} />
              </dd>
              {order.actionTimestamp && (
                <>
                  <dt>Action Timestamp</dt>
                  <dd className="tabular text-small">{order.actionTimestamp}</dd>
                </>
              )}
              {cost && (
                <>
                  <dt>Cost {cost.where}</dt>
                  <dd>{cost.cedis === null ? <span className="text-muted">no cost yet</span> : <Money cedis={cost.cedis} />}</dd>
                  {cost.cedis !== null && (
                    <>
                      <dt>Margin if delivered</dt>
                      <dd className={order.totalAmount < cost.cedis ? 'text-danger' : 'text-done'}>
                        <Money cedis={Math.round((order.totalAmount - cost.cedis) * 100) / 100} />
                      </dd>
                    </>
                  )}
                </>
              )}
            </dl>
          </Card>
        </div>
        <div ref={acts} className="flex min-w-0 scroll-mt-20 flex-col gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          {order.network === 'WAEC Checkers' && order.status !== 'pending' && hasRole(session.use() ?? {}, ANSWERS_REPORTS) && (
            <Suspense fallback={null}>
              <SoldCheckers orderId={order._id} />
            </Suspense>
          )}
          {order.network === 'AFA' && mayDecide && (
            <Link
              href="/admin/afa"
              className="flex min-h-13 items-center gap-3 rounded-box border border-line bg-surface px-4 font-medium hover:bg-sunken"
            >
              <IdCard className="size-5 text-muted" aria-hidden="true" /> Who is registered: see AFA
              <ChevronRight className="ml-auto size-4 text-muted" aria-hidden="true" />
            </Link>
          )}
          {isOpen && (
            <OrderActs
              key={`${order.receiver} ${order.supplier?.status} ${order.supplier?.name}`}
              detail={detail}
              open={open}
              busy={isBusy}
              onOpen={setOpen}
              onSend={(to, lookedAtPortal) =>
                void act(
                  'send-again',
                  { to, supplierStatus: order.supplier?.status ?? null, lookedAtPortal },
                  to === 'by-hand' ? `Order ${order.number} is yours to send by hand` : `Order ${order.number} goes to ${supplierName(to)}`,
                )
              }
              onCorrect={(change) =>
                void act('receiver', { ...change, seen: order.receiver }, `Number corrected to ${spacedPhone(change.receiver)}`)
              }
              onRefund={(reason) => void refund(reason)}
            />
          )}
          <nav aria-label="The buyer" className="divide-y divide-line overflow-hidden rounded-box border border-line bg-surface">
            <a
              href={whatsAppLink(
                buyer.phone,
                `Hello ${buyer.username}, this is ${shop.name} about order ${order.number}: ${order.network} ${order.offer} to ${order.receiver}. `,
              )}
              target="_blank"
              rel="noreferrer"
              className="flex min-h-13 items-center gap-3 px-4 font-medium hover:bg-sunken"
            >
              <MessageCircle className="size-5 text-muted" aria-hidden="true" /> WhatsApp {buyer.username}
              <ExternalLink className="ml-auto size-4 text-muted" aria-hidden="true" />
            </a>
            <Link href={`/admin/customers/${buyer._id}`} className="flex min-h-13 items-center gap-3 px-4 font-medium hover:bg-sunken">
              Their {counted(buyer.orders, 'order')}
              <ChevronRight className="ml-auto size-4 text-muted" aria-hidden="true" />
            </Link>
            {recent.slice(0, 4).map((one) => (
              <RecentOrder key={one._id} order={one} />
            ))}
          </nav>
        </div>
      </div>
      {isOpen && (
        <ActBar
          note={
            unclear ? (
              <span className="max-sm:hidden">Next: look on their portal</span>
            ) : (
              <span className="max-sm:hidden">{routes.length > 0 && nextWords(order)}</span>
            )
          }
          detail={unclear ? <span className="max-sm:hidden">We copy the reference</span> : undefined}
        >
          <Button
            variant="danger"
            className="whitespace-nowrap max-sm:px-2! max-sm:text-small!"
            disabled={isBusy}
            onClick={() => show('refund')}
          >
            Refund…
          </Button>
          {isRefused && (
            <Button variant="secondary" className="max-sm:px-2! max-sm:text-small!" busy={isBusy} onClick={() => void complete()}>
              Complete
            </Button>
          )}
          <Button
            variant={isRefused ? 'primary' : 'secondary'}
            className={isRefused ? 'whitespace-nowrap max-sm:grow max-sm:px-2.5!' : 'whitespace-nowrap max-sm:px-2! max-sm:text-small!'}
            disabled={isBusy}
            onClick={() => show('send')}
          >
            Send again…
          </Button>
          {unclear && (
            <Button variant="secondary" className="max-lg:hidden" busy={isBusy} onClick={() => void complete()}>
              Complete
            </Button>
          )}
          {unclear ? (
            <Button className="whitespace-nowrap max-sm:grow" onClick={() => void portal()}>
              Check portal
            </Button>
          ) : isRefused ? null : (
            <Button className="max-sm:grow max-sm:px-2.5!" busy={isBusy} onClick={() => void complete()}>
              Complete
            </Button>
          )}
        </ActBar>
      )}
      {mayDecide && order.batch && (
        <ActBar note={`Batch ${order.batch.number}`} detail={`locked by ${order.batch.by}`}>
          <ButtonLink href={`/admin/batches/${order.batch.number}`}>Open batch</ButtonLink>
        </ActBar>
      )}
      {reasoning && (
        <DecideOrderDialog
          order={order}
          status={reasoning}
          onDecide={(reason) => {
            setReasoning(null)
            void decideOne(order, reasoning, reason).then(() => refreshSoon(['order']))
          }}
          onClose={() => setReasoning(null)}
        />
      )}
    </>
  )
}

function nextWords({ supplier }: Order): string {
  return supplier ? standingOf(supplier).word : 'By hand'
}

/** What stands in the way, or what it means. */
function Notice({ order, buyer }: { order: Order; buyer: string }) {
  const { supplier, onHold, status, refundReason } = order
  if (status === 'rejected') return refundReason ? <NoticeBox tone="pending">{`${buyer} reads: ${refundReason}`}</NoticeBox> : null
  if (status !== 'pending') return null
  if (onHold) return <NoticeBox tone="danger" title="This order is on hold">{`${capitalised(onHold)}.`}</NoticeBox>
  if (supplier?.status === 'unknown')
    return (
      <NoticeBox tone="danger" title={`${supplierName(supplier.name)} can’t find this order yet.`}>
        Check their portal before you send it yourself: it may still arrive, and {buyer} would get it twice.
      </NoticeBox>
    )
  if (supplier?.status === 'cancelled')
    return (
      <NoticeBox tone="pending" title={standingOf(supplier).meaning}>
        {reasonWords(supplier.detail)}
      </NoticeBox>
    )
  if (supplier && supplier.status !== 'accepted') return <NoticeBox tone="pending">{standingOf(supplier).meaning}</NoticeBox>
  return null
}

function RecentOrder({ order }: { order: Order }) {
  return (
    <Link href={`/admin/orders/${order.number}`} className="flex min-h-13 flex-wrap items-center gap-x-3 px-4 py-1.5 hover:bg-sunken">
      <span className="min-w-0 flex-1 basis-[8rem]">
        <span className="tabular block font-semibold whitespace-nowrap">{spacedPhone(order.receiver)}</span>
        <span className="block text-small break-words text-muted">
          {order.network} {order.offer} · {clockTime(order.createdAt)}
        </span>
      </span>
      <OrderStatus order={order} />
    </Link>
  )
}

/** Where it is or will be sent, and what that costs; null for those who see no costs. */
function costOf({ order, routes }: OrderDetail): { where: string; cedis: number | null } | null {
  const isAway = order.supplier && !['rejected', 'failed', 'cancelled'].includes(order.supplier.status)
  const to = isAway ? order.supplier?.name : 'by-hand'
  const route = routes.find((one) => one.to === to)
  if (route?.cost === undefined) return null
  // What nobody pays at a portal, such as a checker from the stock, has no cost by hand to wait for.
  if (to === 'by-hand' && route.cost === null && order.status !== 'pending') return null
  return { where: to === 'by-hand' ? 'by hand' : `at ${supplierName(to ?? '')}`, cedis: route.cost }
}

function useActKeys(acts: Record<string, () => unknown>, enabled: boolean): void {
  const on = keysOn.use()
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !enabled) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => handle(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [on])
}

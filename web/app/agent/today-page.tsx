import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Banknote, ChevronRight, ClipboardPaste, Gift, Image, List, Plus, Receipt, Store, Wallet } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { OwnShop } from '../../../shared/agent-shops.ts'
import { formatShortTime } from '../../../shared/dates.ts'
import { spacedPhone } from '../../../shared/phones.ts'
import { ownShopQuery, salesQuery, shopDayQuery } from '../../features/agents/agent-shops/agent/api.ts'
import { SaleRow } from '../../features/agents/agent-shops/agent/sale-row.tsx'
import { ShareBox } from '../../features/agents/agent-shops/agent/share-box.tsx'
import { earningsQuery } from '../../features/agents/withdrawals/agent/api.ts'
import { jobQuery, latestJobQuery } from '../../features/orders/bulk/agent/api.ts'
import { countLines } from '../../features/orders/bulk/agent/count-lines.ts'
import { MarkStrip, toMark } from '../../features/orders/bulk/agent/mark-strip.tsx'
import { pasteList } from '../../features/orders/bulk/agent/paste-list.ts'
import { ScheduleQuestions } from '../../features/orders/bulk/agent/schedule-questions.tsx'
import { UnansweredBulk } from '../../features/orders/bulk/agent/unanswered-bulk.tsx'
import { ordersQuery } from '../../features/orders/orders/api.ts'
import { referralsQuery } from '../../features/people/referrals/agent/api.ts'
import { shopNow } from '../../lib/clock.ts'
import { session } from '../../lib/session.ts'
import { bulkTexts } from '../../texts/bulk.ts'
import { inviteTexts } from '../../texts/invite.ts'
import { todayTexts } from '../../texts/today.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money, moneyText } from '../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../ui/notice-box.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusPunches } from '../../ui/punches.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { TicketRow } from '../../ui/ticket.tsx'
import { isAgent } from '../agent-links.tsx'

const LATEST = 10

/**
 * How the day goes, and what agents and their sub-agents do most. Who has a shop sees what it earns; the others what is in their wallet.
 */
export default function TodayPage() {
  const { data: own, error } = useQuery(ownShopQuery)
  const isOfAgents = isAgent(session.use())
  const shop = own?.shop
  return (
    <>
      <section className="field">
        <div className="mx-auto max-w-7xl px-4 pt-3.5 pb-4 sm:px-6 lg:grid lg:grid-cols-[minmax(0,1fr)_27.5rem] lg:items-center lg:gap-14 lg:py-6">
          <div className="min-w-0">
            <PageHeader unseen title={todayTexts.title} />
            {own || error ? shop ? <EarnedToday /> : <InWallet /> : <div className="h-20" />}
            {isOfAgents && <PasteBox />}
          </div>
          <ul className="mt-2.5 grid grid-cols-[repeat(auto-fit,minmax(3.75rem,1fr))] gap-2 lg:mt-0">
            <QuickLink href="/store" icon={<Plus />}>
              {todayTexts.buyOne}
            </QuickLink>
            {isOfAgents ? (
              <QuickLink href="/agent/bulk" icon={<List />}>
                {todayTexts.writeList}
              </QuickLink>
            ) : (
              <QuickLink href="/agent/shop" icon={<Store />}>
                {todayTexts.myShop}
              </QuickLink>
            )}
            {shop && (
              <QuickLink href="/agent/shop/price-list" icon={<Image />}>
                {todayTexts.priceList}
              </QuickLink>
            )}
            {shop ? (
              <QuickLink href="/agent/earnings/withdraw" icon={<Banknote />}>
                {todayTexts.withdraw}
              </QuickLink>
            ) : (
              <QuickLink href="/user/finance" icon={<Wallet />}>
                {todayTexts.topUp}
              </QuickLink>
            )}
          </ul>
        </div>
      </section>
      <div className="mx-auto flex max-w-7xl flex-col gap-x-8 px-4 pt-3 pb-16 sm:px-6 lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:pt-6">
        <div className="min-w-0">
          {isOfAgents && (
            <>
              <UnansweredBulk />
              <ScheduleQuestions />
              <LastList />
            </>
          )}
          {shop && <NotSelling shop={shop} />}
          {!shop && !isOfAgents && own?.mayOpen ? (
            <EmptyState
              icon={<Store />}
              title={todayTexts.noShop}
              action={<ButtonLink href="/agent/shop">{todayTexts.openShop}</ButtonLink>}
            >
              {todayTexts.noShopText}
            </EmptyState>
          ) : shop ? (
            <Latest title={todayTexts.shopOrders} href="/agent/shop/sales">
              <LatestSales shop={shop} />
            </Latest>
          ) : (
            <Latest title={todayTexts.orders} href="/user/history">
              <LatestOrders />
            </Latest>
          )}
        </div>
        <aside className="mt-5 flex min-w-0 flex-col gap-5 lg:mt-0">
          {shop && <MoneySums />}
          {shop && <ShareBox shop={shop} />}
          {isOfAgents && <InviteLink />}
        </aside>
      </div>
    </>
  )
}

function EarnedToday() {
  const user = session.use()
  const { data, error } = useQuery(shopDayQuery)
  const day = data?.day
  const under = data?.subAgents
  return (
    <>
      <p className="break-words text-body text-muted">{todayTexts.earned(shopNow().getHours(), user?.username ?? '')}</p>
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <p className="text-[min(2.5rem,13vw)] leading-[1.1] tracking-tight">
          {day ? (
            <Money cedis={day.earned} />
          ) : error ? (
            <span className="text-body">{todayTexts.notKnown}</span>
          ) : (
            <Skeleton className="my-2 h-8 w-32" />
          )}
        </p>
        {day && (
          <p className="pb-1 text-right text-body leading-tight text-muted">
            <b className="text-on-field">{todayTexts.shopOrdersToday(day.orders)}</b>
            <br />
            {todayTexts.states(day.completed, day.pending)}
          </p>
        )}
      </div>
      {under && under.orders + under.earned > 0 && (
        <p className="text-body text-muted">{todayTexts.fromSubAgents(moneyText(under.earned), under.orders)}</p>
      )}
    </>
  )
}

/** Why guests can't buy in the shop now. */
function NotSelling({ shop: { open, closedByOwner } }: { shop: OwnShop }) {
  if (open && closedByOwner === null) return null
  return (
    <NoticeBox tone="pending" title={todayTexts.closed} className="mb-3">
      <p>{closedByOwner ?? todayTexts.closedText}</p>
    </NoticeBox>
  )
}

function InWallet() {
  const user = session.use()
  return (
    <>
      <p className="break-words text-body text-muted">{todayTexts.greeting(shopNow().getHours(), user?.username ?? '')}</p>
      <p className="text-[min(2.5rem,13vw)] leading-[1.1] tracking-tight">
        <Money cedis={user?.balance ?? 0} />
      </p>
    </>
  )
}

function Latest({ title, href, children }: { title: string; href: string; children: ReactNode }) {
  return (
    <section>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 className="text-large">{title}</h2>
        <MoreLink href={href}>{todayTexts.all}</MoreLink>
      </div>
      {children}
    </section>
  )
}

function MoreLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
      {children}
      <ChevronRight className="size-4.5" aria-hidden="true" />
    </Link>
  )
}

/** Where the agent's money is: what they buy from, and what the shop has earned. */
function MoneySums() {
  const user = session.use()
  const { data: earnings } = useQuery(earningsQuery)
  const lines: [string, number][] = [[todayTexts.inWallet, user?.balance ?? 0]]
  if (earnings) {
    lines.push([todayTexts.canWithdraw, earnings.withdrawable])
    if (earnings.held.amount > 0) lines.push([todayTexts.resting, earnings.held.amount])
    if (earnings.onTheWay.orders > 0) lines.push([todayTexts.onTheWay(earnings.onTheWay.orders), earnings.onTheWay.amount])
    if (earnings.debt > 0) lines.push([todayTexts.owed, -earnings.debt])
  }
  return (
    <section>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 className="text-large">{todayTexts.money}</h2>
        <MoreLink href="/agent/earnings">{todayTexts.earnings}</MoreLink>
      </div>
      <dl className="ticket grid grid-cols-[1fr_auto] gap-x-4 text-[min(1em,5vw)] gap-y-1.5 px-3 py-3.5">
        {lines.map(([words, cedis], at) => (
          <Fragment key={words}>
            <dt className={classNames(at > 1 && 'text-muted')}>{words}</dt>
            <dd className="text-right">
              <Money cedis={cedis} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

/** Shown while the owner pays for new customers. */
function InviteLink() {
  const referrals = useQuery(referralsQuery).data
  if (!referrals?.rules.enabled) return null
  return (
    <Link href="/agent/invite" className="ticket flex min-h-14 flex-row! items-center gap-3 px-3">
      <Gift className="size-5.5 shrink-0 text-brand-text" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <b className="block truncate">{inviteTexts.title}</b>
        <span className="block text-small break-words text-muted">{inviteTexts.offer(moneyText(referrals.rules.reward))}</span>
      </span>
      <ChevronRight className="size-4.5 shrink-0" aria-hidden="true" />
    </Link>
  )
}

/** The list that an agent copied goes straight to its check. */
function PasteBox() {
  const [, navigate] = useLocation()
  return (
    <div className="mt-3 flex min-h-14 items-center gap-2 rounded-box bg-[#fdfbf2] py-1.5 pr-1.5 pl-3.5 text-[#575d56]">
      <span className="min-w-0 flex-1 truncate">{todayTexts.anyWay}</span>
      <button
        type="button"
        onClick={() => void pasteList().then((isThere) => navigate(isThere ? '/agent/bulk/check' : '/agent/bulk'))}
        className="inline-flex min-h-11 items-center gap-2 rounded-box bg-[#06402a] px-3.5 font-semibold text-white"
      >
        <ClipboardPaste className="size-5" aria-hidden="true" />
        {todayTexts.paste}
      </button>
    </div>
  )
}

const DAY_MS = 86_400_000

/** The list that was sent last, while it says something. */
function LastList() {
  const { data: job } = useQuery(latestJobQuery)
  const isOver = !job || (job.pending === 0 && job.rejected === 0 && shopNow().getTime() - Date.parse(job.createdAt) > DAY_MS)
  const { data } = useQuery({ ...jobQuery(job?._id ?? ''), enabled: !isOver })
  if (isOver || !data) return null
  const { sent, completed, pending, rejected, canGoAgain } = countLines(data.lines)
  return (
    <Link href={`/agent/bulk/sent/${job._id}`} className="ticket mb-3 block p-3 [--rim:var(--warn-line)]">
      <span className="flex flex-wrap items-center justify-between gap-x-3">
        <b className="min-w-0 break-words">
          {job.name}, {bulkTexts.lines(sent.length)}
        </b>
        {pending.length > 0 && <span className="text-small font-semibold text-pending">{bulkTexts.pending(pending.length)}</span>}
      </span>
      <MarkStrip className="mt-2" label={bulkTexts.marks} marks={sent.map(({ order }) => toMark(order))} />
      <span className="flex flex-wrap items-center justify-between gap-x-3 text-small text-muted">
        <span>
          {bulkTexts.completed(completed.length)}
          {rejected.length > 0 && <> · {bulkTexts.rejected(rejected.length)}</>}
        </span>
        {canGoAgain.length > 0 && <b className="text-brand-text">{todayTexts.tryAgain(canGoAgain.length)}</b>}
      </span>
    </Link>
  )
}

function QuickLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Link
        href={href}
        className="flex min-h-18 flex-col items-center justify-center gap-1 rounded-box bg-white/9 px-0.5 py-1.5 text-center text-small leading-[1.2] lg:min-h-20 lg:text-body [&>svg]:size-5.5"
      >
        {icon}
        {children}
      </Link>
    </li>
  )
}

type ListProps<Row> = {
  list: Pick<UseQueryResult<{ rows: Row[] }>, 'data' | 'error' | 'refetch'>
  what: string
  empty: ReactNode
  rowKey: (row: Row) => string
  children: (row: Row) => ReactNode
}

function TicketList<Row>({ list: { data, error, refetch }, what, empty, rowKey, children }: ListProps<Row>) {
  if (error && !data) return <LoadError what={what} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-80" />
      </Loading>
    )
  if (data.rows.length === 0) return empty
  return (
    <ul className="grid gap-2">
      {data.rows.map((row) => (
        <li key={rowKey(row)}>{children(row)}</li>
      ))}
    </ul>
  )
}

function LatestSales({ shop }: { shop: OwnShop }) {
  return (
    <TicketList
      list={useQuery(salesQuery({ page: 1, pageSize: LATEST }))}
      what={todayTexts.shopOrdersOf}
      rowKey={({ number }) => number}
      empty={
        <EmptyState
          icon={<Receipt />}
          title={todayTexts.noSales}
          action={<ButtonLink href={`/s/${shop.slug}`}>{todayTexts.seeShop}</ButtonLink>}
        >
          {todayTexts.noSalesText}
        </EmptyState>
      }
    >
      {(sale) => <SaleRow sale={sale} />}
    </TicketList>
  )
}

function LatestOrders() {
  return (
    <TicketList
      list={useQuery(ordersQuery({ page: 1, pageSize: LATEST, mine: 'true' }))}
      what={todayTexts.ordersOf}
      rowKey={({ _id }) => _id}
      empty={
        <EmptyState icon={<Receipt />} title={todayTexts.noOrders} action={<ButtonLink href="/store">{todayTexts.buyOne}</ButtonLink>}>
          {todayTexts.noOrdersText}
        </EmptyState>
      }
    >
      {(order) => (
        <TicketRow
          href={`/order/${order.number}`}
          network={order.network}
          title={todayTexts.to(order.offer, spacedPhone(order.receiver))}
          subtitle={
            <span className="flex flex-wrap items-center gap-x-2">
              <StatusPunches status={order.status} sent={order.supplierStatus !== null} />
              <span>{formatShortTime(new Date(order.createdAt), shopNow())}</span>
            </span>
          }
          stub={<Money cedis={order.totalAmount} />}
        />
      )}
    </TicketList>
  )
}

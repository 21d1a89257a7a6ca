import { useQuery } from '@tanstack/react-query'
import { CalendarDays, ChartColumn, ChevronRight, MessageCircle } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { isoDay } from '../../../../../shared/dates.ts'
import type { InsightQuery, InsightReply } from '../../../../../shared/insight.ts'
import { whatsAppLink } from '../../../../../shared/links.ts'
import { NETWORKS } from '../../../../../shared/networks.ts'
import { ROUTES } from '../../../../../shared/settings.ts'
import { delivererName } from '../../../../../shared/supplier-names.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { FilterSelect } from '../../../../ui/admin/filter-select.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { CsvButton } from '../../../../ui/csv-button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { insightQuery } from './api.ts'
import { type Bar, Bars } from './bars.tsx'
import { FiguresTable, Profit } from './figures-table.tsx'
import {
  axisWords,
  beforeName,
  changeWords,
  type Days,
  daysOf,
  dayWords,
  hourWords,
  minutesWords,
  RANGES,
  type RangeName,
  rangeName,
} from './range-words.ts'

type Narrowed = Pick<InsightQuery, 'network' | 'supplier' | 'agent' | 'offer'>

const KEPT = 'insightRange'

/** Sales, profit and delivery times of a range, who stopped buying and what is slow. */
export default function InsightPage() {
  const now = useNow(60_000)
  const [range, setRange] = useState<RangeName>(rememberedRange)
  const [own, setOwn] = useState<Days>(() => daysOf('week', now))
  const [narrowed, setNarrowed] = useState<Narrowed>({})
  const days = range === 'range' ? own : daysOf(range, now)
  const query = { ...days, ...narrowed }
  const { data, error, refetch, isPlaceholderData } = useQuery(insightQuery(query))
  useScreenTitle({
    title: 'Insight',
    subtitle: `${rangeName(range, now)}${range === 'range' ? `, ${dayWords(own.from)} to ${dayWords(own.to)}` : ''}`,
  })
  const choose = (next: RangeName) => {
    localStorage.setItem(KEPT, next)
    if (next === 'range') setOwn(days)
    setRange(next)
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Ranges range={range} now={now} onChoose={choose} />
        <span className="flex-1 max-lg:hidden" />
        <span className="max-lg:hidden">
          <CsvButton file="admin-insight" filters={query as Record<string, string>} />
        </span>
      </div>
      {range === 'range' && <OwnDays days={own} onDays={setOwn} now={now} />}
      <Filters narrowed={narrowed} onNarrow={setNarrowed} reply={data} />
      {data ? (
        <div className={classNames('flex flex-col gap-4', isPlaceholderData && 'opacity-60')} aria-busy={isPlaceholderData}>
          <RefreshProblem error={error} onRetry={() => void refetch()} />
          <Insight reply={data} range={range} now={now} />
          <span className="lg:hidden">
            <CsvButton file="admin-insight" filters={query as Record<string, string>} />
          </span>
        </div>
      ) : error ? (
        <LoadError what="Insight" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading Insight…">
          <div className="flex flex-col gap-4">
            <Skeleton className="h-24" />
            <Skeleton className="h-72" />
          </div>
        </Loading>
      )}
    </div>
  )
}

function rememberedRange(): RangeName {
  const kept = localStorage.getItem(KEPT)
  return RANGES.find((name) => name === kept && name !== 'range') ?? 'week'
}

const PICK = 'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border px-3 font-medium whitespace-nowrap lg:min-h-9'

function Ranges({ range, now, onChoose }: { range: RangeName; now: Date; onChoose: (range: RangeName) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen.
    <div role="group" aria-label="Range" className="-mx-4 flex gap-2 relative overflow-x-auto px-4 [scrollbar-width:none] lg:mx-0 lg:px-0">
      {RANGES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === range}
          onClick={() => onChoose(name)}
          className={classNames(
            PICK,
            name === range ? 'border-brand bg-brand-soft font-bold text-brand-text' : 'border-line bg-surface hover:border-ink',
          )}
        >
          {name === 'range' && <CalendarDays className="size-4" aria-hidden="true" />}
          {rangeName(name, now)}
        </button>
      ))}
    </div>
  )
}

const CONTROL = 'min-h-11 min-w-0 rounded-box border border-line-strong bg-surface px-3 text-body text-ink lg:min-h-9'

function OwnDays({ days, onDays, now }: { days: Days; onDays: (days: Days) => void; now: Date }) {
  const today = isoDay(now)
  const change = (next: Days) => {
    if (next.from !== '' && next.to !== '') onDays(next.from <= next.to ? next : { from: next.to, to: next.from })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <label className="flex items-center gap-2 text-body">
        From
        <input
          type="date"
          className={CONTROL}
          value={days.from}
          max={today}
          onChange={(event) => change({ ...days, from: event.currentTarget.value })}
        />
      </label>
      <label className="flex items-center gap-2 text-body">
        to
        <input type="date" className={CONTROL} value={days.to} onChange={(event) => change({ ...days, to: event.currentTarget.value })} />
      </label>
      <span className="text-small text-muted">At most three months, in Ghana’s time.</span>
    </div>
  )
}

type FiltersProps = { narrowed: Narrowed; onNarrow: (narrowed: Narrowed) => void; reply: InsightReply | undefined }

/** An agent or a package: both at once are not kept. */
function Filters({ narrowed, onNarrow, reply }: FiltersProps) {
  const { network, supplier, agent, offer } = narrowed
  const [agentName, setAgentName] = useState('')
  const packages = reply?.packages ?? []
  const without = (...names: (keyof Narrowed)[]): Narrowed =>
    Object.fromEntries(Object.entries(narrowed).filter(([name]) => !names.includes(name as keyof Narrowed)))
  const packageOptions = packages.map((one) => ({ value: `${one.network}|${one.offer}`, label: `${one.network} ${one.offer}` }))
  const agentOptions = (reply?.agents ?? []).map(({ id, username }) => ({ value: id, label: username }))
  const chosenPackage = offer === undefined ? '' : `${network}|${offer}`
  return (
    <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <FilterSelect
        label="Network"
        all="All networks"
        value={network ?? ''}
        options={NETWORKS.map((name) => ({ value: name, label: name }))}
        onValue={(value) => onNarrow({ ...without('network', 'offer'), ...(value && { network: value as InsightQuery['network'] }) })}
      />
      <FilterSelect
        label="Supplier"
        all="All suppliers"
        value={supplier ?? ''}
        options={ROUTES.map((name) => ({ value: name, label: delivererName(name) }))}
        onValue={(value) => onNarrow({ ...without('supplier'), ...(value && { supplier: value as InsightQuery['supplier'] }) })}
      />
      <FilterSelect
        label="Agent"
        all="All agents"
        value={agent ?? ''}
        options={withChosen(agentOptions, agent ?? '', agentName)}
        onValue={(value) => {
          setAgentName(agentOptions.find((option) => option.value === value)?.label ?? agentName)
          onNarrow({ ...without('agent', 'offer'), ...(value && { agent: value }) })
        }}
      />
      <FilterSelect
        label="Package"
        all="All packages"
        value={chosenPackage}
        options={withChosen(packageOptions, chosenPackage, chosenPackage.replace('|', ' '))}
        onValue={(value) => {
          const [ofNetwork, name] = value.split('|')
          onNarrow(
            name === undefined ? without('offer') : { ...without('agent'), network: ofNetwork as InsightQuery['network'], offer: name },
          )
        }}
      />
    </div>
  )
}

type Option = { value: string; label: string }

/** What is chosen stays in its list, where a narrower range does not have it. */
function withChosen(options: Option[], value: string, label: string): Option[] {
  return value === '' || options.some((option) => option.value === value) ? options : [{ value, label }, ...options]
}

function Insight({ reply, range, now }: { reply: InsightReply; range: RangeName; now: Date }) {
  const { totals, before, networks, suppliers, packages, agents, days, hours } = reply
  const than = beforeName(range, before)
  if (reply.countedSince === null) {
    return (
      <EmptyState icon={<ChartColumn />} title="Nothing is delivered yet">
        Sales, profit and delivery times show up here with the first order that you complete.
      </EmptyState>
    )
  }
  const isDay = days.length === 1
  return (
    <>
      <Totals reply={reply} than={than} />
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
        {isDay && hours ? <ByHour hours={hours} title="Sales by the hour" /> : <ByDay reply={reply} than={than} now={now} />}
        <Times reply={reply} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Lapsed reply={reply} now={now} />
        <Slow reply={reply} />
        <Card title="Admin Statistics">
          <Link href="/admin/stats" className="flex min-h-13 items-center gap-3 px-4 font-medium hover:bg-sunken">
            Finance, orders and users in all
            <ChevronRight className="ml-auto size-5 text-muted" aria-hidden="true" />
          </Link>
        </Card>
      </div>
      {totals.orders > 0 && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Card title="Networks">
            <FiguresTable
              head="Network"
              rows={networks.map((row) => ({ ...row, key: row.network, name: <NetworkBadge network={row.network} /> }))}
            />
          </Card>
          <Card title="Delivered by">
            <FiguresTable
              head="Supplier"
              rows={suppliers.map((row) => ({ ...row, key: row.supplier, name: delivererName(row.supplier) }))}
            />
          </Card>
          {packages && packages.length > 0 && (
            <Card title="Packages" state={<span className="text-small text-muted">those that sold most</span>}>
              <FiguresTable
                head="Package"
                rows={packages.map((row) => ({ ...row, key: `${row.network} ${row.offer}`, name: `${row.network} ${row.offer}` }))}
              />
            </Card>
          )}
          {agents && agents.length > 0 && (
            <Card title="Agents" state={<span className="text-small text-muted">who bought most</span>}>
              <FiguresTable head="Agent" rows={agents.map((row) => ({ ...row, key: row.id, name: row.username }))} />
            </Card>
          )}
          {!isDay && hours && <ByHour hours={hours} title="By the hour of the day" />}
        </div>
      )}
    </>
  )
}

function Totals({ reply: { totals, before, countedSince, days }, than }: { reply: InsightReply; than: string }) {
  // What was delivered before the counting began is not a low figure but none.
  const isComparable = countedSince !== null && countedSince.slice(0, 10) <= before.from
  const change = isComparable ? changeWords(totals.sales, before.sales, than) : null
  const isWhole = totals.profit !== null
  const startsLate = countedSince !== null && countedSince.slice(0, 10) > (days[0]?.date ?? '')
  return (
    <Card label="Figures">
      <dl className="grid grid-cols-3 gap-2 px-4 py-3 [&_dd]:whitespace-nowrap [&_dt]:text-small [&_dt]:text-muted">
        <div className="min-w-0">
          <dt>Sales</dt>
          <dd className="text-large lg:text-display">
            <Money cedis={totals.sales} />
          </dd>
          {change && (
            <dd className={classNames('text-small text-wrap!', totals.sales >= before.sales ? 'text-done' : 'text-pending')}>{change}</dd>
          )}
        </div>
        <div className="min-w-0">
          <dt>{isWhole ? 'Profit' : 'Gross profit'}</dt>
          <dd className="text-large lg:text-display">
            <Profit {...totals} uncosted={totals.uncosted >= totals.orders ? totals.uncosted : 0} />
          </dd>
          {totals.uncosted === 0 && totals.sales > 0 && (
            <dd className="text-small text-muted">
              {(((totals.profit ?? totals.grossProfit) / totals.sales) * 100).toFixed(1)} % of sales
            </dd>
          )}
        </div>
        <div className="min-w-0">
          <dt>Delivered</dt>
          <dd className="tabular text-large font-bold lg:text-display">{totals.orders.toLocaleString('en')}</dd>
          {totals.averagePrice !== null && (
            <dd className="text-small text-muted text-wrap!">
              {moneyText(totals.averagePrice)} each{totals.refunded ? `, ${totals.refunded} refunded` : ''}
            </dd>
          )}
        </div>
      </dl>
      {isWhole && totals.profit !== totals.grossProfit && (
        <p className="border-t border-line px-4 py-2.5 text-small text-muted">
          Sales less cost leave {moneyText(totals.grossProfit)}, the gross profit. The profit also has the fees of customers, cards and
          payouts.
        </p>
      )}
      {totals.uncosted > 0 && (
        <p className="border-t border-line px-4 py-2.5 text-small text-pending">
          {totals.uncosted === 1 ? '1 order has' : `${totals.uncosted.toLocaleString('en')} orders have`} no cost yet and{' '}
          {totals.uncosted === 1 ? 'is' : 'are'} not in the profit.{' '}
          <Link href="/admin/products" className="font-semibold underline underline-offset-4">
            Enter costs
          </Link>
        </p>
      )}
      {startsLate && <p className="border-t border-line px-4 py-2.5 text-small text-muted">Counted since {dayWords(countedSince)}.</p>}
    </Card>
  )
}

const FEW_DAYS = 10

function ByDay({ reply: { days, readAt, totals }, than, now }: { reply: InsightReply; than: string; now: Date }) {
  const today = isoDay(now)
  const isShort = days.length <= FEW_DAYS
  const bars = days.map(({ date, sales, grossProfit, profit, orders, before, uncosted }, index): Bar => {
    const known = orders > 0 && uncosted < orders
    return {
      key: date,
      label: isShort || (days.length - 1 - index) % 7 === 0 ? axisWords(date, days.length) : '',
      title: `${dayWords(date)}: ${moneyText(sales)}, ${counted(orders, 'order')}; ${than} ${moneyText(before.sales)}`,
      value: sales,
      before: before.sales,
      ...(isShort && { note: known ? String(Math.round(profit ?? grossProfit)) : '–' }),
      when: date < today ? 'past' : date === today ? 'now' : 'next',
    }
  })
  return (
    <Card title="Sales a day" state={<Legend than={than} hasNow={days.some(({ date }) => date === today)} />}>
      <div className="px-4 py-3">
        <Bars
          bars={bars}
          noteName={totals.profit === null ? 'Gross profit' : 'Profit'}
          label={`Sales and profit a day, against ${than}: ${moneyText(totals.sales)} in all. The table below has the figures.`}
        />
      </div>
      <Table>
        <FiguresTable
          head="Day"
          minutes="Median"
          rows={days
            .filter(({ date }) => date <= readAt.slice(0, 10))
            .toReversed()
            .map(({ before: _, medianMinutes, ...row }) => ({
              ...row,
              key: row.date,
              name: dayWords(row.date),
              minutes: medianMinutes === null ? '–' : minutesWords(medianMinutes),
            }))}
        />
      </Table>
    </Card>
  )
}

function Legend({ than, hasNow }: { than: string; hasNow: boolean }) {
  const mark = (className: string) => (
    <span aria-hidden="true" className={classNames('mr-1 inline-block size-2.5 rounded-[2px]', className)} />
  )
  return (
    <span className="flex flex-wrap gap-x-2.5 text-small text-muted">
      <span>{mark('bg-brand')}this</span>
      <span>
        {mark('bg-line-strong opacity-50')}
        {than}
      </span>
      {hasNow && <span>{mark('bg-pending-mark')}so far</span>}
    </span>
  )
}

function ByHour({ hours, title }: { hours: NonNullable<InsightReply['hours']>; title: string }) {
  const sold = hours.filter(({ orders }) => orders > 0)
  const [first, last] = [sold[0]?.hour ?? 8, sold.at(-1)?.hour ?? 20]
  const shown = hours.slice(first, last + 1)
  const bars = shown.map(
    ({ hour, sales, orders }, index): Bar => ({
      key: String(hour),
      label: index % Math.ceil(shown.length / 8) === 0 ? `${hour % 12 || 12}${hour < 12 ? 'am' : 'pm'}` : '',
      title: `${hourWords(hour)}: ${moneyText(sales)}, ${counted(orders, 'order')}`,
      value: sales,
      before: null,
      when: 'past',
    }),
  )
  return (
    <Card title={title}>
      <div className="px-4 py-3">
        <Bars bars={bars} label={`${title}. The table below has the figures.`} />
      </div>
      <Table>
        <FiguresTable
          head="Hour"
          minutes="Median"
          rows={sold.map(({ medianMinutes, ...row }) => ({
            ...row,
            key: String(row.hour),
            name: hourWords(row.hour),
            minutes: medianMinutes === null ? '–' : minutesWords(medianMinutes),
          }))}
        />
      </Table>
    </Card>
  )
}

function Table({ children }: { children: ReactNode }) {
  return (
    <details className="border-t border-line">
      <summary className="flex min-h-11 cursor-pointer items-center px-4 text-small font-semibold text-brand-text">
        Show the figures
      </summary>
      <div className="max-h-96 overflow-y-auto">{children}</div>
    </details>
  )
}

function Times({ reply: { times } }: { reply: InsightReply }) {
  if (times === null) return null
  const longest = Math.max(1, ...times.map(({ medianMinutes }) => medianMinutes))
  return (
    <Card title="How long a delivery takes">
      {times.length === 0 && <p className="px-4 py-3 text-muted">No delivery in this range.</p>}
      <ul className="divide-y divide-line">
        {times.map(({ network, supplier, orders, medianMinutes, nineOfTenMinutes }) => (
          <li key={network + supplier} className="px-4 py-3">
            <div className="flex items-center justify-between gap-3">
              <span className="flex min-w-0 items-center gap-2">
                <NetworkBadge network={network} />
                <span className="truncate text-small text-muted">{delivererName(supplier)}</span>
              </span>
              <b className="tabular whitespace-nowrap">{minutesWords(medianMinutes)}</b>
            </div>
            <div className="my-1.5 h-2 overflow-hidden rounded-full bg-sunken">
              <div
                className={classNames('h-full rounded-full', nineOfTenMinutes >= 5 * medianMinutes ? 'bg-pending-mark' : 'bg-brand')}
                style={{ width: `${Math.max(2, (medianMinutes / longest) * 100)}%` }}
              />
            </div>
            <p className="text-small text-muted">
              9 of 10 within {minutesWords(nineOfTenMinutes)}, {counted(orders, 'order')}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Lapsed({ reply: { lapsed }, now }: { reply: InsightReply; now: Date }) {
  return (
    <Card title="Stopped buying">
      {lapsed.length === 0 && <p className="px-4 py-3 text-muted">Everybody who buys every week still does.</p>}
      <ul className="divide-y divide-line">
        {lapsed.map(({ id, username, phone, level, weeklyOrders, lastOrderAt }) => (
          <li key={id} className="flex items-center gap-2 py-2 pr-2 pl-4">
            <Link href={`/admin/customers/${id}`} className="min-w-0 flex-1 hover:underline">
              <b className="block truncate">{username}</b>
              <span className="text-small text-muted">
                {level}, {counted(weeklyOrders, 'order')} a week
              </span>
            </Link>
            <span className="text-small whitespace-nowrap text-muted">{waitingFor(lastOrderAt, now)}</span>
            <a
              href={whatsAppLink(phone)}
              target="_blank"
              rel="noreferrer"
              aria-label={`WhatsApp ${username}`}
              className="grid size-11 shrink-0 place-items-center rounded-box text-brand-text hover:bg-sunken"
            >
              <MessageCircle className="size-5" aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Slow({ reply: { slow } }: { reply: InsightReply }) {
  const name = ({ what, network, supplier, hour }: InsightReply['slow'][number]) => {
    if (what === 'report') return 'Answers to reports'
    const when = hour === null ? '' : `, ${hourWords(hour)}`
    return what === 'top-up' ? `Top-ups${when}` : `${network} ${delivererName(supplier ?? '').replace('By', 'by')}${when}`
  }
  return (
    <Card title="Slow now">
      {slow.length === 0 && <p className="px-4 py-3 text-muted">Nothing takes longer than usual.</p>}
      <ul className="divide-y divide-line">
        {slow.map((one) => (
          <li key={name(one)} className="flex min-h-11 items-center justify-between gap-3 px-4 py-2">
            <span className="min-w-0">{name(one)}</span>
            <b className="tabular whitespace-nowrap">{minutesWords(one.medianMinutes)}</b>
          </li>
        ))}
      </ul>
    </Card>
  )
}

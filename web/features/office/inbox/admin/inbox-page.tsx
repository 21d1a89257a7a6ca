import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { InboxReply } from '../../../../../shared/inbox.ts'
import { longDay, timeWords } from '../../../../lib/admin/clock-words.ts'
import { isTyping, keysOn } from '../../../../lib/admin/keys.ts'
import { focusedRow, moveRowFocus } from '../../../../lib/admin/row-keys.ts'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Row, RowGroup } from '../../../../ui/admin/row.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money } from '../../../../ui/money.tsx'
import { NetworkArt } from '../../../../ui/network-art.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { SupplierBanner } from '../../../delivery/floats/admin/supplier-banner.tsx'
import { countWaiting, inboxQuery } from './api.ts'
import { DayFigures, ShopDay } from './day-figures.tsx'
import { InboxDetails } from './inbox-details.tsx'
import { type InboxRow, inboxRows } from './inbox-rows.tsx'
import { useInboxActs } from './use-inbox-acts.tsx'

const SECTIONS = ['Closing', 'Orders', 'Money', 'People and messages'] as const

/** Everything that waits for somebody of the shop, each with the act that fits. */
export function InboxPage() {
  const { data, error, refetch } = useQuery(inboxQuery)
  const laptop = useMediaQuery('(min-width: 64rem)')
  const now = useNow()
  useScreenTitle({ title: 'Needs me', subtitle: `${longDay(now)}, ${timeWords(now)}` })
  if (!data && error) return <LoadError what="The inbox" error={error} onRetry={() => void refetch()} />
  if (!data) return <InboxLoading />
  return (
    <>
      {!laptop && <DayBand day={data.day} now={now} />}
      <SupplierBanner />
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <InboxList inbox={data} now={now} laptop={laptop} />
    </>
  )
}

/** Where the day stands, on the green field at the top of a phone. */
function DayBand({ day, now }: { day: InboxReply['day']; now: Date }) {
  return (
    <section
      aria-label="Today"
      className="field -mx-4 -mt-3 mb-4 flex flex-col gap-2.5 px-4 pt-3.5 pb-4 [--brand:var(--on-field)] [--now:#ffcb05]"
    >
      <ShopDay day={day} now={now} />
      <DayFigures day={day} />
    </section>
  )
}

function InboxList({ inbox, now, laptop }: { inbox: InboxReply; now: Date; laptop: boolean }) {
  const rows = inboxRows(inbox.groups, now)
  const { act, decide, isBusy, busy } = useInboxActs()
  const [chosen, setChosen] = useState<string | null>(null)
  const selected = rows.find(({ key }) => key === chosen) ?? rows.find(({ act: does }) => does !== 'open') ?? rows[0]
  const next = nextOf(rows)
  useInboxKeys(rows, act, decide)

  if (rows.length === 0 || !selected || !next)
    return (
      <EmptyState icon={<Inbox />} title="Nothing waits for you">
        New orders, top-ups and reports show up here by themselves.
      </EmptyState>
    )
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_26rem] lg:items-start lg:gap-5">
      <div className="flex flex-col gap-4">
        {SECTIONS.map((section) => {
          const own = rows.filter((row) => row.section === section)
          if (own.length === 0) return null
          return (
            <RowGroup key={section} title={section} count={countOf(own)}>
              {own.map((row) => (
                <Row
                  key={row.key}
                  rowKey={row.key}
                  icon={row.icon}
                  tone={row.tone}
                  title={<span className="line-clamp-3">{row.title}</span>}
                  subtitle={<Subtitle row={row} />}
                  selected={laptop && row.key === selected.key}
                  onSelect={() => setChosen(row.key)}
                  act={<RowAct row={row} busy={isBusy(row)} onAct={act} />}
                />
              ))}
            </RowGroup>
          )
        })}
      </div>
      {laptop ? (
        <aside aria-label="Details" className="sticky top-20 flex flex-col gap-2">
          <InboxDetails row={selected} now={now} busy={busy} onAct={act} onDecide={(order, status) => void decide(order, status)} />
          <p className="px-1 text-small text-muted">J and K move · Enter opens · ? shows all keys</p>
        </aside>
      ) : (
        <ActBar note={`Next: ${NEXT[next.section]}`} detail={next.title}>
          <Button
            busy={isBusy(next)}
            onClick={() => act(next)}
            {...(next.amount !== null && next.act !== 'open' && { stub: <Money cedis={next.amount} /> })}
          >
            {next.label}
          </Button>
        </ActBar>
      )}
    </div>
  )
}

const NEXT = { Closing: 'closing', Orders: 'orders', Money: 'top-ups', 'People and messages': 'people' } as const
const FIRST = ['approve', 'complete', 'batch', 'process', 'retry', 'open'] as const

/** What takes the least thought comes first: what is certain, then the most orders. */
function nextOf(rows: readonly InboxRow[]): InboxRow | undefined {
  return FIRST.flatMap((wanted) => rows.filter(({ act, group }) => act === wanted && group.kind !== 'batch'))[0] ?? rows[0]
}

/** Orders that differ have a row each, so a group may count for several rows. */
function countOf(rows: readonly InboxRow[]): number {
  return countWaiting([...new Set(rows.map(({ group }) => group))])
}

function Subtitle({ row: { group, order, subtitle } }: { row: InboxRow }) {
  const network = group.network ?? order?.network
  return (
    <span className="tabular">
      {network && (
        <span className="mr-1.5 inline-block align-middle [&>span]:size-4.5! [&>span]:rounded-[5px]!">
          <NetworkArt network={network} size={24} />
        </span>
      )}
      {network && <span className="sr-only">{network}, </span>}
      {subtitle}
    </span>
  )
}

const SOFT: readonly InboxRow['act'][] = ['batch', 'complete', 'approve', 'process']

function RowAct({ row, busy, onAct }: { row: InboxRow; busy: boolean; onAct: (row: InboxRow) => void }) {
  const soft = SOFT.includes(row.act)
  return (
    <Button
      variant={soft ? 'quiet' : 'secondary'}
      size="compact"
      busy={busy}
      className={soft ? 'bg-brand-soft lg:in-aria-[current]:bg-surface' : ''}
      aria-label={`${row.label}: ${row.title}`}
      onClick={(event) => {
        event.stopPropagation()
        onAct(row)
      }}
    >
      {row.label}
    </Button>
  )
}

function InboxLoading() {
  return (
    <Loading label="Loading the inbox…">
      <Skeleton className="-mx-4 -mt-3 mb-4 h-37 rounded-none! lg:hidden" />
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-5">
        <Skeleton className="h-96" />
        <Skeleton className="h-72" />
      </div>
    </Loading>
  )
}

/** J and K move; Enter, P, E and A do what the row's button does where that is what they stand for; R rejects. */
function useInboxKeys(rows: readonly InboxRow[], act: (row: InboxRow) => void, decide: ReturnType<typeof useInboxActs>['decide']): void {
  const on = keysOn.use()
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const row = rows.find(({ key }) => key === focusedRow())
    const does = row && KEYS[event.key]
    if (event.key === 'j') moveRowFocus(1)
    else if (event.key === 'k') moveRowFocus(-1)
    else if (row && event.key === 'Enter' && event.target instanceof HTMLElement && event.target.dataset.row) act({ ...row, act: 'open' })
    else if (row && does?.includes(row.act)) act(row)
    else if (row?.order && event.key === 'e') void decide(row.order, 'completed')
    else if (row?.order && event.key === 'r') void decide(row.order, 'rejected')
    else return
    event.preventDefault()
  })
  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => handle(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [on])
}

const KEYS: Record<string, readonly InboxRow['act'][]> = {
  p: ['process', 'batch'],
  e: ['complete'],
  a: ['approve'],
  s: ['retry'],
}

import { Download, ListChecks, RotateCcw } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { formatShortTime } from '../../../../shared/dates.ts'
import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { Order } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { ThumbBar } from '../../../ui/agent/thumb-bar.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { networkClass } from '../../../ui/network-art.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { StatusPunches } from '../../../ui/punches.tsx'
import { Key, Keys } from './bulk-check.tsx'
import { BulkHead } from './bulk-head.tsx'
import { MarkStrip, toMark } from './mark-strip.tsx'
import { addToList } from './paste-list.ts'
import { type PlacedBulk, usePlacedBulk } from './placed-bulk.ts'
import { type SentLine, toResultFile } from './to-result-file.ts'
import { WindowedList } from './windowed-list.tsx'

const ROW_HEIGHT = 54

/** A list on its way: how each line stands, what came back, and what can go again. */
export function BulkSent() {
  const placed = usePlacedBulk()
  const lines = useMemo(() => (placed ? toLines(placed) : []), [placed])
  const [, navigate] = useLocation()
  if (!placed)
    return (
      <Page>
        <BulkHead title={bulkTexts.sentTitle} />
        <EmptyState
          icon={<ListChecks />}
          title={bulkTexts.nothingSent}
          action={<ButtonLink href="/agent/bulk">{bulkTexts.toTheList}</ButtonLink>}
        >
          {bulkTexts.nothingSentText}
        </EmptyState>
      </Page>
    )
  const of = (status: Order['status']) => lines.filter(({ order }) => order.status === status)
  const [completed, pending, rejected] = [of('completed'), of('pending'), of('rejected')]
  const sendAgain = (again: readonly SentLine[]) => {
    addToList(again.map(({ order }) => `${order.receiver} ${order.offer} ${order.network}`).join('\n'))
    navigate('/agent/bulk/check')
  }
  return (
    <>
      <section className="field">
        <div className="mx-auto max-w-7xl px-4 pt-3.5 pb-4 sm:px-6">
          <PageHeader unseen title={bulkTexts.sentTitle} />
          <p className="text-small text-muted">{bulkTexts.paidAt(lines.length, formatShortTime(new Date(placed.at), new Date()))}</p>
          <p className="text-display font-bold">{bulkTexts.completedOf(completed.length, lines.length)}</p>
          {pending.length > 0 && <p className="text-small text-muted">{bulkTexts.mayLeave}</p>}
          <MarkStrip className="mt-2" label={bulkTexts.marks} marks={lines.map(({ order }) => toMark(order))} />
          <Keys>
            <Key className="bg-[#f7f4e8]">{bulkTexts.completed(completed.length)}</Key>
            <Key className="bg-[#6fa78a]">{bulkTexts.pending(pending.length)}</Key>
            {rejected.length > 0 && <Key className="bg-[#ff9d92]">{bulkTexts.rejected(rejected.length)}</Key>}
          </Keys>
        </div>
      </section>
      <Page className="lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem] lg:items-start lg:gap-8">
        <div className="min-w-0">
          {rejected.length > 0 && <Rejected lines={rejected} onAgain={sendAgain} />}
          <Lines title={bulkTexts.pending(pending.length)} lines={pending} />
          <Lines title={bulkTexts.completed(completed.length)} lines={completed} />
        </div>
        <div className="contents lg:sticky lg:top-20 lg:block lg:pt-4">
          <Sums {...{ lines, completed, pending, rejected }} at={placed.at} />
          <ThumbBar note={rejected.length > 0 && bulkTexts.canGoAgain(rejected.length)}>
            {rejected.length > 0 ? (
              <Button block size="large" stub={<Money cedis={totalOf(rejected)} />} onClick={() => sendAgain(rejected)}>
                {bulkTexts.tryAgainMany(rejected.length)}
              </Button>
            ) : (
              <ButtonLink block variant="secondary" size="large" href="/agent/bulk">
                {bulkTexts.newList}
              </ButtonLink>
            )}
          </ThumbBar>
        </div>
      </Page>
    </>
  )
}

function toLines({ lines, orders }: PlacedBulk): SentLine[] {
  return orders.map((order, index) => ({ number: lines[index]?.number ?? index + 1, text: lines[index]?.text ?? '', order }))
}

function totalOf(lines: readonly SentLine[]): number {
  return toCedis(lines.reduce((sum, { order }) => sum + toPesewas(order.totalAmount), 0))
}

function Rejected({ lines, onAgain }: { lines: readonly SentLine[]; onAgain: (lines: readonly SentLine[]) => void }) {
  return (
    <section className="mt-2.5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-large">{bulkTexts.rejected(lines.length)}</h2>
        <p className="text-small text-muted">{bulkTexts.backInWallet(moneyText(totalOf(lines)))}</p>
      </div>
      <ol>
        {lines.map((line) => (
          <li key={line.order._id} className={`ticket mb-2 [--rim:var(--danger)] ${networkClass(line.order.network) ?? ''}`}>
            <span aria-hidden="true" className="h-1.5 shrink-0 bg-net" />
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 p-3">
              <div className="min-w-0">
                <b>
                  {bulkTexts.line(line.number)} · {bulkTexts.ofLine(line.order.offer, spacedPhone(line.order.receiver))}
                </b>
                <StatusPunches status="rejected" note={`refunded ${moneyText(line.order.totalAmount)}`} />
                <p>{line.order.refundReason ?? bulkTexts.safeToSend}</p>
              </div>
              <Button variant="secondary" icon={<RotateCcw className="size-4.5" aria-hidden="true" />} onClick={() => onAgain([line])}>
                {bulkTexts.tryAgain}
                <span className="sr-only"> {bulkTexts.lineInSentence(line.number)}</span>
              </Button>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly SentLine[] }) {
  if (lines.length === 0) return null
  return (
    <section className="mt-2">
      <h2 className="flex min-h-11 items-center text-large">{title}</h2>
      <div className="overflow-hidden rounded-box border border-line bg-surface">
        <WindowedList rows={lines} rowHeight={ROW_HEIGHT} rowKey={({ order }) => order._id} label={title}>
          {({ number, order }) => (
            <Link
              href={`/order/${order.number}`}
              className={`relative grid h-full grid-cols-[2rem_minmax(0,1fr)_5rem] items-center gap-x-2 border-b border-line pr-3 pl-2.5 ${networkClass(order.network) ?? ''}`}
            >
              <span aria-hidden="true" className="absolute inset-y-0 left-0 w-1.5 bg-net" />
              <span className="text-right text-small text-muted">{number}</span>
              <span className="min-w-0 leading-[1.25]">
                <b className="block truncate">{bulkTexts.ofLine(order.offer, spacedPhone(order.receiver))}</b>
                <StatusPunches status={order.status} sent={order.supplierStatus !== null} />
              </span>
              <span className="flex h-full items-center justify-end border-l-2 border-dotted border-line">
                <Money cedis={order.totalAmount} />
              </span>
            </Link>
          )}
        </WindowedList>
      </div>
    </section>
  )
}

type SumsProps = Record<'lines' | 'completed' | 'pending' | 'rejected', readonly SentLine[]> & { at: string }

function Sums({ lines, completed, pending, rejected, at }: SumsProps) {
  const kept = [...completed, ...pending]
  return (
    <section className="ticket mt-4 lg:mt-0">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 px-3 py-3.5">
        <dt>{bulkTexts.paidFor(lines.length)}</dt>
        <dd className="text-right">
          <Money cedis={totalOf(lines)} />
        </dd>
        {rejected.length > 0 && (
          <>
            <dt className="text-danger">{bulkTexts.rejectedRefunded(rejected.length)}</dt>
            <dd className="text-right">
              <Money cedis={-totalOf(rejected)} />
            </dd>
          </>
        )}
        <dt className="border-t-2 border-dotted border-line pt-2 text-large font-bold">{bulkTexts.lines(kept.length)}</dt>
        <dd className="border-t-2 border-dotted border-line pt-2 text-right text-large">
          <Money cedis={totalOf(kept)} />
        </dd>
        <dt className="text-small text-muted">{bulkTexts.completed(completed.length)}</dt>
        <dd className="text-right text-small text-muted">
          <Money cedis={totalOf(completed)} />
        </dd>
        <dt className="text-small text-muted">{bulkTexts.pending(pending.length)}</dt>
        <dd className="text-right text-small text-muted">
          <Money cedis={totalOf(pending)} />
        </dd>
      </dl>
      <div className="perf" aria-hidden="true" />
      <div className="flex items-center justify-between px-3 py-1">
        <span className="text-small text-muted">{bulkTexts.resultFile}</span>
        <Button variant="quiet" icon={<Download className="size-4.5" aria-hidden="true" />} onClick={() => saveResultFile(lines, at)}>
          {bulkTexts.csv}
        </Button>
      </div>
    </section>
  )
}

function saveResultFile(lines: readonly SentLine[], at: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([toResultFile(lines)], { type: 'text/csv;charset=utf-8' }))
  link.download = `${bulkTexts.file}-${at.slice(0, 16).replace(/\D/g, '-')}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

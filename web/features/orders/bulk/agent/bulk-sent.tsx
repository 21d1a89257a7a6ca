import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Download, ListChecks, Repeat, RotateCcw, Save } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import type { BulkJob, BulkJobLine } from '../../../../../shared/bulk.ts'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { nameInDisposition, saveAs } from '../../../../lib/download-csv.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { StatusPunches } from '../../../../ui/punches.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { ordersQuery } from '../../orders/api.ts'
import { jobQuery, latestJobQuery, resultFile } from './api.ts'
import { Key, Keys } from './bulk-check.tsx'
import { BulkHead } from './bulk-head.tsx'
import { countLines, type SentLine, type SentSums, totalOf } from './count-lines.ts'
import { MarkStrip, toMark } from './mark-strip.tsx'
import { startRepeat, startRetry } from './start-group.ts'
import { useOrderNews } from './use-order-news.ts'
import { WindowedList } from './windowed-list.tsx'

const ROW_HEIGHT = 54
/** News of orders changes the lines; a short list is also read anew, for what only the shop knows. */
const MOST_READ_AT_ONCE = 100

/** A list on its way: how each line stands, what came back, and what can go again. Without an id, the list that was sent last. */
export function BulkSent({ id }: { id: string | undefined }) {
  const latest = useQuery({ ...latestJobQuery, enabled: id === undefined })
  const jobId = id ?? latest.data?._id
  const { data, error, refetch } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== undefined })
  const failure = data ? null : (error ?? (latest.data === undefined ? latest.error : null))
  if (data) return <Sent job={data.job} lines={data.lines} />
  return (
    <Page>
      <BulkHead title={bulkTexts.sentTitle}>
        <PastLink />
      </BulkHead>
      {failure ? (
        <LoadError what={bulkTexts.yourList} error={failure} onRetry={() => void (jobId ? refetch() : latest.refetch())} />
      ) : latest.data === null && id === undefined ? (
        <EmptyState
          icon={<ListChecks />}
          title={bulkTexts.nothingSent}
          action={<ButtonLink href="/agent/bulk">{bulkTexts.toTheList}</ButtonLink>}
        >
          {bulkTexts.nothingSentText}
        </EmptyState>
      ) : (
        <Loading>
          <Skeleton className="mt-6 h-96" />
        </Loading>
      )}
    </Page>
  )
}

function PastLink({ className = 'text-brand-text' }: { className?: string }) {
  return (
    <Link href="/agent/bulk/past" className={`inline-flex min-h-11 shrink-0 items-center gap-1 font-semibold ${className}`}>
      <ChevronLeft className="size-4.5" aria-hidden="true" />
      {bulkTexts.pastOrders}
    </Link>
  )
}

function Sent({ job, lines }: { job: BulkJob; lines: readonly BulkJobLine[] }) {
  const sums = useMemo(() => countLines(lines), [lines])
  const { sent, completed, pending, rejected, canGoAgain, leftOut } = sums
  const [, navigate] = useLocation()
  useOrderNews(job._id)
  // Any news of an own order may be about a line of this list.
  const { dataUpdatedAt } = useQuery(ordersQuery({ page: 1, pageSize: 5, mine: 'true' }))
  const isFollowed = pending.length > 0 && sent.length <= MOST_READ_AT_ONCE
  useEffect(() => {
    if (isFollowed && dataUpdatedAt > 0) refreshSoon(['bulk', 'list', job._id])
  }, [isFollowed, dataUpdatedAt, job._id])

  const start = async (begin: () => Promise<boolean>) => {
    try {
      if (await begin()) navigate('/agent/bulk/check')
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const again = (orderId?: string) => void start(() => startRetry(job._id, orderId))
  return (
    <>
      <section className="field">
        <div className="mx-auto max-w-7xl px-4 pt-1.5 pb-4 sm:px-6 lg:pt-3.5">
          <PageHeader unseen title={bulkTexts.sentTitle} />
          <div className="flex min-h-11 items-center justify-between gap-3">
            <p className="min-w-0 text-small break-words text-muted">
              {bulkTexts.paidAt(job.name, sent.length, formatShortTime(new Date(job.createdAt), shopNow()))}
            </p>
            <PastLink className="text-on-field" />
          </div>
          <p aria-live="polite" className="text-display font-bold">
            {bulkTexts.completedOf(completed.length, sent.length)}
          </p>
          {pending.length > 0 && <p className="text-small text-muted">{bulkTexts.mayLeave}</p>}
          <MarkStrip className="mt-2" label={bulkTexts.marks} marks={sent.map(({ order }) => toMark(order))} />
          <Keys>
            <Key className="bg-[#f7f4e8]">{bulkTexts.completed(completed.length)}</Key>
            <Key className="bg-[#6fa78a]">{bulkTexts.pending(pending.length)}</Key>
            {rejected.length > 0 && <Key className="bg-[#ff9d92]">{bulkTexts.rejected(rejected.length)}</Key>}
          </Keys>
        </div>
      </section>
      <Page className="lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem] lg:items-start lg:gap-8">
        <div className="min-w-0">
          {rejected.length > 0 && <Rejected lines={rejected} onAgain={again} />}
          <Lines title={bulkTexts.pending(pending.length)} lines={pending} />
          <Lines title={bulkTexts.completed(completed.length)} lines={completed} />
          {leftOut.length > 0 && <LeftOut lines={leftOut} />}
        </div>
        <div className="contents lg:sticky lg:top-20 lg:block lg:pt-4">
          <Sums {...sums} job={job} />
          <div className="mt-2 grid grid-cols-2 gap-2">
            <Button
              variant="secondary"
              icon={<Repeat className="size-4.5" aria-hidden="true" />}
              onClick={() => void start(() => startRepeat(job))}
            >
              {bulkTexts.repeat}
            </Button>
            <ButtonLink
              variant="secondary"
              icon={<Save className="size-4.5" aria-hidden="true" />}
              href={`/agent/bulk/groups/new?list=${job._id}`}
            >
              {bulkTexts.saveAsGroup}
            </ButtonLink>
          </div>
          <ThumbBar note={canGoAgain.length > 0 && bulkTexts.canGoAgain(canGoAgain.length)}>
            {canGoAgain.length > 0 ? (
              <Button block size="large" stub={<Money cedis={totalOf(canGoAgain)} />} onClick={() => again()}>
                {bulkTexts.tryAgainMany(canGoAgain.length)}
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

const SHOWN_REJECTED = 30

function Rejected({ lines, onAgain }: { lines: readonly SentLine[]; onAgain: (orderId: string) => void }) {
  return (
    <section className="mt-2.5">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-large">{bulkTexts.rejected(lines.length)}</h2>
        <p className="text-small text-muted">{bulkTexts.backInWallet(moneyText(totalOf(lines)))}</p>
      </div>
      <ol>
        {lines.slice(0, SHOWN_REJECTED).map(({ number, order, retried }) => (
          <li key={order._id} className={`ticket mb-2 [--rim:var(--danger)] ${networkClass(order.network) ?? ''}`}>
            <span aria-hidden="true" className="h-1.5 shrink-0 bg-net" />
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 p-3">
              <div className="min-w-0">
                <b>
                  {bulkTexts.line(number)} · {bulkTexts.ofLine(order.offer, spacedPhone(order.phoneNumber))}
                </b>
                <StatusPunches status="rejected" note={`refunded ${moneyText(order.amount)}`} />
                <p className="break-words">{order.refundReason ?? (retried === null ? bulkTexts.safeToSend : '')}</p>
              </div>
              {retried === null ? (
                <Button variant="secondary" icon={<RotateCcw className="size-4.5" aria-hidden="true" />} onClick={() => onAgain(order._id)}>
                  {bulkTexts.tryAgain}
                  <span className="sr-only"> {bulkTexts.lineInSentence(number)}</span>
                </Button>
              ) : (
                <p className="text-small text-muted">{bulkTexts.boughtAgain}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {lines.length > SHOWN_REJECTED && <p className="text-small text-muted">{bulkTexts.moreInFile(lines.length - SHOWN_REJECTED)}</p>}
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
          {({ number, name, order }) => (
            <Link
              href={`/order/${order.number}`}
              className={`relative flex h-full flex-wrap content-center items-center justify-end gap-x-2 border-b border-line pr-3 pl-2.5 ${networkClass(order.network) ?? ''}`}
            >
              <span aria-hidden="true" className="absolute inset-y-0 left-0 w-1.5 bg-net" />
              <span className="min-w-6 text-right text-small text-muted">{number}</span>
              <span className="min-w-0 grow basis-[7rem] leading-[1.25]">
                <b className="block">{bulkTexts.ofLine(order.offer, spacedPhone(order.phoneNumber))}</b>
                <span className="flex min-w-0 items-center gap-2">
                  <span className="shrink-0">
                    <StatusPunches status={order.status} />
                  </span>
                  {name && <span className="min-w-0 truncate text-small text-muted">{name}</span>}
                </span>
              </span>
              <span className="flex min-w-17 items-center justify-end self-stretch border-l-2 border-dotted border-line">
                <Money cedis={order.amount} />
              </span>
            </Link>
          )}
        </WindowedList>
      </div>
    </section>
  )
}

function LeftOut({ lines }: { lines: readonly BulkJobLine[] }) {
  return (
    <section className="mt-2">
      <h2 className="flex min-h-11 items-center text-large">{bulkTexts.leftOut(lines.length)}</h2>
      <div className="overflow-hidden rounded-box border border-line bg-surface">
        <WindowedList rows={lines} rowHeight={ROW_HEIGHT} rowKey={({ number }) => number} label={bulkTexts.leftOut(lines.length)}>
          {({ number, text, why }) => (
            <div className="grid h-full grid-cols-[2.5rem_minmax(0,1fr)] items-center gap-x-2 border-b border-line pr-3 pl-2.5">
              <span className="text-right text-small text-muted">{number}</span>
              <span className="min-w-0 leading-[1.25]">
                <span className="block break-all font-mono text-small">{text}</span>
                <span className="block truncate text-small text-muted">{why}</span>
              </span>
            </div>
          )}
        </WindowedList>
      </div>
    </section>
  )
}

function Sums({ job, sent, completed, pending, rejected, networks }: SentSums & { job: BulkJob }) {
  const kept = [...completed, ...pending]
  return (
    <section className="ticket mt-4 lg:mt-0">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 px-3 py-3.5">
        <dt>{bulkTexts.paidFor(sent.length)}</dt>
        <dd className="text-right">
          <Money cedis={totalOf(sent)} />
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
        {networks.map((one) => (
          <NetworkSum key={one.network} {...one} />
        ))}
      </dl>
      <div className="perf" aria-hidden="true" />
      <div className="flex items-center justify-between px-3 py-1">
        <span className="text-small text-muted">{bulkTexts.resultFile}</span>
        <Button variant="quiet" icon={<Download className="size-4.5" aria-hidden="true" />} onClick={() => void saveResult(job)}>
          {bulkTexts.csv}
        </Button>
      </div>
    </section>
  )
}

function NetworkSum({ network, completed, rejected, lines }: SentSums['networks'][number]) {
  return (
    <>
      <dt className={`flex min-w-0 items-center gap-2 text-small text-muted ${networkClass(network) ?? ''}`}>
        <span aria-hidden="true" className="size-2.5 shrink-0 rounded-[2px] bg-net" />
        {network}
        {rejected > 0 && ` · ${bulkTexts.rejected(rejected)}`}
      </dt>
      <dd className="text-right text-small text-muted">{bulkTexts.doneOf(completed, lines)}</dd>
    </>
  )
}

async function saveResult({ _id, number }: BulkJob): Promise<void> {
  try {
    const { blob, disposition } = await resultFile(_id)
    saveAs(blob, nameInDisposition(disposition) ?? `${bulkTexts.file}-${number}.csv`)
  } catch (error) {
    toast.danger(messageOf(error))
  }
}

import { ChevronLeft, CircleAlert, ListChecks, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { withoutTime } from '../../../../../shared/bulk-line.ts'
import { type CheckedLine, NO_ORDER } from '../../../../../shared/bulk-lines.ts'
import { MAX_BULK_LINES } from '../../../../../shared/bulk-rules.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { sumLines } from '../../../../../shared/sum-bulk-lines.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Money } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { useReceivers } from '../../../catalogue/contacts/api.ts'
import { nameOfReceiver } from '../../../catalogue/contacts/name-of-receiver.ts'
import { decideLines, rewriteLine, useBulkLines, useInFlight } from './bulk-draft.ts'
import { BulkHead } from './bulk-head.tsx'
import { BulkPay } from './bulk-pay.tsx'
import { FixCard } from './fix-card.tsx'
import { type Mark, MarkStrip } from './mark-strip.tsx'
import { WindowedList } from './windowed-list.tsx'

/** Every line before it is paid for: what is doubtful and wrong first, with answers in place, then what is ready. */
export function BulkCheck() {
  const shop = useInFlight()
  const { lines, isKnown } = useBulkLines(shop.inFlight)
  const isTooLong = lines.length > MAX_BULK_LINES
  const sums = sumLines(lines)
  const { ready, doubtful, wrong } = sums
  const [holdingUp, otherwiseWrong] = [wrong.filter(({ holdsUp }) => holdsUp), wrong.filter(({ holdsUp }) => !holdsUp)]
  const leftOut = lines.filter(({ state }) => state === 'skipped')
  const skipped = leftOut.filter(({ short }) => short !== NO_ORDER)
  const talk = leftOut.length - skipped.length
  const count = lines.length - leftOut.length

  if (!isKnown)
    return (
      <Page>
        <Loading>
          <Skeleton className="mt-6 h-96" />
        </Loading>
      </Page>
    )
  if (lines.length === 0)
    return (
      <Page>
        <BulkHead title={bulkTexts.title} />
        <EmptyState
          icon={<ListChecks />}
          title={bulkTexts.emptyTitle}
          action={<ButtonLink href="/agent/bulk">{bulkTexts.toTheList}</ButtonLink>}
        >
          {bulkTexts.emptyText}
        </EmptyState>
      </Page>
    )
  return (
    <Page>
      <BulkHead title={bulkTexts.checkTitle(count)}>
        <Link href="/agent/bulk" className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text">
          <ChevronLeft className="size-4.5" aria-hidden="true" />
          {bulkTexts.backToList}
        </Link>
      </BulkHead>
      {shop.error && <LoadError what={bulkTexts.onTheirWay} error={shop.error} onRetry={shop.retry} />}
      {isTooLong && <NoticeBox tone="pending">{bulkTexts.tooMany(MAX_BULK_LINES)}</NoticeBox>}
      <MarkStrip label={bulkTexts.marks} marks={lines.filter(({ state }) => state !== 'skipped').map(toMark)} />
      <Keys>
        <Key className="bg-surface">{bulkTexts.ready(ready.length)}</Key>
        {doubtful.length > 0 && <Key className="bg-warn-line">{bulkTexts.toDecide(doubtful.length)}</Key>}
        {wrong.length > 0 && <Key className="bg-danger">{bulkTexts.wrong(wrong.length)}</Key>}
      </Keys>
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_22.5rem] lg:items-start lg:gap-8">
        <div className="min-w-0">
          {/* First, since the others are ready once it is answered. */}
          <ToFix lines={holdingUp} title={bulkTexts.readFirst(holdingUp.length)} isWrong />
          <ToFix lines={doubtful} title={bulkTexts.toDecide(doubtful.length)} isWrong={false} />
          <ToFix lines={otherwiseWrong} title={bulkTexts.wrong(otherwiseWrong.length)} isWrong />
          {ready.length > 0 && <ReadyLines lines={ready} />}
          {skipped.length > 0 && (
            <p className="mt-3 flex min-h-11 items-center justify-between gap-3 text-muted">
              {bulkTexts.skippedLines(skipped.length)}
              <Button variant="quiet" onClick={() => decideLines(skipped, {})}>
                {bulkTexts.bringBack}
              </Button>
            </p>
          )}
          {talk > 0 && <p className="mt-3 text-muted">{bulkTexts.talk(talk)}</p>}
        </div>
        <BulkPay {...{ sums, lines, count }} isChecked={shop.isChecked && !isTooLong} />
      </div>
    </Page>
  )
}

function toMark({ network, state }: CheckedLine): Mark {
  return { network, state: state === 'skipped' ? 'ready' : state }
}

export function Keys({ children }: { children: ReactNode }) {
  return <p className="mt-1 flex flex-wrap gap-x-3.5 gap-y-0.5 text-small">{children}</p>
}

export function Key({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className={`size-2.5 rounded-[2px] border border-line-strong ${className}`} />
      {children}
    </span>
  )
}

const SHOWN_AT_FIRST = 30

function ToFix({ lines, title, isWrong }: { lines: readonly CheckedLine[]; title: string; isWrong: boolean }) {
  const [shown, setShown] = useState(SHOWN_AT_FIRST)
  if (lines.length === 0) return null
  const Icon = isWrong ? CircleAlert : TriangleAlert
  // Those that are sent already, and could be sent once more.
  const repeated = lines.filter(({ choices }) => choices[0]?.decision.send)
  const named = lines.filter(({ isName }) => isName)
  return (
    <section className="mt-2.5">
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 className={`flex items-center gap-2 text-large ${isWrong ? 'text-danger' : 'text-pending'}`}>
          <Icon className="size-5" aria-hidden="true" />
          {title}
        </h2>
        <span className="flex flex-wrap justify-end">
          {repeated.length > 1 && (
            <Button variant="quiet" onClick={() => decideLines(repeated, { send: true })}>
              {bulkTexts.sendAll(repeated.length)}
            </Button>
          )}
          {named.length > 1 && (
            <Button variant="quiet" onClick={() => decideLines(named, ({ choices }) => choices[0]?.decision ?? {})}>
              {bulkTexts.areNames(named.length)}
            </Button>
          )}
          <Button variant="quiet" onClick={() => decideLines(lines, { skip: true })}>
            {bulkTexts.skipAll(lines.length)}
          </Button>
        </span>
      </div>
      <ol>
        {lines.slice(0, shown).map((line) => (
          <li key={`${line.number} ${line.text}`}>
            <FixCard
              number={line.number}
              raw={withoutTime(line.text)}
              network={line.network}
              isWrong={isWrong}
              why={line.why}
              options={[
                ...line.choices.map(({ label, cedis, network, decision }) => ({
                  label,
                  cedis,
                  network,
                  onPick: () => decideLines([line], decision),
                })),
                ...(line.holdsUp ? [{ label: bulkTexts.changesNothing, onPick: () => decideLines([line], { skip: true }) }] : []),
                ...(line.split ? [{ label: bulkTexts.ownLines(line.split.length), onPick: () => splitLine(line) }] : []),
              ]}
              {...(isWrong && line.choices.length === 0
                ? {
                    edit: {
                      label: bulkTexts.textOfLine(line.number),
                      value: withoutTime(line.text),
                      onSave: (text) => rewriteLine(line, text),
                    },
                  }
                : {})}
              onSkip={() => decideLines([line], { skip: true })}
            />
          </li>
        ))}
      </ol>
      {lines.length > shown && (
        <Button block variant="secondary" onClick={() => setShown(shown + SHOWN_AT_FIRST * 2)}>
          {bulkTexts.showMore(lines.length - shown)}
        </Button>
      )}
    </section>
  )
}

const ROW_HEIGHT = 50

function ReadyLines({ lines }: { lines: readonly CheckedLine[] }) {
  const receivers = useReceivers()
  return (
    <section className="mt-2">
      <h2 className="flex min-h-11 items-center text-large text-done">{bulkTexts.ready(lines.length)}</h2>
      <div className="overflow-hidden rounded-box border border-line bg-surface">
        <WindowedList rows={lines} rowHeight={ROW_HEIGHT} rowKey={({ number }) => number} label={bulkTexts.readyLines}>
          {({ number, name, item, receiver, network, offer }) => (
            <div
              className={`relative flex h-full flex-wrap content-center items-center justify-end gap-x-2 border-b border-line pr-3 pl-2.5 ${networkClass(network ?? '')}`}
            >
              <span aria-hidden="true" className="absolute inset-y-0 left-0 w-1.5 bg-net" />
              <span className="min-w-6 text-right text-small text-muted">{number}</span>
              <span className="min-w-0 grow basis-[7rem] leading-[1.25]">
                <b className="block">{spacedPhone(receiver ?? '')}</b>
                <span className="block truncate text-small text-muted">
                  {name || (item && nameOfReceiver(receivers, { network: item.network, receiver: item.receiver })) || network}
                </span>
              </span>
              <b>{offer}</b>
              <span className="flex min-w-17 items-center justify-end self-stretch border-l-2 border-dotted border-line">
                <Money cedis={item?.cedis ?? 0} />
              </span>
            </div>
          )}
        </WindowedList>
      </div>
    </section>
  )
}

function splitLine(line: CheckedLine): void {
  if (line.split) rewriteLine(line, line.split.join('\n'))
}

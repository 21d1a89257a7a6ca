import { Check, CircleHelp, Clock, RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Float, FloatState, FloatsReply } from '../../../../../shared/floats.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import type { RowTone } from '../../../../ui/admin/row.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { carriesWords, clockTime, floatName, isHolding, lastsWords, ordersWait, STATE_WORDS } from './float-words.ts'

const TONES: Record<FloatState, [RowTone, ReactNode]> = {
  finished: ['danger', <TriangleAlert key="icon" />],
  stopped: ['danger', <TriangleAlert key="icon" />],
  trying: ['pending', <RotateCw key="icon" />],
  low: ['pending', <Clock key="icon" />],
  enough: ['done', <Check key="icon" />],
  unknown: ['plain', <CircleHelp key="icon" />],
}

type Props = {
  float: Float
  day: FloatsReply['day']
  now: Date
  busy: boolean
  rights: { maySend: boolean; mayEnter: boolean }
  onTryNow: () => void
  onTopUp: () => void
  onEnter: () => void
}

/** One float: what is left, how long that lasts, and what to do about it. */
export function FloatCard({ float, day, now, busy, rights, onTryNow, onTopUp, onEnter }: Props) {
  const { kind, state, balance, held } = float
  const [tone, icon] = TONES[state]
  return (
    <Card
      label={floatName(float)}
      title={
        <>
          {floatName(float)}{' '}
          <span className="text-small font-normal text-muted">
            {kind === 'sms' ? 'messages' : kind === 'by-hand' ? 'by hand' : carriesWords(float)}
          </span>
        </>
      }
      state={
        <StateChip tone={tone} icon={icon}>
          {STATE_WORDS[state]}
        </StateChip>
      }
    >
      <div className="flex flex-col gap-2 px-4 py-3">
        <p className="text-display leading-none">
          {balance === null ? (
            <span className="text-large text-muted">Not known yet</span>
          ) : kind === 'sms' ? (
            <span className="tabular font-bold">{balance.toLocaleString('en')}</span>
          ) : (
            <Money cedis={balance} />
          )}
        </p>
        <Standing float={float} closes={day?.closes ?? null} now={now} />
        {day && balance !== null && (
          <LastsBar emptyAt={isHolding(float) ? now.toISOString() : float.emptyAt} day={day} now={now} low={state === 'low'} />
        )}
        <Facts float={float} />
        <div className="flex flex-wrap gap-2 pt-1">
          {kind === 'by-hand' && rights.mayEnter && (
            <Button variant="secondary" onClick={onEnter}>
              Enter the balance
            </Button>
          )}
          {(rights.mayEnter || float.howToTopUp !== '') && (
            <Button variant="secondary" onClick={onTopUp}>
              How to top up
            </Button>
          )}
          {isHolding(float) && kind === 'supplier' && rights.maySend && (
            <Button
              variant="secondary"
              icon={<RotateCw className="size-4" aria-hidden="true" />}
              busy={busy}
              busyLabel="One moment…"
              onClick={onTryNow}
            >
              Try now
            </Button>
          )}
        </div>
        {held.orders > 0 && !isHolding(float) && (
          <p className="text-small text-muted">{ordersWait(held.orders)} for a free moment there.</p>
        )}
      </div>
    </Card>
  )
}

function Standing({ float, closes, now }: { float: Float; closes: string | null; now: Date }) {
  const { state, kind, held, topUpAtLeast } = float
  const waiting = held.orders > 0 ? ` ${ordersWait(held.orders)}.` : ''
  if (state === 'finished') {
    const least = topUpAtLeast !== null && topUpAtLeast > 0 ? ` at least ${moneyText(topUpAtLeast)}` : ''
    return (
      <p className="text-body">
        <b>Your {floatName(float)} balance is finished.</b>
        {waiting} Top up{least}
        {kind === 'supplier' && ', then press Try now'}.
      </p>
    )
  }
  if (state === 'stopped' || state === 'trying') {
    return (
      <p className="text-body">
        <b>{state === 'stopped' ? `${floatName(float)} doesn’t take our orders.` : `${floatName(float)} gets another try.`}</b>
        {waiting} {state === 'stopped' ? 'Look at their portal, then press Try now.' : 'The next order shows whether it works again.'}
      </p>
    )
  }
  return <p className="text-body">{lastsWords(float, closes, now)}</p>
}

function Facts({ float: { problem, perHour, rateFrom, kind, withoutCost, balanceAt } }: { float: Float }) {
  if (problem) {
    return (
      <p className="text-small text-muted">
        {problem.failures === 1 ? '1 failure' : `${problem.failures} failures in a row`}
        {problem.at && `, the last at ${clockTime(problem.at)}`}: “{problem.reason}”.
        {problem.nextTryAt && ` We try one order again at ${clockTime(problem.nextTryAt)}.`}
      </p>
    )
  }
  const rate =
    perHour === null || rateFrom === null
      ? null
      : kind === 'sms'
        ? `${perHour.toLocaleString('en')} messages an hour today.`
        : `${moneyText(perHour)} an hour today, ${rateFrom === 'balance' ? 'by what the balance lost' : 'by what was delivered'}.`
  return (
    <>
      <p className="text-small text-muted">
        {kind === 'by-hand' && 'What you entered, less what was delivered since. '}
        {rate ?? (balanceAt && `Read at ${clockTime(balanceAt)}.`)}
      </p>
      {withoutCost > 0 && (
        <p className="text-small text-pending">
          {withoutCost === 1 ? '1 order has' : `${withoutCost} orders have`} no cost yet, so there is less than this says.
        </p>
      )}
    </>
  )
}

/** The day from opening to closing: what is past, how far the float goes, and where it is missing. */
function LastsBar({
  emptyAt,
  day: { opens, closes },
  now,
  low,
}: {
  emptyAt: string | null
  day: NonNullable<FloatsReply['day']>
  now: Date
  low: boolean
}) {
  const [from, to] = [Date.parse(opens), Date.parse(closes)]
  const share = (ms: number) => Math.min(100, Math.max(0, ((ms - from) / (to - from)) * 100))
  const nowAt = share(now.getTime())
  const endAt = emptyAt === null ? 100 : Math.max(nowAt, share(Date.parse(emptyAt)))
  const mark = endAt < 100 && endAt > nowAt ? endAt : nowAt
  return (
    <div aria-hidden="true">
      <div className="relative h-2.5 overflow-hidden rounded-full bg-sunken">
        <span className="absolute inset-y-0 left-0 bg-line-strong opacity-45" style={{ width: `${nowAt}%` }} />
        <span
          className={classNames('absolute inset-y-0', low ? 'bg-pending-mark' : 'bg-brand')}
          style={{ left: `${nowAt}%`, width: `${endAt - nowAt}%` }}
        />
        {endAt < 100 && (
          <span
            className="absolute inset-y-0 right-0 [background:repeating-linear-gradient(135deg,var(--danger)_0_4px,transparent_4px_8px)]"
            style={{ left: `${endAt}%` }}
          />
        )}
      </div>
      <div className="tabular relative mt-1 flex justify-between text-[0.75rem] text-muted">
        <span>{mark > 18 && clockTime(opens)}</span>
        {mark > 0 && mark < 100 && (
          <span
            className="absolute font-semibold whitespace-nowrap text-ink"
            style={mark > 60 ? { right: `${100 - mark}%` } : { left: `${mark}%` }}
          >
            {mark === nowAt ? 'now' : `empty ${clockTime(emptyAt ?? '')}`}
          </span>
        )}
        <span>{mark < 84 && clockTime(closes)}</span>
      </div>
    </div>
  )
}

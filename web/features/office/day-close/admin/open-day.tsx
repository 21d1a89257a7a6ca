import { useQueryClient } from '@tanstack/react-query'
import { Check, Printer } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CountedPlace, DaySheet, SignedClose } from '../../../../../shared/day-close.ts'
import { COUNTED_FRESH_MS } from '../../../../../shared/day-close-rules.ts'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { call } from '../../../../lib/api.ts'
import { readDraft, writeDraft } from '../../../../lib/drafts.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { CsvButton } from '../../../../ui/csv-button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import type { Asked } from './api.ts'
import { clockTime, closeOfSameDay, dayName, exactTime, isQuiet, rangeWords } from './day-close-words.ts'
import { EarnedCard, NetworksCard, WalletsCard } from './networks-card.tsx'

type Typed = { counted: string; moved: string; note: string; parts?: Record<string, string> }
type Props = {
  reply: { sheet: DaySheet; places: CountedPlace[]; isNext: boolean; closes: SignedClose[] }
  asked: Asked
  onAsk: (asked: Asked) => void
  onAgain: () => void
  busy: boolean
}

/** A range of time that is not signed: what moved in it, what was counted, and the signature. */
export function OpenDay({ reply: { sheet, places, isNext, closes }, asked, onAsk, onAgain, busy }: Props) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const userId = session.use()?._id ?? null
  const [typed, setTyped] = useState(() => readTyped(userId, sheet.from))
  const type = (key: string, change: Partial<Typed>) => {
    const all = { ...typed, [key]: { ...EMPTY, ...typed[key], ...change } }
    setTyped(all)
    writeDraft(userId, DRAFT, { from: sheet.from, at: new Date().toISOString(), typed: JSON.stringify(all) })
  }
  const [signing, setSigning] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const lines = places.map((place) => measure(place, sheet.until, typed[place.key]))
  const differing = lines.filter(({ difference }) => difference !== null && difference !== 0)
  const isCounted = lines.some(({ counted }) => counted !== null)
  const uncounted = lines.filter(({ counted: amount }) => amount === null).map(({ place }) => place.name)
  const isCompared = lines.some(({ difference }) => difference !== null)
  const unexplained = differing.filter(({ note }) => note === '')
  const day = dayName(sheet)
  const signed = closeOfSameDay(sheet, closes)
  const isOver = isNext && signed !== null && !isCounted && isQuiet(sheet)
  const toDecide = sheet.pending.toDecide ?? 0

  const sign = async () => {
    const yes = await confirmAction({
      question: signed
        ? `${day} was signed off at ${clockTime(signed.until)}. Sign off what came since?`
        : `Sign ${day} off? Nobody can change it afterwards.`,
      title: `Sign off ${day}`,
      danger: toDecide > 0,
      details: (
        <>
          <p>
            {rangeWords(sheet)}. Wallets close with {moneyText(sheet.wallets.closing)}, profit {moneyText(sheet.earned.profit)}.
          </p>
          {uncounted.length > 0 && (
            <p className="mt-2 font-semibold text-pending">{isCounted ? `Not counted: ${uncounted.join(', ')}.` : 'Nothing is counted.'}</p>
          )}
          {toDecide > 0 && (
            <p className="mt-2 font-semibold text-pending">
              {counted(toDecide, 'order')} {toDecide === 1 ? 'is' : 'are'} still to decide and {toDecide === 1 ? 'goes' : 'go'} on into the
              next day.
            </p>
          )}
        </>
      ),
      yes: 'Yes',
    })
    if (!yes) return
    setSigning(true)
    setProblem(null)
    try {
      const body = {
        from: sheet.from,
        until: sheet.until,
        closing: sheet.wallets.closing,
        counted: lines.flatMap((line) =>
          line.counted === null
            ? []
            : [
                {
                  key: line.place.key,
                  counted: line.counted,
                  moved: line.moved,
                  note: line.note,
                  ...(line.parts && { parts: line.parts }),
                  ...(line.isRead && line.place.readAt !== null && { readAt: line.place.readAt }),
                },
              ],
        ),
      }
      const { close } = await call('POST /admin/day-close', { body })
      writeDraft(userId, DRAFT, null)
      toast.success(`${day} is signed off.`)
      void client.invalidateQueries({ queryKey: ['inbox'] })
      navigate(`/admin/day-close/${close._id}`)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setSigning(false)
    }
  }

  return (
    <div className="flex flex-col gap-4">
      {problem && (
        <NoticeBox tone="danger">
          <p>{problem}</p>
          <Button variant="secondary" className="mt-2" busy={busy} onClick={onAgain}>
            Look again
          </Button>
        </NoticeBox>
      )}
      <h2 className="hidden text-title font-bold print:block">
        {day}, {rangeWords(sheet)}, not signed
      </h2>
      <Figures sheet={sheet} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <WalletsCard sheet={sheet} />
          <EarnedCard sheet={sheet} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Counted" state={<span className="text-small text-muted">{counted(differing.length, 'difference')}</span>}>
            <div className="divide-y divide-line">
              {lines.map((line) => (
                <Place key={line.place.key} line={line} onType={(change) => type(line.place.key, change)} />
              ))}
            </div>
          </Card>
          <NetworksCard sheet={sheet} />
          <Range sheet={sheet} asked={asked} closes={closes} onAsk={onAsk} />
          <Closes closes={closes} />
        </div>
      </div>
      <ActBar
        note={
          !isNext
            ? 'Only looked at'
            : isOver
              ? `${day} is signed off`
              : unexplained.length > 0
                ? `Say why ${unexplained[0]?.place.name} differs`
                : isCompared
                  ? 'Every cedi explained'
                  : isCounted
                    ? uncounted.length === 0
                      ? 'Counted'
                      : `${lines.length - uncounted.length} of ${lines.length} counted`
                    : 'Nothing counted yet'
        }
        detail={
          isOver
            ? 'Nothing has moved since'
            : isNext
              ? differing.length === 0
                ? isCompared
                  ? 'No differences'
                  : isCounted
                    ? 'The next close compares with it'
                    : 'Count, then sign off'
                : `${counted(differing.length, 'difference')}${unexplained.length === 0 ? ', named' : `, ${unexplained.length} without a sentence`}`
              : 'A close begins where the last one ended'
        }
      >
        <Button
          variant="secondary"
          className="max-lg:hidden"
          icon={<Printer className="size-4.5" aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        <span className="max-lg:hidden">
          <CsvButton file="day-close" filters={{ from: sheet.from, until: sheet.until }} />
        </span>
        {isNext ? (
          <Button
            busy={signing}
            busyLabel="One moment…"
            disabled={isOver || unexplained.length > 0 || lines.some(({ isUnclear }) => isUnclear)}
            onClick={() => void sign()}
          >
            {signed ? 'Sign off the rest' : `Sign off ${day}`}
          </Button>
        ) : (
          <Button onClick={() => onAsk({})}>Since the last close</Button>
        )}
      </ActBar>
    </div>
  )
}

const EMPTY: Typed = { counted: '', moved: '', note: '' }
const DRAFT = 'day-close'

/** What was typed before a reload, of the same range; after half an hour it has to be counted again. */
function readTyped(userId: string | null, from: string): Record<string, Typed> {
  const kept = readDraft(userId, DRAFT)
  const isFresh = kept?.from === from && Date.now() - Date.parse(kept.at ?? '') <= COUNTED_FRESH_MS
  try {
    return isFresh ? (JSON.parse(kept.typed ?? '{}') as Record<string, Typed>) : {}
  } catch {
    return {}
  }
}

type Line = {
  place: CountedPlace
  typed: Typed
  /** Null while nothing was counted. */
  counted: number | null
  /** What was counted on each number; null where there is only one. */
  parts: { key: string; counted: number }[] | null
  /** Nobody counted: it is what the shop has read. */
  isRead: boolean
  /** Something was typed that is no amount. */
  isUnclear: boolean
  moved: number
  expected: number | null
  difference: number | null
  note: string
}

/** What the shop itself has just read at a supplier counts until somebody types something else; what is older has changed since. */
function measure(place: CountedPlace, until: string, typed: Typed = EMPTY): Line {
  const isFresh = place.readAt !== null && Math.abs(Date.parse(until) - Date.parse(place.readAt)) <= COUNTED_FRESH_MS
  const parts = place.parts.flatMap(({ key }) => {
    const counted = cedisOf(typed.parts?.[key] ?? '')
    return counted === null ? [] : [{ key, counted }]
  })
  const inParts = place.parts.length > 0
  const sum = parts.length === place.parts.length ? round(parts.reduce((total, { counted }) => total + counted, 0)) : null
  const own = inParts ? sum : cedisOf(typed.counted)
  const isRead = typed.counted === '' && !inParts && isFresh
  const counted = isRead ? place.read : own
  const moved = cedisOf(typed.moved) ?? 0
  const texts = inParts ? [typed.moved, ...Object.values(typed.parts ?? {})] : [typed.moved, typed.counted]
  const isUnclear = texts.some((text) => text.trim() !== '' && cedisOf(text) === null)
  const expected = place.expected === null ? null : round(place.expected + moved)
  const difference = counted === null || expected === null ? null : round(counted - expected)
  return { place, typed, counted, parts: inParts ? parts : null, isRead, isUnclear, moved, expected, difference, note: typed.note.trim() }
}

function cedisOf(text: string): number | null {
  const pesewas = pesewasIn(text, { negative: true })
  return pesewas === null ? null : toCedis(pesewas)
}

const round = (cedis: number) => Math.round(cedis * 100) / 100

function Place({
  line: { place, typed, counted: amount, expected, difference },
  onType,
}: {
  line: Line
  onType: (change: Partial<Typed>) => void
}) {
  return (
    <div className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <b className="font-semibold">{place.name}</b>
        {amount === null ? <span className="text-small text-muted">not counted</span> : <Money cedis={amount} />}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-small">
        <span className="text-muted">
          {place.readAt === null || place.read === null
            ? 'counted by you'
            : amount === null
              ? `${moneyText(place.read)} at ${clockTime(place.readAt)}, count again`
              : `read ${clockTime(place.readAt)}`}
        </span>
        {difference === 0 && (
          <span className="inline-flex items-center gap-1 font-semibold text-done">
            <Check className="size-3.5" aria-hidden="true" />
            as expected
          </span>
        )}
        {difference !== null && difference !== 0 && (
          <span className="tabular font-semibold text-pending">
            {difference > 0 ? '+' : '−'}
            {moneyText(Math.abs(difference))} against {moneyText(expected ?? 0)}
          </span>
        )}
        {difference === null && expected !== null && <span className="tabular text-muted">expected {moneyText(expected)}</span>}
      </div>
      <div className="no-print grid grid-cols-[repeat(auto-fit,minmax(min(7.5rem,100%),1fr))] gap-2">
        {place.parts.map(({ key, name }) => (
          <MoneyField
            key={key}
            label={name}
            allowNegative
            value={typed.parts?.[key] ?? ''}
            onValue={(counted) => onType({ parts: { ...typed.parts, [key]: counted } })}
          />
        ))}
        {place.parts.length === 0 && (
          <MoneyField
            label={`${place.name}: counted`}
            hideLabel
            placeholder="Counted"
            allowNegative
            narrow
            value={typed.counted}
            onValue={(counted) => onType({ counted })}
          />
        )}
        <div className={place.parts.length === 0 ? '' : 'col-span-full'}>
          <MoneyField
            label={place.parts.length === 0 ? `${place.name}: paid in, or taken out with a minus` : 'You paid in, or took out'}
            hideLabel={place.parts.length === 0}
            placeholder="In, or −out"
            allowNegative
            narrow={place.parts.length === 0}
            value={typed.moved}
            onValue={(moved) => onType({ moved })}
          />
        </div>
      </div>
      {difference !== null && difference !== 0 && (
        <Field
          label={`${place.name}: why it differs`}
          hideLabel
          placeholder="Why? One sentence."
          maxLength={200}
          value={typed.note}
          onChange={(event) => onType({ note: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

function Figures({ sheet: { delivered, pending, earned, uncostedOrders } }: { sheet: DaySheet }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(5.5rem,100%),1fr))] gap-2 lg:hidden [&_dd]:text-title [&_dd]:font-bold [&_dt]:text-small [&_dt]:text-muted">
      <div>
        <dt>Delivered</dt>
        <dd className="tabular">{delivered}</dd>
      </div>
      <div>
        <dt>Pending</dt>
        <dd className="tabular">
          {pending.orders}
          {pending.toDecide ? <span className="block text-small font-normal text-muted">{pending.toDecide} to decide</span> : null}
        </dd>
      </div>
      <div>
        <dt>{uncostedOrders > 0 ? `Profit, ${uncostedOrders} without cost` : 'Profit'}</dt>
        <dd>
          <Money cedis={earned.profit} />
        </dd>
      </div>
    </dl>
  )
}

const toInput = (iso: string) => iso.slice(0, 16)

type RangeProps = { sheet: DaySheet; asked: Asked; closes: readonly SignedClose[]; onAsk: (asked: Asked) => void }

function Range({ sheet, asked, closes, onAsk }: RangeProps) {
  const [from, setFrom] = useState(toInput(asked.from ?? sheet.from))
  const [until, setUntil] = useState(toInput(asked.until ?? sheet.until))
  const ofCloses = closes.flatMap((close) => [close.until, close.from])
  const begins = exactTime(from, [sheet.from, ...ofCloses])
  const ends = exactTime(until, [sheet.until, ...ofCloses])
  return (
    <Card title="Another time" className="no-print">
      <div className="grid grid-cols-1 gap-2 px-4 py-3 sm:grid-cols-2 [&_input]:min-w-0 [&_input]:text-[min(1.0625rem,5.3vw)]">
        <Field label="From" type="datetime-local" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <Field label="Until" type="datetime-local" value={until} onChange={(event) => setUntil(event.currentTarget.value)} />
        <Button
          variant="secondary"
          className="sm:col-span-2"
          disabled={!begins || !ends || begins >= ends}
          onClick={() => begins && ends && onAsk({ from: begins, until: ends })}
        >
          Show
        </Button>
      </div>
    </Card>
  )
}

function Closes({ closes }: { closes: SignedClose[] }) {
  if (closes.length === 0) return null
  return (
    <Card title="Signed before" className="no-print">
      <ul className="divide-y divide-line">
        {closes.map((close) => (
          <li key={close._id} className="flex items-center justify-between gap-3 px-4 py-2.5">
            <div className="min-w-0">
              <p className="truncate font-semibold">
                {dayName(close)}
                {close.corrects !== null && ', corrected'}
              </p>
              <p className="truncate text-small text-muted">
                {rangeWords(close)} · {close.signedBy}
                {close.correctedBy !== null && ' · corrected later'}
              </p>
            </div>
            <ButtonLink variant="secondary" href={`/admin/day-close/${close._id}`} aria-label={`Open ${rangeWords(close)}`}>
              Open
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}

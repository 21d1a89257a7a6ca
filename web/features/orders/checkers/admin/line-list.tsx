import { useState } from 'react'
import type { CheckerLineState } from '../../../../../shared/checkers.ts'
import type { CheckerLine } from '../../../../../shared/readers/read-checkers.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { StateChip } from '../../../../ui/admin/card.tsx'
import type { RowTone } from '../../../../ui/admin/row.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'

/** `why`: what keeps it out of the stock. */
export type SeenLine = CheckerLine & { state: CheckerLineState['state']; why: string | null }

const WORDS: Record<SeenLine['state'], [word: string, tone: RowTone]> = {
  good: ['Good', 'done'],
  malformed: ['Wrong', 'danger'],
  twice: ['Twice', 'pending'],
  'in-stock': ['In stock already', 'pending'],
  sold: ['Sold already', 'danger'],
}

/** The height of a row and of the list, in rem: larger text gets the room. */
const ROW_REM = 4
const LIST_REM = 20
/** Rows above and below what is seen. */
const SPARE = 6

/** Every line of a file with what becomes of it; PINs stay hidden. Only the rows in sight are in the page: ten thousand scroll like ten. */
export function LineList({ lines }: { lines: readonly SeenLine[] }) {
  const states = (Object.keys(WORDS) as SeenLine['state'][]).filter((state) => lines.some((line) => line.state === state))
  const [only, setOnly] = useState<SeenLine['state'] | null>(null)
  const [top, setTop] = useState(0)
  const shown = only === null ? lines : lines.filter(({ state }) => state === only)
  const first = Math.max(0, Math.min(top, shown.length - 1) - SPARE)
  const seen = shown.slice(first, first + Math.ceil(LIST_REM / ROW_REM) + 2 * SPARE)
  return (
    <section aria-label="The lines">
      <p role="status" className="mb-2 font-semibold">
        {counted(lines.length, 'line')}, {lines.filter(({ state }) => state === 'good').length.toLocaleString('en')} of them good
      </p>
      <ChipRow label="Which lines" className="mb-2">
        <Chip selected={only === null} onClick={() => setOnly(null)}>
          All
        </Chip>
        {states.map((state) => (
          <Chip key={state} selected={only === state} onClick={() => setOnly(state)}>
            {`${WORDS[state][0]} ${lines.filter((line) => line.state === state).length.toLocaleString('en')}`}
          </Chip>
        ))}
      </ChipRow>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
        tabIndex={0}
        aria-label="Lines"
        className="overflow-y-auto rounded-box border border-line"
        style={{ height: `${Math.min(LIST_REM, shown.length * ROW_REM)}rem` }}
        onScroll={({ currentTarget }) => setTop(Math.floor((currentTarget.scrollTop / currentTarget.scrollHeight) * shown.length))}
      >
        <ul style={{ height: `${shown.length * ROW_REM}rem`, paddingTop: `${first * ROW_REM}rem` }}>
          {seen.map(({ line, text, serial, pin, state, why }, at) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: of two tables side by side a line comes twice.
              key={`${line} ${first + at}`}
              className="flex flex-col justify-center border-b border-line px-3"
              style={{ height: `${ROW_REM}rem` }}
            >
              <span className="flex items-center justify-between gap-3">
                <span className="tabular min-w-0 text-small break-all">
                  <span className="text-muted">{line}.</span> {serial === '' && pin === '' ? text : serial || '(no serial)'}{' '}
                  {(serial !== '' || pin !== '') && <span className="text-muted">PIN {masked(pin)}</span>}
                </span>
                <StateChip tone={WORDS[state][1]}>{WORDS[state][0]}</StateChip>
              </span>
              {why && (
                <span title={why} className="block truncate text-small text-muted">
                  {why}
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
    </section>
  )
}

function masked(pin: string): string {
  return pin === '' ? 'missing' : `••••${pin.slice(-2)}`
}

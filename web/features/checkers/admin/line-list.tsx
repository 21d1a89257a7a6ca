import { useState } from 'react'
import type { CheckerLineState } from '../../../../shared/checkers.ts'
import type { CheckerLine } from '../../../../shared/read-checkers.ts'
import { counted } from '../../../lib/admin/words.ts'
import { StateChip } from '../../../ui/admin/card.tsx'
import type { RowTone } from '../../../ui/admin/row.tsx'
import { Chip, ChipRow } from '../../../ui/chip.tsx'

/** `why`: what keeps it out of the stock. */
export type SeenLine = CheckerLine & { state: CheckerLineState['state']; why: string | null }

const WORDS: Record<SeenLine['state'], [word: string, tone: RowTone]> = {
  good: ['Good', 'done'],
  malformed: ['Wrong', 'danger'],
  twice: ['Twice', 'pending'],
  'in-stock': ['In stock already', 'pending'],
  sold: ['Sold already', 'danger'],
}

/** Lines stay in the page's flow only while they are near the screen: ten thousand scroll like ten. */
const ROW = '[content-visibility:auto] [contain-intrinsic-size:auto_3.25rem]'

/** Every line of a file with what becomes of it; PINs stay hidden. */
export function LineList({ lines }: { lines: readonly SeenLine[] }) {
  const states = (Object.keys(WORDS) as SeenLine['state'][]).filter((state) => lines.some((line) => line.state === state))
  const [only, setOnly] = useState<SeenLine['state'] | null>(null)
  const shown = only === null ? lines : lines.filter(({ state }) => state === only)
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it. */}
      <ul tabIndex={0} aria-label="Lines" className="max-h-80 divide-y divide-line overflow-y-auto rounded-box border border-line">
        {shown.map(({ line, serial, pin, state, why }) => (
          <li key={line} className={`${ROW} px-3 py-2`}>
            <span className="flex items-center justify-between gap-3">
              <span className="tabular min-w-0 text-small break-all">
                <span className="text-muted">{line}.</span> {serial || '(no serial)'} <span className="text-muted">PIN {masked(pin)}</span>
              </span>
              <StateChip tone={WORDS[state][1]}>{WORDS[state][0]}</StateChip>
            </span>
            {why && <span className="block text-small text-muted">{why}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function masked(pin: string): string {
  return pin === '' ? 'missing' : `••••${pin.slice(-2)}`
}

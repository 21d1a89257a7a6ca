import { type ReactNode, useEffect, useId, useState } from 'react'
import { type Columns, leftOutText } from '../../shared/readers/read-table.ts'
import type { TableImport } from '../lib/use-table-import.ts'
import { importTexts } from '../texts/imports.ts'
import { Button } from './button.tsx'
import { Chip } from './chip.tsx'
import { classNames } from './class-names.ts'
import { controlClass, SelectControl, SelectField } from './field.tsx'
import { Money } from './money.tsx'

/** A heap of rows: how many, and what they come to in cedis. */
export type ReviewCount = { label: string; count: number; cedis?: number; tone?: 'done' | 'pending' }
/** A row as it came, and why it is not read. */
export type ReviewDoubt = { line: number; text: string; reason: string }

export type ReviewProps<R extends string> = {
  counts: readonly ReviewCount[]
  doubtful: readonly ReviewDoubt[]
  /** Where there are columns or questions. */
  from?: TableImport<R>
  /** A cell as it may be shown. */
  show?: ((cell: string) => string) | undefined
  /** Above the counts: what else has to be known. */
  before?: ReactNode
  children?: ReactNode
}

/** What was read from a file, what is doubtful and what was left out, before anything happens; with the questions that settle it. */
export function ImportReview<R extends string>({ counts, doubtful, from, show, before, children }: ReviewProps<R>) {
  const leftOut = [...(from?.table.leftOut ?? []), ...(from?.read.leftOut ?? []).filter(({ count }) => count > 0)]
  const left = leftOut.reduce((sum, { count }) => sum + count, 0)
  const all: ReviewCount[] = [
    ...counts.filter(({ count }, at) => at === 0 || count > 0),
    ...(doubtful.length > 0 ? [{ label: importTexts.doubtful, count: doubtful.length, tone: 'pending' as const }] : []),
    ...(left > 0 ? [{ label: importTexts.leftOut, count: left }] : []),
  ]
  const unused = from?.table.headings.filter((heading, at) => heading !== '' && !Object.values(from.columns).includes(at)) ?? []
  const mustChoose = from?.mustChoose ?? false
  return (
    <div className="flex flex-col gap-4">
      {before}
      {!mustChoose && <Counts counts={all} />}
      {from && from.table.headings.length + from.table.rows.length > 0 && <ColumnChoice from={from} show={show} />}
      {from && !mustChoose && <Questions from={from} />}
      {!mustChoose && children}
      {!mustChoose && doubtful.length > 0 && <Doubts doubtful={doubtful} />}
      {(leftOut.length > 0 || unused.length > 0) && (
        <section aria-label={importTexts.leftOut}>
          <h3 className="font-semibold">{importTexts.leftOut}</h3>
          <ul className="text-small text-muted">
            {leftOut.map((one) => (
              <li key={one.many}>{leftOutText(one)}</li>
            ))}
            {unused.length > 0 && <li className="break-words">{importTexts.unused(unused)}</li>}
          </ul>
        </section>
      )}
    </div>
  )
}

function Counts({ counts }: { counts: readonly ReviewCount[] }) {
  return (
    <section aria-label={importTexts.counts}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2">
        {counts.map(({ label, count, cedis, tone }) => (
          <li
            key={label}
            className={classNames(
              'rounded-box px-3 py-2',
              tone === 'done' ? 'bg-done-soft text-done' : tone === 'pending' ? 'bg-pending-soft text-pending' : 'bg-sunken text-muted',
            )}
          >
            <span className="block text-small">{label}</span>
            <span className="tabular flex flex-wrap items-baseline justify-between gap-x-2">
              <b className="text-large leading-tight">{count.toLocaleString('en-GH')}</b>
              {cedis !== undefined && <Money cedis={cedis} className="text-body" />}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-small text-muted">{importTexts.nothingHappened}</p>
    </section>
  )
}

const SAMPLES = 3

function ColumnChoice<R extends string>({ from, show = String }: Pick<Required<ReviewProps<R>>, 'from'> & Pick<ReviewProps<R>, 'show'>) {
  const [isOpen, setIsOpen] = useState(false)
  const headingId = useId()
  const { table, columns, words, mustChoose, chooseColumns, chooseSheet } = from
  const { missing } = from.read
  const width = Math.max(table.headings.length, ...table.rows.slice(0, SAMPLES).map(({ cells }) => cells.length))
  const used = Array.from({ length: width }, (_, at) => at).filter(
    (at) => (table.headings[at] ?? '') !== '' || table.rows.some(({ cells }) => cells[at]),
  )
  const all = Object.keys(words) as R[]
  const choose = (at: number, role: string) => {
    const next: Columns<R> = Object.fromEntries(
      all.flatMap((one) => (columns[one] === undefined || columns[one] === at || one === role ? [] : [[one, columns[one]]])),
    ) as Columns<R>
    chooseColumns(role === '' ? next : { ...next, [role]: at })
  }
  return (
    <>
      {table.sheets.length > 1 && (
        <SelectField label={importTexts.sheet} value={table.sheet} onChange={(event) => chooseSheet(event.currentTarget.value)}>
          {table.sheets.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
      {!mustChoose && !isOpen && (
        <Button variant="quiet" size="compact" className="-ml-3 self-start" onClick={() => setIsOpen(true)}>
          {importTexts.changeColumns}
        </Button>
      )}
      {(mustChoose || isOpen) && (
        <section aria-labelledby={headingId} className="flex flex-col gap-2">
          <h3 id={headingId} className="font-semibold">
            {importTexts.whichColumn}
          </h3>
          <p className="text-small text-muted">
            {missing.length > 0 && `${importTexts.missing(missing.map((role) => words[role][0]))} `}
            {importTexts.columnsHint}
          </p>
          <ul className="divide-y divide-line rounded-box border border-line">
            {used.map((at) => {
              const name = table.headings[at] ? `“${table.headings[at]}”` : importTexts.column(at + 1)
              return (
                <li key={at} className="grid grid-cols-[minmax(0,1fr)_minmax(0,11rem)] items-center gap-3 px-3 py-2">
                  <span className="min-w-0">
                    <span className="block truncate font-semibold">{table.headings[at] || name}</span>
                    {table.rows.slice(0, SAMPLES).map(({ line, cells }, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: of two tables side by side a line comes twice.
                      <span key={`${line} ${index}`} className="tabular block text-small break-words text-muted">
                        {show(cells[at] ?? '') || '–'}
                      </span>
                    ))}
                  </span>
                  <SelectControl
                    aria-label={importTexts.inColumn(name)}
                    className={classNames(controlClass, 'text-body! max-lg:text-large!')}
                    value={all.find((role) => columns[role] === at) ?? ''}
                    onChange={(event) => choose(at, event.currentTarget.value)}
                  >
                    <option value="">{importTexts.notNeeded}</option>
                    {all.map((role) => (
                      <option key={role} value={role}>
                        {words[role][0]}
                      </option>
                    ))}
                  </SelectControl>
                </li>
              )
            })}
          </ul>
          {mustChoose && missing.length === 0 && (
            <Button variant="secondary" onClick={() => chooseColumns(columns)}>
              {importTexts.columnsAreRight}
            </Button>
          )}
        </section>
      )}
    </>
  )
}

function Questions<R extends string>({ from }: { from: TableImport<R> }) {
  const { answered, answer, remembered } = from
  const open = from.read.questions
  const keys = new Set(answered.map(({ question }) => question.key))
  useEffect(() => {
    for (const question of open) {
      const before = keys.has(question.key) ? undefined : remembered(question)
      if (before !== undefined) answer(question, before)
    }
  })
  const all = [...answered, ...open.filter(({ key }) => !keys.has(key)).map((question) => ({ question, value: null }))]
  if (all.length === 0) return null
  return (
    <section aria-label={importTexts.questions} className="flex flex-col gap-2">
      {all.map(({ question, value }) => (
        <fieldset key={question.key} className={classNames('rounded-box px-4 py-3', value === null ? 'bg-pending-soft' : 'bg-sunken')}>
          <legend className="sr-only">{question.ask}</legend>
          <p aria-hidden="true" className={classNames('font-semibold break-words', value === null && 'text-pending')}>
            {question.ask}
          </p>
          <p className="text-small text-muted">{importTexts.waiting(question.count)}</p>
          <div className="mt-1 flex flex-wrap gap-2">
            {question.choices.map((choice) => (
              <Chip key={choice.value} selected={value === choice.value} onClick={() => answer(question, choice.value)}>
                {choice.label}
              </Chip>
            ))}
          </div>
        </fieldset>
      ))}
    </section>
  )
}

const SHOWN = 50

function Doubts({ doubtful }: { doubtful: readonly ReviewDoubt[] }) {
  return (
    <section aria-label={importTexts.doubtful} className="rounded-box bg-pending-soft px-4 py-3 text-body text-pending">
      <h3 className="font-semibold">{importTexts.doubtfulRows(doubtful.length)}</h3>
      <ul>
        {doubtful.slice(0, SHOWN).map(({ line, text, reason }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: of two tables side by side a line comes twice.
          <li key={`${line} ${at}`} className="pt-2 break-words">
            <span className="block">{importTexts.doubt(line, reason)}</span>
            <span className="block text-small text-muted">{text.slice(0, 120)}</span>
          </li>
        ))}
        {doubtful.length > SHOWN && <li className="pt-1">{importTexts.more(doubtful.length - SHOWN)}</li>}
      </ul>
    </section>
  )
}

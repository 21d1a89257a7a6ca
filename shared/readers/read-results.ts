import type { ResultRole } from './heading-words.ts'
import { type Answers, type Question, Questions } from './read-column.ts'
import { readState, stateWords } from './read-state.ts'
import type { Columns, Table } from './read-table.ts'

export const RESULT_ROLES: Record<ResultRole, string> = { number: 'Phone number', size: 'Size', state: 'What happened' }

const WORDS: Record<string, string> = { delivered: 'Delivered', failed: 'Failed', open: 'Pending' }
const CHOICES = [
  { value: 'delivered', label: 'It was delivered' },
  { value: 'failed', label: 'It failed' },
  { value: 'open', label: 'Not decided yet' },
]

/** A row as a line of text; `reason` where nobody knows yet what became of its order. */
export type ResultRow = { line: number; text: string; reason: string | null }

/**
 * The rows of a portal's file as lines of text with tabs between number, size and state. A state in words that are not known is asked about
 * once for the whole file. Without headings all cells, as they stand.
 */
export function toResultRows(
  { headings, rows }: Pick<Table<ResultRole>, 'headings' | 'rows'>,
  columns: Columns<ResultRole>,
  answers: Answers = {},
): { rows: ResultRow[]; questions: Question[] } {
  if (headings.every((heading) => heading === '') || columns.number === undefined)
    return { rows: rows.map(({ line, cells }) => ({ line, text: cells.join('\t'), reason: null })), questions: [] }
  const asked = new Questions(answers)
  const read = rows.map(({ line, cells }): ResultRow => {
    const [number, size, said] = (['number', 'size', 'state'] as const).map((role) => cells[columns[role] ?? -1] ?? '') as [
      string,
      string,
      string,
    ]
    const isKnown = readState(said).kind !== 'doubtful'
    const short = `“${said.slice(0, 60)}”`
    const answer = isKnown ? null : asked.ask(`state:${stateWords(said).join(' ')}`, `${short}: what happened to the order?`, CHOICES)
    const state = answer === null ? said : WORDS[answer]
    return { line, text: [number, size, state].join('\t'), reason: isKnown || answer ? null : `We don’t know what ${short} means.` }
  })
  return { rows: read, questions: asked.open() }
}

import type { ResultRole } from './heading-words.ts'
import type { Answers, Question } from './read-column.ts'
import { readState, type SaidState, stateWords } from './read-state.ts'
import type { Columns, Table } from './read-table.ts'

export const RESULT_ROLES: Record<ResultRole, string> = { number: 'Phone number', size: 'Size', state: 'What happened' }

const WORDS: Record<SaidState, string> = { delivered: 'Delivered', failed: 'Failed', open: 'Pending' }
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
  const questions = new Map<string, Question>()
  if (headings.every((heading) => heading === '') || columns.number === undefined)
    return { rows: rows.map(({ line, cells }) => ({ line, text: cells.join('\t'), reason: null })), questions: [] }
  const read = rows.map(({ line, cells }): ResultRow => {
    const at = (role: ResultRole) => (columns[role] === undefined ? '' : (cells[columns[role]] ?? ''))
    const said = at('state')
    const line3 = (state: string) => [at('number'), at('size'), state].join('\t')
    if (readState(said).kind !== 'doubtful') return { line, text: line3(said), reason: null }
    const key = `state:${stateWords(said).join(' ')}`
    const answer = answers[key]
    if (answer === 'delivered' || answer === 'failed' || answer === 'open') return { line, text: line3(WORDS[answer]), reason: null }
    const before = questions.get(key)
    questions.set(key, {
      key,
      ask: `“${said.slice(0, 60)}”: what happened to the order?`,
      count: (before?.count ?? 0) + 1,
      choices: CHOICES,
    })
    return { line, text: line3(said), reason: `We don’t know what “${said.slice(0, 60)}” means.` }
  })
  return { rows: read, questions: [...questions.values()] }
}

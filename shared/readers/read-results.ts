import type { ResultRole } from './heading-words.ts'
import { type Answers, Questions, type ReadRow, type Reply } from './read-column.ts'
import { readState, stateWords } from './read-state.ts'
import { normalHeading, type TableRows } from './read-table.ts'
import { valueIn } from './reading.ts'
import { isOfOutcome, speaksAgainst } from './unread-columns.ts'

const WORDS: Record<string, string> = { delivered: 'Delivered', failed: 'Failed', open: 'Pending' }
const CHOICES = [
  { value: 'delivered', label: 'It was delivered' },
  { value: 'failed', label: 'It failed' },
  { value: 'open', label: 'Not decided yet' },
]

const BARE = /^(?:yes|no|y|n|true|false|[\d.]+)$/i
const BLANK = /^[\s\p{P}]*$/u
const REMARKS = /(?:^| )(?:reason|remarks?|comments?|notes?|message|response|details|description|error)(?: |$)/

/**
 * The rows of a portal's file as lines of text with tabs between number, size and state. To the state belongs what the columns of no role say
 * against it, and why it failed. A state in words that are not known is asked about once for the whole file. Without headings all cells, as they stand.
 */
export function toResultRows(
  { headings, rows, columns }: TableRows<ResultRole>,
  answers: Answers = {},
): Reply<ResultRole> & { rows: ReadRow[] } {
  const isBare = headings.every((heading) => heading === '')
  if (isBare || columns.number === undefined) {
    const lines = rows.map(({ line, cells }) => ({ line, text: cells.join('\t'), reason: null }))
    return { rows: lines, questions: [], missing: isBare ? [] : ['number'] }
  }
  const asked = new Questions(answers)
  const hasState = rows.some(({ cells }) => !BLANK.test(cells[columns.state ?? -1] ?? ''))
  const read = rows.map(({ line, cells }): ReadRow => {
    const at = (role: ResultRole) => cells[columns[role] ?? -1] ?? ''
    // "No" and "0" say something only with their heading.
    const named = (cell: string, heading = '') => (BARE.test(cell) && heading !== '' ? `${heading}: ${cell}` : cell)
    const own = hasState && BLANK.test(at('state')) ? 'No status' : named(at('state'), headings[columns.state ?? -1])
    const state = valueIn(readState(own))
    const others = cells.flatMap((cell, place) => {
      const heading = headings[place] ?? ''
      if (cell === '' || Object.values(columns).includes(place) || state === 'open') return []
      const isSame = state !== null && valueIn(readState(cell)) === state
      const isReason = state !== 'delivered' && REMARKS.test(normalHeading(heading))
      const tells = speaksAgainst(cell, heading, { isDone: state === 'failed' })
      const isAll = own === '' && BARE.test(cell) && isOfOutcome(heading)
      return (isReason || tells || isAll) && !isSame ? [named(cell, heading)] : []
    })
    const said = [own, ...others].filter(Boolean).join(' - ').replace(/\s+/g, ' ')
    const isKnown = readState(said).kind !== 'doubtful'
    const short = `“${said.slice(0, 100)}”`
    const answer = isKnown ? null : asked.ask(`state:${stateWords(said).join(' ')}`, `${short}: what happened to the order?`, CHOICES)
    const text = [at('number'), at('size'), answer === null ? said : WORDS[answer]].join('\t')
    return { line, text, reason: isKnown || answer ? null : `We don’t know what ${short} means.` }
  })
  return { rows: read, questions: asked.open(), missing: [] }
}

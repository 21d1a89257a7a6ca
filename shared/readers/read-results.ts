import type { ResultRole } from './heading-words.ts'
import { type Answers, Questions, type ReadRow, type Reply } from './read-column.ts'
import { readDate } from './read-date.ts'
import { readState, stateWords } from './read-state.ts'
import { normalHeading, noteIn, type TableRows } from './read-table.ts'
import { readVolume, VOLUME_UNIT } from './read-volume.ts'
import { allIn, plainText, valueIn } from './reading.ts'
import { isOfOutcome, speaksAgainst } from './unread-columns.ts'

const WORDS: Record<string, string> = { delivered: 'Delivered', failed: 'Failed', open: 'Pending' }
const CHOICES = [
  { value: 'delivered', label: 'It was delivered' },
  { value: 'failed', label: 'It failed' },
  { value: 'open', label: 'Not decided yet' },
]

const A_SIZE = new RegExp(String.raw`^\d[\d.,]* ?${VOLUME_UNIT}$`, 'i')
const MONEY = /^(?:amount|price|cost|charged?|total|paid|value)(?: ghs| charged| paid)?$/
const DATED = /(?:^| )(?:date|time|day|created|delivered|completed|processed|updated)(?: |$)/

/** The day in a cell, as it is compared; as it came where day and month may be either. */
function dayIn(cell: string): string[] {
  const [day, other] = allIn(readDate(cell))
  return day && !other ? [day.at.toISOString().slice(0, 10)] : day ? [cell] : []
}

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
  // Where two columns may be the state, each has its say.
  const isStated = headings.map(
    (heading) => columns.state === undefined && /(?:^| )(?:status|state|outcome)(?: |$)/.test(normalHeading(heading)),
  )
  const places = columns.state === undefined ? headings.flatMap((_, place) => (isStated[place] ? [place] : [])) : [columns.state]
  const filledPlaces = places.filter((place) => rows.some(({ cells }) => !BLANK.test(cells[place] ?? '')))
  const read = rows.map(({ line, cells }): ReadRow => {
    const at = (role: ResultRole) => cells[columns[role] ?? -1] ?? ''
    // "No" and "0" say something only with their heading.
    const named = (cell: string, heading = '') => (BARE.test(cell) && heading !== '' ? `${heading}: ${cell}` : cell)
    if (noteIn(cells) !== null) return { line, text: noteIn(cells) ?? '', reason: null }
    const owns = filledPlaces.map((place) => (BLANK.test(cells[place] ?? '') ? 'No status' : named(cells[place] ?? '', headings[place])))
    const own = [...new Set(owns)].join(' - ')
    const state = valueIn(readState(own))
    const size = valueIn(readVolume(at('size'), { bare: 'GB' }))
    const others = cells.flatMap((cell, place) => {
      const heading = headings[place] ?? ''
      if (cell === '' || Object.values(columns).includes(place) || isStated[place] || state === 'open') return []
      // What was delivered is compared with what was ordered: "0GB" is no size.
      if (isOfOutcome(heading) && A_SIZE.test(cell))
        return valueIn(readVolume(cell)) === size && size !== null ? [] : [`${heading}: ${cell}`]
      if (MONEY.test(normalHeading(heading)))
        return /^(?:-|0+(?:[.,]0+)?$)/.test(plainText(cell)) && state !== 'failed' ? [`${heading}: ${cell}`] : []
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
    const days = cells.flatMap((cell, place) => (DATED.test(normalHeading(headings[place] ?? '')) ? dayIn(cell) : []))
    const beside = [at('network'), ...days].filter(Boolean)
    const text = [at('number'), at('size'), answer === null ? said : WORDS[answer], ...beside].join('\t')
    return { line, text, reason: isKnown || answer ? null : `We don’t know what ${short} means.` }
  })
  return { rows: read, questions: asked.open(), missing: [] }
}

import { AGAINST, FOREIGN } from './phrases.ts'
import type { Questions } from './read-column.ts'
import { readDate } from './read-date.ts'
import { normalHeading, type TableRows } from './read-table.ts'
import { allIn, plainText } from './reading.ts'

/** What a row's unread cells say against it: `open`, with `reasons`, as long as nobody has answered; `isOut` once somebody has left it out. */
export type Said = { open: string[]; reasons: string[]; isOut: boolean }

export const TAKE_OR_LEAVE = [
  { value: 'take', label: 'Take them' },
  { value: 'leave', label: 'Leave them out' },
]

/**
 * Looks at the columns that are in no role, `read`. One with words against its rows, as `tells` finds them, is asked about once, and one with kinds
 * of things or states once for each of them. Other words in the next file are another question.
 */
export function watchUnread(
  { headings, rows }: Omit<TableRows<string>, 'columns'>,
  read: readonly (number | undefined)[],
  asked: Questions,
  tells: (cell: string, heading: string, at: number) => boolean,
): (cells: readonly string[]) => Said {
  const width = Math.max(headings.length, ...rows.map(({ cells }) => cells.length))
  const columns = Array.from({ length: width }, (_, at) => ({ at, heading: headings[at] ?? '', name: headings[at] || `Column ${at + 1}` }))
  const watched = columns.flatMap((column) => {
    if (read.includes(column.at)) return []
    const cells = rows.map((row) => row.cells[column.at] ?? '').filter((cell) => tells(cell, column.heading, column.at))
    const telling = new Map(cells.map((cell) => [normalHeading(cell), cell]))
    return telling.size > 0 ? [{ ...column, telling }] : []
  })
  const askAbout = ({ heading, name, telling }: (typeof watched)[number], cell: string) => {
    const isByWord = (KIND_HEAD.test(heading) || STATE_HEAD.test(normalHeading(heading))) && telling.size <= MOST_WORDS
    const words = isByWord ? [normalHeading(cell)] : [...telling.keys()].toSorted()
    const first = words.slice(0, 3).map((word) => `“${telling.get(word)?.slice(0, 40)}”`)
    const more = words.length > first.length ? ` and ${words.length - first.length} more` : ''
    const ask = `“${name.slice(0, 60)}” says ${first.join(', ')}${more}. Do we take these rows?`
    return asked.ask(`column:${normalHeading(name)}:${words.join('|')}`.slice(0, 400), ask, TAKE_OR_LEAVE)
  }
  return (cells) => {
    const those = watched.filter(({ at, heading }) => tells(cells[at] ?? '', heading, at))
    const said = those.map((one) => ({ ...one, cell: cells[one.at] ?? '', answer: askAbout(one, cells[one.at] ?? '') }))
    const open = said.filter(({ answer }) => answer === null)
    return {
      open: open.map(({ cell }) => cell),
      reasons: open.map(({ cell, name }) => `“${name.slice(0, 60)}” says “${cell.slice(0, 60)}”.`),
      isOut: said.some(({ answer }) => answer === 'leave'),
    }
  }
}

/** More different words than these are remarks. */
const MOST_WORDS = 8
/** Headings of kinds, of which a list should have one. */
export const KIND_HEAD = /\b(?:type|kind|exam|card|product|category)\b/i
/** Alone in a cell; in a sentence they are other words. */
const ALSO_FOREIGN = /(?:^|[^a-z])(?:pounds?|us)(?:[^a-z]|$)/i
const CROSSED = /[❌✗✘✖❎👎🚫]/u
const NO = /^(?:no|n|none|nil|never|false|n a)$/
const OUT = /^(?:dr|debit|out|money out|sent|outgoing|outward|withdrawal|withdrawn)$/
/** Headings over a Yes or a No that says what became of a row. */
export function isOfOutcome(heading: string): boolean {
  return REFUSING_HEAD.test(normalHeading(heading)) || DONE.test(normalHeading(heading))
}

const REFUSING_HEAD =
  /(?:^| )(?:revers|cancel|refund|fail|reject|void|expire|used|sold|return|declin|block|duplicate|delete|error|dispute|bounce)\w*/
const STATE_HEAD = /(?:^| )(?:status|state|outcome|result)(?: |$)/
const CURRENCY_HEAD = /(?:^| )(?:currency|ccy|curr)(?: |$)/
const DATE_HEAD = /(?:^| )(?:expir\w*|valid (?:until|till|to|thru))(?: |$)/
const DONE =
  /(?:^| )(?:deliver\w*|success\w*|complet\w*|done|sent|loaded|credited|fulfilled|processed|settled|posted|cleared|confirmed|approved|received|bought|ordered)(?: |$)/
/** Words that speak for a row. */
export const FINE = /^(?:new|paid|yes|y|true|ok|okay|good|active|valid|available|unused)$/

/** Whether an unread cell speaks against its row. `isDone`: what is done needs nothing more, so that its row is not to be bought again. */
export function speaksAgainst(cell: string, heading: string, { isDone = false } = {}): boolean {
  const [plain, word, head] = [plainText(cell), normalHeading(cell), normalHeading(heading)]
  if (/^-*$/.test(plain)) return false
  if (CROSSED.test(plain)) return true
  if (DATE_HEAD.test(head) && /\d/.test(plain)) return !isAhead(plain)
  if (CURRENCY_HEAD.test(head)) return !/^(?:ghs|ghc|gh|cedis?|ghana cedis?)$/.test(word)
  if (REFUSING_HEAD.test(head)) return !(NO.test(word) || /^0+(?:\.0+)?$/.test(plain))
  if (AGAINST.test(word) || NO.test(word) || OUT.test(word) || FOREIGN.test(plain) || ALSO_FOREIGN.test(plain)) return true
  if (DONE.test(word)) return isDone
  const isDoneHead = isDone && DONE.test(head)
  return (STATE_HEAD.test(head) && !FINE.test(word)) || isDoneHead
}

/** A day that is still to come, whichever of its numbers is the day. */
function isAhead(text: string): boolean {
  const days = allIn(readDate(text))
  return days.length > 0 && days.every(({ at }) => at.getTime() > Date.now())
}

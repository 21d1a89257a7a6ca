import { AGAINST, FOREIGN } from './phrases.ts'
import type { Questions } from './read-column.ts'
import { readDate } from './read-date.ts'
import { normalHeading, noteIn } from './read-table.ts'
import { allIn } from './reading.ts'
import { TAKE_OR_LEAVE } from './unread-columns.ts'

/** A row of data, and the words above it that may speak against it. */
export type Governed<R> = { row: R; under: string | null }

/** Words that say nothing of the rows below them. */
const HARMLESS =
  /^(?:(?:grand |sub ?|over ?all )?totals?|(?:(?:opening|closing|available|current|ledger|running) )?balance|page|end of|continued|generated|printed|downloaded|thank|count|sum|powered by|statement|account|period|from|to|currency|wallet)\b/
/** Words that begin rows that are as they should be. */
const GOOD = /^(?:success\w*|completed|delivered|unused|available|received|money in|credits?|good|new)\b/

/**
 * The rows of data, each with the row of words that it stands under: a title such as "Failed transactions" holds for all rows below it,
 * until another. `isFine`: words that are as they should be in this file.
 */
export function governRows<R extends { cells: readonly string[] }>(
  rows: readonly R[],
  isFine: (words: string) => boolean = () => false,
): Governed<R>[] {
  const isTable = rows.some(({ cells }) => cells.filter(Boolean).length > 1)
  let under: string | null = null
  return rows.flatMap((row) => {
    const note = isTable ? noteIn(row.cells) : null
    if (note === null) return [{ row, under }]
    const words = normalHeading(note)
    const isAgainst = AGAINST.test(words) || FOREIGN.test(note)
    if (!isAgainst && (GOOD.test(words) || isFine(words))) under = null
    else if (isAgainst || !(HARMLESS.test(words) || allIn(readDate(note)).length > 0)) under = note
    return []
  })
}

/** What the words above a row leave open; `isOut` once somebody has left its rows out. */
export function askAbove(under: string | null, asked: Questions): { reason: string | null; isOut: boolean } {
  if (under === null) return { reason: null, isOut: false }
  const short = `“${under.slice(0, 60)}”`
  const answer = asked.ask(
    `above:${normalHeading(under)}`.slice(0, 400),
    `${short} stands above these rows. Do we take them?`,
    TAKE_OR_LEAVE,
  )
  return { reason: answer === null ? `It stands under ${short}.` : null, isOut: answer === 'leave' }
}

import type { BatchRow } from '../../../../../shared/batches.ts'
import { notAfter } from '../../../../../shared/not-after.ts'
import { offerVolumeMb } from '../../../../../shared/offers.ts'
import { RESULT_WORDS } from '../../../../../shared/readers/heading-words.ts'
import { AGAINST } from '../../../../../shared/readers/phrases.ts'
import { readDate } from '../../../../../shared/readers/read-date.ts'
import { findPhones } from '../../../../../shared/readers/read-phone.ts'
import { toResultRows } from '../../../../../shared/readers/read-results.ts'
import { readState, type SaidState, stateWords } from '../../../../../shared/readers/read-state.ts'
import { normalHeading, readTable, toRoles } from '../../../../../shared/readers/read-table.ts'
import { readVolume, SIZES } from '../../../../../shared/readers/read-volume.ts'
import { allIn, valueIn } from '../../../../../shared/readers/reading.ts'
import { readText } from '../../../../../shared/readers/sheets.ts'
import { isOfOutcome } from '../../../../../shared/readers/unread-columns.ts'

export type Outcome = { what: 'delivered' } | { what: 'failed'; reason: string }

export type Matched = {
  /** By the order's `_id`; an order that is missing is not mentioned, or not clearly. */
  outcomes: ReadonlyMap<string, Outcome>
  /** Lines with a number and no order of this batch for it, or with answers that contradict each other, as they came. */
  strange: readonly string[]
  /** Lines with an order and no word on what became of it. */
  silent: number
  /** Words that are not known to say what happened, each once, as they came; their lines are not counted until somebody says. */
  unknown: readonly string[]
}

/** What a phrase of this file means; `silent`: nothing about the order, such as a name. */
export type Answer = SaidState | 'silent'
type Line = { text: string; receiver: string; megabytes: number | null; outcome: Outcome | null; unknown: readonly string[] }

/**
 * What a portal says of each order that a batch still holds, from pasted text or a file's lines in any order. A number may stand
 * with or without 0 and 233, spaced or not; of a number with several orders the volume decides. `silentIsDelivered`: a line without
 * a word on what happened is one of a list of what was delivered.
 */
export function matchResults(text: string, rows: readonly BatchRow[], { silentIsDelivered = false, answers = NO_ANSWERS } = {}): Matched {
  const locked = rows.filter(({ status }) => status === 'locked').map(({ order }) => order)
  const numbers = Map.groupBy(locked, ({ receiver }) => receiver)
  let section: string | null = null
  const strange: string[] = []
  const all = linesOf(text).flatMap((line) => {
    const isNameless = !namesNumber(line)
    // The shop's own number of an order is not looked up.
    if (isNameless && OF_AN_ORDER.test(line) && readState(withoutFigures(line)).kind === 'read') strange.push(line.trim())
    else if (isNameless && isSection(line)) section = line.trim()
    return readLine(line, numbers, answers, section) ?? []
  })
  const isUnclear = ({ receiver, unknown }: Line) => unknown.length > 0 && numbers.has(receiver)
  const unknown = new Map(all.filter(isUnclear).flatMap((line) => line.unknown.map((cell) => [phraseOf(cell), cell] as const)))
  // An order with a word that nobody knows waits, whatever else is said of its number.
  const waiting = new Set(all.filter(isUnclear).map(({ receiver }) => receiver))
  const lines = all.filter(({ receiver }) => !waiting.has(receiver))
  const outcomes = new Map<string, Outcome>()
  let silent = 0
  for (const [receiver, those] of Map.groupBy(lines, (line) => line.receiver)) {
    const orders = locked
      .filter((order) => order.receiver === receiver)
      .map((order) => ({ id: order._id, megabytes: offerVolumeMb(order.offer) }))
    const bySize = Map.groupBy(those, ({ megabytes }) => megabytes)
    // Lines that name a volume first: what they leave over is for those that name none.
    const open = new Set(orders.map(({ id }) => id))
    for (const [megabytes, sized] of [...bySize].sort(([one], [other]) => Number(one === null) - Number(other === null))) {
      const fitting = orders.filter((order) => open.has(order.id) && (megabytes === null || order.megabytes === megabytes))
      const said = sized.flatMap(({ outcome }) => outcome ?? (silentIsDelivered ? { what: 'delivered' as const } : []))
      silent += sized.length - said.length
      if (said.length === 0) continue
      if (fitting.length === 0 && isSettledAlready(rows, receiver, megabytes, said)) continue
      const agrees = said.every(({ what }) => what === said[0]?.what)
      if (
        fitting.length === 0 ||
        said.length > fitting.length + (agrees ? sized.length : 0) ||
        !agrees ||
        (said.length < fitting.length && megabytes === null)
      ) {
        strange.push(...sized.map(({ text: line }) => line))
        continue
      }
      fitting.slice(0, said.length).forEach(({ id }, index) => {
        outcomes.set(id, said[index] as Outcome)
        open.delete(id)
      })
    }
  }
  return { outcomes, strange, silent, unknown: [...unknown.values()] }
}

/** A pasted table below its headings is read as one in a file is, so that a "0" has its heading and an order's ID is none of its words. */
function linesOf(text: string): string[] {
  const table = readTable([readText('results', text)], RESULT_WORDS)
  const { number, state } = table.columns
  const hasState = state !== undefined || table.contested.includes('state') || table.headings.some(isOfOutcome)
  if (number === undefined || !hasState || table.leftOut.length > 0) return text.split(/\r?\n/)
  const { rows } = toResultRows(table)
  return rows.map((row, at) => {
    const { cells = [] } = table.rows[at] ?? {}
    return namesNumber(cells[number] ?? '') && cells.length <= table.headings.length ? row.text : cells.join('\t')
  })
}

const NO_ANSWERS: ReadonlyMap<string, Answer> = new Map()

const STANDS_FOR: Partial<Record<BatchRow['status'], Outcome['what']>> = { completed: 'delivered', rejected: 'failed' }

/** Whether these lines only repeat what was done before, as all do that still stand in the field after a part was completed. */
function isSettledAlready(rows: readonly BatchRow[], receiver: string, megabytes: number | null, said: readonly Outcome[]): boolean {
  const settled = rows.filter(
    ({ status, order }) =>
      status !== 'locked' && order.receiver === receiver && (megabytes === null || offerVolumeMb(order.offer) === megabytes),
  )
  return settled.length >= said.length && said.every(({ what }) => settled.every(({ status }) => STANDS_FOR[status] === what))
}

/** A line of words above numbers, such as "Failed:". Whether it is about them is asked, unless they say the same themselves. */
function isSection(line: string): boolean {
  const [words, ...others] = line.split(/[\t;|,]/).filter((cell) => cell.trim() !== '')
  if (words === undefined || others.length > 0) return false
  return DELIVERING.test(words) || isAgainst(words)
}

const DELIVERING = /deliver|success|complet|done|sent/i

function isAgainst(words: string): boolean {
  return AGAINST.test(normalHeading(words)) || /fail|reject|cancel|refund|revers|pending|processing|queued/i.test(words)
}

/** A line that begins with a short number. */
const OF_AN_ORDER = /^\s*(?:order )?#?\d{3,8}(?!\d)/i
/** A cell with the portal's own number of an order, before the phone number. */
const ORDER_ID = /(^| {2})[a-z]{1,8}[-_#]?\d[\w-]*(?= {2})/gi

/** The orders of each number. */
type Known = ReadonlyMap<string, readonly Pick<BatchRow['order'], 'network' | 'createdAt'>[]>

/** Null for a line without a number, such as a heading, and for one that says that its order is still under way. `section`: the words above it. */
function readLine(text: string, known: Known, answers: ReadonlyMap<string, Answer>, section: string | null): Line | null {
  const cells = text.replace(/[\t;|]|,(?!\d{1,3}(?!\d)\s*(?:gb|g|mb)\b)/gi, '  ').trim()
  const found = findPhones(cells)
  const best = found.find(({ digits }) => known.has(digits)) ?? found[0]
  if (!best) return null
  // Two spaces stand between cells; one that stood beside the number must not become a second.
  const before = cells
    .slice(0, best.from)
    .replace(/(^|[^ ]) $/, '$1')
    .replace(ORDER_ID, '$1')
  const after = cells.slice(best.to).replace(/^,| (?! )/, '')
  const rest = `${before} ${after}`
  const megabytes = volumeIn(rest)
  const line = { text: text.trim(), receiver: best.digits, megabytes }
  const raw = rest.split(/ {2,}/)
  const said = raw
    .map((cell) =>
      isCode(cell, megabytes) || (namesNumber(cell) && stateWords(withoutFigures(cell)).length > 0) ? cell : withoutFigures(cell),
    )
    .filter((cell) => (/[^\d\s./]/.test(cell) && stateWords(cell).length > 0) || /(?:^|\s)0+(?:[./]\d+)?(?!\S)/.test(cell))
    .concat(otherVolumes(after, megabytes))
  // A lone 1 beside the size may be a Yes, or how many.
  if (said.length === 0 && /(?:^|\s)1(?!\S)/.test(after) && megabytes !== null && (SIZES.test(after) || megabytes !== 1000)) said.push('1')
  if (said.length === 0 && /(?:^|\s{2,})-+$/.test(after.trim())) said.push('No status')
  const stateOf = (cell: string) => answers.get(phraseOf(cell)) ?? valueIn(readState(cell))
  const own = said.map(stateOf)
  if (
    section !== null &&
    (said.length === 0 ||
      (own.includes('delivered') &&
        !(DELIVERING.test(section) && !isAgainst(section) && own.every((state) => state === 'delivered' || state === 'silent'))))
  )
    said.push(section)
  const asked = [section, ...foreignIn(rest, known.get(best.digits) ?? [])]
  if (!said.some((cell) => stateOf(cell) === 'failed' || stateOf(cell) === 'open')) said.push(...asked.slice(1).flatMap((one) => one ?? []))
  const states = said.map((cell) => ({ cell, state: asked.includes(cell) ? (answers.get(phraseOf(cell)) ?? null) : stateOf(cell) }))
  const unknown = states.filter(({ state }) => state === null).map(({ cell }) => cell)
  if (unknown.length > 0) return { ...line, outcome: null, unknown }
  const [first, other] = new Set(states.flatMap(({ state: one }) => (one === null || one === 'silent' ? [] : [one])))
  // Two answers in one line are a question of their own.
  const both = said.join(' - ')
  const state = other ? answers.get(phraseOf(both)) : first
  if (other && state === undefined) return { ...line, outcome: null, unknown: [both] }
  if (state === 'silent' || state === 'open') return null
  const outcome: Outcome | null = !state ? null : state === 'failed' ? { what: 'failed', reason: reasonIn(rest) } : { what: 'delivered' }
  return { ...line, outcome, unknown: [] }
}

const NETWORKS = Object.entries({ MTN: 'mtn|yello', Telecel: 'telecel|vodafone', AirtelTigo: 'airtel ?tigo' })
const NAMED = new RegExp(String.raw`(^|\P{L})(to )?(?:${NETWORKS.map(([, words]) => words).join('|')})(?!\p{L})`, 'giu')
const DAY = notAfter(/[\d/.-].$/s, /(?:\d{4}-\d\d-\d\d|\d{1,2}([/.-])\d{1,2}\1(?:\d{4}|\d\d))(?![\d/-])/g)
const DAY_MS = 86_400_000

/** What a line says that belongs to none of its number's orders: another network, or a day before they were placed. */
function foreignIn(rest: string, orders: Known extends ReadonlyMap<string, infer Orders> ? Orders : never): string[] {
  const named = NETWORKS.filter(
    ([network, words]) =>
      new RegExp(String.raw`(?:^|\P{L})(?:${words})(?!\p{L})`, 'iu').test(rest) &&
      orders.some((order) => order.network && order.network !== network),
  )
  const placed = Math.min(...orders.map(({ createdAt }) => (createdAt ? Date.parse(createdAt) : 0)))
  const early = (rest.match(DAY) ?? []).filter((day) => {
    const days = allIn(readDate(day))
    return days.length > 0 && days.every(({ at }) => at.getTime() + 2 * DAY_MS < placed)
  })
  return [...named.map(([network]) => `for ${network}`), ...early.map((day) => `dated ${day}, before the order`)]
}

const roleOf = toRoles(RESULT_WORDS)

/** "Status: 1", whose figure is all that it says; "Delivered: 5" of 5GB is the size. */
function isCode(cell: string, megabytes: number | null): boolean {
  const [, heading = '', figure = ''] = /^(.*): (\d[\d.]*)$/.exec(cell.trim()) ?? []
  return isOfOutcome(heading) ? volumeIn(figure) !== megabytes : roleOf(heading)?.role === 'state'
}

/** Of a cell beside the order's number: then it is about another, as “sent to 055 123 4567”. */
const namesNumber = (cell: string) => findPhones(cell).length > 0

/** A phrase as it is asked about: once, however it is written. */
export function phraseOf(cell: string): string {
  return stateWords(cell).join(' ')
}

/** A cell without its size, its numbers, dates and times, and the names of networks: what is left may say what happened. "0" and "1/2" stay: not all was done. */
function withoutFigures(cell: string): string {
  const [size = ''] = cell.match(SIZES) ?? []
  return cell
    .replace(size, valueIn(readVolume(size)) === null ? size : ' ')
    .replace(/(^|[\s"(])(?!(?:0+(?:\.0+)?|\d{1,3}\/\d{1,3})(?![^\s")]))[#+]?\d[\d.:/+-]*(?:[ap]m)?(?![^\s")])/gi, '$1 ')
    .replace(NAMED, (written, before, to) => (to ? written : `${before} `))
    .replace(/\(\s*\)/g, ' ')
    .trim()
}

/** A volume with its unit, or else a bare number by itself: up to 100 gigabytes, from 100 on megabytes. */
function volumeIn(rest: string): number | null {
  const [named] = rest.match(SIZES) ?? []
  if (named) return valueIn(readVolume(named))
  const bare = /(?:^|\s)(\d{1,6}(?:\.\d{1,3})?)(?!\S)/.exec(rest)
  if (!bare) return null
  const amount = Number(bare[1])
  return Math.round(amount < 100 ? amount * 1000 : amount)
}

/** Megabytes behind the number, and behind a word for success, that are not the order's: "5000 Success 2000" delivered less. */
function otherVolumes(after: string, megabytes: number | null): string[] {
  const DONE = /(?:deliver|success|complet|done|sent|ok)[a-z]*(?![a-z])(.*)$/i
  const behind = DONE.exec(after)?.[1] ?? after
  return [...behind.matchAll(/(?:^|\s)([1-9]\d{2,4})(?!\S)/g)].flatMap(([, figure = '']) => (Number(figure) === megabytes ? [] : [figure]))
}

/** What is left of a failed line once the plain word for it is gone: "FAILED - number barred" says "number barred". */
function reasonIn(rest: string): string {
  const words = rest
    .replace(SIZES, ' ')
    .replace(/(^|[^a-z])(?:fail(?:ed|ure)?(?:: (?:yes|true))?|rejected|declined|error|status|unsuccessful)(?![a-z])/gi, '$1 ')
    .replace(/(^|\s)[\d.:/+-]+(?!\S)/g, '$1 ')
    .replace(/\(\s*\)/g, ' ')
    .replace(/^[\s:;,.()"'-]+|[\s:;,("'-]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words.slice(0, 120)
}

import { tally } from './phrases.ts'
import { readDate } from './read-date.ts'
import type { LeftOut } from './read-table.ts'
import { allIn, type DecimalSign, plainText } from './reading.ts'

/** What a person has said about a whole file, by the key of the question. */
export type Answers = Readonly<Record<string, string>>
/** A question about a whole file; `count` of its rows wait for the answer. */
export type Question = { key: string; ask: string; count: number; choices: readonly { value: string; label: string }[] }

/** Beside what a reader makes of a table: the roles without which it reads nothing, what it has to ask, and what is no row of its own. */
export type Reply<R extends string> = { missing: readonly R[]; questions: readonly Question[]; leftOut?: readonly LeftOut[] }
/** A row as a line of text, or as it came; `reason` where it is doubtful. */
export type ReadRow = { line: number; text: string; reason: string | null }

export function isDoubtful(row: ReadRow): row is ReadRow & { reason: string } {
  return row.reason !== null
}

/** Collects the words that are not known, each once. */
export class Questions {
  readonly #answers: Answers
  readonly #open = new Map<string, Question>()

  constructor(answers: Answers) {
    this.#answers = answers
  }

  /** The answer among the choices; null as long as there is none. */
  ask(key: string, ask: string, choices: Question['choices']): string | null {
    const answer = this.#answers[key]
    if (answer !== undefined && choices.some(({ value }) => value === answer)) return answer
    const before = this.#open.get(key)
    this.#open.set(key, { key, ask, choices, count: (before?.count ?? 0) + 1 })
    return null
  }

  open(): Question[] {
    return [...this.#open.values()]
  }
}

/** The decimal sign that the cells of a column agree on; undefined where none shows it, or where they differ. */
export function decimalSignOf(cells: readonly string[]): DecimalSign | undefined {
  const signs = new Set<DecimalSign>()
  for (const cell of cells) {
    const figures = /\d[\d.,]*/.exec(cell.replace(/[\s'’]/g, ''))?.[0] ?? ''
    const [, sign] = /([.,])\d{1,2}$/.exec(figures) ?? /[.,]\d*([.,])\d+$/.exec(figures) ?? []
    const isGrouping = sign !== undefined && figures.split(sign).length > 2
    if (sign && !isGrouping) signs.add(sign as DecimalSign)
    else if (isGrouping) signs.add(sign === '.' ? ',' : '.')
  }
  const [only, other] = signs
  return other ? undefined : only
}

export type DateForm = { order: 'dmy' | 'mdy' | undefined; clock: 12 | undefined; isOpen: boolean }

/**
 * The order of day and month that the dates of a column agree on, and whether its times need AM or PM. `isOpen`: some dates could be either, and
 * no other cell says which.
 */
export function dateFormOf(cells: readonly string[]): DateForm {
  const orders = new Set<'dmy' | 'mdy'>()
  let isAmbiguous = false
  for (const cell of cells) {
    const [, first = '0', second = '0'] = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{2}/.exec(plainText(cell)) ?? []
    if (Number(first) > 12) orders.add('dmy')
    else if (Number(second) > 12) orders.add('mdy')
    else if (first !== '0' && first !== second) isAmbiguous = true
  }
  const [order, other] = orders
  const clock = cells.some((cell) => /\d ?[ap]\.?m\b/i.test(cell)) ? 12 : undefined
  return { order: other ? undefined : order, clock, isOpen: isAmbiguous && order === undefined }
}

/** The first cell of a column whose day and month may be either, as a question for the whole column. */
export function askDates(cells: readonly string[], { isOpen }: DateForm): Question[] {
  if (!isOpen) return []
  const unclear = cells.filter((cell) => allIn(readDate(cell)).length > 1)
  const choices = [
    { value: 'dmy', label: 'The day comes first' },
    { value: 'mdy', label: 'The month comes first' },
  ]
  return unclear.length === 0 ? [] : [{ key: 'dates', ask: `“${unclear[0]}”: which number is the day?`, count: unclear.length, choices }]
}

/** Why a cell that should be digits is not believed. */
export type Damage = 'cut' | 'date' | 'zeros' | 'length'

/** Digits that a spreadsheet keeps of a number. */
const KEPT_DIGITS = 15

/**
 * Finds in a column of PINs, serials or IDs the cells that a spreadsheet has changed: numbers with an exponent, long ones whose last digits are
 * zeros, dates, and, with `isOneLength`, numbers that are shorter or longer than most, as where zeros in front were dropped. `usualLength` is null
 * where no length is the commonest.
 */
export function findDamage(
  cells: readonly string[],
  { isOneLength }: { isOneLength: boolean },
): { damageOf: (cell: string) => Damage | null; usualLength: number | null } {
  const digits = cells.filter((cell) => /^\d+$/.test(cell))
  const long = digits.filter((cell) => significant(cell).length > KEPT_DIGITS)
  const isCut = long.length > 0 && long.every((cell) => /^0+$/.test(significant(cell).slice(KEPT_DIGITS)))
  const [usual, next] = tally(digits.map(({ length }) => length))
  const usualLength = usual && usual[1] !== next?.[1] ? usual[0] : null
  const damageOf = (cell: string) => {
    if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(cell)) return 'cut'
    if (/^\d{4}-\d\d-\d\dT/.test(cell)) return 'date'
    if (!/^\d+$/.test(cell)) return null
    if (isCut && significant(cell).length > KEPT_DIGITS) return 'zeros'
    return isOneLength && cell.length !== usualLength ? 'length' : null
  }
  return { damageOf, usualLength }
}

function significant(digits: string): string {
  return digits.replace(/^0+/, '')
}

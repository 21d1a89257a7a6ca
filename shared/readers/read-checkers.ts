import { checkerPartProblem, SHORTEST_UNIQUE_PIN } from '../checker-rules.ts'
import { notAfter } from '../not-after.ts'
import { askAbove, governRows } from './governed-rows.ts'
import type { CheckerRole } from './heading-words.ts'
import { CHAT_HEAD, tally } from './phrases.ts'
import { type Answers, type Damage, findDamage, Questions, type Reply } from './read-column.ts'
import { type Columns, type LeftOut, longerProblem, normalHeading, noteIn, type Table, type TableRows, TELLING } from './read-table.ts'
import { plainText } from './reading.ts'
import { plainSheet, readText, type Sheet, type SheetRow } from './sheets.ts'
import { KIND_HEAD, speaksAgainst, watchUnread } from './unread-columns.ts'

/**
 * A line of a distributor's file. `problem` says why it can't be used; one that `isAskable` may be right all the same, once somebody
 * has looked at it. `under`: the title that it stands under, where that may speak against it.
 */
export type CheckerLine = {
  line: number
  text: string
  serial: string
  pin: string
  problem: string | null
  isAskable: boolean
  under: string | null
}

/** What a distributor sent: lines that name serial and PIN themselves, or cells. `strange` lines belong to no pair. */
export type CheckerSource = { lines: CheckerLine[]; strange: number; sheets: null } | { lines: null; sheets: Sheet[] }

/** Pasted text or a file's: messages with "Serial: … PIN: …", JSON, or cells. */
export function readCheckerText(name: string, text: string): CheckerSource {
  const plain = text.replace(/^\ufeff/, '').trim()
  if (/^(?:\[\s*[[{]|\{)/.test(plain)) return { lines: null, sheets: [readJson(name, plain)] }
  const lines = plain.replace(/^.*$/gm, (line) => line.replace(CHAT_HEAD, ''))
  return readLabelled(lines) ?? readCheckerSheets([readText(name, lines)])
}

/** The cells of a file. A cell that has a whole line in it is cut at its spaces. */
export function readCheckerSheets(sheets: readonly Sheet[]): CheckerSource {
  return { lines: null, sheets: sheets.map((sheet) => ({ ...sheet, rows: joinLines(sheet.rows.flatMap(cutLine)) })) }
}

const SERIAL = /^[A-Z]+[-/]?\d+$|^\d+[A-Z]+\d*$/i

/** A serial and right below it its PIN, all the way down, are pairs. */
function joinLines(rows: SheetRow[]): SheetRow[] {
  const isPaired = rows.every(({ line, cells: [cell = '', ...others] }, at) => {
    const isBelow = at % 2 === 0 || line - (rows[at - 1]?.line ?? 0) === 1
    return isBelow && others.every((other) => other === '') && (at % 2 === 0 ? SERIAL : /^\d{8,20}$/).test(cell)
  })
  if (!isPaired || rows.length % 2 > 0) return rows
  return rows.flatMap((row, at) =>
    at % 2 === 0 ? [{ ...row, cells: [...row.cells.slice(0, 1), ...(rows[at + 1]?.cells.slice(0, 1) ?? [])] }] : [],
  )
}

/** The columns that are known: by their headings, or of two columns without headings by what stands in them. Others are asked about. */
export function checkerColumns({ columns, headings, rows }: Table<CheckerRole>): { columns: Columns<CheckerRole>; isSure: boolean } {
  if (columns.serial !== undefined && columns.pin !== undefined) return { columns, isSure: true }
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const used = Array.from({ length: width }, (_, at) => at).filter((at) => rows.some(({ cells }) => cells[at]))
  const all = (at: number, pattern: RegExp) =>
    rows.filter((row) => noteIn(row.cells) === null).every(({ cells }) => pattern.test(clean(cells[at])))
  const serials = used.filter((at) => all(at, SERIAL))
  const pins = used.filter((at) => all(at, /^[\d-]{8,20}$/))
  const [serial, pin] = [serials.length === 1 ? serials[0] : undefined, pins.length === 1 ? pins[0] : undefined]
  const guessed: Columns<CheckerRole> = { ...(serial !== undefined && { serial }), ...(pin !== undefined && { pin }), ...columns }
  const isPlain = headings.every((heading) => heading === '') && used.length === 2 && serial !== undefined && pin !== undefined
  return { columns: guessed, isSure: isPlain }
}

/** The lines of a source, of which some may be right as they are written although they look damaged. */
export function readCheckers(
  source: CheckerSource,
  table: TableRows<CheckerRole>,
  answers: Answers,
  kind = '',
): Reply<CheckerRole> & { lines: CheckerLine[] } {
  const asked = new Questions(answers)
  const read = source.lines
    ? { lines: settleTitles(source.lines, asked, kind), missing: [], questions: [] }
    : readCheckerRows(table, answers, kind)
  for (const { isAskable } of read.lines) if (isAskable) asked.ask('asWritten', AS_WRITTEN, AS_WRITTEN_CHOICES)
  const strange = source.lines ? source.strange : table.rows.filter(({ cells }) => !hasFigure(cells)).length
  const leftOut: LeftOut = { count: strange, one: 'line without a serial or a PIN', many: 'lines without a serial or a PIN' }
  return { ...read, questions: [...read.questions, ...asked.open()], leftOut: [leftOut] }
}

/** Whether words name this kind of card and no other. */
function isOfKind(words: string, kind: string): boolean {
  const plain = words.replaceAll(' ', '')
  return kind !== '' && plain.includes(kind) && !KINDS.some((other) => other !== kind && plain.includes(other))
}

const KINDS = ['bece', 'wassce', 'novdec', 'placement', 'cssps']

/** The lines under titles such as "Used codes" or another kind's name are asked about, title by title. */
function settleTitles(lines: readonly CheckerLine[], asked: Questions, kind: string): CheckerLine[] {
  return lines.flatMap((line) => {
    const isFine = line.under === null || isOfKind(normalHeading(line.under), kind)
    const { reason, isOut } = askAbove(isFine ? null : line.under, asked)
    return isOut ? [] : [{ ...line, problem: line.problem ?? reason }]
  })
}

const AS_WRITTEN = 'Numbers here are shorter or longer than most, or have a letter among their digits. Are they right as written?'
const AS_WRITTEN_CHOICES = [
  { value: 'yes', label: 'Yes, take them' },
  { value: 'no', label: 'No, leave them out' },
]

function hasFigure(cells: readonly string[]): boolean {
  return cells.some((cell) => /\d/.test(cell))
}

/** The pairs of a table in its two columns, and what its other columns leave open. A row without a figure is none. */
export function readCheckerRows(
  { rows, headings, columns }: TableRows<CheckerRole>,
  answers: Answers = {},
  kind = '',
): Reply<CheckerRole> & { lines: CheckerLine[] } {
  const { serial, pin } = columns
  const missing = (['serial', 'pin'] as const).filter((role) => columns[role] === undefined)
  if (serial === undefined || pin === undefined) return { lines: [], questions: [], missing }
  const governed = governRows(rows, (words) => isOfKind(words, kind)).filter(({ row }) => hasFigure(row.cells))
  const asked = new Questions(answers)
  const filled = governed.map(({ row }) => row)
  const unread = watchUnread({ headings, rows: filled }, [serial, pin], asked, (cell, heading) => isTelling(cell, heading, kind))
  const lines = governed.flatMap(({ row: { line, cells }, under }): CheckerLine[] => {
    const { reasons, isOut } = unread(cells)
    const parts = { serial: partIn(unquoted(cells[serial]), 'serial'), pin: partIn(unquoted(cells[pin]), 'pin') }
    const problem = longerProblem(headings, cells) ?? reasons[0] ?? parts.serial.problem ?? parts.pin.problem
    return isOut ? [] : [{ ...toLine(line, cells, parts.serial.value, parts.pin.value, problem), under }]
  })
  return { lines: settleTitles(judgePairs(lines), asked, kind), questions: asked.open(), missing }
}

/** Another kind of card, several cards, and one that is used or too old. */
function isTelling(cell: string, heading: string, kind: string): boolean {
  if (HOW_MANY.test(normalHeading(heading))) return !/^1?$/.test(plainText(cell))
  const isOther = KIND_HEAD.test(heading) && /\p{L}/u.test(cell) && !isOfKind(normalHeading(cell), kind)
  return speaksAgainst(cell, heading) || isOther
}

const HOW_MANY = /^(?:qty|quantity|how many|pieces|pcs)$/

function toLine(line: number, cells: readonly string[], serial: string, pin: string, problem: string | null = null): CheckerLine {
  return { line, text: maskSecrets(cells.filter((cell) => cell !== '').join(' · ')), serial, pin, problem, isAskable: false, under: null }
}

/** Long runs of digits may be PINs, of which only the end is shown. */
export function maskSecrets(text: string): string {
  return text.replace(/\d[\d ]{6,}\d/g, (digits) => `••••${digits.slice(-2)}`)
}

/** A cell without the marks with which spreadsheets keep a text. */
function unquoted(cell = ''): string {
  return plainText(cell).replaceAll("'", '')
}

/** The same with the groups of a PIN joined. */
function clean(cell = ''): string {
  return unquoted(cell).replaceAll(' ', '')
}

type Pair = { serial: string; pin: string }

/** The same lines, with what a look at all of them together finds: numbers that a spreadsheet has changed, and pairs that are turned round. */
function judgePairs(lines: readonly CheckerLine[]): CheckerLine[] {
  const found = findPairProblems(lines)
  return lines.map((line, at) => (line.problem !== null ? line : { ...line, ...(found[at] as PairProblem) }))
}

/** A PIN in which a letter may stand for a digit. */
const LIKE_DIGITS = /^[\doil]{6,}$/i

type PairProblem = { problem: string | null; isAskable: boolean }

/** Of each pair what is wrong with it, seen beside the others. */
export function findPairProblems(pairs: readonly Pair[]): PairProblem[] {
  // What is no serial or PIN at all says nothing about how long the others are.
  const whole = pairs.filter(({ serial, pin }) => (checkerPartProblem('serial', serial) ?? checkerPartProblem('PIN', pin)) === null)
  const serials = whole.map(({ serial }) => serial)
  const pins = whole.map(({ pin }) => (LIKE_DIGITS.test(pin) ? pin.replace(/\D/g, '0') : pin))
  const damaged = { serial: findDamage(serials, { isOneLength: true }), PIN: findDamage(pins, { isOneLength: true }) }
  const usualLength = lengthOfMost(serials.filter((serial) => /[a-z]/i.test(serial)))
  const shapes = { serial: tally(serials.map(shapeOf))[0]?.[0] ?? '', pin: tally(pins.map(shapeOf))[0]?.[0] ?? '' }
  const [pinsOf, serialsOf] = [othersOf(whole, 'serial', 'pin'), othersOf(whole, 'pin', 'serial')]
  return pairs.map(({ serial, pin }) => {
    const parts = [
      ['serial', serial],
      ['PIN', pin],
    ] as const
    const wrong = parts.map(([what, text]) => checkerPartProblem(what, text)).find((problem) => problem !== null)
    if (wrong) return { problem: wrong, isAskable: false }
    if (serial === pin) return { problem: 'The serial and the PIN are the same.', isAskable: false }
    if (/[a-z]/i.test(pin) && LIKE_DIGITS.test(pin))
      return { problem: 'There is a letter in this PIN that looks like a digit.', isAskable: true }
    if (pinsOf(serial) > 1) return { problem: 'This serial is here with two PINs.', isAskable: false }
    if (pin.length >= SHORTEST_UNIQUE_PIN && serialsOf(pin) > 1) return { problem: 'This PIN is here with two serials.', isAskable: false }
    const isTurned = shapes.serial !== shapes.pin && shapeOf(serial) === shapes.pin && shapeOf(pin) === shapes.serial
    if (isTurned) return { problem: 'The serial and the PIN seem to have changed places.', isAskable: false }
    if (/^\d{6,}-*[a-z]+$/i.test(pin)) return { problem: 'There are letters behind this PIN.', isAskable: true }
    const usual = usualLength(serial)
    if (usual !== null && serial.length !== usual)
      return { problem: `This serial has ${serial.length} characters and most have ${usual}.`, isAskable: true }
    for (const [what, text] of parts) {
      const damage = damaged[what].damageOf(text)
      if (damage !== null) return { problem: damageText(damage, what, text, damaged[what].usualLength), isAskable: true }
    }
    return { problem: null, isAskable: false }
  })
}

/** The length that two in three of the serials have which begin like one; null for a serial of digits alone, and where lengths vary. */
function lengthOfMost(serials: readonly string[]): (serial: string) => number | null {
  const groups = Map.groupBy(serials, beginningOf)
  const lengths = new Map(
    [...groups].map(([beginning, those]) => {
      const [[length, count] = [0, 0]] = tally(those.map((serial) => serial.length))
      return [beginning, count * 3 >= those.length * 2 ? length : null]
    }),
  )
  return (serial) => lengths.get(beginningOf(serial)) ?? null
}

function beginningOf(serial: string): string {
  return /^\d*[a-z]*/i.exec(serial)?.[0].toUpperCase() ?? ''
}

/** Those of a single number are in `checkerPartProblem`. */
function damageText(damage: Damage, what: string, text: string, usual: number | null): string {
  const said =
    damage === 'zeros'
      ? `The ${what} ends in zeros after 15 digits, as a spreadsheet leaves a long number.`
      : `This ${what} has ${text.length} digits and ${usual === null ? 'others have not' : `most have ${usual}`}: a spreadsheet drops zeros in front.`
  return `${said} Save that column as text and choose the file again.`
}

/** How many different parts stand with one. */
function othersOf(pairs: readonly Pair[], one: CheckerRole, other: CheckerRole): (text: string) => number {
  const groups = Map.groupBy(pairs, (pair) => keyOf(pair[one]))
  const counts = new Map([...groups].map(([key, those]) => [key, new Set(those.map((pair) => keyOf(pair[other]))).size]))
  return (text) => counts.get(keyOf(text)) ?? 0
}

/** However a code is written, it is the same one. */
function keyOf(text: string): string {
  return text.replaceAll('-', '').toUpperCase()
}

/** Letters and digits by their runs: WGR2600001 is A9. */
function shapeOf(text: string): string {
  return text.replace(/[A-Za-z]+/g, 'A').replace(/\d+/g, '9')
}

/** "WGR2600001 1234 5678 9012" in one cell: one word with letters is the serial, the digits beside it are the PIN. Anything else stays whole. */
function cutLine(row: SheetRow): SheetRow[] {
  const filled = row.cells.filter((cell) => cell !== '')
  if (filled.length > 1 && !filled.every((cell) => /^\S*[a-z]\S* \d{8,}$/i.test(cell))) return [row]
  const words = plainText(filled.join(' '))
    .replace(/\*/g, ' ')
    .trim()
    .replace(/^\d{1,4}(?:[.)] ?| (?=\S*[a-z]\S* \S))/i, '')
    .replace(/^(\S*\d)(?: -+ | ?[:=>→|]+ ?| pin:? )(?=\S)/i, '$1 ')
    .replace(/^([a-z]+\d{4,}|\d+[a-z]+\d*)([-/])(?=\d{8,}$)/i, '$1 $2 ')
    .replace(/[:=|>→]+/g, ' $& ')
    .trim()
    .split(/[\s,;]+/)
  const pairs = words.map((name, at) => [name, words[at + 1] ?? '']).filter((_, at) => at % 2 === 0)
  if (pairs.length > 1 && pairs.every(([name, pin]) => /[a-z]/i.test(name ?? '') && /^\d{8,}$/.test(pin ?? '')))
    return pairs.map((cells) => ({ ...row, cells }))
  const labels = words.filter((word) => /^(?:serial|sn|pin)$/i.test(word))
  if (labels.length > 1 || !words.some((word) => /\d{4}/.test(word) && !/^20\d\d$/.test(word))) return [row]
  const [name = '', other] = words.filter((word) => /[a-z]/i.test(word))
  const groups = words.filter((word) => word !== name)
  // A year or a price beside the PIN is none of its groups: which column is which is asked.
  const isPair = other === undefined && /\d/.test(name) && groups.every((word) => /^\d+$/.test(word)) && areGroups(groups)
  if (!isPair) return [{ ...row, cells: words }]
  const pin = groups.join('')
  return [{ ...row, cells: words[0] === name ? [name, pin] : words.at(-1) === name ? [pin, name] : words }]
}

/** Whether these are the groups of one number: equal and short, but for the last. */
function areGroups([first = '', ...rest]: readonly string[]): boolean {
  return (
    rest.length === 0 ||
    (first.length <= 5 && rest.every(({ length }, at) => length === first.length || (at === rest.length - 1 && length < first.length)))
  )
}

/** @throws Error with a sentence for whoever chose the file. */
function readJson(name: string, text: string): Sheet {
  const wrong = 'That is not a list of serials and PINs.'
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw new Error(wrong)
  }
  if (!Array.isArray(list) || list.length === 0) throw new Error(wrong)
  const entries = list.filter((entry): entry is object => typeof entry === 'object' && entry !== null)
  if (entries.length < list.length) throw new Error(wrong)
  if (entries.every(Array.isArray))
    return plainSheet(
      name,
      entries.map((entry) => entry.map(jsonText)),
    )
  const keys = [...new Set(entries.flatMap((entry) => Object.keys(entry)))]
  return plainSheet(name, [keys, ...entries.map((entry) => keys.map((key) => jsonText((entry as Record<string, unknown>)[key])))])
}

/** A number that JavaScript has rounded is written with an exponent, as one that a spreadsheet has cut. */
function jsonText(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : value.toExponential()
  return typeof value === 'string' ? value.trim() : ''
}

const LABEL = notAfter(/[a-z].$/is, /(serial|ser|s\/n|sn|pin)(?:[ \t]*(?:code|number|num|nos?|#))?(?![a-z])[ \t]*[.:=#-]*[ \t]*/gi)
/** `strays`: lines with figures and without a label that stand above it. */
type Part = {
  role: CheckerRole
  value: string
  problem: string | null
  line: number
  group: number
  strays: number
  text: string
  under: string | null
}

/** Messages that name each serial and PIN; null for a text that does not. A pair is what stands on one line, or in two lines one after the other. */
function readLabelled(text: string): CheckerSource | null {
  const parts: Part[] = []
  let [group, strange, strays] = [0, 0, 0]
  let under: string | null = null
  const rows = text.split(/\r\n|\r|\n/)
  for (const [at, raw] of rows.entries()) {
    const row = plainText(raw)
    const labels = [...row.matchAll(LABEL)]
    if (row === '') group++
    const open = parts.at(-1)
    if (labels.length === 0 && row !== '' && open && open.value === '' && open.problem === null) Object.assign(open, partIn(row, open.role))
    else if (labels.length === 0 && row !== '') {
      strange++
      const note = noteIn([row])
      if (note !== null && TELLING.test(normalHeading(note))) under = note
      if (/\d/.test(row)) strays++
    }
    for (const [index, label] of labels.entries()) {
      const value = row.slice(label.index + label[0].length, labels[index + 1]?.index)
      const role: CheckerRole = /^pin/i.test(label[1] as string) ? 'pin' : 'serial'
      parts.push({ role, ...partIn(value, role), line: at + 1, group, strays, text: row, under })
    }
  }
  const has = (wanted: CheckerRole) => parts.some(({ role, value }) => role === wanted && /\d/.test(value))
  if (!has('pin') || !has('serial')) return null
  return { lines: judgePairs(pairUp(parts)), strange, sheets: null }
}

/** A whole value, or what is wrong with it: groups of digits are one, words beside them are not. */
function partIn(text: string, role: CheckerRole): { value: string; problem: string | null } {
  const words = text.replace(/^[\s,;|*]+|[\s,;|*.:-]+$/g, '').split(/\s+/)
  const [first = '', ...rest] = words
  const isOne =
    rest.length === 0 ||
    (rest.every((word) => /^\d+$/.test(word)) &&
      (/^\d+$/.test(first) ? areGroups(words) : role === 'serial' && /^[a-z]+$/i.test(first) && areGroups(rest)))
  return isOne
    ? { value: words.join(''), problem: null }
    : { value: first, problem: `We can’t tell whether “${rest.join(' ').slice(0, 40)}” belongs to it.` }
}

const UNPAIRED = 'We can’t tell which serial and PIN belong together here. Write each pair on a line of its own.'

/** Pairs on one line, then pairs over two lines that all begin with the same part. A run that does not go up in pairs is left unpaired. */
function pairUp(parts: readonly Part[]): CheckerLine[] {
  const perLine = Map.groupBy(parts, ({ line }) => line)
  const singles = [...perLine.values()].filter((those) => those.length === 1).flat()
  const isSpread = singles.every((part, at) => part.group !== singles[at + 1]?.group)
  const runs: Part[][] = []
  for (const those of perLine.values()) {
    const [part] = those
    const before = runs.at(-1)
    const isNext =
      before && those.length === 1 && perLine.get(before[0]?.line ?? 0)?.length === 1 && (isSpread || before[0]?.group === part?.group)
    if (isNext && part) before.push(part)
    else runs.push([...those])
  }
  const firsts = new Set(runs.filter((run) => run[0]?.line !== run[1]?.line).map((run) => run[0]?.role))
  return runs.flatMap((run) => {
    const isOverLines = run[0]?.line !== run[1]?.line
    const pairs = run.flatMap((part, at) => (at % 2 === 0 ? [[part, run[at + 1]] as const] : []))
    const isPaired =
      pairs.every(([one, other]) => other !== undefined && one.role !== other.role && one.strays === other.strays) &&
      pairs.every(([one]) => one.role === run[0]?.role)
    if (!isPaired || (isOverLines && firsts.size > 1)) return run.map((part) => ({ ...toPair([part]), problem: UNPAIRED }))
    return pairs.map(([one, other]) => toPair([one, other as Part]))
  })
}

function toPair(parts: readonly Part[]): CheckerLine {
  const of = (wanted: CheckerRole) => parts.find(({ role }) => role === wanted)
  const problem = parts.find((part) => part.problem !== null)?.problem ?? null
  const texts = [...new Set(parts.map(({ text }) => text))]
  return {
    ...toLine(parts[0]?.line ?? 0, texts, of('serial')?.value ?? '', of('pin')?.value ?? '', problem),
    under: parts[0]?.under ?? null,
  }
}

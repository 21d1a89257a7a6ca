import { AGAINST, FOREIGN } from './phrases.ts'
import { plainText } from './reading.ts'
import type { Sheet, SheetRow } from './sheets.ts'

/** For each role of a column its name on the screen, then its known headings, the best ones first; `|` stands between equals. */
export type HeadingWords<R extends string> = Record<R, readonly [name: string, ...headings: string[]]>
/** Which column holds which role, from 0. */
export type Columns<R extends string> = { [role in R]?: number | undefined }
/** What a reader is given of a table: rows below their headings, and which column is which. */
export type TableRows<R extends string> = {
  headings: readonly string[]
  rows: readonly { line: number; cells: readonly string[] }[]
  columns: Columns<R>
}
/** Something in a file that is not read, as the end of "3 …" and "1 …". */
export type LeftOut = { count: number; one: string; many: string }

export type Table<R extends string> = {
  /** The name of the sheet that is read, and of all that could be. */
  sheet: string
  sheets: readonly string[]
  /** Of each column its heading, empty where it has none, up to the last that has one. */
  headings: readonly string[]
  rows: readonly SheetRow[]
  /** The columns whose headings are known, each role once. */
  columns: Columns<R>
  /** Roles that several columns have equally good headings for, so that none has it. */
  contested: readonly R[]
  leftOut: readonly LeftOut[]
  /** The same for two files of one form; empty without headings. */
  signature: string
}

/** A heading stands among the first rows that have something in them. */
const HEADING_WITHIN = 20
/** No heading has one: "0244123456, 5GB, No, Delivered" is a row. */
const LONG_NUMBER = /\d{7}/

/**
 * The visible rows of one sheet below the headings that it has. Of several visible sheets the one named `sheet`, or the one with most known
 * headings, then most rows. Two tables side by side are one below the other here if their headings are the same. All else is in `leftOut`.
 */
export function readTable<R extends string>(sheets: readonly Sheet[], words: HeadingWords<R>, sheetName?: string): Table<R> {
  const roleOf = toRoles(words)
  const filled = sheets.filter(({ rows }) => rows.length > 0)
  const visible = filled.filter(({ isHidden }) => !isHidden)
  const rated = visible.map((sheet) => ({ sheet, heading: findHeading(sheet.rows, roleOf) }))
  const chosen = rated.find(({ sheet }) => sheet.name === sheetName) ?? rated.toSorted(byKnownHeadings)[0]
  const sheet = chosen?.sheet ?? { name: '', rows: [], hiddenRows: 0, hiddenColumns: 0, mergedCells: 0 }
  const heading = chosen?.heading ?? { at: -1, roles: 0 }
  const head = sheet.rows[heading.at]?.cells ?? []
  const width = Math.max(head.length, ...sheet.rows.slice(heading.at + 1).map(({ cells }) => cells.length))
  const blocks = cutBlocks(head, width, roleOf)
  // Only a statement has balances, and a currency.
  const isStatement = 'balance' in words
  const titles = sheet.rows.slice(0, Math.max(0, heading.at)).flatMap((row) => {
    if (TELLING.test(normalHeading(noteIn(row.cells) ?? ''))) return [row]
    const title = row.cells.filter(Boolean).join(' ')
    return isStatement && FOREIGN.test(title) ? [{ ...row, cells: [title] }] : []
  })
  const body = readBody([...titles, ...sheet.rows.slice(heading.at + 1)], head, roleOf)
  const named = blocks[0]?.map((at) => head[at] ?? '') ?? []
  const headings = named.slice(0, named.findLastIndex((heading) => heading !== '') + 1)
  const leftOut: LeftOut[] = [
    ...filled.filter(({ isHidden }) => isHidden).map(({ name, rows }) => rowsLeft(rows.length, `in the hidden sheet “${name}”`)),
    ...visible.filter((one) => one.name !== sheet.name).map(({ name, rows }) => rowsLeft(rows.length, `in the sheet “${name}”`)),
    { count: sheet.hiddenRows, one: 'row that is hidden or filtered out', many: 'rows that are hidden or filtered out' },
    { count: sheet.hiddenColumns, one: 'hidden column', many: 'hidden columns' },
    rowsLeft(Math.max(0, heading.at) - titles.length, 'above the headings'),
    { count: body.repeats, one: 'row that repeats the headings', many: 'rows that repeat the headings' },
    rowsLeft(body.below, 'of another table below'),
    {
      count: sheet.mergedCells,
      one: 'group of merged cells: only its first cell is read',
      many: 'groups of merged cells: only their first cells are read',
    },
  ]
  return {
    sheet: sheet.name,
    sheets: visible.map(({ name }) => name),
    headings,
    rows: blocks.flatMap((block, index) => takeBlock(body.rows, block, index, index === blocks.length - 1)),
    ...columnsOf(headings, roleOf),
    leftOut: leftOut.filter(({ count }) => count > 0),
    signature: head.map(normalHeading).join('|').slice(0, 400),
  }
}

/** "3 rows above the headings". */
export function leftOutText({ count, one, many }: LeftOut): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

export function rowsLeft(count: number, where: string): LeftOut {
  return { count, one: `row ${where}`, many: `rows ${where}` }
}

/** Why a row is doubtful whose cells go on behind the headings; null for any other. */
export function longerProblem(headings: readonly string[], cells: readonly string[]): string | null {
  const isLonger = headings.length > 0 && cells.slice(headings.length).some((cell) => cell !== '')
  return isLonger ? 'This row has more cells than there are headings.' : null
}

/** Titles above the headings that say something of the rows below them; others are only counted. */
export const TELLING = new RegExp(`${AGAINST.source}|(?:^| )(?:bece|wassce|nov ?dec|placement|cssps)(?: |$)`)
/** The total of a table, as it may stand in any of its columns. */
export const TOTAL = /^(?:grand |sub ?|over ?all )?totals?\b/

/** A row of words among the rows of a table, such as "Failed transactions", perhaps with how many they are. Null for every other. */
export function noteIn(cells: readonly string[]): string | null {
  const [first = '', figure = '', ...others] = cells.filter(Boolean)
  if (!/\p{L}{3}/u.test(first) || /\d{5}/.test(first) || others.length > 0) return null
  const words = normalHeading(first)
  return figure === '' || (!/\p{L}/u.test(figure) && (AGAINST.test(words) || TOTAL.test(words))) ? first : null
}

type Rated = { sheet: Sheet; heading: { at: number; roles: number } }

function byKnownHeadings(one: Rated, other: Rated): number {
  return other.heading.roles - one.heading.roles || other.sheet.rows.length - one.sheet.rows.length
}

type RoleOf<R extends string> = (heading: string) => { role: R; rank: number } | null

/** The role of a heading, and how good the heading is for it. */
export function toRoles<R extends string>(words: HeadingWords<R>): RoleOf<R> {
  const known = new Map<string, { role: R; rank: number }>()
  for (const role of Object.keys(words) as R[])
    for (const [rank, phrases] of words[role].slice(1).entries())
      for (const phrase of phrases.split('|')) if (!known.has(phrase)) known.set(phrase, { role, rank })
  return (heading) => {
    const plain = normalHeading(heading)
    // "Phone 1" beside "Phone 2", and "PIN2" beside "PIN", are the same role twice.
    const bare = plain.replace(/ (?:ghs|ghc|gh|cedis)$| ?\d$/, '')
    return known.get(plain) ?? known.get(bare) ?? known.get(bare.replace(/ in$/, '')) ?? null
  }
}

/** "TRANS. TYPE", "Trans Type" and "trans_type" are one. */
export function normalHeading(heading: string): string {
  return plainText(heading.replace(/([a-z])(?=[A-Z][a-z])/g, '$1 '))
    .toLowerCase()
    .replace(/gh[¢₵]|[¢₵]/g, ' ghs ')
    .replace(/[^\p{L}\p{N}#+]+/gu, ' ')
    .trim()
}

/** The row with two known headings or more, else the first of words alone above rows with figures. `at` -1 where there is none. */
function findHeading<R extends string>(rows: readonly SheetRow[], roleOf: RoleOf<R>): { at: number; roles: number } {
  const first = rows.slice(0, HEADING_WITHIN)
  const counts = first.map(({ cells }) =>
    cells.some((cell) => LONG_NUMBER.test(cell)) ? 0 : new Set(cells.flatMap((cell) => roleOf(cell)?.role ?? [])).size,
  )
  const most = Math.max(0, ...counts)
  const best = counts.indexOf(most)
  // Another table, with a column more, may stand below the first one.
  const hasData = (from: number) => first.slice(from + 1, best).some(({ cells }) => cells.some((cell) => LONG_NUMBER.test(cell)))
  const earlier = counts.findIndex((count, at) => at < best && count >= Math.max(2, most - 1) && hasData(at))
  if (earlier >= 0) return { at: earlier, roles: counts[earlier] as number }
  if (most >= 2) return { at: best, roles: most }
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.filter(Boolean).length))
  const at = first.findIndex(({ cells }) => {
    const named = cells.filter(Boolean)
    return named.length > 1 && named.length >= widest * 0.6 && named.every((cell) => cell.length <= 40 && !/\d/.test(cell))
  })
  const isAboveFigures = at >= 0 && rows.slice(at + 1, at + 4).some(({ cells }) => cells.some((cell) => /\d/.test(cell)))
  return isAboveFigures ? { at, roles: most } : { at: -1, roles: 0 }
}

/** The columns of each of the tables that stand side by side: only where the same headings come again. */
function cutBlocks<R extends string>(head: readonly string[], width: number, roleOf: RoleOf<R>): number[][] {
  const all = Array.from({ length: width }, (_, at) => at)
  const named = head.map((cell) => normalHeading(cell))
  const start = named.findIndex((name) => name !== '')
  const again = named.findIndex((name, at) => roleOf(name) !== null && named.indexOf(name) < at)
  if (again < 0) return [all]
  const period = again - named.indexOf(named[again] as string)
  const blocks = all.filter((at) => at >= start && (at - start) % period === 0).map((at) => all.slice(at, at + period))
  const shapes = blocks.map((block) =>
    block
      .map((at) => named[at] ?? '')
      .join('|')
      .replace(/\|+$/, ''),
  )
  const isRepeated = shapes.every((shape) => shape === shapes[0] || shape === '')
  return isRepeated ? blocks.filter((_, index) => shapes[index] !== '') : [all]
}

/** The rows of the table; a repeated heading is dropped, and at another table's headings it ends. */
function readBody<R extends string>(rows: readonly SheetRow[], head: readonly string[], roleOf: RoleOf<R>) {
  const isHead = new Set([head.map(normalHeading).join('|')])
  const kept: SheetRow[] = []
  let repeats = 0
  for (const [at, row] of rows.entries()) {
    const isRepeat = head.length > 0 && isHead.has(row.cells.map(normalHeading).join('|'))
    if (isRepeat) repeats++
    else if (head.length > 0 && isHeading(row, roleOf)) return { rows: kept, repeats, below: rows.length - at }
    else kept.push(row)
  }
  return { rows: kept, repeats, below: 0 }
}

function isHeading<R extends string>({ cells }: SheetRow, roleOf: RoleOf<R>): boolean {
  return !cells.some((cell) => /\d/.test(cell)) && new Set(cells.flatMap((cell) => roleOf(cell)?.role ?? [])).size >= 2
}

/** The last block keeps what stands right of the headings, so that a row with more cells than headings is seen. */
function takeBlock(rows: readonly SheetRow[], block: readonly number[], index: number, isLast: boolean): SheetRow[] {
  const from = block[0] ?? 0
  const cut = rows.map(({ line, cells }) => ({ line, cells: isLast ? cells.slice(from) : cells.slice(from, from + block.length) }))
  return index === 0 && isLast ? cut : cut.filter(({ cells }) => cells.some((cell) => cell !== ''))
}

/** The best heading of each role; none where two are as good. */
function columnsOf<R extends string>(headings: readonly string[], roleOf: RoleOf<R>): { columns: Columns<R>; contested: R[] } {
  const found = headings.flatMap((heading, at) => {
    const known = roleOf(heading)
    return known ? [{ ...known, at }] : []
  })
  const columns: Columns<R> = {}
  const contested = new Set<R>()
  for (const { role } of found) {
    const ofRole = found.filter((one) => one.role === role)
    const best = Math.min(...ofRole.map(({ rank }) => rank))
    const [only, another] = ofRole.filter(({ rank }) => rank === best)
    if (another) contested.add(role)
    else if (only) columns[role] = only.at
  }
  return { columns, contested: [...contested] }
}

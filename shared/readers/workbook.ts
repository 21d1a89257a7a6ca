import { attribute, type Sheet, type SheetRow, tagsOf } from './sheets.ts'

/** More than any list or statement has. */
const MOST_ROWS = 20_000
const MOST_CELLS = 1_000_000
const MOST_COLUMNS = 16_384
/** A spreadsheet keeps 15 digits of a number and ends longer ones in zeros. */
const LOST_DIGITS_FROM = 1e15

/** Why a workbook is not read: it is none, or its last `row` lies so far down that the empty cells above it are too many. */
export class NotReadable extends Error {
  readonly row: number | null
  constructor(row: number | null = null) {
    super(row === null ? 'not a workbook' : `row ${row}`)
    this.row = row
  }
}

/**
 * The sheets of an Excel file from its parts by name, such as `xl/workbook.xml`. A date is an ISO time; a number that has lost digits is written
 * with an exponent, as no PIN or ID is.
 * @throws NotReadable
 */
export function readWorkbook(parts: ReadonlyMap<string, string>): Sheet[] {
  const workbook = parts.get('xl/workbook.xml')
  if (workbook === undefined) throw new NotReadable()
  const targets = new Map<string, string>()
  for (const { name, attributes } of tagsOf(parts.get('xl/_rels/workbook.xml.rels') ?? ''))
    if (name === 'Relationship') targets.set(attribute(attributes, 'Id'), attribute(attributes, 'Target'))
  const texts = readSharedTexts(parts.get('xl/sharedStrings.xml') ?? '')
  const formats = readFormats(parts.get('xl/styles.xml') ?? '')
  const sheets: Sheet[] = []
  let since1904 = false
  for (const { name, attributes, isEnd } of tagsOf(workbook)) {
    if (name === 'workbookPr') since1904 = /^(?:1|true)$/.test(attribute(attributes, 'date1904'))
    if (name !== 'sheet' || isEnd) continue
    const target = targets.get(attribute(attributes, 'id')) ?? ''
    const xml = parts.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    if (xml === undefined) continue
    const isHidden = /hidden/i.test(attribute(attributes, 'state'))
    sheets.push({ ...readSheet(xml, { texts, formats, since1904 }), name: attribute(attributes, 'name'), isHidden })
  }
  if (sheets.length === 0) throw new NotReadable()
  return sheets
}

type Book = { texts: readonly string[]; formats: readonly string[]; since1904: boolean }

function readSheet(xml: string, book: Book): Omit<Sheet, 'name' | 'isHidden'> {
  const [seen, unseen]: [SheetRow[], SheetRow[]] = [[], []]
  const hidden = new Set<number>()
  let [row, column, widest, mergedCells]: [SheetRow, number, number, number] = [{ line: 0, cells: [] }, -1, 0, 0]
  let isPhonetic = false
  /** Of a sheet that goes too far down, its last row. */
  let last = 0
  let cell: { type: string; style: number; written: string } | null = null
  for (const { name, isEnd, isEmpty, attributes, text } of tagsOf(xml)) {
    if (name === 'row' && !isEnd) {
      row = { line: placeOf(attribute(attributes, 'r'), row.line + 1), cells: [] }
      column = -1
      if (row.line > MOST_ROWS) last = row.line
      const isUnseen = isTrue(attribute(attributes, 'hidden')) || attribute(attributes, 'ht') === '0'
      if (last === 0) (isUnseen ? unseen : seen).push(row)
    } else if (name === 'c') {
      if (last > 0) continue
      if (!isEnd) {
        column = columnOf(attribute(attributes, 'r'), column + 1, row.line)
        widest = Math.max(widest, column + 1)
        if (row.line * widest > MOST_CELLS) throw new NotReadable(row.line)
        cell = { type: attribute(attributes, 't') || 'n', style: Number(attribute(attributes, 's') || 0), written: '' }
      }
      if (cell && (isEnd || isEmpty)) {
        row.cells[column] = cellText(cell, book)
        cell = null
      }
    } else if (name === 'rPh') isPhonetic = !isEnd
    else if ((name === 'v' || name === 't') && !isEnd && cell && !isPhonetic) cell.written += text
    else if (name === 'col' && isTrue(attribute(attributes, 'hidden'))) {
      const end = Math.min(Number(attribute(attributes, 'max')), MOST_COLUMNS)
      for (let at = Number(attribute(attributes, 'min')); at <= end; at++) hidden.add(at - 1)
    } else if (name === 'mergeCell' && !isEnd) mergedCells++
  }
  if (last > 0) throw new NotReadable(last)
  const isUsed = (at: number) => seen.some(({ cells }) => (cells[at] ?? '') !== '')
  const hiddenColumns = [...hidden].filter((at) => at < widest && isUsed(at)).length
  const rows = seen.map(({ line, cells }) => ({ line, cells: Array.from(cells, (text, at) => (hidden.has(at) ? '' : (text ?? ''))) }))
  return { rows: rows.filter(hasText), hiddenRows: unseen.filter(hasText).length, hiddenColumns, mergedCells }
}

function hasText({ cells }: SheetRow): boolean {
  return cells.some((text) => text !== '' && text !== undefined)
}

function isTrue(text: string): boolean {
  return text === '1' || text === 'true'
}

/** A number that is written in another way, such as 1e9, is no row of Excel's. */
function placeOf(written: string, next: number): number {
  if (written === '') return next
  if (!/^\d{1,7}$/.test(written)) throw new NotReadable()
  return Number(written)
}

function columnOf(written: string, next: number, line: number): number {
  if (written === '') return next
  const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(written) ?? []
  if (letters === undefined || Number(digits) !== line) throw new NotReadable()
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function cellText({ type, style, written }: { type: string; style: number; written: string }, { texts, formats, since1904 }: Book): string {
  if (type === 's') return texts[Number(written)] ?? ''
  if (type === 'b') return isTrue(written.trim()) ? 'TRUE' : 'FALSE'
  if (type !== 'n') return tidy(written)
  const value = Number(written)
  if (written.trim() === '' || !Number.isFinite(value)) return tidy(written)
  const format = formats[style] ?? ''
  if (format === 'date') return isoTime(value + (since1904 ? 1_462 : 0))
  if (Math.abs(value) >= LOST_DIGITS_FROM) return value.toExponential()
  const text = String(Number(value.toPrecision(15)))
  return /^0+$/.test(format) && /^\d+$/.test(text) ? text.padStart(format.length, '0') : text
}

const DAY_MS = 86_400_000
/** 1 January 1970, as a spreadsheet counts days. */
const UNIX_DAY = 25_569

function isoTime(days: number): string {
  const at = new Date(Math.round((days - UNIX_DAY) * DAY_MS))
  return Number.isNaN(at.getTime()) ? String(days) : at.toISOString()
}

function tidy(text: string): string {
  return text.replace(/_x000[dD]_/g, '').trim()
}

function readSharedTexts(xml: string): string[] {
  const texts: string[] = []
  let isPhonetic = false
  for (const { name, isEnd, text } of tagsOf(xml)) {
    if (name === 'si' && !isEnd) texts.push('')
    else if (name === 'rPh') isPhonetic = !isEnd
    else if (name === 't' && !isEnd && !isPhonetic) texts.push(`${texts.pop() ?? ''}${text}`)
  }
  return texts.map(tidy)
}

/** Of each style of a cell: 'date', or the form of its numbers, or nothing. */
function readFormats(xml: string): string[] {
  const own = new Map<number, string>()
  const formats: string[] = []
  let isOfCells = false
  for (const { name, isEnd, attributes } of tagsOf(xml)) {
    if (name === 'numFmt') own.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode'))
    else if (name === 'cellXfs') isOfCells = !isEnd
    else if (name === 'xf' && !isEnd && isOfCells) {
      const id = Number(attribute(attributes, 'numFmtId') || 0)
      const code = own.get(id) ?? ''
      formats.push(isDateFormat(id, code) ? 'date' : code)
    }
  }
  return formats
}

function isDateFormat(id: number, code: string): boolean {
  if (code === '') return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*.|general/gi, ''))
}

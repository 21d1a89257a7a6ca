import { tally } from './phrases.ts'

/** A row of a sheet: its place in the file from 1, and its cells as text without spaces around them. */
export type SheetRow = { line: number; cells: string[] }

/** A sheet as its reader sees it: hidden rows and columns are counted and left out, and so are the rows of a hidden sheet. */
export type Sheet = {
  name: string
  rows: SheetRow[]
  isHidden: boolean
  hiddenRows: number
  hiddenColumns: number
  mergedCells: number
}

/** Rows without anything hidden, such as those of a text. */
export function plainSheet(name: string, rows: readonly string[][]): Sheet {
  const filled = rows.map((cells, index) => ({ line: index + 1, cells })).filter(({ cells }) => cells.some((cell) => cell !== ''))
  return { name, rows: filled, isHidden: false, hiddenRows: 0, hiddenColumns: 0, mergedCells: 0 }
}

const SEPARATORS = ['\t', ';', '|', ','] as const
/** Lines that are looked at to find the separator. */
const LOOKED_AT = 2_000

/**
 * Text as cells: CSV with the separator that cuts most lines into the same number of cells, or the table of a web page, which banks name .xls.
 * A comma separates only where nothing else does: it may stand within amounts.
 */
export function readText(name: string, text: string): Sheet {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  if (/^\s*<(?:!doctype|html|table|meta)\b/i.test(plain)) return plainSheet(name, readHtml(plain))
  const told = /^sep=(.)\n/i.exec(plain)
  if (told) return plainSheet(name, cutCells(plain.slice(told[0].length), told[1] as string))
  const head = plain.split('\n', LOOKED_AT).join('\n')
  const rated = SEPARATORS.map((separator) => ({ separator, evenness: evennessOf(cutCells(head, separator)) }))
  const best = rated.reduce((one, other) => (other.evenness > one.evenness ? other : one))
  return plainSheet(name, cutCells(plain, best.evenness === 0 ? '\t' : best.separator))
}

/** The share of lines with the commonest number of cells, where that is more than one. */
function evennessOf(rows: readonly string[][]): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell !== ''))
  const [commonest] = tally(filled.map(({ length }) => length).filter((length) => length > 1))
  return (commonest?.[1] ?? 0) / Math.max(1, filled.length)
}

/** The cells between separators; quotes as spreadsheets write them. A quote that never ends was only a letter. */
export function cutCells(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (letter === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (letter === separator || letter === '\n') {
      rows.at(-1)?.push(cell.trim())
      cell = ''
      if (letter === '\n') rows.push([])
    } else cell += letter
  }
  rows.at(-1)?.push(cell.trim())
  return isQuoted ? cutCells(text.replaceAll('"', ' '), separator) : rows
}

function readHtml(text: string): string[][] {
  const rows: string[][] = []
  for (const { name, isEnd, text: after } of tagsOf(text)) {
    const row = rows.at(-1)
    if (/^tr$/i.test(name) && !isEnd) rows.push([])
    else if (/^t[dh]$/i.test(name) && !isEnd) row?.push(after)
    else if (row && row.length > 0 && !/^t/i.test(name)) row.push(`${row.pop() ?? ''} ${after}`)
  }
  return rows.map((cells) => cells.map((cell) => cell.replace(/\s+/g, ' ').trim()))
}

/** Each tag of XML or HTML with the text behind it, in one pass. Names are without their namespace. */
export function* tagsOf(xml: string): Generator<{ name: string; isEnd: boolean; isEmpty: boolean; attributes: string; text: string }> {
  for (const [, end, name = '', attributes = '', text = ''] of xml.matchAll(/<(\/?)(?:\w+:)?(\w+)\b([^<>]*)>([^<]*)/g))
    yield { name, isEnd: end === '/', isEmpty: attributes.endsWith('/'), attributes, text: text.includes('&') ? decode(text) : text }
}

const ATTRIBUTES = new Map<string, RegExp>()

/** An attribute of a tag; empty where it has none of that name. */
export function attribute(attributes: string, name: string): string {
  let pattern = ATTRIBUTES.get(name)
  if (!pattern) {
    pattern = new RegExp(String.raw`(?:^|\s)(?:\w+:)?${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'i')
    ATTRIBUTES.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  return decode(found?.[1] ?? found?.[2] ?? '')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

import { fileTexts } from '../texts/files.ts'

/** A sheet of a file, its cells as text without spaces around them. Dates are ISO times. */
export type SheetRows = { name: string; rows: string[][] }

const MOST_BYTES = 5_000_000
/** The first bytes of every .xlsx, which is a ZIP file, and of a file of Excel before 2007. */
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0]

/**
 * The sheets of an Excel file, or the rows of CSV or plain text as one sheet. What a file is, its first bytes say: names lie.
 * @throws Error with a sentence for whoever chose the file.
 */
export async function readSheetFile(file: File): Promise<SheetRows[]> {
  if (file.size > MOST_BYTES) throw new Error(fileTexts.tooLarge)
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (begins(bytes, OLD_EXCEL)) throw new Error(fileTexts.oldExcel)
  if (!begins(bytes, ZIP)) {
    if (/\.xlsx$/i.test(file.name)) throw new Error(fileTexts.unreadable)
    return [{ name: file.name, rows: readCsv(decodeText(bytes)) }]
  }
  const { refuseHugeSheets } = await import('./refuse-huge-sheets.ts')
  await refuseHugeSheets(bytes).catch((error: unknown) => {
    // What ends in the middle fails in the browser's own words.
    throw error instanceof TypeError || error instanceof RangeError ? new Error(fileTexts.unreadable) : error
  })
  try {
    const { default: readSheets } = await import('read-excel-file/universal')
    const sheets = await readSheets(bytes.buffer)
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(toText)) }))
  } catch {
    throw new Error(fileTexts.unreadable)
  }
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}

function toText(cell: unknown): string {
  return (cell instanceof Date ? cell.toISOString() : String(cell ?? '')).trim()
}

/** Text as spreadsheets save it: UTF-8, UTF-16 with a mark ("Unicode Text"), or Windows' own letters. */
function decodeText(bytes: Uint8Array): string {
  const encoding = begins(bytes, [0xff, 0xfe]) ? 'utf-16le' : begins(bytes, [0xfe, 0xff]) ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Comma, semicolon, tab or bar between the cells, whichever the first lines have most of; quotes as spreadsheets write them. */
function readCsv(text: string): string[][] {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const head = plain.split('\n', 10).join('\n')
  const [separator = ','] = [',', ';', '\t', '|'].toSorted((a, b) => head.split(b).length - head.split(a).length)
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  for (let at = 0; at < plain.length; at++) {
    const letter = plain[at] as string
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (plain[at + 1] === '"') cell += plain[++at]
      else quoted = false
    } else if (letter === '"' && cell.trim() === '') {
      quoted = true
      cell = ''
    } else if (letter === separator || letter === '\n') {
      rows.at(-1)?.push(cell.trim())
      cell = ''
      if (letter === '\n') rows.push([])
    } else cell += letter
  }
  rows.at(-1)?.push(cell.trim())
  // A quote that never ends was only a letter.
  return quoted ? readCsv(plain.replaceAll('"', ' ')) : rows
}

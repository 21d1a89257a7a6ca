import { readText, type Sheet } from '../../shared/readers/sheets.ts'
import { fileTexts } from '../texts/files.ts'

const MOST_BYTES = 5_000_000
/** The first bytes of every .xlsx and .xlsm, which is a ZIP file, and of a file of Excel before 2007. */
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const OLD_EXCEL = [0xd0, 0xcf, 0x11, 0xe0]

/**
 * The sheets of an Excel file, or the rows of CSV or plain text as one sheet. Its first bytes say what a file is, never its name.
 * @throws Error with a sentence for whoever chose the file.
 */
export async function readSheetFile(file: File): Promise<Sheet[]> {
  const bytes = await readBytes(file)
  if (begins(bytes, OLD_EXCEL)) throw new Error(fileTexts.oldExcel)
  if (isText(bytes)) return [readText(file.name, decodeText(bytes))]
  const [{ unzip }, { NotReadable, readWorkbook }] = await Promise.all([import('./unzip.ts'), import('../../shared/readers/workbook.ts')])
  try {
    return readWorkbook(unzip(bytes))
  } catch (error) {
    if (error instanceof NotReadable && error.row !== null) throw new Error(fileTexts.tooFar(error.row))
    // A damaged file fails in the words of the library or the browser.
    throw error instanceof Error && error.message === fileTexts.tooMuch ? error : new Error(fileTexts.unreadable)
  }
}

/** @throws Error with a sentence for whoever chose a file that is too large. */
export async function readBytes(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > MOST_BYTES) throw new Error(fileTexts.tooLarge)
  return new Uint8Array(await file.arrayBuffer())
}

/** Whether these bytes are no workbook. */
export function isText(bytes: Uint8Array): boolean {
  return !begins(bytes, ZIP) && !begins(bytes, OLD_EXCEL)
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}

/** Text as spreadsheets save it: UTF-8, UTF-16 with a mark ("Unicode Text"), or Windows' own letters. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = begins(bytes, [0xff, 0xfe]) ? 'utf-16le' : begins(bytes, [0xfe, 0xff]) ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

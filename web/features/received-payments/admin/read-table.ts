import { readSheetFile } from '../../../lib/read-sheet-file.ts'

/** A table from a file: its headings, and its rows as text. */
export type Table = { name: string; headings: string[]; rows: string[][] }

const FEWEST_COLUMNS = 3

/**
 * Reads a CSV file or the first sheet of an XLSX file in the browser. Lines above the headings, as banks and networks write them, are left out.
 * @throws Error with a sentence when it is neither.
 */
export async function readTable(file: File): Promise<Table> {
  const [sheet] = await readSheetFile(file)
  const rows = (sheet?.rows ?? []).filter((line) => line.some((cell) => cell !== ''))
  const widest = Math.max(0, ...rows.map((row) => row.filter((cell) => cell !== '').length))
  const heading = rows.findIndex((row) => row.filter((cell) => cell !== '').length >= Math.max(FEWEST_COLUMNS, Math.ceil(widest * 0.6)))
  return { name: file.name, headings: rows[heading] ?? [], rows: heading < 0 ? [] : rows.slice(heading + 1) }
}

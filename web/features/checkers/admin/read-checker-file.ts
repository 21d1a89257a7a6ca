import { type CheckerLine, readCheckerJson, readCheckers } from '../../../../shared/read-checkers.ts'
import { readSheetFile } from '../../../lib/read-sheet-file.ts'

/**
 * The lines of a distributor's file, or of pasted text.
 * @throws Error with a sentence for whoever chose it.
 */
export async function readCheckerFile(file: File): Promise<CheckerLine[]> {
  const isExcel = /\.xlsx$/i.test(file.name)
  if (!isExcel) {
    const text = (await file.text()).replace(/^\ufeff/, '').trim()
    if (text.startsWith('[')) return readCheckerJson(text)
    // "Serial: X PIN: Y", as distributors write in messages.
    const written = [...text.matchAll(/serial\W*([A-Za-z0-9-]+)\W+pin\W*([A-Za-z0-9-]+)/gi)].map(([, serial = '', pin = '']) => [
      serial,
      pin,
    ])
    if (written.length > 0) return readCheckers(written)
  }
  const sheets = await readSheetFile(file)
  const rows = sheets[0]?.rows ?? []
  // Pasted lines may have only a space between the two.
  const spaced = rows.map((cells) => (cells.length === 1 && /^\S+\s+\S+$/.test(cells[0] ?? '') ? (cells[0] ?? '').split(/\s+/) : cells))
  const lines = readCheckers(spaced, { asNumbers: isExcel })
  if (lines.length === 0) throw new Error('There are no lines in this file.')
  return lines
}

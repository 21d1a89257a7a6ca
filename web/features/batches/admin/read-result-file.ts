const MOST_BYTES = 2_000_000

/**
 * A result file as lines of text: CSV, plain text, or the first sheet of an Excel file.
 * @throws Error with a sentence for the admin.
 */
export async function readResultFile(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error('That file is larger than 2 MB. Send only the lines of this batch.')
  if (!/\.xlsx$/i.test(file.name)) return await file.text()
  try {
    const { readSheet } = await import('read-excel-file/universal')
    const rows = await readSheet(file)
    return rows.map((cells) => cells.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))).join('\t')).join('\n')
  } catch {
    throw new Error('We couldn’t read that Excel file. Save it as CSV, or copy its lines here.')
  }
}

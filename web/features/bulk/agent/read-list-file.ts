import { bulkTexts } from '../../../texts/bulk.ts'

const MOST_BYTES = 5_000_000

/**
 * A list as lines of text: CSV, plain text, or the first sheet of an Excel file with its cells side by side.
 * @throws Error with a sentence for the agent.
 */
export async function readListFile(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error(bulkTexts.tooLarge)
  if (!/\.xlsx$/i.test(file.name)) return (await file.text()).replace(/^\ufeff/, '')
  try {
    const { readSheet } = await import('read-excel-file/browser')
    const rows = await readSheet(file)
    return rows
      .map((cells) => cells.map((cell) => (cell instanceof Date ? '' : String(cell ?? '').trim())).filter((cell) => cell !== ''))
      .map((cells) => cells.join(' '))
      .join('\n')
  } catch {
    throw new Error(bulkTexts.unreadable)
  }
}

import { readSheetFile } from '../../../lib/read-sheet-file.ts'

/**
 * A result file as lines of text with tabs between the cells: CSV, plain text, or the first sheet of an Excel file.
 * @throws Error with a sentence for the admin.
 */
export async function readResultFile(file: File): Promise<string> {
  const [sheet] = await readSheetFile(file)
  return (sheet?.rows ?? []).map((cells) => cells.join('\t')).join('\n')
}

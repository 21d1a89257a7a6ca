import { type CheckerSource, readCheckerSheets, readCheckerText } from '../../../../../shared/readers/read-checkers.ts'
import { decodeText, isText, readBytes, readSheetFile } from '../../../../lib/read-sheet-file.ts'

/**
 * What a distributor's file, or pasted text, has in it.
 * @throws Error with a sentence for whoever chose it.
 */
export async function readCheckerFile(file: File): Promise<CheckerSource> {
  const bytes = await readBytes(file)
  return isText(bytes) ? readCheckerText(file.name, decodeText(bytes)) : readCheckerSheets(await readSheetFile(file))
}

import { toOwnLines } from '../../../../../shared/bulk-line.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { toast } from '../../../../ui/toast.ts'
import { bulkDraft, setBulkText } from './bulk-draft.ts'

/** Adds what was copied to the list; false where there is nothing, or the browser doesn't let us read it. */
export async function pasteList(): Promise<boolean> {
  let copied: string
  try {
    copied = (await navigator.clipboard.readText()).trim()
  } catch {
    toast.danger(bulkTexts.mayNotPaste)
    return false
  }
  if (copied === '') {
    toast.danger(bulkTexts.nothingToPaste)
    return false
  }
  addToList(copied)
  return true
}

export function addToList(text: string): void {
  const before = bulkDraft.get().text.trimEnd()
  const added = toOwnLines(text)
  setBulkText(before === '' ? added : `${before}\n${added}`)
}

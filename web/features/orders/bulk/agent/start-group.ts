import type { BulkJob, BulkSchedule } from '../../../../../shared/bulk.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { previewBulk } from './api.ts'
import { bulkDraft, takeOverLines } from './bulk-draft.ts'

/**
 * Puts the lines of a saved group, or of an earlier list, in the place of the list. False where the agent would rather keep theirs, or nothing is
 * left to send. @throws RefusedError and NoReplyError.
 */
export async function startGroup({ _id, name }: { _id: string; name: string }, schedule?: BulkSchedule): Promise<boolean> {
  if (!(await mayReplace())) return false
  const { lines } = await previewBulk({ groupId: _id })
  takeOverLines(lines, { name, groupId: _id, ...(schedule && { scheduleId: schedule._id, cedis: schedule.most }) })
  return true
}

export async function startRepeat({ _id, name, total, groupId }: BulkJob): Promise<boolean> {
  if (!(await mayReplace())) return false
  const { lines } = await previewBulk({ repeatOf: _id })
  takeOverLines(lines, { ...(groupId && { name, groupId }), cedis: total })
  return lines.length > 0
}

/** Only refunded lines: all of them, or the one of this order. */
export async function startRetry(jobId: string, orderId?: string): Promise<boolean> {
  if (!(await mayReplace())) return false
  const { lines } = await previewBulk({ retryOf: jobId })
  const wanted = orderId === undefined ? lines : lines.filter(({ retryOf }) => retryOf === orderId)
  takeOverLines(wanted)
  return wanted.length > 0
}

async function mayReplace(): Promise<boolean> {
  if (bulkDraft.get().text.trim() === '') return true
  return confirmAction({
    title: bulkTexts.replaceTitle,
    question: bulkTexts.replaceQuestion,
    yes: bulkTexts.replaceYes,
    no: bulkTexts.replaceNo,
  })
}

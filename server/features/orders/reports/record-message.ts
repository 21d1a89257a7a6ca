import { ANSWERS_REPORTS, hasRole } from '../../../../shared/staff-rules.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, NotFound } from '../../../platform/errors.ts'
import { lockActor, requireStaff } from '../../../platform/lock-actor.ts'
import { answerNewsJob, NEWS_QUEUE } from '../../../platform/queues.ts'
import { SHARES } from '../../../platform/shares.ts'
import { announceReport } from '../orders/events.ts'
import { insertReportMessage, lockReport, type ReportRow, selectReport } from '../orders/reports.sql.ts'

const LINES = SHARES['lines of a report']

/**
 * Adds a line to an open report: the buyer's own, or an admin's for the shop.
 * @throws NotFound, also for a report of someone else's order; AlreadyDecided when the report has ended; TooManyLines
 */
export async function recordMessage(ctx: Ctx, { reportId, text }: { reportId: string; text: string }): Promise<ReportRow> {
  const report = await transaction(ctx.db, async (tx) => {
    const mayAnswer = hasRole(requireActor(ctx), ANSWERS_REPORTS)
    const actor = mayAnswer ? await requireStaff(tx, ctx, ANSWERS_REPORTS) : await lockActor(tx, ctx)
    const open = await lockReport(tx, reportId)
    if (!open || (open.userId !== actor.id && !mayAnswer)) throw new NotFound('report')
    if (open.status !== 'open') throw new AlreadyDecided('report', 'closed')
    if (open.messages.length >= LINES.most) throw new TooManyLines()
    const fromShop = mayAnswer
    const messageId = await insertReportMessage(tx, { reportId, userId: actor.id, fromShop, text, now: ctx.now })
    if (fromShop) await ctx.jobs.enqueue(tx, NEWS_QUEUE, [answerNewsJob(open.orderId, messageId)])
    return (await selectReport(tx, reportId)) as ReportRow
  })
  await announceReport(ctx, report.id)
  return report
}

class TooManyLines extends AppError {
  constructor() {
    super('CONFLICT', LINES.full)
  }
}

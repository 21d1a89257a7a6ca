import type { Notice } from '../../../../shared/notice.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { lockNotice, updateNotice } from './notice.sql.ts'

/**
 * Changes the notice or the mobile-money number and announces it. The number decides where customers' money goes, so the log
 * keeps both old and new.
 * @throws PasswordNeeded for the number
 */
export async function changeNotice(ctx: Ctx, change: Partial<Notice>): Promise<Notice> {
  const notice = await transaction(ctx.db, async (tx) => {
    const isPayout = change.noticeContent === undefined
    await requireStaff(tx, ctx, 'owner', { movesMoney: isPayout })
    if (isPayout) await requirePassword(tx, ctx)
    const before = await lockNotice(tx)
    const after = { ...before, ...change }
    await updateNotice(tx, after, ctx.now)
    await recordAdminAction(tx, ctx, {
      action: isPayout ? 'notice.momo-details' : 'notice.text',
      subject: { type: 'notice', id: 'shop' },
      before,
      after,
    })
    return after
  })
  ctx.realtime.announce('everyone', 'noticeUpdated', notice)
  return notice
}

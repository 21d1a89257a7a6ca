import { formatDateTime } from '../../../../shared/dates.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { PinChangedJob } from '../../../platform/queues.ts'
import { countNotice, giveBackMail, takeMailTo } from '../auth/count-mail.ts'
import type { ResetMail } from '../auth/send-password-resets.ts'
import { pausedSentence, selectPausedAndWebhooks } from '../sessions/keys-of-user.sql.ts'
import { selectUser } from '../users/users.sql.ts'

const SAYS: Record<PinChangedJob['what'], { subject: string; happened: string }> = {
  set: { subject: 'has a PIN now', happened: 'a PIN was set for paying from the wallet' },
  changed: { subject: 'has a new PIN setting', happened: 'the PIN for paying from the wallet, or when it is asked for, was changed' },
  ended: { subject: 'has no PIN any more', happened: 'the PIN for paying from the wallet was removed' },
  asked: { subject: 'is to get a new PIN', happened: 'somebody asked for a new PIN, who can choose it in 24 hours' },
}

/**
 * Mails a user what happened to their PIN. Sent again after an unknown outcome.
 * @throws when the mail service is unavailable; the job's retries apply.
 */
export async function notifyPinChanged(ctx: Ctx, mail: ResetMail, { userId, to, what, changedAt }: PinChangedJob): Promise<void> {
  const user = await selectUser(ctx.db, userId)
  if (!user || !(await takeMailTo(ctx, 'PIN changed', to))) return
  // Sent even over the daily cap: otherwise an attacker could use up the cap to suppress this mail. An account's share limits these.
  const isCounted = await countNotice(ctx, mail, userId)
  const { subject, happened } = SAYS[what]
  const { paused } = await selectPausedAndWebhooks(ctx.db, userId)
  const sent = await mail.mailer.send({
    to,
    subject: `Your ${mail.shopName} account ${subject}`,
    text: `Hello ${user.username},

On ${formatDateTime(new Date(changedAt))} (Ghana time) ${happened} of your ${mail.shopName} account.${pausedSentence(paused)}

If that was you, there is nothing to do.

If it was not you, somebody uses your account. Tell us at once: ${spacedPhone(mail.shopPhone)} or ${mail.shopEmail}. If you can still sign in, open ${mail.publicUrl()}/login and choose a new password and a new PIN under My account.

${mail.shopName}
`,
  })
  if (sent.outcome !== 'accepted' && isCounted) await giveBackMail(ctx)
  if (sent.outcome === 'unknown') throw new Error(`the mail service did not take it: ${sent.reason}`)
  if (sent.outcome === 'rejected') ctx.log.warn({ userId, reason: sent.reason }, 'the mail about a PIN was rejected')
}

import { formatDateTime } from '../../../../shared/dates.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { PasswordChangedJob } from '../../../platform/queues.ts'
import { selectUser } from '../users/users.sql.ts'
import { countNotice, giveBackMail } from './count-mail.ts'
import type { ResetMail } from './send-password-resets.ts'

/**
 * Mails the owner that their password was changed, in case it was not them. After an unknown outcome it is sent again: twice
 * is better than never.
 * @throws when the mail service is unavailable; the job's retries apply.
 */
export async function notifyPasswordChanged(ctx: Ctx, mail: ResetMail, { userId, changedAt }: PasswordChangedJob): Promise<void> {
  const user = await selectUser(ctx.db, userId)
  if (!user) return
  // Sent even over the daily cap: otherwise an attacker could use up the cap to suppress this mail. An account's share limits these.
  const isCounted = await countNotice(ctx, mail, userId)
  const sent = await mail.mailer.send({
    to: user.email,
    subject: `Your ${mail.shopName} password was changed`,
    text: letter({ ...mail, username: user.username, changedAt: new Date(changedAt), link: `${mail.publicUrl()}/login` }),
  })
  if (sent.outcome !== 'accepted' && isCounted) await giveBackMail(ctx)
  if (sent.outcome === 'unknown') throw new Error(`the mail service did not take it: ${sent.reason}`)
  if (sent.outcome === 'rejected') ctx.log.warn({ userId, reason: sent.reason }, 'the mail about a changed password was rejected')
}

type Facts = Pick<ResetMail, 'shopName' | 'shopPhone' | 'shopEmail'> & { username: string; changedAt: Date; link: string }

function letter({ shopName, shopPhone, shopEmail, username, changedAt, link }: Facts): string {
  return `Hello ${username},

The password of your ${shopName} account was changed on ${formatDateTime(changedAt)} (Ghana time). Every device was signed out.

If that was you, there is nothing to do.

If it was not you, somebody can read your mails. Change the password of this mailbox first. Then open ${link} and press "Forgot your password?" to choose a new one for your ${shopName} account, and tell us at once: ${spacedPhone(shopPhone)} or ${shopEmail}.

${shopName}
`
}

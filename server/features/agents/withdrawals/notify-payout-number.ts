import { formatDateTime } from '../../../../shared/dates.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { PayoutNumberJob } from '../../../platform/queues.ts'
import { countNotice, giveBackMail, takeMailTo } from '../../people/auth/count-mail.ts'
import type { ResetMail } from '../../people/auth/send-password-resets.ts'
import { selectUser } from '../../people/users/users.sql.ts'

/**
 * Mails the owner of an account that earnings can be sent to another number, in case it was not them. Sent again after an unknown
 * outcome.
 * @throws when the mail service is unavailable; the job's retries apply.
 */
export async function notifyPayoutNumber(ctx: Ctx, mail: ResetMail, { userId, to, phone, confirmedAt }: PayoutNumberJob): Promise<void> {
  const user = await selectUser(ctx.db, userId)
  if (!user || !(await takeMailTo(ctx, 'payout number', to))) return
  // Sent even over the daily cap: otherwise an attacker could use up the cap to suppress this mail. An account's share limits these.
  const isCounted = await countNotice(ctx, mail, userId)
  const sent = await mail.mailer.send({
    to,
    subject: `A new number for your ${mail.shopName} earnings`,
    text: letter({ ...mail, username: user.username, phone, at: new Date(confirmedAt), link: `${mail.publicUrl()}/login` }),
  })
  if (sent.outcome !== 'accepted' && isCounted) await giveBackMail(ctx)
  if (sent.outcome === 'unknown') throw new Error(`the mail service did not take it: ${sent.reason}`)
  if (sent.outcome === 'rejected') ctx.log.warn({ userId, reason: sent.reason }, 'the mail about a number for earnings was rejected')
}

type Facts = Pick<ResetMail, 'shopName' | 'shopPhone' | 'shopEmail'> & { username: string; phone: string; at: Date; link: string }

function letter({ shopName, shopPhone, shopEmail, username, phone, at, link }: Facts): string {
  return `Hello ${username},

On ${formatDateTime(at)} (Ghana time) the number ${spacedPhone(phone)} was confirmed for your shop: what you earn at ${shopName} can be sent there now.

If that was you, there is nothing to do.

If it was not you, somebody knows your password. Tell us at once: ${spacedPhone(shopPhone)} or ${shopEmail}. Then open ${link} and choose a new password under My account; every other device is signed out by that.

${shopName}
`
}

import { formatDateTime } from '../../../../shared/dates.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { NumberTakenJob } from '../../../platform/queues.ts'
import { countNotice, giveBackMail, takeMailTo } from '../auth/count-mail.ts'
import type { ResetMail } from '../auth/send-password-resets.ts'
import { selectUser } from '../users/users.sql.ts'

/**
 * Mails the owner of an account that another account has confirmed their number. Sent again after an unknown outcome.
 * @throws when the mail service is unavailable; the job's retries apply.
 */
export async function notifyNumberTaken(ctx: Ctx, mail: ResetMail, { userId, to, phone, takenAt, standIn }: NumberTakenJob): Promise<void> {
  const user = await selectUser(ctx.db, userId)
  if (!user || !(await takeMailTo(ctx, 'number taken', to))) return
  // Sent even over the daily cap: otherwise an attacker could use up the cap to suppress this mail. An account's share limits these.
  const isCounted = await countNotice(ctx, mail, userId)
  const facts = { ...mail, username: user.username, phone, at: new Date(takenAt), link: `${mail.publicUrl()}/login` }
  const sent = await mail.mailer.send({
    to,
    subject: standIn
      ? `Your ${mail.shopName} account has another sign-in number`
      : `Another ${mail.shopName} account confirmed your number`,
    text: standIn ? standInLetter(facts, standIn) : letter(facts),
  })
  if (sent.outcome !== 'accepted' && isCounted) await giveBackMail(ctx)
  if (sent.outcome === 'unknown') throw new Error(`the mail service did not take it: ${sent.reason}`)
  if (sent.outcome === 'rejected') ctx.log.warn({ userId, reason: sent.reason }, 'the mail about a number that was taken over was rejected')
}

type Facts = Pick<ResetMail, 'shopName' | 'shopPhone' | 'shopEmail'> & { username: string; phone: string; at: Date; link: string }

function letter({ shopName, shopPhone, shopEmail, username, phone, at, link }: Facts): string {
  return `Hello ${username},

On ${formatDateTime(at)} (Ghana time) somebody typed the code that we sent to ${spacedPhone(phone)}, in another ${shopName} account. Payments from that number go to the other account from now on, unless they carry one of your reference codes.

If the number is no longer yours, there is nothing to do.

If it is yours, open ${link} and confirm it again under My Wallet. Then tell us: ${spacedPhone(shopPhone)} or ${shopEmail}. Somebody else has read a message on your phone.

${shopName}
`
}

function standInLetter({ shopName, shopPhone, shopEmail, username, phone, at, link }: Facts, standIn: string): string {
  return `Hello ${username},

On ${formatDateTime(at)} (Ghana time) somebody opened a new ${shopName} account with ${spacedPhone(phone)}, and typed the code that we sent to that number. Your account had the number, but nobody had confirmed it or bought anything, so it is theirs now.

Your account is still yours. Open ${link} and sign in with ${spacedPhone(standIn)} and your password, then put in your own number under My account.

If ${spacedPhone(phone)} is your number, tell us: ${spacedPhone(shopPhone)} or ${shopEmail}. Somebody else has read a message on your phone.

${shopName}
`
}

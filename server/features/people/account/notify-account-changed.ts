import { formatDateTime } from '../../../../shared/dates.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { AccountChangedJob } from '../../../platform/queues.ts'
import { countNotice, giveBackMail, takeMailTo } from '../auth/count-mail.ts'
import type { ResetMail } from '../auth/send-password-resets.ts'
import { pausedSentence, selectPausedAndWebhooks } from '../sessions/keys-of-user.sql.ts'
import { selectUser } from '../users/users.sql.ts'

/**
 * Mails the owner of an account, at the address that was known before, what was changed in it. Sent again after an unknown outcome.
 * @throws when the mail service is unavailable; the job's retries apply.
 */
export async function notifyAccountChanged(ctx: Ctx, mail: ResetMail, { userId, to, what, changedAt }: AccountChangedJob): Promise<void> {
  const user = await selectUser(ctx.db, userId)
  if (!user || !(await takeMailTo(ctx, 'account changed', to))) return
  // Sent even over the daily cap: otherwise an attacker could use up the cap to suppress this mail. An account's share limits these.
  const isCounted = await countNotice(ctx, mail, userId)
  const left = what === 'password' ? await selectPausedAndWebhooks(ctx.db, userId) : NOTHING
  const sent = await mail.mailer.send({
    to,
    subject: what === 'api-key' ? `A new API key for your ${mail.shopName} account` : `Your ${mail.shopName} ${NAMES[what]} was changed`,
    text: letter({ ...mail, username: user.username, what, at: new Date(changedAt), ...left, link: `${mail.publicUrl()}/login` }),
  })
  if (sent.outcome !== 'accepted' && isCounted) await giveBackMail(ctx)
  if (sent.outcome === 'unknown') throw new Error(`the mail service did not take it: ${sent.reason}`)
  if (sent.outcome === 'rejected') ctx.log.warn({ userId, reason: sent.reason }, 'the mail about a changed account was rejected')
}

const NOTHING = { paused: 0, webhooks: [] }

const NAMES: Record<AccountChangedJob['what'], string> = {
  password: 'password',
  email: 'e-mail address',
  phone: 'phone number',
  'api-key': 'API keys',
}

type Facts = Pick<ResetMail, 'shopName' | 'shopPhone' | 'shopEmail'> & {
  username: string
  what: AccountChangedJob['what']
  at: Date
  link: string
  paused: number
  webhooks: readonly string[]
}

function letter({ shopName, shopPhone, shopEmail, username, what, at, link, paused, webhooks }: Facts): string {
  const told =
    webhooks.length === 0
      ? ''
      : ` Your webhooks go on telling of your orders: ${webhooks.join(', ')}. End any that is not yours under For developers.`
  const more = what === 'password' ? ` Every other device was signed out.${pausedSentence(paused)}${told}` : ''
  const was =
    what === 'api-key'
      ? `A new API key was made for your ${shopName} account on ${formatDateTime(at)} (Ghana time), by somebody who gave your password. Programs that have it can use your account.`
      : `The ${NAMES[what]} of your ${shopName} account was changed on ${formatDateTime(at)} (Ghana time), by somebody who gave your password.${more}`
  return `Hello ${username},

${was}

If that was you, there is nothing to do.

If it was not you, somebody knows your password. Tell us at once: ${spacedPhone(shopPhone)} or ${shopEmail}. If you can still sign in, open ${link} and choose a new password under My account.

${shopName}
`
}

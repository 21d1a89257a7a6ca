import { formatDateTime } from '../../../../shared/dates.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { WebhookOffJob } from '../../../platform/queues.ts'
import type { ResetMail } from '../../people/auth/send-password-resets.ts'
import { selectOwnerOfDisabled } from './webhooks.sql.ts'

/**
 * Mails an agent that one of their webhooks was switched off, unless it is on again. Sent again after an unknown outcome.
 * @throws when the mail service is unavailable; the job's retries apply.
 */
export async function notifyWebhookOff(ctx: Ctx, mail: ResetMail, { endpointId }: WebhookOffJob): Promise<void> {
  const off = await selectOwnerOfDisabled(ctx.db, endpointId)
  if (!off) return
  const sent = await mail.mailer.send({
    to: off.email,
    subject: `We switched off a webhook of your ${mail.shopName} account`,
    text: `Hello ${off.username},

Your webhook at ${off.host} has taken nothing from us since ${formatDateTime(off.failingSince)} UTC, or told us that it is gone. We have switched it off and send nothing more there.

Your orders go on as before. Once it answers again, open ${mail.publicUrl()}/agent/api and save the webhook. We then send what it missed.

${mail.shopName}
`,
  })
  if (sent.outcome === 'unknown') throw new Error(`the mail service did not take it: ${sent.reason}`)
  if (sent.outcome === 'rejected') ctx.log.warn({ endpointId, reason: sent.reason }, 'the mail about a webhook was rejected')
}

import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { selectSettings } from '../settings/settings.sql.ts'
import { composeDigest } from './compose.ts'
import { countForDigest, insertMessage, lockOperatorMessages, moveIntoDigest } from './messages.sql.ts'
import { SMS_QUEUE, type SmsDesk } from './sms-desk.ts'

/** Gathers the operator's messages that wait for it into one. Called twice, the second finds nothing to gather. */
export async function gatherDigest(ctx: Ctx, desk: SmsDesk): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await lockOperatorMessages(tx)
    const counts = await countForDigest(tx)
    if (counts.length === 0) return
    const receiver = (await selectSettings(tx)).operatorPhone ?? desk.shopPhone
    const pesewas = counts.reduce((sum, count) => sum + count.pesewas, 0)
    const body = composeDigest(counts, pesewas, desk.shopName)
    const id = (await insertMessage(tx, { kind: 'digest', orderId: null, receiver, body, status: 'waiting', now: ctx.now })) as string
    await moveIntoDigest(tx, id, ctx.now)
    await ctx.jobs.enqueue(tx, SMS_QUEUE, [{ data: { messageId: id }, key: id }])
  })
  ctx.jobs.wake(SMS_QUEUE)
}

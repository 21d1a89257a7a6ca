import type { WhatsappGateway } from '../../../integrations/whatsapp/whatsapp-gateway.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { WHATSAPP_QUEUE, whatsappJob } from '../../../platform/queues.ts'
import { insertMessage } from './messages.sql.ts'

/**
 * Sends a test message, as the approved one if there is one and the number has not written for 24 hours.
 * @throws AppError (CONFLICT) while the shop has no WhatsApp number.
 */
export async function sendTest(ctx: Ctx, { business, shopName }: WhatsappGateway, phone: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    if (!business) throw new AppError('CONFLICT', 'The shop has no WhatsApp number yet. The guide says how to set it up.')
    const text = `This is a test message of ${shopName}. It works.`
    const id = await insertMessage(tx, { kind: 'test', phone, body: { text, values: ['0', 'a test', phone] }, now: ctx.now })
    if (id !== null) await ctx.jobs.enqueue(tx, WHATSAPP_QUEUE, [whatsappJob(id)])
    await recordAdminAction(tx, ctx, { action: 'whatsapp.test', subject: { type: 'settings', id: 'whatsapp' }, after: { phone } })
  })
  ctx.jobs.wake(WHATSAPP_QUEUE)
}

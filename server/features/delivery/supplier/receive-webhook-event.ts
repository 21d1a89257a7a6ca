import { timingSafeEqual } from 'node:crypto'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import { earlierNoticeJob, noticeJob, QUERY_STATUS_QUEUE } from '../../../platform/queues.ts'
import { selectEarlierDelivery, selectOrderIdByReference, selectWebhookSecret } from '../../orders/orders/deliveries.sql.ts'

/**
 * Handles a supplier's webhook event. It is unsigned, so it only triggers a status query for the order it names.
 * @throws NotFound unless the URL contains the secret.
 */
export async function receiveWebhookEvent(ctx: Ctx, suppliers: Suppliers, secret: string, body: unknown): Promise<void> {
  if (!isSame(secret, await selectWebhookSecret(ctx.db))) throw new NotFound('address')
  const references = new Set([...suppliers.values()].map((supplier) => supplier.readWebhook(body)))
  for (const reference of references) {
    if (reference === null) continue
    const orderId = await selectOrderIdByReference(ctx.db, reference)
    const earlier = orderId === null ? await selectEarlierDelivery(ctx.db, reference) : null
    const job = orderId !== null ? noticeJob(orderId) : earlier !== null ? earlierNoticeJob(earlier.orderId, reference) : null
    if (job === null) continue
    await ctx.jobs.enqueue(ctx.db, QUERY_STATUS_QUEUE, [job])
    ctx.jobs.wake(QUERY_STATUS_QUEUE)
  }
}

function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

import { createHash } from 'node:crypto'
import type { CardGateway } from '../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../platform/context.ts'
import { Unauthenticated } from '../../platform/errors.ts'
import { insertWebhookEvent } from './webhook-events.sql.ts'

/**
 * Keeps a notice of the card provider, to be acted on at once by the job that looks after payments. What it says of
 * the money is not believed: it only tells which payment to ask about.
 * @throws Unauthenticated when the signature is not the provider's; nothing is kept then.
 */
export async function receiveWebhook(ctx: Ctx, gateway: CardGateway, rawBody: Buffer, signature: string | undefined): Promise<void> {
  const notice = gateway.card.readWebhook(rawBody, signature)
  if (!notice) throw new Unauthenticated('The signature is not right.')
  await insertWebhookEvent(ctx.db, {
    bodyHash: createHash('sha256').update(rawBody).digest(),
    event: notice.event,
    reference: notice.reference,
    body: rawBody.toString('utf8').replaceAll('\u0000', ''),
    now: ctx.now,
  })
}

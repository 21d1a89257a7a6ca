import { createHash } from 'node:crypto'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { Unauthenticated } from '../../../platform/errors.ts'
import { insertWebhookEvent } from './webhook-events.sql.ts'

/**
 * Stores a webhook event of the card provider and wakes the loop that handles it. What it says about money is not trusted;
 * it only names the payment to query.
 * @throws Unauthenticated when the signature is wrong; nothing is stored then.
 */
export async function receiveWebhook(ctx: Ctx, gateway: CardGateway, rawBody: Buffer, signature: string | undefined): Promise<void> {
  const received = gateway.card.readWebhook(rawBody, signature)
  if (!received) throw new Unauthenticated('The signature is not right.')
  await insertWebhookEvent(ctx.db, {
    bodyHash: createHash('sha256').update(rawBody).digest(),
    event: received.event,
    reference: received.reference,
    body: rawBody.toString('utf8').replaceAll('\u0000', ''),
    now: ctx.now,
  })
}

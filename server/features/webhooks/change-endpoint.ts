import type { WebhookEvent } from '../../../shared/webhook-rules.ts'
import type { WebhookGateway } from '../../integrations/webhooks/webhook-gateway.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { Forbidden, NotFound } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { refuseUrl } from './create-endpoint.ts'
import { type EndpointRow, lockEndpoint, updateEndpoint } from './webhooks.sql.ts'

/**
 * Changes where events go and which; an endpoint that was switched off works again.
 * @throws Forbidden for a customer; Invalid for an address that is not public; NotFound
 */
export function changeEndpoint(
  ctx: Ctx,
  gateway: WebhookGateway,
  { id, url, events }: { id: string; url: string; events: WebhookEvent[] },
): Promise<EndpointRow> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Webhooks are for agents. Become an agent first.')
    refuseUrl(gateway, url)
    if (!(await lockEndpoint(tx, { id, userId }))) throw new NotFound('webhook')
    return updateEndpoint(tx, id, { url, events: [...new Set(events)] })
  })
}

import { randomBytes } from 'node:crypto'
import type { WebhookEvent } from '../../../../shared/webhook-rules.ts'
import type { WebhookGateway } from '../../../integrations/webhooks/webhook-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Forbidden, Invalid } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { type SecretsKey, sealSecret } from '../../../platform/seal-secret.ts'
import { type EndpointRow, insertEndpoint } from './webhooks.sql.ts'

type Wanted = { url: string; events: WebhookEvent[]; test?: boolean | undefined }
export type Signing = { gateway: WebhookGateway; secretsKey: SecretsKey | null }

/**
 * Events go to this address from now on. The secret is shown to the caller once.
 * @throws Forbidden for a customer; Invalid for an address that is not public; the database's refusal (CONFLICT) beyond the caller's share of webhooks.
 */
export function createEndpoint(
  ctx: Ctx,
  { gateway, secretsKey }: Signing,
  { url, events, test: isTest = false }: Wanted,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Webhooks are for agents. Become an agent first.')
    refuseUrl(gateway, url)
    const secret = newWebhookSecret()
    const made = { userId, url, events: [...new Set(events)], isTest, secret: sealSecret(secret, secretsKey), now: ctx.now }
    return { endpoint: await insertEndpoint(tx, made), secret }
  })
}

/** @throws Invalid */
export function refuseUrl(gateway: WebhookGateway, url: string) {
  const message = gateway.urlProblem(url)
  if (message !== null) throw new Invalid([{ path: 'url', message }])
}

/** 256 bits, in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

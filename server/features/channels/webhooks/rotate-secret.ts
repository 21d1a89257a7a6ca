import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Forbidden, NotFound } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { type SecretsKey, sealSecret } from '../../../platform/seal-secret.ts'
import { newWebhookSecret } from './create-endpoint.ts'
import { type EndpointRow, lockEndpoint, updateSecret } from './webhooks.sql.ts'

const OVERLAP_MS = 24 * 3_600_000

/**
 * A new secret for an endpoint. For a day everything is signed with both, so that the receiver can change over in between.
 * @throws Forbidden for a customer; NotFound
 */
export function rotateSecret(
  ctx: Ctx,
  { secretsKey }: { secretsKey: SecretsKey | null },
  id: string,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  return transaction(ctx.db, async (tx) => {
    const { id: userId, level } = await lockActor(tx, ctx)
    if (level === 'Customer') throw new Forbidden('Webhooks are for agents. Become an agent first.')
    if (!(await lockEndpoint(tx, { id, userId }))) throw new NotFound('webhook')
    const secret = newWebhookSecret()
    const oldUntil = new Date(ctx.now.getTime() + OVERLAP_MS)
    return { endpoint: await updateSecret(tx, id, { secret: sealSecret(secret, secretsKey), oldUntil }), secret }
  })
}

import { webhookEndpoints } from '../../../../shared/webhooks.ts'
import { requireActor } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeEndpoint } from './change-endpoint.ts'
import { createEndpoint, type Signing } from './create-endpoint.ts'
import { endEndpoint } from './end-endpoint.ts'
import { presentDelivery, presentEndpoint } from './present.ts'
import { retryDelivery } from './retry-delivery.ts'
import { rotateSecret } from './rotate-secret.ts'
import { sendTestEvent } from './send-test-event.ts'
import { selectDeliveriesBefore, selectEndpointsOfUser, selectOwnEndpoint } from './webhooks.sql.ts'

const PAGE = 50

export function webhookRoutes(app: Api, signing: Signing) {
  mount(
    app,
    webhookEndpoints,
    {
      'GET /webhooks': async ({ ctx }) => (await selectEndpointsOfUser(ctx.db, requireActor(ctx).id)).map(presentEndpoint),
      'POST /webhooks': async ({ ctx, body }) => {
        const { endpoint, secret } = await createEndpoint(ctx, signing, body)
        return { endpoint: presentEndpoint(endpoint), secret }
      },
      'PUT /webhooks/:id': async ({ ctx, params, body }) => {
        return { endpoint: presentEndpoint(await changeEndpoint(ctx, signing.gateway, { id: params.id, ...body })) }
      },
      'DELETE /webhooks/:id': async ({ ctx, params }) => ({ endpoint: presentEndpoint(await endEndpoint(ctx, params.id)) }),
      'POST /webhooks/:id/rotate': async ({ ctx, params }) => {
        const { endpoint, secret } = await rotateSecret(ctx, signing, params.id)
        return { endpoint: presentEndpoint(endpoint), secret }
      },
      'POST /webhooks/:id/test': async ({ ctx, params }) => ({ eventId: await sendTestEvent(ctx, params.id) }),
      'GET /webhooks/:id/deliveries': async ({ ctx, params, query }) => {
        const endpoint = await selectOwnEndpoint(ctx.db, { id: params.id, userId: requireActor(ctx).id })
        if (!endpoint) throw new NotFound('webhook')
        const before = query.before === undefined ? null : Number(query.before)
        const rows = await selectDeliveriesBefore(ctx.db, { endpointId: endpoint.id, before, limit: PAGE + 1 })
        const shown = rows.slice(0, PAGE)
        return { deliveries: shown.map(presentDelivery), next: rows.length > PAGE ? String(shown.at(-1)?.seq) : null }
      },
      'POST /webhooks/deliveries/:id/resend': async ({ ctx, params }) => {
        await retryDelivery(ctx, params.id)
        return { message: 'On its way again.' }
      },
    },
    {
      'POST /webhooks': { share: 'webhook addresses' },
      'PUT /webhooks/:id': { share: 'webhook addresses' },
      'DELETE /webhooks/:id': { share: 'changes' },
      'POST /webhooks/:id/rotate': { share: 'changes' },
      'POST /webhooks/:id/test': { share: 'changes' },
      'POST /webhooks/deliveries/:id/resend': { share: 'changes' },
    },
  )
}

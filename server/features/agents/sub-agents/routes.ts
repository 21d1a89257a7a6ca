import { subAgentEndpoints } from '../../../../shared/sub-agents.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { changePrices } from './change-prices.ts'
import { claimInvitation } from './claim-invitation.ts'
import { createInvitation } from './create-invitation.ts'
import { endOwn, endSubAgent } from './end-sub-agent.ts'
import { readInvitation, readSubAgents } from './queries.ts'

/** A thousand packages. */
const BODY_WITH_PRICES_BYTES = 256 * 1024

export function subAgentRoutes(app: Api) {
  mount(
    app,
    subAgentEndpoints,
    {
      'GET /my-shop/sub-agents': ({ ctx }) => readSubAgents(ctx),

      'POST /my-shop/sub-agent-invitations': async ({ ctx }) => {
        await createInvitation(ctx)
        return readSubAgents(ctx)
      },

      'DELETE /my-shop/sub-agent-invitations/:id': async ({ ctx, params }) => {
        await cancelInvitation(ctx, params.id)
        return readSubAgents(ctx)
      },

      'PUT /my-shop/sub-agents/prices': async ({ ctx, body }) => {
        await changePrices(ctx, body)
        return readSubAgents(ctx)
      },

      'POST /my-shop/sub-agents/:id/end': async ({ ctx, params }) => {
        await endSubAgent(ctx, params.id)
        return readSubAgents(ctx)
      },

      'POST /my-shop/leave': async ({ ctx }) => {
        await endOwn(ctx)
        return { message: 'You have left. What you earned stays yours.' }
      },

      'GET /join/:code': ({ ctx, params }) => readInvitation(ctx, params.code),

      'POST /join/:code': async ({ ctx, params }) => {
        await claimInvitation(ctx, params.code)
        return { message: 'Welcome. Open your shop now.' }
      },
    },
    {
      'POST /my-shop/leave': { share: 'changes' },
      'POST /my-shop/sub-agents/:id/end': { share: 'changes' },
      'PUT /my-shop/sub-agents/prices': { bodyLimit: BODY_WITH_PRICES_BYTES, share: 'changes' },
      'DELETE /my-shop/sub-agent-invitations/:id': { share: 'changes' },
      'POST /my-shop/sub-agent-invitations': { share: 'changes' },
      'GET /join/:code': { share: 'invitation' },
      'POST /join/:code': { share: 'invitation' },
    },
  )
}

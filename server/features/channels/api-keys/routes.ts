import { apiKeyEndpoints } from '../../../../shared/api-keys.ts'
import { PIN_PROOF_HEADER } from '../../../../shared/pin-rules.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectKeysOfUser } from './api-keys.sql.ts'
import { createKey } from './create-key.ts'
import { endKey } from './end-key.ts'
import { presentKey } from './present.ts'
import { rotateKey } from './rotate-key.ts'

export function apiKeyRoutes(app: Api) {
  mount(
    app,
    apiKeyEndpoints,
    {
      'GET /api-keys': async ({ ctx }) => (await selectKeysOfUser(ctx.db, requireActor(ctx).id, ctx.now)).map(presentKey),
      'POST /api-keys': async ({ ctx, headers, body }) => {
        const { key, secret } = await createKey(ctx, body, headers[PIN_PROOF_HEADER])
        return { key: presentKey(key), secret }
      },
      'POST /api-keys/:id/rotate': async ({ ctx, params, headers, body }) => {
        const { key, secret } = await rotateKey(ctx, { id: params.id, ...body }, headers[PIN_PROOF_HEADER])
        return { key: presentKey(key), secret }
      },
      'DELETE /api-keys/:id': async ({ ctx, params }) => ({ key: presentKey(await endKey(ctx, params.id)) }),
    },
    {
      'POST /api-keys': { share: 'changes' },
      'POST /api-keys/:id/rotate': { share: 'changes' },
      'DELETE /api-keys/:id': { share: 'changes' },
    },
  )
}

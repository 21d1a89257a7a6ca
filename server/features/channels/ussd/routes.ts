import { ussdEndpoints, ussdSettingsEndpoints } from '../../../../shared/ussd.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeUssd, createUssdSecret } from './change-ussd.ts'
import { presentUssd } from './present.ts'
import { readUssdTest, receiveUssd, type UssdDeps } from './receive-ussd.ts'
import { selectUssd } from './ussd.sql.ts'

/** All customers' calls come from the gateway's few addresses. */
const CALLS = { of: 'ussd calls', size: 600, everyMs: 20 }
/** A call has six short fields. */
const BODY_LIMIT_BYTES = 8 * 1024

export function ussdRoutes(app: Api, deps: UssdDeps) {
  mount(app, ussdSettingsEndpoints, {
    'GET /admin/ussd': async ({ ctx }) => presentUssd(await selectUssd(ctx.db)),
    'PUT /admin/ussd': ({ ctx, body }) => changeUssd(ctx, body),
    'POST /admin/ussd/address': async ({ ctx }) => ({ address: `${deps.publicUrl()}/api/ussd/${await createUssdSecret(ctx)}` }),
    'GET /admin/ussd/test': ({ ctx }) => readUssdTest(ctx, deps),
  })
  mount(
    app,
    ussdEndpoints,
    { 'POST /ussd/:secret': ({ ctx, params, body }) => receiveUssd(ctx, deps, params.secret, body) },
    { 'POST /ussd/:secret': { config: { requests: CALLS }, bodyLimit: BODY_LIMIT_BYTES } },
  )
}

import { trackerEndpoints } from '../../../shared/tracker.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import { trackByLink, trackByReceiver } from './queries.ts'

/** Many customers share one address of a mobile network. A guess needs a number and its receiver, so this leaves few. */
const TRACKING = { of: 'track', by: 'address', size: 30, everyMs: 20_000 } as const
const LINKS = { of: 'track-link', by: 'address', size: 300, everyMs: 1_000 } as const

export function trackerRoutes(app: Api) {
  mount(
    app,
    trackerEndpoints,
    {
      'POST /track': async ({ ctx, body }) => ({ order: await trackByReceiver(ctx, body) }),
      'GET /track/:reference': async ({ ctx, params }) => ({ order: await trackByLink(ctx, params.reference) }),
    },
    { 'POST /track': { config: { attempts: TRACKING } }, 'GET /track/:reference': { config: { attempts: LINKS } } },
  )
}

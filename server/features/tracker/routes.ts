import { trackerEndpoints } from '../../../shared/tracker.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import { trackByLink, trackByReceiver } from './queries.ts'

export function trackerRoutes(app: Api, limiter: RateLimiter) {
  mount(
    app,
    trackerEndpoints,
    {
      'POST /track': async ({ ctx, body }) => ({ order: await trackByReceiver(ctx, limiter, body) }),
      'GET /track/:reference': async ({ ctx, params }) => ({ order: await trackByLink(ctx, params.reference) }),
    },
    { 'POST /track': { share: 'track' }, 'GET /track/:reference': { share: 'track-link' } },
  )
}

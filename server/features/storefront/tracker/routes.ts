import { trackerEndpoints } from '../../../../shared/tracker.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { trackByLink, trackByReceiver } from './queries.ts'

export function trackerRoutes(app: Api, { limiter, sms }: { limiter: RateLimiter; sms: Pick<SmsGateway, 'sender'> }) {
  mount(
    app,
    trackerEndpoints,
    {
      'POST /track': async ({ ctx, body }) => ({ order: await trackByReceiver(ctx, { limiter, sms }, body) }),
      'GET /track/:reference': async ({ ctx, params }) => ({ order: await trackByLink(ctx, sms, params.reference) }),
    },
    { 'POST /track': { share: 'track' }, 'GET /track/:reference': { share: 'track-link' } },
  )
}

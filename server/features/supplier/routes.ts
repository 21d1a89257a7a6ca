import { supplierEndpoints } from '../../../shared/suppliers.ts'
import type { Suppliers } from '../../integrations/supplier/suppliers.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import { receiveWebhookEvent } from './receive-webhook-event.ts'

export function supplierRoutes(app: Api, suppliers: Suppliers) {
  mount(
    app,
    supplierEndpoints,
    {
      'POST /supplier/webhook/:secret': async ({ ctx, params, body }) => {
        await receiveWebhookEvent(ctx, suppliers, params.secret, body)
        return { received: true }
      },
    },
    { 'POST /supplier/webhook/:secret': { config: { rateLimit: { max: 600, timeWindow: '1 minute' } } } },
  )
}

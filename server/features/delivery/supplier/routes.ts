import { supplierEndpoints } from '../../../../shared/suppliers.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { receiveWebhookEvent } from './receive-webhook-event.ts'

/** Our suppliers report every delivery, often from one address. */
const WEBHOOK_EVENTS = { of: 'supplier webhook events', size: 600, everyMs: 100 }

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
    { 'POST /supplier/webhook/:secret': { config: { requests: WEBHOOK_EVENTS } } },
  )
}

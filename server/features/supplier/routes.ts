import * as z from 'zod/mini'
import type { Suppliers } from '../../integrations/supplier/suppliers.ts'
import type { Api } from '../../platform/http/api.ts'
import { receiveNotice } from './receive-notice.ts'

export function supplierRoutes(app: Api, suppliers: Suppliers) {
  app.post(
    '/supplier/webhook/:secret',
    {
      config: { access: 'anyone', rateLimit: { max: 600, timeWindow: '1 minute' } },
      schema: {
        tags: ['orders'],
        summary: "A data supplier's own notice",
        hide: true,
        params: z.object({ secret: z.string() }),
        body: z.unknown(),
        response: { 200: z.object({ received: z.boolean() }) },
      },
    },
    async (request) => {
      await receiveNotice(request.ctx, suppliers, request.params.secret, request.body)
      return { received: true }
    },
  )
}

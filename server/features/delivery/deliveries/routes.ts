import { deliveryEndpoints } from '../../../../shared/deliveries.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { findOrderId } from '../../orders/orders/queries.ts'
import { changeReceiver } from './change-receiver.ts'
import { readOrderDetail } from './queries.ts'
import { queryStatusNow } from './query-status-now.ts'
import { sendAgain } from './send-again.ts'

export function deliveryRoutes(app: Api, gateway: SupplierGateway, sms: SmsGateway) {
  const read = async (ctx: Ctx, orderId: string) => ({ detail: await readOrderDetail(ctx, gateway.suppliers, orderId) })
  mount(app, deliveryEndpoints, {
    'GET /admin/orders/:id': async ({ ctx, params }) => read(ctx, await findOrderId(ctx, params.id)),

    'PUT /admin/orders/:id/query-status': async ({ ctx, params }) => {
      const orderId = await findOrderId(ctx, params.id)
      await queryStatusNow(ctx, orderId)
      return read(ctx, orderId)
    },

    'PUT /admin/orders/:id/send-again': async ({ ctx, params, body }) => {
      const orderId = await findOrderId(ctx, params.id)
      await sendAgain(ctx, gateway, { orderId, ...body })
      return read(ctx, orderId)
    },

    'PUT /admin/orders/:id/receiver': async ({ ctx, params, body }) => {
      const orderId = await findOrderId(ctx, params.id)
      await changeReceiver(ctx, sms, { orderId, ...body })
      return read(ctx, orderId)
    },
  })
}

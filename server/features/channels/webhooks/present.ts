import type { WebhookDelivery, WebhookEndpoint } from '../../../../shared/webhooks.ts'
import { presentApiOrder, presentOrderId } from '../developer-api/present.ts'
import type { DeliveryRow, EndpointRow, NewEvent } from './webhooks.sql.ts'

export function presentEndpoint({
  id,
  userId: _,
  isBehind: _isBehind,
  createdAt,
  failingSince,
  disabledAt,
  oldSecretUntil,
  ...endpoint
}: EndpointRow): WebhookEndpoint {
  return {
    ...endpoint,
    _id: id,
    createdAt: createdAt.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
    disabledAt: disabledAt?.toISOString() ?? null,
    oldSecretUntil: oldSecretUntil?.toISOString() ?? null,
  }
}

export function presentDelivery({
  seq: _,
  id,
  type,
  orderSeq,
  isTest,
  createdAt,
  attemptedAt,
  nextAt,
  ...delivery
}: DeliveryRow): WebhookDelivery {
  return {
    ...delivery,
    _id: id,
    event: type,
    order: orderSeq === null ? null : presentOrderId(orderSeq, isTest),
    createdAt: createdAt.toISOString(),
    attemptedAt: attemptedAt?.toISOString() ?? null,
    nextAt: nextAt?.toISOString() ?? null,
  }
}

/** What an endpoint is sent. The order is as it was at the event, whatever has become of it since. */
export function presentEvent({ type, createdAt, isTest, order }: NewEvent) {
  const status = type === 'order.delivered' ? 'completed' : 'rejected'
  return {
    type,
    timestamp: createdAt.toISOString(),
    data: { ...presentApiOrder({ ...order, isTest, status, decidedAt: createdAt }), test: isTest },
  }
}

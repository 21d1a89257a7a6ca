import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'

/** The data suppliers that the shop knows how to talk to. */
export const SUPPLIERS = ['hubnet', 'remadata'] as const
export type SupplierName = (typeof SUPPLIERS)[number]

/** How an order stands at its data supplier. */
export const DELIVERY_STATUSES = ['waiting', 'sending', 'accepted', 'unknown', 'rejected', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The supplier has such an order, may have it, or has delivered it: rejecting it refunds what the receiver may still get. */
const HELD_BY_SUPPLIER: readonly DeliveryStatus[] = ['accepted', 'unknown', 'delivered']
/** Deciding such an order by hand needs a look at it first, so many at once leave it out unless it was chosen. */
export const NEEDS_A_LOOK: readonly DeliveryStatus[] = ['waiting', 'sending', ...HELD_BY_SUPPLIER]

/**
 * Whether a person who decides it has to say why. Completing one that is not delivered yet gives up
 * what the supplier was to do, or has it delivered twice.
 */
export function needsReason(decision: 'completed' | 'rejected', status: DeliveryStatus): boolean {
  if (decision === 'rejected') return HELD_BY_SUPPLIER.includes(status)
  return NEEDS_A_LOOK.includes(status) && status !== 'delivered'
}

/** The same in words for whoever bought it. */
export const DELIVERY_WORDS: Record<DeliveryStatus, string> = {
  waiting: 'Waiting to be sent',
  sending: 'Being sent to network',
  accepted: 'Sent to network',
  unknown: 'Being checked',
  rejected: 'Being looked at by the shop',
  delivered: 'Delivered',
  failed: 'Being looked at by the shop',
  cancelled: 'Handled by the shop',
}

/**
 * What an admin sees of an order's delivery. `detail` is what the supplier said; `attempts` how often it was sent;
 * `supplierReference` is the supplier's own, beside the order's reference that it was sent under.
 */
export const supplierDelivery = z.object({
  name: z.enum(SUPPLIERS),
  status: z.enum(DELIVERY_STATUSES),
  detail: z.string(),
  supplierReference: z.nullable(z.string()),
  attempts: z.number(),
  updatedAt: z.string(),
})
export type SupplierDelivery = z.output<typeof supplierDelivery>

export const supplierEndpoints = endpoints({
  'POST /supplier/webhook/:secret': {
    id: 'receiveSupplierWebhook',
    tag: 'orders',
    summary: "A data supplier's webhook events",
    access: 'anyone',
    params: z.object({ secret: z.string() }),
    body: z.unknown(),
    reply: z.object({ received: z.boolean() }),
    errors: ['NOT_FOUND'],
    hidden: true,
  },
})

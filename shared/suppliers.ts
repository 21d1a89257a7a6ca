import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'

/** The suppliers with an adapter: of data, and the last of airtime. */
export const SUPPLIERS = ['hubnet', 'remadata', 'datamart', 'reloadly'] as const
export type SupplierName = (typeof SUPPLIERS)[number]

/** The status of an order at its data supplier. */
export const DELIVERY_STATUSES = ['waiting', 'sending', 'accepted', 'unknown', 'rejected', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** The supplier has the order, may have it, or has delivered it: after a rejection the receiver may still get the data. */
const HELD_BY_SUPPLIER: readonly DeliveryStatus[] = ['accepted', 'unknown', 'delivered']
/**
 * An order in one of these needs a closer look before it is decided by hand, so bulk decisions skip it unless it was chosen
 * explicitly.
 */
export const NEEDS_A_LOOK: readonly DeliveryStatus[] = ['waiting', 'sending', ...HELD_BY_SUPPLIER]

/**
 * Whether an admin must give a reason. Completing an undelivered order cancels what the supplier was to do, or delivers it
 * twice.
 */
export function needsReason(decision: 'completed' | 'rejected', status: DeliveryStatus): boolean {
  if (decision === 'rejected') return HELD_BY_SUPPLIER.includes(status)
  return NEEDS_A_LOOK.includes(status) && status !== 'delivered'
}

/** Delivery statuses as text for the buyer. */
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

/** For the buyer, while the network verifies a number that never had such data. */
const VERIFYING_WORDS = 'Waiting for the network to check the number'

/** How an order stands at its supplier, as text for the buyer. */
export function deliveryWords({ status, verifyingSince }: { status: DeliveryStatus; verifyingSince: string | null }): string {
  return verifyingSince !== null && status === 'accepted' ? VERIFYING_WORDS : DELIVERY_WORDS[status]
}

/**
 * An order's delivery as an admin sees it. `detail` is the supplier's last message; `attempts` how often it was sent;
 * `supplierReference` is the supplier's own reference.
 */
export const supplierDelivery = z.object({
  name: z.enum(SUPPLIERS),
  status: z.enum(DELIVERY_STATUSES),
  detail: z.string(),
  supplierReference: z.nullable(z.string()),
  attempts: z.number(),
  updatedAt: z.string(),
  /** Since when the network verifies the receiver's number (ISO time); null when it does not. */
  verifyingSince: z.nullable(z.string()),
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

import * as z from 'zod'
import { type FaultQueue, queueFaults, REPLY_FAULTS, times, WEBHOOK_FAULTS } from '../faults.ts'

/** Styles of the reply to an order; `gen-1` to `gen-1-data` differ in the place of the `0000`. */
export const STYLES = ['gen-1', 'gen-1-code', 'gen-1-data', 'gen-2', 'sentence', 'old-ishare'] as const
export type Style = (typeof STYLES)[number]

/** Why a supplier refuses a call. */
export const CAUSES = [
  'invalid',
  'no-money',
  'not-approved',
  'too-often',
  'duplicate',
  'refused',
  'not-sold',
  'bad-key',
  'not-found',
] as const
export type Cause = (typeof CAUSES)[number]

export const DELIVERY_STATES = ['accepted', 'processing', 'delivered', 'failed', 'cancelled', 'refunded'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

const which = {
  /** Applies to this order only, given by the shop's reference or the receiver's ten digits; if omitted, to the next one. */
  reference: z.string().optional(),
  phone: z.string().optional(),
  times,
}
const call = { ...which, call: z.enum(['order', 'status', 'balance']) }

const callFault = z.discriminatedUnion('kind', [
  REPLY_FAULTS.hang.extend(call),
  REPLY_FAULTS.drop.extend(call),
  REPLY_FAULTS.slow.extend(call),
  REPLY_FAULTS.malformed.extend(call),
  REPLY_FAULTS.huge.extend(call),
  REPLY_FAULTS.html.extend(call),
  REPLY_FAULTS.reply.extend(call),
  REPLY_FAULTS.data.extend(call),
  /** A refusal with the supplier's own message, or another. */
  z.object({
    ...call,
    kind: z.literal('refuse'),
    cause: z.enum(CAUSES),
    status: z.int().min(200).max(599).optional(),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  /** The right reply in another of the supplier's styles. */
  z.object({ ...call, kind: z.literal('style'), style: z.enum(STYLES) }),
  /** The right reply, but about another order. */
  z.object({ ...call, kind: z.literal('wrong-reference'), instead: z.string().default('anotherOrder0001') }),
])

const delivery = { ...which, call: z.literal('delivery') }

/** The final state of an accepted order. */
const deliveryFault = z.discriminatedUnion('kind', [
  z.object({
    ...delivery,
    kind: z.literal('end'),
    state: z.enum(DELIVERY_STATES).default('delivered'),
    /** The supplier's word for it, if not the usual one. */
    word: z.string().optional(),
    reason: z.string().optional(),
    afterMs: z.int().min(0).max(86_400_000).optional(),
  }),
  /** Stays in its state until changed by hand. */
  z.object({ ...delivery, kind: z.literal('never') }),
])

const webhook = { ...which, call: z.literal('webhook') }

const webhookFault = z.discriminatedUnion('kind', [
  WEBHOOK_FAULTS.lose.extend(webhook),
  WEBHOOK_FAULTS.delay.extend(webhook),
  WEBHOOK_FAULTS.repeat.extend(webhook),
  WEBHOOK_FAULTS.body.extend(webhook),
  WEBHOOK_FAULTS.data.extend(webhook),
  /** The older, flat shape. */
  z.object({ ...webhook, kind: z.literal('flat') }),
])

export const supplierFault = z.union([callFault, deliveryFault, webhookFault])
export type SupplierFault = z.output<typeof supplierFault>
export type SupplierFaultInput = z.input<typeof supplierFault>
export type CallFault = z.output<typeof callFault>
export type DeliveryFault = z.output<typeof deliveryFault>
export type WebhookFault = z.output<typeof webhookFault>

/** The order of a call or an event. */
export type Target = { reference?: string | undefined; phone?: string | undefined }

export type SupplierFaults = Pick<FaultQueue<SupplierFault, SupplierFaultInput>, 'add' | 'list' | 'clear'> & {
  takeForCall(call: CallFault['call'], target: Target): CallFault | null
  takeForDelivery(target: Target): DeliveryFault | null
  takeForWebhook(target: Target): WebhookFault | null
}

export function queueSupplierFaults(): SupplierFaults {
  const { add, list, clear, take } = queueFaults(supplierFault)
  const takeFor = (call: SupplierFault['call'], { reference, phone }: Target) =>
    take(
      (one) =>
        one.call === call &&
        (one.reference === undefined || one.reference === reference) &&
        (one.phone === undefined || one.phone === phone),
    )
  return {
    add,
    list,
    clear,
    takeForCall: (call, target) => takeFor(call, target) as CallFault | null,
    takeForDelivery: (target) => takeFor('delivery', target) as DeliveryFault | null,
    takeForWebhook: (target) => takeFor('webhook', target) as WebhookFault | null,
  }
}

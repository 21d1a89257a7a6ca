import * as z from 'zod'
import { type FaultQueue, queueFaults, REPLY_FAULTS, times, WEBHOOK_FAULTS } from '../faults.ts'

const which = {
  /** Applies to this payment or transfer only; without it, to the next one. */
  reference: z.string().optional(),
  times,
}

/** The calls to the provider that can be made to fail. */
export const CARD_CALLS = [
  'initialize',
  'verify',
  'customer',
  'list',
  'recipient',
  'transfer',
  'verify-transfer',
  'refund',
  'list-refunds',
] as const

const call = { ...which, call: z.enum(CARD_CALLS) }

const callFault = z.discriminatedUnion('kind', [
  REPLY_FAULTS.hang.extend(call),
  REPLY_FAULTS.drop.extend(call),
  REPLY_FAULTS.slow.extend(call),
  REPLY_FAULTS.malformed.extend(call),
  REPLY_FAULTS.huge.extend(call),
  REPLY_FAULTS.reply.extend(call),
  REPLY_FAULTS.data.extend(call),
  /** 500 with the provider's own error body. */
  z.object({ ...call, kind: z.literal('error'), acts: z.boolean().default(false) }),
  /** A redirect to an address that reports everything as paid. */
  z.object({ ...call, kind: z.literal('redirect'), location: z.string().optional() }),
])

const webhook = { ...which, call: z.literal('webhook') }

const webhookFault = z.discriminatedUnion('kind', [
  WEBHOOK_FAULTS.lose.extend(webhook),
  WEBHOOK_FAULTS.delay.extend(webhook),
  WEBHOOK_FAULTS.repeat.extend(webhook),
  WEBHOOK_FAULTS.body.extend(webhook),
  WEBHOOK_FAULTS.data.extend(webhook),
  /** A forged event: the right body with a wrong signature, once. */
  z.object({ ...webhook, kind: z.literal('bad-signature') }),
])

export const cardFault = z.union([callFault, webhookFault])
export type CardFault = z.output<typeof cardFault>
export type CardFaultInput = z.input<typeof cardFault>
export type CallFault = z.output<typeof callFault>

export type CardFaults = Pick<FaultQueue<CardFault, CardFaultInput>, 'add' | 'list' | 'clear'> & {
  takeForCall(call: CallFault['call'], reference: string | undefined): CallFault | null
  takeForWebhook(reference: string): z.output<typeof webhookFault> | null
}

export function queueCardFaults(): CardFaults {
  const { add, list, clear, take } = queueFaults(cardFault)
  const takeFor = (call: CardFault['call'], reference: string | undefined) =>
    take((one) => one.call === call && (one.reference === undefined || one.reference === reference))
  return {
    add,
    list,
    clear,
    takeForCall: (call, reference) => takeFor(call, reference) as CallFault | null,
    takeForWebhook: (reference) => takeFor('webhook', reference) as ReturnType<CardFaults['takeForWebhook']>,
  }
}

import * as z from 'zod'
import { type FaultQueue, queueFaults } from '../fault-queue.ts'

const which = {
  /** The payment that it waits for; without it, whichever comes next. */
  reference: z.string().optional(),
  /** How many calls it spoils. */
  times: z.int().min(1).max(1000).default(1),
}

const call = {
  ...which,
  call: z.enum(['initialize', 'verify']),
  /** Whether the call does its work although its reply is spoilt. A call that ends in an error does not, any other does. */
  acts: z.boolean().optional(),
}

const callFault = z.discriminatedUnion('kind', [
  /** 500 with the provider's own error body. */
  z.object({ ...call, kind: z.literal('error') }),
  /** Takes the call and never replies. */
  z.object({ ...call, kind: z.literal('hang') }),
  /** Takes the call and cuts the connection. */
  z.object({ ...call, kind: z.literal('drop') }),
  z.object({ ...call, kind: z.literal('slow'), delayMs: z.int().min(0).max(600_000) }),
  /** 200, but the JSON ends half-way. */
  z.object({ ...call, kind: z.literal('malformed') }),
  /** The right reply blown up to ten megabytes. */
  z.object({ ...call, kind: z.literal('huge') }),
  /** A redirect to a place that replies that all is paid. */
  z.object({ ...call, kind: z.literal('redirect'), location: z.string().optional() }),
  /** Any reply at all. A text is sent as it is, anything else as JSON. */
  z.object({ ...call, kind: z.literal('reply'), status: z.int().min(200).max(599), body: z.unknown() }),
  /** The right reply with these fields of `data` replaced: status, amount, currency, domain, reference and so on. */
  z.object({ ...call, kind: z.literal('data'), data: z.record(z.string(), z.unknown()) }),
])

const notice = { ...which, call: z.literal('webhook') }

const noticeFault = z.discriminatedUnion('kind', [
  z.object({ ...notice, kind: z.literal('lose') }),
  z.object({ ...notice, kind: z.literal('delay'), delayMs: z.int().min(0).max(3_600_000) }),
  /** The same notice this many times, all at the same moment. */
  z.object({ ...notice, kind: z.literal('repeat'), count: z.int().min(2).max(100) }),
  /** What a forger would send: the right body under a wrong signature, once. */
  z.object({ ...notice, kind: z.literal('bad-signature') }),
  /** Another body, signed as it should be. A text is sent as it is, anything else as JSON. */
  z.object({ ...notice, kind: z.literal('body'), body: z.unknown() }),
  /** The right notice with these fields of `data` replaced: metadata, amount, currency and so on. */
  z.object({ ...notice, kind: z.literal('data'), data: z.record(z.string(), z.unknown()) }),
])

export const cardFault = z.union([callFault, noticeFault])
export type CardFault = z.output<typeof cardFault>
export type CardFaultInput = z.input<typeof cardFault>
export type CallFault = z.output<typeof callFault>
export type NoticeFault = z.output<typeof noticeFault>

export type CardFaults = Pick<FaultQueue<CardFault, CardFaultInput>, 'add' | 'list' | 'clear'> & {
  takeForCall(call: CallFault['call'], reference: string | undefined): CallFault | null
  takeForNotice(reference: string): NoticeFault | null
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
    takeForNotice: (reference) => takeFor('webhook', reference) as NoticeFault | null,
  }
}

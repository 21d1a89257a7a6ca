import * as z from 'zod'
import { type FaultQueue, queueFaults, REPLY_FAULTS, times, WEBHOOK_FAULTS } from '../faults.ts'

/** Why Meta refuses a message, with the status and the code that it then sends. */
export const REFUSALS = {
  'outside-window': { status: 400, code: 131047, message: 'Re-engagement message' },
  undeliverable: { status: 400, code: 131026, message: 'Message undeliverable' },
  'too-often': { status: 429, code: 130429, message: 'Rate limit hit' },
  'pair-too-often': { status: 400, code: 131056, message: '(Business Account, Consumer Account) pair rate limit hit' },
  'expired-token': { status: 401, code: 190, message: 'Error validating access token: Session has expired' },
  'unknown-error': { status: 500, code: 131000, message: 'Something went wrong' },
  'bad-parameter': { status: 400, code: 131009, message: 'Parameter value is not valid' },
  'no-template': { status: 404, code: 132001, message: 'Template name does not exist in the translation' },
} as const
export type Refused = keyof typeof REFUSALS

const which = {
  /** Applies to this customer only (ten digits); if omitted, to the next message. */
  to: z.string().optional(),
  times,
}
const send = { ...which, call: z.literal('send') }
const status = { ...which, call: z.literal('status') }
const webhook = { ...which, call: z.literal('webhook') }

export const whatsappFault = z.union([
  z.discriminatedUnion('kind', [
    REPLY_FAULTS.hang.extend(send),
    REPLY_FAULTS.drop.extend(send),
    REPLY_FAULTS.slow.extend(send),
    REPLY_FAULTS.malformed.extend(send),
    REPLY_FAULTS.huge.extend(send),
    REPLY_FAULTS.html.extend(send),
    REPLY_FAULTS.reply.extend(send),
    z.object({ ...send, kind: z.literal('refuse'), cause: z.enum(Object.keys(REFUSALS) as [Refused, ...Refused[]]) }),
  ]),
  z.discriminatedUnion('kind', [
    /** Accepted, and then not delivered: the status says why. */
    z.object({ ...status, kind: z.literal('fail') }),
    z.object({ ...status, kind: z.literal('never') }),
  ]),
  z.discriminatedUnion('kind', [
    WEBHOOK_FAULTS.lose.extend(webhook),
    WEBHOOK_FAULTS.delay.extend(webhook),
    WEBHOOK_FAULTS.repeat.extend(webhook),
    WEBHOOK_FAULTS.body.extend(webhook),
    /** The right message with a wrong signature. */
    z.object({ ...webhook, kind: z.literal('bad-signature') }),
  ]),
])
export type WhatsappFault = z.output<typeof whatsappFault>
export type WhatsappFaultInput = z.input<typeof whatsappFault>
type Of<C> = Extract<WhatsappFault, { call: C }>

export type WhatsappFaults = Pick<FaultQueue<WhatsappFault, WhatsappFaultInput>, 'add' | 'list' | 'clear'> & {
  takeFor<C extends WhatsappFault['call']>(call: C, phone: string): Of<C> | null
}

export function queueWhatsappFaults(): WhatsappFaults {
  const { add, list, clear, take } = queueFaults(whatsappFault)
  return {
    add,
    list,
    clear,
    takeFor: <C extends WhatsappFault['call']>(call: C, phone: string) =>
      take((one) => one.call === call && (one.to === undefined || one.to === phone)) as Of<C> | null,
  }
}

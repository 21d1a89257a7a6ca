import * as z from 'zod'
import { type FaultQueue, queueFaults, REPLY_FAULTS, times } from '../faults.ts'

export const SMS_SERVICES = ['arkesel', 'mnotify'] as const
export type SmsService = (typeof SMS_SERVICES)[number]

/** Why a service refuses to send. `error` is any other reason, with status 200. */
export const SMS_CAUSES = ['unapproved-sender', 'no-money', 'bad-key', 'too-often', 'invalid', 'error'] as const
export type SmsCause = (typeof SMS_CAUSES)[number]

export const REPORTS = ['SUBMITTED', 'DELIVERED', 'UNDELIVERED', 'REJECTED', 'EXPIRED'] as const
export type ReportStatus = (typeof REPORTS)[number]

const which = {
  /** Applies to this service only; if omitted, to either. */
  service: z.enum(SMS_SERVICES).optional(),
  /** Applies to this receiver only (ten digits); if omitted, to the next message. */
  to: z.string().optional(),
  times,
}
const send = { ...which, call: z.literal('send') }

const sendFault = z.discriminatedUnion('kind', [
  REPLY_FAULTS.hang.extend(send),
  REPLY_FAULTS.drop.extend(send),
  REPLY_FAULTS.slow.extend(send),
  REPLY_FAULTS.malformed.extend(send),
  REPLY_FAULTS.huge.extend(send),
  REPLY_FAULTS.html.extend(send),
  REPLY_FAULTS.reply.extend(send),
  /** A refusal with the service's own message, or another. */
  z.object({
    ...send,
    kind: z.literal('refuse'),
    cause: z.enum(SMS_CAUSES),
    status: z.int().min(200).max(599).optional(),
    message: z.string().optional(),
  }),
  /** A success that reports a valid number as invalid: that of `to`, or every number of the message. */
  z.object({ ...send, kind: z.literal('invalid-number') }),
])

const reportFault = z.discriminatedUnion('kind', [
  /** The status and the time of the delivery report. */
  z.object({
    ...which,
    call: z.literal('report'),
    kind: z.literal('say'),
    status: z.enum(REPORTS),
    afterMs: z.int().min(0).max(3_600_000).optional(),
  }),
  z.object({ ...which, call: z.literal('report'), kind: z.literal('never') }),
])

export const smsFault = z.union([sendFault, reportFault])
export type SmsFault = z.output<typeof smsFault>
export type SmsFaultInput = z.input<typeof smsFault>
export type SendFault = z.output<typeof sendFault>
export type ReportFault = z.output<typeof reportFault>

export type SmsFaults = Pick<FaultQueue<SmsFault, SmsFaultInput>, 'add' | 'list' | 'clear'> & {
  takeForSending(service: SmsService, receivers: readonly string[]): SendFault | null
  takeForReport(service: SmsService, receiver: string): ReportFault | null
}

export function queueSmsFaults(): SmsFaults {
  const { add, list, clear, take } = queueFaults(smsFault)
  const takeFor = (call: SmsFault['call'], service: SmsService, receivers: readonly string[]) =>
    take(
      (one) =>
        one.call === call && (one.service === undefined || one.service === service) && (one.to === undefined || receivers.includes(one.to)),
    )
  return {
    add,
    list,
    clear,
    takeForSending: (service, receivers) => takeFor('send', service, receivers) as SendFault | null,
    takeForReport: (service, receiver) => takeFor('report', service, [receiver]) as ReportFault | null,
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { type Answer, isReplyFault, sendAnswer, sendFaulty } from '../faults.ts'
import { countSegments } from './count-segments.ts'
import type { SmsCause, SmsFaults, SmsService } from './faults.ts'
import { isGhanaNumber, nationalOf, type SentMessages } from './sent-messages.ts'

export type SmsCallDeps = { messages: SentMessages; faults: SmsFaults; apiKey: string; closing: AbortSignal }

export type SmsRequest = { sender: string; body: string; recipients: string[]; callbackUrl: string | null }

/** One service's format for refusals and successes. */
export type SmsDialect = {
  service: SmsService
  refuse(cause: SmsCause, told?: { status?: number; message?: string }): Answer
  /** The sent messages, and the numbers reported as invalid. */
  accept(sent: { batch: string; ids: { recipient: string; id: string }[]; invalid: string[]; segments: number; credit: number }): Answer
}

type Sending = { request: FastifyRequest; reply: FastifyReply; isAuthorized: boolean; wish: SmsRequest | Answer; batch: string }

/** Handles a call to send: checks the key, then applies a waiting fault or sends. */
export async function answerSending(deps: SmsCallDeps, dialect: SmsDialect, { request, reply, isAuthorized, wish, batch }: Sending) {
  const { messages, faults, closing } = deps
  if (!isAuthorized) return sendAnswer(reply, dialect.refuse('bad-key'))
  const recipients = 'recipients' in wish ? wish.recipients : []
  const fault = faults.takeForSending(dialect.service, recipients.map(nationalOf))
  const act = async (unwanted: (recipient: string) => boolean = () => false) =>
    'recipients' in wish ? send(messages, dialect, wish, batch, unwanted) : wish
  if (fault === null) return sendAnswer(reply, await act())
  if (isReplyFault(fault)) return sendFaulty(fault, { request, reply, act, closing })
  if (fault.kind === 'invalid-number') {
    return sendAnswer(reply, await act((recipient) => fault.to === undefined || fault.to === nationalOf(recipient)))
  }
  const { status, message } = fault
  const told = { ...(status === undefined ? {} : { status }), ...(message === undefined ? {} : { message }) }
  return sendAnswer(reply, dialect.refuse(fault.cause, told))
}

function send(
  messages: SentMessages,
  dialect: SmsDialect,
  { sender, body, recipients, callbackUrl }: SmsRequest,
  batch: string,
  isUnwanted: (recipient: string) => boolean,
): Answer {
  const { settings } = messages
  if (settings.approvedSenders && !settings.approvedSenders.includes(sender)) return dialect.refuse('unapproved-sender')
  const good = recipients.filter((recipient) => isGhanaNumber(recipient) && !isUnwanted(recipient))
  const segments = countSegments(body) * good.length
  if (segments > settings.credit) return dialect.refuse('no-money')
  const ids = good.map((recipient) => {
    const { id } = messages.add({ service: dialect.service, batch, sender, recipient, body, callbackUrl })
    return { recipient, id }
  })
  const invalid = recipients.filter((recipient) => !good.includes(recipient))
  return dialect.accept({ batch, ids, invalid, segments, credit: settings.credit })
}

/** Checks that both services make. */
export const wanted = {
  sender: z.string().min(1).max(11),
  message: z.string().min(1).max(1_600),
  recipients: z.array(z.string()).min(1).max(1_000),
}

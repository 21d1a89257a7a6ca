import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, isReplyFault, sendAnswer, sendFaulty } from '../faults.ts'
import type { Deliveries } from './deliveries.ts'
import type { CallFault, Cause, Style, SupplierFaults, Target } from './faults.ts'
import type { CallLimit } from './limit-calls.ts'
import type { Delivering } from './networks.ts'

export type SupplierCallDeps = {
  key: string
  deliveries: Deliveries
  delivering: Delivering
  faults: SupplierFaults
  limit: CallLimit
  closing: AbortSignal
}

/** A supplier's format for refusals; the fault's fields override the defaults. */
export type Refuse = (cause: Cause, style: Style, told?: { status?: number; code?: string; message?: string }) => Answer

type Call = { request: FastifyRequest; reply: FastifyReply; call: CallFault['call']; target: Target; isAuthorized: boolean }

/** Handles a call: checks the key and the rate limit, then applies a waiting fault or does the work. */
export async function answerCall(
  { deliveries, faults, limit, closing }: SupplierCallDeps,
  refuse: Refuse,
  { request, reply, call, target, isAuthorized }: Call,
  act: (style: Style) => Promise<Answer>,
) {
  const { style } = deliveries.settings
  if (!isAuthorized) return sendAnswer(reply, refuse('bad-key', style))
  if (!limit.take(request.url.replace(/\?.*/, ''))) return sendAnswer(reply, refuse('too-often', style))
  const fault = faults.takeForCall(call, target)
  if (fault === null) return sendAnswer(reply, await act(style))
  if (isReplyFault(fault)) return sendFaulty(fault, { request, reply, act: () => act(style), closing })
  switch (fault.kind) {
    case 'refuse': {
      const { status, code, message } = fault
      return sendAnswer(
        reply,
        refuse(fault.cause, style, {
          ...(status === undefined ? {} : { status }),
          ...(code === undefined ? {} : { code }),
          ...(message === undefined ? {} : { message }),
        }),
      )
    }
    case 'style':
      return sendAnswer(reply, await act(fault.style))
    case 'wrong-reference':
      return sendAnswer(reply, aboutAnother(await act(style), fault.instead))
  }
}

function aboutAnother(answer: Answer, reference: string): Answer {
  const body = answer.body as { reference?: unknown; customIdentifier?: unknown; data?: { reference?: unknown; ref?: unknown } }
  const { data } = body
  return {
    ...answer,
    body: {
      ...body,
      ...(body.reference === undefined ? {} : { reference }),
      ...(body.customIdentifier === undefined ? {} : { customIdentifier: reference }),
      ...(data === undefined ? {} : { data: { ...data, reference, ...(data.ref === undefined ? {} : { ref: reference }) } }),
    },
  }
}

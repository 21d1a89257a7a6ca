import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import * as z from 'zod'
import { read } from './read.ts'

// The fault model that all simulators share: damaged replies and damaged webhook events. Each simulator adds its own faults.

const HUGE_BYTES = 10 * 1024 * 1024

/** A reply before it is sent. */
export type Answer = { status: number; body: unknown }

const acts = (byDefault: boolean) => z.boolean().default(byDefault)

/** What can happen to any call. `acts`: whether the call does its work although its reply is damaged. */
export const REPLY_FAULTS = {
  /** Takes the call and never replies. */
  hang: z.object({ kind: z.literal('hang'), acts: acts(true) }),
  /** Takes the call and cuts the connection. */
  drop: z.object({ kind: z.literal('drop'), acts: acts(true) }),
  slow: z.object({ kind: z.literal('slow'), delayMs: z.int().min(0).max(600_000), acts: acts(true) }),
  /** The right status, but the JSON ends half-way. */
  malformed: z.object({ kind: z.literal('malformed'), acts: acts(true) }),
  /** The right reply blown up to ten megabytes. */
  huge: z.object({ kind: z.literal('huge'), acts: acts(true) }),
  /** A page in HTML, as a proxy in front of the service sends it. */
  html: z.object({ kind: z.literal('html'), status: z.int().min(200).max(599).default(502), acts: acts(false) }),
  /** Any reply at all. A text is sent as it is, anything else as JSON. */
  reply: z.object({ kind: z.literal('reply'), status: z.int().min(200).max(599), body: z.unknown(), acts: acts(false) }),
  /** The right reply with these fields of `data` replaced. */
  data: z.object({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()), acts: acts(true) }),
}
export type ReplyFault = z.output<(typeof REPLY_FAULTS)[keyof typeof REPLY_FAULTS]>

/** What can happen to any webhook event. */
export const WEBHOOK_FAULTS = {
  lose: z.object({ kind: z.literal('lose') }),
  delay: z.object({ kind: z.literal('delay'), delayMs: z.int().min(0).max(3_600_000) }),
  /** The same event this many times, all at the same moment. */
  repeat: z.object({ kind: z.literal('repeat'), count: z.int().min(2).max(100) }),
  /** Another body, signed as it should be. A text is sent as it is, anything else as JSON. */
  body: z.object({ kind: z.literal('body'), body: z.unknown() }),
  /** The right event with these fields of `data` replaced. */
  data: z.object({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()) }),
}
export type WebhookFault = z.output<(typeof WEBHOOK_FAULTS)[keyof typeof WEBHOOK_FAULTS]>

/** How often a fault happens. */
export const times = z.int().min(1).max(100_000).default(1)

export function isReplyFault(fault: { kind: string }): fault is ReplyFault {
  return Object.hasOwn(REPLY_FAULTS, fault.kind)
}

/** Lets the call act or not, and sends its reply as the fault wants it. */
export async function sendFaulty(
  fault: ReplyFault,
  { request, reply, act, closing }: { request: FastifyRequest; reply: FastifyReply; act: () => Promise<Answer>; closing: AbortSignal },
) {
  const answer = fault.acts ? await act() : { status: 503, body: { message: 'The sandbox was told not to do this' } }
  switch (fault.kind) {
    case 'hang':
      return void reply.hijack()
    case 'drop':
      reply.hijack()
      return void request.raw.socket.destroy()
    case 'slow':
      await sleep(fault.delayMs, undefined, { signal: closing })
      return sendAnswer(reply, answer)
    case 'malformed': {
      const text = JSON.stringify(answer.body)
      return sendText(reply, answer.status, text.slice(0, Math.floor(text.length / 2)))
    }
    case 'huge':
      return sendAnswer(reply, { ...answer, body: { padding: 'x'.repeat(HUGE_BYTES), ...(answer.body as object) } })
    case 'html':
      return reply.code(fault.status).type('text/html').send(`<html><head><title>${fault.status}</title></head><body>nginx</body></html>`)
    case 'reply':
      return sendText(reply, fault.status, asText(fault.body))
    case 'data':
      return sendAnswer(reply, { ...answer, body: withData(answer.body as object, fault.data) })
  }
}

/** What a fault makes of one event: how often, when and with which body it is sent. */
export function applyToWebhook(
  whole: object,
  fault: WebhookFault | null,
): { body: string; count?: number; delayMs?: number; isLost?: boolean } {
  switch (fault?.kind) {
    case undefined:
      return { body: asText(whole) }
    case 'lose':
      return { body: asText(whole), isLost: true }
    case 'delay':
      return { body: asText(whole), delayMs: fault.delayMs }
    case 'repeat':
      return { body: asText(whole), count: fault.count }
    case 'body':
      return { body: asText(fault.body) }
    case 'data':
      return { body: asText(withData(whole, fault.data)) }
  }
}

function withData(whole: { data?: object }, data: Record<string, unknown>) {
  return { ...whole, data: { ...whole.data, ...data } }
}

export function sendAnswer(reply: FastifyReply, { status, body }: Answer) {
  return sendText(reply, status, JSON.stringify(body))
}

/** A text as it is, anything else as JSON. */
export function asText(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

function sendText(reply: FastifyReply, status: number, text: string) {
  return reply.code(status).type('application/json').send(text)
}

export type FaultQueue<F, I> = {
  /** @throws z.ZodError for what is no fault of this service. */
  add(fault: I): void
  list(): F[]
  clear(): void
  /** The oldest fault that is meant, which has then happened once more. */
  take(isMeant: (fault: F) => boolean): F | null
}

/** The faults that wait for their moment, first come first served; they do not outlive the process. */
export function queueFaults<F extends { times: number }, I>(schema: z.ZodType<F, I>): FaultQueue<F, I> {
  let queue: F[] = []
  return {
    add: (fault) => void queue.push(schema.parse(fault)),
    list: () => queue.map((fault) => ({ ...fault })),
    clear: () => {
      queue = []
    },
    take(isMeant) {
      const fault = queue.find(isMeant)
      if (!fault) return null
      fault.times -= 1
      if (fault.times === 0) queue = queue.filter((one) => one !== fault)
      return fault
    },
  }
}

/** GET, POST and DELETE of the faults that wait. */
export function registerFaultRoutes<F, I>(
  app: FastifyInstance,
  prefix: string,
  {
    faults,
    schema,
    options,
  }: { faults: Pick<FaultQueue<F, I>, 'add' | 'list' | 'clear'>; schema: z.ZodType<F, I>; options: RouteShorthandOptions },
) {
  app.get(`${prefix}/faults`, options, async () => faults.list())
  app.post(`${prefix}/faults`, options, async (request, reply) => {
    faults.add(read(schema, request.body) as unknown as I)
    return reply.code(201).send(faults.list())
  })
  app.delete(`${prefix}/faults`, options, async () => {
    faults.clear()
    return faults.list()
  })
}

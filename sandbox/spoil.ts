import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'

const HUGE_BYTES = 10 * 1024 * 1024

/** A reply before it is sent. A body that is a text is sent as a JSON text. */
export type Answer = { status: number; body: unknown }

/** What can happen to any call, whatever it says. `acts`: whether the call does its work although its reply is spoilt. */
export const SPOILS = {
  /** Takes the call and never replies. */
  hang: z.object({ kind: z.literal('hang'), acts: z.boolean().default(true) }),
  /** Takes the call and cuts the connection. */
  drop: z.object({ kind: z.literal('drop'), acts: z.boolean().default(true) }),
  slow: z.object({ kind: z.literal('slow'), delayMs: z.int().min(0).max(600_000), acts: z.boolean().default(true) }),
  /** The right status, but the JSON ends half-way. */
  malformed: z.object({ kind: z.literal('malformed'), acts: z.boolean().default(true) }),
  /** The right reply blown up to ten megabytes. */
  huge: z.object({ kind: z.literal('huge'), acts: z.boolean().default(true) }),
  /** A page in HTML, as a proxy in front of the service sends it. */
  html: z.object({ kind: z.literal('html'), status: z.int().min(200).max(599).default(502), acts: z.boolean().default(false) }),
  /** Any reply at all. A text is sent as it is, anything else as JSON. */
  reply: z.object({
    kind: z.literal('reply'),
    status: z.int().min(200).max(599),
    body: z.unknown(),
    acts: z.boolean().default(false),
  }),
}
export type Spoil = z.output<(typeof SPOILS)[keyof typeof SPOILS]>

export function isSpoil(fault: { kind: string }): fault is Spoil {
  return Object.hasOwn(SPOILS, fault.kind)
}

/** Lets the call act or not, and sends its reply as the fault wants it. */
export async function sendSpoilt(
  fault: Spoil,
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
  }
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

import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { type Answer, isReplyFault, sendAnswer, sendFaulty } from '../faults.ts'
import type { Chats } from './chats.ts'
import { REFUSALS, type Refused, type WhatsappFaults } from './faults.ts'

type GraphDeps = { chats: Chats; faults: WhatsappFaults; token: string; phoneId: string; closing: AbortSignal }

const row = z.strictObject({ id: z.string().min(1).max(200), title: z.string().min(1).max(24), description: z.string().max(72).optional() })
const envelope = { messaging_product: z.literal('whatsapp'), recipient_type: z.literal('individual'), to: z.string().regex(/^233\d{9}$/) }
const wish = z.discriminatedUnion('type', [
  z.strictObject({
    ...envelope,
    type: z.literal('text'),
    text: z.strictObject({ body: z.string().min(1).max(4096), preview_url: z.boolean().optional() }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('interactive'),
    interactive: z.strictObject({
      type: z.literal('list'),
      body: z.strictObject({ text: z.string().min(1).max(1024) }),
      action: z.strictObject({
        button: z.string().min(1).max(20),
        sections: z.array(z.strictObject({ rows: z.array(row).min(1).max(10) })).length(1),
      }),
    }),
  }),
  z.strictObject({
    ...envelope,
    type: z.literal('template'),
    template: z.strictObject({
      name: z.string().regex(/^[a-z0-9_]+$/),
      language: z.strictObject({ code: z.string() }),
      components: z.array(
        z.strictObject({
          type: z.literal('body'),
          parameters: z.array(
            z.strictObject({
              type: z.literal('text'),
              text: z
                .string()
                .min(1)
                .regex(/^[^\n\t]+$/),
            }),
          ),
        }),
      ),
    }),
  }),
])

/** Meta's Graph API: `POST /{version}/{phone id}/messages`, and nothing else. Free text only within 24 hours of the customer's last message. */
export function registerGraph(app: FastifyInstance, { chats, faults, token, phoneId, closing }: GraphDeps) {
  app.post<{ Params: { version: string; phoneId: string } }>('/:version/:phoneId/messages', async (request, reply) => {
    const { version, phoneId: asked } = request.params
    if (request.headers.authorization !== `Bearer ${token}`) return sendAnswer(reply, refuse('expired-token'))
    if (!/^v\d+\.\d$/.test(version) || asked !== phoneId) {
      return sendAnswer(reply, {
        status: 400,
        body: { error: { code: 100, type: 'GraphMethodException', message: 'Unsupported post request' } },
      })
    }
    const parsed = wish.safeParse(request.body)
    if (!parsed.success) return sendAnswer(reply, refuse('bad-parameter', parsed.error.issues[0]?.message))
    const phone = `0${parsed.data.to.slice(3)}`
    const fault = faults.takeFor('send', phone)
    const act = async () => send(chats, phone, parsed.data)
    if (fault === null) return sendAnswer(reply, await act())
    if (isReplyFault(fault)) return sendFaulty(fault, { request, reply, act, closing })
    return sendAnswer(reply, refuse(fault.cause))
  })
}

function send(chats: Chats, phone: string, wanted: z.output<typeof wish>): Answer {
  if (wanted.type !== 'template' && !chats.isInWindow(phone)) return refuse('outside-window')
  const { id } = chats.arrive(phone, contentOf(wanted))
  return {
    status: 200,
    body: { messaging_product: 'whatsapp', contacts: [{ input: wanted.to, wa_id: wanted.to }], messages: [{ id }] },
  }
}

function contentOf(wanted: z.output<typeof wish>) {
  const plain = { button: null, options: [], template: null }
  if (wanted.type === 'text') return { ...plain, body: wanted.text.body }
  if (wanted.type === 'interactive') {
    const { body, action } = wanted.interactive
    return { ...plain, body: body.text, button: action.button, options: action.sections.flatMap(({ rows }) => rows) }
  }
  const { name, components } = wanted.template
  const values = components.flatMap(({ parameters }) => parameters.map(({ text }) => text))
  return { ...plain, body: values.join(' · '), template: name }
}

function refuse(cause: Refused, details?: string): Answer {
  const { status, code, message } = REFUSALS[cause]
  const error = { message: `(#${code}) ${message}`, type: 'OAuthException', code, error_data: { details: details ?? message } }
  return { status, body: { error } }
}

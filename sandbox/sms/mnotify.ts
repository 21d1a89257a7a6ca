import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { type Answer, sendAnswer } from '../faults.ts'
import { answerSending, type SmsCallDeps, type SmsDialect, type SmsRequest, wanted } from './answer-sending.ts'

const quick = z.object({
  recipient: wanted.recipients,
  sender: wanted.sender,
  message: wanted.message,
  is_schedule: z.literal([false, 'false']).optional(),
  schedule_date: z.literal('').optional(),
  sms_type: z.literal('otp').optional(),
})

const dialect: SmsDialect = {
  service: 'mnotify',
  refuse(cause, { status, message } = {}) {
    const text = (usual: string) => message ?? usual
    switch (cause) {
      case 'bad-key':
        return { status: status ?? 401, body: { error: text('Invalid API key') } }
      case 'unapproved-sender':
        return { status: status ?? 422, body: { status: 'error', errors: { sender: [text('The selected sender is not approved')] } } }
      case 'invalid':
        return { status: status ?? 422, body: { status: 'error', errors: { recipient: [text('The recipient is invalid')] } } }
      case 'too-often':
        return { status: status ?? 429, body: { status: 'error', message: text('Too many requests') } }
      case 'no-money':
        return { status: status ?? 402, body: { status: 'error', message: text('Insufficient SMS balance') } }
      case 'error':
        return { status: status ?? 200, body: { status: 'error', message: text('The message could not be sent') } }
    }
  },
  // A success even when it rejects every number.
  accept: ({ batch, ids, invalid, segments, credit }) => ({
    status: 200,
    body: {
      status: 'success',
      code: '2000',
      message: 'messages sent successfully',
      summary: {
        _id: batch,
        message_id: randomUUID(),
        type: 'API QUICK SMS',
        total_sent: ids.length,
        contacts: ids.length + invalid.length,
        total_rejected: invalid.length,
        numbers_sent: ids.map(({ recipient }) => recipient),
        credit_used: segments,
        credit_left: credit,
      },
    },
  }),
}

/** mNotify's BMS: the key in the address, a summary for each call, and a report that is asked for. */
export function registerMnotify(app: FastifyInstance, deps: SmsCallDeps) {
  const hasKey = (request: FastifyRequest) => (request.query as { key?: unknown }).key === deps.apiKey

  app.post('/api/sms/quick', async (request, reply) => {
    const parsed = quick.safeParse(request.body)
    const wish: SmsRequest | Answer = parsed.success
      ? { sender: parsed.data.sender, body: parsed.data.message, recipients: parsed.data.recipient, callbackUrl: null }
      : { status: 422, body: { status: 'error', errors: z.flattenError(parsed.error).fieldErrors } }
    return answerSending(deps, dialect, { request, reply, isAuthorized: hasKey(request), wish, batch: randomUUID() })
  })

  app.get<{ Params: { id: string; status: string } }>('/api/campaign/:id/:status', async (request, reply) => {
    if (!hasKey(request)) return sendAnswer(reply, dialect.refuse('bad-key'))
    const { id: batch, status: asked } = request.params
    const sent = deps.messages.list().filter((message) => message.service === 'mnotify' && message.batch === batch)
    const meant = sent.filter(({ status }) => asked === 'all' || asked.toUpperCase() === status)
    return { status: 'success', report: meant.map(({ id: _id, recipient, status }) => ({ _id, recipient, status, retries: 0 })) }
  })
}

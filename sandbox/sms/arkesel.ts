import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { type Answer, sendAnswer } from '../faults.ts'
import { answerSending, type SmsCallDeps, type SmsDialect, type SmsRequest, wanted } from './answer-sending.ts'
import type { SmsCause } from './faults.ts'

const REFUSALS: Record<SmsCause, { status: number; message: string }> = {
  'unapproved-sender': { status: 403, message: 'Sender ID is not approved' },
  'no-money': { status: 402, message: 'Insufficient balance' },
  'bad-key': { status: 401, message: 'Authentication failed' },
  'too-often': { status: 429, message: 'Too many requests' },
  invalid: { status: 422, message: 'The given data was invalid' },
  error: { status: 200, message: 'The message could not be sent' },
}

const PESEWAS_PER_PART = 3

const sms = z.object({
  ...wanted,
  callback_url: z.url({ protocol: /^https?$/ }).optional(),
  /** True: neither charged nor sent. */
  sandbox: z.boolean().optional(),
  scheduled_date: z.undefined('This sandbox sends at once').optional(),
})

const dialect: SmsDialect = {
  service: 'arkesel',
  refuse: (cause, { status = REFUSALS[cause].status, message = REFUSALS[cause].message } = {}) => ({
    status,
    body: { status: 'error', message },
  }),
  // A success even when no number is valid.
  accept: ({ ids, invalid }) => ({
    status: 200,
    body: { status: 'success', data: [...ids, ...(invalid.length > 0 ? [{ 'invalid numbers': invalid }] : [])] },
  }),
}

/** Arkesel's API v2: header `api-key`, and a delivery report to the address that the message names. */
export function registerArkesel(app: FastifyInstance, deps: SmsCallDeps) {
  const { messages, apiKey } = deps
  const hasKey = (request: FastifyRequest) => request.headers['api-key'] === apiKey
  const refuseKey = dialect.refuse('bad-key')

  app.post('/api/v2/sms/send', async (request, reply) => {
    const parsed = sms.safeParse(request.body)
    if (parsed.data?.sandbox && hasKey(request)) {
      const ids = parsed.data.recipients.map((recipient) => ({ recipient, id: randomUUID() }))
      return sendAnswer(reply, dialect.accept({ batch: '', ids, invalid: [], segments: 0, credit: 0 }))
    }
    const wish: SmsRequest | Answer = parsed.success
      ? {
          sender: parsed.data.sender,
          body: parsed.data.message,
          recipients: parsed.data.recipients,
          callbackUrl: parsed.data.callback_url ?? null,
        }
      : dialect.refuse('invalid', { message: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') })
    return answerSending(deps, dialect, { request, reply, isAuthorized: hasKey(request), wish, batch: randomUUID() })
  })

  app.get('/api/v2/clients/balance-details', async (request, reply) => {
    if (!hasKey(request)) return sendAnswer(reply, refuseKey)
    const { credit } = messages.settings
    const data = { sms_balance: String(credit), main_balance: `GHS ${((credit * PESEWAS_PER_PART) / 100).toFixed(2)}` }
    return { status: 'success', data }
  })

  app.get<{ Params: { id: string } }>('/api/v2/sms/:id', async (request, reply) => {
    if (!hasKey(request)) return sendAnswer(reply, refuseKey)
    const message = messages.find(request.params.id)
    if (message?.service !== 'arkesel') return reply.code(404).send({ status: 'error', message: 'Message not found' })
    const { id: ID, status, sender, recipient, body, segments, at } = message
    return { status: 'success', data: { ID, status, sender, recipient, message: body, message_count: segments, sent_at_time: at } }
  })
}

import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { registerFaultRoutes } from '../faults.ts'
import type { ServiceCall } from '../log-calls.ts'
import { read } from '../read.ts'
import { REPORTS, type SmsFaults, smsFault } from './faults.ts'
import { type SentMessage, type SentMessages, smsSettings } from './sent-messages.ts'

export type SmsControlDeps = { messages: SentMessages; faults: SmsFaults; calls: () => ServiceCall[] }

const reportRequest = z.object({ status: z.enum(REPORTS) })

/** Control for people and tests: what became of messages, which faults to inject, and the calls the services received. */
export function registerSmsControl(app: FastifyInstance, prefix: string, { messages, faults, calls }: SmsControlDeps) {
  const options = { schema: { hide: true } }

  app.get(`${prefix}/messages`, options, async () => messages.list().map(presentSentMessage))
  app.post<{ Params: { id: string } }>(`${prefix}/messages/:id/report`, options, async (request) =>
    presentSentMessage(messages.report(request.params.id, read(reportRequest, request.body).status)),
  )

  app.get(`${prefix}/settings`, options, async () => messages.settings)
  app.patch(`${prefix}/settings`, options, async (request) => {
    const changes = read(z.strictObject(smsSettings.shape).partial(), request.body)
    return messages.change(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
  })

  registerFaultRoutes(app, prefix, { faults, schema: smsFault, options })
  app.get(`${prefix}/calls`, options, async () => calls())
}

/** A message as `/sandbox` and tests see it. The address of its report may hold a secret of the shop's. */
export function presentSentMessage({ callbackUrl: _, ...message }: SentMessage) {
  return message
}
export type PresentedSms = ReturnType<typeof presentSentMessage>

import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { logCalls, type ServiceCall } from './log-calls.ts'
import type { Message } from './messages.ts'
import { NO_SCHEMAS } from './no-schemas.ts'
import { registerArkesel } from './sms/arkesel.ts'
import { type PresentedSms, presentSentMessage, registerSmsControl, type SmsControlDeps } from './sms/control.ts'
import { queueSmsFaults, type ReportStatus, type SmsFaultInput } from './sms/faults.ts'
import { registerMnotify } from './sms/mnotify.ts'
import { keepSentMessages, type SmsSettings } from './sms/sent-messages.ts'

export type SmsServicesSettings = {
  arkeselKey: string
  mnotifyKey: string
  /** The clock for dates of messages. Delays use the real clock. */
  now?: () => Date
  wanted?: Partial<SmsSettings> | undefined
}

export type SmsServices = {
  arkesel: { baseUrl: string; apiKey: string }
  mnotify: { baseUrl: string; apiKey: string }
  /** As receivers see them, newest first. */
  messages(): Message[]
  /** As the services store them, newest first. */
  sent(): PresentedSms[]
  /** The delivery report of one message. */
  report(id: string, status: ReportStatus): PresentedSms
  settings(): SmsSettings
  change(changes: Partial<SmsSettings>): SmsSettings
  addFault(fault: SmsFaultInput): void
  clearFaults(): void
  /** Calls received, newest first. */
  calls(): ServiceCall[]
  /** For the routes mounted by the shop. */
  control: SmsControlDeps
  close(): Promise<void>
}

/** Simulates both SMS services on one HTTP server with a free loopback port, since their paths differ. */
export async function startSmsServices(settings: SmsServicesSettings): Promise<SmsServices> {
  const { arkeselKey, mnotifyKey, now = () => new Date(), wanted = {} } = settings
  const faults = queueSmsFaults()
  const messages = keepSentMessages(faults, { now, wanted })

  const closing = new AbortController()
  const app = Fastify({ schemaController: NO_SCHEMAS, forceCloseConnections: true, bodyLimit: 1024 * 1024 })
  const control = { messages, faults, calls: logCalls(app, now) }
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ status: 'error', message: error.message }),
  )
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: 'error', message: 'Resource not found' }))
  const deps = { messages, faults, closing: closing.signal }
  registerArkesel(app, { ...deps, apiKey: arkeselKey })
  registerMnotify(app, { ...deps, apiKey: mnotifyKey })
  await app.register(async (scope) => {
    registerSmsControl(scope, '/_control', control)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  return {
    arkesel: { baseUrl, apiKey: arkeselKey },
    mnotify: { baseUrl, apiKey: mnotifyKey },
    messages: () => messages.list().map(({ to, body, at }) => ({ channel: 'sms', to, body, at })),
    sent: () => messages.list().map(presentSentMessage),
    report: (id, status) => presentSentMessage(messages.report(id, status)),
    settings: () => ({ ...messages.settings }),
    change: (changes) => messages.change(changes),
    addFault: faults.add,
    clearFaults: faults.clear,
    calls: control.calls,
    control,
    async close() {
      closing.abort()
      await messages.close()
      await app.close()
    },
  }
}

import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { logCalls, type ServiceCall } from './log-calls.ts'
import { NO_SCHEMAS } from './no-schemas.ts'
import { type Chats, keepChats } from './whatsapp/chats.ts'
import { registerWhatsappControl, type WhatsappControlDeps } from './whatsapp/control.ts'
import { queueWhatsappFaults, type WhatsappFaultInput } from './whatsapp/faults.ts'
import { registerGraph } from './whatsapp/graph.ts'

export type WhatsappServiceSettings = {
  keys: WhatsappKeys
  /** Where the shop takes webhooks, asked for each time. */
  webhookUrl: () => string
  now?: () => Date
}
export type WhatsappKeys = { token: string; appSecret: string; verifyToken: string }

export type WhatsappService = WhatsappKeys & {
  baseUrl: string
  phoneId: string
  /** The shop's number, which customers write to. */
  number: string
  chats: Chats
  addFault(fault: WhatsappFaultInput): void
  clearFaults(): void
  calls(): ServiceCall[]
  control: WhatsappControlDeps
  close(): Promise<void>
}

const PHONE_ID = '106540352242922'
const NUMBER = '0300000000'

/** Simulates Meta's Cloud API and the phones behind it, on a free loopback port. */
export async function startWhatsappService({
  keys,
  webhookUrl,
  now = () => new Date(),
}: WhatsappServiceSettings): Promise<WhatsappService> {
  const faults = queueWhatsappFaults()
  const chats = keepChats({ faults, now, webhookUrl, appSecret: keys.appSecret, phoneId: PHONE_ID, number: NUMBER })
  const closing = new AbortController()
  const app = Fastify({ schemaController: NO_SCHEMAS, forceCloseConnections: true, bodyLimit: 256 * 1024 })
  const control = { chats, faults, calls: logCalls(app, now) }
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ error: { code: 1, message: error.message } }),
  )
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: { code: 2500, message: 'Unknown path components' } }))
  registerGraph(app, { chats, faults, token: keys.token, phoneId: PHONE_ID, closing: closing.signal })
  await app.register(async (scope) => {
    registerWhatsappControl(scope, '/_control', control)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...keys,
    baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    phoneId: PHONE_ID,
    number: NUMBER,
    chats,
    addFault: faults.add,
    clearFaults: faults.clear,
    calls: control.calls,
    control,
    async close() {
      closing.abort()
      await chats.close()
      await app.close()
    },
  }
}

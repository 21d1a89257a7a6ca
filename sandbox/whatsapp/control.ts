import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { registerFaultRoutes } from '../faults.ts'
import type { ServiceCall } from '../log-calls.ts'
import { read } from '../read.ts'
import type { Chats } from './chats.ts'
import { type WhatsappFaults, whatsappFault } from './faults.ts'

export type WhatsappControlDeps = { chats: Chats; faults: WhatsappFaults; calls: () => ServiceCall[] }

const phone = z.string().regex(/^0[25]\d{8}$/, 'must be ten digits of a mobile number')
const sayRequest = z.strictObject({ phone, text: z.string().min(1).max(4096), option: z.string().min(1).max(200).optional() })

/** Control for people and tests: what a customer types, and which faults to inject. */
export function registerWhatsappControl(app: FastifyInstance, prefix: string, { chats, faults, calls }: WhatsappControlDeps) {
  const options = { schema: { hide: true } }
  app.get<{ Querystring: { phone?: string } }>(`${prefix}/chat`, options, async (request) => {
    const wanted = read(phone, request.query.phone)
    return chats
      .list()
      .filter((message) => message.phone === wanted)
      .slice(0, 100)
  })
  app.post(`${prefix}/say`, options, async (request) => {
    const { phone, ...wish } = read(sayRequest, request.body)
    return chats.say(phone, wish)
  })
  app.post(`${prefix}/repeat`, options, async (request) => chats.repeat(read(z.strictObject({ id: z.string() }), request.body).id))
  app.post(`${prefix}/read`, options, async (request) => {
    await chats.read(read(z.strictObject({ phone }), request.body).phone)
    return { done: true }
  })
  registerFaultRoutes(app, prefix, { faults, schema: whatsappFault, options })
  app.get(`${prefix}/calls`, options, async () => calls())
}

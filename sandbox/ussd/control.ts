import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { read } from '../read.ts'
import { Refusal } from '../refusal.ts'
import type { UssdPhones } from './phones.ts'
import { USSD_PROTOCOLS, type UssdProtocol } from './protocols.ts'

const fault = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('lose') }),
    z.object({ kind: z.literal('repeat') }),
    z.object({ kind: z.literal('late'), delayMs: z.int().min(0).max(60_000) }),
  ])
  .optional()
const dialled = z.object({ phone: z.string().regex(/^0\d{9}$/, 'Enter the 10 digits of a phone number.'), fault })
const typed = z.object({ session: z.string(), text: z.string().max(182), fault })

/** The phone of the sandbox's page. */
export function registerUssdControl(app: FastifyInstance, prefix: string, phones: UssdPhones) {
  const options = { schema: { hide: true } }
  app.get(prefix, options, async () => ({ gateway: phones.protocol(), gateways: USSD_PROTOCOLS }))
  app.put(prefix, options, async (request) => {
    const { gateway } = read(z.object({ gateway: z.enum(USSD_PROTOCOLS as [UssdProtocol, ...UssdProtocol[]]) }), request.body)
    phones.choose(gateway)
    return { gateway: phones.protocol(), gateways: USSD_PROTOCOLS }
  })
  app.post(`${prefix}/dial`, options, async (request) => {
    const { phone, fault: wanted } = read(dialled, request.body)
    return phones.dial(phone, wanted)
  })
  app.post(`${prefix}/type`, options, async (request) => {
    const { session, text, fault: wanted } = read(typed, request.body)
    return phones.type(session, text, wanted).catch((error: Error) => {
      throw new Refusal(409, error.message)
    })
  })
  app.post(`${prefix}/time-out`, options, async (request) => phones.timeOut(read(z.object({ session: z.string() }), request.body).session))
}

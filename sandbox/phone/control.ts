import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { read } from '../read.ts'
import { Refusal } from '../refusal.ts'
import { asSmsForwarder, asSmsGateway, asSmsToUrl } from './sign-message.ts'
import { SENDERS, WRITES } from './write-messages.ts'

const pesewas = z.int().min(0).max(1_000_000_000)
const message = z.strictObject({
  network: z.enum(['MTN', 'Telecel']),
  /** `reworded`: in words that no form of the shop knows, though genuine. `text`: as typed. */
  kind: z.enum(['received', 'withdrawn', 'reworded', 'reversal', 'text']),
  amountPesewas: pesewas.default(0),
  /** The wallet's balance after it. */
  balancePesewas: pesewas.default(0),
  transactionId: z
    .string()
    .regex(/^\d{4,16}$/)
    .default('1'),
  reference: z.string().max(100).default('1'),
  payer: z.string().max(60).default('AMA SAMPLE'),
  text: z.string().max(2_000).default(''),
})
const sending = z.strictObject({
  phone: z.uuid({ error: 'the phone is the part of its address between forwarder/ and /message' }),
  key: z.string().min(1).max(200),
  app: z.enum(['sms-gateway', 'sms-to-url', 'sms-forwarder']),
  sender: z.string().max(40).optional(),
  message,
  /** The app's own name for the message: sent again under the same it is a repetition. */
  id: z.string().max(64).optional(),
  clockOffMinutes: z.int().min(-1_440).max(1_440).default(0),
})

/**
 * The shop's own phone: writes a message as a network would and forwards it as an app does, over HTTP to the shop's own address. What the
 * phone holds, and what waits while it is offline, its page keeps.
 */
export function registerPhoneControl(app: FastifyInstance, prefix: string, { shopUrl, now }: { shopUrl: () => string; now: () => Date }) {
  app.post(`${prefix}/send`, { schema: { hide: true } }, async ({ body }) => {
    const wanted = read(sending, body)
    const { phone, key, app: kind, id = randomUUID(), clockOffMinutes } = wanted
    const at = new Date(now().getTime() + clockOffMinutes * 60_000)
    const text = write(wanted.message, at)
    const sms = { sender: wanted.sender || SENDERS[wanted.message.network], text, at, id }
    const post =
      kind === 'sms-gateway' ? asSmsGateway(sms, key, at) : kind === 'sms-to-url' ? asSmsToUrl(sms, key) : asSmsForwarder(sms, key)
    const url = new URL(`/api/forwarder/${phone}/message`, shopUrl())
    const reply = await fetch(url, { method: 'POST', ...post }).catch(() => {
      throw new Refusal(502, 'The shop does not answer.')
    })
    const said = (await reply.json().catch(() => ({}))) as { received?: string; message?: string }
    return { status: reply.status, received: said.received ?? null, message: said.message ?? null, sender: sms.sender, text, id }
  })
}

function write({ network, kind, text, payer, transactionId: id, ...said }: z.output<typeof message>, at: Date): string {
  const movement = { amount: said.amountPesewas, balance: said.balancePesewas, id, name: payer, reference: said.reference, at }
  const cedis = (amount: number) => (amount / 100).toFixed(2)
  switch (kind) {
    case 'received':
      return WRITES[network].received(movement)
    case 'withdrawn':
      return WRITES[network].withdrawn(movement)
    case 'reworded':
      return `You got GHS ${cedis(movement.amount)} from ${payer}. Note: ${movement.reference}. Transaction ID: ${id}. You now have GHS ${cedis(movement.balance)}.`
    case 'reversal':
      return `Reversal of GHS ${cedis(movement.amount)} has been made on your account. Transaction ID: ${id}.`
    case 'text':
      return text
  }
}

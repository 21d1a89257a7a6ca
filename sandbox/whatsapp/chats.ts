import { createHmac, randomBytes } from 'node:crypto'
import { applyToWebhook } from '../faults.ts'
import { Refusal } from '../refusal.ts'
import { callShop } from '../webhook-sender.ts'
import type { WhatsappFaults } from './faults.ts'

const WINDOW_MS = 24 * 3_600_000
const KEPT = 500
const TIMEOUT_MS = 20_000
/** Meta retries a webhook that was not answered with 200. */
const RETRY_MS = [1_000, 5_000, 30_000]

export type ChatOption = { id: string; title: string; description?: string | undefined }
export type ChatStatus = 'sending' | 'sent' | 'delivered' | 'read' | 'failed'
/** One bubble of a chat. `from` says who wrote it; `status` of the shop's; `result` of the customer's: what the webhook was answered. */
export type ChatMessage = {
  id: string
  phone: string
  from: 'customer' | 'shop'
  body: string
  button: string | null
  options: ChatOption[]
  template: string | null
  at: string
  status: ChatStatus | null
  result: string | null
}

/** What a customer says. `option`: the id of the row that was pressed. */
export type ChatWish = { text: string; option?: string | undefined; id?: string | undefined; at?: Date | undefined }

export type Chats = {
  list(): ChatMessage[]
  /** What a customer types or presses, and the signed webhook of it, for whoever delivers that as Meta would: any number of times, anywhere. */
  write(phone: string, wish: ChatWish): { message: ChatMessage; webhook: { body: string; headers: Record<string, string> } }
  /** What a customer types or presses; resolves once the shop has answered the webhook, or has been given up. */
  say(phone: string, wish: ChatWish): Promise<ChatMessage>
  /** The same webhook once more. */
  repeat(id: string): Promise<ChatMessage>
  /** A message of the shop's arrives on the phone. */
  arrive(phone: string, content: Pick<ChatMessage, 'body' | 'button' | 'options' | 'template'>): ChatMessage
  read(phone: string): Promise<void>
  isInWindow(phone: string): boolean
  close(): Promise<void>
}

type Deps = { faults: WhatsappFaults; now: () => Date; webhookUrl: () => string; appSecret: string; phoneId: string; number: string }

/** Phones with WhatsApp, and the webhooks that Meta sends the shop of them. */
export function keepChats({ faults, now, webhookUrl, appSecret, phoneId, number }: Deps): Chats {
  let messages: ChatMessage[] = []
  const bodies = new Map<string, object>()
  const heardAt = new Map<string, number>()
  const underWay = new Set<Promise<unknown>>()
  const closing = new AbortController()

  const add = (message: ChatMessage) => {
    messages = [message, ...messages].slice(0, KEPT)
    return message
  }
  const track = <T>(work: Promise<T>) => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work)).catch(() => {})
    return work
  }
  const event = (content: object) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            field: 'messages',
            value: { messaging_product: 'whatsapp', metadata: { display_phone_number: number, phone_number_id: phoneId }, ...content },
          },
        ],
      },
    ],
  })
  const sign = (body: string) => `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`

  function compose(phone: string, { text, option, id = `wamid.${randomBytes(18).toString('base64')}`, at = now() }: ChatWish) {
    const from = international(phone)
    const content = option
      ? { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: option, title: text } } }
      : { type: 'text', text: { body: text } }
    heardAt.set(phone, Math.max(heardAt.get(phone) ?? 0, at.getTime()))
    const body = event({
      contacts: [{ profile: { name: 'Customer' }, wa_id: from }],
      messages: [{ from, id, timestamp: String(Math.floor(at.getTime() / 1000)), ...content }],
    })
    bodies.set(id, body)
    const bubble = { body: text, button: null, options: [], template: null, at: at.toISOString(), status: null, result: null }
    return { message: add({ id, phone, from: 'customer', ...bubble }), body }
  }

  async function deliver(whole: object, phone: string): Promise<string> {
    const fault = faults.takeFor('webhook', phone)
    const forged = fault?.kind === 'bad-signature'
    const {
      body,
      count = 1,
      delayMs = 0,
      isLost,
    } = applyToWebhook(whole, forged ? null : (fault as Exclude<typeof fault, { kind: 'bad-signature' }>))
    if (isLost) return 'lost'
    if (delayMs > 0) await waitFor(delayMs, closing.signal)
    const once = () => post(body, forged ? `sha256=${'0'.repeat(64)}` : sign(body), forged)
    const [first = 'lost'] = await Promise.all(Array.from({ length: count }, once))
    return first
  }

  async function post(body: string, signature: string, isForged: boolean): Promise<string> {
    const headers = headersOf(signature)
    for (let attempt = 0; ; attempt += 1) {
      const { taken, result } = await callShop(webhookUrl(), { method: 'POST', headers, body }, TIMEOUT_MS, closing.signal)
      const wait = RETRY_MS[attempt]
      if (taken || isForged || wait === undefined || closing.signal.aborted) return result
      await waitFor(wait, closing.signal)
    }
  }

  async function tell(message: ChatMessage, status: 'sent' | 'delivered' | 'read' | 'failed') {
    message.status = status
    const errors = status === 'failed' ? { errors: [{ code: 131026, title: 'Message undeliverable' }] } : {}
    const timestamp = String(Math.floor(now().getTime() / 1000))
    const { id } = message
    await deliver(event({ statuses: [{ id, status, timestamp, recipient_id: international(message.phone), ...errors }] }), message.phone)
  }

  return {
    list: () => messages,
    write(phone, wish) {
      const { message, body } = compose(phone, wish)
      const text = JSON.stringify(body)
      return { message, webhook: { body: text, headers: headersOf(sign(text)) } }
    },

    async say(phone, wish) {
      const { message, body } = compose(phone, wish)
      message.result = await track(deliver(body, phone))
      return message
    },

    async repeat(id) {
      const message = messages.find((one) => one.id === id)
      const body = bodies.get(id)
      if (!message || !body) throw new Refusal(404, 'That message is not known.')
      message.result = await track(deliver(body, message.phone))
      return message
    },
    arrive(phone, content) {
      const id = `wamid.${randomBytes(18).toString('base64')}`
      const bubble = { at: now().toISOString(), status: 'sending' as const, result: null }
      const message = add({ id, phone, from: 'shop', ...content, ...bubble })
      const fault = faults.takeFor('status', phone)
      if (fault?.kind === 'never') return message
      const steps = fault?.kind === 'fail' ? (['failed'] as const) : (['sent', 'delivered'] as const)
      void track(steps.reduce<Promise<void>>((before, step) => before.then(() => tell(message, step)), Promise.resolve()))
      return message
    },
    async read(phone) {
      const unread = messages.filter((one) => one.phone === phone && one.from === 'shop' && one.status === 'delivered')
      await Promise.all(unread.map((one) => track(tell(one, 'read'))))
    },
    isInWindow: (phone) => now().getTime() - (heardAt.get(phone) ?? Number.NEGATIVE_INFINITY) < WINDOW_MS,
    async close() {
      closing.abort()
      await Promise.allSettled(underWay)
    },
  }
}

function headersOf(signature: string) {
  return { 'content-type': 'application/json', 'x-hub-signature-256': signature }
}

function international(phone: string): string {
  return `233${phone.slice(1)}`
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

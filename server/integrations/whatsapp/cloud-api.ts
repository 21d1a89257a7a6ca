import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { type Answer, fetchJson } from '../fetch-json.ts'
import { toInternational } from '../sms/sms-sender.ts'
import type {
  ReceivedMessage,
  ReceivedStatus,
  UnnumberedMessage,
  WhatsappBusiness,
  WhatsappEvent,
  WhatsappOutcome,
  WhatsappTemplate,
  WhatsappText,
} from './whatsapp-gateway.ts'

export type CloudApiSettings = {
  baseUrl: string
  version: string
  phoneId: string
  token: string
  appSecret: string
  verifyToken: string
  timeoutMs: number
}

/** Longest texts that the Cloud API takes. */
const TEXT_MAX = 4096
const LIST_TEXT_MAX = 1024
const ROWS_MAX = 10
const BUTTON_MAX = 20
const TITLE_MAX = 24
const DESCRIPTION_MAX = 72

/** The customer has not written for 24 hours. */
const OUTSIDE_WINDOW = 131047
/** Rates of the app, the number and this pair of numbers, an expired token or a lacking permission, unpaid bills, a number being moved. */
const NOT_TAKEN = [4, 80007, 130429, 131048, 131056, 0, 10, 190, 131005, 131031, 131042, 131057]
/** Meta cannot say what happened. */
const UNKNOWN = [1, 2, 131000, 131016, 133004]

/**
 * Meta's WhatsApp Cloud API: messages by `POST /{version}/{phone id}/messages` with a bearer token, webhooks signed by HMAC-SHA256 with the
 * app's secret in X-Hub-Signature-256. Sources: Meta's documentation as quoted by its SDK and by resellers (Twilio, 360dialog, YCloud).
 */
export function createCloudApi(settings: CloudApiSettings): WhatsappBusiness {
  const { baseUrl, version, phoneId, token, appSecret, verifyToken, timeoutMs } = settings
  const post = async (to: string, content: object): Promise<WhatsappOutcome> => {
    const body = { messaging_product: 'whatsapp', recipient_type: 'individual', to: toInternational(to), ...content }
    const headers = { authorization: `Bearer ${token}` }
    return readOutcome(await fetchJson(`${baseUrl}/${version}/${phoneId}/messages`, { method: 'POST', headers, timeoutMs, body }))
  }
  return {
    send: (to, message) => post(to, composeText(message)),
    sendTemplate: (to, template) => post(to, composeTemplate(template)),
    readWebhook: (rawBody, signature) => (isSigned(rawBody, signature, appSecret) ? readEvent(rawBody, phoneId) : null),
    isVerifyToken: (given) => timingSafeEqual(digest(given), digest(verifyToken)),
  }
}

function composeText({ text, options = [], button = 'Choose' }: WhatsappText): object {
  if (options.length === 0) return { type: 'text', text: { preview_url: false, body: cut(text, TEXT_MAX) } }
  const rows = options.slice(0, ROWS_MAX).map(({ id, title, description }) => {
    return { id, title: cut(title, TITLE_MAX), ...(description && { description: cut(description, DESCRIPTION_MAX) }) }
  })
  const action = { button: cut(button, BUTTON_MAX), sections: [{ rows }] }
  return { type: 'interactive', interactive: { type: 'list', body: { text: cut(text, LIST_TEXT_MAX) }, action } }
}

function composeTemplate({ name, language, values }: WhatsappTemplate): object {
  const parameters = values.map((text) => ({ type: 'text', text: text.replace(/\s+/g, ' ') }))
  return { type: 'template', template: { name, language: { code: language }, components: [{ type: 'body', parameters }] } }
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

const accepted = z.object({ messages: z.array(z.object({ id: z.string().min(1).max(200) })).min(1) })
const refused = z.object({ error: z.object({ code: z.number(), message: z.string().optional() }) })

function readOutcome(answer: Answer): WhatsappOutcome {
  if (answer.outcome === 'unknown') return { outcome: answer.neverSent ? 'not-taken' : 'unknown', reason: answer.reason }
  const { status, body } = answer
  const success = accepted.safeParse(body)
  if (status < 300) {
    const id = success.data?.messages[0]?.id
    return id === undefined ? { outcome: 'unknown', reason: 'a success that names no message' } : { outcome: 'accepted', providerId: id }
  }
  const error = refused.safeParse(body).data?.error
  const reason = error ? `${error.code}: ${(error.message ?? '').slice(0, 200)}` : `an answer with status ${status}`
  if (error?.code === OUTSIDE_WINDOW) return { outcome: 'outside-window', reason }
  if (status === 429 || status === 401 || status === 403) return { outcome: 'not-taken', reason }
  if (error && NOT_TAKEN.includes(error.code)) return { outcome: 'not-taken', reason }
  if (status >= 500 || (error && UNKNOWN.includes(error.code))) return { outcome: 'unknown', reason }
  return { outcome: 'rejected', reason }
}

/** Compared as hashes, whose lengths are the same whatever is given. */
function isSigned(rawBody: Buffer, signature: string | undefined, appSecret: string): boolean {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1]
  if (given === undefined) return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', appSecret).update(rawBody).digest())
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const seconds = z.coerce.number().int().min(0).max(4_102_444_800)
const id = z.string().min(1).max(200)
const reply = z.object({ id: z.string().max(200) })
const message = z.object({
  id,
  from: z.string().optional(),
  from_user_id: z.string().min(1).max(200).optional(),
  timestamp: seconds,
  type: z.string(),
  text: z.object({ body: z.string() }).optional(),
  button: z.object({ text: z.string().optional() }).optional(),
  interactive: z.object({ list_reply: reply.optional(), button_reply: reply.optional() }).optional(),
})
const status = z.object({
  id,
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  timestamp: seconds,
  errors: z.array(z.object({ code: z.number(), title: z.string().optional() })).optional(),
})
const contact = z.object({
  user_id: z.string(),
  profile: z.object({ name: z.string().optional(), username: z.string().optional() }).optional(),
})
const value = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: z.array(z.unknown()).max(1_000).optional(),
  messages: z.array(z.unknown()).max(1_000).optional(),
  statuses: z.array(z.unknown()).max(1_000).optional(),
})
const event = z.object({
  entry: z.array(z.object({ changes: z.array(z.object({ field: z.string(), value: z.unknown() })) })).max(1_000),
})

/** One that we cannot read is left out, so that it does not keep the others from being read for ever. */
function readEvent(rawBody: Buffer, phoneId: string): WhatsappEvent {
  const parsed = event.safeParse(parseJson(rawBody))
  const changes = parsed.success ? parsed.data.entry.flatMap((entry) => entry.changes) : []
  const values = changes
    .filter(({ field }) => field === 'messages')
    .flatMap((change) => value.safeParse(change.value).data ?? [])
    .filter(({ metadata }) => metadata.phone_number_id === phoneId)
  const read = values.flatMap(({ messages = [], contacts = [] }) =>
    messages.flatMap((one) => {
      const { data } = message.safeParse(one)
      return data && !UNANSWERED.includes(data.type) ? [{ ...data, contacts }] : []
    }),
  )
  return {
    messages: read.flatMap(toMessage),
    unnumbered: read.flatMap(toUnnumbered),
    statuses: values.flatMap(({ statuses = [] }) => statuses.flatMap((one) => toStatus(status.safeParse(one).data))),
  }
}

/** A thumb put to a message of ours, and news of the number: nobody waits for an answer to these. */
const UNANSWERED = ['reaction', 'system']

type Read = z.output<typeof message> & { contacts: unknown[] }

function toMessage(read: Read): ReceivedMessage[] {
  if (!/^233[0-9]{9}$/.test(read.from ?? '')) return []
  const text = read.text?.body ?? read.button?.text ?? read.interactive?.list_reply?.id ?? read.interactive?.button_reply?.id ?? null
  return [{ id: read.id, phone: `0${read.from?.slice(3)}`, at: new Date(read.timestamp * 1000), text }]
}

/** WhatsApp names people who have hidden their number by `from_user_id` alone. */
function toUnnumbered({ id, from, from_user_id: userId, contacts }: Read): UnnumberedMessage[] {
  if (from !== undefined || userId === undefined) return []
  const known = contacts.flatMap((one) => contact.safeParse(one).data ?? []).find(({ user_id }) => user_id === userId)?.profile
  const name = [known?.name, known?.username && `@${known.username}`].filter(Boolean).join(', ').slice(0, 100)
  return [{ id, userId, name }]
}

function toStatus(read: z.output<typeof status> | undefined): ReceivedStatus[] {
  if (!read) return []
  const [error] = read.errors ?? []
  const reason = error ? `${error.code}: ${(error.title ?? '').slice(0, 200)}` : ''
  return [{ providerId: read.id, status: read.status, at: new Date(read.timestamp * 1000), reason }]
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'))
  } catch {
    return null
  }
}

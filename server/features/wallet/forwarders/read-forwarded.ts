import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Issue } from '../../../../shared/errors.ts'
import { Invalid } from '../../../platform/errors.ts'

/** What a phone's app sent, once it has proven itself. `battery` in percent. */
export type Forwarded =
  | { kind: 'heartbeat'; battery: number | null }
  | { kind: 'message'; sender: string; text: string; at: Date | null; keyHash: Buffer; battery: number | null }

export type RawRequest = { body: Buffer; headers: Record<string, string | string[] | undefined> }

/** Apps sign the time in seconds; a phone's clock may be this far from the shop's. */
const CLOCKS_APART_MS = 5 * 60_000
const MOST_CHARACTERS = 2_000

/** Whether a call has the signature or the key, and how far the phone's clock is off if that is why it has not. */
export type Proof = { proven: boolean; clockOffMs: number | null }

/**
 * SMS Gateway for Android signs: `X-Signature` is the hex HMAC-SHA256 of the raw body and then `X-Timestamp` in seconds, with the key
 * (docs of capcom6/android-sms-gateway, webhooks). The other apps cannot sign what they send: they bring the key itself in a header.
 */
export function checkProof({ body, headers }: RawRequest, { key, signs, now }: { key: string; signs: boolean; now: Date }): Proof {
  if (!signs) {
    const given = one(headers['x-forwarder-key']) ?? /^Bearer (.+)$/.exec(one(headers.authorization) ?? '')?.[1] ?? ''
    return { proven: isSame(given, key), clockOffMs: null }
  }
  const timestamp = one(headers['x-timestamp']) ?? ''
  const expected = createHmac('sha256', key).update(body).update(timestamp).digest('hex')
  const isSigned = isSame((one(headers['x-signature']) ?? '').toLowerCase(), expected)
  if (!isSigned || !/^\d{1,12}$/.test(timestamp)) return { proven: false, clockOffMs: null }
  const clockOffMs = Number(timestamp) * 1_000 - now.getTime()
  return Math.abs(clockOffMs) <= CLOCKS_APART_MS ? { proven: true, clockOffMs: null } : { proven: false, clockOffMs }
}

/** Compares without telling by its time how much is right. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

/**
 * Reads what any of the apps sends: an event of SMS Gateway for Android, the JSON of Incoming SMS to URL, the form of SmsForwarder, or
 * JSON with `sender` and `text`. `{"ping": 1}` and an event that is no received SMS only say that the phone is there.
 * @throws Invalid
 */
export function readForwarded({ body, headers }: RawRequest): Forwarded {
  const fields = readFields(body.toString('utf8'), one(headers['content-type']) ?? '')
  const event = text(fields.event)
  const payload = isRecord(fields.payload) ? fields.payload : fields
  const battery = readBattery(fields, payload)
  if ((event !== null && event !== 'sms:received') || fields.ping !== undefined) return { kind: 'heartbeat', battery }
  const sender = text(payload.sender) ?? text(payload.phoneNumber) ?? text(payload.from) ?? text(payload.address)
  const message = text(payload.message) ?? text(payload.text) ?? text(payload.org_content) ?? text(payload.content) ?? text(payload.body)
  const issues: Issue[] = []
  if (sender === null) issues.push({ path: 'sender', message: 'Send who the message is from, as sender or from.' })
  if (message === null) issues.push({ path: 'text', message: 'Send what the message says, as text, message or content.' })
  if (sender === null || message === null) throw new Invalid(issues)
  const sentAt = payload.receivedAt ?? payload.sentStamp ?? payload.timestamp ?? payload.at
  const id = text(fields.id)
  const key = id === null ? `${sender}\n${message}\n${String(sentAt ?? '')}` : `id ${id}`
  return {
    kind: 'message',
    sender: sender.trim(),
    text: message.slice(0, MOST_CHARACTERS),
    at: readTime(sentAt),
    keyHash: createHash('sha256').update(key).digest(),
    battery,
  }
}

function readFields(body: string, contentType: string): Record<string, unknown> {
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) return Object.fromEntries(new URLSearchParams(body))
  try {
    const parsed: unknown = JSON.parse(body)
    if (isRecord(parsed)) return parsed
  } catch {
    // Said below, as for JSON of another kind.
  }
  throw new Invalid([{ path: '', message: 'Send a JSON object or a form.' }])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.replaceAll('\u0000', '') : null
}

/** ISO, or milliseconds since 1970 as a number or in digits. */
function readTime(value: unknown): Date | null {
  const ms = typeof value === 'number' || /^\d{12,14}$/.test(String(value)) ? Number(value) : Date.parse(String(value))
  return Number.isFinite(ms) && ms > Date.UTC(2020, 0) && ms < Date.UTC(2100, 0) ? new Date(ms) : null
}

/** `battery` in percent, or the health that SMS Gateway for Android reports with its ping. */
function readBattery(fields: Record<string, unknown>, payload: Record<string, unknown>): number | null {
  const health = isRecord(payload.health) && isRecord(payload.health.checks) ? payload.health.checks['battery:level'] : null
  const value = Number(fields.battery ?? (isRecord(health) ? health.observedValue : Number.NaN))
  return Number.isFinite(value) && value >= 0 && value <= 100 ? Math.round(value) : null
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import type { Warn } from './keep-file.ts'

const KEPT_PER_SUBJECT = 120

export const webhookEvent = z.object({
  id: z.string(),
  /** The address; empty until known. */
  url: z.string().default(''),
  body: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  dueAt: z.number(),
  attempts: z.int().default(0),
  /** False for forged events, which are sent once. */
  retried: z.boolean().default(true),
  state: z.enum(['waiting', 'delivered', 'lost', 'given-up']),
  lastResult: z.string().nullable().default(null),
})
export type WebhookEvent = z.output<typeof webhookEvent>

/** Reads files of version 0.2, which call the events `notices` and their attempts `tries`. */
export function readOldNames(kept: unknown): unknown {
  if (typeof kept !== 'object' || kept === null || !('notices' in kept)) return kept
  const { notices, ...rest } = kept as { notices: { tries?: number }[] }
  return { ...rest, webhookEvents: notices.map(({ tries: attempts, ...event }) => ({ ...event, attempts })) }
}

/** The subject of events, such as a payment; it stores its own. */
export type WebhookSubject = { reference: string; webhookEvents: WebhookEvent[] }

export type WebhookSender<S> = {
  /** Queues events about a subject. It does not wait for the delivery. */
  send(subject: S, events: WebhookEvent[]): void
  /** Resumes events that an earlier process had not delivered. */
  resume(subjects: S[]): void
  close(): Promise<void>
}

export type WebhookSenderSettings = {
  /** The address for events without one; null: the event is dropped. */
  usualUrl: () => string | null | Promise<string | null>
  /** Delays before each retry; after the last one it gives up. */
  retryDelaysMs?: readonly number[]
  timeoutMs: number
  save: () => Promise<void>
  log: Warn
}

/** Sends a service's webhook events to the shop, with retries if the service has them. */
export function openWebhookSender<S extends WebhookSubject>(settings: WebhookSenderSettings): WebhookSender<S> {
  const { retryDelaysMs = [], timeoutMs, log } = settings
  const timers = new Map<string, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()

  return {
    send(subject, events) {
      subject.webhookEvents = [...subject.webhookEvents, ...events].slice(-KEPT_PER_SUBJECT)
      for (const event of events) schedule(subject, event)
    },
    resume(subjects) {
      for (const subject of subjects) for (const event of subject.webhookEvents) schedule(subject, event)
    },
    async close() {
      closing.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(underWay)
    },
  }

  function schedule(subject: S, event: WebhookEvent) {
    if (event.state !== 'waiting' || closing.signal.aborted) return
    const timer = setTimeout(
      () => {
        timers.delete(event.id)
        const attempt = deliver(subject, event).catch((error: unknown) => {
          log.warn({ err: error, reference: subject.reference }, 'the sandbox could not save the delivery of a webhook event')
        })
        underWay.add(attempt)
        void attempt.finally(() => underWay.delete(attempt))
      },
      Math.max(0, event.dueAt - Date.now()),
    )
    timers.set(event.id, timer)
  }

  async function deliver(subject: S, event: WebhookEvent) {
    const url = event.url || (await settings.usualUrl())
    if (url === null) {
      subject.webhookEvents = subject.webhookEvents.filter((one) => one !== event)
      return settings.save()
    }
    const { headers, body } = event
    const { taken, result } = await callShop(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
      timeoutMs,
      closing.signal,
    )
    if (closing.signal.aborted && !taken) return
    event.attempts += 1
    event.lastResult = result
    const delay = event.retried ? retryDelaysMs[event.attempts - 1] : undefined
    if (taken) event.state = 'delivered'
    else if (delay === undefined) event.state = 'given-up'
    else event.dueAt = Date.now() + delay
    schedule(subject, event)
    await settings.save()
  }
}

/** Calls the shop; `taken` is whether it accepted. */
export async function callShop(url: string | URL, init: RequestInit, timeoutMs: number, closing: AbortSignal) {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]) })
    await response.body?.cancel()
    return { taken: response.ok, result: `HTTP ${response.status}` }
  } catch (error) {
    return { taken: false, result: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}

/** An event that is due at once by default. */
function makeWebhookEvent(body: string, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return webhookEvent.parse({ id: randomBytes(8).toString('hex'), body, dueAt: Date.now(), state: 'waiting', ...changes })
}

/** The events that result from a fault: one that is lost, a late one, or several. */
export function makeWebhookEvents(
  { body, count = 1, delayMs = 0, isLost = false }: { body: string; count?: number; delayMs?: number; isLost?: boolean },
  changes: (body: string) => Partial<WebhookEvent>,
): WebhookEvent[] {
  const made = { dueAt: Date.now() + delayMs, ...(isLost ? { state: 'lost' as const } : {}) }
  return Array.from({ length: count }, () => makeWebhookEvent(body, { ...made, ...changes(body) }))
}

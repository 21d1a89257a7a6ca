import { createHmac, randomBytes } from 'node:crypto'
import type { Warn } from '../keep-file.ts'
import { asText } from '../spoil.ts'
import type { CardFaults } from './faults.ts'
import type { CardPayment, CardPayments, Notice } from './payments.ts'
import { chargeSuccess } from './replies.ts'

/**
 * The provider tries every three minutes for the first four tries and then hourly up to 72 hours. Here a minute of
 * its time takes a second.
 */
export const RETRY_DELAYS_MS: readonly number[] = [3_000, 3_000, 3_000, ...Array<number>(72).fill(60_000)]

const NOTICES_KEPT_PER_PAYMENT = 120

export type CardEvent = { event: string; data: Record<string, unknown> }

export type NoticeSender = {
  /** Queues a `charge.success` notice, or what a fault makes of it. It does not wait for the delivery. */
  announce(payment: CardPayment): void
  /** The same with another event about the payment. */
  send(payment: CardPayment, event: CardEvent): void
  /** Takes up the notices that an earlier process had not delivered. */
  resume(): void
  close(): Promise<void>
}

export type NoticeSettings = {
  secretKey: string
  webhookUrl: () => string
  retryDelaysMs: readonly number[]
  timeoutMs: number
  log: Warn
}

/** Sends the provider's notices to the shop, signed, and again until they are taken. */
export function sendNotices(payments: CardPayments, faults: CardFaults, settings: NoticeSettings): NoticeSender {
  const timers = new Map<string, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()

  return {
    announce(payment) {
      send(payment, chargeSuccess(payment))
    },
    send,
    resume() {
      for (const payment of payments.list()) for (const notice of payment.notices) arm(payment, notice)
    },
    async close() {
      closing.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(underWay)
    },
  }

  function send(payment: CardPayment, event: CardEvent) {
    const made = makeNotices(event, faults.takeForNotice(payment.reference), settings.secretKey)
    payment.notices = [...payment.notices, ...made].slice(-NOTICES_KEPT_PER_PAYMENT)
    for (const notice of made) arm(payment, notice)
  }

  function arm(payment: CardPayment, notice: Notice) {
    if (notice.state !== 'waiting' || closing.signal.aborted) return
    const timer = setTimeout(
      () => {
        timers.delete(notice.id)
        const attempt = deliver(payment, notice).catch((error: unknown) => {
          settings.log.warn({ err: error, reference: payment.reference }, 'the sandbox could not note a delivery')
        })
        underWay.add(attempt)
        void attempt.finally(() => underWay.delete(attempt))
      },
      Math.max(0, notice.dueAt - Date.now()),
    )
    timers.set(notice.id, timer)
  }

  async function deliver(payment: CardPayment, notice: Notice) {
    const { taken, result } = await post(notice)
    if (closing.signal.aborted && !taken) return
    notice.tries += 1
    notice.lastResult = result
    const delay = notice.retried ? settings.retryDelaysMs[notice.tries - 1] : undefined
    if (taken) notice.state = 'delivered'
    else if (delay === undefined) notice.state = 'given-up'
    else notice.dueAt = Date.now() + delay
    arm(payment, notice)
    await payments.save()
  }

  async function post(notice: Notice) {
    try {
      const response = await fetch(settings.webhookUrl(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-paystack-signature': notice.signature },
        body: notice.body,
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(settings.timeoutMs)]),
      })
      await response.body?.cancel()
      return { taken: response.ok, result: `HTTP ${response.status}` }
    } catch (error) {
      return { taken: false, result: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
    }
  }
}

/** HMAC-SHA512 in hex over the exact bytes of the body, keyed with the secret API key. */
function signBody(body: string, secretKey: string): string {
  return createHmac('sha512', secretKey).update(body).digest('hex')
}

function makeNotices(whole: CardEvent, fault: ReturnType<CardFaults['takeForNotice']>, secretKey: string): Notice[] {
  const plain = JSON.stringify(whole)
  const make = (body = plain, changes: Partial<Notice> = {}): Notice => ({
    id: randomBytes(8).toString('hex'),
    body,
    signature: signBody(body, secretKey),
    dueAt: Date.now(),
    tries: 0,
    retried: true,
    state: 'waiting',
    lastResult: null,
    ...changes,
  })
  switch (fault?.kind) {
    case undefined:
      return [make()]
    case 'lose':
      return [make(plain, { state: 'lost' })]
    case 'delay':
      return [make(plain, { dueAt: Date.now() + fault.delayMs })]
    case 'repeat':
      return Array.from({ length: fault.count }, () => make())
    case 'bad-signature':
      return [make(plain, { signature: signBody(plain, `${secretKey}, but forged`), retried: false })]
    case 'body':
      return [make(asText(fault.body))]
    case 'data':
      return [make(JSON.stringify({ ...whole, data: { ...whole.data, ...fault.data } }))]
  }
}

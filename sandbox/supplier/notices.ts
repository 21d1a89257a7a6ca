import { randomBytes } from 'node:crypto'
import type { Warn } from '../keep-file.ts'
import { asText } from '../spoil.ts'
import type { Deliveries, Delivery, Notice } from './deliveries.ts'
import type { SupplierFaults } from './faults.ts'

const NOTICES_KEPT_PER_DELIVERY = 120

/** What the supplier writes about a delivery, in its shape of today and in the older one; null where it writes nothing. */
export type WriteNotice = (delivery: Delivery) => { whole: { data: object }; flat: object } | null

export type NoticeSender = {
  /** Queues a notice, or what a fault makes of it. It does not wait for the delivery. */
  announce(delivery: Delivery): void
  /** Takes up the notices that an earlier process had not sent. */
  resume(): void
  close(): Promise<void>
}

export type NoticeSettings = {
  write: WriteNotice
  /** Where notices go whose order names no address. */
  usualUrl: () => string | null | Promise<string | null>
  timeoutMs: number
  log: Warn
}

/** Sends the supplier's notices to the shop, unsigned and once. */
export function sendNotices(deliveries: Deliveries, faults: SupplierFaults, settings: NoticeSettings): NoticeSender {
  const timers = new Map<string, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()

  return {
    announce(delivery) {
      const made = makeNotices(delivery)
      delivery.notices = [...delivery.notices, ...made].slice(-NOTICES_KEPT_PER_DELIVERY)
      for (const notice of made) arm(delivery, notice)
    },
    resume() {
      for (const delivery of deliveries.list()) for (const notice of delivery.notices) arm(delivery, notice)
    },
    async close() {
      closing.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(underWay)
    },
  }

  function makeNotices(delivery: Delivery): Notice[] {
    const written = settings.write(delivery)
    if (!written) return []
    const { whole, flat } = written
    const fault = faults.takeForNotice(delivery)
    const make = (body: unknown = whole, changes: Partial<Notice> = {}): Notice => ({
      id: randomBytes(8).toString('hex'),
      url: delivery.webhook ?? '',
      body: asText(body),
      dueAt: Date.now(),
      state: 'waiting',
      result: null,
      ...changes,
    })
    switch (fault?.kind) {
      case undefined:
        return [make()]
      case 'lose':
        return [make(whole, { state: 'lost' })]
      case 'delay':
        return [make(whole, { dueAt: Date.now() + fault.delayMs })]
      case 'repeat':
        return Array.from({ length: fault.count }, () => make())
      case 'flat':
        return [make(flat)]
      case 'body':
        return [make(fault.body)]
      case 'data':
        return [make({ ...whole, data: { ...whole.data, ...fault.data } })]
    }
  }

  function arm(delivery: Delivery, notice: Notice) {
    if (notice.state !== 'waiting' || closing.signal.aborted) return
    const timer = setTimeout(
      () => {
        timers.delete(notice.id)
        const attempt = deliver(delivery, notice).catch((error: unknown) => {
          settings.log.warn({ err: error, reference: delivery.reference }, 'the sandbox could not note a notice')
        })
        underWay.add(attempt)
        void attempt.finally(() => underWay.delete(attempt))
      },
      Math.max(0, notice.dueAt - Date.now()),
    )
    timers.set(notice.id, timer)
  }

  async function deliver(delivery: Delivery, notice: Notice) {
    const url = notice.url || (await settings.usualUrl())
    if (url === null) {
      delivery.notices = delivery.notices.filter((one) => one !== notice)
    } else {
      const { taken, result } = await post(url, notice.body)
      if (closing.signal.aborted && !taken) return
      Object.assign(notice, { url, result, state: taken ? 'delivered' : 'failed' })
    }
    await deliveries.save()
  }

  async function post(url: string, body: string) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
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

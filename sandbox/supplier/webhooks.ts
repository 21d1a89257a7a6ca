import { applyToWebhook, asText } from '../faults.ts'
import type { Warn } from '../keep-file.ts'
import { makeWebhookEvents, openWebhookSender } from '../webhook-sender.ts'
import type { Deliveries, Delivery } from './deliveries.ts'
import type { SupplierFaults } from './faults.ts'

/** What the supplier writes about a delivery, in its shape of today and in the older one; null where it writes nothing. */
export type WriteWebhook = (delivery: Delivery) => { whole: { data: object }; flat: object } | null

export type SupplierWebhooks = {
  /** Queues an event, or what a fault makes of it. It does not wait for the delivery. */
  announce(delivery: Delivery): void
  resume(): void
  close(): Promise<void>
}

/** Sends the supplier's events to the shop, unsigned and once. */
export function sendSupplierWebhooks(
  deliveries: Deliveries,
  faults: SupplierFaults,
  settings: {
    write: WriteWebhook
    /** Where events go whose order names no address. */
    usualUrl: () => string | null | Promise<string | null>
    timeoutMs: number
    log: Warn
  },
): SupplierWebhooks {
  const { write, usualUrl, timeoutMs, log } = settings
  const sender = openWebhookSender<Delivery>({ usualUrl, timeoutMs, save: () => deliveries.save(), log })
  return {
    announce(delivery) {
      const written = write(delivery)
      if (!written) return
      const fault = faults.takeForWebhook(delivery)
      const made = fault?.kind === 'flat' ? { body: asText(written.flat) } : applyToWebhook(written.whole, fault)
      sender.send(
        delivery,
        makeWebhookEvents(made, () => ({ url: delivery.webhook ?? '' })),
      )
    },
    resume: () => sender.resume(deliveries.list()),
    close: () => sender.close(),
  }
}

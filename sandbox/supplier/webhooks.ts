import { applyToWebhook, asText } from '../faults.ts'
import type { Warn } from '../keep-file.ts'
import { makeWebhookEvents, openWebhookSender } from '../webhook-sender.ts'
import type { Deliveries, Delivery } from './deliveries.ts'
import type { SupplierFaults } from './faults.ts'

/** The event about a delivery, in the current and the older shape; null if there is none. */
export type WriteWebhook = (delivery: Delivery) => { whole: { data: object }; flat: object } | null

export type SupplierWebhooks = {
  /** Queues an event with any waiting fault applied. It does not wait for the delivery. */
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
    /** The address for orders without one. */
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

import type { Warn } from '../keep-file.ts'
import { Refusal } from '../refusal.ts'
import type { Deliveries, Delivery, NewDelivery } from './deliveries.ts'
import type { DeliveryState, SupplierFaults } from './faults.ts'
import type { SupplierWebhooks } from './webhooks.ts'

/** States in which the supplier has returned the money. */
const REFUNDED: readonly DeliveryState[] = ['failed', 'cancelled', 'refunded']
const ANNOUNCED: readonly DeliveryState[] = ['delivered', 'failed']

export type StateChange = {
  state: DeliveryState
  /** The supplier's word for it, if not the usual one. */
  word?: string | undefined
  reason?: string | undefined
  /** Whether to send a webhook event; by default, if the supplier announces the state. */
  webhook?: boolean | undefined
}

export type Delivering = {
  /** Accepts an order: charges for it and schedules its delivery. It does not save. */
  begin(order: NewDelivery): Delivery
  /** The newest order with a reference. */
  setState(reference: string, change: StateChange): Promise<Delivery>
  /** Sends a webhook event about an order's current state. */
  notifyAgain(reference: string): Promise<Delivery>
  resume(): void
  close(): void
}

/** Delivers the accepted orders, as the mobile networks would. */
export function playNetworks(
  deliveries: Deliveries,
  faults: SupplierFaults,
  webhooks: SupplierWebhooks,
  { log }: { log: Warn },
): Delivering {
  const timers = new Map<string, NodeJS.Timeout>()

  return {
    begin(order) {
      const delivery = deliveries.add(order)
      const fault = faults.takeForDelivery(delivery)
      const afterMs = (fault?.kind === 'end' ? fault.afterMs : undefined) ?? deliveries.settings.deliversAfterMs
      if (fault?.kind === 'never' || (afterMs === null && fault === null)) return delivery
      const { state = 'delivered', word = null, reason = '' } = fault?.kind === 'end' ? fault : {}
      delivery.end = { state, word, reason, at: Date.now() + (afterMs ?? 0) }
      arm(delivery)
      return delivery
    },
    async setState(reference, change) {
      const delivery = known(reference)
      clearTimeout(timers.get(delivery.id))
      enter(delivery, change)
      await deliveries.save()
      return delivery
    },
    async notifyAgain(reference) {
      const delivery = known(reference)
      webhooks.announce(delivery)
      await deliveries.save()
      return delivery
    },
    resume() {
      for (const delivery of deliveries.list()) arm(delivery)
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }

  function known(reference: string) {
    const delivery = deliveries.find(reference)
    if (!delivery) throw new Refusal(404, 'The data supplier knows no order with that reference.')
    return delivery
  }

  function arm(delivery: Delivery) {
    const { end } = delivery
    if (!end) return
    const timer = setTimeout(
      () => {
        timers.delete(delivery.id)
        enter(delivery, { ...end, word: end.word ?? undefined })
        deliveries.save().catch((error: unknown) => log.warn({ err: error }, 'the sandbox could not keep a delivery'))
      },
      Math.max(0, end.at - Date.now()),
    )
    timers.set(delivery.id, timer)
  }

  function enter(delivery: Delivery, { state, word, reason, webhook = ANNOUNCED.includes(state) }: StateChange) {
    const wasRefunded = REFUNDED.includes(delivery.state)
    const isRefunded = REFUNDED.includes(state)
    const { settings } = deliveries
    if (!wasRefunded && isRefunded) settings.balancePesewas += delivery.costPesewas
    if (wasRefunded && !isRefunded) settings.balancePesewas = Math.max(0, settings.balancePesewas - delivery.costPesewas)
    delivery.end = null
    delivery.state = state
    delivery.word = word ?? null
    delivery.reason = reason ?? ''
    if (webhook) webhooks.announce(delivery)
  }
}

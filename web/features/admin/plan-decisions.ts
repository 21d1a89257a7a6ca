import type { DecideManyRequest, Decision, Order } from '../../../shared/orders.ts'
import { type DeliveryStatus, NEEDS_A_LOOK, needsReason } from '../../../shared/suppliers.ts'

/** Adds orders to a selection, each once, up to the most that one question may decide; those selected first stay. */
export function addToSelection(selected: readonly Order[], more: readonly Order[], most: number): ReadonlyMap<string, Order> {
  const all = new Map([...selected, ...more].map((order) => [order._id, order]))
  return new Map([...all].slice(0, most))
}

const KINDS = [
  { title: 'With a supplier', standings: ['sending', 'accepted'] },
  { title: 'Delivered', standings: ['delivered'] },
  { title: 'Unclear', standings: ['unknown'] },
  { title: 'Not sent yet', standings: ['waiting'] },
] as const satisfies { title: string; standings: DeliveryStatus[] }[]

export type SetAside = { title: string; orders: Order[] }

/** Which orders are decided as they are, and which are left out unless they are ticked, by how they stand at a supplier. */
export function planDecisions(orders: readonly Order[]): { ready: Order[]; aside: SetAside[] } {
  const aside = KINDS.map(({ title, standings }) => ({ title, orders: orders.filter((order) => isOneOf(standings, order)) }))
  return { ready: orders.filter(isDoneByHand), aside: aside.filter((kind) => kind.orders.length > 0) }
}

/** Whether a person who sends it from a phone does the work: no supplier has it, is to get it or has delivered it. */
export function isDoneByHand({ supplier }: Order): boolean {
  return !supplier || !NEEDS_A_LOOK.includes(supplier.status)
}

/** What the server is asked to decide: `ticked` are those that were set aside and chosen all the same. */
export function toRequest(ready: readonly Order[], ticked: readonly Order[], status: Decision, reason: string): DecideManyRequest {
  const chosen = ticked.flatMap(({ _id, supplier }) => (supplier ? [{ id: _id, supplierStatus: supplier.status }] : []))
  const why = reason.trim()
  return {
    ids: [...ready, ...ticked].map(({ _id }) => _id),
    status,
    ...(chosen.length > 0 ? { chosen: { orders: chosen, ...(why ? { reason: why } : {}) } } : {}),
  }
}

export function asksForReason(orders: readonly Order[], status: Decision): boolean {
  return orders.some(({ supplier }) => supplier && needsReason(status, supplier.status))
}

/** The orders that a person types into a portal, by network: each network has a portal of its own. */
export function listsToCopy(orders: readonly Order[]): { network: string; orders: Order[] }[] {
  return [...Map.groupBy(orders.filter(isDoneByHand), ({ network }) => network)].map(([network, those]) => ({ network, orders: those }))
}

function isOneOf(standings: readonly DeliveryStatus[], { supplier }: Order): boolean {
  return supplier !== null && supplier !== undefined && standings.includes(supplier.status)
}

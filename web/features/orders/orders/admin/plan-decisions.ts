import type { DecideManyRequest, Decision, Order } from '../../../../../shared/orders.ts'
import { type DeliveryStatus, NEEDS_A_LOOK, needsReason } from '../../../../../shared/suppliers.ts'

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

/** `locked` ones cannot be ticked: the server decides them one at a time only. */
export type SetAside = { title: string; orders: Order[]; locked?: boolean }

/**
 * Which orders are decided as they are, and which are left out unless they are ticked, by how they stand at a supplier.
 * Those on hold or in a batch are always left out.
 */
export function planDecisions(orders: readonly Order[]): { ready: Order[]; aside: SetAside[] } {
  const free = orders.filter(({ onHold, batch }) => !onHold && !batch)
  const batched: SetAside = { title: 'In a batch', orders: orders.filter(({ onHold, batch }) => !onHold && batch), locked: true }
  const held: SetAside = { title: 'On hold', orders: orders.filter(({ onHold }) => onHold), locked: true }
  const aside = KINDS.map(({ title, standings }): SetAside => ({ title, orders: free.filter((order) => isOneOf(standings, order)) }))
  return { ready: free.filter(isDoneByHand), aside: [...aside, held, batched].filter((kind) => kind.orders.length > 0) }
}

/** True if a person has to send the data: the order is not on hold or in a batch, and no supplier is involved. */
export function isDoneByHand({ supplier, onHold, batch }: Order): boolean {
  return !onHold && !batch && (!supplier || !NEEDS_A_LOOK.includes(supplier.status))
}

/** The request to the server; `ticked` are orders that were set aside and chosen anyway. */
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

/** The same for an order that is decided by itself, which may be completed although a supplier has it. */
export function asksForReasonAlone(order: Order, status: Decision): boolean {
  return Boolean(order.onHold) || (status === 'rejected' && asksForReason([order], status))
}

/** The orders that a person types into a portal, by network: each network has a portal of its own. */
export function listsToCopy(orders: readonly Order[]): { network: string; orders: Order[] }[] {
  return [...Map.groupBy(orders.filter(isDoneByHand), ({ network }) => network)].map(([network, those]) => ({ network, orders: those }))
}

function isOneOf(standings: readonly DeliveryStatus[], { supplier }: Order): boolean {
  return supplier !== null && supplier !== undefined && standings.includes(supplier.status)
}

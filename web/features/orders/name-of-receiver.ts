import type { Receiver } from '../../../shared/contacts.ts'
import type { Order } from '../../../shared/orders.ts'

/** The name that the customer gave an order's receiver, for its network or else for another. */
export function nameOfReceiver(receivers: readonly Receiver[], { network, receiver }: Pick<Order, 'network' | 'receiver'>): string | null {
  const named = receivers.filter(({ phoneNumber, name }) => phoneNumber === receiver && name !== null)
  return (named.find((one) => one.network === network) ?? named[0])?.name ?? null
}

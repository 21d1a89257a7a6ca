import type { Receiver } from '../../../shared/contacts.ts'

/** The customer's name for a number: the one given for this network, or else for another; null when it has none. */
export function nameOfReceiver(network: string, phoneNumber: string, receivers: readonly Receiver[]): string | null {
  const named = receivers.filter((one) => one.phoneNumber === phoneNumber && one.name !== null)
  return (named.find((one) => one.network === network) ?? named[0])?.name ?? null
}

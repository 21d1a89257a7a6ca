import type { Receiver } from '../../../../shared/contacts.ts'

/** The name that the customer gave a number, for this network or else for another; null when it has none. */
export function nameOfReceiver(
  receivers: readonly Receiver[],
  { network, receiver }: { network: string; receiver: string },
): string | null {
  const named = receivers.filter(({ phoneNumber, name }) => phoneNumber === receiver && name !== null)
  return (named.find((one) => one.network === network) ?? named[0])?.name ?? null
}

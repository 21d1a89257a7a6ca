import type { Receiver } from '../../../../shared/contacts.ts'
import { type Network, operatorOfNetwork } from '../../../../shared/networks.ts'
import { operatorOfNumber } from '../../../../shared/phones.ts'

/** A number that may be bought for again, and the name that the customer gave it for this network or another. */
export type KnownReceiver = Pick<Receiver, 'phoneNumber' | 'name' | 'contactId' | 'lastBoughtAt' | 'offer'>

/**
 * The receivers that suit a network, each number once: its own first, then numbers of the same operator that are known from
 * another product. Any number suits what has no operator, such as airtime.
 */
export function receiversFor(network: Network, receivers: readonly Receiver[]): KnownReceiver[] {
  const operator = operatorOfNetwork(network)
  const own = receivers.filter((one) => one.network === network)
  const others = receivers.filter((one) => one.network !== network && (operator === null || operatorOfNumber(one.phoneNumber) === operator))
  const found = new Map<string, KnownReceiver>(own.map((one) => [one.phoneNumber, one]))
  for (const { phoneNumber, name } of others) {
    const known = found.get(phoneNumber)
    if (!known) found.set(phoneNumber, { phoneNumber, name, contactId: null, lastBoughtAt: null, offer: null })
    else if (known.name === null && name !== null) found.set(phoneNumber, { ...known, name })
  }
  return [...found.values()]
}

/** Those whose name or number has what was typed in it, names that begin with it first; all of them for no text. */
export function findReceivers(typed: string, receivers: readonly KnownReceiver[]): KnownReceiver[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return [...receivers]
  const digits = /\p{L}/u.test(text) ? '' : text.replace(/\D/g, '')
  const placeOf = ({ name, phoneNumber }: KnownReceiver) => {
    const known = name?.toLowerCase() ?? ''
    if (known.startsWith(text)) return 0
    if (known.split(/\s+/).some((word) => word.startsWith(text))) return 1
    if (known.includes(text)) return 2
    return digits !== '' && phoneNumber.includes(digits) ? 3 : null
  }
  return receivers
    .flatMap((receiver) => {
      const place = placeOf(receiver)
      return place === null ? [] : [{ receiver, place }]
    })
    .sort((one, other) => one.place - other.place)
    .map(({ receiver }) => receiver)
}

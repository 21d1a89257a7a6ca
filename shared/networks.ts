import { type Operator, operatorOfNumber, PHONE_DIGITS } from './phones.ts'

/** The kinds of product that the shop sells. */
export const NETWORKS = ['MTN', 'AirtelTigo', 'Telecel', 'Airtime', 'AFA', 'WAEC Checkers', 'MTN PULSE'] as const
export type Network = (typeof NETWORKS)[number]

/** The operator whose numbers a network's product is meant for; null when any number will do. */
export function operatorOfNetwork(name: Network): Operator | null {
  switch (name) {
    case 'MTN':
    case 'AFA':
    case 'MTN PULSE':
      return 'MTN'
    case 'AirtelTigo':
    case 'Telecel':
      return name
    default:
      return null
  }
}

/**
 * A warning when the receiver's prefix belongs to another operator than `wanted`, which is the product's unless airtime names one;
 * otherwise null. Only a warning: numbers have been portable in Ghana since July 2011.
 */
export function prefixWarning(name: Network, phone: string, wanted: string | null = operatorOfNetwork(name)): string | null {
  const found = phone.length === PHONE_DIGITS ? operatorOfNumber(phone) : null
  if (!wanted || !found || wanted === found) return null
  return `${phone.slice(0, 3)} is usually ${found === 'MTN' || found === 'AirtelTigo' ? 'an' : 'a'} ${found} number. Check it before you pay for ${name === 'Airtime' ? `${wanted} airtime` : name}.`
}

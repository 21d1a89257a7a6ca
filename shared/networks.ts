import * as z from 'zod/mini'

/** The kinds of product that the shop sells (spec section 5, network options). */
export const NETWORKS = ['MTN', 'AirtelTigo', 'Telecel', 'Airtime', 'AFA', 'WAEC Checkers', 'MTN PULSE'] as const
export type Network = (typeof NETWORKS)[number]

export const network = z.enum(NETWORKS, { error: 'Choose a network from the list.' })

/** The mobile operators whose numbers can be told apart by prefix. */
export type Operator = 'MTN' | 'AirtelTigo' | 'Telecel'

/** Prefixes as assigned in Ghana; a number can be ported, so a prefix only ever warns. */
const OPERATOR_PREFIXES: Record<Operator, readonly string[]> = {
  MTN: ['024', '025', '053', '054', '055', '059'],
  Telecel: ['020', '050'],
  AirtelTigo: ['026', '056', '027', '057'],
}

/** The operator that a 10-digit number's prefix was assigned to, or null when it is no mobile prefix known here. */
export function operatorOfNumber(phone: string): Operator | null {
  const prefix = phone.slice(0, 3)
  for (const [operator, prefixes] of Object.entries(OPERATOR_PREFIXES)) {
    if (prefixes.includes(prefix)) return operator as Operator
  }
  return null
}

/** The operator whose numbers a network's product is meant for, or null when any number will do. */
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
 * A sentence of warning when the receiver's prefix belongs to another operator than the product's, or null.
 * It never refuses: numbers have been portable in Ghana since July 2011.
 */
export function prefixWarning(name: Network, phone: string): string | null {
  const wanted = operatorOfNetwork(name)
  const found = phone.length === 10 ? operatorOfNumber(phone) : null
  if (!wanted || !found || wanted === found) return null
  return `${phone.slice(0, 3)} is usually ${found === 'Telecel' ? 'a' : 'an'} ${found} number. Check it before you pay for ${name}.`
}

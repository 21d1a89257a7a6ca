import { Taken } from '../../platform/errors.ts'
import { seemsSomebodyElses } from '../users/refuse-reserved-name.ts'

const MESSAGES = {
  name: 'That name could be mistaken for our own shop, a network or a bank. Please choose another.',
  slug: 'That link is not free. Please choose another.',
}

/**
 * Refuses a name or link of an agent's shop that guests could take for the house itself, "Dwadi Official", "dwad1-gh", or for a network, a bank or
 * a payment service, "MTN Ghana". A name that only has one of these among others, "Akosua at Dwadi", is fine.
 * @throws Taken
 */
export function refuseOurName(field: keyof typeof MESSAGES, wanted: string, house: string): void {
  if (seemsSomebodyElses(wanted, house)) throw new Taken(field, MESSAGES[field])
}

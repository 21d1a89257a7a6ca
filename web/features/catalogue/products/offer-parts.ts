/** An offer's name without what is said in smaller letters beneath it. */
type OfferParts = { name: string; note: string | undefined; operator: string | undefined }

const DURATION = /[\s(–-]*\b(\d{1,3}[ -]?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?)|no[ -]expiry|non[ -]expiry)\b\)?/i
const OPERATOR = /^(MTN|Telecel|AirtelTigo)\s+(?=\S)/

/** "5GB (30 days)" is 5GB for 30 days; of airtime, "Telecel GHS 5" is GHS 5 for Telecel. Any other name stays whole. */
export function offerParts(network: string, offer: string): OfferParts {
  if (network === 'Airtime') {
    const operator = OPERATOR.exec(offer)?.[1]
    return { name: offer.replace(OPERATOR, ''), note: operator, operator }
  }
  const duration = DURATION.exec(offer)
  const name = duration ? offer.replace(DURATION, '').trim() : offer
  if (!duration?.[1] || name === '') return { name: offer, note: undefined, operator: undefined }
  const note = /expiry/i.test(duration[1]) ? 'No expiry' : duration[1]
  return { name, note, operator: undefined }
}

/** The networks that airtime is offered for, in the order of the offers; empty where their names don't say. */
export function operatorsOf({ network, packages }: { network: string; packages: readonly { offer: string }[] }): string[] {
  const operators = packages.map(({ offer }) => offerParts(network, offer).operator)
  return operators.every((one) => one !== undefined) ? [...new Set(operators)] : []
}

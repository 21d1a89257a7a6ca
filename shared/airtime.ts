/** The operators whose airtime the shop sells. */
export const AIRTIME_OPERATORS = ['MTN', 'Telecel', 'AirtelTigo'] as const
export type AirtimeOperator = (typeof AIRTIME_OPERATORS)[number]

/** Airtime for a phone of one operator. */
export type Airtime = { operator: AirtimeOperator; amountPesewas: number }

const OFFER = /^(MTN|Telecel|AirtelTigo)\s+(?:GHS|GH¢|GH₵|¢|₵)\s?(\d{1,4})(?:\.(\d{2}))?$/

/**
 * What an offer of airtime names: "Telecel GHS 5" is 500 pesewas for a Telecel phone. Null when it does not name one operator and one
 * amount in exactly this way, so that a supplier is never sent a guess.
 */
export function offerAirtime(offer: string): Airtime | null {
  const [, operator, cedis = '', pesewas = '0'] = OFFER.exec(offer.trim()) ?? []
  const amountPesewas = Number(cedis) * 100 + Number(pesewas)
  return operator === undefined || amountPesewas === 0 ? null : { operator: operator as AirtimeOperator, amountPesewas }
}

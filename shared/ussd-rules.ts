/** Gateways between the networks' USSD and the shop. */
export const USSD_GATEWAYS = ['arkesel', 'nalo', 'hubtel'] as const
export type UssdGatewayName = (typeof USSD_GATEWAYS)[number]

export const USSD_GATEWAY_WORDS: Record<UssdGatewayName, string> = { arkesel: 'Arkesel', nalo: 'Nalo', hubtel: 'Hubtel' }

/** A network carries 182; gateways allow fewer. */
export const LEAST_CHARACTERS = 100
export const MOST_CHARACTERS = 182

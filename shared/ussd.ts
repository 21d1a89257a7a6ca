import * as z from 'zod/mini'
import { addressList } from './api-keys.ts'
import { endpoints } from './endpoint.ts'
import { LEAST_CHARACTERS, MOST_CHARACTERS, USSD_GATEWAYS } from './ussd-rules.ts'

const CHARACTERS = `Enter a whole number from ${LEAST_CHARACTERS} to ${MOST_CHARACTERS}.`
const gateway = z.enum(USSD_GATEWAYS, { error: 'Choose a gateway from the list.' })
const mostCharacters = z
  .int({ error: CHARACTERS })
  .check(z.minimum(LEAST_CHARACTERS, { error: CHARACTERS }), z.maximum(MOST_CHARACTERS, { error: CHARACTERS }))

const ussdSettings = z.object({
  gateway,
  /** Where calls may come from, as IP addresses or ranges; none for anywhere. */
  addresses: z.array(z.string()),
  mostCharacters,
  /** Whether there is an address for the gateway. It is shown once, when it is made. */
  hasAddress: z.boolean(),
  seenAt: z.nullable(z.string()),
  /** What was wrong with the last call that was not taken, and when. */
  problem: z.nullable(z.object({ message: z.string(), at: z.string() })),
})
export type UssdSettings = z.output<typeof ussdSettings>

export const ussdSettingsEndpoints = endpoints({
  'GET /admin/ussd': {
    id: 'readUssd',
    tag: 'admin',
    summary: 'How the USSD gateway reaches the shop',
    access: 'owner',
    reply: ussdSettings,
  },
  'PUT /admin/ussd': {
    id: 'changeUssd',
    tag: 'admin',
    summary: 'Change it; what is not sent stays as it is',
    access: 'owner',
    body: z.partial(z.object({ gateway, addresses: addressList, mostCharacters })),
    reply: ussdSettings,
  },
  'POST /admin/ussd/address': {
    id: 'createUssdAddress',
    tag: 'admin',
    summary: 'A new address for the gateway, shown this once. The one before ends at once',
    access: 'owner',
    reply: z.object({ address: z.string() }),
  },
  'GET /admin/ussd/test': {
    id: 'tryUssd',
    tag: 'admin',
    summary: 'The first screen that your own phone would get, and the reply as the gateway gets it',
    access: 'owner',
    reply: z.object({ text: z.string(), characters: z.number(), sends: z.record(z.string(), z.union([z.string(), z.boolean()])) }),
  },
})

/** Called by the gateway, which knows the secret in the address. */
export const ussdEndpoints = endpoints({
  'POST /ussd/:secret': {
    id: 'receiveUssd',
    tag: 'orders',
    summary: 'A turn of a USSD session',
    access: 'anyone',
    params: z.object({ secret: z.string() }),
    body: z.unknown(),
    reply: z.record(z.string(), z.union([z.string(), z.boolean()])),
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    hidden: true,
  },
})

import * as z from 'zod/mini'
import { readTypedId, TYPED_ID } from './claim-rules.ts'
import { endpoints } from './endpoint.ts'

/** What becomes of a claim: `checking` until a payment with its id has come and is certain, or a person has looked. */
const CLAIM_STATES = ['checking', 'credited', 'taken', 'expired'] as const

/** `amount` in cedis, once it is credited. */
const claim = z.object({
  _id: z.string(),
  transactionId: z.string(),
  createdAt: z.string(),
  state: z.enum(CLAIM_STATES),
  amount: z.nullable(z.number()),
})
export type Claim = z.output<typeof claim>

export const NOT_AN_ID = 'Type the transaction ID from your payment message: 8 to 20 digits.'

export const claimEndpoints = endpoints({
  'GET /claim': {
    id: 'listClaims',
    tag: 'recharges',
    summary: 'Own claims of payments by their transaction id, the newest 10',
    access: 'signed-in',
    reply: z.array(claim),
  },
  'POST /claim': {
    id: 'claimPayment',
    tag: 'recharges',
    summary:
      'Say that a mobile-money payment is one’s own, by its transaction id. It is credited once it is certain, or a person has looked',
    access: 'signed-in',
    body: z.object({
      transactionId: z.string({ error: NOT_AN_ID }).check(z.overwrite(readTypedId), z.regex(TYPED_ID, { error: NOT_AN_ID })),
    }),
    reply: z.object({ claim }),
    errors: ['CONFLICT'],
  },
})

import * as z from 'zod/mini'
import { isCedis, NOT_AN_AMOUNT } from './money.ts'

/** An amount on the wire: a JSON number of cedis with at most two decimals. */
export const cedis = z.number({ error: NOT_AN_AMOUNT }).check(z.refine(isCedis, { error: NOT_AN_AMOUNT }))

/** An amount on the wire that is greater than zero. */
export const positiveCedis = z.number({ error: NOT_AN_AMOUNT }).check(
  z.refine(isCedis, { error: NOT_AN_AMOUNT, abort: true }),
  z.refine((value) => value > 0, { error: 'The amount must be more than zero.' }),
)

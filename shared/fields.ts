import * as z from 'zod/mini'
import { IF_ON_THE_WAY_HEADER } from './limits.ts'
import { isCedis, NOT_AN_AMOUNT, toCedis } from './money.ts'
import { NETWORKS } from './networks.ts'
import { mobilePhoneProblem, TEN_DIGITS } from './phones.ts'
import { HOW, readAmount } from './readers/read-amount.ts'

/** Schemas of fields that several requests have. The rules themselves need no schema, so that pages may load them. */

/** A text that a rule accepts. The rule gets the text as the earlier checks leave it and returns what is wrong with it. */
/* @__NO_SIDE_EFFECTS__ */
export function accepts(problem: (text: string) => string | null) {
  return z.refine<string>((text) => problem(text) === null, { error: ({ input }) => problem(String(input)) ?? '', abort: true })
}

/** Of a text that somebody wrote: without spaces around it, and with accents composed (NFC), as they are in every other record. */
/* @__NO_SIDE_EFFECTS__ */
export function tidy() {
  return z.overwrite<string>((text) => text.normalize('NFC').trim())
}

/** An amount on the wire: a JSON number of cedis with at most two decimals. */
export const cedis = z.number({ error: NOT_AN_AMOUNT }).check(z.refine(isCedis, { error: NOT_AN_AMOUNT }))

/** An amount on the wire that is greater than zero. */
export const positiveCedis = z.number({ error: NOT_AN_AMOUNT }).check(
  z.refine(isCedis, { error: NOT_AN_AMOUNT, abort: true }),
  z.refine((value) => value > 0, { error: 'The amount must be more than zero.' }),
)

/** An amount in cedis, which a client may send as text too. Text that is not wholly one amount is refused with the question that settles it. */
/* @__NO_SIDE_EFFECTS__ */
export function orAsText<S extends z.core.$ZodType<number, number>>(schema: S, error: string) {
  const read = z.transform((sent: number | string, { issues }) => {
    if (typeof sent === 'number') return sent
    const reading = readAmount(sent, { negative: true })
    if (reading.kind === 'read') return toCedis(reading.value)
    issues.push({
      code: 'custom',
      input: sent,
      message: reading.kind === 'doubtful' && !reading.reasons.includes(HOW) ? reading.reasons.join(' ') : error,
    })
    return z.NEVER
  })
  return z.pipe(
    z.union([z.number({ error }), z.string({ error }).check(z.maxLength(MOST_OF_AN_AMOUNT, { error }))], { error }),
    z.pipe(read, schema),
  )
}

const MOST_OF_AN_AMOUNT = 40

export const network = z.enum(NETWORKS, { error: 'Choose a network from the list.' })

/** Any ten digits, for numbers stored before invalid ones were refused. */
export const tenDigits = z.string({ error: TEN_DIGITS }).check(z.regex(/^[0-9]{10}$/, { error: TEN_DIGITS, abort: true }))

/** A phone number on the wire: the ten digits of a Ghanaian mobile number. */
export const phone = tenDigits.check(accepts(mobilePhoneProblem))

/** Of a line that buys AFA: the form with the details of the person whom it registers. */
export const afaForm = z.optional(z.uuid({ error: 'Fill in the details for AFA again.' }))

/** Of a purchase: with `ask`, what is on its way to the same number already is refused with ON_THE_WAY. */
export const ifOnTheWayHeader = {
  [IF_ON_THE_WAY_HEADER]: z.optional(z.literal('ask', { error: 'If-On-The-Way says ask, or is left out.' })),
}

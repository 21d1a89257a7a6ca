import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sayWhatIsWrong } from './validation-words.ts'

const said = (schema: z.core.$ZodType, value: unknown) => {
  const { error } = z.core.safeParse(schema, value, { error: sayWhatIsWrong })
  return error?.issues[0]?.message
}

test.each([
  [z.string(), undefined, 'This is missing.'],
  [z.string(), 5, 'This must be text.'],
  [z.number(), '5', 'This must be a number.'],
  [z.int(), 5.5, 'This must be a whole number.'],
  [z.boolean(), 'yes', 'This must be true or false.'],
  [z.array(z.string()), {}, 'This must be a list.'],
  [z.object({}), [], 'This must be an object.'],
  [z.enum(['delivered', 'refused', 'refunded']), 'lost', 'This must be delivered, refused or refunded.'],
  [z.enum(['delivered']), undefined, 'This is missing.'],
  [z.literal(true), false, 'This must be true.'],
  [z.strictObject({}), { price: 1 }, 'There is no field called price here.'],
  [z.strictObject({}), { price: 1, cost: 2 }, 'There is no field called price or cost here.'],
  [z.string().check(z.maxLength(3)), 'long', 'This must be at most 3 characters.'],
  [z.array(z.string()).check(z.minLength(1)), [], 'This must have at least one entry.'],
  [z.number().check(z.lte(3)), 4, 'This must be at most 3.'],
  [z.number().check(z.gt(0)), 0, 'This must be more than 0.'],
  [z.number().check(z.multipleOf(5)), 7, 'This must be a multiple of 5.'],
  [z.string().check(z.regex(/^a/)), 'b', 'This is not in the form that is expected here.'],
  [z.union([z.string(), z.number()]), true, 'This is not in the form that is expected here.'],
  [z.union([z.string(), z.number()]), undefined, 'This is missing.'],
  [z.string({ error: 'Choose an offer.' }), undefined, 'Choose an offer.'],
])('%# a schema without words of its own says %s', (schema, value, sentence) => {
  expect(said(schema, value)).toBe(sentence)
})

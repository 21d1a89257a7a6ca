import * as z from 'zod/mini'

/** The stable codes of the errors that the server replies with. */
export const ERROR_CODES = [
  'INVALID',
  'UNAUTHENTICATED',
  'INSUFFICIENT_BALANCE',
  'UNPAID',
  'FORBIDDEN',
  'BANNED',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'ALREADY_DECIDED',
  'PRICE_CHANGED',
  'NOT_AVAILABLE',
  'TAKEN',
  'KEY_REUSED',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_REQUESTS',
  'OUTSIDE_SERVICE',
  'UNAVAILABLE',
  'PURCHASES_PAUSED',
  'INTERNAL',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** One thing wrong with one field. `path` names it as in the request: `items.0.phoneNumber`. */
export const issue = z.object({ path: z.string(), message: z.string() })
export type Issue = z.output<typeof issue>

/** The body of every error reply. `message` is a sentence for the customer, shown as it is. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(ERROR_CODES),
  issues: z.optional(z.array(issue)),
  requestId: z.optional(z.string()),
})
export type ErrorBody = z.output<typeof errorBody>

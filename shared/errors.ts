import * as z from 'zod/mini'

/** The server's stable error codes and their HTTP statuses. */
export const ERROR_STATUS = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  /** Phone number and password are right; the sign-in also needs a code. */
  CODE_NEEDED: 401,
  INSUFFICIENT_BALANCE: 402,
  UNPAID: 402,
  FORBIDDEN: 403,
  BANNED: 403,
  /** Give the password again (`POST /user/me/confirm-password`), then repeat the request. */
  PASSWORD_NEEDED: 403,
  /** Staff who move money must set up a one-time code first. */
  SECOND_FACTOR_NEEDED: 403,
  /** The caller's wallet is spent only with a proof of their PIN (`POST /user/me/pin/proof`, header `pin-proof`); then repeat the request. */
  PIN_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  /** It was proposed; somebody else must approve it. */
  SECOND_PERSON_NEEDED: 409,
  ALREADY_DECIDED: 409,
  PRICE_CHANGED: 409,
  NOT_AVAILABLE: 409,
  TAKEN: 409,
  KEY_REUSED: 409,
  /** The same bundle for the same number is on its way; sent without `If-On-The-Way`, it is bought all the same. */
  ON_THE_WAY: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  /** Too many wrong PINs. */
  PIN_LOCKED: 429,
  INTERNAL: 500,
  OUTSIDE_SERVICE: 502,
  UNAVAILABLE: 503,
  PURCHASES_PAUSED: 503,
} as const
export type ErrorCode = keyof typeof ERROR_STATUS
const ERROR_CODES = /* @__PURE__ */ Object.keys(ERROR_STATUS) as ErrorCode[]

/** One problem with one field. `path` names it as in the request: `items.0.phoneNumber`. */
export const issue = z.object({ path: z.string(), message: z.string() })
export type Issue = z.output<typeof issue>

/** The body of every error reply. `message` is a sentence for the customer, shown as is. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(ERROR_CODES),
  issues: z.optional(z.array(issue)),
  requestId: z.optional(z.string()),
})
export type ErrorBody = z.output<typeof errorBody>

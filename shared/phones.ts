import * as z from 'zod/mini'

/** A phone number has ten digits (spec section 9). */
export const PHONE_DIGITS = 10

/**
 * What a person typed or pasted as digits of the local form: spaces and signs dropped, and a leading
 * 233, +233 or 00233 turned into 0. At most ten digits are kept, as in the spec's fields.
 */
export function normalisePhone(text: string): string {
  const digits = text.replace(/\D/g, '')
  const local = digits.replace(/^(?:00)?233(?=\d{9})/, '0')
  return local.slice(0, PHONE_DIGITS)
}

const TEN_DIGITS = 'Enter a phone number of exactly 10 digits, like 0241234567.'

/** A phone number on the wire: exactly ten digits. */
export const phone = z.string({ error: TEN_DIGITS }).check(z.regex(/^[0-9]{10}$/, { error: TEN_DIGITS }))

/** 0241234567 as 024 123 4567, easier to read back. */
export function spacedPhone(value: string): string {
  return value.length === PHONE_DIGITS ? `${value.slice(0, 3)} ${value.slice(3, 6)} ${value.slice(6)}` : value
}

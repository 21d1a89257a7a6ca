/** What may be typed as a transaction id. This file has no schemas, so that pages may load it. */

/** Digits alone; or, as a network may write them whose form the owner has set down, letters among them. */
export const TYPED_ID = /^(?:[0-9]{8,20}|(?=.*[0-9])[A-Z0-9][A-Z0-9.-]{6,28}[A-Z0-9])$/

/**
 * A transaction id as it was meant: without spaces, and of one of digits without dots, hyphens and with 0 for the letter O. Letters stay, in
 * capitals, where they are more than that.
 */
export function readTypedId(typed: string): string {
  const text = typed.replace(/[\s,]/g, '').toUpperCase()
  const digits = text.replace(/[.-]/g, '').replaceAll('O', '0')
  return /^[0-9]*$/.test(digits) ? digits : text.replace(/[.-]+$/, '')
}

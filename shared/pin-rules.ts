/** A transaction PIN: the rules return what is wrong, as a sentence, or null. This file has no schemas, so that pages may load it. */

const PIN_MIN = 4
export const PIN_MAX = 6

/** The header with the proof that a PIN was right, which one purchase uses up. */
export const PIN_PROOF_HEADER = 'pin-proof'

export const ENTER_PIN = `Enter your PIN of ${PIN_MIN} to ${PIN_MAX} digits.`
const TOO_EASY = 'That PIN is easy to guess. Please choose another.'
const DIGITS = /^[0-9]{4,6}$/
/** What many people choose although it is neither a row nor a pattern: the middle column of the keys, and the like. */
const COMMON = new Set(['2580', '0852', '1379', '1357', '2468', '1004', '5683', '147258', '159753', '147852'])

/** For a PIN that exists already. */
export function knownPinProblem(pin: string): string | null {
  return DIGITS.test(pin) ? null : ENTER_PIN
}

/** For a new one: no year, no row such as 1234, nothing repeated such as 1212. `phone`: the owner's, which others know. */
export function newPinProblem(pin: string, phone = ''): string | null {
  if (!DIGITS.test(pin)) return `Choose ${PIN_MIN} to ${PIN_MAX} digits.`
  if (phone !== '' && phone.endsWith(pin)) return 'Please do not use the end of your phone number.'
  if (/^(19[3-9]|20[0-3])\d$/.test(pin)) return 'Please do not use a year: a birthday is the first thing that people try.'
  const steps = new Set([...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10))
  const isRow = steps.size === 1 && [0, 1, 9].includes([...steps][0] as number)
  const isRepeated = /^(\d{1,3})\1+$/.test(pin) || /^(?:(\d)\1+)+$/.test(pin)
  return isRow || isRepeated || COMMON.has(pin) ? TOO_EASY : null
}

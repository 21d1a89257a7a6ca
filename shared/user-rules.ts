import { plainText } from './readers/reading.ts'

/** What users may be called and how they sign in: each rule returns what is wrong, as a sentence, or null. */

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const USERNAME_MIN = 2
export const USERNAME_MAX = 30
export const EMAIL_MAX = 254

export const ENTER_USERNAME = 'Enter a username.'
export const ENTER_EMAIL = 'Enter your e-mail address.'
export const ENTER_PASSWORD = 'Enter your password.'
const NOT_AN_EMAIL = 'Enter a valid e-mail address, like ama@example.com.'

export function passwordProblem(password: string): string | null {
  if (password.length < PASSWORD_MIN) return `The password must be at least ${PASSWORD_MIN} characters long.`
  return password.length > PASSWORD_MAX ? `The password must be at most ${PASSWORD_MAX} characters long.` : null
}

/** For signing in: it may be older than the rules for new ones. */
export function knownPasswordProblem(password: string): string | null {
  if (password === '') return ENTER_PASSWORD
  return password.length > PASSWORD_MAX ? 'That password is too long.' : null
}

/**
 * Letters, digits, and `. _ -` or a space inside. Letters are Latin with any accent and those of Ghana's languages; other
 * alphabets are refused because look-alikes could misdirect a credit.
 */
const LETTER = 'a-z\u00df-\u00f6\u00f8-\u0130\u0132-\u017e\u01cd-\u0217\u1e00-\u1eff\u0254\u025b\u0256\u0192\u0263\u028b'
const USERNAME = new RegExp(`^[${LETTER}0-9](?:[${LETTER}0-9._ -]*[${LETTER}0-9])?$`)

/** True for a name that is all digits, or contains as many in a row as a phone number, ignoring separators. */
function readsAsNumber(name: string): boolean {
  const bare = name.replace(/[._ -]/g, '')
  if (/^\d+$|\d{9}/.test(bare)) return true
  const digits = bare.replace(/o/g, '0').replace(/[il]/g, '1')
  return /\d{9}/.test(digits) && (bare.match(/\d/g) ?? []).length >= 5
}

/** A typed username as it is stored. */
export function normaliseUsername(typed: string): string {
  return typed.normalize('NFC').trim().toLowerCase()
}

/** For a username as `normaliseUsername` returns it. */
export function usernameProblem(name: string): string | null {
  if (name === '') return ENTER_USERNAME
  if (name.length < USERNAME_MIN) return `The username must be at least ${USERNAME_MIN} characters long.`
  if (name.length > USERNAME_MAX) return `The username must be at most ${USERNAME_MAX} characters long.`
  if (!USERNAME.test(name)) return 'Use letters, digits, spaces and . _ - for the username. Start and end with a letter or digit.'
  return readsAsNumber(name) ? 'A username cannot be a number. Please use a name.' : null
}

const EMAIL = /^[a-z0-9._%+'-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** A typed e-mail address as it is stored. */
export function normaliseEmail(typed: string): string {
  return plainText(typed).normalize('NFC').toLowerCase()
}

/** For an address as `normaliseEmail` returns it. */
export function emailProblem(address: string): string | null {
  if (address === '') return ENTER_EMAIL
  return address.length > EMAIL_MAX || !EMAIL.test(address) ? NOT_AN_EMAIL : null
}

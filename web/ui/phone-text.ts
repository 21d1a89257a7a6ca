import { localDigits, PHONE_DIGITS, withoutCountryCode } from '../../shared/phones.ts'

/** What a phone field shows, where its caret is, and the extra digits that were cut off. */
export type PhoneText = { text: string; caret: number; leftOut: string }

/**
 * One edit of a phone field: `before` is the text it showed, `after` and `caret` are what the browser made of it, `inputType` is the kind of
 * edit, in the browser's terms.
 */
export function editPhone(before: string, after: string, caret: number, inputType = ''): PhoneText {
  const had = digitsOf(before)
  let digits = digitsOf(after)
  let left = digitsOf(after.slice(0, caret)).length
  if (inputType.startsWith('delete')) {
    // Only a space was deleted, and grouping would put it back, so delete the digit beside it.
    if (digits === had && after.length < before.length) {
      if (!inputType.endsWith('Forward')) left = Math.max(0, left - 1)
      digits = had.slice(0, left) + had.slice(left + 1)
    }
    return { ...shown(digits, left), leftOut: '' }
  }
  const isOneKey = digits.length === had.length + 1 && digits.slice(0, left - 1) + digits.slice(left) === had
  // A tenth digit may follow nine typed ones, so only pasted text gets its 0 at once.
  const local = isOneKey ? withoutCountryCode(digits) : localDigits(digits)
  left += local.length - digits.length
  digits = local
  const room = roomFor(digits)
  if (digits.length > room && isOneKey) {
    return { ...shown(had, left - 1), leftOut: digits.slice(left - 1, left) }
  }
  return { ...shown(digits.slice(0, room), Math.min(left, room)), leftOut: digits.slice(room) }
}

/** What stands in a phone number of nobody: letters and signs, a dash before all digits, but not a plus, spaces, brackets, dots, slashes or dashes between. */
export function foreignCharacters(text: string): string {
  const minus = /^[\s\p{Cf}]*(\p{Pd})/u.exec(text)?.[1] ?? ''
  return [...new Set(minus + text.replace(/[\d\s+()./\p{Pd}\p{Cf}]/gu, ''))].join('').slice(0, 12)
}

/** Digits in the groups in which people say them: 024 123 4567, 233 24 123 4567. */
export function groupedPhone(digits: string): string {
  const parts: string[] = []
  let rest = digits
  for (const size of groupSizes(digits)) {
    if (rest === '') break
    parts.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return parts.join(' ') + rest
}

/** What the field shows once it is left: nine digits of a mobile number get their 0. */
export function completedPhone(text: string): string {
  return groupedPhone(localDigits(digitsOf(text)))
}

function groupSizes(digits: string): readonly number[] {
  if (digits.startsWith('00')) return [2, 3, 2, 3, 4]
  if (digits.startsWith('2330')) return [3, 3, 3, 4]
  if (digits.startsWith('233')) return [3, 2, 3, 4]
  return digits.startsWith('0') || digits.length >= PHONE_DIGITS ? [3, 3, 4] : [2, 3, 4]
}

/** Allows for a country code until the number is complete and shown without it. */
function roomFor(digits: string): number {
  if (digits.startsWith('00')) return digits.startsWith('002330') ? 15 : 14
  if (digits.startsWith('233')) return digits.startsWith('2330') ? 13 : 12
  return PHONE_DIGITS
}

function shown(digits: string, left: number): { text: string; caret: number } {
  const text = groupedPhone(digits)
  let caret = 0
  for (let seen = 0; seen < left && caret < text.length; caret++) if (text[caret] !== ' ') seen++
  return { text, caret }
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** A phone number has ten digits. */
export const PHONE_DIGITS = 10

/**
 * Mobile prefixes in use in Ghana, by the operator they were assigned to. Expresso (028) has closed; 051, 052 and 058 are
 * unassigned. Numbers can be ported, so the operator only ever leads to a warning.
 */
export const MOBILE_PREFIXES = {
  MTN: ['024', '025', '053', '054', '055', '059'],
  Telecel: ['020', '050'],
  AirtelTigo: ['026', '056', '027', '057'],
  Glo: ['023'],
} as const

export type Operator = keyof typeof MOBILE_PREFIXES

/** The operator of a complete or partial number's prefix; null when no mobile operator uses it. */
export function operatorOfNumber(digits: string): Operator | null {
  const prefix = digits.slice(0, 3)
  for (const [operator, prefixes] of Object.entries(MOBILE_PREFIXES)) {
    if ((prefixes as readonly string[]).includes(prefix)) return operator as Operator
  }
  return null
}

/** True for ten digits that can be a mobile number of Ghana. */
export function isMobilePhone(digits: string): boolean {
  return /^[0-9]{10}$/.test(digits) && operatorOfNumber(digits) !== null
}

/**
 * Typed or pasted text as local digits: separators dropped, a country code (233, +233, 00233, with or without a following 0)
 * replaced by 0, and a 0 added to nine digits of a mobile number. Other digits are kept, also those after the tenth: a longer
 * number is no number, rather than its first ten digits.
 */
export function normalisePhone(text: string): string {
  return localDigits(text.replace(/\D/g, ''))
}

/** Like `normalisePhone`, for digits only. */
export function localDigits(digits: string): string {
  const national = withoutCountryCode(digits)
  // Nine digits from 233 on are more likely a country code and an incomplete number.
  return /^[25][0-9]{8}$/.test(national) && !national.startsWith('233') ? `0${national}` : national
}

/** A complete number with a country code in its local form; other digits unchanged. */
export function withoutCountryCode(digits: string): string {
  const international = /^(?:00)?2330?([1-9][0-9]{8})$|^02330?([25][0-9]{8})$/.exec(digits)
  return international ? `0${international[1] ?? international[2]}` : digits
}

export const TEN_DIGITS = 'Enter a phone number of exactly 10 digits, like 0241234567.'
const LEADING_ZERO = 'A Ghanaian phone number starts with 0, like 0241234567.'

/**
 * What is wrong with the digits of a mobile number, as a sentence for the person typing; null for a valid number, and for an
 * incomplete one that may still become valid.
 */
export function phoneProblem(digits: string): string | null {
  if (isMobilePhone(digits)) return null
  if (digits.length >= 3 && /^0[^0]/.test(digits) && operatorOfNumber(digits) === null) {
    return `No mobile network in Ghana uses ${digits.slice(0, 3)}. Check the number.`
  }
  if (digits.length < PHONE_DIGITS || hasCountryCode(digits)) return null
  return digits.startsWith('0') ? TEN_DIGITS : LEADING_ZERO
}

/** True for the beginning of a number written with its country code. */
export function hasCountryCode(digits: string): boolean {
  return /^(?:00)?233/.test(digits)
}

/** What is wrong with a number that needs only ten digits: some accounts are older than the check of prefixes. */
export function tenDigitsProblem(digits: string): string | null {
  return /^[0-9]{10}$/.test(digits) ? null : TEN_DIGITS
}

/** What is wrong with a complete mobile number, as a sentence; null for a valid one. */
export function mobilePhoneProblem(digits: string): string | null {
  if (isMobilePhone(digits)) return null
  return tenDigitsProblem(digits) ?? phoneProblem(digits) ?? LEADING_ZERO
}

/** 0241234567 as 024 ••• 4567: enough for the receiver to recognise, too little to call. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)} ••• ${phone.slice(-4)}`
}

/** 0241234567 as ••• ••• •567, for whoever has not shown that they know it: enough to recognise, too little to guess. */
export function hintPhone(phone: string): string {
  return `••• ••• •${phone.slice(-3)}`
}

/** 0241234567 as 024 123 4567, easier to read back. */
export function spacedPhone(value: string): string {
  return value.length === PHONE_DIGITS ? `${value.slice(0, 3)} ${value.slice(3, 6)} ${value.slice(6)}` : value
}

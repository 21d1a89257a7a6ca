/** The digits of the code that confirms a number. */
export const NUMBER_CODE_DIGITS = 6

/** What is wrong with a typed code; null when nothing is. */
export function numberCodeProblem(code: string): string | null {
  return /^\d{6}$/.test(code) ? null : 'Enter the 6 digits from the message.'
}

/** The most numbers that one account has confirmed. */
export const MAX_CONFIRMED_NUMBERS = 5

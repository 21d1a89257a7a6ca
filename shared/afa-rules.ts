import { mobilePhoneProblem } from './phones.ts'
import { plainText } from './readers/reading.ts'

/** What a registration for AFA needs. This file has no schemas, so that pages may load it. */

export const AFA_REGIONS = [
  'Ahafo',
  'Ashanti',
  'Bono',
  'Bono East',
  'Central',
  'Eastern',
  'Greater Accra',
  'North East',
  'Northern',
  'Oti',
  'Savannah',
  'Upper East',
  'Upper West',
  'Volta',
  'Western',
  'Western North',
] as const
export type AfaRegion = (typeof AFA_REGIONS)[number]

/** `birthDate` is a day such as 1990-05-17. */
export type AfaDetails = {
  fullName: string
  phone: string
  ghanaCard: string
  birthDate: string
  region: AfaRegion
  town: string
  occupation: string
}

/**
 * The number as it is printed, while it is typed: GHA-123456789-0; the letters of people from elsewhere are FGN or those of their country.
 * Text that cannot become a number stays as it was typed, to be refused.
 */
export function typeGhanaCard(typed: string): string {
  const bare = plainText(typed)
    .toUpperCase()
    .replace(/[\s\p{Pd}./]/gu, '')
  const [, letters, digits = ''] = /^([A-Z]{0,3})(\d*)$/.exec(bare) ?? []
  if (letters === undefined) return typed
  if (digits === '') return letters
  // Most people type the digits alone.
  const country = letters === '' ? 'GHA' : letters
  return digits.length > 9 ? `${country}-${digits.slice(0, 9)}-${digits.slice(9)}` : `${country}-${digits}`
}

/** How the last digit follows from the others is not published, so only the form is checked. GH and another letter is GHA mistyped. */
export function ghanaCardProblem(card: string): string | null {
  return /^(?:GHA|(?!GH)[A-Z]{3})-[0-9]{9}-[0-9]$/.test(card) ? null : 'Enter the number as it stands on the card, like GHA-123456789-0.'
}

export function afaNameProblem(name: string): string | null {
  const text = plainText(name)
  if (text.length > 80) return 'Use at most 80 characters.'
  return /^\p{L}[\p{L}\p{M}.'’-]*( +[\p{L}\p{M}.'’-]+)+$/u.test(text)
    ? null
    : 'Enter the first name and the surname, as they stand on the card.'
}

/** Registered are people of 15 years or more, who have a card of their own. */
export function birthDateProblem(day: string, today: Date): string | null {
  const date = new Date(`${day}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day))
    return 'Enter the day of birth.'
  const years = today.getUTCFullYear() - date.getUTCFullYear()
  return years < 15 || years > 120 ? 'Check the year of birth.' : null
}

export function afaTextProblem(text: string): string | null {
  const bare = plainText(text)
  if (bare.length < 2) return 'Please fill this in.'
  return bare.length > 60 ? 'Use at most 60 characters.' : null
}

/** What is wrong with each field, null for nothing. */
export function afaProblems(details: Record<keyof AfaDetails, string>, today: Date): Record<keyof AfaDetails, string | null> {
  return {
    fullName: afaNameProblem(details.fullName),
    phone: mobilePhoneProblem(details.phone),
    ghanaCard: ghanaCardProblem(details.ghanaCard),
    birthDate: birthDateProblem(details.birthDate, today),
    region: (AFA_REGIONS as readonly string[]).includes(details.region) ? null : 'Choose the region.',
    town: afaTextProblem(details.town),
    occupation: afaTextProblem(details.occupation),
  }
}

/** Rules of checkers that pages need: no schemas here. */

/** The most codes in one import. */
export const MAX_CHECKER_LINES = 10_000

/** A PIN that is shorter may by chance be like another's. */
export const SHORTEST_UNIQUE_PIN = 8

/** What is wrong with a serial number or a PIN, or null. */
export function checkerPartProblem(what: 'serial' | 'PIN', text: string): string | null {
  if (text === '') return `The ${what} is missing.`
  if (/^\d+(?:[.,]\d+)?E\+?\d+$/i.test(text))
    return `The ${what} was shortened by a spreadsheet. Save that column as text and choose the file again.`
  if (/^\d{4}-\d\d-\d\dT/.test(text))
    return `The ${what} was turned into a date by a spreadsheet. Save that column as text and choose the file again.`
  if (!/^[A-Za-z0-9-]{4,20}$/.test(text)) return `A ${what} has 4 to 20 letters and digits.`
  return null
}

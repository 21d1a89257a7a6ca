export const ENTER_REFERENCE = 'Enter the order number, or the reference on the receipt.'

/** What is wrong with what an order is named by, its number or its reference; null when nothing is. */
export function referenceProblem(text: string): string | null {
  return /^(?:[A-Za-z0-9]{16,24}|[1-9][0-9]{0,17})$/.test(text) ? null : ENTER_REFERENCE
}

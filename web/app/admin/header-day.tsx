/** The day so far, beside the search; nothing until it is known. */
export function HeaderDay() {
  return null
}

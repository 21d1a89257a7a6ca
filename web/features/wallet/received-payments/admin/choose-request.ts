/**
 * The request that a payment answers if nobody chooses: the only one of the same amount, and "none of them" where none waits. Null where somebody has to
 * choose, since a request of another amount is seldom meant.
 */
export function chooseRequest(requests: readonly { _id: string; amount: number }[], amount: number): string | null {
  if (requests.length === 0) return ''
  const same = requests.filter((request) => request.amount === amount)
  return same.length === 1 ? (same[0]?._id ?? null) : null
}

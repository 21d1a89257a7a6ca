/** A movement of the shop's mobile-money wallet with the balance after it, in pesewas; `changePesewas` is negative for money out. */
export type Movement = { balancePesewas: number; changePesewas: number }

/** Fewer movements than these prove nothing. */
const FEWEST = 3

/**
 * Finds movements whose balances fit nowhere: the new balance is the one before plus what came in, so a genuine movement begins
 * where another ends, or ends where another begins. Only where most movements do so does one that does not raise a doubt, since
 * messages may be missing between them. Movements of several wallets may be mixed.
 */
export function checkBalances<M extends Movement>(movements: readonly M[]): Set<M> {
  const openings = count(movements.map(openingOf))
  const closings = count(movements.map(({ balancePesewas }) => balancePesewas))
  const loose = movements.filter((movement) => {
    const [opening, closing] = [openingOf(movement), movement.balancePesewas]
    // A movement of nothing would be its own neighbour.
    const own = opening === closing ? 1 : 0
    return (closings.get(opening) ?? 0) <= own && (openings.get(closing) ?? 0) <= own
  })
  if (movements.length < FEWEST || loose.length * 2 > movements.length) return new Set()
  return new Set(loose)
}

function openingOf({ balancePesewas, changePesewas }: Movement): number {
  return balancePesewas - changePesewas
}

function count(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

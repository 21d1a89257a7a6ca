import { useState } from 'react'
import { toCedis, toPesewas } from '../../../../shared/money.ts'
import { cardPhase } from '../../card/payments/pay-by-card.ts'

/** How much has come in by the last change of a balance that is on the screen, in cedis. Whoever pays by card here is told by that. */
export function useArrivedMoney(cedis: number): number {
  const byCard = cardPhase.use() !== 'idle'
  const [at, setAt] = useState({ cedis, arrived: 0 })
  if (at.cedis === cedis) return at.arrived
  const more = toPesewas(cedis) - toPesewas(at.cedis)
  const arrived = more > 0 && !byCard ? toCedis(more) : 0
  setAt({ cedis, arrived })
  return arrived
}

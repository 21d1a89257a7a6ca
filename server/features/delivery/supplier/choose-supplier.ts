import type { SupplierName } from '../../../../shared/suppliers.ts'

/** What is known of a supplier that could get an order, in the owner's order. Money in pesewas. */
export type Candidate = {
  name: SupplierName
  /** The shop is set up for it, and its adapter carries the network. */
  carries: boolean
  /** It refused this order, or could not deliver it. */
  hasRefused: boolean
  /** It said within the last day that it does not sell this bundle. */
  isNotSold: boolean
  /** How long its circuit breaker stays open, in milliseconds; 0 when it is closed. */
  openMs: number
  /** What the shop has left there; null when no recent reading says. */
  balancePesewas: number | null
  /** What the package costs there; null while nobody has set it. */
  costPesewas: number | null
}

export type Choosing = {
  candidates: readonly Candidate[]
  /** The supplier that the order waits at, or was refused by. */
  current: SupplierName
  /** The one that just turned the order away for a reason of its own, such as an empty balance; another goes before it. */
  notNow?: SupplierName | undefined
  /** What the shop keeps of the price. */
  soldForPesewas: number
  /** The network's first supplier must have a cost, too: airtime leaves a pesewa or two, and a fee turns that into a loss. */
  guardsFirst?: boolean | undefined
  /** The owner lets an order go where it costs more than that, or where its cost is not known. */
  mayCostMore: boolean
}

/**
 * `send`: to this supplier now. `wait`: at this supplier until it takes orders again. `person`: nobody is left to try; `why` says what
 * keeps it from those that have not refused it, and is empty when all have.
 */
export type Choice = { to: 'send' | 'wait'; supplier: SupplierName } | { to: 'person'; why: string }

/**
 * Where an order goes now. The supplier that it waits at stays, if that takes orders; else the first in the owner's order that does. None
 * gets it where it is known to be sold at a loss, unless the owner lets it; where nobody has set the cost, the network's first supplier alone does.
 */
export function chooseSupplier({ candidates, current, notNow, soldForPesewas, guardsFirst = false, mayCostMore }: Choosing): Choice {
  const first = candidates[0]?.name
  const left = candidates.filter(({ carries, hasRefused, isNotSold }) => carries && !hasRefused && !isNotSold)
  const affordable = left.filter(
    ({ name, costPesewas }) =>
      mayCostMore || coversCost(soldForPesewas, costPesewas) || (costPesewas === null && name === first && !guardsFirst),
  )
  const ready = affordable.filter(({ name, openMs, ...money }) => name !== notNow && openMs === 0 && hasEnough(money))
  const chosen = ready.find(({ name }) => name === current) ?? ready[0]
  if (chosen) return { to: 'send', supplier: chosen.name }
  const patient = affordable.find(({ name }) => name === current) ?? affordable[0]
  if (patient) return { to: 'wait', supplier: patient.name }
  return { to: 'person', why: left.map((candidate) => `${candidate.name}: ${describeCost(candidate)}`).join(', ') }
}

/** Never so while the cost is not known. */
export function coversCost(soldForPesewas: number, costPesewas: number | null): boolean {
  return costPesewas !== null && costPesewas <= soldForPesewas
}

function hasEnough({ balancePesewas, costPesewas }: Pick<Candidate, 'balancePesewas' | 'costPesewas'>): boolean {
  return balancePesewas === null || (balancePesewas > 0 && balancePesewas >= (costPesewas ?? 0))
}

function describeCost({ costPesewas }: Candidate): string {
  return costPesewas === null ? 'its cost is not set' : 'it costs more there than it was sold for'
}

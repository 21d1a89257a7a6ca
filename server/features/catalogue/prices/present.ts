import { formatPesewas, toCedis, toPesewas } from '../../../../shared/money.ts'
import type { PriceChange, StatedChange } from '../../../../shared/prices.ts'
import type { ChangeRow } from './prices.sql.ts'

const inCedis = ({ from, to }: { from: number; to: number }) => ({ from: toCedis(from), to: toCedis(to) })
const inPesewas = ({ from, to }: { from: number; to: number }) => ({ from: toPesewas(from), to: toPesewas(to) })

export function presentChange({ productId, network, offer, priceCustomerPesewas, priceAgentPesewas, hidden }: ChangeRow): StatedChange {
  return {
    productId,
    network,
    offer,
    ...(priceCustomerPesewas && { priceCustomer: inCedis(priceCustomerPesewas) }),
    ...(priceAgentPesewas && { priceAgent: inCedis(priceAgentPesewas) }),
    ...(hidden && { hidden }),
  }
}

/** The change of a request, with prices in pesewas. */
export function toChange({ productId, offer, priceCustomer, priceAgent, hidden }: PriceChange): Omit<ChangeRow, 'network'> {
  return {
    productId,
    offer,
    ...(priceCustomer && { priceCustomerPesewas: inPesewas(priceCustomer) }),
    ...(priceAgent && { priceAgentPesewas: inPesewas(priceAgent) }),
    ...(hidden && { hidden }),
  }
}

/** The facts of a change for the admins' log, by package: "MTN 1GB": "¢5.50, agents ¢4.70". */
export function factsOf(changes: readonly ChangeRow[], side: 'from' | 'to'): Record<string, string> {
  return Object.fromEntries(
    changes.map(({ network, offer, priceCustomerPesewas: customer, priceAgentPesewas: agent, hidden }) => {
      const facts = [
        customer && `¢${formatPesewas(customer[side])}`,
        agent && `agents ¢${formatPesewas(agent[side])}`,
        hidden && (hidden[side] ? 'hidden' : 'shown'),
      ]
      return [`${network} ${offer}`, facts.filter(Boolean).join(', ')]
    }),
  )
}

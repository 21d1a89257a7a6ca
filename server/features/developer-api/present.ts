import type { ApiOrder } from '../../../shared/developer-api.ts'
import { formatPesewas } from '../../../shared/money.ts'
import type { OrderStatus } from '../../../shared/orders.ts'
import type { Product } from '../../../shared/products.ts'
import { KIND_NAMES, type MovementRow } from '../wallet/statement.sql.ts'

type Shown = {
  seq: number
  network: string
  offer: string
  receiver: string
  pricePesewas: number
  status: OrderStatus
  createdAt: Date
  decidedAt: Date | null
  isTest?: boolean
}

/** Amounts are text with two decimals, so that no client rounds them. */
export function presentApiOrder({
  seq,
  isTest = false,
  network,
  offer,
  receiver,
  pricePesewas,
  status,
  createdAt,
  decidedAt,
}: Shown): ApiOrder {
  return {
    id: presentOrderId(seq, isTest),
    status,
    network,
    offer,
    receiver,
    price: formatPesewas(pricePesewas),
    created_at: createdAt.toISOString(),
    decided_at: decidedAt?.toISOString() ?? null,
  }
}

export function presentOrderId(seq: number, isTest: boolean): string {
  return isTest ? `ord_test_${seq}` : `ord_${seq}`
}

/** What can be bought now, at the agent's price. */
export function presentOffers(products: Product[]) {
  return products
    .filter(({ status }) => status === 'available')
    .flatMap(({ network, packages }) => packages.map(({ offer, priceAgent }) => ({ network, offer, price: priceAgent.toFixed(2) })))
}

export function presentMovement({ shownKind, memo, note, reference, amountPesewas, balanceAfterPesewas, createdAt }: MovementRow) {
  const isByHand = shownKind === 'admin-credit' || shownKind === 'admin-debit'
  return {
    kind: KIND_NAMES[shownKind],
    // What staff wrote for themselves is not the customer's to read.
    details: isByHand ? (note ?? '') : memo,
    reference,
    amount: formatPesewas(amountPesewas),
    balance_after: formatPesewas(balanceAfterPesewas),
    created_at: createdAt.toISOString(),
  }
}

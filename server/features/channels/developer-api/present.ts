import type { ApiList, ApiOrder } from '../../../../shared/developer-api.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import type { Product } from '../../../../shared/products.ts'
import { KIND_NAMES, type MovementRow } from '../../wallet/wallet/statement.sql.ts'
import type { ApiListRow, TestMovementRow } from './developer-api.sql.ts'

type Shown = {
  seq: number
  network: string
  offer: string
  receiver: string
  pricePesewas: number
  status: OrderStatus
  verifying?: boolean
  createdAt: Date
  decidedAt: Date | null
  isTest?: boolean
}

/** Cedis as text with two decimals and nothing else, so that no client rounds them: 123456 pesewas are "1234.56". */
export function presentAmount(pesewas: number): string {
  return formatPesewas(pesewas).replaceAll(',', '')
}

export function presentApiOrder({
  seq,
  isTest = false,
  network,
  offer,
  receiver,
  pricePesewas,
  status,
  verifying = false,
  createdAt,
  decidedAt,
}: Shown): ApiOrder {
  return {
    id: presentOrderId(seq, isTest),
    status,
    verifying,
    network,
    offer,
    receiver,
    price: presentAmount(pricePesewas),
    created_at: createdAt.toISOString(),
    decided_at: decidedAt?.toISOString() ?? null,
  }
}

export function presentList(row: ApiListRow): ApiList {
  const { seq, isTest, name, orders, pending, completed, rejected, totalPesewas, refundedPesewas, createdAt } = row
  return {
    id: `${isTest ? 'list_test_' : 'list_'}${seq}`,
    name,
    orders,
    pending,
    completed,
    rejected,
    total: presentAmount(totalPesewas),
    refunded: presentAmount(refundedPesewas),
    created_at: createdAt.toISOString(),
  }
}

export function presentOrderId(seq: number, isTest: boolean): string {
  return isTest ? `ord_test_${seq}` : `ord_${seq}`
}

/** What can be bought now, at the agent's price. */
export function presentOffers(products: Product[]) {
  return products
    .filter(({ status }) => status === 'available')
    .flatMap(({ network, packages }) =>
      packages.filter(({ soldOut }) => !soldOut).map(({ offer, priceAgent }) => ({ network, offer, price: priceAgent.toFixed(2) })),
    )
}

type ShownMovement = Omit<TestMovementRow, 'seq' | 'shownKind'> & Pick<MovementRow, 'shownKind'> & Partial<Pick<MovementRow, 'note'>>

export function presentMovement(movement: ShownMovement, isTest: boolean) {
  const { shownKind, memo, note, reference, amountPesewas, balanceAfterPesewas, createdAt } = movement
  const isByHand = shownKind === 'admin-credit' || shownKind === 'admin-debit'
  const isOfOrder = (shownKind === 'order' || shownKind === 'order-refund') && reference !== null
  return {
    kind: KIND_NAMES[shownKind],
    // What staff wrote for themselves is not the customer's to read.
    details: isByHand ? (note ?? '') : memo,
    reference,
    order_id: isOfOrder ? presentOrderId(Number(reference), isTest) : null,
    amount: presentAmount(amountPesewas),
    balance_after: presentAmount(balanceAfterPesewas),
    created_at: createdAt.toISOString(),
  }
}

/** What a test order of a checker brings: made up, and the same each time. Nothing for other orders. */
export function presentTestChecker({ seq, network, offer, status }: Shown) {
  if (network !== 'WAEC Checkers' || status !== 'completed') return []
  return [{ name: offer, serial: `TEST${seq}`, pin: '000000000000', portal: 'https://eresults.waecgh.org', replaced: false }]
}

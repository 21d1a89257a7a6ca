import type { CheckoutItem } from '../../../../shared/orders.ts'
import type { PaymentPurpose } from '../../../../shared/payments.ts'
import { ofUser } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'
import { isSamePurchase, type PurchaseSource } from '../../orders/purchases/purchase-attempt.ts'

/** A card payment that this browser began: where, for which lines of the cart, and how to open its pop-up again. */
export type BegunPayment = {
  reference: string
  accessCode: string
  userId: string
  purpose: PaymentPurpose
  source: PurchaseSource | null
  items: readonly CheckoutItem[]
  /** The cart's lines that it pays for. Only these are removed when it is paid. */
  cartIds: readonly string[]
  pricePesewas: number
  totalPesewas: number
  startedAt: number
}

const NONE: readonly BegunPayment[] = []
const KEPT = 10

export const begunPayments = ofUser(
  createStored<readonly BegunPayment[]>('begunPayments', NONE, (value) => Array.isArray(value) && value.every(isBegun)),
  NONE,
)

export function rememberBegun(begun: BegunPayment): void {
  begunPayments.set([begun, ...begunPayments.get().filter(({ reference }) => reference !== begun.reference)].slice(0, KEPT))
}

/** The payment that this browser began for exactly this purchase and charge, if any. */
export function findBegun(wanted: Pick<BegunPayment, 'userId' | 'purpose' | 'items' | 'totalPesewas'>): BegunPayment | undefined {
  return begunPayments
    .get()
    .find(
      (one) =>
        one.userId === wanted.userId &&
        one.purpose === wanted.purpose &&
        one.totalPesewas === wanted.totalPesewas &&
        isSamePurchase(one.items, wanted.items),
    )
}

function isBegun(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { reference, accessCode, userId, items, cartIds, totalPesewas } = value as Partial<BegunPayment>
  return (
    [reference, accessCode, userId].every((text) => typeof text === 'string') &&
    Array.isArray(items) &&
    Array.isArray(cartIds) &&
    typeof totalPesewas === 'number'
  )
}

import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { Order } from '../../../../shared/orders.ts'
import { ofUser } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'

/** A line of the cart, as an order keeps it, and the product that it came from. `amount` in cedis; `afa` names whom AFA registers. */
export type CartItem = Order['items'][number] & { productId: string; afa?: string | undefined }

const NONE: readonly CartItem[] = []

export const cart = ofUser(
  createStored<readonly CartItem[]>('cartItems', NONE, (value) => Array.isArray(value) && value.every(isCartItem)),
  NONE,
)

export function addToCart(item: Omit<CartItem, 'id'>): void {
  cart.update((items) => [...items, { ...item, id: crypto.randomUUID() }])
}

export function removeFromCart(...ids: readonly string[]): void {
  cart.update((items) => {
    const rest = items.filter((item) => !ids.includes(item.id))
    return rest.length === 0 ? NONE : rest
  })
}

/** Puts a removed line back where it was, unless it is there already. */
export function returnToCart(item: CartItem, index: number): void {
  cart.update((items) => (items.some(({ id }) => id === item.id) ? items : items.toSpliced(index, 0, item)))
}

/** The ids of the cart's lines that these items were taken from, each line once; a price may have changed meanwhile. */
export function findCartLines(items: readonly { productId: string | null; offer: string; phoneNumber: string }[]): string[] {
  const left = [...cart.get()]
  return items.flatMap((item) => {
    const at = left.findIndex(
      (line) => line.productId === item.productId && line.offer === item.offer && line.phoneNumber === item.phoneNumber,
    )
    return at < 0 ? [] : left.splice(at, 1).map((line) => line.id)
  })
}

export function clearCart(): void {
  cart.set(NONE)
}

/** In cedis, added up in pesewas. */
export function totalOf(items: readonly { amount: number }[]): number {
  return toCedis(items.reduce((sum, item) => sum + toPesewas(item.amount), 0))
}

function isCartItem(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { id, service, phoneNumber, offer, amount, productId } = value as Partial<CartItem>
  return (
    [id, service, phoneNumber, offer, productId].every((text) => typeof text === 'string') &&
    typeof amount === 'number' &&
    Number.isFinite(amount)
  )
}

import { toCedis, toPesewas } from '../../../shared/money.ts'
import type { Order } from '../../../shared/orders.ts'
import { wipeAtSignOut } from '../../lib/session.ts'
import { createStored } from '../../lib/stored.ts'

/** A line of the cart, as an order keeps it, and the product that it came from. `amount` in cedis. */
export type CartItem = Order['items'][number] & { productId: string }

const NONE: readonly CartItem[] = []

export const cart = createStored<readonly CartItem[]>('cartItems', NONE, (value) => Array.isArray(value) && value.every(isCartItem))

wipeAtSignOut(clearCart)

export function addToCart(item: Omit<CartItem, 'id'>): void {
  cart.set([...cart.get(), { ...item, id: crypto.randomUUID() }])
}

export function removeFromCart(id: string): void {
  const rest = cart.get().filter((item) => item.id !== id)
  cart.set(rest.length === 0 ? NONE : rest)
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

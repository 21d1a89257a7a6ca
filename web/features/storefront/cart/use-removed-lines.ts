import { useState } from 'react'
import { type CartItem, removeFromCart, returnToCart } from './cart.ts'

/** `at` is its place among all lines that were shown, removed ones included, which therefore never changes. */
type Removed = { item: CartItem; at: number }
export type ShownLine = { item: CartItem; number: number | null }

/** The cart's lines with those that were removed on this screen still in their places, without a number. */
export function useRemovedLines(items: readonly CartItem[]) {
  const [removed, setRemoved] = useState<readonly Removed[]>([])
  const lines = placeLines(items, removed)
  return {
    lines,
    remove(item: CartItem) {
      const at = lines.findIndex((line) => line.item.id === item.id)
      setRemoved([...removed, { item, at }])
      removeFromCart(item.id)
    },
    undo(item: CartItem) {
      const found = removed.find((one) => one.item.id === item.id)
      if (!found) return
      returnToCart(item, found.at - removed.filter(({ at }) => at < found.at).length)
      setRemoved(removed.filter((one) => one !== found))
    },
    forget: () => setRemoved([]),
  }
}

export function placeLines(items: readonly CartItem[], removed: readonly Removed[]): ShownLine[] {
  const lines: ShownLine[] = items.map((item, index) => ({ item, number: index + 1 }))
  for (const { item, at } of removed.toSorted((one, other) => one.at - other.at)) lines.splice(at, 0, { item, number: null })
  return lines
}

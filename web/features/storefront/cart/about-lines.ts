import { toPesewas } from '../../../../shared/money.ts'
import type { Subject } from '../../../lib/subject.ts'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { type CartItem, cart, totalOf } from './cart.ts'

/** These lines are still in the cart: no other tab has bought them or taken them out. */
export function aboutLines(lines: readonly CartItem[]): Subject {
  return {
    on: [cart],
    changed() {
      cart.reread()
      const ids = new Set(cart.get().map(({ id }) => id))
      return lines.every(({ id }) => ids.has(id)) ? null : checkoutTexts.cartMeanwhile
    },
  }
}

/**
 * Names a purchase of just these lines of the cart, the same in every tab: the shop sells what bears one name once, even to a tab that has
 * not heard of the other's purchase. Null for lines that an old version named otherwise.
 */
export function nameOfLines(lines: readonly CartItem[]): string | null {
  const digits = lines.map(({ id }) => id.replaceAll('-', ''))
  if (!digits.every((id) => /^[0-9a-f]{32}$/.test(id))) return null
  const joined = [0, 8, 16, 24].map((at) =>
    digits
      .reduce((mixed, id) => (mixed ^ Number.parseInt(id.slice(at, at + 8), 16)) >>> 0, 0)
      .toString(16)
      .padStart(8, '0'),
  )
  return `cart-${joined.join('')}-${toPesewas(totalOf(lines))}`
}

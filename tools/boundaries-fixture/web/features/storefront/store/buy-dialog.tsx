// breaks: no-folder-cycle
export function BuyDialog() {
  return import('../cart/cart.ts')
}

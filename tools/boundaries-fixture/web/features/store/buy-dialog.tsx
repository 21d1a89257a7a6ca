// breaks: no-folder-cycle
export const open = () => import('../cart/cart.ts')

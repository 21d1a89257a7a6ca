// breaks: admin-only-through-the-router
export const orders = () => import('../admin-orders/orders-page.tsx')

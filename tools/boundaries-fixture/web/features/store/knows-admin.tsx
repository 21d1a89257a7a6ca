// breaks: admin-only-through-the-router
export const orders = () => import('../orders/admin/orders-page.tsx')

// breaks: admin-only-through-the-router
export const knowsAdmin = () => import('../../orders/orders/admin/orders-page.tsx')

// breaks: admin-only-when-asked-for
import OrdersPage from '../features/orders/orders/admin/orders-page.tsx'
export const now = OrdersPage
export const later = () => import('../features/orders/orders/admin/orders-page.tsx')

// breaks: admin-only-when-asked-for
import OrdersPage from '../features/orders/admin/orders-page.tsx'
export const now = OrdersPage
export const later = () => import('../features/orders/admin/orders-page.tsx')

// breaks: admin-only-when-asked-for
import OrdersPage from '../features/orders/orders/admin/orders-page.tsx'
export const Now = OrdersPage

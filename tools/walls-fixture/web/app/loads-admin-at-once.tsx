// breaks: admin-only-when-asked-for
import OrdersPage from '../features/admin-orders/orders-page.tsx'
export const Now = OrdersPage

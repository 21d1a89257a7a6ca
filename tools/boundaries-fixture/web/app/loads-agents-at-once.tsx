// breaks: agent-only-when-asked-for
import ShopPage from '../features/orders/orders/agent/shop-page.tsx'
export const Now = ShopPage

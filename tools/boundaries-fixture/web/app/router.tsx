import { lazy } from 'react'
import { order } from '../../shared/orders.ts'
import { StorePage } from '../features/storefront/store/store-page.tsx'
const Orders = lazy(() => import('../features/orders/orders/admin/orders-page.tsx'))
export const Routes = () => [<StorePage key="store" order={order} />, <Orders key="orders" />]

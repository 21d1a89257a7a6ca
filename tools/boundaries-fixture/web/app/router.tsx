import { lazy } from 'react'
import { order } from '../../shared/orders.ts'
import { StorePage } from '../features/store/store-page.tsx'
const Orders = lazy(() => import('../features/orders/admin/orders-page.tsx'))
export const Routes = () => [<StorePage key="store" order={order} />, <Orders key="orders" />]

// breaks: layers-integrations
import { approveOrder } from '../../features/orders/orders/approve-order.ts'
export const approve = approveOrder

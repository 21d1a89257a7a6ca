// breaks: layers-integrations
import { approveOrder } from '../../features/orders/approve-order.ts'
export const approve = approveOrder

// breaks: wings-in-order
// breaks: no-folder-cycle
import { approveOrder } from '../../orders/orders/approve-order.ts'
export const routes = [approveOrder]

// breaks: no-folder-cycle
import { approveOrder } from '../orders/approve-order.ts'
export const routes = [approveOrder]

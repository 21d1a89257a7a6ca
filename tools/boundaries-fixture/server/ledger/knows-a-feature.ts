// breaks: layers-ledger
import type { approveOrder } from '../features/orders/orders/approve-order.ts'
export type Approve = typeof approveOrder

// breaks: layers-ledger
import type { approveOrder } from '../features/orders/approve-order.ts'
export type Approve = typeof approveOrder

import { order } from '../shared/orders.ts'
export const outbox = [order]

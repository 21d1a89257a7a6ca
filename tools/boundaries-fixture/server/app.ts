import './features/orders/approve-order.ts'
export type App = { close(): void }

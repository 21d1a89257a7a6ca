import './features/orders/orders/approve-order.ts'
export type App = { close(): void }

// breaks: no-folder-cycle
// breaks: admin-only-through-the-router
import type { Words } from './admin/order-words.ts'
export type Api = Words[]

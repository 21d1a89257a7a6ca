// breaks: no-folder-cycle
import { totalPaid } from '../total-paid.ts'
export const orders = [totalPaid]

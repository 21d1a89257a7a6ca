// breaks: no-folder-cycle
import { StorePage } from '../store/store-page.tsx'
export const CartPage = StorePage

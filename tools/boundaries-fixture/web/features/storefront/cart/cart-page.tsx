// breaks: no-folder-cycle
import { StorePage } from '../store/store-page.tsx'
export function CartPage() {
  return <StorePage order={null} />
}

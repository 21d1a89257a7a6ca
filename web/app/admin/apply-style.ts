import { createPageStyle } from '../../lib/page-style.ts'
import css from './admin.css?inline'

const style = createPageStyle(css)

/** Before the first screen of the portal is drawn. */
export function applyAdminStyle(): void {
  style.putOn()
}

// breaks: web-ui-and-lib-know-no-feature
import { StorePage } from '../features/storefront/store/store-page.tsx'
export const Page = StorePage

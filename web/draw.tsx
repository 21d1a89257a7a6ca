import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Product } from '../shared/products.ts'
import type { Shop } from '../shared/shop.ts'
import { App } from './app/app.tsx'
import { preloadScreen } from './app/router.tsx'
import { setCatalogue } from './features/products/api.ts'
import { setShop } from './features/shop/shop.ts'

export type DrawnPath = '/' | '/store'

/** Draws a screen as a visitor first sees it, on the server: it is read before any script has run. */
export async function drawScreen({ path, shop, products }: { path: DrawnPath; shop: Shop; products: readonly Product[] }): Promise<string> {
  await preloadScreen(path)
  setShop(shop)
  setCatalogue(products)
  return renderToString(
    <StrictMode>
      <App path={path} />
    </StrictMode>,
  )
}

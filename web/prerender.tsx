import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Product } from '../shared/products.ts'
import type { Shop } from '../shared/shop.ts'
import { App } from './app/app.tsx'
import { loadScreen } from './app/router.tsx'
import { setCatalogue } from './features/products/api.ts'
import { setShop } from './features/shop/api.ts'

type Page = { path: '/' | '/store'; shop: Shop; products: readonly Product[] }

/** Renders a screen on the server as a visitor first sees it, so that it can be read before any script has run. */
export async function prerender({ path, shop, products }: Page): Promise<string> {
  const screens = await loadScreen(path)
  setShop(shop)
  setCatalogue(products)
  return renderToString(
    <StrictMode>
      <App path={path} screens={screens} />
    </StrictMode>,
  )
}

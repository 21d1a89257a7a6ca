import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Product } from '../shared/products.ts'
import type { Shop } from '../shared/shop.ts'
import type { Figures } from '../shared/stats.ts'
import { App } from './app/app.tsx'
import { loadScreen } from './app/router.tsx'
import { setCatalogue } from './features/catalogue/products/api.ts'
import { setFigures, setShop } from './features/shop/shop/api.ts'

type Known = { products: readonly Product[]; figures: Figures | null }
type Page = { path: '/' | '/store'; shop: Shop; known: Known | null }

/** Renders a screen on the server as a visitor first sees it, so that it can be read before any script has run. */
export async function prerender({ path, shop, known }: Page): Promise<string> {
  const screens = await loadScreen(path)
  setShop(shop)
  if (known) setCatalogue(known.products)
  setFigures(known?.figures ?? undefined)
  return renderToString(
    <StrictMode>
      <App path={path} screens={screens} />
    </StrictMode>,
  )
}

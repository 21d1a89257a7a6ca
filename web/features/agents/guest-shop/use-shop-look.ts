import { useEffect } from 'react'
import type { ShopFace } from '../../../../shared/agent-shops.ts'
import { wearColour } from './wear-colour.ts'

/** The page has an agent's colour and name as long as it is their shop's. */
export function useShopLook(shop: Pick<ShopFace, 'colour' | 'name'> | null) {
  const colour = shop?.colour
  const name = shop?.name
  useEffect(() => (colour ? wearColour(colour) : undefined), [colour])
  useEffect(() => (name ? bearName(name) : undefined), [name])
}

/** Returns how to take the name away again. Headings of pages put it into the tab's title from the same place: see PageHeader. */
function bearName(name: string): () => void {
  const { title } = document
  const brand = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')
  const before = brand?.content
  if (brand) brand.content = name
  document.title = title.endsWith(` · ${before}`) ? title.slice(0, -`${before}`.length) + name : name
  return () => {
    if (brand && before !== undefined) brand.content = before
    document.title = title
  }
}

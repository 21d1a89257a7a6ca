import { useEffect } from 'react'
import type { Shop } from '../../../shared/shop.ts'
import { createStore } from '../../lib/store.ts'

/** What stands on the page until the operator's own settings are here. */
const UNTIL_KNOWN: Shop = {
  name: 'Dwadi',
  slug: 'dwadi',
  tagline: 'Affordable data bundles for every network in Ghana',
  phone: '',
  email: '',
  whatsapp: [],
  workHours: 'Mondays - Sundays, 7:40am - 8:30pm',
  copyrightYear: 2024,
  developerCredit: '',
  mode: 'live',
}

const shop = createStore<Shop>(UNTIL_KNOWN)
let asked = false

/** The shop's own name, contacts and mode. */
export function useShop(): Shop {
  useEffect(() => void loadShop(), [])
  return shop.use()
}

/** The server sends them inside the page; a page from elsewhere, as in development, asks for them. */
export async function loadShop(): Promise<void> {
  if (asked) return
  asked = true
  const inPage = readShopInPage()
  if (inPage) {
    shop.set(inPage)
    return
  }
  try {
    const { request } = await import('../../lib/http.ts')
    shop.set(await request<Shop>('GET', '/shop', { withToken: false }))
  } catch {
    asked = false
  }
}

export function getShop(): Shop {
  return shop.get()
}

function readShopInPage(): Shop | undefined {
  const text = document.getElementById('shop')?.textContent
  if (!text) return undefined
  try {
    return JSON.parse(text) as Shop
  } catch {
    return undefined
  }
}

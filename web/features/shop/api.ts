import { useEffect, useSyncExternalStore } from 'react'
import type { Shop } from '../../../shared/shop.ts'
import { readPageData } from '../../lib/page-data.ts'
import { createStore } from '../../lib/store.ts'

/** Defaults until the operator's settings are here. */
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

const shop = createStore<Shop>(readPageData<Shop>('shop') ?? UNTIL_KNOWN)
let asked = shop.get() !== UNTIL_KNOWN

/** The shop's own name, contacts and mode. */
export function useShop(): Shop {
  useEffect(() => void loadShop(), [])
  return useSyncExternalStore(shop.subscribe, shop.get, shop.get)
}

/** For a page that is prerendered. */
export function setShop(known: Shop): void {
  asked = true
  shop.set(known)
}

/** The server sends them inside the page; only the page of the development server has to ask for them. */
async function loadShop(): Promise<void> {
  if (asked || !import.meta.env.DEV) return
  asked = true
  try {
    const { call } = await import('../../lib/api.ts')
    shop.set(await call('GET /shop', { withToken: false }))
  } catch {
    asked = false
  }
}

export function getShop(): Shop {
  return shop.get()
}

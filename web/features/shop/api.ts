import { useQuery } from '@tanstack/react-query'
import type { Shop } from '../../../shared/shop.ts'
import { request } from '../../lib/http.ts'

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

/** The shop's own name, contacts and mode; the server sends them inside the page. */
export function useShop(): Shop {
  const { data } = useQuery({
    queryKey: ['shop'],
    queryFn: () => request<Shop>('GET', '/shop', { withToken: false }),
    initialData: shopInPage,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data ?? UNTIL_KNOWN
}

function shopInPage(): Shop | undefined {
  const text = typeof document === 'undefined' ? null : document.getElementById('shop')?.textContent
  if (!text) return undefined
  try {
    return JSON.parse(text) as Shop
  } catch {
    return undefined
  }
}

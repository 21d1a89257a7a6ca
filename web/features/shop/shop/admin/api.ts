import { queryOptions } from '@tanstack/react-query'
import type { ShopSettings } from '../../../../../shared/shop-settings.ts'
import { call } from '../../../../lib/api.ts'
import { queryClient, refreshSoon } from '../../../../lib/query-client.ts'
import { getShop, setShop } from '../api.ts'

export const shopSettingsQuery = queryOptions({
  queryKey: ['shop-settings'],
  queryFn: async ({ signal }) => (await call('GET /admin/shop', { signal })).shop,
})

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => call('GET /admin/setup', { signal }),
})

/** Takes over what was saved, in this page too: its name, its logo and its contacts. */
export async function keepShopSettings(settings: ShopSettings): Promise<void> {
  queryClient.setQueryData(shopSettingsQuery.queryKey, settings)
  refreshSoon(['setup'], ['admin-actions'])
  try {
    setShop(await call('GET /shop', { withToken: false }))
  } catch {
    // It is saved all the same; the next page shows it.
    setShop({ ...getShop(), name: settings.name })
  }
  const brand = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')
  if (brand) brand.content = settings.name
}

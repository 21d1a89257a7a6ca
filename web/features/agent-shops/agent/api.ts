import { queryOptions, useMutation } from '@tanstack/react-query'
import type { OwnShop, OwnShopReply } from '../../../../shared/agent-shops.ts'
import { call } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query-client.ts'

export const ownShopQuery = queryOptions({ queryKey: ['own-shop'], queryFn: ({ signal }) => call('GET /my-shop', { signal }) })

const keep = (reply: OwnShopReply) => queryClient.setQueryData(ownShopQuery.queryKey, reply)

export function useOpenShop() {
  return useMutation({
    mutationFn: async (body: Pick<OwnShop, 'slug' | 'name' | 'about' | 'colour' | 'phone' | 'whatsapp'>) =>
      keep(await call('POST /my-shop', { body })),
  })
}

type Change = Partial<Pick<OwnShop, 'name' | 'about' | 'colour' | 'phone' | 'whatsapp' | 'open'>>

export function useChangeShop() {
  return useMutation({ mutationFn: async (body: Change) => keep(await call('PUT /my-shop', { body })) })
}

export function useChangePrices() {
  return useMutation({
    mutationFn: async (prices: { productId: string; offer: string; price: number | null; hidden: boolean }[]) =>
      keep(await call('PUT /my-shop/prices', { body: { prices } })),
  })
}

/** `image`: a data address, or null for none. */
export function useChangeLogo() {
  return useMutation({ mutationFn: async (image: string | null) => keep(await call('PUT /my-shop/logo', { body: { image } })) })
}

/** The address that an agent hands to customers. */
export function linkOf({ slug }: Pick<OwnShop, 'slug'>): string {
  return new URL(`/s/${slug}`, location.href).href
}

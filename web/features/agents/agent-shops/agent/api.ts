import { queryOptions, useMutation } from '@tanstack/react-query'
import type { OwnShop, OwnShopReply } from '../../../../../shared/agent-shops.ts'
import type { SubAgentPriceRequest, SubAgentsReply } from '../../../../../shared/sub-agents.ts'
import { call, callList } from '../../../../lib/api.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { refreshSessionUser } from '../../../people/users/api.ts'

export const ownShopQuery = queryOptions({ queryKey: ['own-shop'], queryFn: ({ signal }) => call('GET /my-shop', { signal }) })

/** While orders of today are pending, their news is looked for this often. */
const LOOK_EVERY_MS = 15_000

export const shopDayQuery = queryOptions({
  queryKey: ['shop-day'],
  queryFn: ({ signal }) => call('GET /my-shop/today', { signal }),
  refetchInterval: ({ state }) => (state.data?.day && state.data.day.pending > 0 ? LOOK_EVERY_MS : false),
})

export function salesQuery(query: { page: number; pageSize: number; search?: string }) {
  return queryOptions({
    queryKey: ['shop-sales', query],
    queryFn: ({ signal }) => callList('GET /my-shop/sales', { query, signal }),
    refetchInterval: ({ state }) => (state.data?.rows.some(({ status }) => status === 'pending') ? LOOK_EVERY_MS : false),
  })
}

const keep = (reply: OwnShopReply) => queryClient.setQueryData(ownShopQuery.queryKey, reply)

export function useOpenShop() {
  return useMutation({
    mutationFn: async (body: Pick<OwnShop, 'slug' | 'name' | 'about' | 'colour' | 'phone' | 'whatsapp'>) =>
      keep(await call('POST /my-shop', { body })),
  })
}

type Change = Partial<Pick<OwnShop, 'name' | 'about' | 'colour' | 'phone' | 'whatsapp' | 'open'>> & {
  host?: string | null
  subAgentsSell?: boolean
}

export function useChangeShop() {
  return useMutation({
    mutationFn: async (body: Change) => {
      keep(await call('PUT /my-shop', { body }))
      if (body.subAgentsSell !== undefined) await queryClient.invalidateQueries({ queryKey: subAgentsQuery.queryKey })
    },
  })
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
export function linkOf({ slug, host = null }: Pick<OwnShop, 'slug'> & Partial<Pick<OwnShop, 'host'>>): string {
  if (host?.approved) return `${location.protocol}//${host.name}`
  return new URL(`/s/${slug}`, location.href).href
}

export const subAgentsQuery = queryOptions({
  queryKey: ['sub-agents'],
  queryFn: ({ signal }) => call('GET /my-shop/sub-agents', { signal }),
})

export function invitationQuery(code: string) {
  return queryOptions({
    queryKey: ['join', code],
    queryFn: ({ signal }) => call('GET /join/:code', { params: { code }, signal }),
    retry: false,
  })
}

const keepSubAgents = (reply: SubAgentsReply) => queryClient.setQueryData(subAgentsQuery.queryKey, reply)

export function useInvite() {
  return useMutation({ mutationFn: async () => keepSubAgents(await call('POST /my-shop/sub-agent-invitations')) })
}

export function useWithdrawLink() {
  return useMutation({
    mutationFn: async (id: string) => keepSubAgents(await call('DELETE /my-shop/sub-agent-invitations/:id', { params: { id } })),
  })
}

export function useEndSubAgent() {
  return useMutation({
    mutationFn: async (id: string) => keepSubAgents(await call('POST /my-shop/sub-agents/:id/end', { params: { id } })),
  })
}

export function useChangeSubAgentPrices() {
  return useMutation({
    mutationFn: async (prices: SubAgentPriceRequest['prices']) =>
      keepSubAgents(await call('PUT /my-shop/sub-agents/prices', { body: { prices } })),
  })
}

export function useLeave() {
  return useMutation({
    mutationFn: async () => {
      const { message } = await call('POST /my-shop/leave')
      await queryClient.invalidateQueries({ queryKey: ownShopQuery.queryKey })
      return message
    },
  })
}

export function useJoin() {
  return useMutation({
    mutationFn: async (code: string) => {
      const { message } = await call('POST /join/:code', { params: { code } })
      // Whoever was refused a shop before has one to open now.
      queryClient.removeQueries({ queryKey: ownShopQuery.queryKey })
      // The session says who sells, for the tabs; without its reply they come with the next page.
      await refreshSessionUser().catch(() => undefined)
      return message
    },
  })
}

/** The address that an agent hands to one person. */
export function joinLink(code: string): string {
  return `${location.origin}/join/${code}`
}

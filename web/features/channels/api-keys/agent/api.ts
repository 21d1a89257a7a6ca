import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { CreateKeyRequest } from '../../../../../shared/api-keys.ts'
import type { WebhookEvent } from '../../../../../shared/webhook-rules.ts'
import { call } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

/** How often what is on its way is looked at. */
const LOOK_EVERY_MS = 3_000

export const keysQuery = queryOptions({ queryKey: ['api-keys'], queryFn: ({ signal }) => call('GET /api-keys', { signal }) })

export const webhooksQuery = queryOptions({ queryKey: ['webhooks'], queryFn: ({ signal }) => call('GET /webhooks', { signal }) })

export function sentQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call('GET /webhooks/:id/deliveries', { params: { id }, query: pageParam === undefined ? {} : { before: pageParam }, signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(({ status }) => status === 'waiting')) ? LOOK_EVERY_MS : false,
  })
}

export function useMakeKey() {
  return useMutation({
    mutationFn: (body: CreateKeyRequest) => withPassword(() => call('POST /api-keys', { body })),
    onSettled: () => refreshSoon(['api-keys']),
  })
}

export function useRotateKey() {
  return useMutation({
    mutationFn: (id: string) => withPassword(() => call('POST /api-keys/:id/rotate', { params: { id }, body: { overlapHours: 24 } })),
    onSettled: () => refreshSoon(['api-keys']),
  })
}

export function useEndKey() {
  return useMutation({
    mutationFn: (id: string) => call('DELETE /api-keys/:id', { params: { id } }),
    onSettled: () => refreshSoon(['api-keys']),
  })
}

type Wanted = { url: string; events: WebhookEvent[]; test: boolean }

/** Makes a webhook, or changes the one with this id. The reply of a new one has its secret. */
export function useSaveWebhook(id: string | null) {
  return useMutation({
    mutationFn: async ({ url, events, test }: Wanted) => {
      if (id === null) return call('POST /webhooks', { body: { url, events, test } })
      return { ...(await call('PUT /webhooks/:id', { params: { id }, body: { url, events } })), secret: null }
    },
    onSettled: () => refreshSoon(['webhooks']),
  })
}

export function useWebhookActs(id: string) {
  const onSettled = () => refreshSoon(['webhooks'])
  const params = { id }
  return {
    rotate: useMutation({ mutationFn: () => call('POST /webhooks/:id/rotate', { params }), onSettled }),
    sendTest: useMutation({ mutationFn: () => call('POST /webhooks/:id/test', { params }), onSettled }),
    end: useMutation({ mutationFn: () => call('DELETE /webhooks/:id', { params }), onSettled }),
    resend: useMutation({
      mutationFn: (deliveryId: string) => call('POST /webhooks/deliveries/:id/resend', { params: { id: deliveryId } }),
      onSettled,
    }),
  }
}

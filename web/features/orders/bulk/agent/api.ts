import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BulkJob, BulkJobLine, BulkPreview, PlaceBulkRequest, SaveGroupRequest, ScheduleRequest } from '../../../../../shared/bulk.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../../../../shared/limits.ts'
import type { ListPaymentRequest } from '../../../../../shared/payments.ts'
import { call, callFile } from '../../../../lib/api.ts'
import { queryClient } from '../../../../lib/query-client.ts'

/** Five thousand lines are close to a megabyte, which a phone sends slowly. */
const LONG_MS = 60_000
/** While orders are pending, how they stand is read again this often; announcements are quicker. */
const LOOK_EVERY_MS = 20_000

export type SentList = { job: BulkJob; lines: readonly BulkJobLine[] }
type PreviewOf = { text: string } | { groupId: string } | { retryOf: string } | { repeatOf: string }

export function previewBulk(body: PreviewOf, signal?: AbortSignal): Promise<BulkPreview> {
  return call('POST /bulk/preview', { body, signal, timeoutMs: LONG_MS })
}

/** What the shop makes of a list: which of its numbers have an order on its way. */
export function previewQuery(text: string) {
  return queryOptions({
    queryKey: ['bulk-preview', text],
    queryFn: ({ signal }) => previewBulk({ text }, signal),
    staleTime: 15_000,
    gcTime: 0,
  })
}

export function placeBulk(body: PlaceBulkRequest, key: string) {
  return call('POST /bulk', { body, headers: { [IDEMPOTENCY_KEY_HEADER]: key }, timeoutMs: LONG_MS })
}

export function startListPayment(body: ListPaymentRequest) {
  return call('POST /payment/list', { body, timeoutMs: LONG_MS })
}

export const jobsQuery = infiniteQueryOptions({
  queryKey: ['bulk', 'lists'],
  queryFn: ({ pageParam, signal }) => call('GET /bulk', { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
})

/** The list that was paid for last; null where there is none. */
export const latestJobQuery = queryOptions({
  queryKey: ['bulk', 'latest'],
  queryFn: async ({ signal }) => (await call('GET /bulk', { query: { cursor: undefined }, signal })).jobs[0] ?? null,
})

/** A list with all its lines. */
export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ['bulk', 'list', id],
    queryFn: async ({ signal }): Promise<SentList> => {
      const lines: BulkJobLine[] = []
      let cursor: string | undefined
      for (;;) {
        const page = await call('GET /bulk/:id', { params: { id }, query: { cursor, state: undefined }, signal })
        lines.push(...page.lines)
        if (page.next === null) return { job: page.job, lines }
        cursor = page.next
      }
    },
    refetchInterval: ({ state }) => ((state.data?.job.pending ?? 0) > 0 ? LOOK_EVERY_MS : false),
  })
}

export function resultFile(id: string) {
  return callFile('GET /bulk/:id/file', { params: { id } })
}

export const groupsQuery = queryOptions({
  queryKey: ['bulk-groups'],
  queryFn: ({ signal }) => call('GET /bulk-groups', { signal }),
})

export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ['bulk-groups', id],
    queryFn: ({ signal }) => call('GET /bulk-groups/:id', { params: { id }, signal }),
  })
}

/** Saves a new group, or an old one anew. */
export async function saveGroup(id: string | null, body: SaveGroupRequest) {
  const { group } = id ? await call('PUT /bulk-groups/:id', { params: { id }, body }) : await call('POST /bulk-groups', { body })
  await queryClient.invalidateQueries({ queryKey: ['bulk-groups'] })
  await refreshSchedules()
  return group
}

export async function deleteGroup(id: string): Promise<void> {
  await call('DELETE /bulk-groups/:id', { params: { id } })
  queryClient.removeQueries({ queryKey: ['bulk-groups', id] })
  await queryClient.invalidateQueries({ queryKey: ['bulk-groups'] })
  await refreshSchedules()
}

export const schedulesQuery = queryOptions({
  queryKey: ['bulk-schedules'],
  queryFn: ({ signal }) => call('GET /bulk-schedules', { signal }),
})

export async function saveSchedule(id: string | null, body: ScheduleRequest): Promise<void> {
  if (id) await call('PUT /bulk-schedules/:id', { params: { id }, body })
  else await call('POST /bulk-schedules', { body })
  await refreshSchedules()
}

export async function changeSchedule(id: string, what: 'pause' | 'resume' | 'skip'): Promise<void> {
  await call(`POST /bulk-schedules/:id/${what}`, { params: { id } })
  await refreshSchedules()
}

export async function deleteSchedule(id: string): Promise<void> {
  await call('DELETE /bulk-schedules/:id', { params: { id } })
  await refreshSchedules()
}

function refreshSchedules(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['bulk-schedules'] })
}

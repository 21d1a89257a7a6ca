import { queryOptions } from '@tanstack/react-query'
import type { Batch, BatchFormat, SettleBatchRequest } from '../../../../../shared/batches.ts'
import { call, callList } from '../../../../lib/api.ts'
import { queryClient, refreshSoon } from '../../../../lib/query-client.ts'

// Under "stats", since every announcement about an order refreshes that.
export const openBatchesQuery = queryOptions({
  queryKey: ['stats', 'batches', 'open'],
  queryFn: ({ signal }) => callList('GET /admin/batches', { query: { open: 'true', page: 1, pageSize: 20 }, signal }),
})

export function batchQuery(number: string) {
  return queryOptions({
    queryKey: ['stats', 'batches', number],
    queryFn: async ({ signal }) => (await call('GET /admin/batches/:number', { params: { number }, signal })).batch,
  })
}

/** Locks orders in a batch; without `ids` the oldest of the network. The same key makes the same batch. */
export async function makeBatch(asked: { key: string; network: string; ids?: string[] }) {
  const reply = await call('POST /admin/batches', { body: asked as never, timeoutMs: 30_000 })
  takeOver(reply.batch)
  refreshSoon(['orders'])
  return reply
}

export async function settleBatch(number: number, results: SettleBatchRequest) {
  const reply = await call('PUT /admin/batches/:number/settle', { params: { number: String(number) }, body: results, timeoutMs: 60_000 })
  takeOver(reply.batch)
  refreshSoon(['orders'], ['order'], ['admin-actions'])
  return reply
}

export async function noteExported(number: number) {
  takeOver((await call('PUT /admin/batches/:number/exported', { params: { number: String(number) } })).batch)
}

export async function changeFormat(number: number, format: BatchFormat) {
  takeOver((await call('PUT /admin/batches/:number/format', { params: { number: String(number) }, body: format })).batch)
}

function takeOver(batch: Batch): void {
  queryClient.setQueryData(batchQuery(String(batch.number)).queryKey, batch)
  refreshSoon(['stats'])
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { PricesReply, PublishRequest, ScheduleRequest } from '../../../../../shared/prices.ts'
import { call } from '../../../../lib/api.ts'
import { queryClient, refreshSoon } from '../../../../lib/query-client.ts'
import { refreshCatalogue, useProducts } from '../../products/api.ts'

const KEY = ['prices']
export const pricesQuery = queryOptions({ queryKey: KEY, queryFn: ({ signal }) => call('GET /admin/prices', { signal }) })

/** All prices, read again when the catalogue that everyone sees changes. */
export function usePrices() {
  const { data: catalogue } = useProducts()
  const seen = useRef(catalogue)
  useEffect(() => {
    if (seen.current && catalogue !== seen.current) refreshSoon(KEY)
    seen.current = catalogue
  }, [catalogue])
  return useQuery(pricesQuery)
}

export function refreshPrices(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: KEY })
}

/** Each write replies with all prices as they are then. */
export const priceWrites = {
  publish: async (body: PublishRequest) => show(await call('POST /admin/prices/publish', { body })),
  schedule: async (body: ScheduleRequest) => show(await call('POST /admin/price-schedules', { body })),
  cancel: async (id: string) => show(await call('DELETE /admin/price-schedules/:id', { params: { id } })),
  undo: async (id: string) => show(await call('POST /admin/prices/:id/undo', { params: { id } })),
}

function show(reply: PricesReply): PricesReply {
  queryClient.setQueryData(KEY, reply)
  refreshCatalogue()
  refreshSoon(['admin-actions'], ['costs'])
  return reply
}

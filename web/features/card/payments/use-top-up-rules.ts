import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'

const topUpRulesQuery = queryOptions({ queryKey: ['top-up-rules'], queryFn: ({ signal }) => call('GET /payment/top-up', { signal }) })

/** How much the signed-in user may top up now, and what of that is on hold. */
export function useTopUpRules() {
  return useQuery(topUpRulesQuery)
}

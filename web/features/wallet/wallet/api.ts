import { queryOptions } from '@tanstack/react-query'
import { callList } from '../../../lib/api.ts'

export type StatementFilter = { page: number; pageSize: number; search: string; month: string }

/** One page of the signed-in user's own statement, newest first. */
export function statementQuery(filter: StatementFilter) {
  return queryOptions({
    queryKey: ['statement', filter],
    queryFn: ({ signal }) => callList('GET /wallet/statement', { query: filter, signal }),
  })
}

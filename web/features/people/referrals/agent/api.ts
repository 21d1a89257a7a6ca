import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, callList } from '../../../../lib/api.ts'
import { queryClient } from '../../../../lib/query-client.ts'

export const referralsQuery = queryOptions({ queryKey: ['referrals'], queryFn: ({ signal }) => call('GET /referrals', { signal }) })

export function invitedQuery(page: number, pageSize: number) {
  return queryOptions({
    queryKey: ['referrals', 'invited', page],
    queryFn: ({ signal }) => callList('GET /referrals/invited', { query: { page, pageSize }, signal }),
  })
}

export const leaderboardQuery = queryOptions({
  queryKey: ['referrals', 'leaderboard'],
  queryFn: async ({ signal }) => (await call('GET /referrals/leaderboard', { signal })).leaderboard,
})

export function useOpenLink() {
  return useMutation({
    mutationFn: () => call('POST /referrals/link'),
    onSuccess: (summary) => queryClient.setQueryData(referralsQuery.queryKey, summary),
  })
}

export function linkOf(code: string): string {
  return `${location.origin}/register?by=${code}`
}

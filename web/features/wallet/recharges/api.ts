import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Recharge, RechargeRequest } from '../../../../shared/recharges.ts'
import { call, callList } from '../../../lib/api.ts'
import { session } from '../../../lib/session.ts'

const rechargesQuery = queryOptions({
  queryKey: ['recharges'],
  queryFn: async ({ signal }) => (await callList('GET /recharge', { query: { mine: 'true' }, signal })).rows,
})

/** The signed-in user's own recharges; news of everybody's reaches an admin's list. */
export function useMyRecharges() {
  const userId = session.use()?._id
  return useQuery({ ...rechargesQuery, select: (recharges) => recharges.filter((recharge) => recharge.user._id === userId) })
}

export function useRequestRecharge() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: RechargeRequest) => call('POST /recharge', { body }),
    onSuccess: ({ recharge }) => {
      client.setQueryData(
        rechargesQuery.queryKey,
        (recharges) => recharges && [recharge, ...recharges.filter((other) => other._id !== recharge._id)],
      )
    },
  })
}

/** Tells the shop that the money of a request has been sent. */
export function useSayPaid() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ _id }: Recharge) => call('PUT /recharge/:id/paid', { params: { id: _id } }),
    onSuccess: ({ recharge }) => {
      client.setQueryData(rechargesQuery.queryKey, (recharges) =>
        recharges?.map((other) => (other._id === recharge._id ? recharge : other)),
      )
    },
  })
}

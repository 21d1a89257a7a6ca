import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Withdrawal, WithdrawalRequest } from '../../../../../shared/withdrawals.ts'
import { call, callList } from '../../../../lib/api.ts'
import { readDraft, writeDraft } from '../../../../lib/drafts.ts'
import { RefusedError } from '../../../../lib/http.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { session } from '../../../../lib/session.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

/** While money is on its way, its news is looked for this often. */
const LOOK_EVERY_MS = 10_000

export const earningsQuery = queryOptions({
  queryKey: ['earnings'],
  queryFn: async ({ signal }) => (await call('GET /earnings', { signal })).earnings,
  refetchInterval: ({ state }) => (state.data && state.data.sums.beingPaid.count > 0 ? LOOK_EVERY_MS : false),
})

export function withdrawalsQuery(pageSize: number) {
  return queryOptions({
    queryKey: ['withdrawals', pageSize],
    queryFn: ({ signal }) => callList('GET /earnings/withdrawals', { query: { page: 1, pageSize }, signal }),
    refetchInterval: ({ state }) => (state.data?.rows.some(({ endedAt }) => endedAt === null) ? LOOK_EVERY_MS : false),
  })
}

const KEY_OF = 'withdrawal key'

/** The same withdrawal keeps its key until the shop has answered, also after a reload, so that it is made once. */
export function useWithdraw() {
  return useMutation({
    mutationFn: async (body: WithdrawalRequest) => {
      const userId = session.get()?._id ?? null
      const of = JSON.stringify(body)
      const kept = readDraft(userId, KEY_OF)
      const key = kept?.of === of && kept.key ? kept.key : crypto.randomUUID()
      writeDraft(userId, KEY_OF, { key, of })
      try {
        const reply = await call('POST /earnings/withdrawals', { body, headers: { 'idempotency-key': key } })
        writeDraft(userId, KEY_OF, null)
        return reply
      } catch (error) {
        if (error instanceof RefusedError) writeDraft(userId, KEY_OF, null)
        throw error
      }
    },
    onSettled: () => refreshSoon(['earnings'], ['withdrawals']),
  })
}

/** Has a code sent to a number, asking for the password where the shop wants it. */
export function sendPayoutCode(phoneNumber: string) {
  return withPassword(() => call('POST /earnings/payout-numbers/code', { body: { phoneNumber } }))
}

export async function confirmPayoutNumber(body: { phoneNumber: string; code: string }) {
  await call('POST /earnings/payout-numbers', { body })
  refreshSoon(['earnings'])
}

export function useRemoveNumber() {
  return useMutation({
    mutationFn: (phoneNumber: string) => call('POST /earnings/payout-numbers/remove', { body: { phoneNumber } }),
    onSettled: () => refreshSoon(['earnings']),
  })
}

export function useCancelWithdrawal() {
  return useMutation({
    mutationFn: ({ _id }: Withdrawal) => call('PUT /earnings/withdrawals/:id/cancel', { params: { id: _id } }),
    onSettled: () => refreshSoon(['earnings'], ['withdrawals']),
  })
}

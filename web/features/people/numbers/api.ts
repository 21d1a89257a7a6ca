import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { refreshSoon } from '../../../lib/query-client.ts'

export const numbersQuery = queryOptions({
  queryKey: ['numbers'],
  queryFn: ({ signal }) => call('GET /user/me/numbers', { signal }),
})

export function sendNumberCode(phoneNumber: string) {
  return call('POST /user/me/numbers/code', { body: { phoneNumber } })
}

export async function confirmNumber(body: { phoneNumber: string; code: string }) {
  await call('POST /user/me/numbers', { body })
  // What was waiting for it may be credited at once.
  refreshSoon(['numbers'], ['recharges'], ['statement'])
}

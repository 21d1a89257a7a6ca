import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Notice } from '../../../../shared/notice.ts'
import type { PaymentNumber } from '../../../../shared/shop-settings.ts'
import { call } from '../../../lib/api.ts'

/** The shop's numbers by network, read again whenever the notice is announced anew. Empty until they are here. */
export function usePaymentNumbers(notice: Notice | undefined): PaymentNumber[] {
  const { data = [], refetch } = useQuery({
    queryKey: ['payment-numbers'],
    queryFn: ({ signal }) => call('GET /extra/payment-numbers', { withToken: false, signal }),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a notice that is announced again is a new object.
  useEffect(() => {
    if (notice) void refetch()
  }, [notice])
  return data
}

import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReconciliationReply } from '../../../../../shared/reconciliation.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { toast } from '../../../../ui/toast.ts'

/** How often this screen refreshes: normally, and while a check is running. */
export const RECONCILIATION_EVERY_MS = 10_000
export const RECONCILIATION_WHILE_CHECKING_MS = 1_500

export const reconciliationQuery = queryOptions({
  queryKey: ['books'],
  queryFn: ({ signal }) => call('GET /admin/books', { signal }),
})

/** Requests a check of all rows, and polls until it is done. */
export function useCheckNow(books: ReconciliationReply | undefined) {
  const client = useQueryClient()
  const [askedAt, setAskedAt] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const left = askedAt === null || !books ? 0 : books.invariants.filter(({ wholeAt }) => wholeAt === null || wholeAt < askedAt).length
  const checkNow = async () => {
    setSending(true)
    try {
      const asked = await call('POST /admin/books/check')
      setAskedAt(asked.askedAt)
      await client.invalidateQueries({ queryKey: ['books'] })
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setSending(false)
    }
  }
  return { checkNow, checking: sending || left > 0, left }
}

/** Lets customers buy again. */
export function useResume() {
  const client = useQueryClient()
  return async (reason: string) => {
    await call('POST /admin/books/resume', { body: { reason } })
    toast.success('Customers can buy again')
    await client.invalidateQueries({ queryKey: ['books'] })
    void client.invalidateQueries({ queryKey: ['admin-actions'] })
  }
}

import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Float } from '../../../../../shared/floats.ts'
import { hasRole, SEES_ORDERS } from '../../../../../shared/staff-rules.ts'
import type { SupplierName } from '../../../../../shared/suppliers.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { toast } from '../../../../ui/toast.ts'
import { floatName, ordersWait } from './float-words.ts'

const EVERY_MS = 60_000

/** Balances are read every ten minutes; what changes in between is announced. */
export const floatsQuery = queryOptions({
  queryKey: ['suppliers'],
  queryFn: ({ signal }) => call('GET /admin/suppliers', { signal }),
  refetchInterval: EVERY_MS,
})

/** Which suppliers get each network's orders; under the key of the floats, since both change with what suppliers do. */
export const supplierOrderQuery = queryOptions({
  queryKey: ['suppliers', 'order'],
  queryFn: ({ signal }) => call('GET /admin/suppliers/order', { signal }),
})

/** What somebody of the staff may do here: send what waits, or see and enter balances. */
export function useFloatRights() {
  const user = session.use() ?? {}
  return {
    seesFloats: hasRole(user, SEES_ORDERS),
    maySend: hasRole(user, 'orders'),
    mayEnter: hasRole(user, 'finance'),
    isOwner: hasRole(user, 'owner'),
  }
}

/** Sends what waits at a supplier now, or takes it back; tells what came of it. */
export function useSupplierActs() {
  const client = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)

  async function act(key: string, work: () => Promise<{ message: string }>) {
    setBusy(key)
    try {
      toast.success((await work()).message)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      await client.invalidateQueries({ queryKey: ['suppliers'] })
      setBusy(null)
    }
  }

  return {
    /** The key of the float that is being dealt with. */
    busy,
    tryNow: ({ key }: Float) => act(key, () => call('POST /admin/suppliers/:name/retry', { params: { name: key as SupplierName } })),
    async takeBack(float: Float) {
      const yes = await confirmAction({
        question: 'Are you sure you want to process these orders by hand?',
        title: 'Send them by hand',
        details: `${ordersWait(float.held.orders)} at ${floatName(float)}. They come to your orders, and ${floatName(float)} never gets them.`,
      })
      if (yes) await act(float.key, () => call('POST /admin/suppliers/:name/release', { params: { name: float.key as SupplierName } }))
    },
  }
}

import { queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import type { DecideManyRequest, Decision, Order } from '../../../../../shared/orders.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon, replaceInLists } from '../../../../lib/query-client.ts'
import { noteOwnChange } from '../../../../ui/admin/changed-rows.ts'
import { toast } from '../../../../ui/toast.ts'
import { sendDecision } from './send-decision.ts'

// Under "stats", since every announcement about an order refreshes that.
export const orderCountsQuery = queryOptions({
  queryKey: ['stats', 'order-counts'],
  queryFn: ({ signal }) => call('GET /admin/order-counts', { signal }),
})

/** One order with all that is known of it, by its number or `_id`. */
export function orderDetailQuery(id: string) {
  return queryOptions({
    // Under "order", since every announcement about an order refreshes that.
    queryKey: ['order', 'detail', id],
    queryFn: async ({ signal }) => (await call('GET /admin/orders/:id', { params: { id }, signal })).detail,
  })
}

/** The most orders that one question may decide. */
export const MAX_DECIDE_MANY = 100

export type Refusal = { order: Order; message: string }

/** Sends decisions, updates every list with the result, and tells which orders are being decided. */
export function useDecideOrders() {
  const [deciding, setDeciding] = useState<ReadonlySet<string>>(new Set())

  const whileDeciding = async <T>(orders: readonly Order[], act: () => Promise<T>): Promise<T> => {
    const ids = orders.map((order) => order._id)
    setDeciding((others) => new Set([...others, ...ids]))
    ids.forEach(noteOwnChange)
    try {
      return await act()
    } finally {
      setDeciding((others) => new Set([...others].filter((id) => !ids.includes(id))))
      refreshSoon(['orders'], ['stats'], ['admin-actions'])
    }
  }

  const decideOne = (order: Order, status: Decision, reason?: string, refundReason?: string): Promise<void> =>
    whileDeciding([order], async () => {
      try {
        const params = { id: order._id }
        const body = {
          status,
          ...(reason ? { override: { reason, supplierStatus: order.supplier?.status } } : {}),
          ...(refundReason ? { refundReason } : {}),
        }
        const decided = await sendDecision(
          status,
          async () => (await call('PUT /order/update-status/:id', { params, body })).order,
          async () => (await call('GET /admin/orders/:id', { params })).detail.order,
        )
        replaceInLists(['orders'], decided)
        tellDecided(`Order ${decided.id} ${decided.status}`, decided.status === 'completed')
      } catch (error) {
        toast.danger(`Error updating order status: ${messageOf(error)}`)
      }
    })

  /** Answers which orders the server refused to decide, and why. */
  const decideMany = (orders: readonly Order[], asked: DecideManyRequest): Promise<Refusal[] | null> =>
    whileDeciding(orders, async () => {
      try {
        const reply = await call('POST /order/decide-many', {
          body: asked,
          timeoutMs: 60_000,
        })
        for (const decided of reply.decided) replaceInLists(['orders'], decided)
        const count = reply.decided.length
        if (count > 0) tellDecided(`${count} ${count === 1 ? 'order' : 'orders'} ${asked.status}`, asked.status === 'completed')
        return reply.refused.flatMap(({ id, message }) => {
          const order = orders.find((one) => one._id === id)
          return order ? [{ order, message }] : []
        })
      } catch (error) {
        toast.danger(`Error updating order status: ${messageOf(error)}`)
        return null
      }
    })

  return { deciding, decideOne, decideMany }
}

function tellDecided(message: string, completed: boolean): void {
  if (completed) toast.success(message)
  else toast.danger(message)
}

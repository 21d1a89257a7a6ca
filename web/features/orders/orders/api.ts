import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Order, Report } from '../../../../shared/orders.ts'
import { searchableAmount, searchTexts } from '../../../../shared/search.ts'
import { call, callList } from '../../../lib/api.ts'
import { queryClient, refreshSoon } from '../../../lib/query-client.ts'
import { ofUser } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'
import type { ListQuery } from '../../../ui/use-list-state.ts'
import { totalPaid } from './total-paid.ts'

const ORDERS_KEPT = 50

/** The orders as last heard from the server, for a return without a connection. */
export const orderHistory = ofUser(createStored<readonly Order[] | null>('orderHistory', null, Array.isArray), null)

export type OrderFilter = {
  page?: number
  pageSize?: number
  search?: string
  status?: string
  network?: string
  segment?: string
  mine?: 'true'
}

export function ordersQuery(filter: OrderFilter = {}) {
  return queryOptions({
    queryKey: ['orders', filter],
    queryFn: ({ signal }) => callList('GET /order/allorders', { query: filter, signal }),
  })
}

/** One own order with what has happened to it, by its number or `_id`. */
export function orderQuery(id: string) {
  return queryOptions({
    queryKey: ['order', id],
    queryFn: ({ signal }) => call('GET /order/:id', { params: { id }, signal }),
    // Announcements say when something happens; this is for a phone that missed one.
    refetchInterval: ({ state }) => (state.data || state.status !== 'error' ? 60_000 : false),
  })
}

export async function openReport(orderId: string, text: string): Promise<Report> {
  return (await call('POST /order/:id/report', { params: { id: orderId }, body: text === '' ? {} : { text } })).report
}

export async function addReportLine(reportId: string, text: string): Promise<Report> {
  return (await call('POST /report/:id/message', { params: { id: reportId }, body: { text } })).report
}

/** Shows a report on its order's page at once; what else follows from it is asked for. */
export function takeOverReport(report: Report): void {
  queryClient.setQueriesData<OrderReply>({ queryKey: ['order'] }, (known) =>
    known?.order._id === report.orderId ? { ...known, reporting: { opensAt: null, report } } : known,
  )
  refreshSoon(['order'])
}

type OrderReply = Awaited<ReturnType<NonNullable<ReturnType<typeof orderQuery>['queryFn']>>>

type OrderPage = {
  rows: readonly Order[] | undefined
  total: number
  /** True when these are the orders of an earlier visit. */
  lastKnown: boolean
  stale: boolean
  error: Error | null
  retry: () => void
}

/** One page of the signed-in user's own orders, newest first. */
export function useMyOrders({ page, pageSize, search }: ListQuery): OrderPage {
  const query = useQuery({ ...ordersQuery({ page, pageSize, search, mine: 'true' }), placeholderData: keepPreviousData })
  const remembered = orderHistory.use()
  const { data, isPlaceholderData, error, refetch } = query

  useEffect(() => {
    if (!data || isPlaceholderData || page !== 1 || search) return
    const newer = new Set(data.rows.map((order) => order._id))
    const older = (orderHistory.get() ?? []).filter((order) => !newer.has(order._id))
    orderHistory.set([...data.rows, ...older].slice(0, Math.min(ORDERS_KEPT, data.total)))
  }, [data, isPlaceholderData, page, search])

  const shared = { stale: isPlaceholderData, error, retry: () => void refetch() }
  if (data) return { ...shared, rows: data.rows, total: data.total, lastKnown: false }
  if (!remembered) return { ...shared, rows: undefined, total: 0, lastKnown: false }
  const matching = searchOrders(remembered, search)
  return { ...shared, rows: matching.slice((page - 1) * pageSize, page * pageSize), total: matching.length, lastKnown: true }
}

/** Free text over all that a list of orders shows, as the server searches it. */
function searchOrders(orders: readonly Order[], search: string): readonly Order[] {
  const wanted = searchTexts(search)
  if (wanted.length === 0) return orders
  return orders.filter((order) => {
    const { id, network, receiver, offer, reference, paymentReference, date, status, actionTimestamp } = order
    const shown = [
      id,
      network,
      receiver,
      offer,
      searchableAmount(order.totalAmount),
      searchableAmount(totalPaid(order)),
      reference,
      paymentReference,
      date,
      status,
      actionTimestamp,
    ]
    return shown.some((text) => wanted.some((one) => text?.toLowerCase().includes(one)))
  })
}

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Customer } from '../../../../../shared/customers.ts'
import { call } from '../../../../lib/api.ts'
import { queryClient, refreshSoon } from '../../../../lib/query-client.ts'

/** Under the key of users, so that an announcement about one reads these again. */
const KEY = ['users', 'customers'] as const
const paged = {
  initialPageParam: '',
  getNextPageParam: ({ next }: { next: string | null }) => next,
}

/** Everybody, or whom a text names, newest first. */
export function customersQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: [...KEY, 'found', search],
    queryFn: ({ pageParam, signal }) => call('GET /admin/customers', { query: { search, before: pageParam }, signal }),
    ...paged,
  })
}

export function customerQuery(id: string) {
  return queryOptions({
    queryKey: [...KEY, id],
    queryFn: async ({ signal }) => (await call('GET /admin/customers/:id', { params: { id }, signal })).customer,
  })
}

export function movementsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...KEY, id, 'statement'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/customers/:id/statement', { params: { id }, query: { before: pageParam }, signal }),
    ...paged,
  })
}

export function ordersQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['orders', 'customer', id],
    queryFn: ({ pageParam, signal }) => call('GET /admin/customers/:id/orders', { params: { id }, query: { before: pageParam }, signal }),
    ...paged,
  })
}

export function customerRechargesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['recharges', 'customer', id],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/customers/:id/recharges', { params: { id }, query: { before: pageParam }, signal }),
    ...paged,
  })
}

export function customerReportsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['reports', 'customer', id],
    queryFn: ({ pageParam, signal }) => call('GET /admin/customers/:id/reports', { params: { id }, query: { before: pageParam }, signal }),
    ...paged,
  })
}

/** Takes over what a write replied, and reads the rest again. */
export function keepCustomer(customer: Customer): void {
  queryClient.setQueryData(customerQuery(customer._id).queryKey, customer)
  refreshSoon(['users'], ['stats'], ['admin-actions'])
}

import { queryOptions } from '@tanstack/react-query'
import type { InboxGroup } from '../../../../../shared/inbox.ts'
import { call } from '../../../../lib/api.ts'

/** Announcements refresh it at once; this is for what is not announced, such as time going by. */
const EVERY_MS = 60_000

export const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => call('GET /admin/inbox', { signal }),
  refetchInterval: EVERY_MS,
})

const MONEY: readonly InboxGroup['kind'][] = [
  'matched',
  'to-compare',
  'top-ups',
  'phone',
  'dispute',
  'held-payments',
  'withdrawals',
  'refunds',
]

/** How many wait for a decision. What is locked in a batch does not, and of a low stock `count` is what is left of it. */
export function countWaiting(groups: readonly InboxGroup[]): number {
  return groups.reduce((sum, { kind, count }) => sum + (kind === 'batch' ? 0 : kind === 'checkers-low' ? 1 : count), 0)
}

export function isMoney({ kind }: InboxGroup): boolean {
  return MONEY.includes(kind)
}

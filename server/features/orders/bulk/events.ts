import { SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { countOrders } from '../../../platform/metrics.ts'
import { announceUserById } from '../../people/users/events.ts'

/** `networks`: how many orders of each. */
type NewJob = { jobId: string; networks: Record<string, number>; paidWith: 'wallet' | 'card' }

/** Announces a list just placed: one message to its buyer and one to the staff, however many orders it has. */
export async function announceBulk(ctx: Ctx, userId: string, { jobId, networks, paidWith }: NewJob) {
  countOrders(Object.entries(networks).map(([network, count]) => ({ network, count, paidWith })))
  announceBulkProgress(ctx, userId, jobId)
  ctx.realtime.announce({ staff: SEES_ORDERS }, 'bulkUpdated', { _id: jobId })
  await announceUserById(ctx, userId)
}

/** Many orders of a list have moved on: its buyer reads it anew. */
export function announceBulkProgress(ctx: Ctx, userId: string, jobId: string) {
  ctx.realtime.announce({ user: userId }, 'bulkUpdated', { _id: jobId })
}

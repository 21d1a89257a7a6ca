import type { Ctx } from '../../../platform/context.ts'

/** Tells whoever may approve that the list of proposals has changed. */
export function announceApprovals(ctx: Ctx) {
  ctx.realtime.announce({ staff: 'finance' }, 'approvalsUpdated', {})
}

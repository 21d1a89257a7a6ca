import { SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'

/** Tells the screens of the staff that a balance, a supplier or what waits there has changed; they read it themselves. */
export function announceFloats(ctx: Ctx) {
  ctx.realtime.announce({ staff: SEES_ORDERS }, 'suppliersUpdated', { at: ctx.now.toISOString() })
}

import type { Ctx } from '../../platform/context.ts'

/** Tells the admins' screens that a balance, a supplier or what waits there has changed; they read it themselves. */
export function announceFloats(ctx: Ctx) {
  ctx.realtime.announce('admins', 'suppliersUpdated', { at: ctx.now.toISOString() })
}

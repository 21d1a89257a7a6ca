import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { eraseDetails } from './afa.sql.ts'

const DAY_MS = 86_400_000

/** Erases the details of people whose orders ended so many days ago, and records for which orders. Safe to run at once and twice. */
export async function deleteOldAfa(ctx: Ctx, keepDays: number): Promise<void> {
  const endedBefore = new Date(ctx.now.getTime() - keepDays * DAY_MS)
  for (;;) {
    const erased = await transaction(ctx.db, async (tx) => {
      const orders = await eraseDetails(tx, { endedBefore, now: ctx.now })
      if (orders.length > 0) {
        const first = String(orders[0])
        await recordAdminAction(tx, ctx, {
          action: 'afa.erase',
          subject: { type: 'afa-details', id: first },
          after: { people: orders.length, orders: orders.join(', ') },
        })
      }
      return orders.length
    })
    if (erased === 0) return
  }
}

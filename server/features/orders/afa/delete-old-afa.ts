import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { deleteUnusedForms, eraseDetails } from './afa.sql.ts'

const DAY_MS = 86_400_000
/** A card payment may take a while, and a cart waits for the evening. */
const UNUSED_DAYS = 2

/**
 * Erases the details of people whose orders ended so many days ago, and records for which orders; and details that were given before payment
 * two days ago and nothing was bought with. What staff read at this moment is left to the next time. Safe to run at once and twice.
 */
export async function deleteOldAfa(ctx: Ctx, keepDays: number): Promise<void> {
  await deleteUnusedForms(ctx.db, new Date(ctx.now.getTime() - UNUSED_DAYS * DAY_MS))
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

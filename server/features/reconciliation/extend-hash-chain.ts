import type { Ctx } from '../../platform/context.ts'
import { insertChainLink, selectLastChainLink } from './reconciliation.sql.ts'

const AT_ONCE = 5_000
const MOST_SEALS = 5
/** Fewer entries than this wait for company, but not for longer than this. */
const WORTH_A_SEAL = 1_000
const LONGEST_WAIT_MS = 600_000

/**
 * Extends the chain over the ledger to the entry `upTo`, below which no transaction under way can add another
 * any more. Each seal is in the log too: whoever keeps the log elsewhere can tell a chain that was made anew.
 */
export async function extendHashChain(ctx: Ctx, upTo: number): Promise<void> {
  const last = await selectLastChainLink(ctx.db)
  const isLongAgo = !last || ctx.now.getTime() - last.chainedAt.getTime() >= LONGEST_WAIT_MS
  if (!isLongAgo && upTo - last.lastEntry < WORTH_A_SEAL) return
  for (let count = 0; count < MOST_SEALS; count++) {
    const made = await insertChainLink(ctx.db, { upTo, atOnce: AT_ONCE, now: ctx.now })
    if (!made) return
    ctx.log.info(
      { firstEntry: made.firstEntry, lastEntry: made.lastEntry, chainLink: made.chainLink.toString('hex') },
      'the ledger was sealed',
    )
  }
}

import type { Ctx } from '../../../platform/context.ts'
import { insertChainLink, selectLastChainLink } from './reconciliation.sql.ts'

const AT_ONCE = 5_000
const MOST_SEALS = 5
/** Wait until there are this many entries, but no longer than this. */
const WORTH_A_SEAL = 1_000
const LONGEST_WAIT_MS = 600_000

/**
 * Extends the ledger's hash chain up to the entry `upTo`; no transaction can still add entries below it. Each link is also
 * logged, so that a rebuilt chain can be detected from logs kept elsewhere.
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

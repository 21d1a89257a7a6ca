import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { type PurchaseLine, selectOnTheWay } from './purchases.sql.ts'

type Wanted = { userId: string; key: string; lines: readonly PurchaseLine[]; pathOf: (index: number) => string }

/**
 * Refuses lines of which the buyer has the same bundle for the same number on its way already, so that a page can ask. A purchase whose
 * key is known was answered before, and gets that answer. It only asks: two that are sent at the same moment may both be placed.
 * @throws OnTheWay
 */
export async function refuseOnTheWay(db: Queryable, { userId, key, lines, pathOf }: Wanted): Promise<void> {
  const found = await selectOnTheWay(db, userId, key, lines)
  if (found.length === 0) return
  const sentences = found.map(({ index, seq, network, offer, receiver }) => ({
    path: pathOf(index),
    message: `Order ${seq}, ${network} ${offer} for ${receiver}, is still on its way.`,
  }))
  const [first] = sentences
  const more = sentences.length > 1 ? ` So are ${sentences.length - 1} more of these.` : ''
  throw new OnTheWay(`${first?.message}${more}`, sentences)
}

class OnTheWay extends AppError {
  constructor(message: string, issues: { path: string; message: string }[]) {
    super('ON_THE_WAY', message, issues)
  }
}

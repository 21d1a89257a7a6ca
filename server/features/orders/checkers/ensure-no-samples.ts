import { type Db, transaction } from '../../../platform/db.ts'
import { deleteEmptyVault, lockImport, markTakenBack, selectSampleImports } from './checkers.sql.ts'
import { postReturn } from './post-return.ts'

/**
 * Takes the sandbox's made-up codes out of stock and out of the books, so that a shop that was tried in the sandbox sells nobody a made-up PIN
 * when it opens for real. What was sold of them stays.
 */
export async function ensureNoSamples(db: Db, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const samples = await selectSampleImports(tx)
    for (const id of samples) {
      const found = await lockImport(tx, id)
      if (!found || found.takenBackAt || found.sold > 0) continue
      await markTakenBack(tx, id, null, now)
      await postReturn(tx, id, found, { actorId: null, now })
    }
    if (samples.length > 0) await deleteEmptyVault(tx)
  })
}

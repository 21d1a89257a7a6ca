import { randomInt } from 'node:crypto'
import { type Db, transaction } from '../../../platform/db.ts'
import type { Vault } from '../../../platform/vault.ts'
import { readLines } from './check-lines.ts'
import { selectPackages, upsertPackage } from './checkers.sql.ts'
import { putIntoStock, sealLines } from './record-import.ts'

const CODES = 25
const UNIT_COST = 15

/** Fills the stock of a sandbox with made-up codes, so that a checker can be bought at once. Call it once, for a new catalogue. */
export async function ensureSampleStock(db: Db, vault: Vault | null, now: Date): Promise<void> {
  if (!vault) return
  await transaction(db, async (tx) => {
    for (const { productId, offer } of await selectPackages(tx)) {
      const kind = offer.toLowerCase()
      if (kind !== 'bece' && kind !== 'wassce') continue
      const lines = Array.from({ length: CODES }, (_, index) => ({
        serial: `${offer.slice(0, 3).toUpperCase()}${String(index + 1).padStart(9, '0')}`,
        pin: `${index + 10}${randomInt(10 ** 9, 10 ** 10)}`,
      }))
      const ready = await sealLines(vault, await readLines(tx, vault, null, { kind, lines }))
      await putIntoStock(tx, { now }, { kind, distributor: 'Sample', fileName: '', unitCost: UNIT_COST }, ready, null)
      await upsertPackage(tx, { productId, offer, kind, units: 1 })
    }
  })
}

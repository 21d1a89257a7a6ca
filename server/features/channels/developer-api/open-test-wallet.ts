import { TEST_BALANCE } from '../../../../shared/developer-api.ts'
import { pesewasIn } from '../../../../shared/readers/read-amount.ts'
import type { Tx } from '../../../platform/db.ts'
import { insertTestMovements, lockTestWallet } from './developer-api.sql.ts'

/** What is added to it each time. */
export const FILL_PESEWAS = pesewasIn(TEST_BALANCE) as number

/**
 * The wallet that a user's test keys pay with, locked until the transaction ends, and filled up where it would not do for the given
 * pesewas, so that programs can be tried out for ever. Returns its balance in pesewas.
 */
export async function openTestWallet(
  tx: Tx,
  { userId, forPesewas, now }: { userId: string; forPesewas: number; now: Date },
): Promise<number> {
  const { balancePesewas, isNew } = await lockTestWallet(tx, userId)
  const fills = Math.max(Math.ceil((forPesewas - balancePesewas) / FILL_PESEWAS), isNew ? 1 : 0)
  if (fills === 0) return balancePesewas
  const line = { testOrder: null, amountPesewas: fills * FILL_PESEWAS }
  return insertTestMovements(tx, { userId, kind: 'top-up', lines: [line], now })
}

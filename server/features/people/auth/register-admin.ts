import { openWallet } from '../../../ledger/ledger.ts'
import type { Config } from '../../../platform/config.ts'
import type { Tx } from '../../../platform/db.ts'
import { foldUsername } from '../users/fold-username.ts'
import { insertUser } from '../users/users.sql.ts'

/** Adds an admin with the configured name and contacts, and returns their id. */
export async function registerAdmin(tx: Tx, settings: Config['firstAdmin'], passwordHash: string, now: Date): Promise<string> {
  const { username, email, phone } = settings
  const usernameSkeleton = foldUsername(username)
  const id = await insertUser(tx, { username, usernameSkeleton, email, phone, passwordHash, level: 'Admin', now })
  await openWallet(tx, id)
  return id
}

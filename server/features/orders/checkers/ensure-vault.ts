import { ConfigError } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db.ts'
import type { Vault } from '../../../platform/vault.ts'
import { isVaultUsed, selectSealedKey } from './checkers.sql.ts'

/**
 * Checks at the start that the shop can open the codes that it has sold and sells.
 * @throws ConfigError naming the setting that is missing or wrong.
 */
export async function ensureVault(db: Db, vault: Vault | null): Promise<void> {
  if (!vault) {
    if (await isVaultUsed(db))
      throw new ConfigError(['CHECKERS_KEY: this shop sells checkers from its stock, which it cannot open without the key'])
    return
  }
  const sealed = await selectSealedKey(db)
  if (!sealed) return
  try {
    vault.open(sealed)
  } catch {
    throw new ConfigError([
      'CHECKERS_KEY: the stock of checkers is encrypted with another key; give that one, here or in CHECKERS_PREVIOUS_KEY. ' +
        'If it was sold from in the sandbox, open the shop on a new database.',
    ])
  }
}

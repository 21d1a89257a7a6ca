import { randomBytes } from 'node:crypto'
import type { Config } from '../../../platform/config.ts'
import type { Db } from '../../../platform/db.ts'
import { transaction } from '../../../platform/db.ts'
import { countAdmins } from '../users/users.sql.ts'
import { hashPassword } from './hash-password.ts'
import { type PasswordRules, refuseGuessableAdmin } from './refuse-common-password.ts'
import { registerAdmin } from './register-admin.ts'

/** Advisory lock: processes that start together make only one first admin. */
const FIRST_ADMIN_LOCK = 0x64776164

/** Its phone, and the password if it was made up here. */
export type FirstAdmin = { phone: string; madeUpPassword: string | null }

/**
 * Creates the first admin if there is none and returns its sign-in. The password is included only when generated here, since
 * it is stored nowhere in plain text.
 * @throws ConfigError when the configured password is too easy to guess.
 */
export async function ensureFirstAdmin(
  db: Db,
  settings: Config['firstAdmin'],
  rules: PasswordRules,
  now: Date,
): Promise<FirstAdmin | null> {
  if ((await countAdmins(db)) > 0) return null
  await refuseGuessableAdmin(settings, rules)
  const password = settings.password ?? randomBytes(9).toString('base64url')
  const passwordHash = await hashPassword(password)
  const made = await transaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [FIRST_ADMIN_LOCK])
    if ((await countAdmins(tx)) > 0) return false
    await registerAdmin(tx, settings, passwordHash, now)
    return true
  })
  return made ? { phone: settings.phone, madeUpPassword: settings.password ? null : password } : null
}

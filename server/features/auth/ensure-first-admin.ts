import { randomBytes } from 'node:crypto'
import { openWallet } from '../../ledger/ledger.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import { transaction } from '../../platform/db.ts'
import { foldUsername } from '../users/fold-username.ts'
import { countAdmins, insertUser } from '../users/users.sql.ts'
import { hashPassword } from './hash-password.ts'
import { type PasswordRules, refuseGuessableAdmin } from './refuse-common-password.ts'

/** Serves only to let processes that start together make one first admin between them. */
const FIRST_ADMIN_LOCK = 0x64776164

/**
 * Makes the first admin when there is none. Replies with how to sign in: the password only when it was made up here,
 * since it is kept nowhere else.
 * @throws ConfigError when the password in the settings is one that others would guess.
 */
export async function ensureFirstAdmin(db: Db, settings: Config['firstAdmin'], rules: PasswordRules, now: Date) {
  if ((await countAdmins(db)) > 0) return null
  await refuseGuessableAdmin(settings, rules)
  const password = settings.password ?? randomBytes(9).toString('base64url')
  const passwordHash = await hashPassword(password)
  const made = await transaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [FIRST_ADMIN_LOCK])
    if ((await countAdmins(tx)) > 0) return false
    const { username, email, phone } = settings
    const id = await insertUser(tx, {
      username,
      usernameSkeleton: foldUsername(username),
      email,
      phone,
      passwordHash,
      level: 'Admin',
      now,
    })
    await openWallet(tx, id)
    return true
  })
  return made ? { phone: settings.phone, madeUpPassword: settings.password ? null : password } : null
}

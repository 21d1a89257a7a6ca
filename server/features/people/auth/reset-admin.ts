import { randomBytes } from 'node:crypto'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Config, ConfigError } from '../../../platform/config.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { deleteSecondFactor } from '../second-factor/second-factor.sql.ts'
import { deleteSessionsOfUser } from '../sessions/sessions.sql.ts'
import { lockUser, replaceRoles, selectOwnersByName, selectUserByPhone, updateLevel, updateStatus } from '../users/users.sql.ts'
import { hashPassword } from './hash-password.ts'
import { forgetDevicesOfUser } from './known-devices.sql.ts'
import { updatePassword } from './password-resets.sql.ts'
import { type PasswordRules, refuseGuessableAdmin } from './refuse-common-password.ts'
import { registerAdmin } from './register-admin.ts'

/**
 * Restores access for a locked-out owner: the user with the admin's phone number becomes an active owner with a new password
 * and without a code at sign-in, and their sessions end; if there is none, one is created. Run on the server; not reachable through the API. Returns the
 * password only when it was generated.
 * @throws ConfigError when the configured password is too easy to guess, or nobody has the number in a shop with owners, unless one more may be made.
 */
export async function resetAdmin(
  ctx: Pick<Ctx, 'db' | 'now'>,
  settings: Config['firstAdmin'],
  rules: PasswordRules & { mayMake: boolean },
) {
  await refuseGuessableAdmin(settings, rules)
  const password = settings.password ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  const found = await selectUserByPhone(ctx.db, settings.phone)
  const owners = found || rules.mayMake ? [] : await selectOwnersByName(ctx.db)
  if (owners.length > 0) {
    const list = owners.map(({ username, phone }) => `${username}, ${phone}`)
    throw new ConfigError([
      `ADMIN_PHONE: nobody has ${settings.phone}. The owners are: ${list.join('; ')}. Say whose password it is: ADMIN_PHONE=${owners[0]?.phone} ` +
        'before the command, or put --make behind it to make one more owner',
    ])
  }
  const username = await transaction(ctx.db, async (tx) => {
    const before = found && (await lockUser(tx, found.id))
    const id = found?.id ?? (await registerAdmin(tx, settings, passwordHash, ctx.now))
    if (before) {
      await updatePassword(tx, id, passwordHash)
      await updateLevel(tx, id, 'Admin')
      await updateStatus(tx, id, 'Active')
      await replaceRoles(tx, id, ['owner'])
      await deleteSecondFactor(tx, id)
      await deleteSessionsOfUser(tx, id)
      await forgetDevicesOfUser(tx, id)
    }
    await recordAdminAction(
      tx,
      { actor: null, ip: null, now: ctx.now },
      {
        action: 'admin.reset',
        subject: { type: 'user', id },
        before: before && { level: before.level, status: before.status },
        after: { level: 'Admin', status: 'Active' },
        note: 'a new password, set on the server itself',
      },
    )
    return before?.username ?? settings.username
  })
  return { username, phone: settings.phone, made: found === null, madeUpPassword: settings.password ? null : password }
}

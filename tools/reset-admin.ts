import { resetAdmin } from '../server/features/people/auth/reset-admin.ts'
import { type Config, ConfigError } from '../server/platform/config.ts'
import { brokenConstraint, isDatabaseError, openPool } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { chooseShop } from './choose-shop.ts'
import { reachDatabase } from './reach-database.ts'

// For an owner who is locked out: gives the admin with ADMIN_PHONE a new password, whether the shop is open or closed.
const log = createLog('error')
const UNDEFINED_TABLE = '42P01'
const SETTING_OF: Record<string, string> = { users_username_skeleton_key: 'ADMIN_USERNAME', users_email_key: 'ADMIN_EMAIL' }

try {
  await reset(chooseShop())
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `The admin could not be reset: ${explain(error)}`)
  process.exitCode = 1
}

async function reset(config: Config) {
  const database = await reachDatabase(config, log)
  const db = openPool({ url: database.url, size: 2, log, name: 'dwadi admin reset' })
  try {
    const { username, phone, made, madeUpPassword } = await resetAdmin({ db, now: new Date() }, config.firstAdmin, {
      ...config.passwords,
      mayMake: process.argv.includes('--make'),
    })
    console.log(
      [
        made ? `Nobody had the phone number ${phone}, so an admin was made.` : `${username} is an active admin; their sessions have ended.`,
        'Sign in with',
        `  phone     ${phone}`,
        `  password  ${madeUpPassword ?? 'the one in ADMIN_PASSWORD'}`,
        ...(madeUpPassword === null ? [] : ['This password is shown only now: keep it.']),
      ].join('\n'),
    )
  } finally {
    await db.end()
    await database.leave()
  }
}

function explain(error: unknown): string {
  if (isDatabaseError(error, UNDEFINED_TABLE)) return 'there is no shop in this database yet. Start the shop first.'
  const setting = SETTING_OF[brokenConstraint(error) ?? '']
  if (setting) return `somebody else has that name or address already. Set ${setting} to another, or ADMIN_PHONE to theirs.`
  return (error as Error).message
}

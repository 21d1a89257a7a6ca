import { randomBytes } from 'node:crypto'
import { hashPassword } from '../server/features/auth/passwords.ts'
import { ConfigError, readConfig } from '../server/platform/config.ts'
import { openPool, transaction } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { reachDatabase } from './reach-database.ts'

// `npm run admin:let-in -- <phone>`: for the owner who is locked out. Whoever may run this may read the database anyway.
const log = createLog('error')
const [phone] = process.argv.slice(2)

try {
  if (!phone) throw new Error('say whose phone number: npm run admin:let-in -- 0200000000')
  const database = await reachDatabase(readConfig(process.env), log)
  try {
    const password = await letIn(database.url, phone)
    console.log(
      `${phone} is an active admin and signs in with the password ${password}\nIt is shown only now; change it by "Forgot password".`,
    )
  } finally {
    await database.leave()
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `Nothing was changed: ${(error as Error).message}`)
  process.exitCode = 1
}

/** Gives an account a new password, makes it an active admin, ends its sessions, and keeps that this was done. */
async function letIn(url: string, phone: string): Promise<string> {
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  const db = openPool({ url, size: 1, log, name: 'dwadi let admin in' })
  try {
    await transaction(db, async (tx) => {
      const { rows } = await tx.query<{ id: string; level: string; status: string }>(
        'select id, level, status from users where phone = $1 for update',
        [phone],
      )
      const user = rows[0]
      if (!user) throw new Error(`no account has the phone number ${phone}`)
      await tx.query(`update users set password_hash = $2, level = 'Admin', status = 'Active' where id = $1`, [user.id, passwordHash])
      await tx.query('delete from sessions where user_id = $1', [user.id])
      await tx.query(
        `insert into admin_actions (action, subject_type, subject_id, before, after, note, created_at)
         values ('user.level', 'user', $1, $2, '{"level": "Admin", "status": "Active"}', 'Let in from the command line, with a new password', now())`,
        [user.id, JSON.stringify({ level: user.level, status: user.status })],
      )
    })
  } finally {
    await db.end()
  }
  return password
}

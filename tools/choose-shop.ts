import { readFileSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../server/platform/config.ts'
import { findShop, hideLogin, ownerOfFolder } from './find-shop.ts'

/**
 * For each command on the server: finds the shop, says which it is before anything is done, and goes on as the user whose
 * database it is. Root becomes that user, so that it leaves nothing behind that the service can't open.
 * @throws ConfigError, or Error that says which user to be or how to name the shop.
 */
export function chooseShop(): Config {
  const { config, from } = findShop(process.env)
  const isEmbedded = config.databaseUrl === undefined
  const where = isEmbedded ? `in ${config.dataDir}` : `at ${hideLogin(config.databaseMigrationUrl ?? (config.databaseUrl as string))}`
  const user = isEmbedded ? becomeOwner(config.dataDir) : null
  const how = [...(from === null ? [] : [`by ${from}`]), ...(user === null ? [] : [`as user ${user}`])]
  const address = config.publicUrl ? `, ${config.publicUrl}` : ''
  console.error(`The shop: ${config.shop.name}, ${config.mode}${address}. Its database is ${where}.`)
  if (how.length > 0) console.error(`  (${how.join(', ')})`)
  return config
}

/** A file named on the command line, seen from where the person typed it: npm changes to the shop's folder. */
export function resolveTyped(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

/** @throws Error that says how to let the user have it whom the command goes on as. */
export async function ensureWritable(file: string): Promise<void> {
  const folder = dirname(file)
  await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    const user = nameOf(process.getuid?.() ?? 0)
    throw new Error(
      error.code === 'ENOENT'
        ? `there is no folder ${folder}. Make it: install -d -m 700 -o ${user} ${folder}`
        : `${user}, whose shop it is, can't write in ${folder}. Name another folder, or: install -d -m 700 -o ${user} ${folder}/dwadi`,
    )
  })
}

/** @throws Error that says how to let the user have it whom the command goes on as. */
export async function ensureReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`there is no file ${file}`)
    const user = nameOf(process.getuid?.() ?? 0)
    throw new Error(`${user}, whose shop it is, can't read ${file}: chown ${user} ${file}, in a folder that ${user} may open`)
  })
}

function becomeOwner(folder: string): string | null {
  const us = process.getuid?.()
  if (us === undefined) return null
  const { uid, gid } = ownerOfFolder(folder)
  if (uid === us) return null
  const name = nameOf(uid)
  if (us !== 0) throw new Error(`${folder} is ${name}'s, and you are ${nameOf(us)}. Run the command as root or as ${name}.`)
  // Root's own may be closed to everybody else.
  delete process.env.TMPDIR
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
  return name
}

function nameOf(uid: number): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.split(':')[2] === String(uid))
    return line?.split(':')[0] ?? String(uid)
  } catch {
    return String(uid)
  }
}

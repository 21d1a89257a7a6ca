import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  access,
  chmod,
  constants,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConfigError } from './config.ts'
import { findWayToRun, givePath, isWindows, type Owner, runProgram } from './embedded-postgres-account.ts'

export type Programs = { initdb: string; pg_ctl: string; postgres: string }

/** The paths of one embedded database. */
export type Folder = {
  dataDir: string
  cluster: string
  log: string
  port: string
  password: string
}

export const SUPERUSER = 'dwadi'
export const SOCKET_PORT = 5432
const INITDB_TIMEOUT_MS = 120_000
const LONGEST_SOCKET_PATH = 103
const UNFINISHED = 'postgres-init-'
const UNFINISHED_FOR_GOOD_MS = 10 * 60_000

/**
 * Makes the cluster below `dataDir` if there is none. Safe to interrupt at any point and to run twice at once. `meanwhile` is called
 * once another program makes it.
 * @throws Error when the cluster cannot be made or its password file is missing.
 */
export async function prepareFolder(dataDir: string, programs: Programs, meanwhile: () => void): Promise<Folder> {
  await makeDataFolder(dataDir)
  const root = await realpath(dataDir)
  const paths = pathsIn(root)
  await removeUnfinished(root)
  const folder = { dataDir: root, ...paths, password: await readOrMakePassword(root, paths.cluster) }
  if (!existsSync(join(folder.cluster, 'PG_VERSION'))) await makeCluster(folder, programs, meanwhile)
  return folder
}

/** @throws ConfigError that says whose the folder must be. */
async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) throw error
    throw new ConfigError([
      `DATA_DIR: the shop can't write in ${dataDir} (${code}). Name a folder that belongs to the user whom it runs as`,
    ])
  }
}

/**
 * The folder of an existing database; changes nothing.
 * @throws Error when there is none.
 */
export async function findFolder(dataDir: string): Promise<Folder> {
  if (!existsSync(join(pathsIn(dataDir).cluster, 'PG_VERSION'))) throw new Error(`There is no database in the data folder ${dataDir}.`)
  const root = await realpath(dataDir)
  return { dataDir: root, ...pathsIn(root), password: await readPassword(join(root, 'postgres-password')) }
}

function pathsIn(root: string) {
  return { cluster: join(root, 'postgres'), log: join(root, 'postgres.log'), port: join(root, 'postgres-port') }
}

/**
 * The folder for the Unix socket, made if missing. Socket paths are limited to about a hundred bytes, so a long data folder
 * gets one in the temporary folder.
 * @throws Error when that folder belongs to someone else.
 */
export async function prepareSocketFolder(folder: Folder, owner: Owner | null): Promise<string> {
  const path = socketFolder(folder.dataDir)
  await mkdir(path, { mode: 0o700 }).catch(ignoreExisting)
  const found = await lstat(path)
  const us = process.getuid?.() ?? 0
  // In a shared temporary folder, another user may have made this path first.
  if (dirname(path) !== folder.dataDir && (!found.isDirectory() || ![us, owner?.uid].includes(found.uid))) {
    throw new Error(`The folder ${path} for the database's socket belongs to someone else. Remove it, or set DATA_DIR to a shorter path.`)
  }
  await chmod(path, 0o700)
  await givePath(path, owner)
  return path
}

function socketFolder(dataDir: string): string {
  const beside = join(dataDir, 'postgres-socket')
  if (fitsSocket(beside)) return beside
  const name = `dwadi-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  // Root's TMPDIR is often closed to other accounts.
  const temporary = process.getuid?.() === 0 ? '/tmp' : tmpdir()
  return [temporary, '/tmp'].map((parent) => join(parent, name)).find(fitsSocket) ?? beside
}

function fitsSocket(path: string): boolean {
  return Buffer.byteLength(`${path}/.s.PGSQL.${SOCKET_PORT}`) <= LONGEST_SOCKET_PATH
}

async function readOrMakePassword(root: string, cluster: string): Promise<string> {
  const path = join(root, 'postgres-password')
  if (!existsSync(path)) {
    if (existsSync(cluster)) throw new Error(`The database in ${cluster} has lost its password: the file ${path} is missing. Restore it.`)
    await makePassword(path)
  }
  return readPassword(path)
}

async function readPassword(path: string): Promise<string> {
  const password = (await readFile(path, 'utf8')).trim()
  if (!password) throw new Error(`The database's password file ${path} is empty. Restore it.`)
  return password
}

/** link() is atomic and never replaces a file, so two concurrent first starts agree on one password. */
async function makePassword(path: string) {
  const draft = `${path}-${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await link(draft, path).catch(ignoreExisting)
  await rm(draft)
  await syncFolder(dirname(path))
}

/**
 * Builds the cluster in a temporary folder and renames it: an existing cluster is always complete, and of two concurrent
 * starts one wins.
 */
async function makeCluster(folder: Folder, programs: Programs, meanwhile: () => void) {
  const workshop = await mkdtemp(join(folder.dataDir, UNFINISHED))
  try {
    await fillCluster(workshop, folder.password, programs, meanwhile)
    await rename(join(workshop, 'cluster'), folder.cluster).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(join(folder.cluster, 'PG_VERSION'))) throw error
    })
    await syncFolder(folder.dataDir)
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function fillCluster(workshop: string, password: string, programs: Programs, meanwhile: () => void) {
  const passwordFile = join(workshop, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await writeFile(join(workshop, 'postgresql.conf'), '')
  const way = await findWayToRun({ postgres: programs.postgres, configFolder: workshop, chownFolder: workshop })
  const making = runProgram(way, programs.initdb, initdbArgs(join(workshop, 'cluster'), passwordFile), INITDB_TIMEOUT_MS)
  meanwhile()
  const made = await making
  if (made.code !== 0) throw new Error(`The database could not be made in ${dirname(workshop)}: initdb said\n${made.output.slice(-2_000)}`)
}

function initdbArgs(cluster: string, passwordFile: string): string[] {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C']
  const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth-local=scram-sha-256', '--auth-host=scram-sha-256']
  return ['-D', cluster, '--data-checksums', ...locale, ...access]
}

/** Removes what killed starts left behind. Only old folders, since another start may be under way. */
async function removeUnfinished(root: string) {
  for (const name of await readdir(root)) {
    if (!name.startsWith(UNFINISHED)) continue
    const path = join(root, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > UNFINISHED_FOR_GOOD_MS) await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** True when a process with this id exists and we may signal it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function syncFolder(path: string) {
  if (isWindows) return
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}

function ignoreExisting(error: NodeJS.ErrnoException) {
  if (error.code !== 'EEXIST') throw error
}

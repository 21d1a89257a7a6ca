import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findFolder, type Programs, prepareFolder, SUPERUSER } from './embedded-postgres-folder.ts'
import { answersFor, type Ownership, ownDatabase } from './embedded-postgres-owner.ts'
import { type Address, checkSettings, readPostmaster, type Settings, sizeOfLog, whyItEnded } from './embedded-postgres-server.ts'
import type { Log } from './log.ts'

export type EmbeddedPostgres = {
  /** A connection string for a database of the cluster; defaults to the application's. */
  url(database?: string): string
  /** Stops the database, rolling back open transactions. Close the application's connections first. */
  stop(): Promise<void>
  /** What has ended it since it was started, in its own words, such as a full disk; null when nothing has. */
  whyItEnded(): Promise<string | null>
}

/**
 * Opens the PostgreSQL of a data folder: creates it, takes over one that survived a killed app, or starts it, and restarts
 * it if it dies. `settings` are added to the server's. `durable: false` disables fsync, for throw-away test databases only.
 * `meanwhile` is called, perhaps several times, while another program makes or starts it and this one only waits.
 * @throws DataFolderInUse when another process has the folder open.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  database = 'dwadi',
  settings = {},
  durable = true,
  meanwhile = () => {},
}: {
  dataDir: string
  log: Pick<Log, 'info' | 'warn' | 'error'>
  database?: string
  settings?: Settings
  durable?: boolean
  meanwhile?: () => void
}): Promise<EmbeddedPostgres> {
  checkSettings(settings)
  const programs = await findPrograms()
  const folder = await prepareFolder(dataDir, programs, meanwhile)
  const logStart = await sizeOfLog(folder)
  const whyEnded = () => whyItEnded(folder, logStart)
  const ownership = await ownDatabase({ folder, programs, settings, durable, log, meanwhile })
  try {
    await ensureDatabase(ownership, database)
  } catch (error) {
    await ownership.release()
    const reason = await whyEnded()
    throw reason === null ? error : new Error(`The database in ${folder.cluster} ended: ${reason}`, { cause: error })
  }
  return {
    url: (name = database) => connectionString(ownership.address(), folder.password, name),
    stop: ownership.release,
    whyItEnded: whyEnded,
  }
}

/**
 * A connection string for the database running in a data folder, or null when none runs. Takes no ownership: the connection
 * ends when the owner stops the database.
 * @throws Error when the folder holds no database.
 */
export async function findRunningPostgres({ dataDir, database = 'dwadi' }: { dataDir: string; database?: string }): Promise<string | null> {
  const folder = await findFolder(dataDir)
  const running = await readPostmaster(folder)
  if (!running || !(await answersFor(folder, running.address))) return null
  return connectionString(running.address, folder.password, database)
}

async function findPrograms(): Promise<Programs> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const programs: Programs = await import(`@embedded-postgres/${platform}`).catch((error: Error) => {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} here. Install the optional dependencies, or set DATABASE_URL to a database server.`,
      { cause: error },
    )
  })
  linkLibraries(dirname(dirname(dirname(programs.postgres))))
  return programs
}

/** The package links its libraries in an install script, which many installations skip. */
function linkLibraries(packageFolder: string) {
  const script = join(packageFolder, 'scripts', 'hydrate-symlinks.js')
  if (process.platform !== 'linux' || existsSync(join(packageFolder, 'native/lib/libpq.so.5')) || !existsSync(script)) return
  spawnSync(process.execPath, [script], { cwd: packageFolder, timeout: 10_000 })
}

async function ensureDatabase(ownership: Ownership, name: string) {
  const { rows } = await ownership.query('select from pg_database where datname = $1', [name])
  if (rows.length === 0) await ownership.query(`create database ${pg.escapeIdentifier(name)}`)
}

function connectionString({ host, port }: Address, password: string, database: string): string {
  const start = `postgresql://${SUPERUSER}:${password}@`
  const name = encodeURIComponent(database)
  // Explicit, so that PGPORT and PGSSLMODE in the operator's shell have no effect.
  if (!host.startsWith('/')) return `${start}${host}:${port}/${name}?sslmode=disable`
  return `${start}/${name}?host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`
}

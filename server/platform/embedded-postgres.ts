import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findFolder, type Programs, prepareFolder, SUPERUSER } from './embedded-postgres-folder.ts'
import { answersFor, type Ownership, ownDatabase } from './embedded-postgres-owner.ts'
import { type Address, checkSettings, readPostmaster, type Settings } from './embedded-postgres-server.ts'
import type { Log } from './log.ts'

export type EmbeddedPostgres = {
  /** A connection string for one database of the cluster, by default the application's. */
  url(database?: string): string
  /** Ends the database, rolling back what is still open: close the application's connections first. */
  stop(): Promise<void>
}

/**
 * Opens the PostgreSQL of a data folder: makes it when there is none, takes over a database that outlived a killed app,
 * and starts it otherwise. One process has a data folder at a time; a second one gets `DataFolderInUse`. Should the
 * database die, it is started again. `settings` are added to the server's own. `durable: false` is for throw-away
 * databases of tests only: it turns off every wait for the disk.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  database = 'dwadi',
  settings = {},
  durable = true,
}: {
  dataDir: string
  log: Pick<Log, 'info' | 'warn' | 'error'>
  database?: string
  settings?: Settings
  durable?: boolean
}): Promise<EmbeddedPostgres> {
  checkSettings(settings)
  const programs = await findPrograms()
  const folder = await prepareFolder(dataDir, programs)
  const ownership = await ownDatabase({ folder, programs, settings, durable, log })
  try {
    await ensureDatabase(ownership, database)
  } catch (error) {
    await ownership.release()
    throw error
  }
  return {
    url: (name = database) => connectionString(ownership.address(), folder.password, name),
    stop: ownership.release,
  }
}

/**
 * A connection string for the database that is running in a data folder, or null when none is. Takes nothing over: who
 * has the folder keeps it, and whoever connects by this loses the connection when that one stops.
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

/** The package makes the links between its libraries in an install script, which many installations leave out. */
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
  // Said in full, so that the operator's PGPORT and PGSSLMODE, meant for another server, change nothing.
  if (!host.startsWith('/')) return `${start}${host}:${port}/${name}?sslmode=disable`
  return `${start}/${name}?host=${encodeURIComponent(host)}&port=${port}&sslmode=disable`
}

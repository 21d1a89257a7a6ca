import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Folder, isAlive, type Programs, SUPERUSER } from './embedded-postgres-folder.ts'
import {
  type Address,
  isServerOf,
  launchServer,
  logTail,
  POLL_MS,
  readPostmaster,
  type Settings,
  stopServer,
  trimLog,
} from './embedded-postgres-server.ts'
import type { Log } from './log.ts'

/** Another process has this data folder open. */
class DataFolderInUse extends Error {
  override name = 'DataFolderInUse'

  constructor(dataDir: string, holder: number | null) {
    super(
      `The data folder ${dataDir} is in use by another Dwadi process${holder ? ` (process ${holder})` : ''}. ` +
        'Stop that one first, or give this one another DATA_DIR.',
    )
  }
}

type Server = {
  folder: Folder
  programs: Programs
  settings: Settings
  durable: boolean
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** What there is to do while the database starts. */
  meanwhile: () => void
}
type Owner = { client: pg.Client; address: Address }
export type Ownership = {
  address(): Address
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>
  /** Stops the database and releases the folder; later calls wait for the first. */
  release(): Promise<void>
}

const START_TIMEOUT_MS = 120_000
// Whoever is stopping waits that much longer for a database that is restarting: it may be stuck, or come back to be stopped.
const PATIENCE_WHILE_STOPPING_MS = 5_000
const CONNECT_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 30_000
const RELAUNCH_MS = 50
const RETRY_MS = 1_000
const TRIM_EVERY_MS = 60_000
const LOCK_POLL_MS = 20
// A killed process keeps its lock until the database notices; wait that long before giving up.
const PATIENCE_WITH_DEAD_MS = 5_000
const PATIENCE_WITH_LIVING_MS = 300
const OWNER_LOCK = [0x64776164, 1]
const OWNER_NAME = 'dwadi owner'

/**
 * Starts or takes over a folder's database and holds its ownership lock until released, also across restarts of the
 * database.
 * @throws DataFolderInUse when another process holds the lock.
 */
export async function ownDatabase(server: Server): Promise<Ownership> {
  let owner: Owner | null = null
  let address: Address
  let recovery = Promise.resolve()
  let released: Promise<void> | undefined
  const stopping = new AbortController()

  const hold = (next: Owner) => {
    owner = next
    address = next.address
    next.client.once('end', () => {
      owner = null
      if (!stopping.signal.aborted) recovery = recover(server, stopping.signal).then((again) => (again ? hold(again) : undefined))
    })
  }
  const trim = () => {
    trimLog(server.folder).catch((error) => server.log.warn({ err: error }, "the database's log could not be trimmed"))
  }
  hold(await claim(server, stopping.signal))
  trim()
  const trimming = setInterval(trim, TRIM_EVERY_MS).unref()

  const release = async () => {
    stopping.abort()
    clearInterval(trimming)
    await recovery
    if (owner) await stopOwned(server, owner)
  }
  return {
    address: () => address,
    query: (text, values = []) => {
      if (!owner) throw new Error('The database is not running.')
      return owner.client.query(text, values)
    },
    release: () => {
      released ??= release()
      return released
    },
  }
}

/** Connects to the folder's database, launching it if needed, and takes the ownership lock. */
async function claim(server: Server, stopping: AbortSignal): Promise<Owner> {
  const { folder, log } = server
  let deadline = Date.now() + START_TIMEOUT_MS
  const hurry = () => {
    deadline = Math.min(deadline, Date.now() + PATIENCE_WHILE_STOPPING_MS)
  }
  stopping.addEventListener('abort', hurry, { once: true })
  let launched = false
  for (;;) {
    const running = await readPostmaster(folder)
    const client = running && (await tryConnect(folder, running.address))
    if (running && client) {
      if (await takeLock(folder, client)) {
        log.info({ dataDir: folder.dataDir }, launched ? 'database started' : 'took over a running database')
        return { client, address: running.address }
      }
    } else if (!running || !(await isServerOf(folder, running.pid))) {
      stopping.throwIfAborted()
      launched = await launchServer({ ...server, deadline })
      if (!launched) await sleep(RELAUNCH_MS)
    }
    if (Date.now() > deadline) throw await unreachable(folder, running?.pid)
    await sleep(POLL_MS)
  }
}

async function recover(server: Server, stopping: AbortSignal): Promise<Owner | null> {
  const { folder, log } = server
  log.warn({ dataDir: folder.dataDir }, 'lost the database; waiting for it or restarting it')
  while (!stopping.aborted) {
    try {
      const owner = await claim(server, stopping)
      log.info({ dataDir: folder.dataDir }, 'database is back')
      return owner
    } catch (error) {
      if (stopping.aborted) break
      log.error({ err: error }, 'database is not back yet')
      await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
  return null
}

/** Keep the lock's connection open to the end, so that no other start takes over a database that is stopping. */
async function stopOwned({ folder, programs, log }: Server, { client }: Owner) {
  const running = await readPostmaster(folder)
  if (running) await stopServer(folder, programs, running)
  await client.end().catch(() => undefined)
  log.info({ dataDir: folder.dataDir }, 'database stopped')
}

/** True when the database at this address is this folder's. */
export async function answersFor(folder: Folder, address: Address): Promise<boolean> {
  const client = await tryConnect(folder, address)
  await client?.end()
  return client !== null
}

/** Null when nothing answers, the database is starting, stopping or full, or it belongs to another folder. */
async function tryConnect(folder: Folder, address: Address): Promise<pg.Client | null> {
  const client = new pg.Client({
    ...address,
    user: SUPERUSER,
    password: folder.password,
    database: 'postgres',
    ssl: false,
    application_name: `${OWNER_NAME} ${process.pid}`,
    options: '-c idle_session_timeout=0',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  })
  // Without a listener, a broken connection would end the process. It is handled on 'end', which follows.
  client.on('error', () => undefined)
  try {
    await client.connect()
    if (await livesIn(folder, client)) return client
    client.end().catch(() => undefined)
    return null
  } catch (error) {
    client.end().catch(() => undefined)
    if (isLasting(error)) throw new Error(`The database in ${folder.cluster} refuses us: ${(error as Error).message}`, { cause: error })
    return null
  }
}

/**
 * A copied data folder contains the original's lock file and password. Creating a file here and looking for it through the
 * database tells them apart, even when a container mounts the folder under another path.
 */
async function livesIn(folder: Folder, client: pg.Client): Promise<boolean> {
  const name = `dwadi-is-here-${randomUUID()}`
  const path = join(folder.cluster, name)
  await writeFile(path, '', { flag: 'wx' })
  try {
    const { rows } = await client.query('select size from pg_stat_file($1, true)', [name])
    return rows[0].size !== null
  } finally {
    await rm(path)
  }
}

/** Errors that retrying cannot fix: permissions, full disk, wrong password, no such database. */
function isLasting(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(code) || /^(28|3D)/.test(code)
}

/**
 * False when the connection broke meanwhile.
 * @throws DataFolderInUse when another process holds the lock.
 */
async function takeLock(folder: Folder, client: pg.Client): Promise<boolean> {
  const since = Date.now()
  try {
    for (;;) {
      const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', OWNER_LOCK)
      if (rows[0].taken) return true
      const holder = await findHolder(client)
      const patience = holder && !isAlive(holder) ? PATIENCE_WITH_DEAD_MS : PATIENCE_WITH_LIVING_MS
      if (Date.now() - since > patience) throw new DataFolderInUse(folder.dataDir, holder)
      await sleep(LOCK_POLL_MS)
    }
  } catch (error) {
    client.end().catch(() => undefined)
    if (error instanceof DataFolderInUse) throw error
    return false
  }
}

async function findHolder(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query(
    `select application_name as name
       from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and classid = $1 and objid = $2 and objsubid = 2`,
    OWNER_LOCK,
  )
  return Number(rows[0]?.name.replace(OWNER_NAME, '')) || null
}

async function unreachable(folder: Folder, pid: number | undefined) {
  return new Error(
    `The database in ${folder.cluster} ${pid ? `(process ${pid}) does not answer` : 'does not start'}. ` +
      `Stop it and start again. Its log ${folder.log} says:\n${await logTail(folder)}`,
  )
}

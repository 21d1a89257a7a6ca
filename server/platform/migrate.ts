import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { extendRights } from './app-role.ts'
import { isDatabaseAway, isDatabaseError } from './db.ts'
import type { Log } from './log.ts'
import { isReplayed, ReplayError, readSqlRelease, replaySql } from './replay-sql.ts'

const TABLE = 'schema_migrations'
const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url))
const LOCK_WITHIN_MS = 60_000
/** Between two attempts to lock the tables, on average. */
const PAUSE_MS = 300
/** A statement or a wait for a lock that took too long, and a deadlock. */
const LOCKED = ['57014', '55P03', '40P01']
/** In a preparation: one that a person cancels is not tried again. */
const LOCKED_MEANWHILE = ['55P03', '40P01']

/**
 * Brings the database to the newest schema: tables first, then functions, views and triggers. `upTo` stops after that many
 * migrations and leaves functions out. Processes that start together wait for one another.
 * All of it is one transaction, which begins by locking every table: a sale beside it waits a moment, meets no half of it, and never
 * dies in a deadlock with it. For a table that is in use it waits up to `lockWithinMs`. What takes long and needs no such lock is done
 * before (`prepare`).
 * @throws MigrationError; the database is then as it was
 */
export async function migrate(
  databaseUrl: string,
  log: Log,
  { upTo = Number.POSITIVE_INFINITY, lockWithinMs = LOCK_WITHIN_MS, folder = MIGRATIONS } = {},
): Promise<string[]> {
  const sql = await readSqlRelease()
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'dwadi migrations' })
  // Of a connection that ends between two statements; the next one reports it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    // A limit that the server sets for everybody would end what may take long: a preparation, and waiting for another process's.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    const isWhole = upTo === Number.POSITIVE_INFINITY
    if (isWhole && (await isMigrated(client, folder)) && (await isReplayed(client, sql))) return []
    const { runner, PG_MIGRATE_LOCK_ID } = await import('node-pg-migrate')
    // Released when the connection ends.
    await client.query('select pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID])
    let at: string | null = null
    try {
      for (const name of await listPrepared(client, folder, upTo)) {
        at = `prepare/${name}`
        await prepare(client, join(folder, `${at}.sql`), lockWithinMs)
        log.debug(`prepared ${name}`)
      }
      at = null
      await beginWithLocks(client, lockWithinMs)
      const done = await runner({
        dbClient: withinTransaction(client),
        noLock: true,
        dir: folder,
        direction: 'up',
        count: (await listPending(client, folder, upTo)).length,
        migrationsTable: TABLE,
        singleTransaction: true,
        logger: {
          debug: () => {},
          info: (message) => {
            at = /^### MIGRATION (\S+) \(UP\)/.exec(message)?.[1] ?? at
            log.debug(message)
          },
          warn: (message) => log.debug(message),
          error: (message) => log.debug(message),
        },
      })
      at = null
      if (isWhole) for (const name of await replaySql(client, sql, { inTransaction: true })) log.debug(`replayed ${name}`)
      await extendRights(client)
      await client.query('commit')
      return done.map((migration) => migration.name)
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      const pending = (await listPending(client, folder).catch(() => []))[0] ?? null
      const isPrepared = (await listPrepared(client, folder, upTo).catch(() => [])).length > 0
      throw await explain(client, error as Error, { at, pending, isPrepared })
    }
  } finally {
    await client.end()
  }
}

/** The pending migrations that have a preparation. None of an empty database, where there is nothing to prepare. */
async function listPrepared(client: pg.Client, folder: string, upTo: number): Promise<string[]> {
  if (!(await hasMigrations(client))) return []
  const prepared = new Set(await listFiles(join(folder, 'prepare')))
  return (await listPending(client, folder, upTo)).filter((name) => prepared.has(name))
}

/**
 * Runs the statements of a file, which an empty line separates, each in a transaction of its own and while the version before sells: so
 * each must take weak or short locks, be safe to repeat, and find the tables of any version. Where one can't have a lock within the
 * `lock_timeout` that it sets, it is tried again for up to `withinMs`.
 */
async function prepare(client: pg.Client, file: string, withinMs: number) {
  const statements = (await readFile(file, 'utf8')).split(/\n\s*\n/).filter((statement) => statement.trim() !== '')
  const deadline = performance.now() + withinMs
  for (const statement of statements) {
    while (!(await runUnlessLocked(client, statement, deadline))) await wait(PAUSE_MS * (0.5 + Math.random()))
  }
}

/** False when it could not have a lock, and there is time to try again. */
async function runUnlessLocked(client: pg.Client, statement: string, deadline: number): Promise<boolean> {
  try {
    await client.query(statement)
    return true
  } catch (error) {
    if (!isDatabaseError(error, ...LOCKED_MEANWHILE) || performance.now() > deadline) throw error
    return false
  }
}

/**
 * Begins a transaction that has locked all tables. Waiting for one while holding others ends before anybody who waits for these looks
 * for a deadlock (`deadlock_timeout`), so that a sale is never the one to be cancelled for it; then it starts over.
 */
async function beginWithLocks(client: pg.Client, withinMs: number) {
  const { rows } = await client.query<{ tables: string | null; ms: number }>(
    `select (select string_agg(format('%I.%I', nspname, relname), ', ' order by c.oid) from pg_class c join pg_namespace n on n.oid = relnamespace
       where nspname = 'public' and relkind in ('r', 'p')) as tables,
     (select setting::integer from pg_settings where name = 'deadlock_timeout') as ms`,
  )
  const { tables, ms } = rows[0] as { tables: string | null; ms: number }
  const deadline = performance.now() + withinMs
  for (;;) {
    await client.query('begin')
    if (tables === null) return
    try {
      await client.query(`set local statement_timeout = ${Math.ceil(ms / 2)}`)
      await client.query(`lock table ${tables} in access exclusive mode`)
      await client.query('set local statement_timeout = 0')
      return
    } catch (error) {
      if (!isDatabaseError(error, ...LOCKED) || performance.now() > deadline) throw error
      await client.query('rollback')
      await wait(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}

/** The connection for node-pg-migrate, which begins and ends a transaction of its own otherwise. */
function withinTransaction(client: pg.Client): pg.Client {
  return new Proxy(client, {
    get(target, name) {
      const found = Reflect.get(target, name) as unknown
      if (name !== 'query') return typeof found === 'function' ? found.bind(target) : found
      return async (text: string, values?: unknown[]) =>
        ['BEGIN', 'COMMIT', 'ROLLBACK'].includes(text) ? { rows: [] } : target.query(text, values)
    },
  })
}

/** A start that could not bring the database to this version. The message is for whoever runs the shop. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

async function explain(
  client: pg.Client,
  error: Error,
  { at, pending, isPrepared }: { at: string | null; pending: string | null; isPrepared: boolean },
): Promise<MigrationError> {
  const what = at !== null ? `migration ${at}` : error instanceof ReplayError ? `db/${error.file}` : null
  const cause = error instanceof ReplayError ? error.cause : error
  const isLocked = isDatabaseError(cause, ...LOCKED)
  const wanted = what ?? (pending === null ? 'the new functions' : `migration ${pending}`)
  const why =
    isLocked && (what === null || at?.startsWith('prepare/'))
      ? 'other work has held a table for too long'
      : cause instanceof Error
        ? cause.message
        : String(cause)
  const lines = [
    `The database could not be brought to this version, at ${wanted}: ${why}.`,
    'Nothing was changed: the database is as it was, and the version before goes on selling with it.',
    ...(isPrepared ? ['What was prepared stays for the next start (docs/going-live.md, "Upgrade", says how to take it away).'] : []),
  ]
  return new MigrationError([...lines, ...(await adviseOn(client, cause, isLocked))].join('\n'), { cause: error })
}

async function adviseOn(client: pg.Client, cause: unknown, isLocked: boolean): Promise<string[]> {
  if (isLocked) {
    const holders = await listHolders(client).catch(() => [])
    return [
      ...(holders.length === 0 ? [] : ['At work on these tables for longest:', ...holders.map((holder) => `  ${holder}`)]),
      'Wait until a backup or a long export is done, or end what hangs (select pg_terminate_backend(<process>)), then start this version again.',
    ]
  }
  if (isDatabaseError(cause, '53100')) return ['The disk of the database is full. Make room, then start this version again.']
  if (isDatabaseAway(cause)) return ['The connection to the database was lost. Once it is back, start this version again.']
  return ['Start the version before again (docs/going-live.md, "Upgrade", says how), and show this message to whoever made this version.']
}

/** Other transactions that hold our tables, the oldest first; without their statements, which may have people's data in them. */
async function listHolders(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ pid: number; name: string; state: string; seconds: number; tables: string }>(
    `select a.pid, a.application_name as name, a.state, extract(epoch from clock_timestamp() - a.xact_start)::integer as seconds,
       string_agg(distinct c.relname, ', ' order by c.relname) as tables
     from pg_stat_activity a join pg_locks l on l.pid = a.pid and l.granted join pg_class c on c.oid = l.relation
     where a.pid <> pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.xact_start < clock_timestamp() - interval '1 second'
     group by 1, 2, 3, 4 order by seconds desc limit 3`,
  )
  return rows.map(({ pid, name, state, seconds, tables }) => `process ${pid} (${name || 'no name'}, ${state}) for ${seconds} s: ${tables}`)
}

/** Most starts find nothing to do and need not load the library. */
async function isMigrated(client: pg.Client, folder: string): Promise<boolean> {
  if (!(await hasMigrations(client))) return false
  const { rows } = await client.query<{ name: string }>(`select name from ${TABLE} order by name`)
  return (await listMigrations(folder)).every((name, index) => rows[index]?.name === name)
}

async function hasMigrations(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [TABLE])
  return rows[0]?.there === true
}

/** Those of the first `upTo` migrations of this version that the database does not have yet. */
async function listPending(client: pg.Client, folder: string, upTo = Number.POSITIVE_INFINITY): Promise<string[]> {
  const { rows } = (await hasMigrations(client)) ? await client.query<{ name: string }>(`select name from ${TABLE}`) : { rows: [] }
  const done = new Set(rows.map(({ name }) => name))
  return (await listMigrations(folder)).slice(0, upTo).filter((name) => !done.has(name))
}

/** The names of all migrations in this version, in order. */
export async function listMigrations(folder = MIGRATIONS): Promise<string[]> {
  return listFiles(folder)
}

async function listFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => file.replace(/\.sql$/, ''))
}

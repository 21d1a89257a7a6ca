import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Log } from './log.ts'
import { isReplayed, readSqlRelease, replaySql } from './replay-sql.ts'

const TABLE = 'schema_migrations'
const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/**
 * Brings the database to the newest schema: tables first, then functions, views and triggers. `upTo` stops after that many
 * migrations and leaves functions out. Processes that start together wait for one another.
 */
export async function migrate(databaseUrl: string, log: Log, { upTo = Number.POSITIVE_INFINITY } = {}): Promise<string[]> {
  const sql = await readSqlRelease()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const isWhole = upTo === Number.POSITIVE_INFINITY
    if (isWhole && (await isMigrated(client)) && (await isReplayed(client, sql))) return []
    const { runner, PG_MIGRATE_LOCK_ID } = await import('node-pg-migrate')
    // Released when the connection ends.
    await client.query('select pg_advisory_lock($1)', [PG_MIGRATE_LOCK_ID])
    const done = await runner({
      dbClient: client,
      noLock: true,
      dir: MIGRATIONS,
      direction: 'up',
      count: upTo,
      migrationsTable: TABLE,
      singleTransaction: true,
      logger: {
        debug: () => {},
        info: (message) => log.debug(message),
        warn: (message) => log.debug(message),
        error: (message) => log.error(message),
      },
    })
    if (isWhole) for (const name of await replaySql(client, sql)) log.debug(`replayed ${name}`)
    return done.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Most starts find nothing to do and need not load the library. */
async function isMigrated(client: pg.Client): Promise<boolean> {
  const { rows: found } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [TABLE])
  if (!found[0]?.there) return false
  const { rows } = await client.query<{ name: string }>(`select name from ${TABLE} order by name`)
  return (await listMigrations()).every((name, index) => rows[index]?.name === name)
}

/** The names of all migrations in this version, in order. */
export async function listMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS)
  return files
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => file.replace(/\.sql$/, ''))
}

import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Log } from './log.ts'

const TABLE = 'schema_migrations'
const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/**
 * Brings the database to the newest schema, or no further than `upTo` migrations; processes that start together wait
 * for one another.
 */
export async function migrate(databaseUrl: string, log: Log, { upTo = Number.POSITIVE_INFINITY } = {}): Promise<string[]> {
  if (upTo === Number.POSITIVE_INFINITY && (await isUpToDate(databaseUrl))) return []
  const { runner } = await import('node-pg-migrate')
  const done = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: 'up',
    count: upTo,
    migrationsTable: TABLE,
    singleTransaction: true,
    advisoryLockMode: 'wait',
    logger: {
      debug: () => {},
      info: (message) => log.debug(message),
      warn: (message) => log.debug(message),
      error: (message) => log.error(message),
    },
  })
  return done.map((migration) => migration.name)
}

/** Nearly every start finds it so, and then need not load what migrates. */
async function isUpToDate(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: found } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [TABLE])
    if (!found[0]?.there) return false
    const { rows } = await client.query<{ name: string }>(`select name from ${TABLE} order by name`)
    return JSON.stringify(rows.map(({ name }) => name)) === JSON.stringify(await listMigrations())
  } finally {
    await client.end()
  }
}

/** The names of all migrations that this version of the shop has, in order. */
export async function listMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS)
  return files
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => file.replace(/\.sql$/, ''))
}

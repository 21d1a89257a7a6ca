import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { Log } from './log.ts'

const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/**
 * Brings the database to the newest schema, or no further than `upTo` migrations; processes that start together wait
 * for one another.
 */
export async function migrate(databaseUrl: string, log: Log, { upTo = Number.POSITIVE_INFINITY } = {}): Promise<string[]> {
  const done = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: 'up',
    count: upTo,
    migrationsTable: 'schema_migrations',
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

/** The names of all migrations that this version of the shop has, in order. */
export async function listMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS)
  return files
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => file.replace(/\.sql$/, ''))
}

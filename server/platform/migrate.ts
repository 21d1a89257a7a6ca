import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { Log } from './log.ts'

const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/** Brings the database to the newest schema; processes that start together wait for one another. */
export async function migrate(databaseUrl: string, log: Log): Promise<string[]> {
  const done = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: 'up',
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

import { checkDatabase, databaseSettings } from '../server/platform/check-database.ts'
import type { Config } from '../server/platform/config.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import type { Log } from '../server/platform/log.ts'

/** The database that the settings name, as its owner. A shop that is open keeps its own; a closed one's is started for as long as this takes. */
export async function reachDatabase(
  { databaseUrl, databaseMigrationUrl, dataDir }: Config,
  log: Log,
): Promise<{ url: string; leave(): Promise<void> }> {
  const nothing = async () => {}
  await checkDatabase(databaseSettings({ databaseUrl, databaseMigrationUrl }))
  if (databaseUrl !== undefined) return { url: databaseMigrationUrl ?? databaseUrl, leave: nothing }
  const running = await findRunningPostgres({ dataDir })
  if (running !== null) return { url: running, leave: nothing }
  const started = await startEmbeddedPostgres({ dataDir, log })
  return { url: started.url(), leave: started.stop }
}

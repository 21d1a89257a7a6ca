import { type Access, letAppIn } from './app-role.ts'
import { openPool } from './db.ts'
import { installJobQueue } from './job-queue.ts'
import type { Log } from './log.ts'
import { migrate } from './migrate.ts'

/**
 * Migrates the schema as its owner, grants the application role its rights, and returns the connection string for the pools.
 * Processes that start together wait for one another.
 */
export async function prepareDatabase({
  ownerUrl,
  appUrl,
  log,
}: {
  ownerUrl: string
  appUrl?: string | undefined
  log: Log
}): Promise<Access & { migrated: string[] }> {
  const migrated = await migrate(ownerUrl, log)
  const owner = openPool({ url: ownerUrl, size: 1, log, name: 'dwadi owner of the schema' })
  try {
    await installJobQueue(owner)
    await owner.query('select make_partitions()')
  } finally {
    await owner.end()
  }
  return { ...(await letAppIn({ ownerUrl, appUrl })), migrated }
}

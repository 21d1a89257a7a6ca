import { type Access, letAppIn } from './app-role.ts'
import { openPool } from './db.ts'
import { installJobQueue } from './job-queue.ts'
import type { Log } from './log.ts'
import { migrate } from './migrate.ts'

/**
 * Brings the schema up to date as its owner and gives the shop's own role its rights; replies what the pools are to
 * connect with. Processes that start together wait for one another.
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
  await installJobQueue(owner).finally(() => owner.end())
  return { ...(await letAppIn({ ownerUrl, appUrl })), migrated }
}

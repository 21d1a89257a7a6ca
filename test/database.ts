import pg from 'pg'
import { inject } from 'vitest'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { letAppIn } from '../server/platform/app-role.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { copyFolder } from './make-folder.ts'
import { APP_ROLE, TEMPLATE_DATABASE } from './template-databases.ts'

export type TestDatabase = {
  /** Connected as the owner, so that tests may inspect and tamper. */
  url: string
  db: Db
  /** Connected as the shop's own role. */
  appUrl: string
  close(): Promise<void>
}

let count = 0

/**
 * A database of the caller's own, cloned in about 0.1 s: an empty one, one with the sample catalogue, or a copy of
 * another test's, whose connections end for it.
 */
export async function openTestDatabase({
  poolSize = 10,
  catalogue = false,
  copyOf,
}: {
  poolSize?: number
  catalogue?: boolean
  copyOf?: TestDatabase
} = {}): Promise<TestDatabase> {
  const name = `test_${process.pid}_${Date.now().toString(36)}_${count++}`
  const template = copyOf ? databaseOf(copyOf) : catalogue ? inject('catalogueDatabase') : TEMPLATE_DATABASE
  if (copyOf) await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`)
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  const url = inject('databaseServerUrl').replace(TEMPLATE_DATABASE, name)
  const appUrl = await appUrlOf(url)
  const db = openPool({ url, size: poolSize, log: createLog('silent'), name: 'dwadi-test' })
  return {
    url,
    db,
    appUrl,
    /** Closes, after checking that entries sum to zero and balances match entries. */
    async close() {
      const violations = await checkLedger(db)
      await db.end()
      // The role is of a process that was started on this database alone.
      await onServer(`drop database ${name} with (force)`, `drop role if exists ${name}_app`)
      if (violations.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(violations, null, 2)}`)
    },
  }
}

let appUrlOfTemplate: Promise<string> | undefined

/** A template that this run keeps gives its copies the role's rights; one that was given from outside may have none. */
async function appUrlOf(ownerUrl: string): Promise<string> {
  const template = inject('databaseServerUrl')
  if (inject('dataFolder') === undefined) return (await letAppIn({ ownerUrl, role: APP_ROLE })).url
  appUrlOfTemplate ??= letAppIn({ ownerUrl: template, role: APP_ROLE }).then(({ url }) => url)
  return (await appUrlOfTemplate).replace(TEMPLATE_DATABASE, databaseOf({ url: ownerUrl }))
}

function databaseOf({ url }: Pick<TestDatabase, 'url'>): string {
  return new pg.Client({ connectionString: url }).database as string
}

/** A database without tables. */
export async function openEmptyDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const name = `test_${process.pid}_${Date.now().toString(36)}_${count++}`
  await onServer(`create database ${name}`)
  return {
    url: inject('databaseServerUrl').replace(TEMPLATE_DATABASE, name),
    async close() {
      await onServer(`drop database ${name} with (force)`, `drop role if exists ${name}_app`)
    },
  }
}

/**
 * Fills a new data folder with the embedded database of a shop that was never opened: what the shop's first start would
 * make there, in a fraction of the time.
 */
export async function copyDataFolder(dataDir: string) {
  await copyFolder(inject('dataFolder'), dataDir)
}

/** `create database` cannot run while another session clones the same template, so it waits and tries again. */
async function onServer(...statements: string[]) {
  const client = new pg.Client({ connectionString: inject('databaseServerUrl').replace(TEMPLATE_DATABASE, 'postgres') })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(1)')
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

import { queryStatusAfterRestore } from '../server/features/delivery/supplier/query-status-after-restore.ts'
import { checkLedger, countReconciliation } from '../server/ledger/check-ledger.ts'
import { checkDatabase, databaseSettings } from '../server/platform/check-database.ts'
import { ConfigError } from '../server/platform/config.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { installJobQueue, openJobQueue } from '../server/platform/job-queue.ts'
import { createLog, type Log } from '../server/platform/log.ts'
import { queueRules } from '../server/platform/queues.ts'
import { restoreBackup } from '../server/platform/restore.ts'
import { USUAL_TIMINGS } from '../server/platform/timings.ts'
import { chooseShop, ensureReadable, resolveTyped } from './choose-shop.ts'

// `npm run restore -- <file>`: a backup into the empty database that the settings name, and the proof of its books.
const startedAt = performance.now()
const [name] = process.argv.slice(2)
const log = createLog('error')
let restored = false

try {
  if (!name) throw new Error('Say which file to read: npm run restore -- dwadi-2026-11-21.zst')
  const file = resolveTyped(name)
  const config = chooseShop()
  await ensureReadable(file)
  const { dataDir } = config
  const databaseUrl = config.databaseMigrationUrl ?? config.databaseUrl
  await checkDatabase(databaseSettings(config))
  const embedded = databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir, log }) : null
  try {
    await restore(databaseUrl ?? (embedded as { url(): string }).url(), file, log)
  } finally {
    await embedded?.stop()
  }
} catch (error) {
  const what = restored ? 'The rows are restored, but not all was checked' : 'Nothing was restored'
  console.error(error instanceof ConfigError ? error.message : `${what}: ${(error as Error).message}`)
  process.exitCode = 1
}

async function restore(url: string, file: string, log: Log) {
  const { madeAt, tables, rows, migratedOn } = await restoreBackup({ url, file, log })
  restored = true
  console.log(`${tables} tables, ${rows} rows as of ${madeAt}: every table is back byte for byte`)
  if (migratedOn.length > 0) console.log(`then migrated on by ${migratedOn.join(', ')}`)

  const db = openPool({ url, size: 2, log, name: 'dwadi restore' })
  try {
    await askSuppliers(db, log)
    const violations = await checkLedger(db)
    for (const { rule, subject, detail } of violations) console.error(`BROKEN  ${rule}\n        ${subject}: ${detail}`)
    const { entries, postings, wallets } = await countReconciliation(db)
    const verdict = violations.length === 0 ? 'all balanced' : 'NOT balanced, and were not when the backup was made'
    console.log(`${entries} entries, ${postings} postings, ${wallets} wallets: ${verdict}`)
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await db.end()
  }
}

async function askSuppliers(db: Db, log: Log) {
  await installJobQueue(db)
  const jobs = await openJobQueue({ db, log, queues: queueRules(USUAL_TIMINGS), timings: USUAL_TIMINGS.jobs })
  const { asked, byHand } = await queryStatusAfterRestore(db, jobs, new Date())
  await jobs.stop()
  if (asked > 0) console.log(`${asked} orders were on their way to a supplier, who is asked about them when the shop opens`)
  if (byHand > 0) console.log(`${byHand} orders had not set out: see which were delivered since, and decide them by hand`)
}

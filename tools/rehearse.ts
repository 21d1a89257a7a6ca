import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { insertRehearsal, type Rehearsal } from '../server/features/office/reconciliation/rehearsals.sql.ts'
import { checkLedger, countReconciliation } from '../server/ledger/check-ledger.ts'
import { ConfigError } from '../server/platform/config.ts'
import { openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { restoreBackup } from '../server/platform/restore.ts'
import { chooseShop, ensureReadable, resolveTyped } from './choose-shop.ts'
import { reachDatabase } from './reach-database.ts'
import { restoreArchive } from './rehearse/restore-archive.ts'

// `npm run rehearse -- <file>` brings a backup back on a database of its own, proves its books, and notes in the shop that it was done.
// `npm run rehearse -- --to "2026-11-23 14:02"` does it with pgBackRest's archive, as of that moment; without --to and file, as of now.
// `--into FOLDER --keep` leaves it running until Ctrl-C, to look at what a mistake has destroyed. The shop goes on selling meanwhile.

const USAGE = 'npm run rehearse -- <file>, or npm run rehearse -- [--to "2026-11-23 14:02"] [--into FOLDER] [--keep]'
type Proved = Omit<Rehearsal, 'tookMs'>

const log = createLog('silent')
const startedAt = performance.now()
const closers: (() => unknown)[] = []
let closing: Promise<void> | undefined
const close = () => {
  closing ??= (async () => {
    for (const one of closers) await one()
  })()
  return closing
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void close().then(() => process.exit()))

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      into: { type: 'string' },
      keep: { type: 'boolean', default: false },
      config: { type: 'string', default: '/etc/pgbackrest.conf' },
      stanza: { type: 'string', default: 'dwadi' },
      superuser: { type: 'string', default: 'postgres' },
      database: { type: 'string', default: 'dwadi' },
    },
  })
  if (positionals.length > 1) throw new Error(`One file at a time: ${USAGE}`)
  const [file] = positionals
  if (file !== undefined && (values.to !== undefined || values.into !== undefined || values.keep))
    throw new Error(`A file holds one moment alone, and is restored for good by npm run restore. ${USAGE}`)
  if (values.keep && values.into === undefined) throw new Error('--keep: say where with --into, so that it lies where there is room')
  const config = chooseShop()
  const rehearsal = file === undefined ? await rehearseArchive(values) : await rehearseFile(resolveTyped(file))
  if (rehearsal !== null) {
    await noteInShop(rehearsal)
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    if (values.keep) {
      console.log('Ctrl-C ends it; the folder stays.')
      await new Promise(() => setInterval(() => undefined, 60_000))
    }
  } else process.exitCode = 1

  async function noteInShop(found: Proved) {
    // A shop that is lost is no reason to call its backup bad.
    await note(found).catch((error: Error) => {
      console.error(`The backup is good, but it could not be noted in the shop: ${error.message}`)
    })
  }

  async function note(found: Proved) {
    const database = await reachDatabase(config, log)
    const db = openPool({ url: database.url, size: 1, log, name: 'dwadi rehearsal' })
    try {
      await insertRehearsal(db, { ...found, tookMs: performance.now() - startedAt })
      console.log('Noted in the shop.')
    } finally {
      await db.end()
      await database.leave()
    }
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `Nothing was rehearsed: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await close()
}

async function rehearseFile(path: string): Promise<Proved | null> {
  await ensureReadable(path)
  const folder = mkdtempSync(join(tmpdir(), 'dwadi-rehearsal-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const embedded = await startEmbeddedPostgres({ dataDir: folder, log })
  closers.unshift(() => embedded.stop())
  const { madeAt, tables, rows } = await restoreBackup({ url: embedded.url(), file: path, log })
  console.log(`${tables} tables, ${rows} rows as of ${madeAt}: every table is back byte for byte`)
  return prove(embedded.url(), { source: 'file', restoredTo: new Date(madeAt) })
}

type ArchiveOptions = {
  to?: string | undefined
  into?: string | undefined
  keep: boolean
  config: string
  stanza: string
  superuser: string
  database: string
}

async function rehearseArchive({ to, into, ...options }: ArchiveOptions): Promise<Proved | null> {
  const moment = to === undefined ? null : readMoment(to)
  const folder = into === undefined ? mkdtempSync(join(tmpdir(), 'dwadi-rehearsal-')) : resolveTyped(into)
  if (into === undefined) closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const restored = await restoreArchive({ ...options, to: moment, into: folder })
  closers.unshift(() => restored.stop())
  const found = await prove(restored.url, { source: 'archive', restoredTo: moment ?? new Date() })
  if (options.keep)
    console.log(
      `It is open: psql -h ${restored.socketFolder} -U ${options.superuser} ${options.database}\n  or DATABASE_URL='${restored.url}' npm run backup -- …`,
    )
  return found
}

/** Checks the books of what came back, and says what there is; null when they are wrong. */
async function prove(url: string, { source, restoredTo }: Pick<Rehearsal, 'source' | 'restoredTo'>): Promise<Proved | null> {
  const db = openPool({ url, size: 2, log, name: 'dwadi rehearsal' })
  try {
    const violations = await checkLedger(db)
    for (const { rule, subject, detail } of violations) console.error(`BROKEN  ${rule}\n        ${subject}: ${detail}`)
    const { entries, postings, wallets } = await countReconciliation(db)
    const { rows } = await db.query<{ orders: number; newest: Date | null }>(
      'select count(*) as orders, (select created_at from orders order by seq desc limit 1) as newest from orders',
    )
    const { orders, newest } = rows[0] as { orders: number; newest: Date | null }
    console.log(`${orders} orders, the newest of ${newest?.toISOString() ?? 'no time'}`)
    console.log(
      `${entries} entries, ${postings} postings, ${wallets} wallets: ${violations.length === 0 ? 'all balanced' : 'NOT balanced'}`,
    )
    return violations.length === 0 ? { source, restoredTo, orders, entries } : null
  } finally {
    await db.end()
  }
}

/** A moment in UTC, which is Ghana's time, to the minute or the second. @throws Error that names the option. */
function readMoment(text: string): Date {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)Z?$/.exec(text.trim()) ?? []
  const moment = new Date(`${day}T${time}Z`)
  if (day === undefined || Number.isNaN(moment.getTime())) throw new Error('--to: must be a moment in UTC, such as "2026-11-23 14:02"')
  if (moment.getTime() > Date.now()) throw new Error('--to: is still to come')
  return moment
}

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import {
  type BackupContents,
  BackupError,
  type BackupHeader,
  COPY_SETTINGS,
  copyOut,
  FORMAT,
  MAGIC,
  SUMS,
  type TableSum,
} from './backup-file.ts'
import { BackupReader, COPY_LINE } from './backup-reader.ts'
import type { Log } from './log.ts'
import { listMigrations, migrate } from './migrate.ts'

export type Restored = { madeAt: string; tables: number; rows: number; migratedOn: string[] }

/** Exists while a restore is under way. An interrupted restore may be repeated; any other data is never overwritten. */
const MARK = 'restore_unfinished'

/**
 * Restores a backup into an empty database: recreates the tables of its version, loads all rows in one transaction, verifies
 * them byte for byte against the checksums, and only then commits. Newer migrations run afterwards.
 * @throws BackupError when the database is not empty, or the file is damaged, truncated or of a newer version.
 */
export async function restoreBackup({ url, file, log }: { url: string; file: string; log: Log }): Promise<Restored> {
  const header = await readHeader(file)
  const client = new pg.Client({ connectionString: url, application_name: 'dwadi restore', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await claimEmpty(client)
    await refuseNewer(client, header.migrations)
    await migrate(url, log, { upTo: header.migrations.length })
    await client.query(COPY_SETTINGS)
    await client.query('begin')
    const contents = await load(client, file).catch(explainDamage)
    for (const table of contents.tables) await prove(client, table)
    await client.query(`drop table public.${MARK}`)
    await client.query('commit')
    await client.query('analyze')
    const rows = contents.tables.reduce((sum, table) => sum + table.rows, 0)
    return { madeAt: header.madeAt, tables: contents.tables.length, rows, migratedOn: await migrate(url, log) }
  } finally {
    await client.end()
  }
}

/** A damaged part may be met by the database, as a column or a value that it cannot take, before the file's own checksum is. */
function explainDamage(error: unknown): never {
  const isAboutContents = error instanceof pg.DatabaseError && /^(22|23|42)/.test(error.code ?? '')
  throw isAboutContents ? new BackupError(`The backup is damaged: ${error.message}.`) : error
}

async function readHeader(file: string): Promise<BackupHeader> {
  const reader = new BackupReader(file)
  try {
    const line = await reader.readLine()
    if (!line?.startsWith(MAGIC)) throw new BackupError(`${file} is no backup of a shop.`)
    const header = JSON.parse(line.slice(MAGIC.length)) as BackupHeader
    const known = await listMigrations()
    const unknown = header.migrations.find((name, index) => known[index] !== name)
    if (header.format !== FORMAT || unknown !== undefined) {
      throw new BackupError(
        `${file} was made by another version of the shop${unknown ? ` (${unknown})` : ''}: restore it with that version.`,
      )
    }
    return header
  } finally {
    reader.close()
  }
}

async function claimEmpty(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%' order by 1`,
  )
  const names = rows.map(({ name }) => name)
  const begunBefore = names.includes(`public.${MARK}`) && (await isUnused(client, names))
  if (names.length > 0 && !begunBefore) {
    throw new BackupError(
      `The database is not empty (it has ${names.slice(0, 3).join(', ')} …). A backup is restored into an empty one only.`,
    )
  }
  await client.query(`create table if not exists public.${MARK} (since timestamptz not null default now())`)
}

/** Rows of an older version would not be brought up to date in the tables that an interrupted restore of a newer one has left. */
async function refuseNewer(client: pg.Client, migrations: readonly string[]) {
  if ((await client.query(`select to_regclass('public.schema_migrations') as name`)).rows[0]?.name === null) return
  const { rows } = await client.query<{ name: string }>('select name from public.schema_migrations where name <> all ($1) order by id', [
    migrations,
  ])
  if (rows[0]) {
    throw new BackupError(
      `The database has the tables of a newer version than the backup (${rows[0].name}), from a restore that was interrupted. Drop it, and restore into an empty one.`,
    )
  }
}

/** If somebody opened the shop meanwhile, it has users, which must not be overwritten. */
async function isUnused(client: pg.Client, tables: string[]): Promise<boolean> {
  if (!tables.includes('public.users')) return true
  return (await client.query('select from public.users limit 1')).rowCount === 0
}

async function load(client: pg.Client, file: string): Promise<BackupContents> {
  const reader = new BackupReader(file)
  const loaded: TableSum[] = []
  try {
    for (let line = await reader.readLine(); line !== null; line = await reader.readLine()) {
      const copy = COPY_LINE.exec(line)
      if (copy) {
        loaded.push(await loadTable(client, reader, { table: copy[1] as string, columns: copy[2] as string }))
      } else if (line.startsWith(SUMS)) {
        const contents = JSON.parse(line.slice(SUMS.length)) as BackupContents
        await reader.checkChainLink()
        if (JSON.stringify(contents.tables) !== JSON.stringify(loaded))
          throw new BackupError('The backup is damaged: its tables are not what its end says.')
        return contents
      } else if (!line.startsWith('--') && line !== 'begin;' && line !== 'commit;') {
        await client.query(line)
      }
    }
    throw new BackupError('The backup is cut short: its end is missing.')
  } finally {
    reader.close()
  }
}

async function loadTable(
  client: pg.Client,
  reader: BackupReader,
  { table, columns }: { table: string; columns: string },
): Promise<TableSum> {
  const hash = createHash('sha256')
  const rows = client.query(copyFrom(`copy ${table} (${columns}) from stdin`))
  try {
    await pipeline(Readable.from(hashed(reader.readRows(), hash), { objectMode: false }), rows)
  } catch (error) {
    throw isRefusedRow(error) ? new BackupError(`The backup is damaged: ${table} does not take a row of it (${error.message}).`) : error
  }
  return { table, columns, rows: rows.rowCount, sha256: hash.digest('hex') }
}

/** PostgreSQL's error classes for data that is invalid and for violated constraints. */
function isRefusedRow(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

/** Reads a table back and compares its checksum. */
async function prove(client: pg.Client, { table, columns, rows, sha256 }: TableSum) {
  const hash = createHash('sha256')
  const found = client.query(copyTo(copyOut({ table, columns })))
  for await (const chunk of found as AsyncIterable<Buffer>) hash.update(chunk)
  if (found.rowCount !== rows || hash.digest('hex') !== sha256) {
    throw new BackupError(`${table} did not come back as it was: ${found.rowCount} rows, expected ${rows}.`)
  }
}

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, constants as zlib } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type BackupContents,
  BackupError,
  type BackupHeader,
  COPY_SETTINGS,
  copyOut,
  FORMAT,
  MAGIC,
  SEAL,
  SUMS,
  type TableSum,
} from './backup-file.ts'
import { proveReadable } from './backup-reader.ts'

/** Nothing may be queued at the end, or Node appends an empty frame (nodejs/node#66078). */
const PACKING = { writableHighWaterMark: 1, params: { [zlib.ZSTD_c_compressionLevel]: 6, [zlib.ZSTD_c_checksumFlag]: 1 } }

export type Backup = { tables: number; rows: number; bytes: number }

/**
 * Writes the whole database into one file, from a single snapshot, while the shop keeps running. The job queue's tables are
 * left out: jobs are derived from the shop's tables, and an old job must not run twice. What was written is read back before the
 * file gets its name.
 * @throws BackupError when the file already exists, the database is not a shop's, or what was written cannot be read.
 */
export async function writeBackup({ url, file }: { url: string; file: string }): Promise<Backup> {
  const client = new pg.Client({ connectionString: url, application_name: 'dwadi backup', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  const draft = `${file}.unfinished`
  try {
    await refuseExisting(file)
    await client.query(COPY_SETTINGS)
    await client.query('begin isolation level repeatable read read only')
    const contents: BackupContents = { tables: [] }
    await pipeline(
      Readable.from(sealed(script(client, contents)), { objectMode: false }),
      createZstdCompress(PACKING),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await proveWritten(draft)
    // link() never replaces an existing file; rename() would.
    await link(draft, file)
    await syncFolder(dirname(file))
    return {
      tables: contents.tables.length,
      rows: contents.tables.reduce((sum, { rows }) => sum + rows, 0),
      bytes: (await stat(file)).size,
    }
  } finally {
    await rm(draft, { force: true })
    await client.end()
  }
}

/** A draft that cannot be read is kept under another name, for whoever wants to know why. */
async function proveWritten(draft: string) {
  try {
    await proveReadable(draft)
  } catch (error) {
    const kept = draft.replace(/unfinished$/, 'unreadable')
    await rename(draft, kept)
    throw new BackupError(`What was written cannot be read back; it is left as ${kept}. ${(error as Error).message}`)
  }
}

async function refuseExisting(file: string) {
  for (const path of [file, `${file}.unfinished`]) {
    if (await stat(path).catch(() => null)) throw new BackupError(`There is already a file ${path}; a backup never overwrites.`)
  }
}

/** Yields the lines and then a hash over all of them, so that a truncated file is detected. */
async function* sealed(lines: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const line of lines) {
    const bytes = typeof line === 'string' ? Buffer.from(line) : line
    hash.update(bytes)
    yield bytes
  }
  yield Buffer.from(`${SEAL}${hash.digest('hex')}\n`)
}

type Table = { table: string; columns: string; parents: string[] }

async function* script(client: pg.Client, contents: BackupContents): AsyncGenerator<string | Buffer> {
  const header = await readHeader(client)
  const tables = await readTables(client)
  yield `${MAGIC}${JSON.stringify(header)}\n`
  yield 'begin;\n'
  for (const statement of await readPartitions(client)) yield `${statement}\n`
  // Triggers would count restored rows a second time.
  for (const { table } of tables) yield `alter table ${table} disable trigger user;\n`
  yield `truncate ${tables.map(({ table }) => table).join(', ')};\n`
  for (const table of tables) yield* copyTable(client, table, contents)
  for (const statement of await readSequences(client)) yield `${statement}\n`
  for (const { table } of tables) yield `alter table ${table} enable trigger user;\n`
  yield 'commit;\n'
  yield `${SUMS}${JSON.stringify(contents)}\n`
}

async function* copyTable(client: pg.Client, { table, columns }: Table, contents: BackupContents): AsyncGenerator<string | Buffer> {
  yield `copy ${table} (${columns}) from stdin;\n`
  const hash = createHash('sha256')
  const rows = client.query(copyTo(copyOut({ table, columns })))
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  yield '\\.\n'
  const sum: TableSum = { table, columns, rows: rows.rowCount, sha256: hash.digest('hex') }
  contents.tables.push(sum)
}

async function readHeader(client: pg.Client): Promise<BackupHeader> {
  const known = await client.query<{ found: boolean }>(`select to_regclass('public.schema_migrations') is not null as found`)
  if (!known.rows[0]?.found) throw new BackupError('This database is not one of a shop: it has no table schema_migrations.')
  const { rows: migrations } = await client.query<{ name: string }>('select name from public.schema_migrations order by id')
  const { rows } = await client.query<{ version: string; now: Date }>(`select current_setting('server_version') as version, now()`)
  const { version, now } = rows[0] as { version: string; now: Date }
  return { format: FORMAT, madeAt: now.toISOString(), postgres: version, migrations: migrations.map(({ name }) => name) }
}

/**
 * The tables that migrations made, parents before children so that foreign keys hold. xid8 columns are left out: transaction
 * numbers mean nothing in another cluster, so the restore uses their defaults.
 */
async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select format('%I.%I', n.nspname, c.relname) as table,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.atttypid <> 'pg_catalog.xid8'::pg_catalog.regtype) as columns,
      array(select format('%I.%I', pn.nspname, p.relname) from pg_catalog.pg_constraint k
        join pg_catalog.pg_class p on p.oid = k.confrelid join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and c.relname not in ('schema_migrations', 'schema_functions')
    order by 1`)
  const sorted: Table[] = []
  let left = rows
  while (left.length > 0) {
    const placed = new Set(sorted.map(({ table }) => table))
    const ready = left.filter(({ parents }) => parents.every((parent) => placed.has(parent)))
    if (ready.length === 0)
      throw new BackupError(`These tables refer to each other in a circle: ${left.map(({ table }) => table).join(', ')}`)
    sorted.push(...ready)
    left = left.filter((table) => !ready.includes(table))
  }
  return sorted
}

/** Tables that are kept in ranges of their numbers get the ranges that they have here, in place of those of a new shop, which may be smaller. */
async function readPartitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; create: string }>(`
    select format('drop table if exists %I.%I;', n.nspname, c.relname) as drop,
      format('create table %I.%I partition of %s %s;', n.nspname, c.relname, i.inhparent::pg_catalog.regclass,
        pg_catalog.pg_get_expr(c.relpartbound, c.oid)) as create
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relispartition
    order by i.inhparent, pg_catalog.length(c.relname), c.relname`)
  return [...rows.map(({ drop }) => drop), ...rows.map(({ create }) => create)]
}

/** Sequences are not part of a snapshot. Read them last, so that each is at or past the highest value used. */
async function readSequences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('select pg_catalog.setval(%L, %s, true);', format('%I.%I', schemaname, sequencename), last_value) as statement
    from pg_catalog.pg_sequences where schemaname = 'public' and last_value is not null order by 1`)
  return rows.map(({ statement }) => statement)
}

async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

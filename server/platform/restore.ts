import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import {
  type BackupContents,
  BackupError,
  type BackupHeader,
  COPY_SETTINGS,
  FORMAT,
  MAGIC,
  SEAL,
  SUMS,
  type TableSum,
} from './backup-file.ts'
import type { Log } from './log.ts'
import { listMigrations, migrate } from './migrate.ts'

export type Restored = { madeAt: string; tables: number; rows: number; migratedOn: string[] }

const NEWLINE = 10
const END_OF_COPY = Buffer.from('\\.\n')
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
    await migrate(url, log, { upTo: header.migrations.length })
    await client.query(COPY_SETTINGS)
    await client.query('begin')
    const contents = await load(client, file)
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
      const copy = /^copy (\S+) \((.+)\) from stdin;$/.exec(line)
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
  const found = client.query(copyTo(`copy ${table} (${columns}) to stdout`))
  for await (const chunk of found as AsyncIterable<Buffer>) hash.update(chunk)
  if (found.rowCount !== rows || hash.digest('hex') !== sha256) {
    throw new BackupError(`${table} did not come back as it was: ${found.rowCount} rows, expected ${rows}.`)
  }
}

/** Reads a backup once from start to end: script lines, and the rows of each table between them. */
class BackupReader {
  readonly #source: ReturnType<typeof createReadStream>
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  #held: Buffer = Buffer.alloc(0)

  constructor(file: string) {
    this.#source = createReadStream(file)
    const plain = createZstdDecompress()
    this.#source.on('error', (error) => plain.destroy(error))
    this.#chunks = this.#source.pipe(plain)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** The next line without its newline, or null at the end of the file. */
  async readLine(): Promise<string | null> {
    for (let end = this.#held.indexOf(NEWLINE); ; end = this.#held.indexOf(NEWLINE)) {
      if (end >= 0) return this.#take(end + 1).toString('utf8', 0, end)
      if (!(await this.#more())) return null
    }
  }

  /** The rows of a table, in chunks of whole lines, up to the terminator. */
  async *readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endOfRows()
      if (end >= 0) {
        if (end > 0) yield this.#take(end)
        this.#take(END_OF_COPY.length)
        return
      }
      const lines = this.#held.lastIndexOf(NEWLINE) + 1
      if (lines > 0) yield this.#take(lines)
      if (!(await this.#more())) throw new BackupError('The backup is cut short: the rows of a table do not end.')
    }
  }

  /**
   * Checks the hash of everything read so far against the last line.
   * @throws BackupError when it differs.
   */
  async checkChainLink() {
    const sha256 = this.#hash.copy().digest('hex')
    if ((await this.readLine()) !== `${SEAL}${sha256}`) throw new BackupError('The backup is damaged: its checksum is not right.')
  }

  close() {
    this.#source.destroy()
  }

  /** COPY doubles backslashes in rows, so this sequence at the start of a line can only be the terminator. */
  #endOfRows(): number {
    for (let at = this.#held.indexOf(END_OF_COPY); at >= 0; at = this.#held.indexOf(END_OF_COPY, at + 1)) {
      if (at === 0 || this.#held[at - 1] === NEWLINE) return at
    }
    return -1
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    this.#hash.update(taken)
    return taken
  }

  async #more(): Promise<boolean> {
    const next = await this.#chunks.next().catch((error: Error) => {
      throw new BackupError(`The backup cannot be read: ${error.message}`)
    })
    if (next.done) return false
    this.#held = this.#held.length === 0 ? next.value : Buffer.concat([this.#held, next.value])
    return true
  }
}

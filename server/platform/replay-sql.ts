import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

const DB = fileURLToPath(new URL('../../db', import.meta.url))
const PACKAGE = new URL('../../package.json', import.meta.url)
const TABLE = 'schema_functions'

export type SqlFile = { name: string; text: string; sha256: string }
/** The functions, views and triggers of one release. */
export type SqlRelease = { release: string; files: SqlFile[] }
/** What `schema_functions` records: each replayed file, its release, and the objects it defines. */
type Replayed = { name: string; sha256: string; release: string; objects: string[] }

/** Reads this version's SQL: one function or view per file, and one file of triggers per table. */
export async function readSqlRelease(): Promise<SqlRelease> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
  const names = (await Promise.all(['functions', 'triggers'].map(listFiles))).flat()
  return { release: version, files: await Promise.all(names.map(async (name) => sqlFile(name, await readFile(join(DB, name), 'utf8')))) }
}

async function listFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(DB, folder))
  return files
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => `${folder}/${file}`)
}

export function sqlFile(name: string, text: string): SqlFile {
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
}

/** True when the database has the functions of this release or a newer one. */
export async function isReplayed(client: pg.Client, { release, files }: SqlRelease): Promise<boolean> {
  const replayed = await selectReplayed(client)
  if (isOlder(release, replayed)) return true
  const hashes = new Map(replayed.map(({ name, sha256 }) => [name, sha256]))
  return (
    hashes.size === files.length &&
    files.every(({ name, sha256 }) => hashes.get(name) === sha256) &&
    replayed.every((file) => file.release === release)
  )
}

/**
 * Creates or replaces what changed, and drops what no file defines any more. A release older than the database's changes
 * nothing, so an old process can start beside a new one. The caller holds the migration lock. Returns the files replayed.
 * `inTransaction`: the caller's transaction, which has all tables locked, and all of it is done in there.
 */
export async function replaySql(client: pg.Client, { release, files }: SqlRelease, { inTransaction = false } = {}): Promise<string[]> {
  await client.query(
    `create table if not exists ${TABLE} (name text primary key, sha256 text not null, release text not null, objects text[] not null)`,
  )
  const replayed = await selectReplayed(client)
  if (isOlder(release, replayed)) return []
  const hashes = new Map(replayed.map(({ name, sha256 }) => [name, sha256]))
  const changed = Map.groupBy(
    files.filter(({ name, sha256 }) => hashes.get(name) !== sha256),
    kindOf,
  )
  // Functions may refer to others and to views created later, so skip checking their bodies.
  await client.query(`set lock_timeout = '3s'; set check_function_bodies = off`)
  const run = inTransaction ? runAll : runTogether
  await run(client, changed.get('function') ?? [])
  // One transaction per file, unless the tables are locked already: locking two tables in one could deadlock with a purchase.
  for (const file of [...(changed.get('view') ?? []), ...(changed.get('trigger') ?? [])]) await run(client, [file])
  await dropRemoved(client, replayed, files)
  await recordReplayed(client, { release, files })
  return [...changed.values()].flat().map(({ name }) => name)
}

async function runTogether(client: pg.Client, files: SqlFile[]) {
  await client.query('begin')
  try {
    await runAll(client, files)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** @throws ReplayError, which names the file */
async function runAll(client: pg.Client, files: SqlFile[]) {
  for (const { name, text } of files)
    await client.query(text).catch((error: Error) => {
      throw new ReplayError(name, error)
    })
}

/** One file of db/functions or db/triggers could not be replayed. */
export class ReplayError extends Error {
  override name = 'ReplayError'
  readonly file: string
  constructor(file: string, cause: Error) {
    super(cause.message, { cause })
    this.file = file
  }
}

async function dropRemoved(client: pg.Client, replayed: Replayed[], files: SqlFile[]) {
  const defined = new Set(files.flatMap(objectsOf))
  const removed = replayed.flatMap(({ objects }) => objects).filter((object) => !defined.has(object))
  for (const kind of ['trigger', 'view', 'function']) {
    for (const object of removed.filter((one) => one.startsWith(`${kind} `)))
      await client.query(`drop ${object.replace(' ', ' if exists ')}`)
  }
}

/** Runs last, in one statement: if a start is interrupted, the next one replays everything. */
async function recordReplayed(client: pg.Client, { release, files }: SqlRelease) {
  const rows = files.map((file) => ({ name: file.name, sha256: file.sha256, release, objects: objectsOf(file) }))
  await client.query(
    `with recorded as (
      insert into ${TABLE} select * from jsonb_to_recordset($1) as file (name text, sha256 text, release text, objects text[])
      on conflict (name) do update set sha256 = excluded.sha256, release = excluded.release, objects = excluded.objects
    )
    delete from ${TABLE} where name <> all ($2)`,
    [JSON.stringify(rows), rows.map(({ name }) => name)],
  )
}

function kindOf(file: SqlFile): string {
  return (objectsOf(file)[0] as string).split(' ')[0] as string
}

/**
 * The objects a file defines, in the form `drop` takes: "function post_entry", "trigger orders_counted on orders".
 * @throws Error when the file defines none.
 */
export function objectsOf({ name, text }: Pick<SqlFile, 'name' | 'text'>): string[] {
  const definitions = text.matchAll(/^create (?:or replace |constraint )?(function|view|trigger) (\w+)(?:[^;]*? on (\w+))?/gm)
  const objects = [...definitions].map(([, kind, object, table]) => `${kind} ${object}${kind === 'trigger' ? ` on ${table}` : ''}`)
  if (objects.length === 0) throw new Error(`db/${name} defines no function, view or trigger`)
  return objects
}

async function selectReplayed(client: pg.Client): Promise<Replayed[]> {
  const { rows: found } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [TABLE])
  if (!found[0]?.there) return []
  return (await client.query<Replayed>(`select name, sha256, release, objects from ${TABLE}`)).rows
}

function isOlder(release: string, replayed: Replayed[]): boolean {
  return replayed.some((file) => release.localeCompare(file.release, 'en', { numeric: true }) < 0)
}

import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findUnprivilegedAccount, type Owner } from '../../server/platform/embedded-postgres-account.ts'

export type Archive = {
  /** Of pgBackRest. */
  config: string
  stanza: string
  /** The state of this moment comes back; null: the newest that was archived. */
  to: Date | null
  /** A folder that is empty or absent. */
  into: string
  /** The superuser of the archived server. */
  superuser: string
  /** The shop's database on it. */
  database: string
}

export type Restored = {
  /** The restored database, as its superuser. */
  url: string
  /** What it answers to `psql`: its folder of sockets. */
  socketFolder: string
  stop(): Promise<void>
}

const PROGRAMS = '/usr/lib/postgresql'
const POLL_MS = 100
/** An hour of a busy shop's log is replayed in minutes. */
const RECOVERS_WITHIN_MS = 60 * 60_000

/**
 * Restores the archive into a folder of its own and opens it on a socket of its own: the shop's database is not touched, and what is
 * restored archives nothing.
 * @throws Error that says what pgBackRest or PostgreSQL said.
 */
export async function restoreArchive({ config, stanza, to, into, superuser, database }: Archive): Promise<Restored> {
  const owner = process.getuid?.() === 0 ? findUnprivilegedAccount() : null
  await readFile(config).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--config: ${config} can't be read (${error.code}). It is the file that pgBackRest archives with.`)
  })
  const data = join(into, 'data')
  for (const folder of [into, data]) await makeFolder(folder, owner)
  if ((await readdir(data)).length > 0) throw new Error(`--into: ${data} is not empty. Name an empty folder; nothing is ever overwritten.`)

  const target =
    to === null ? [] : ['--type=time', `--target=${to.toISOString().replace('T', ' ').replace('Z', '+00')}`, '--target-action=promote']
  await run(
    'pgbackrest',
    [`--config=${config}`, `--stanza=${stanza}`, `--pg1-path=${data}`, '--log-level-console=warn', ...target, 'restore'],
    owner,
  )

  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  await prepareOwnSettings(into, data, owner)
  const log = join(into, 'postgres.log')
  const output = openSync(log, 'a', 0o600)
  const args = ['-D', data, '-c', `config_file=${join(into, 'postgresql.conf')}`]
  const server = spawn(join(PROGRAMS, version, 'bin/postgres'), args, {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    ...owner,
    // Ctrl-C reaches us alone.
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let ended = false
  server.once('exit', () => {
    ended = true
  })
  server.once('error', () => {
    ended = true
  })
  const stop = async () => {
    if (ended) return
    const over = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await over
  }
  try {
    const deadline = Date.now() + RECOVERS_WITHIN_MS
    while (!(await isReady(data))) {
      if (ended) throw new Error(explain(await readFile(log, 'utf8').catch(() => ''), to, log))
      if (Date.now() > deadline) throw new Error(`Replaying the log took longer than an hour. ${log} says how far it is.`)
      await wait(POLL_MS)
    }
    const url = `postgres://${encodeURIComponent(superuser)}@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(into)}`
    await untilPromoted(url, () => ended)
    return { url, socketFolder: into, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeFolder(folder: string, owner: Owner | null) {
  await mkdir(folder, { recursive: true })
  if (owner) await chown(folder, owner.uid, owner.gid)
  await chmod(folder, 0o700)
}

/** The server's own settings may lie elsewhere (in /etc), and would archive; where to replay from stands in postgresql.auto.conf. */
async function prepareOwnSettings(into: string, data: string, owner: Owner | null) {
  const files = {
    'pg_hba.conf': 'local all all trust\n',
    'postgresql.conf': [
      `hba_file = '${join(into, 'pg_hba.conf')}'`,
      `unix_socket_directories = '${into}'`,
      "listen_addresses = ''",
      'port = 5432',
      'archive_mode = off',
      "synchronous_standby_names = ''",
      // Otherwise the replay would insist on as many connections as the former server allowed.
      'hot_standby = off',
      'max_connections = 20',
      `data_directory = '${data}'`,
      '',
    ].join('\n'),
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(into, name), text, { mode: 0o600 })
    if (owner) await chown(join(into, name), owner.uid, owner.gid)
  }
}

async function isReady(data: string): Promise<boolean> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return lines[7]?.trim() === 'ready'
}

/** Until it has replayed all that it shall and takes writes. */
async function untilPromoted(url: string, isOver: () => boolean) {
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ replays: boolean }>('select pg_is_in_recovery() as replays')
      if (rows[0]?.replays === false) return
    } catch (error) {
      const { code } = error as { code?: string }
      // It is still starting up.
      if (code !== '57P03' || isOver()) throw error
    } finally {
      await client.end().catch(() => undefined)
    }
    await wait(POLL_MS)
  }
}

function explain(log: string, to: Date | null, file: string): string {
  if (/recovery ended before configured recovery target was reached/.test(log))
    return `--to: the archive does not reach ${to?.toISOString()}: nothing was archived after it. Leave --to out for the newest state.`
  return `The restored database did not start. ${file} says:\n${log.trim().split('\n').slice(-8).join('\n')}`
}

async function run(program: string, args: string[], owner: Owner | null) {
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    ...owner,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const channel of [child.stdout, child.stderr]) channel.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    child.once('close', resolve)
  })
  if (code === 'ENOENT') throw new Error('pgBackRest is not installed here: apt-get install pgbackrest')
  if (code !== 0) throw new Error(`pgBackRest could not restore:\n${output.trim()}`)
}

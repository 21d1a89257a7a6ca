import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOurselves, findWayToRun, givePath, isWindows, programOptions, type RunAs, runProgram } from './embedded-postgres-account.ts'
import { type Folder, isAlive, type Programs, prepareSocketFolder, SOCKET_PORT } from './embedded-postgres-folder.ts'

export type Settings = Record<string, string | number>
export type Address = { host: string; port: number }
/** What the running database's postmaster.pid says. */
export type Postmaster = { pid: number; address: Address; ready: boolean }

export const POLL_MS = 5
const STOP_TIMEOUT_MS = 60_000
const FAST_STOP_MS = 20_000
const LARGEST_LOG_BYTES = 8 * 1024 * 1024
const NEVER_OFF = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
const ALL_OFF = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
const RUNNING = 0
const FAILED = 1
const LOCKED = 99
// Another start was faster, or a killed database is still ending: retry.
const TRANSIENT = /lock file "[^"]{0,500}" already exists|pre-existing shared memory block|Is another postmaster already running/

/** @throws Error when a setting would trade durability for speed. */
export function checkSettings(settings: Settings) {
  for (const name of Object.keys(NEVER_OFF)) {
    if (name in settings) throw new Error(`The setting ${name} is on, always: a sale that was confirmed must survive a power cut.`)
  }
}

/**
 * Launches the database and waits until it accepts connections. Returns false when another start is launching it or its
 * predecessor is still ending: retry then. It gets its own session, so that Ctrl-C reaches only the app. `meanwhile` is called while it starts.
 * @throws Error when it does not start.
 */
export async function launchServer(options: {
  folder: Folder
  programs: Programs
  settings: Settings
  durable: boolean
  deadline: number
  meanwhile: () => void
}): Promise<boolean> {
  const { folder, programs } = options
  const logStart = await sizeOfLog(folder)
  const chosen = { postgres: programs.postgres, configFolder: folder.cluster, chownFolder: folder.cluster }
  const exit = isWindows ? await launchOnWindows(options) : await launchOnUnix(await findWayToRun(chosen), options)
  if (exit === RUNNING) return true
  const said = await logTail(folder, logStart)
  if (exit === LOCKED || TRANSIENT.test(said)) return false
  throw new Error(`The database in ${folder.cluster} did not start. Its log ${folder.log} says:\n${said}`)
}

/**
 * Stops the database in fast mode: open transactions are rolled back, committed ones are on disk. One that hangs, as PostgreSQL
 * can while it restarts after a crash, is then told to end at once, and replays its log at the next start. One that was killed has stopped.
 * @throws Error when it does not stop in time.
 */
export async function stopServer(folder: Folder, programs: Programs, { pid }: Postmaster) {
  const signal = async (name: NodeJS.Signals) => {
    if (!(await isServerOf(folder, pid))) return
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  if (isWindows) {
    await runProgram(asOurselves, programs.pg_ctl, ['stop', '-D', folder.cluster, '-m', 'fast', '-w', '-t', '60'], STOP_TIMEOUT_MS + 5_000)
  } else {
    await signal('SIGINT')
  }
  const since = Date.now()
  let isTold = isWindows
  // A killed database leaves its postmaster.pid behind.
  while ((await readPostmaster(folder))?.pid === pid && (isWindows || (await isServerOf(folder, pid)))) {
    if (!isTold && Date.now() > since + FAST_STOP_MS) {
      isTold = true
      await signal('SIGQUIT')
    }
    if (Date.now() > since + STOP_TIMEOUT_MS) {
      throw new Error(`The database process ${pid} in ${folder.cluster} is still stopping. Its log says:\n${await logTail(folder)}`)
    }
    await sleep(POLL_MS)
  }
}

/** Reads postmaster.pid, which exists while PostgreSQL runs; null when there is none. */
export async function readPostmaster(folder: Folder): Promise<Postmaster | null> {
  const text = await readFile(join(folder.cluster, 'postmaster.pid'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  const [pid, , , port, socketFolder, listen, , status] = text.split('\n')
  if (!Number(pid)) return null
  return {
    pid: Number(pid),
    address: { host: socketFolder || listen || '127.0.0.1', port: Number(port) || SOCKET_PORT },
    ready: status?.trim() === 'ready',
  }
}

/**
 * True when process `pid` is this folder's database, and not a zombie or another process that got a dead one's id. When that
 * cannot be told, it counts as the database.
 */
export async function isServerOf(folder: Folder, pid: number): Promise<boolean> {
  // On Windows, PostgreSQL checks for a named pipe that only a database process has.
  if (isWindows || !isAlive(pid)) return false
  const args = await commandLine(pid)
  return args === null || (args.includes('postgres') && args.includes(folder.cluster))
}

/** What ended the database by itself, in the words of its log from byte `start`; null when nothing did. */
export async function whyItEnded(folder: Folder, start: number): Promise<string | null> {
  const text = await readFile(folder.log).catch(() => Buffer.alloc(0))
  return / (?:PANIC: {2}|FATAL: {2}(?=could not ))(.+)/.exec(text.subarray(start).toString('utf8'))?.[1] ?? null
}

export async function sizeOfLog(folder: Folder): Promise<number> {
  return stat(folder.log).then(
    ({ size }) => size,
    () => 0,
  )
}

/** The end of the database's log, from byte `start`. */
export async function logTail(folder: Folder, start = 0): Promise<string> {
  const text = await readFile(folder.log).catch(() => Buffer.alloc(0))
  return (
    text
      .subarray(Math.max(start, text.length - 3_000))
      .toString('utf8')
      .trim() || '(nothing)'
  )
}

/** Limits the log and one older copy to a size. The database appends, so its file can be truncated while in use. */
export async function trimLog(folder: Folder) {
  if ((await sizeOfLog(folder)) < LARGEST_LOG_BYTES) return
  await copyFile(folder.log, `${folder.log}.1`)
  await truncate(folder.log)
}

async function launchOnUnix(
  way: RunAs,
  { folder, programs, settings, durable, deadline, meanwhile }: Parameters<typeof launchServer>[0],
): Promise<number> {
  const socketFolder = await prepareSocketFolder(folder, way.owner)
  const args = [
    '-D',
    folder.cluster,
    ...serverArgs({ ...settings, listen_addresses: '', unix_socket_directories: quoted(socketFolder), port: SOCKET_PORT }, durable),
  ]
  const { file, args: allArgs, identity } = way.command(...(await lockingFolder(folder, programs.postgres, args)))
  const { cwd, env } = programOptions()
  const unrelated = await unrelatedLockHolder(folder, socketFolder)
  // Makes PostgreSQL ignore this process id in a stale lock file; all other checks stay on.
  if (unrelated) env.PG_GRANDPARENT_PID = String(unrelated)

  const log = await open(folder.log, 'a', 0o600)
  await givePath(folder.log, way.owner)
  try {
    const child = spawn(file, allArgs, { ...identity, cwd, env, detached: true, stdio: ['ignore', log.fd, log.fd] })
    child.unref()
    let exit: number | null = null
    child.on('exit', (code) => (exit = code || FAILED))
    child.on('error', () => (exit = FAILED))
    meanwhile()
    return await untilReady(folder, () => exit, child.pid, deadline)
  } finally {
    await log.close()
  }
}

/**
 * PostgreSQL's lock file relies on process ids, which mean nothing across containers. A kernel lock on the folder works
 * there and disappears with the database's last process.
 */
async function lockingFolder(folder: Folder, program: string, args: string[]): Promise<[string, string[]]> {
  const help = await runProgram(asOurselves, 'flock', ['--help'], 5_000)
  if (!help.output.includes('--no-fork')) return [program, args]
  return ['flock', ['--no-fork', '--nonblock', '--conflict-exit-code', String(LOCKED), folder.cluster, program, ...args]]
}

async function untilReady(folder: Folder, exitCode: () => number | null, pid: number | undefined, deadline: number): Promise<number> {
  for (;;) {
    const found = await readPostmaster(folder)
    if (found?.ready && found.pid === pid) return RUNNING
    const exit = exitCode()
    if (exit !== null) return exit
    if (Date.now() > deadline) {
      throw new Error(`The database in ${folder.cluster} is still not ready. Its log ${folder.log} says:\n${await logTail(folder)}`)
    }
    await sleep(POLL_MS)
  }
}

async function launchOnWindows({ folder, programs, settings, durable, meanwhile }: Parameters<typeof launchServer>[0]) {
  const port = await keptPort(folder)
  const args = serverArgs({ ...settings, listen_addresses: '127.0.0.1', port }, durable)
  const command = ['start', '-D', folder.cluster, '-l', folder.log, '-w', '-t', '60', '-o', args.join(' ')]
  const launching = runProgram(asOurselves, programs.pg_ctl, command, 65_000)
  meanwhile()
  return (await launching).code ?? FAILED
}

function serverArgs(settings: Settings, durable: boolean): string[] {
  return Object.entries({ ...DEFAULTS, ...settings, ...(durable ? NEVER_OFF : ALL_OFF) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
}

// For a small server with two cores. Parallel queries would slow down sales in favour of reports, and need more shared
// memory than containers have by default.
const DEFAULTS: Settings = {
  max_connections: 100,
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  idle_in_transaction_session_timeout: '60s',
  // Cancels statements of a killed app, so that the next one does not wait for their locks.
  ...(isWindows ? {} : { client_connection_check_interval: '1s' }),
  // Who looks at what waits for a lock sees the statement whole.
  track_activity_query_size: '4kB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_lock_waits: 'on',
}

function quoted(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`
}

async function unrelatedLockHolder(folder: Folder, socketFolder: string): Promise<number | null> {
  const socketLock = await readFile(join(socketFolder, `.s.PGSQL.${SOCKET_PORT}.lock`), 'utf8').catch(() => '')
  for (const pid of [(await readPostmaster(folder))?.pid, Number(socketLock.split('\n')[0])]) {
    if (pid && isAlive(pid) && !(await isServerOf(folder, pid))) return pid
  }
  return null
}

async function commandLine(pid: number): Promise<string | null> {
  if (existsSync('/proc/self/cmdline')) {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (args) => args.replaceAll('\0', ' '),
      () => null,
    )
  }
  const { code, output } = await runProgram(asOurselves, 'ps', ['-ww', '-o', 'command=', '-p', String(pid)], 5_000)
  return code === 0 ? output : null
}

/** Keeps the same port across starts where possible, so that connection strings of other tools stay valid. */
async function keptPort(folder: Folder): Promise<number> {
  const kept = Number(await readFile(folder.port, 'utf8').catch(() => '0'))
  const port = (kept && (await freePort(kept))) || (await freePort(0))
  if (!port) throw new Error('There is no free TCP port for the database on 127.0.0.1.')
  await writeFile(folder.port, String(port))
  return port
}

function freePort(wanted: number): Promise<number | null> {
  const server = createServer()
  return new Promise((resolve) => {
    server.on('error', () => resolve(null))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : null))
    })
  })
}

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
/** What the running database's own lock file says about it. */
export type Postmaster = { pid: number; address: Address; ready: boolean }

export const POLL_MS = 5
const STOP_TIMEOUT_MS = 60_000
const LARGEST_LOG_BYTES = 8 * 1024 * 1024
const NEVER_OFF = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }
const ALL_OFF = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
const RUNNING = 0
const FAILED = 1
const LOCKED = 99
// Another start was faster, or what a killed database left behind is still ending: worth another look.
const TRANSIENT = /lock file "[^"]{0,500}" already exists|pre-existing shared memory block|Is another postmaster already running/

/** Throws when settings would trade what was confirmed for speed. */
export function checkSettings(settings: Settings) {
  for (const name of Object.keys(NEVER_OFF)) {
    if (name in settings) throw new Error(`The setting ${name} is on, always: a sale that was confirmed must survive a power cut.`)
  }
}

/**
 * Launches the database and waits until it takes connections. False: someone else is launching it, or its predecessor
 * is still ending, so look again. It has a session of its own, so that Ctrl-C in a terminal reaches the app alone.
 */
export async function launchServer(options: {
  folder: Folder
  programs: Programs
  settings: Settings
  durable: boolean
  deadline: number
}): Promise<boolean> {
  const { folder, programs } = options
  const logStart = await stat(folder.log).then(
    ({ size }) => size,
    () => 0,
  )
  const chosen = { postgres: programs.postgres, configFolder: folder.cluster, chownFolder: folder.cluster }
  const exit = isWindows ? await launchOnWindows(options) : await launchOnUnix(await findWayToRun(chosen), options)
  if (exit === RUNNING) return true
  const said = await logTail(folder, logStart)
  if (exit === LOCKED || TRANSIENT.test(said)) return false
  throw new Error(`The database in ${folder.cluster} did not start. Its log ${folder.log} says:\n${said}`)
}

/** Ends the database: no new connections, open transactions are rolled back, everything confirmed is on disk. */
export async function stopServer(folder: Folder, programs: Programs, { pid }: Postmaster) {
  if (isWindows) {
    await runProgram(asOurselves, programs.pg_ctl, ['stop', '-D', folder.cluster, '-m', 'fast', '-w', '-t', '60'], STOP_TIMEOUT_MS + 5_000)
  } else {
    process.kill(pid, 'SIGINT')
  }
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while ((await readPostmaster(folder))?.pid === pid) {
    if (Date.now() > deadline) {
      throw new Error(`The database process ${pid} in ${folder.cluster} is still stopping. Its log says:\n${await logTail(folder)}`)
    }
    await sleep(POLL_MS)
  }
}

/** Reads postmaster.pid, which PostgreSQL writes at its start and removes at its end; null: there is none. */
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
 * True when process `pid` is the database of this folder, as opposed to one that got the number of a dead one, or a
 * dead one that nobody has collected. When that cannot be known, it is taken for the database.
 */
export async function isServerOf(folder: Folder, pid: number): Promise<boolean> {
  // On Windows, PostgreSQL asks a pipe that only a database process has, and needs no help from us.
  if (isWindows || !isAlive(pid)) return false
  const args = await commandLine(pid)
  return args === null || (args.includes('postgres') && args.includes(folder.cluster))
}

/** The last lines of the database's log, from `start` on. */
export async function logTail(folder: Folder, start = 0): Promise<string> {
  const text = await readFile(folder.log).catch(() => Buffer.alloc(0))
  return (
    text
      .subarray(Math.max(start, text.length - 3_000))
      .toString('utf8')
      .trim() || '(nothing)'
  )
}

/** Keeps the log and one older one below a bound; the database appends, so its file can be emptied under it. */
export async function trimLog(folder: Folder) {
  const size = await stat(folder.log).then(
    (log) => log.size,
    () => 0,
  )
  if (size < LARGEST_LOG_BYTES) return
  await copyFile(folder.log, `${folder.log}.1`)
  await truncate(folder.log)
}

async function launchOnUnix(
  way: RunAs,
  { folder, programs, settings, durable, deadline }: Parameters<typeof launchServer>[0],
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
  // PostgreSQL takes this process for its own starter rather than for another server, and keeps all its other checks.
  if (unrelated) env.PG_GRANDPARENT_PID = String(unrelated)

  const log = await open(folder.log, 'a', 0o600)
  await givePath(folder.log, way.owner)
  try {
    const child = spawn(file, allArgs, { ...identity, cwd, env, detached: true, stdio: ['ignore', log.fd, log.fd] })
    child.unref()
    let exit: number | null = null
    child.on('exit', (code) => (exit = code || FAILED))
    child.on('error', () => (exit = FAILED))
    return await untilReady(folder, () => exit, child.pid, deadline)
  } finally {
    await log.close()
  }
}

/**
 * PostgreSQL knows by process number that a folder is open, which says nothing about another container that has it
 * too. A lock of the kernel's on the folder does, and is gone with the last process of the database.
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

async function launchOnWindows({ folder, programs, settings, durable }: Parameters<typeof launchServer>[0]) {
  const port = await keptPort(folder)
  const args = serverArgs({ ...settings, listen_addresses: '127.0.0.1', port }, durable)
  const command = ['start', '-D', folder.cluster, '-l', folder.log, '-w', '-t', '60', '-o', args.join(' ')]
  return (await runProgram(asOurselves, programs.pg_ctl, command, 65_000)).code ?? FAILED
}

function serverArgs(settings: Settings, durable: boolean): string[] {
  return Object.entries({ ...DEFAULTS, ...settings, ...(durable ? NEVER_OFF : ALL_OFF) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
}

// For a small server with two cores. Parallel queries would trade the latency of every sale for that of one report,
// and want more shared memory than a container has by default.
const DEFAULTS: Settings = {
  max_connections: 100,
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  idle_in_transaction_session_timeout: '60s',
  // A statement whose app was killed ends with it, so that the next one does not wait for its locks.
  ...(isWindows ? {} : { client_connection_check_interval: '1s' }),
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

/** The same port at every start where possible, so that tools outside keep their connection string. */
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

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Owner } from '../../server/platform/embedded-postgres-account.ts'

export type Service = {
  name: string
  file: string
  args: string[]
  env?: Record<string, string>
  /** The account that it runs as, when we are root. */
  as: Owner | null
}

/** The programs of one machine, each started again when it ends, as systemd does, until the machine itself dies. */
export type RunningMachine = {
  isUp(): boolean
  start(services: readonly Service[]): void
  /** Ends every process at once and for good, as a power failure does. */
  kill(): Promise<void>
  /** Stops every process where it is, as a machine that hangs. Returns how to wake them. */
  freeze(): () => void
  /** All of its processes, the database's included, whose parent is not us. */
  listProcesses(): number[]
  /** Sends one program SIGTERM, or SIGKILL when it takes longer than `withinMs`, and does not start it again. */
  end(name: string, withinMs: number): Promise<void>
}

const RESTART_AFTER_MS = 1_000

/** `folder` keeps its logs and `postgres`, its database; `onStart` sees each process that is started. */
export function runMachine(folder: string, onStart: (child: ChildProcess) => void = () => undefined): RunningMachine {
  const running = new Map<string, ChildProcess>()
  let wanted = new Set<string>()
  /** A machine that died and came back does not restart what its former life began. */
  let life = 0

  function launch(service: Service, born: number) {
    if (born !== life || !wanted.has(service.name)) return
    const log = openSync(join(folder, `${service.name}.log`), 'a', 0o600)
    const child = spawn(service.file, service.args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...service.env },
      ...service.as,
      // Ctrl-C in the terminal reaches only us, who end them in order.
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    running.set(service.name, child)
    onStart(child)
    child.once('error', () => undefined)
    child.once('exit', () => {
      if (running.get(service.name) === child) running.delete(service.name)
      setTimeout(() => launch(service, born), RESTART_AFTER_MS).unref()
    })
  }

  function listProcesses(): number[] {
    // The database is no child of Patroni, so that it survives a restart of it.
    const database = readPostmaster(join(folder, 'postgres'))
    const roots = [...(database === null ? [] : [database]), ...[...running.values()].flatMap(({ pid }) => pid ?? [])]
    return [...new Set(roots.flatMap((pid) => [pid, ...descendantsOf(pid)]))]
  }

  return {
    isUp: () => wanted.size > 0,
    start(services) {
      for (const { name } of services) wanted.add(name)
      for (const service of services) launch(service, life)
    },
    listProcesses,
    async kill() {
      life += 1
      wanted = new Set()
      // Once more, for what was being started.
      for (let pids = listProcesses(); pids.length > 0; pids = listProcesses()) {
        for (const pid of pids) send(pid, 'SIGKILL')
        await wait(5)
      }
    },
    freeze() {
      const pids = listProcesses()
      for (const pid of pids) send(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) send(pid, 'SIGCONT')
      }
    },
    async end(name, withinMs) {
      wanted.delete(name)
      const child = running.get(name)
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      const over = new AbortController()
      await Promise.race([ended, wait(withinMs, undefined, { signal: over.signal }).catch(() => undefined)])
      over.abort()
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

/** The process id of the database that runs in this folder; null while there is none. */
function readPostmaster(dataFolder: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
    // The file outlives a killed database, and its number may belong to another process by now.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataFolder) && !isZombie(pid) ? pid : null
  } catch {
    return null
  }
}

/** The processes that a process has started, and those that they have, and so on. */
function descendantsOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    return children.flatMap((child) => [child, ...descendantsOf(child)])
  } catch {
    return []
  }
}

function isZombie(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/\(.*\)/, ''))
}

function send(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Program, runProgram } from '../test/process/run-program.ts'

/** This run's folders, by their parent. */
const folders = new Map<string, string>()
const children = new Set<ChildProcess>()
/** What one experiment has started and created, so that it can be removed without the others'. */
export type Belongings = { children: Set<ChildProcess>; folders: Set<string> }
const owner = new AsyncLocalStorage<Belongings>()

/** Runs `work`; the processes that it starts and the folders that it makes are noted in `belongings`. */
export function noteBelongingsIn<T>(belongings: Belongings, work: () => T): T {
  return owner.run(belongings, work)
}

/** A folder in memory, if there is one, for experiments that are not about disks. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A new folder, removed at the end of the run, however it ends. */
export function makeFolder(name: string, { inMemory = false } = {}): string {
  const place = inMemory ? MEMORY : tmpdir()
  const folder = folders.get(place) ?? mkdtempSync(join(place, 'dwadi-resilience-'))
  folders.set(place, folder)
  const made = mkdtempSync(join(folder, `${name}-`))
  // The database runs as another user than root and must be able to read it.
  for (const path of [folder, made]) chmodSync(path, 0o711)
  owner.getStore()?.folders.add(made)
  return made
}

/** Ends a process of ours with the run. */
export function watchProcess<T extends ChildProcess>(child: T): T {
  const own = owner.getStore()?.children
  for (const set of [children, own]) set?.add(child)
  child.once('exit', () => {
    for (const set of [children, own]) set?.delete(child)
  })
  return child
}

/** Starts one of the shop's programs, which ends with the run. */
export function startProgram(...given: Parameters<typeof runProgram>): Program {
  const program = runProgram(...given)
  watchProcess(program.process)
  return program
}

/** The processes of this run: its own, the programs that it started, and the databases in its folder. */
export function listProcesses(): number[] {
  const databases = findDatabases()
  return [process.pid, ...[...children].flatMap(({ pid }) => pid ?? []), ...databases, ...databases.flatMap(childrenOf)]
}

// A run that is interrupted leaves nothing behind: no process, mounted disk or folder.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    removeEverything()
    // Vitest does not let its workers exit by themselves.
    process.kill(process.pid, 'SIGKILL')
  })
}
process.on('exit', removeEverything)

/** A process that ends cannot wait for promises, so this is synchronous. */
export function removeEverything() {
  const databases = beginToEnd(children, listPlaces())
  const deadline = Date.now() + DATABASES_END_WITHIN_MS
  while (databases.some(isAlive) && Date.now() < deadline) pause(20)
  finishEnding(databases, [...folders.values()])
}

/** Ends the processes and databases of one experiment and removes its folders, while the others go on. */
export async function removeBelongings(belongings: Belongings) {
  const databases = beginToEnd(belongings.children, [...belongings.folders])
  const deadline = Date.now() + DATABASES_END_WITHIN_MS
  while (databases.some(isAlive) && Date.now() < deadline) await wait(20)
  finishEnding(databases, [...belongings.folders])
}

const DATABASES_END_WITHIN_MS = 5_000

function beginToEnd(programs: Iterable<ChildProcess>, places: string[]): number[] {
  for (const { pid } of programs) if (pid !== undefined) end(pid, 'SIGKILL')
  const databases = findDatabasesIn(places)
  for (const pid of databases) {
    for (const child of childrenOf(pid)) end(child, 'SIGCONT')
    end(pid, 'SIGCONT')
    // Ends at once and releases its shared memory.
    end(pid, 'SIGQUIT')
  }
  return databases
}

function finishEnding(databases: number[], places: string[]) {
  for (const pid of databases.filter(isAlive)) end(pid, 'SIGKILL')
  for (const mount of listMounts(places)) {
    try {
      execFileSync('umount', ['-l', mount], { stdio: 'ignore' })
    } catch {
      // It was gone already.
    }
  }
  for (const place of places) rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** Ends all processes of the database in this folder at once, as a power failure does; `processes` are those of it, where its folder can't be read any more. */
export function endDatabaseOf(dataDir: string, processes = listDatabaseOf(dataDir)) {
  for (const pid of processes) end(pid, 'SIGKILL')
}

/** All processes of the database in this folder, the main one first. */
export function listDatabaseOf(dataDir: string): number[] {
  const pid = findDatabaseOf(dataDir)
  if (pid === null || !isOurs(pid)) throw new Error(`there is no database of this run in ${dataDir}`)
  return [pid, ...childrenOf(pid)]
}

/** The process id of the database in this folder; null while there is none. */
function findDatabaseOf(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

/** The databases in this run's folders, from their pid files. */
function findDatabases(): number[] {
  return findDatabasesIn(listPlaces())
}

/** Each folder that this run has made. */
function listPlaces(): string[] {
  return [...folders.values()].flatMap(listFolders)
}

function findDatabasesIn(places: string[]): number[] {
  return places
    .flatMap((place) => [place, ...listFolders(place)])
    .flatMap((place) => {
      const pid = findDatabaseOf(place)
      return pid !== null && isOurs(pid) ? [pid] : []
    })
}

function listFolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [join(path, entry.name)] : []))
  } catch {
    return []
  }
}

/** A pid file may be left over and its number belong to another process by now. */
function isOurs(pid: number): boolean {
  if (process.platform !== 'linux') return isAlive(pid)
  try {
    const started = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return [...folders.values()].some((folder) => started.includes(folder))
  } catch {
    return false
  }
}

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function listMounts(places: string[]): string[] {
  if (process.platform !== 'linux') return []
  const points = readFileSync('/proc/mounts', 'utf8').split('\n')
  return points
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((point) => places.some((folder) => point === folder || point.startsWith(`${folder}/`)))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function end(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It was gone already.
  }
}

function pause(ms: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

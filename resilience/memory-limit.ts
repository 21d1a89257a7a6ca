import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const V1 = '/sys/fs/cgroup/memory'
const V2 = '/sys/fs/cgroup'
const MB = 1_000_000

/** A group of processes that together get so much memory and no swap, as on a machine of that size. */
export type MemoryLimit = {
  /** This process, and what it starts from now on. */
  add(pid: number): void
  /** What they hold now that can't be taken from them: their own memory and what they share, without files that are only cached. */
  heldMb(): number
  /** How often the kernel has ended one of them because there was no more. */
  kills(): number
  /** From now on they get so many megabytes. */
  set(megabytes: number): void
  remove(): void
}

/** @throws Error where this machine does not let us. */
export function limitMemory(megabytes: number): MemoryLimit {
  const isV2 = existsSync(join(V2, 'cgroup.controllers'))
  const folder = join(isV2 ? V2 : V1, `dwadi-resilience-${process.pid}-${crypto.randomUUID().slice(0, 8)}`)
  const write = (file: string, value: string) => writeFileSync(join(folder, file), value)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const figure = (file: string, name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(read(file))?.[1] ?? 0)
  mkdirSync(folder)
  const remove = () => {
    try {
      rmdirSync(folder)
    } catch {
      // Gone, or somebody in it still ends.
    }
  }
  process.once('exit', remove)
  const set = (to: number) => {
    const bytes = String(to * MB)
    if (isV2) {
      write('memory.max', bytes)
      write('memory.swap.max', '0')
      return
    }
    // The older kind counts memory with swap, which may never be less than memory alone; without swap it has no such file.
    const withSwap = existsSync(join(folder, 'memory.memsw.limit_in_bytes'))
    if (withSwap) write('memory.memsw.limit_in_bytes', '-1')
    write('memory.limit_in_bytes', bytes)
    if (withSwap) write('memory.memsw.limit_in_bytes', bytes)
  }
  try {
    set(megabytes)
  } catch (error) {
    remove()
    throw error
  }
  return {
    set,
    add: (pid) => write('cgroup.procs', String(pid)),
    heldMb: () => {
      const names = isV2 ? ['anon', 'shmem'] : ['total_rss', 'total_shmem']
      return names.reduce((sum, name) => sum + figure('memory.stat', name), 0) / MB
    },
    kills: () => (isV2 ? figure('memory.events', 'oom_kill') : figure('memory.oom_control', 'oom_kill')),
    remove,
  }
}

/** Why no memory can be limited here; null where it can. */
export function whyNoMemoryLimit(): string | null {
  if (process.platform !== 'linux') return 'memory is limited by cgroups, which Linux alone has'
  try {
    limitMemory(100).remove()
    return null
  } catch (error) {
    return `no memory can be limited here: ${(error as Error).message}`
  }
}

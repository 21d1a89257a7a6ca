import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { slowness } from '../slowness.ts'
import { waitingFor } from '../waits.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** A compile cache that all started programs share. */
const COMPILED = resolve(ROOT, 'node_modules/.cache/dwadi/compiled')

export type Program = {
  process: ChildProcess
  /** All that it printed so far, on both channels. */
  output(): string
  /**
   * Resolves with what `pattern` matched in the output; throws when the program ends without it, or takes longer than
   * `withinMs`, which a busy machine stretches.
   */
  prints(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>
  /** Resolves when the program has ended, with its exit code; null when a signal ended it. */
  ended(): Promise<number | null>
}

/** A test that fails early may leave its program behind; it ends with the tests. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill()
})

/** Starts one of our programs as an operator would, with nothing of this shell's settings but where programs are. */
export function runProgram(script: string, env: Record<string, string> = {}, args: string[] = []): Program {
  const child = spawn(process.execPath, [resolve(ROOT, script), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let wakes: (() => void)[] = []
  const wake = () => {
    const waiting = wakes
    wakes = []
    for (const one of waiting) one()
  }
  const take = (text: string) => {
    output += text
    wake()
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const end = once(child, 'close').then(([code]) => code as number | null)
  let over = false
  running.add(child)
  void end.then(() => {
    over = true
    running.delete(child)
    wake()
  })

  return {
    process: child,
    output: () => output,
    ended: () => waitingFor(`${script} (process ${child.pid}) to end`, end),
    prints: (pattern, withinMs = 30_000) => waitingFor(`${script} (process ${child.pid}) to print ${pattern}`, prints(pattern, withinMs)),
  }

  async function prints(pattern: RegExp, withinMs: number): Promise<RegExpExecArray> {
    const startedAt = performance.now()
    for (;;) {
      const match = pattern.exec(output)
      if (match) return match
      const tookMs = performance.now() - startedAt
      const isLate = tookMs > withinMs && tookMs > withinMs * slowness()
      if (over || isLate) throw new Error(`${script} did not print ${pattern} in ${tookMs.toFixed(0)} ms, but:\n${output}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000)
        wakes.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
}

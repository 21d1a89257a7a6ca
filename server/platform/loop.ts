import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from './log.ts'

/** Work that repeats while the process lives. One run at a time; waking it during a run causes another. */
export type Loop = { wake(): void; stop(): Promise<void> }

type LoopOptions = { name: string; everyMs: number; apartMs?: number; work: () => Promise<void>; log: Log }

/**
 * Runs `work` every `everyMs`, and at once when woken, though not sooner than `apartMs` after the last run began: what comes
 * close together is done together. Its to-do list must be in the database, so that the next run, in any process, makes up for one that failed.
 */
export function startLoop({ name, everyMs, apartMs = 0, work, log }: LoopOptions): Loop {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let begunAt = Number.NEGATIVE_INFINITY
  let soon: NodeJS.Timeout | undefined
  // Don't carry the waking request's async context (log fields, trace) into the run.
  const asItself = AsyncLocalStorage.snapshot()

  function run() {
    if (stopped) return
    if (running) {
      again = true
      return
    }
    clearTimeout(soon)
    soon = undefined
    begunAt = performance.now()
    running = asItself(work)
      .catch((error: unknown) => log.error({ err: error, loop: name }, 'a background loop failed and will be retried'))
      .finally(() => {
        running = null
        if (!again) return
        again = false
        wake()
      })
  }

  function wake() {
    const waitMs = begunAt + apartMs - performance.now()
    if (running || waitMs <= 0) return run()
    soon ??= setTimeout(run, waitMs).unref()
  }

  const timer = setInterval(run, everyMs)
  timer.unref()
  return {
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(soon)
      await running
    },
  }
}

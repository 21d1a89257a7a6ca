import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from './log.ts'

/** Work that repeats while the process lives. One run at a time; waking it during a run causes another. */
export type Loop = { wake(): void; stop(): Promise<void> }

/**
 * Runs `work` every `everyMs`, and at once when woken. Its to-do list must be in the database, so that the next run, in any
 * process, makes up for one that failed.
 */
export function startLoop({ name, everyMs, work, log }: { name: string; everyMs: number; work: () => Promise<void>; log: Log }): Loop {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  // Don't carry the waking request's async context (log fields, trace) into the run.
  const asItself = AsyncLocalStorage.snapshot()

  function run() {
    if (stopped) return
    if (running) {
      again = true
      return
    }
    running = asItself(work)
      .catch((error: unknown) => log.error({ err: error, loop: name }, 'a background loop failed and will be retried'))
      .finally(() => {
        running = null
        if (!again) return
        again = false
        run()
      })
  }

  const timer = setInterval(run, everyMs)
  timer.unref()
  return {
    wake: run,
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}

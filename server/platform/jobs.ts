import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from './log.ts'

/** Work that is done again and again while the process lives. One run at a time; a wake-up during a run leads to another. */
export type Job = { wake(): void; stop(): Promise<void> }

/**
 * Runs `work` every `everyMs`, and at once when woken. What there is to do must stand in the database: a run that
 * fails or is cut off is made up for by the next one, on this process or another.
 */
export function startJob({ name, everyMs, work, log }: { name: string; everyMs: number; work: () => Promise<void>; log: Log }): Job {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  // Whoever wakes a job is not whom it works for: nothing of the request that did so goes along.
  const asItself = AsyncLocalStorage.snapshot()

  function run() {
    if (stopped) return
    if (running) {
      again = true
      return
    }
    running = asItself(work)
      .catch((error: unknown) => log.error({ err: error, job: name }, 'a job failed and will be tried again'))
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

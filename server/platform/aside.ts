import { Worker } from 'node:worker_threads'
import { type Ctx, requireActor } from './context.ts'
import { AppError } from './errors.ts'
import { laneOf, openFairTurns } from './fair-turns.ts'
import { shareOf } from './shares.ts'

/** Nobody's list takes half of this on a slow machine. */
const WITHIN_MS = 15_000
/** What a task may need; the shop's own memory is apart. */
const MOST_MB = { long: 256, short: 96 }
/** A text of so many signs is read in a tenth of a second, whatever it says. */
const SHORT_SIGNS = 16_000

type Task = {
  module: string
  name: string
  input: unknown
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  withinMs: number
}
export type Answer = { result: unknown } | { error: unknown }

const MOST_WAITING = 200
/** Short texts have a thread of their own, so that nobody's few lines wait for long lists. */
const THREADS = { long: openThread(MOST_MB.long), short: openThread(MOST_MB.short) }

/** Whose work it is. `gone`: whoever asked has left, and work that has not begun is dropped. */
export type Asker = { account: string; gone?: AbortSignal | undefined }

/** The actor of a request. */
export function askerOf(ctx: Pick<Ctx, 'actor' | 'gone'>): Asker {
  return { account: requireActor(ctx).id, gone: ctx.gone?.() }
}

/**
 * Calls an exported function without effects on a thread of its own, so that reading what a client wrote never keeps others waiting. One
 * call runs at a time, and those behind it wait for their account's turn. `module` is the function's file; what goes in and comes out is copied.
 * `signs`: the length of the text, where the work is in proportion to it.
 * @throws AppError (TOO_LARGE) when it takes too long or too much memory; TooManyAttempts or ServiceUnavailable when too many already wait; and
 * whatever the function throws.
 */
export async function callAside<I, R>(
  { account, gone }: Asker,
  module: URL,
  { name }: (input: I) => R,
  input: I,
  { signs = Infinity, withinMs = WITHIN_MS }: { signs?: number; withinMs?: number } = {},
): Promise<Awaited<R>> {
  const { turns, run } = THREADS[signs <= SHORT_SIGNS ? 'short' : 'long']
  const turn = await turns.take({ lane: account }, gone ? { signal: gone } : {})
  try {
    return await new Promise<Awaited<R>>((resolve, reject) =>
      run({ module: module.href, name, input, resolve: resolve as Task['resolve'], reject, withinMs }),
    )
  } finally {
    turn.end()
  }
}

/** Accounts take turns, so that what one of them sends keeps nobody else waiting for more than one piece of work. */
function openThread(mostMb: number) {
  const turns = openFairTurns({ atOnce: 1, inAll: MOST_WAITING, ...laneOf(shareOf('reading')) })
  return { turns, run: openRunner(mostMb) }
}

function openRunner(mostMb: number) {
  let worker: Worker | null = null

  return run

  function run(task: Task) {
    worker ??= openWorker()
    const used = worker
    const tooMuch = () => fail(new AppError('TOO_LARGE', 'That takes too long to read. Send it in smaller parts.'))
    const clock = setTimeout(tooMuch, task.withinMs)
    used.once('message', finish).once('error', onError).once('exit', onExit)
    used.postMessage({ module: task.module, name: task.name, input: task.input })

    function finish(answer: Answer) {
      end()
      if ('error' in answer) task.reject(answer.error as Error)
      else task.resolve(answer.result)
    }
    function onError(error: NodeJS.ErrnoException) {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') tooMuch()
      else fail(error)
    }
    function onExit() {
      fail(new Error('the thread aside ended'))
    }
    /** The thread cannot be interrupted: the next task gets another. */
    function fail(error: Error) {
      end()
      if (worker === used) worker = null
      void used.terminate()
      task.reject(error)
    }
    function end() {
      clearTimeout(clock)
      used.off('message', finish).off('error', onError).off('exit', onExit)
    }
  }

  function openWorker(): Worker {
    const opened = new Worker(new URL('./aside-worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMb },
    })
    opened.on('error', () => undefined)
    opened.once('exit', () => {
      if (worker === opened) worker = null
    })
    // It must not keep a process alive that has nothing else to do.
    opened.unref()
    return opened
  }
}

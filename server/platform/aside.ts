import { Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'
import { laneOf, openFairTurns, runInTurn } from './fair-turns.ts'
import { shareOf } from './shares.ts'

/** Nobody's list takes half of this on a slow machine. */
const WITHIN_MS = 15_000
/** What a task may need; the shop's own memory is apart. */
const MOST_MB = 256

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
/** Accounts take turns, so that what one of them sends keeps nobody else waiting for more than one piece of work. */
const turns = openFairTurns({ atOnce: 1, inAll: MOST_WAITING, ...laneOf(shareOf('reading')) })
let worker: Worker | null = null

/**
 * Calls an exported function without effects on a thread of its own, so that reading what a client wrote never keeps others waiting. One
 * call runs at a time, and those behind it wait for their account's turn. `module` is the function's file; what goes in and comes out is copied.
 * @throws AppError (TOO_LARGE) when it takes too long or too much memory; TooManyAttempts or ServiceUnavailable when too many already wait; and
 * whatever the function throws.
 */
export function callAside<I, R>(
  accountId: string,
  module: URL,
  { name }: (input: I) => R,
  input: I,
  withinMs = WITHIN_MS,
): Promise<Awaited<R>> {
  const work = () =>
    new Promise<Awaited<R>>((resolve, reject) =>
      run({ module: module.href, name, input, resolve: resolve as Task['resolve'], reject, withinMs }),
    )
  return runInTurn(turns, { lane: accountId }, work)
}

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
    resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
  })
  opened.on('error', () => undefined)
  opened.once('exit', () => {
    if (worker === opened) worker = null
  })
  // It must not keep a process alive that has nothing else to do.
  opened.unref()
  return opened
}

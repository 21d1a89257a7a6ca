import { Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'

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

const waiting: Task[] = []
let running: Task | null = null
let worker: Worker | null = null

/**
 * Calls an exported function without effects on a thread of its own, so that reading what a client wrote never keeps others waiting. One
 * call runs at a time; those behind it wait. `module` is the function's file; what goes in and comes out is copied.
 * @throws AppError (TOO_LARGE) when it takes too long or too much memory, and whatever the function throws.
 */
export function callAside<I, R>(module: URL, { name }: (input: I) => R, input: I, withinMs = WITHIN_MS): Promise<Awaited<R>> {
  return new Promise((resolve, reject) => {
    waiting.push({ module: module.href, name, input, resolve: resolve as Task['resolve'], reject, withinMs })
    runNext()
  })
}

function runNext() {
  const task = running === null ? waiting.shift() : undefined
  if (!task) return
  running = task
  worker ??= openWorker()
  const used = worker
  const tooMuch = () => fail(new AppError('TOO_LARGE', 'That takes too long to read. Send it in smaller parts.'))
  const clock = setTimeout(tooMuch, task.withinMs)
  used.once('message', finish).once('error', onError).once('exit', onExit)
  used.postMessage({ module: task.module, name: task.name, input: task.input })

  function finish(answer: Answer) {
    end()
    if ('error' in answer) task?.reject(answer.error as Error)
    else task?.resolve(answer.result)
    runNext()
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
    task?.reject(error)
    runNext()
  }
  function end() {
    clearTimeout(clock)
    used.off('message', finish).off('error', onError).off('exit', onExit)
    running = null
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

import { parentPort } from 'node:worker_threads'
import type { Answer } from './aside.ts'

/** The thread of `callAside`: functions without effects, one call after the other. */
parentPort?.on('message', async ({ module, name, input }: { module: string; name: string; input: unknown }) => {
  parentPort?.postMessage(await answer(module, name, input))
})

async function answer(module: string, name: string, input: unknown): Promise<Answer> {
  try {
    const functions = (await import(module)) as Record<string, (given: unknown) => unknown>
    return { result: await functions[name]?.(input) }
  } catch (error) {
    return { error }
  }
}

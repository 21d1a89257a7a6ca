import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'

export type Warn = { warn(details: object, message: string): void }

export type KeptFile<T> = {
  /** The last saved state; null if there is none. */
  read(): Promise<T | null>
  /** Resolves once the current state, or a newer one, is safely on disk. */
  save(): Promise<void>
}

/** Stores a simulator's state in one JSON file, replaced atomically. */
export function keepFile<T>(path: string, schema: z.ZodType<T>, state: () => T, log: Warn): KeptFile<T> {
  let writing: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  return {
    read: () => readState(path, schema, log),
    // Saves requested during a write share the next one.
    save() {
      waiting ??= writing
        .catch(() => {})
        .then(() => {
          writing = waiting as Promise<void>
          waiting = null
          return replaceFile(path, JSON.stringify(state()))
        })
      return waiting
    },
  }
}

async function readState<T>(path: string, schema: z.ZodType<T>, log: Warn): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const state = schema.safeParse(parseJson(text))
  if (state.success) return state.data
  const aside = `${path}.unreadable-${Date.now()}`
  await rename(path, aside)
  log.warn({ path, aside }, 'a file of the sandbox could not be read; it was put aside and the sandbox starts without it')
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function replaceFile(path: string, text: string) {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(4).toString('hex')}.draft`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

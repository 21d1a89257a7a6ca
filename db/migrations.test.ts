import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, 'migrations')
const files = readdirSync(FOLDER).sort()
const locked = readFileSync(join(import.meta.dirname, 'migrations.lock'), 'utf8')
  .trim()
  .split('\n')
  .filter(Boolean)
  .map((line) => line.split('  ') as [string, string])

describe('migrations', () => {
  test('are named by a number of their own, so that two that were written at once are seen', () => {
    const numbers = files.map((file) => /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1])
    expect(new Set(numbers).size).toBe(files.length)
    expect(numbers).not.toContain(undefined)
  })

  test('that were released come first, all of them, in the order of the lock', () => {
    expect(files.slice(0, locked.length)).toEqual(locked.map(([, file]) => file))
  })

  test.each(locked.map(([hash, file]) => ({ hash, file })))('that were released never change: $file', ({ hash, file }) => {
    const text = readFileSync(join(FOLDER, file))
    const message = `${file} runs in shops: take the change back and write a new migration (docs/going-live.md, "Upgrade")`
    expect(createHash('sha256').update(text).digest('hex'), message).toBe(hash)
  })
})

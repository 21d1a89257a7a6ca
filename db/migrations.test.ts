import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, 'migrations')
const list = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file !== 'prepare')
    .sort()
const files = list(FOLDER)
const preparations = list(join(FOLDER, 'prepare'))
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
    const released = locked.map(([, file]) => file).filter((file) => !file.startsWith('prepare/'))
    expect(files.slice(0, released.length)).toEqual(released)
  })

  test('have a preparation under their own name, and once they were released none comes to them', () => {
    expect(files).toEqual(expect.arrayContaining(preparations))
    const released = new Set(locked.map(([, file]) => file))
    expect(preparations.filter((file) => released.has(file) && !released.has(`prepare/${file}`))).toEqual([])
  })

  test.each(locked.map(([hash, file]) => ({ hash, file })))('that were released never change: $file', ({ hash, file }) => {
    const text = readFileSync(join(FOLDER, file))
    const message = `${file} runs in shops: take the change back and write a new migration (docs/going-live.md, "Upgrade")`
    expect(createHash('sha256').update(text).digest('hex'), message).toBe(hash)
  })
})

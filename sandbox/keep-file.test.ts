import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { keepFile } from './keep-file.ts'

const schema = z.object({ count: z.number() })
const log = { warn() {} }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwadi-keep-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a kept file', () => {
  test('returns what was saved last, to another process too', async () => {
    const path = join(folder, 'deep', 'state.json')
    const state = { count: 0 }
    const file = keepFile(path, schema, () => state, log)
    expect(await file.read()).toBeNull()
    state.count = 1
    await file.save()
    state.count = 2
    await file.save()
    expect(await keepFile(path, schema, () => state, log).read()).toEqual({ count: 2 })
  })

  test('has the newest state once a later save resolves', async () => {
    const path = join(folder, 'state.json')
    const state = { count: 0 }
    const file = keepFile(path, schema, () => state, log)
    const saves = Array.from({ length: 50 }, async () => {
      state.count += 1
      const asked = state.count
      await file.save()
      expect(JSON.parse(await readFile(path, 'utf8')).count).toBeGreaterThanOrEqual(asked)
    })
    await Promise.all(saves)
    expect(await readdir(folder)).toEqual(['state.json'])
  })

  test.each(['{"count":', '{"count":"many"}', ''])('containing %j is put aside, neither trusted nor lost', async (text) => {
    const path = join(folder, 'state.json')
    await writeFile(path, text)
    const warnings: object[] = []
    const file = keepFile(path, schema, () => ({ count: 7 }), { warn: (details) => void warnings.push(details) })
    expect(await file.read()).toBeNull()
    expect(warnings).toHaveLength(1)
    const [aside] = await readdir(folder)
    expect(await readFile(join(folder, aside!), 'utf8')).toBe(text)
    await file.save()
    expect(await file.read()).toEqual({ count: 7 })
  })

  test('reports a failed write, and can be written again later', async () => {
    const path = join(folder, 'state.json')
    let broken = true
    const file = keepFile(
      path,
      schema,
      () => {
        if (broken) throw new Error('no state to be had')
        return { count: 3 }
      },
      log,
    )
    await expect(file.save()).rejects.toThrow('no state to be had')
    broken = false
    await file.save()
    expect(await file.read()).toEqual({ count: 3 })
  })
})

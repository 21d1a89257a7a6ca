import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { LIVE_SETTINGS } from '../live-settings.ts'
import { makeFolder } from '../make-folder.ts'
import { runProgram } from './run-program.ts'

/** What the command says beyond which shop it is, and its exit code. */
async function check(env: Record<string, string>) {
  const program = runProgram('tools/check-settings.ts', { ...LIVE_SETTINGS, ...env })
  const code = await program.ended()
  return { code, said: program.output() }
}

test('a password that the first start would refuse is refused beforehand, and afterwards only named', async () => {
  const folder = await makeFolder()
  const env = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: 'password123' }
  expect(await check(env)).toEqual({ code: 1, said: expect.stringContaining('\n  ADMIN_PASSWORD: is too easy to guess.') })
  expect(await check({ ...env, ADMIN_PASSWORD: 'Blue-harbour-71-otter' })).toMatchObject({ code: 0 })
  expect(await readdir(folder)).toEqual([])
  await mkdir(join(folder, 'data/postgres'), { recursive: true })
  await writeFile(join(folder, 'data/postgres/PG_VERSION'), '18\n')
  expect(await check(env)).toEqual({ code: 0, said: expect.stringMatching(/ADMIN_PASSWORD is too easy[\s\S]*The settings are right\.\n$/) })
})

test('a database in the folder of a version, which the next one does not have, is refused', async () => {
  const root = resolve(import.meta.dirname, '../..')
  expect(await check({ DATA_DIR: join(root, 'live-data') })).toEqual({
    code: 1,
    said: expect.stringContaining("/live-data is in the program's own folder, which an upgrade leaves behind."),
  })
})

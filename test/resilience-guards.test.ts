import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EXPERIMENTS } from '../resilience/experiments.ts'
import { GUARDS } from '../resilience/guards/all.ts'
import { nameOf } from '../resilience/guards/guard.ts'

/** What no guard is taken out for, and why. */
const WITHOUT: Record<string, string> = {
  I13: 'not run: the shop has no such thing yet',
  I16: 'not run: the shop has no such thing yet',
}

test('every experiment has been seen to fail without the guard that it stands for', () => {
  const guarded = new Set(GUARDS.map(({ experiment }) => experiment))
  const without = EXPERIMENTS.map(({ id }) => id).filter((id) => !guarded.has(id))
  expect(without.sort()).toEqual(Object.keys(WITHOUT).sort())
})

test('every guard is of an experiment that there is', () => {
  const ids = new Set(EXPERIMENTS.map(({ id }) => id))
  expect(GUARDS.filter(({ experiment }) => !ids.has(experiment))).toEqual([])
})

test('every export that a guard replaces is there', async () => {
  const missing: string[] = []
  for (const { experiment, replaced = [] } of GUARDS) {
    for (const { module, exports } of replaced) {
      const found = await listExports(module)
      for (const name of Object.keys(exports)) if (!found.includes(name)) missing.push(`${experiment}: ${module} exports no ${name}`)
    }
  }
  expect(missing).toEqual([])
})

/** Paths are from the folder of the guards. A module of the web app is only read, since Node cannot load each of them. */
async function listExports(module: string): Promise<string[]> {
  const path = module.startsWith('.') ? join(import.meta.dirname, '../resilience/guards', module) : module
  if (!module.startsWith('../../web/')) return Object.keys(await import(path))
  const found = readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:const |function |(default))(\w*)/gm)
  return [...found].map(([, isDefault, name]) => isDefault ?? (name as string))
}

test('a guard has a name of its own', () => {
  expect(new Set(GUARDS.map(nameOf)).size).toBe(GUARDS.length)
})

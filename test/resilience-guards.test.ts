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
      // Their paths are from the folder of the guards.
      const found = await import(module.startsWith('.') ? join(import.meta.dirname, '../resilience/guards', module) : module)
      for (const name of Object.keys(exports)) if (!(name in found)) missing.push(`${experiment}: ${module} exports no ${name}`)
    }
  }
  expect(missing).toEqual([])
})

test('a guard has a name of its own', () => {
  expect(new Set(GUARDS.map(nameOf)).size).toBe(GUARDS.length)
})

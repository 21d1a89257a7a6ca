import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Experiment, runExperiment, type Trial } from '../resilience/experiment.ts'
import { setTrap } from '../resilience/failpoints.ts'
import { makeFolder, startProgram } from '../resilience/leftovers.ts'
import { until } from './until.ts'

const NEVER = Number.POSITIVE_INFINITY

test('an experiment that hangs is given up: what it waited for is named, what it started is ended, and others go on', async () => {
  const startedByHung = await trialThat(async (trial, started) => {
    await started()
    await until(() => false, NEVER, 'the moon to come down')
    trial.wrong('it came down')
  })
  let isOver = false
  const startedByOther = await trialThat(async (trial, started) => {
    await started()
    await until(() => isOver, NEVER, 'the sun to go up')
    trial.did()
  })
  const other = runExperiment(startedByOther.experiment, options(60_000))
  await startedByOther.isUp
  const hung = await runExperiment(startedByHung.experiment, options(1_000))

  expect(hung).toMatchObject({ gaveUp: true, runs: 0, violations: [expect.stringMatching(/did not end .*the moon to come down \(\d/)] })
  expect(hung.violations[0]).not.toContain('the sun')
  await until(() => startedByHung.signalCode() === 'SIGKILL', 10_000, 'its program to be killed')
  expect([existsSync(startedByHung.folder()), existsSync(startedByOther.folder())]).toEqual([false, true])
  expect(startedByOther.signalCode()).toBeNull()
  isOver = true
  expect(await other).toMatchObject({ gaveUp: false, runs: 1, violations: [] })
})

test('an experiment that ends in time keeps what it found', async () => {
  const experiment: Experiment = {
    ...PLAIN,
    async go(trial) {
      trial.within('something', 10, 20)
      trial.within('something slow', 1_000_000_000, 20)
      trial.did(3)
    },
  }
  const { gaveUp, runs, violations } = await runExperiment(experiment, options(60_000))
  expect([gaveUp, runs, violations]).toEqual([false, 3, [expect.stringMatching(/^something slow took 1000000000 ms, not 20/)]])
})

test('a trap cuts one statement alone, and starts one shop for the one that it killed', async () => {
  const killed: number[] = []
  let started = 0
  const makeShop = (number: number) => {
    let end = () => {}
    const ended = new Promise<number | null>((resolve) => {
      end = () => resolve(null)
    })
    const kill = () => {
      killed.push(number)
      end()
    }
    return { address: '', program: { process: { kill }, ended: () => ended } }
  }
  const shops = { all: [makeShop(0)] }
  const proxy = { decide: (_sql: string, _before: readonly string[]): string => 'pass', onCut: () => {} }
  const world = {
    shops,
    proxy,
    services: {},
    shop: () => shops.all[0],
    async start() {
      started += 1
      shops.all.push(makeShop(started))
    },
  } as unknown as Parameters<typeof setTrap>[0]
  const trap = setTrap(world, { at: 'after', statement: /commit/ })

  expect(['commit', 'commit', 'select'].map((sql) => proxy.decide(sql, []))).toEqual(['cut-after', 'pass', 'pass'])
  await trap.startAgain()
  expect([trap.wasReached(), started]).toEqual([false, 0])
  proxy.onCut()
  await trap.startAgain()
  proxy.onCut()
  await trap.startAgain()
  expect([trap.wasReached(), killed, started]).toEqual([true, [0], 1])
})

const PLAIN: Omit<Experiment, 'go'> = { id: 'X1', expects: 'nothing', runs: { fast: 1, full: 1 } }

function options(deadlineMs: number) {
  const shops = () => Promise.reject(new Error('no shops here'))
  return { tier: 'fast' as const, seed: 1, shops, progress: () => {}, deadlineMs }
}

/** An experiment with a folder and a program of its own, which `isUp` once the program runs. */
async function trialThat(go: (trial: Trial, started: () => Promise<void>) => Promise<void>) {
  let folder = ''
  let program: ReturnType<typeof startProgram> | undefined
  let up = () => {}
  const isUp = new Promise<void>((resolve) => {
    up = resolve
  })
  const experiment: Experiment = {
    ...PLAIN,
    go: (trial) =>
      go(trial, async () => {
        folder = makeFolder('hung')
        const script = join(folder, 'sleeper.mjs')
        await writeFile(script, 'console.log("asleep"); setInterval(() => {}, 1000)')
        program = startProgram(script)
        await program.prints(/asleep/)
        up()
      }),
  }
  return { experiment, isUp, folder: () => folder, signalCode: () => program?.process.signalCode }
}

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openCpuMeter } from './cpu-time.ts'
import { type Experiment, type Result, runExperiment } from './experiment.ts'
import { EXPERIMENTS } from './experiments.ts'
import { GUARDS } from './guards/all.ts'
import { nameOf, withoutIt } from './guards/guard.ts'
import { type Belongings, noteBelongingsIn, removeBelongings, removeEverything } from './leftovers.ts'
import { readCommit, updatePage } from './page.ts'
import { choose } from './run-options.ts'
import { openShops, type Shops, type ShopsOptions } from './shops.ts'

const asked = inject('resilience')
const { tier } = asked
const seed = asked.seed ?? (crypto.getRandomValues(new Uint32Array(1))[0] as number)
const chosen = choose(EXPERIMENTS, ({ id, expects }) => `${id} ${expects}`, asked)
const from = readCommit()
const cpu = openCpuMeter()
const unguarded = GUARDS.find((guard) => nameOf(guard) === process.env.WITHOUT)
/** Here `without.ts` leaves a guard out by itself; databases and processes that are opened must be told. */
const opening: ShopsOptions = unguarded ? withoutIt(unguarded) : {}
console.log(`${chosen.length} experiments: ${tier} tier, seed ${seed}, commit ${from}`)

let opened: Promise<Shops> | undefined
/** What the shared shops have started. */
let sharedBelongings: Belongings
const shops = () => {
  if (!opened) {
    sharedBelongings = { children: new Set(), folders: new Set() }
    opened = noteBelongingsIn(sharedBelongings, () => openShops(opening))
  }
  return opened
}

beforeAll(async () => {
  // What has to be built, such as the web app, is built before any shop is open.
  for (const { unavailable } of chosen) await unavailable?.(tier)
})

afterAll(async () => {
  cpu.stop()
  await (await opened)?.close()
  removeEverything()
})

// Neighbours that are concurrent run at once, so those follow all others.
const inOrder = [...chosen.filter(({ beside }) => !beside), ...chosen.filter(({ beside }) => beside)]
for (const experiment of inOrder) {
  test(`${experiment.id} ${experiment.expects}`, { concurrent: experiment.beside ?? false }, async (context) => {
    // Processor time of one of several at once is unknown.
    const result = await run(experiment, () => (experiment.beside && chosen.length > 1 ? null : cpu.lap()))
    if (result.notRun !== null) context.skip(result.notRun)
    expect(result.violations).toEqual([])
  })
}

async function run(experiment: Experiment, lap: () => number | null): Promise<Result> {
  const { runs, minutes, verbose } = asked
  const result = await runExperiment(experiment, {
    tier,
    seed,
    runs: runs ?? undefined,
    minutes: minutes ?? undefined,
    shops,
    opening,
    progress: verbose ? console.error : () => {},
  })
  // Whatever an experiment did, the ledger must be right afterwards.
  if (opened && !experiment.beside && result.notRun === null && !result.gaveUp) {
    const proven = await (await opened).prove().catch((error: unknown) => [String(error)])
    for (const violation of proven) result.violations.push(`the books: ${violation}`)
  }
  // The next experiment gets new shops.
  if (opened && !experiment.beside && result.gaveUp) {
    opened = undefined
    await removeBelongings(sharedBelongings)
  }
  result.cpuSeconds = lap()
  print(result)
  // At once, so that whoever ends a long run keeps what it has found. What is seen without a guard says nothing of the shop.
  if (process.env.WITHOUT === undefined) updatePage([result], from)
  return result
}

function print({ id, runs: done, violations, notes, notRun: why, tookMs, cpuSeconds }: Result) {
  const figures =
    why !== null
      ? `not run: ${why}`
      : `${done} runs, ${violations.length} violations, ${violations.length === 0 ? `bound ${((3 / done) * 100).toFixed(2)} %, ` : ''}${(tookMs / 1000).toFixed(1)} s${cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(1)} s of one core`}`
  console.log(`${id.padEnd(6)}${[figures, ...notes].join('; ')}`)
  for (const violation of violations.slice(0, 10)) console.log(`      BROKEN ${violation}`)
}

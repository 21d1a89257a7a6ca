import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { slowness } from '../test/slowness.ts'
import { openCpuMeter } from './cpu-time.ts'
import { type Experiment, type Result, runExperiment, type Tier } from './experiment.ts'
import { EXPERIMENTS } from './experiments.ts'
import { type Belongings, noteBelongingsIn, removeBelongings } from './leftovers.ts'
import { eachOf } from './measure.ts'
import { updatePage } from './page.ts'
import { openShops, type Shops } from './shops.ts'

// The shop's harness of proof: `npm run resilience`, `npm run resilience -- --full`, `npm run resilience -- --only A1,B3`.

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
const tier: Tier = values.full ? 'full' : 'fast'
const seed = values.seed === undefined ? (crypto.getRandomValues(new Uint32Array(1))[0] as number) : Number(values.seed)
const runs = values.runs === undefined ? undefined : Number(values.runs)
if (!Number.isSafeInteger(seed) || (runs !== undefined && (!Number.isSafeInteger(runs) || runs < 1))) {
  throw new Error('--seed and --runs are whole numbers')
}
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
const wanted = values.only?.split(',').map((id) => id.trim().toUpperCase())
const chosen = wanted ? EXPERIMENTS.filter(({ id }) => wanted.some((one) => id === one || id.replace(/[0-9]+$/, '') === one)) : EXPERIMENTS
if (chosen.length === 0) throw new Error(`no experiment is called ${values.only}: they are ${EXPERIMENTS.map(({ id }) => id).join(' ')}`)

let opened: Promise<Shops> | undefined
/** What the shops that experiments share have started, whichever of them asked first. */
let sharedBelongings: Belongings
const shops = () => {
  if (!opened) {
    sharedBelongings = { children: new Set(), folders: new Set() }
    opened = noteBelongingsIn(sharedBelongings, () => openShops())
  }
  return opened
}
/** How long proving the books and closing may take. */
const SHARED_WORK_MS = 120_000
/** Of those that may run beside others. */
const AT_ONCE = 4
const startedAt = performance.now()
const from = commit()
const cpu = openCpuMeter()
const results: Result[] = []
try {
  // What has to be made ready, such as the web app, is made before anything is open that would notice.
  for (const { unavailable } of chosen) await unavailable?.(tier)
  for (const experiment of chosen.filter(({ beside }) => !beside)) await run(experiment, () => cpu.lap())
  // What processors worked for one of several at once cannot be told.
  await eachOf(
    chosen.filter(({ beside }) => beside),
    AT_ONCE,
    (experiment) => run(experiment, () => (chosen.length === 1 ? cpu.lap() : null)),
  )
} finally {
  cpu.stop()
  if (opened) await inTime('closing the shared shops', (await opened).close()).catch((error: unknown) => console.error(String(error)))
}
const broken = results.filter(({ violations }) => violations.length > 0)
const notRun = results.filter((result) => result.notRun !== null)
console.log(
  `\n${results.length - notRun.length} experiments, ${broken.length} with violations${broken.map(({ id }) => ` ${id}`).join('')}, ${notRun.length} not run; ` +
    `${tier} tier, seed ${seed}, commit ${from}, ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ` +
    `${cpu.total()?.toFixed(0) ?? '?'} s of one core`,
)
// An experiment that went wrong may have left something waiting for ever.
process.exit(broken.length > 0 ? 1 : 0)

async function run(experiment: Experiment, lap: () => number | null) {
  const result = await runExperiment(experiment, { tier, seed, runs, minutes, shops, progress: values.verbose ? console.error : () => {} })
  // The oracle after each: whatever an experiment did, the books must add up.
  if (opened && !experiment.beside && result.notRun === null && !result.gaveUp) {
    const proven = inTime('proving the books', (await opened).prove()).catch((error: unknown) => [String(error)])
    for (const violation of await proven) result.violations.push(`the books: ${violation}`)
  }
  // The next one gets shops in which nobody is waiting.
  if (opened && !experiment.beside && result.gaveUp) {
    opened = undefined
    await removeBelongings(sharedBelongings)
  }
  result.cpuSeconds = lap()
  results.push(result)
  print(result)
  // At once, so that whoever ends a long run in the middle keeps what it has found.
  // What is seen without a guard says nothing of the shop.
  if (process.env.WITHOUT === undefined) updatePage([result], from)
}

/** @throws Error when `work` takes longer than anything shared should. */
async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = wait(SHARED_WORK_MS * slowness(), undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`${what} took too long`)),
    () => new Promise<never>(() => undefined),
  )
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}

function print({ id, expects, runs: done, violations, notes, notRun: why, tookMs, cpuSeconds }: Result) {
  const figures =
    why !== null
      ? `not run: ${why}`
      : `${done} runs, ${violations.length} violations, ${violations.length === 0 ? `bound ${((3 / done) * 100).toFixed(2)} %, ` : ''}${(tookMs / 1000).toFixed(1)} s${cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(1)} s of one core`}`
  console.log(`${id.padEnd(6)}${expects}\n      ${figures}${notes.length > 0 ? `; ${notes.join('; ')}` : ''}`)
  for (const violation of violations.slice(0, 10)) console.log(`      BROKEN ${violation}`)
}

/** What was tried: the page that it is written to is no part of it. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/resilience.md')
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '-dirty')
  } catch {
    return 'unknown'
  }
}

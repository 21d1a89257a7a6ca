import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { closeShop, type OpenShop, openSharedDatabase, openShop } from '../process/open-shops.ts'
import { AFFORDED, AT_ONCE, type RaceResult, raceCheckouts } from './race-checkouts.ts'

// Two processes of the shop on one database, and 64 checkouts at one instant: `npm run race:checkout -- --runs 200`.
const { values } = parseArgs({ options: { runs: { type: 'string', default: '200' }, seed: { type: 'string' } } })
const runs = Number(values.runs)
const seed = values.seed === undefined ? crypto.getRandomValues(new Uint32Array(1))[0]! : Number(values.seed)
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) throw new Error('--runs and --seed are whole numbers')

const startedAt = performance.now()
const database = await openSharedDatabase()
const shops: OpenShop[] = []
try {
  for (let count = 0; count < 2; count++) shops.push(await openShop({ DATABASE_URL: database.url }))
  const { moneyForTen, sameKey, ledger } = await raceCheckouts({ databaseUrl: database.url, shops, runs, seed, onRun: showProgress })
  report(
    `${AT_ONCE} checkouts at once, money for ${AFFORDED}: ${AFFORDED} succeed, ${AT_ONCE - AFFORDED} get 402, nothing is left`,
    moneyForTen,
  )
  report(`the same key ${AT_ONCE} times at once: one order, ${AT_ONCE} identical replies`, sameKey)
  console.log(`\nall the books at the end\n  violations   ${ledger.length}`)
  for (const violation of ledger) console.log(`  BROKEN       ${violation}`)
  console.log(`\nseed ${seed}, commit ${commit()}, 2 processes, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  process.exitCode = moneyForTen.violations.length + sameKey.violations.length + ledger.length > 0 ? 1 : 0
} finally {
  await Promise.all(shops.map(closeShop))
  await database.close()
}

function report(name: string, { runs, violations, latenciesMs }: RaceResult) {
  const at = (part: number) => latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * part))]!.toFixed(0)
  console.log(`\n${name}`)
  console.log(`  runs         ${runs} (${latenciesMs.length} checkouts)`)
  console.log(`  violations   ${violations.length}`)
  // Of n runs without a fault, a fault's true rate is with 95 % confidence below 3/n.
  if (violations.length === 0) console.log(`  upper bound  ${((3 / runs) * 100).toFixed(2)} % of runs (3/n)`)
  console.log(`  answered in  p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`)
  for (const violation of violations.slice(0, 20)) console.log(`  BROKEN       ${violation}`)
}

function showProgress(run: number, violations: number) {
  if (process.stderr.isTTY) process.stderr.write(`\r${run} of ${runs} runs, ${violations} violations${run === runs ? '\n' : ''}`)
}

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'unknown'
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

type Counts = { passed: number; failed: number }
/** `again`: the arguments that run what failed once more; null where that says nothing, as with a file that does not load. */
type Step = { script: string; args: string[]; counts: () => Counts; again?: () => string[] | null }
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
}
type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number } }

const ROOT = resolve(import.meta.dirname, '..')
const REPORTS = mkdtempSync(join(tmpdir(), 'dwadi-test-'))
const VITEST_REPORT = join(REPORTS, 'vitest.json')
const PLAYWRIGHT_REPORT = join(REPORTS, 'playwright.json')
/** So many may be unsteady on a machine that is out of breath; more are a fault of the shop. */
const MOST_AGAIN = 3

const STEPS: Step[] = [
  { script: 'check', args: [], counts: nothing },
  {
    script: 'test:unit',
    args: ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`],
    counts: vitestCounts,
    again: failedFiles,
  },
  { script: 'test:e2e', args: ['--reporter=list,json'], counts: playwrightCounts, again: lastFailed },
]

const total: Counts = { passed: 0, failed: 0 }
const unsteady: string[] = []
process.exitCode = await firstFailure()
rmSync(REPORTS, { recursive: true, force: true })
if (unsteady.length > 0) console.log(`Unsteady: failed at first and passed alone. Each is a fault to be found:\n${unsteady.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)

async function firstFailure() {
  for (const step of STEPS) {
    const startedAt = performance.now()
    let exitCode = await run(step)
    const counts = step.counts()
    const again = counts.failed > 0 && counts.failed <= MOST_AGAIN ? step.again?.() : null
    if (again) {
      console.log(`\n${step.script}: ${counts.failed} failed, and run again alone: ${again.join(' ')}`)
      exitCode = await run({ ...step, args: again })
      if (exitCode === 0) {
        unsteady.push(`${step.script} ${again.join(' ')} (${counts.failed})`)
        counts.passed += counts.failed
        counts.failed = 0
      }
    }
    add(counts, exitCode)
    console.log(`${step.script} ${exitCode === 0 ? 'passed' : 'failed'} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
    if (exitCode !== 0) return exitCode
  }
  return total.passed > 0 ? 0 : 1
}

async function run({ script, args }: Step): Promise<number> {
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT }
  const child = spawn(process.execPath, ['--run', script, '--', ...args], { cwd: ROOT, env, stdio: 'inherit' })
  const [exitCode] = await once(child, 'exit')
  return exitCode ?? 1
}

/** A step that failed without a failed test (a type error, a file that does not load) is a failure too. */
function add({ passed, failed }: Counts, exitCode: number) {
  total.passed += passed
  total.failed += exitCode === 0 ? failed : Math.max(failed, 1)
}

function nothing(): Counts {
  return { passed: 0, failed: 0 }
}

function vitestCounts(): Counts {
  if (!existsSync(VITEST_REPORT)) return nothing()
  const { numPassedTests, numFailedTests }: VitestReport = JSON.parse(readFileSync(VITEST_REPORT, 'utf8'))
  return { passed: numPassedTests, failed: numFailedTests }
}

/** The files of the failed tests; null when one failed as a whole. */
function failedFiles(): string[] | null {
  if (!existsSync(VITEST_REPORT)) return null
  const { testResults }: VitestReport = JSON.parse(readFileSync(VITEST_REPORT, 'utf8'))
  const failed = testResults.filter(({ status }) => status === 'failed')
  const isWhole = failed.some(({ assertionResults }) => assertionResults.every(({ status }) => status !== 'failed'))
  return isWhole || failed.length === 0 ? null : [...failed.map(({ name }) => relative(ROOT, name)), '--maxWorkers=1']
}

function lastFailed(): string[] | null {
  return existsSync(PLAYWRIGHT_REPORT) ? ['--last-failed', '--workers=1', '--reporter=list'] : null
}

function playwrightCounts(): Counts {
  if (!existsSync(PLAYWRIGHT_REPORT)) return nothing()
  const { stats }: PlaywrightReport = JSON.parse(readFileSync(PLAYWRIGHT_REPORT, 'utf8'))
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
}

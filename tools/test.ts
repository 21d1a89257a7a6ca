import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

type Counts = { passed: number; failed: number }
type Step = { script: string; args: string[]; counts: () => Counts }
type VitestReport = { numPassedTests: number; numFailedTests: number }
type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number } }

const ROOT = resolve(import.meta.dirname, '..')
const REPORTS = mkdtempSync(join(tmpdir(), 'dwadi-test-'))
const VITEST_REPORT = join(REPORTS, 'vitest.json')
const PLAYWRIGHT_REPORT = join(REPORTS, 'playwright.json')

const STEPS: Step[] = [
  { script: 'check', args: [], counts: nothing },
  { script: 'test:unit', args: ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`], counts: vitestCounts },
  { script: 'test:e2e', args: ['--reporter=list,json'], counts: playwrightCounts },
]

const total: Counts = { passed: 0, failed: 0 }
process.exitCode = await firstFailure()
rmSync(REPORTS, { recursive: true, force: true })
console.log(`${total.passed} passed, ${total.failed} failed`)

async function firstFailure() {
  for (const step of STEPS) {
    const startedAt = performance.now()
    const exitCode = await run(step)
    add(step.counts(), exitCode)
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

function playwrightCounts(): Counts {
  if (!existsSync(PLAYWRIGHT_REPORT)) return nothing()
  const { stats }: PlaywrightReport = JSON.parse(readFileSync(PLAYWRIGHT_REPORT, 'utf8'))
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
}

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

/** One after the other; those of one line side by side, since pages and processes that wait leave half a core idle. */
const STEPS: Step[][] = [
  [{ script: 'check', args: [], counts: nothing }],
  [{ script: 'build:stale', args: [], counts: nothing }],
  [
    { script: 'test:unit', args: ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`], counts: vitestCounts },
    { script: 'test:e2e', args: ['--reporter=list,json'], counts: playwrightCounts },
  ],
]

const total: Counts = { passed: 0, failed: 0 }
process.exitCode = await firstFailure()
rmSync(REPORTS, { recursive: true, force: true })
console.log(`${total.passed} passed, ${total.failed} failed`)

async function firstFailure() {
  for (const steps of STEPS) {
    const exitCodes = await Promise.all(steps.map((step, index) => finish(step, index === 0)))
    const failed = exitCodes.find((exitCode) => exitCode !== 0)
    if (failed !== undefined) return failed
  }
  return total.passed > 0 ? 0 : 1
}

async function finish(step: Step, isShown: boolean): Promise<number> {
  const startedAt = performance.now()
  const { exitCode, output } = await run(step, isShown)
  add(step.counts(), exitCode)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${output}${step.script} ${exitCode === 0 ? 'passed' : 'failed'} in ${seconds} s\n`)
  return exitCode
}

/** What is not shown as it comes is returned, so that two steps do not write into each other's lines. */
async function run({ script, args }: Step, isShown: boolean): Promise<{ exitCode: number; output: string }> {
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT }
  const written = isShown ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, ['--run', script, '--', ...args], { cwd: ROOT, env, stdio: ['inherit', written, written] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [exitCode] = await once(child, 'close')
  return { exitCode: exitCode ?? 1, output }
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

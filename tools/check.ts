import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

// Types, lint, import boundaries, old browsers and dead code, side by side. What passes is one line; what fails prints what it found.
const ROOT = resolve(import.meta.dirname, '..')
const CHECKS: Record<string, string[]> = {
  'types of the server': ['tsc', '-p', 'tsconfig.json'],
  'types of the web app': ['tsc', '-p', 'tsconfig.web.json'],
  'types of the browser tests': ['tsc', '-p', 'tsconfig.e2e.json'],
  lint: ['biome', 'check', '--error-on-warnings', '--diagnostic-level=warn'],
  boundaries: ['node', 'tools/check-boundaries.ts'],
  'old browsers': ['node', 'tools/check-browsers.ts'],
  'dead code': ['knip', '--no-progress', '--treat-config-hints-as-errors'],
}

const passed = await Promise.all(Object.entries(CHECKS).map(([name, command]) => check(name, command)))
process.exitCode = passed.every(Boolean) ? 0 : 1

async function check(name: string, [program = '', ...args]: string[]): Promise<boolean> {
  const startedAt = performance.now()
  // tools/run.js has put the programs of the packages, and the Node for them, into the PATH.
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
  const [output, errors, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const isFine = exitCode === 0
  console.log(`${isFine ? 'passed' : 'FAILED'}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
  if (!isFine) console.log(`${output}${errors}`)
  return isFine
}

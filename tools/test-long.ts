import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

// `npm run test:long [-- name …]`: what takes too long for `npm test`, all of it or the files whose names say so.

const names = process.argv.slice(2)
const SCRIPTS: Record<string, string[]> = {
  'test:long:unit': ['--passWithNoTests', ...names],
  'test:long:e2e': ['--pass-with-no-tests', ...names],
}

for (const [script, args] of Object.entries(SCRIPTS)) {
  const child = spawn(process.execPath, ['--run', script, '--', ...args], { cwd: resolve(import.meta.dirname, '..'), stdio: 'inherit' })
  const [exitCode] = await once(child, 'exit')
  if (exitCode !== 0) process.exitCode = exitCode ?? 1
}

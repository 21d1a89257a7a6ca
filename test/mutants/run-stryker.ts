import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { TEMPLATE_DATABASE } from '../template-databases.ts'
import { openDatabaseServer } from './database-server.ts'
import { PARTS } from './money-tests.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Stryker over the TypeScript of the money code, part by part (or those that are named); all share one database server. */
const named = process.argv.slice(2)
const server = await openDatabaseServer(TEMPLATE_DATABASE)
let stopped = false
try {
  for (const part of named.length > 0 ? named : Object.keys(PARTS)) {
    if (!stopped) await runStryker(part)
  }
} finally {
  await server.close()
}

async function runStryker(part: string) {
  const stryker = spawn('stryker', ['run', 'test/mutants/stryker.config.mjs'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS_PART: part, TEST_TEMPLATE_URL: server.urlOf(TEMPLATE_DATABASE) },
  })
  const stop = (signal: NodeJS.Signals) => {
    stopped = true
    stryker.kill(signal)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const [exitCode] = await once(stryker, 'exit')
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (exitCode !== 0) process.exitCode = 1
}

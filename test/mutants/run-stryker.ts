import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { TEMPLATE_DATABASE } from '../global-setup.ts'
import { openDatabaseServer } from './database-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Stryker over the TypeScript of the money code; all its workers share one database server. Arguments are handed on to it. */
const server = await openDatabaseServer(TEMPLATE_DATABASE)
try {
  const stryker = spawn('stryker', ['run', 'test/mutants/stryker.config.mjs', ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_TEMPLATE_URL: server.urlOf(TEMPLATE_DATABASE) },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stryker.kill(signal))
  const [exitCode] = await once(stryker, 'exit')
  process.exitCode = exitCode ?? 1
} finally {
  await server.close()
}

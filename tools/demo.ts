import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureSampleCatalogue } from '../server/features/catalogue/products/ensure-sample-catalogue.ts'
import { ensureFirstAdmin } from '../server/features/people/auth/ensure-first-admin.ts'
import { readConfig } from '../server/platform/config.ts'
import { openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { prepareDatabase } from '../server/platform/prepare-database.ts'
import { fillDemo } from './demo/fill-demo.ts'

// `npm run demo` opens a second shop beside your own, with three months of made-up trade in it: its data in ./data-demo, at port 3001.
// `npm run demo -- --days 7 --orders 50` makes a smaller one; delete ./data-demo to begin again.
const PASSWORD = 'a demo password'
const ROOT = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { days: { type: 'string', default: '90' }, orders: { type: 'string', default: '200' } } })

const env: NodeJS.ProcessEnv = {
  ...process.env,
  SHOP_MODE: 'sandbox',
  PORT: process.env.PORT ?? '3001',
  DATA_DIR: process.env.DATA_DIR ?? resolve(ROOT, 'data-demo'),
  ADMIN_PASSWORD: process.env.ADMIN_PASSWORD ?? PASSWORD,
}
// The demo never touches a shop's own database.
delete env.DATABASE_URL
delete env.DATABASE_MIGRATION_URL

await fillOnce()
console.log(`  Sign in as the owner: phone ${readConfig(env).firstAdmin.phone}, password ${env.ADMIN_PASSWORD}`)
const server = spawn(process.execPath, ['--run', 'start'], { cwd: ROOT, env, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
const [exitCode] = await once(server, 'exit')
process.exitCode = exitCode ?? 0

/** Fills the demo's database unless it has been filled; one that was interrupted halfway has to be deleted. */
async function fillOnce() {
  const config = readConfig(env)
  const log = createLog('error')
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  try {
    await prepareDatabase({ ownerUrl: embedded.url(), log })
    const db = openPool({ url: embedded.url(), size: 2, log, name: 'dwadi demo' })
    try {
      const { rows } = await db.query<{ isFilled: boolean }>('select exists (select 1 from orders) as "isFilled"')
      if (rows[0]?.isFilled) return
      const [days, ordersToday] = [Number(values.days), Number(values.orders)]
      const startedAt = performance.now()
      await ensureSampleCatalogue(db, new Date(Date.now() - (days + 1) * 86_400_000))
      await ensureFirstAdmin(db, config.firstAdmin, config.passwords, new Date(Date.now() - (days + 1) * 86_400_000))
      const onDay = (done: number) => process.stdout.write(`\r  Filling the demo shop: day ${done} of ${days} `)
      await fillDemo(db, { days, ordersToday, agents: 24, customers: 380, now: new Date(), log, password: PASSWORD, onDay })
      process.stdout.write(`\r  Filled the demo shop in ${Math.round((performance.now() - startedAt) / 1000)} s.       \n`)
    } finally {
      await db.end()
    }
  } finally {
    await embedded.stop()
  }
}

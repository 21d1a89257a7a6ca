import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureSampleCatalogue } from '../server/features/catalogue/products/ensure-sample-catalogue.ts'
import { reconcileLedger } from '../server/features/office/reconciliation/reconcile-ledger.ts'
import type { Ctx } from '../server/platform/context.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { prepareDatabase } from '../server/platform/prepare-database.ts'
import { generateShop } from './generate-shop.ts'

// What it costs to prove the books of a large shop: `npm run node -- bench/reconcile-ledger.ts --orders 1000000`. Each invariant over all
// rows, then as the job goes on: most runs look at the newer rows alone.
const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000000' }, users: { type: 'string', default: '100000' } } })
const log = createLog('warn')
const RUNS = 10
const RUN_EVERY_MS = 30_000

const folder = await mkdtemp(join(tmpdir(), 'dwadi-books-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, log })
try {
  const { url } = await prepareDatabase({ ownerUrl: postgres.url(), log })
  const owner = openPool({ url: postgres.url(), size: 2, log, name: 'dwadi bench' })
  await ensureSampleCatalogue(owner, new Date())
  await generateShop(owner, { users: Number(values.users), orders: Number(values.orders) })
  const db = openPool({ url, size: 2, log, name: 'dwadi bench' })
  await measureChecks(db)
  await db.end()
  await owner.end()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measureChecks(db: Db) {
  let now = Date.now()
  const check = async () => {
    const startedAt = performance.now()
    for (let through = false; !through; ) through = await reconcileLedger({ db, now: new Date(now), log } as Ctx, {}, { workMs: 40_000 })
    now += RUN_EVERY_MS
    return performance.now() - startedAt
  }
  const first = await check()
  const { rows } = await db.query<{ invariant: string; rows: number; tookMs: number; found: number; problem: string | null }>(
    `select invariant, rows, took_ms as "tookMs", jsonb_array_length(found) as found, problem from invariant_checks order by id`,
  )
  console.table(rows)
  const later: number[] = []
  for (let run = 0; run < RUNS; run++) later.push(Math.round(await check()))
  console.log(`all of it ${(first / 1000).toFixed(1)} s; then every ${RUN_EVERY_MS / 1000} s: ${later.join(', ')} ms`)
  const seals = await db.query<{ seals: number; entries: number }>(
    'select count(*) as seals, coalesce(sum(entries), 0) as entries from ledger_seals',
  )
  const startedAt = performance.now()
  const asked = { db, now: new Date(now), log } as Ctx
  while (!(await reconcileLedger(asked, { askedAt: asked.now.toISOString() }, { workMs: 40_000 })));
  console.log(`${JSON.stringify(seals.rows[0])}; all of it again with them ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { INVARIANTS } from '../../../ledger/invariants/invariants.ts'
import type { NewJob } from '../../../platform/job-queue.ts'
import { createLog } from '../../../platform/log.ts'
import { ALL_ROWS_QUEUE, type AllRowsJob, queueRules } from '../../../platform/queues.ts'
import { QUICK_TIMINGS, USUAL_TIMINGS } from '../../../platform/timings.ts'
import { checkAllRows, reconcileLedger, SETTLED_AFTER_MS } from './reconcile-ledger.ts'

const MINUTE_MS = 60_000
const IDS = INVARIANTS.map(({ id }) => id).sort()

let shop: TestShop
let sent: { queue: string; job: NewJob }[]
beforeEach(async () => {
  sent = []
  shop = await openTestShop({ timings: { reconcileEveryMs: 3_600_000 } })
  const buyer = await makeUser(shop, { balance: 50 })
  expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(200)
})
afterEach(() => shop.close())

test('checks of all rows that take minutes are jobs of their own, and what is new is checked meanwhile', async () => {
  await reconcile()
  expect(sent).toEqual([])
  await shop.database.db.query('update invariant_checks set took_ms = 150000')
  shop.clock.advance(SETTLED_AFTER_MS + 1)
  await reconcile()
  expect(sent).toEqual([])
  shop.clock.advance(300 * 150_000)
  const checked = await newestCheck()
  await reconcile()
  expect(sent.map(({ queue }) => queue)).toEqual(IDS.map(() => ALL_ROWS_QUEUE))
  expect(sent.map(({ job }) => (job.data as AllRowsJob).invariant).sort()).toEqual(IDS)
  const { rows } = await shop.database.db.query<{ whole: boolean; invariants: string[] }>(
    'select whole, array_agg(distinct invariant order by invariant) as invariants from invariant_checks where id > $1 group by whole',
    [checked],
  )
  expect(rows).toEqual([{ whole: false, invariants: expect.arrayContaining(['I1', 'I3', 'I5', 'I12']) }])

  for (const { job } of sent) await checkAllRows(ctx(), job.data as AllRowsJob)
  expect(await wholeSince(checked)).toEqual(IDS)
  // A second job of the same kind finds that it was just done.
  const done = await newestCheck()
  await shop.database.db.query('update invariant_checks set took_ms = 150000 where whole')
  for (const { job } of sent) await checkAllRows(ctx(), job.data as AllRowsJob)
  expect(await newestCheck()).toBe(done)
})

test('a requested check of a large shop reaches all rows, whenever they were last checked', async () => {
  await reconcile()
  await shop.database.db.query('update invariant_checks set took_ms = 150000')
  shop.clock.advance(MINUTE_MS)
  const checked = await newestCheck()
  await reconcile(shop.clock.now.toISOString())
  expect(sent.map(({ job }) => (job.data as AllRowsJob).invariant).sort()).toEqual(IDS)
  for (const { job } of sent) await checkAllRows(ctx(), job.data as AllRowsJob)
  expect(await wholeSince(checked)).toEqual(IDS)
})

test('a shop that closes does not wait for a long check, which leaves no result and is asked for again', async () => {
  const blocker = await shop.database.db.connect()
  const stopping = new AbortController()
  try {
    await blocker.query('begin; lock table postings in access exclusive mode')
    const check = checkAllRows(ctx(), { invariant: 'I2' }, { signal: stopping.signal })
    await until(async () => {
      const { rows } = await shop.database.db.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%all postings%' and pid <> pg_backend_pid()",
      )
      return rows.length > 0
    })
    stopping.abort()
    await check
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
  expect(await newestCheck()).toBeNull()
  await reconcile()
  expect(await wholeSince(0)).toEqual(IDS)
})

test('such a job may take hours where heartbeats tell of a dead process', async () => {
  const rules = queueRules(QUICK_TIMINGS)
  expect(rules[ALL_ROWS_QUEUE]).toMatchObject({ isLong: true })
  const usual = await openTestShop({ timings: { jobs: USUAL_TIMINGS.jobs } })
  const { rows } = await usual.database.db.query<{ name: string; expire: number }>(
    `select name, expire_seconds as expire from jobs.queue where name in ('check-books', 'check-all-rows') order by name`,
  )
  expect(rows).toEqual([
    { name: 'check-all-rows', expire: 7_200 },
    { name: 'check-books', expire: 120 },
  ])
  await usual.close()
})

function ctx() {
  const jobs = { enqueue: async (_: unknown, queue: string, jobs: NewJob[]) => void sent.push(...jobs.map((job) => ({ queue, job }))) }
  return { db: shop.database.db, now: shop.clock.now, log: createLog('silent'), jobs } as never
}

async function reconcile(askedAt?: string) {
  sent = []
  expect(await reconcileLedger(ctx(), askedAt === undefined ? {} : { askedAt }, { workMs: MINUTE_MS })).toBe(true)
}

async function newestCheck(): Promise<number | null> {
  const { rows } = await shop.database.db.query<{ id: number | null }>('select max(id) as id from invariant_checks')
  return rows[0]?.id ?? null
}

async function wholeSince(id: number | null): Promise<string[]> {
  const { rows } = await shop.database.db.query<{ invariant: string }>(
    'select distinct invariant from invariant_checks where whole and problem is null and id > $1',
    [id],
  )
  return rows.map(({ invariant }) => invariant).sort()
}

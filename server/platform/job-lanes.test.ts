import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { openPool } from './db.ts'
import { openJobQueue } from './job-queue.ts'
import { createLog } from './log.ts'
import { QUICK_TIMINGS } from './timings.ts'

const QUEUE = 'unequal'
const PER_GROUP = 2
const JOBS = 120
const ACTIVE = `select count(*) as active from jobs.job where name = $1 and state = 'active' and group_id = $2`

test('processes that take jobs at the same instant run no more of a group than one may', async () => {
  const database = await openTestDatabase()
  const log = createLog('silent')
  const pools = [1, 2, 3].map(() => openPool({ url: database.appUrl, size: 3, log, name: 'dwadi-test-lanes' }))
  const queues = { [QUEUE]: { retries: 1, firstRetrySeconds: 0, longestRetrySeconds: 0 } }
  const processes = await Promise.all(pools.map((db) => openJobQueue({ db, log, queues, timings: QUICK_TIMINGS.jobs })))
  const lane = { atOnce: 6, perGroup: PER_GROUP }
  const most = new Map<string, number>()
  let done = 0
  for (const jobs of processes) {
    jobs.workInLanes(QUEUE, { usual: lane, behind: lane }, async ({ group }: { group: string }) => {
      const { rows } = await database.db.query<{ active: number }>(ACTIVE, [QUEUE, group])
      most.set(group, Math.max(rows[0]?.active ?? 0, most.get(group) ?? 0))
      done += 1
      for (const each of processes) each.wake(QUEUE)
    })
  }
  const work = Array.from({ length: JOBS }, (_, i) => ({ data: { group: `g${i % 4}` }, group: `g${i % 4}`, behind: i % 4 === 3 }))
  await processes[0]?.enqueue(database.db, QUEUE, work)
  for (const jobs of processes) jobs.wake(QUEUE)
  await until(() => done >= JOBS)
  expect([done, Math.max(...most.values())]).toEqual([JOBS, PER_GROUP])
  await Promise.all(processes.map((jobs) => jobs.stop()))
  await Promise.all(pools.map((pool) => pool.end()))
  await database.close()
})

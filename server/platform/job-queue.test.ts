import { expect, test } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { openPool } from './db.ts'
import { openJobQueue } from './job-queue.ts'
import { createLog } from './log.ts'
import { QUICK_TIMINGS } from './timings.ts'

const QUEUE = 'together'

test('jobs are done together, and one that fails fails alone', async () => {
  const database = await openTestDatabase()
  const log = createLog('silent')
  const db = openPool({ url: database.appUrl, size: 3, log, name: 'dwadi-test-jobs' })
  const queues = { [QUEUE]: { retries: 0, firstRetrySeconds: 0, longestRetrySeconds: 0 } }
  const jobs = await openJobQueue({ db, log, queues, timings: QUICK_TIMINGS.jobs })
  const add = (...numbers: number[]) =>
    jobs.enqueue(
      database.db,
      QUEUE,
      numbers.map((number) => ({ data: { number } })),
    )
  await add(1, 2, 3, 4)
  const calls: number[][] = []
  await jobs.workTogether<{ number: number }>(QUEUE, { most: 3 }, async (together) => {
    calls.push(together.map(({ number }) => number))
    if (together.some(({ number }) => number === 6)) throw new Error('six')
  })
  await until(() => calls.length === 2)
  expect(calls.map(({ length }) => length)).toEqual([3, 1])
  expect(calls.flat().sort()).toEqual([1, 2, 3, 4])

  await add(5, 6, 7)
  jobs.wake(QUEUE)
  await until(async () => (await jobs.listFailed({ limit: 10, offset: 0 })).total === 1)
  expect(calls[2]?.toSorted()).toEqual([5, 6, 7])
  expect(calls.slice(3).toSorted()).toEqual([[5], [6], [7]])
  const { failed } = await jobs.listFailed({ limit: 10, offset: 0 })
  expect(failed).toMatchObject([{ data: { number: 6 }, reason: 'six' }])
  await until(async () => (await jobs.countJobs()).every(({ waiting, active }) => waiting + active === 0))
  await jobs.stop()
  await db.end()
  await database.close()
})

test('jobs done together may each have an outcome of their own', async () => {
  const database = await openTestDatabase()
  const log = createLog('silent')
  const db = openPool({ url: database.appUrl, size: 3, log, name: 'dwadi-test-results' })
  const queues = { [QUEUE]: { retries: 1, firstRetrySeconds: 0, longestRetrySeconds: 0 } }
  const jobs = await openJobQueue({ db, log, queues, timings: QUICK_TIMINGS.jobs })
  await jobs.enqueue(
    database.db,
    QUEUE,
    [1, 2, 3, 4].map((number) => ({ data: { number } })),
  )
  const calls: number[] = []
  await jobs.workTogether<{ number: number }>(QUEUE, { most: 4 }, (together) => {
    calls.push(...together.map(({ number }) => number))
    return Promise.allSettled(together.map(({ number }) => (number === 3 ? Promise.reject(new Error('three')) : Promise.resolve())))
  })
  await until(async () => (await jobs.listFailed({ limit: 10, offset: 0 })).total === 1)
  expect((await jobs.listFailed({ limit: 10, offset: 0 })).failed).toMatchObject([{ data: { number: 3 }, reason: 'three', attempts: 2 }])
  expect(calls.toSorted()).toEqual([1, 2, 3, 3, 4])
  await jobs.stop()
  await db.end()
  await database.close()
})

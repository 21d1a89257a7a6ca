import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { JobsReply } from '../../../../shared/jobs.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { openPool } from '../../../platform/db.ts'
import { type JobQueue, openJobQueue } from '../../../platform/job-queue.ts'
import { createLog } from '../../../platform/log.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'

let shop: TestShop
let admin: SignedInUser
const RULES = { retries: 2, firstRetrySeconds: 1, longestRetrySeconds: 1 }
const log = createLog('silent')

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

/** A queue of its own on the shop's database, as another process would open it. */
async function openQueue(queues: string[]): Promise<{ jobs: JobQueue; close(): Promise<void> }> {
  const db = openPool({ url: shop.database.url, size: 3, log, name: 'dwadi-test-jobs' })
  const jobs = await openJobQueue({ db, log, timings: QUICK_TIMINGS.jobs, queues: Object.fromEntries(queues.map((name) => [name, RULES])) })
  return {
    jobs,
    async close() {
      await jobs.stop()
      await db.end()
    },
  }
}

const shown = async () => (await call<JobsReply>(shop, 'GET', '/admin/jobs', { as: admin })).body

describe('a job that fails each time', () => {
  // There is no such order, so this job of the shop's own can never be done.
  const orderId = '00000000-0000-4000-8000-000000000000'
  let buyer: SignedInUser
  let order: Order

  // All attempts of a job take ten seconds, so both begin together.
  beforeAll(async () => {
    buyer = await makeUser(shop, { balance: 50 })
    order = (await checkout(shop, buyer, [await cartLine(shop)])).body.orders[0]!
    const { jobs, close } = await openQueue([])
    // An order that is processed by hand has no delivery to send.
    await jobs.enqueue(shop.database.db, 'supplier-send', [{ data: { orderId } }, { data: { orderId: order._id } }])
    await close()
  })

  const failedOf = (id: string) => until(async () => (await shown()).failed.find(({ data }) => data.orderId === id), 25_000)

  test('is marked as failed with its reason after its last attempt, stops no other, and can be retried by an admin', async () => {
    await until(async () => (await shown()).ordersToRelay === 0)
    const failed = await failedOf(orderId)
    expect(failed).toMatchObject({ queue: 'supplier-send', attempts: 6, reason: `order ${orderId} has no delivery`, order: null })
    await failedOf(order._id)
    expect((await shown()).queues.find(({ queue }) => queue === 'supplier-send')).toMatchObject({ failed: 2, waiting: 0 })

    const retried = await call(shop, 'POST', `/admin/jobs/${failed._id}/retry`, { as: admin })
    expect([retried.status, (await shown()).failed.filter(({ data }) => data.orderId === orderId)]).toEqual([200, []])
    expect((await call(shop, 'POST', `/admin/jobs/${failed._id}/retry`, { as: admin })).status).toBe(404)
    const { body } = await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin, query: { search: failed._id } })
    expect(body).toMatchObject([{ action: 'job.retry', subjectId: failed._id, actor: admin.username }])
  })

  test('names its order', async () => {
    const { _id, id, network, offer, receiver, totalAmount, surcharge, reference } = order
    expect((await failedOf(_id)).order).toEqual({
      ...{ _id, id, network, offer, receiver, totalAmount, surcharge, reference },
      agent: buyer.username,
      status: 'pending',
      supplier: null,
      delivery: null,
    })
  })
})

// Last, since a clock that goes back when its test is over lets the shop's own workers sleep for a day.
describe('the queue', () => {
  test('a job exists if and only if its transaction commits', async () => {
    const { jobs, close } = await openQueue(['if-committed'])
    const done: number[] = []
    await jobs.work<{ n: number }>('if-committed', { atOnce: 5 }, async ({ n }) => void done.push(n))
    for (const [n, end] of [
      [1, 'rollback'],
      [2, 'commit'],
    ] as const) {
      const tx = await shop.database.db.connect()
      await tx.query('begin')
      await jobs.enqueue(tx, 'if-committed', [{ data: { n } }])
      await tx.query(end)
      tx.release()
    }
    await until(() => done.length > 0)
    expect(done).toEqual([2])
    await close()
  })

  test('keeps one waiting job per key', async () => {
    const { jobs, close } = await openQueue(['one-key'])
    for (let i = 0; i < 5; i++) await jobs.enqueue(shop.database.db, 'one-key', [{ data: { i }, key: 'same' }])
    expect((await jobs.countJobs()).find(({ queue }) => queue === 'one-key')).toMatchObject({ waiting: 1 })
    await close()
  })

  test('two workers share 1,000 jobs: each is done once', async () => {
    const [one, other] = [await openQueue(['shared']), await openQueue(['shared'])]
    await one.jobs.enqueue(
      shop.database.db,
      'shared',
      Array.from({ length: 1_000 }, (_, n) => ({ data: { n } })),
    )
    const done: [string, number][] = []
    await one.jobs.work<{ n: number }>('shared', { atOnce: 50 }, async ({ n }) => void done.push(['one', n]))
    await other.jobs.work<{ n: number }>('shared', { atOnce: 50 }, async ({ n }) => void done.push(['other', n]))
    await until(() => done.length >= 1_000, 20_000)
    await Promise.all([one.close(), other.close()])
    expect(done.map(([, n]) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, n) => n))
    expect(new Set(done.map(([who]) => who)).size).toBe(2)
  })

  test('finishes running jobs when closing, and starts no other', async () => {
    const { jobs, close } = await openQueue(['slow'])
    const events: string[] = []
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await jobs.work<{ n: number }>('slow', { atOnce: 1 }, async ({ n }) => {
      events.push(`begun ${n}`)
      await held
      events.push(`ended ${n}`)
    })
    await jobs.enqueue(shop.database.db, 'slow', [{ data: { n: 1 } }, { data: { n: 2 } }])
    await until(() => events.length === 1)
    const closing = close().then(() => events.push('closed'))
    letGo()
    await closing
    expect(events.slice(1)).toEqual([events[0]!.replace('begun', 'ended'), 'closed'])
  })

  test('after the clock was set back by a day, jobs wait no longer than they had to, and dead processes are noticed', async () => {
    const { jobs, close } = await openQueue(['set-back', 'set-back-later', 'set-back-dead'])
    const done: object[] = []
    await jobs.enqueue(shop.database.db, 'set-back', [{ data: { n: 1 }, afterMs: 1_000 }])
    await jobs.enqueue(shop.database.db, 'set-back-later', [{ data: { n: 2 }, afterMs: 3_600_000 }])
    await jobs.enqueue(shop.database.db, 'set-back-dead', [{ data: { n: 3 } }])
    // What was noted a day ahead is what a clock set back leaves behind.
    await shop.database.db.query(
      `update jobs.job set start_after = start_after + interval '1 day', created_on = created_on + interval '1 day' where name like 'set-back%';
       update jobs.job set state = 'active', started_on = now() + interval '1 day' where name = 'set-back-dead';
       update jobs.queue set monitor_claim_on = now() + interval '1 day', monitor_on = now() + interval '1 day', maintain_on = now() + interval '1 day';
       update jobs.version set cron_on = now() + interval '1 day'`,
    )
    // Against a clock that never goes back, the database's is a day behind.
    const elapsed = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + 86_400_000)
    for (const queue of ['set-back', 'set-back-later', 'set-back-dead'])
      await jobs.work(queue, { atOnce: 1 }, async (job) => void done.push(job))
    await until(() => done.length === 2, 25_000).finally(() => vi.restoreAllMocks())
    expect(done).toEqual(expect.arrayContaining([{ n: 1 }, { n: 3 }]))
    const { rows } = await shop.database.db.query<{ minutes: number; marks: boolean }>(
      `select round(extract(epoch from start_after - created_on) / 60)::integer as minutes, created_on <= now() and
         (select bool_and(monitor_claim_on <= now() and maintain_on <= now()) from jobs.queue) and (select cron_on <= now() from jobs.version) as marks
       from jobs.job where name = 'set-back-later'`,
    )
    expect(rows).toEqual([{ minutes: 60, marks: true }])
    await close()
  })

  test('goes on at once when the machine’s clock is set back while a job runs', async () => {
    const { jobs, close } = await openQueue(['clock-set-back'])
    const done: number[] = []
    const rightNow = Date.now
    try {
      await jobs.work<{ n: number }>('clock-set-back', { atOnce: 1 }, async ({ n }) => {
        vi.spyOn(Date, 'now').mockImplementation(() => rightNow() - 86_400_000)
        done.push(n)
      })
      await jobs.enqueue(shop.database.db, 'clock-set-back', [{ data: { n: 1 } }])
      await until(() => done.length === 1)
      await jobs.enqueue(shop.database.db, 'clock-set-back', [{ data: { n: 2 } }])
      await until(() => done.length === 2)
    } finally {
      vi.restoreAllMocks()
    }
    await close()
  })

  test('gives a dead process’s jobs to another', async () => {
    const heir = await openQueue(['taken-over'])
    await heir.jobs.enqueue(shop.database.db, 'taken-over', [{ data: { n: 1 } }])
    // As a process leaves it that is gone without a word.
    await shop.database.db.query(`update jobs.job set state = 'active', started_on = now() where name = 'taken-over'`)
    const done: object[] = []
    await heir.jobs.work('taken-over', { atOnce: 1 }, async (job) => void done.push(job))
    await until(() => done.length > 0, 25_000)
    expect(done).toEqual([{ n: 1 }])
    await heir.close()
  })
})

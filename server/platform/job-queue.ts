import { type Clock, type JobWithMetadata, PgBoss } from 'pg-boss'
import { adapt, JOBS_SCHEMA as SCHEMA } from './adapt-database.ts'
import { raiseAlarm } from './alarms.ts'
import type { Db, Queryable, Tx } from './db.ts'
import { type Lanes, type LanesWorker, workInLanes } from './job-lanes.ts'
import type { Log } from './log.ts'
import { startLoop } from './loop.ts'

/**
 * Retry rules of a queue: a failed job is retried `retries` times with growing delays, then marked as failed. `isLong`: its
 * jobs may take hours; when a process dies, the missing heartbeats tell.
 */
export type QueueRules = { retries: number; firstRetrySeconds: number; longestRetrySeconds: number; isLong?: boolean }

/**
 * A job to add. `key`: not added while a job with the same key waits. `afterMs`: delay. `urgent` jobs go first, those `behind`
 * last. `group`: whose it is, where few of one may run at once.
 */
export type NewJob = {
  data: Record<string, string | number | string[]>
  key?: string
  afterMs?: number
  urgent?: boolean
  behind?: boolean
  group?: string
}

export type FailedJob = { id: string; queue: string; data: object; reason: string; attempts: number; failedAt: Date; createdAt: Date }
export type QueueCount = { queue: string; waiting: number; later: number; active: number; failed: number }

/** The queue's timings; tests use shorter ones. */
export type JobTimings = { pollSeconds: number; superviseSeconds: number; expireSeconds: number; heartbeatSeconds: number | null }

export type JobQueue = {
  /** Adds jobs in the caller's transaction: they exist if and only if it commits. */
  enqueue(tx: Queryable, queue: string, jobs: NewJob[]): Promise<void>
  /** Makes the jobs that wait under these keys due at once; harmless for others. */
  hasten(tx: Queryable, queue: string, keys: string[]): Promise<void>
  /** Polls a queue at once. Call it after the commit. */
  wake(queue: string): void
  /**
   * Processes a queue's jobs, at most `atOnce` at a time in this process. A job that throws is retried. `rarely`: jobs of this
   * queue may wait a minute.
   */
  work<T extends object>(queue: string, how: { atOnce: number; rarely?: boolean }, handle: (data: T) => Promise<void>): Promise<void>
  /**
   * Processes up to `most` jobs of a queue in one call: all or none, or each as the results say, which stand in the order of the
   * jobs. If it throws, they are done again, one by one, and retried alone.
   */
  workTogether<T extends object>(queue: string, how: { most: number }, handle: (data: T[]) => Promise<Results>): Promise<void>
  /** Processes a queue's jobs one by one, in two lanes and with few of a group at once (`Lanes`). A job that throws is retried. */
  workInLanes<T extends object>(queue: string, lanes: Lanes, handle: (data: T, how: { isBehind: boolean }) => Promise<void>): void
  /** Adds a job whenever the cron expression matches (UTC), once for all processes. */
  repeat(queue: string, cron: string): Promise<void>
  listFailed(page: { limit: number; offset: number }): Promise<{ failed: FailedJob[]; total: number }>
  /** Puts a failed job back into its queue with its retries renewed; false when there is none with this id. */
  retryFailed(tx: Queryable, id: string): Promise<boolean>
  /** One failed job, locked until the transaction ends; null when there is none with this id. */
  lockFailed(tx: Tx, id: string): Promise<FailedJob | null>
  /** Deletes a failed job. */
  dismissFailed(tx: Tx, id: string): Promise<void>
  countJobs(): Promise<QueueCount[]>
  /** Takes no further jobs, lets running ones finish, and returns the others to the queue. */
  stop(): Promise<void>
}

/** What came of jobs that were done together; none if all of them succeeded. */
type Results = PromiseSettledResult<void>[] | void
type Ended = { id: string; status: 'completed' } | { id: string; status: 'failed'; output: { message: string } }

/** Where pg-boss puts jobs that have failed for good; the name is stored. */
const FAILED_QUEUE = 'parked'
const FAILED_JOB = `id, coalesce(source_name, '') as queue, data,
  coalesce(source_output ->> 'message', source_output #>> '{value,message}', '') as reason,
  coalesce(source_retry_count, 0) + 1 as attempts, created_on as "failedAt", coalesce(source_created_on, created_on) as "createdAt"`
const DAY_SECONDS = 86_400
const LONG_JOB_SECONDS = 7_200
/** Less than the whole process allows for shutdown. */
const STOP_WITHIN_MS = 7_000

/**
 * pg-boss sleeps by differences of its clock, and its workers would stand still for as long as the machine's clock is set back;
 * this one never goes back. When a schedule is due it compares this clock with the database's every minute.
 */
const CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work, ms) => setInterval(work, ms),
  clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
}

/** Creates or upgrades the queue's tables; processes that start together wait for one another. */
export async function installJobQueue(db: Db): Promise<void> {
  const boss = new PgBoss({ db: adapt(db), schema: SCHEMA, supervise: false, schedule: false })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.stop({ close: false, graceful: false })
}

/**
 * Opens the job queue (pg-boss, schema `jobs`) on a pool of its own, so that jobs never wait for request connections. Any
 * process can run a job, and none is lost when one dies.
 */
export async function openJobQueue({
  db,
  log,
  queues,
  timings,
}: {
  db: Db
  log: Log
  queues: Record<string, QueueRules>
  timings: JobTimings
}): Promise<JobQueue> {
  const boss = new PgBoss({
    db: adapt(db),
    schema: SCHEMA,
    superviseIntervalSeconds: timings.superviseSeconds,
    monitorIntervalSeconds: timings.superviseSeconds,
    cronMonitorIntervalSeconds: 30,
    cronWorkerIntervalSeconds: 15,
    clockMonitorIntervalSeconds: 60,
    clock: CLOCK,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue error'))
  boss.on('warning', (warning) => {
    // CLOCK is meant to differ once a wall clock has jumped; database-health.ts tells of a machine's wrong clock.
    if (!warning.message.includes('Clock skew')) log.warn({ warning }, 'job queue warning')
  })
  await boss.start()
  await ensureQueues(boss, queues, timings)
  const clock = startLoop({ name: 'jobs and a clock set back', everyMs: timings.superviseSeconds * 1_000, log, work: followClock(db) })
  const workers = new Map<string, string>()
  const inLanes = new Map<string, LanesWorker>()

  /** Null when it succeeded. */
  async function attempt<T extends object>(queue: string, job: JobWithMetadata<T>, handle: () => Promise<void>): Promise<Error | null> {
    try {
      await handle()
      return null
    } catch (error) {
      const facts = { err: error, queue, jobId: job.id, data: job.data, attempts: job.retryCount + 1 }
      if (job.retryCount < job.retryLimit) log.warn(facts, 'a job failed and will be retried')
      else raiseAlarm(log, 'job-failed', facts)
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  async function end<T extends object>(queue: string, job: JobWithMetadata<T>, handle: () => Promise<void>): Promise<Ended> {
    const error = await attempt(queue, job, handle)
    return error === null ? { id: job.id, status: 'completed' } : { id: job.id, status: 'failed', output: { message: error.message } }
  }

  async function poll<T extends object>(
    queue: string,
    { most, rarely = false }: { most: number; rarely?: boolean },
    handle: (jobs: JobWithMetadata<T>[]) => Promise<Ended[]>,
  ) {
    const how = {
      batchSize: most,
      pollingIntervalSeconds: rarely ? 60 : timings.pollSeconds,
      burstWhenBatchFull: most > 1,
      perJobResults: true as const,
      includeMetadata: true as const,
    }
    workers.set(queue, await boss.work<T, unknown, typeof how>(queue, how, handle))
  }

  return {
    async enqueue(tx, queue, jobs) {
      if (jobs.length === 0) return
      await boss.insert(
        queue,
        jobs.map(({ data, key, afterMs, urgent, behind, group }) => ({
          data,
          singletonKey: key ?? crypto.randomUUID(),
          priority: urgent ? 1 : behind ? -1 : 0,
          ...(group === undefined ? {} : { group: { id: group } }),
          ...(afterMs === undefined ? {} : { startAfter: `${Math.ceil(afterMs)} milliseconds` }),
        })),
        { db: adapt(tx) },
      )
    },

    async hasten(tx, queue, keys) {
      await tx.query(
        `update ${SCHEMA}.job set start_after = now() where name = $1 and state < 'active' and singleton_key = any ($2) and start_after > now()`,
        [queue, keys],
      )
    },

    wake(queue) {
      const worker = workers.get(queue)
      if (worker !== undefined) boss.notifyWorker(worker)
      inLanes.get(queue)?.wake()
    },

    async work<T extends object>(
      queue: string,
      { atOnce, rarely = false }: { atOnce: number; rarely?: boolean },
      handle: (data: T) => Promise<void>,
    ) {
      await poll<T>(queue, { most: atOnce, rarely }, (jobs) => Promise.all(jobs.map((job) => end(queue, job, () => handle(job.data)))))
    },

    async workTogether<T extends object>(queue: string, { most }: { most: number }, handle: (data: T[]) => Promise<Results>) {
      const endAlone = (job: JobWithMetadata<T>) => end(queue, job, async () => throwFailure(await handle([job.data]), 0))
      await poll<T>(queue, { most }, async (jobs) => {
        const ended: Ended[] = []
        const [first] = jobs
        if (jobs.length === 1 && first) return [await endAlone(first)]
        try {
          const results = await handle(jobs.map(({ data }) => data))
          for (const [place, job] of jobs.entries()) ended.push(await end(queue, job, async () => throwFailure(results, place)))
        } catch (error) {
          log.warn({ err: error, queue, jobs: jobs.length }, 'jobs failed together and are done one by one')
          for (const job of jobs) ended.push(await endAlone(job))
        }
        return ended
      })
    },

    workInLanes<T extends object>(queue: string, lanes: Lanes, handle: (data: T, how: { isBehind: boolean }) => Promise<void>) {
      const worker = workInLanes<T>({
        ...{ boss, db, log, queue, lanes },
        everyMs: timings.pollSeconds * 1_000,
        heartbeatSeconds: timings.heartbeatSeconds,
        handle: (job, isBehind) => attempt(queue, job, () => handle(job.data, { isBehind })),
      })
      inLanes.set(queue, worker)
    },

    async repeat(queue, cron) {
      await boss.schedule(queue, cron, {}, { tz: 'UTC', missed: 'once', singletonKey: 'repeated' })
    },

    async listFailed({ limit, offset }) {
      const [page, count] = await Promise.all([
        db.query<FailedJob>(
          `select ${FAILED_JOB} from ${SCHEMA}.job where name = $1 and state = 'created' order by created_on desc, id limit $2 offset $3`,
          [FAILED_QUEUE, limit, offset],
        ),
        db.query<{ total: number }>(`select count(*) as total from ${SCHEMA}.job where name = $1 and state = 'created'`, [FAILED_QUEUE]),
      ])
      return { failed: page.rows, total: count.rows[0]?.total ?? 0 }
    },

    async retryFailed(tx, id) {
      return (await boss.redrive(FAILED_QUEUE, { ids: [id], limit: 1, db: adapt(tx) })) > 0
    },

    async lockFailed(tx, id) {
      const { rows } = await tx.query<FailedJob>(
        `select ${FAILED_JOB} from ${SCHEMA}.job where name = $1 and state = 'created' and id = $2 for update`,
        [FAILED_QUEUE, id],
      )
      return rows[0] ?? null
    },

    async dismissFailed(tx, id) {
      await boss.deleteJob(FAILED_QUEUE, id, { db: adapt(tx) })
    },

    async countJobs() {
      const { rows } = await db.query<QueueCount>(
        `select q.name as queue, count(*) filter (where j.state < 'active' and j.start_after <= now()) as waiting,
           count(*) filter (where j.state < 'active' and j.start_after > now()) as later,
           count(*) filter (where j.state = 'active') as active,
           (select count(*) from ${SCHEMA}.job p where p.name = $2 and p.state = 'created' and p.source_name = q.name) as failed
         from unnest($1::text[]) as q (name) left join ${SCHEMA}.job j on j.name = q.name and j.state <= 'active'
         group by q.name order by q.name`,
        [Object.keys(queues), FAILED_QUEUE],
      )
      return rows
    },

    async stop() {
      const laned = [...inLanes.values()]
      const idle = Promise.all([
        ...[...workers.keys()].map((queue) => boss.offWork(queue, { wait: true })),
        ...laned.map((one) => one.stop()),
        clock.stop(),
      ])
      await Promise.race([idle, new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())])
      await Promise.all(laned.map((one) => one.giveBack()))
      await boss.stop({ close: false, graceful: false })
    },
  }
}

function throwFailure(results: Results, place: number) {
  const result = results?.[place]
  if (result?.status === 'rejected') throw result.reason
}

const SET_BACK_MS = 60_000

/**
 * Looks whether the database's clock was set back, and then lets jobs wait no longer than they had to. Does so the first time
 * too, since it may have been set back while no process ran.
 */
function followClock(db: Db): () => Promise<void> {
  let expectedMs: (() => number) | null = null
  return async () => {
    const { rows } = await db.query<{ at: number }>('select (extract(epoch from now()) * 1000)::float8 as at')
    const [atMs, sinceMs] = [Number(rows[0]?.at), performance.now()]
    if (expectedMs === null || expectedMs() - atMs > SET_BACK_MS) await catchUp(db)
    expectedMs = () => atMs + performance.now() - sinceMs
  }
}

/** Jobs added by the clock as it was wait anew, from now on, and pg-boss's own marks are brought back to now. */
async function catchUp(db: Db) {
  const isAhead = (...columns: string[]) => `greatest(${columns.join(', ')}) > now() + interval '${SET_BACK_MS} milliseconds'`
  await db.query(
    `with waiting as (
       update ${SCHEMA}.job set start_after = now() + greatest(start_after - created_on, interval '0'), created_on = now()
       where state < 'active' and ${isAhead('created_on')}
     ), active as (
       update ${SCHEMA}.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
       where state = 'active' and ${isAhead('started_on', 'heartbeat_on')}
     ), queues as (
       update ${SCHEMA}.queue set monitor_claim_on = least(monitor_claim_on, now()), monitor_on = least(monitor_on, now()),
         maintain_on = least(maintain_on, now())
       where ${isAhead('monitor_claim_on', 'monitor_on', 'maintain_on')}
     )
     update ${SCHEMA}.version set cron_on = least(cron_on, now()), flow_on = least(flow_on, now())
     where ${isAhead('cron_on', 'flow_on')}`,
  )
}

async function ensureQueues(boss: PgBoss, queues: Record<string, QueueRules>, timings: JobTimings) {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!known.has(FAILED_QUEUE)) await boss.createQueue(FAILED_QUEUE, { retentionSeconds: 3_650 * DAY_SECONDS })
  for (const [name, { retries, firstRetrySeconds, longestRetrySeconds, isLong }] of Object.entries(queues)) {
    const rules = {
      retryLimit: retries,
      retryDelay: firstRetrySeconds,
      retryBackoff: true,
      retryDelayMax: longestRetrySeconds,
      // Without heartbeats only the expiry tells that a process died.
      expireInSeconds: isLong && timings.heartbeatSeconds !== null ? LONG_JOB_SECONDS : timings.expireSeconds,
      ...(timings.heartbeatSeconds === null ? {} : { heartbeatSeconds: timings.heartbeatSeconds }),
      retentionSeconds: 60 * DAY_SECONDS,
      deleteAfterSeconds: 2 * DAY_SECONDS,
      deadLetter: FAILED_QUEUE,
    }
    const queue = known.get(name)
    // `short`: at most one waiting job per key.
    if (!queue) await boss.createQueue(name, { ...rules, policy: 'short' })
    else if (Object.entries(rules).some(([rule, value]) => queue[rule as keyof typeof queue] !== value)) await boss.updateQueue(name, rules)
  }
}

import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { adapt, JOBS_SCHEMA } from './adapt-database.ts'
import { type Db, transaction } from './db.ts'
import type { Log } from './log.ts'
import { type Loop, startLoop } from './loop.ts'

/**
 * The two lanes of a queue: jobs that were added as `behind`, and all others. `atOnce`: how many of a lane run in this process;
 * `perGroup`: a lane starts no job of a group of which that many run in all processes together, whatever their lane.
 */
export type Lanes = Record<'usual' | 'behind', { atOnce: number; perGroup: number }>

export type LanesWorker = {
  wake(): void
  /** Takes no further jobs, and resolves when those that run have ended. */
  stop(): Promise<void>
  /** Returns to the queue what still runs. */
  giveBack(): Promise<void>
}

/**
 * Works through a queue whose jobs take very unequal times: each job ends for itself, so that a long one holds up none, and
 * the groups that wait take turns. `handle` reports a job's failure by returning it; null when it succeeded.
 */
export function workInLanes<T extends object>({
  boss,
  db,
  log,
  queue,
  lanes,
  everyMs,
  heartbeatSeconds,
  handle,
}: {
  boss: PgBoss
  db: Db
  log: Log
  queue: string
  lanes: Lanes
  everyMs: number
  heartbeatSeconds: number | null
  handle: (job: JobWithMetadata<T>, isBehind: boolean) => Promise<Error | null>
}): LanesWorker {
  const running = new Map<JobWithMetadata<T>, Promise<void>>()
  const states = [
    { ...lanes.usual, priorities: { minPriority: 0 }, isBehind: false, running: 0, served: new Set<string>() },
    { ...lanes.behind, priorities: { maxPriority: -1 }, isBehind: true, running: 0, served: new Set<string>() },
  ]
  type Lane = (typeof states)[number]

  async function takeAll() {
    while (states.some((lane) => lane.running < lane.atOnce)) {
      if ((await db.query(DUE, [queue])).rowCount === 0) return
      const taken = await transaction(db, async (tx) => {
        // Two processes that counted a group's jobs at once would both find room for one more.
        await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`jobs of ${queue}`])
        const found: { lane: Lane; jobs: JobWithMetadata<T>[] }[] = []
        for (const lane of states) if (lane.running < lane.atOnce) found.push({ lane, jobs: await fetch(lane, adapt(tx)) })
        return found
      })
      for (const { lane, jobs } of taken) for (const job of jobs) start(lane, job)
      if (taken.every(({ jobs }) => jobs.length === 0)) return
    }
  }

  /** Those whose turn has not been yet in this round, or, when there is none, all. */
  async function fetch({ atOnce, perGroup, priorities, served, ...lane }: Lane, tx: ReturnType<typeof adapt>) {
    const wanted = { batchSize: atOnce - lane.running, groupConcurrency: perGroup, includeMetadata: true as const, ...priorities, db: tx }
    const jobs = await boss.fetch<T>(queue, { ...wanted, ignoreGroups: [...served] })
    if (jobs.length > 0 || served.size === 0) return jobs
    served.clear()
    return boss.fetch<T>(queue, wanted)
  }

  function start(lane: Lane, job: JobWithMetadata<T>) {
    if (job.groupId) lane.served.add(job.groupId)
    lane.running += 1
    running.set(
      job,
      run(job, lane.isBehind)
        .catch((error: unknown) => log.warn({ err: error, queue, jobId: job.id }, 'a job’s end was not noted; it is done again'))
        .finally(() => {
          running.delete(job)
          lane.running -= 1
          loop.wake()
        }),
    )
  }

  async function run(job: JobWithMetadata<T>, isBehind: boolean) {
    const error = await handle(job, isBehind)
    if (error === null) await boss.complete(queue, job)
    else await boss.fail(queue, job, { message: error.message })
  }

  async function beat() {
    if (running.size === 0) return
    await boss.touch(queue, [...running.keys()]).catch((error: unknown) => log.warn({ err: error, queue }, 'job queue error'))
  }

  const loop: Loop = startLoop({ name: `jobs of ${queue}`, everyMs, work: takeAll, log })
  const heart = heartbeatSeconds === null ? undefined : setInterval(() => void beat(), heartbeatSeconds * 500)
  heart?.unref()
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop()
      await Promise.all(running.values())
    },
    async giveBack() {
      clearInterval(heart)
      if (running.size > 0) await boss.fail(queue, [...running.keys()], { message: 'the process was stopped' })
    },
  }
}

const DUE = `select 1 from ${JOBS_SCHEMA}.job where name = $1 and state < 'active' and start_after <= now() limit 1`

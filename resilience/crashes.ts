import { until } from '../test/until.ts'
import type { Experiment } from './experiment.ts'
import { fillDisk, mountRefusal } from './full-disk.ts'
import { endWhileBuying, killEverything, killOne, pauseWithLock } from './killed-servers.ts'
import { hangDatabase, loseDatabase, swallowReplies } from './lost-database.ts'
import { openShops } from './shops.ts'
import { openUnsafe } from './unsafe-settings.ts'

/** B. Crashes, restarts and lost replies. */
export const crashes: Experiment[] = [
  {
    id: 'B1',
    beside: true,
    expects: 'kill -9 of the server and all of its database under 32 buyers: every acknowledged order exists, it sells again within 15 s',
    runs: { fast: 4, full: 50 },
    async go(trial) {
      await killEverything(trial)
    },
  },
  {
    id: 'B2',
    beside: true,
    expects: 'kill -9 of one of two servers under load: the other serves on without an error, what was cut off is retried cleanly',
    runs: { fast: 4, full: 200 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      try {
        await trial.repeat(() => killOne(trial, shops))
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'B4',
    expects: 'the reply to COMMIT is swallowed, the client tries again with its key: never a second effect, and the true result',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      await swallowReplies(trial)
    },
  },
  {
    id: 'B6',
    beside: true,
    expects: 'SIGTERM with 60 checkouts held by a lock: each is done or refused, none by half, the process ends in 10 s',
    runs: { fast: 2, full: 20 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 1 })
      try {
        await trial.repeat(() => endWhileBuying(trial, shops))
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'B7',
    beside: true,
    expects: 'the database gone: same process, 503 within 3 s, not ready, healthy within 2 s of its return, nothing acknowledged is lost',
    runs: { fast: 2, full: 20 },
    async go(trial) {
      await loseDatabase(trial)
    },
  },
  {
    id: 'B8',
    expects: 'the database hangs (SIGSTOP): the same, and no connection leaks',
    runs: { fast: 3, full: 20 },
    unavailable: () => (process.platform === 'linux' ? null : 'it reads /proc, which is on Linux alone'),
    async go(trial) {
      await hangDatabase(trial)
    },
  },
  {
    id: 'B9',
    expects: 'idle connections ended by the database: no process dies, and it answers again at once',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      const pids = shops.all.map(({ program }) => program.process.pid)
      await trial.repeat(async () => {
        await shops.db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'dwadi%' and state = 'idle' and datname = current_database()`,
        )
        const statuses = await Promise.all(shops.all.map((_, shop) => shops.call('GET', '/product', { shop }).then(({ status }) => status)))
        if (statuses.some((status) => ![200, 503].includes(status))) trial.wrong(`answers: ${statuses}`)
      })
      for (const [shop] of shops.all.entries()) await until(async () => (await shops.call('GET', '/product', { shop })).status === 200)
      trial.same(
        'processes',
        shops.all.map(({ program }) => program.process.exitCode ?? program.process.pid),
        pids,
      )
    },
  },
  {
    id: 'B10',
    beside: true,
    expects: 'a server paused (SIGSTOP) with a wallet locked: the lock is freed within 15 s, and the resumed server commits nothing stale',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      await trial.repeat(() => pauseWithLock(trial))
    },
  },
  {
    id: 'B11',
    beside: true,
    expects: 'the disk under the database full: 503s, no success that is later missing; with space again healthy within 60 s, books right',
    runs: { fast: 1, full: 3 },
    unavailable: mountRefusal,
    async go(trial) {
      await trial.repeat(() => fillDisk(trial))
    },
  },
  {
    id: 'B13',
    beside: true,
    expects: 'a live shop does not open with fsync, synchronous_commit or full_page_writes off, and names the setting',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      await openUnsafe(trial)
    },
  },
]

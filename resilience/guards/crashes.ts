import type { Guard } from './guard.ts'
import { noKey } from './shared-guards.ts'

/** B. Crashes. */
export const crashesGuards: Guard[] = [
  {
    experiment: 'B1',
    runs: 6,
    removed: '`synchronous_commit` (a sale is confirmed before it is on disk)',
    fromDatabase: async (db) => void (await db.query('alter database dwadi set synchronous_commit = off')),
  },
  { experiment: 'B2', runs: 3, removed: 'the replay of a purchase under its key', fromDatabase: noKey },
  { experiment: 'B3', runs: 1, removed: 'the check of the idempotency key', fromDatabase: noKey },
  { experiment: 'B4', runs: 20, removed: 'the check of the idempotency key', fromDatabase: noKey },
  {
    experiment: 'B6',
    runs: 1,
    removed: 'the finishing of what was begun when the process is told to end',
    fromProgram: [['server/main.ts', 'void shutDown().then(() => process.exit(process.exitCode ?? 0))', 'void shutDown; process.exit(0)']],
  },
  {
    experiment: 'B7',
    runs: 1,
    removed: 'that a database which is away is said to be (503)',
    fromProgram: [
      ['server/platform/http/error-replies.ts', 'if (isDatabaseAway(error) || isDatabaseError(', 'if (isDatabaseError('],
      ['server/app.ts', 'if (deps.isDatabaseAlive?.() === false &&', 'if (deps.isDatabaseAlive === null as never &&'],
    ],
  },
  {
    experiment: 'B8',
    runs: 1,
    removed: 'the cutting of connections on which the database hangs',
    fromProgram: [['server/platform/pulse.ts', 'if (!alive) for (const socket of sockets) socket.destroy()', '']],
  },
  {
    experiment: 'B9',
    runs: 5,
    removed: 'the ear for connections that end while they rest',
    fromProgram: [
      ['server/platform/db.ts', "pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))", ''],
      ['server/platform/db.ts', "pool.on('connect', (client) => client.on('error', () => undefined))", ''],
    ],
  },
  {
    experiment: 'B10',
    runs: 1,
    removed: 'the end of transactions in which nothing comes',
    fromProgram: [['server/platform/db.ts', 'idle_in_transaction_session_timeout: 10_000,', 'idle_in_transaction_session_timeout: 0,']],
  },
  {
    experiment: 'B11',
    runs: 1,
    removed: 'that a full disk is a reason to try later (503)',
    fromProgram: [['server/platform/db.ts', "'53300', '53100', '53200', '58030'", "'53300'"]],
  },
  {
    experiment: 'B13',
    runs: 1,
    removed: 'the refusal of unsafe settings in a live shop',
    fromProgram: [['server/main.ts', "if (config.mode === 'live') throw new Error(message)", '']],
  },
]

import { Socket } from 'node:net'
import type * as DatabaseHealthModule from '../../server/platform/database-health.ts'
import type * as DbModule from '../../server/platform/db.ts'
import type * as DurabilityModule from '../../server/platform/durability.ts'
import { type Guard, replace } from './guard.ts'
import { NO_LOOK_AT_THE_DATABASE, noKey } from './shared-guards.ts'

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
    atStart: () => void process.prependListener('SIGTERM', () => process.exit(0)),
  },
  {
    experiment: 'B7',
    runs: 1,
    removed: 'that a database which is away is said to be (503)',
    replaced: [NO_LOOK_AT_THE_DATABASE, replace<typeof DbModule>('../../server/platform/db.ts', { isDatabaseAway: () => () => false })],
  },
  {
    experiment: 'B8',
    runs: 1,
    removed: 'the cutting of connections on which the database hangs',
    replaced: [
      replace<typeof DatabaseHealthModule>('../../server/platform/database-health.ts', {
        watchDatabase:
          ({ watchDatabase }) =>
          (options) => ({ ...watchDatabase(options), socket: () => new Socket() }),
      }),
    ],
  },
  {
    experiment: 'B9',
    runs: 5,
    removed: 'the ear for connections that end while they rest',
    replaced: [
      replace<typeof DbModule>('../../server/platform/db.ts', {
        openPool:
          ({ openPool }) =>
          (options) =>
            openPool(options).removeAllListeners('error').removeAllListeners('connect'),
      }),
    ],
  },
  {
    experiment: 'B10',
    runs: 1,
    removed: 'the end of transactions in which nothing comes',
    replaced: [
      replace<typeof DbModule>('../../server/platform/db.ts', {
        openPool:
          ({ openPool }) =>
          (options) => {
            const pool = openPool(options)
            // The embedded server has a longer one of its own, so 0 would not be for ever.
            pool.options.idle_in_transaction_session_timeout = 3_600_000
            return pool
          },
      }),
    ],
  },
  {
    experiment: 'B11',
    runs: 1,
    removed: 'that a full disk is a reason to try later (503)',
    replaced: [
      replace<typeof DbModule>('../../server/platform/db.ts', {
        isDatabaseAway:
          ({ isDatabaseAway, isDatabaseError }) =>
          (error) =>
            isDatabaseAway(error) && !isDatabaseError(error, '53100', '53200', '58030'),
      }),
    ],
  },
  {
    experiment: 'B13',
    runs: 1,
    removed: 'the refusal of unsafe settings in a live shop',
    replaced: [
      replace<typeof DurabilityModule>('../../server/platform/durability.ts', {
        findUnsafeSettings: () => async () => [],
      }),
    ],
  },
]

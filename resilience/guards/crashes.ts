import { Socket } from 'node:net'
import type * as DatabaseHealthModule from '../../server/platform/database-health.ts'
import type * as DbModule from '../../server/platform/db.ts'
import type * as DurabilityModule from '../../server/platform/durability.ts'
import { type Guard, guard, inModule, replace } from './guard.ts'
import { NO_LOOK_AT_THE_DATABASE, noKey } from './shared-guards.ts'

/** B. Crashes. */
export const crashesGuards: Guard[] = [
  guard('B1', 6, '`synchronous_commit` (a sale is confirmed before it is on disk)', {
    fromDatabase: async (db) => void (await db.query('alter database dwadi set synchronous_commit = off')),
  }),
  guard('B2', 3, 'the replay of a purchase under its key', { fromDatabase: noKey }),
  guard('B3', 1, 'the check of the idempotency key', { fromDatabase: noKey }),
  guard('B4', 20, 'the check of the idempotency key', { fromDatabase: noKey }),
  guard('B6', 3, 'that a process finishes its requests before it ends', {
    atStart: () => void process.prependListener('SIGTERM', () => process.exit(0)),
  }),
  guard('B7', 1, 'that an unreachable database is reported (503)', {
    replaced: [NO_LOOK_AT_THE_DATABASE, replace<typeof DbModule>('../../server/platform/db.ts', { isDatabaseAway: () => () => false })],
  }),
  guard('B8', 1, 'that connections to a hanging database are cut', {
    replaced: [
      inModule<typeof DatabaseHealthModule>('../../server/platform/database-health.ts').wrap('watchDatabase', (watchDatabase, options) => ({
        ...watchDatabase(options),
        socket: () => new Socket(),
      })),
    ],
  }),
  guard('B9', 5, 'the error listeners of idle connections', {
    replaced: [
      inModule<typeof DbModule>('../../server/platform/db.ts').wrap('openPool', (openPool, options) =>
        openPool(options).removeAllListeners('error').removeAllListeners('connect'),
      ),
    ],
  }),
  guard('B10', 1, 'the timeout of idle transactions', {
    replaced: [
      inModule<typeof DbModule>('../../server/platform/db.ts').wrap('openPool', (openPool, options) => {
        const pool = openPool(options)
        // The embedded server has a longer one of its own, so 0 would not be for ever.
        pool.options.idle_in_transaction_session_timeout = 3_600_000
        return pool
      }),
    ],
  }),
  guard('B11', 1, 'that a full disk is answered with 503', {
    replaced: [
      replace<typeof DbModule>('../../server/platform/db.ts', {
        isDatabaseAway:
          ({ isDatabaseAway, isDatabaseError }) =>
          (error) =>
            isDatabaseAway(error) && !isDatabaseError(error, '53100', '53200', '58030'),
      }),
    ],
  }),
  guard('B13', 1, 'the refusal of unsafe settings in a live shop', {
    replaced: [
      replace<typeof DurabilityModule>('../../server/platform/durability.ts', {
        findUnsafeSettings: () => async () => [],
      }),
    ],
  }),
]

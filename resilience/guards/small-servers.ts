import type * as DiskSpaceModule from '../../server/platform/disk-space.ts'
import type * as EmbeddedPostgresModule from '../../server/platform/embedded-postgres.ts'
import type * as AccountModule from '../../server/platform/embedded-postgres-account.ts'
import type * as RateLimiterModule from '../../server/platform/rate-limiter.ts'
import { type Guard, guard, inModule } from './guard.ts'
import { noKey } from './shared-guards.ts'

/** T. Small servers. */
export const smallServersGuards: Guard[] = [
  guard('T1', 1, 'the look at the free space of the disk', {
    replaced: [
      inModule<typeof DiskSpaceModule>('../../server/platform/disk-space.ts').wrap('watchDiskSpace', async (watchDiskSpace, options) => ({
        ...(await watchDiskSpace(options)),
        low: () => null,
        isFull: async () => false,
      })),
    ],
  }),
  guard('T2', 2, 'that it is noticed when a database could not be made', {
    replaced: [
      inModule<typeof AccountModule>('../../server/platform/embedded-postgres-account.ts').wrap(
        'runProgram',
        async (runProgram, way, program, args, timeoutMs) => {
          const ended = await runProgram(way, program, args, timeoutMs)
          return program.endsWith('initdb') ? { ...ended, code: 0 } : ended
        },
      ),
    ],
  }),
  guard('T3', 4, '`fsync` (the database does not wait for the disk)', {
    replaced: [
      inModule<typeof EmbeddedPostgresModule>('../../server/platform/embedded-postgres.ts').wrap(
        'startEmbeddedPostgres',
        (startEmbeddedPostgres, options) => startEmbeddedPostgres({ ...options, durable: false }),
      ),
    ],
  }),
  guard('T4', 1, 'the check of the idempotency key', { fromDatabase: noKey }),
  guard('T5', 2, 'that a limit which was used up before the clock was set back is not', {
    replaced: [
      inModule<typeof RateLimiterModule>('../../server/platform/rate-limiter.ts').wrap('memoryBuckets', (memoryBuckets) => {
        const buckets = memoryBuckets()
        let latest = 0
        return {
          ...buckets,
          async take(charges, now) {
            latest = Math.max(latest, now.getTime())
            return latest > now.getTime() ? latest - now.getTime() : buckets.take(charges, now)
          },
        }
      }),
    ],
  }),
  guard('T6', 1, 'the check of the idempotency key', { fromDatabase: noKey }),
]

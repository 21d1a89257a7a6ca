import type * as ReplaySqlModule from '../../server/platform/replay-sql.ts'
import { RELEASED } from '../released-version.ts'
import { type Guard, guard, inModule } from './guard.ts'

/** R. Releases. */
export const releasesGuards: Guard[] = [
  guard('R1', 1, 'that an older process knows the database’s functions for newer ones, by the release, and lets them be', {
    replaced: [
      inModule<typeof ReplaySqlModule>('../../server/platform/replay-sql.ts').wrap('readSqlRelease', async (readSqlRelease) => ({
        ...(await readSqlRelease()),
        release: RELEASED.version,
      })),
    ],
  }),
]

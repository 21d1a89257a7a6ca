import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { LIVE_SETTINGS } from '../test/live-settings.ts'
import { until } from '../test/until.ts'
import type { Trial } from './experiment.ts'
import { makeFolder, startProgram } from './leftovers.ts'
import { PASSWORD, withoutGuard } from './shops.ts'

const log = createLog('silent')

export async function openUnsafe(trial: Trial) {
  const dataDir = makeFolder('unsafe')
  const database = await startEmbeddedPostgres({ dataDir, log })
  const db = openPool({ url: database.url(), size: 1, log, name: 'resilience' })
  const live = {
    ...LIVE_SETTINGS,
    PORT: '0',
    ADMIN_PASSWORD: PASSWORD,
  }
  try {
    for (const setting of ['synchronous_commit', 'fsync', 'full_page_writes']) {
      // The embedded server sets these two on its command line, so they are changed in the database.
      if (setting === 'synchronous_commit') await db.query(`alter database dwadi set synchronous_commit = off`)
      else if (!(await canBeOff(db, setting))) {
        await startEmbeddedPostgres({ dataDir: join(dataDir, 'other'), log, settings: { [setting]: 'off' } }).then(
          async (opened) => {
            trial.wrong(`the embedded database started with ${setting} = off`)
            await opened.stop()
          },
          (error: unknown) => {
            if (!String(error).includes(setting)) trial.wrong(`the refusal does not name ${setting}: ${error}`)
          },
        )
        trial.did()
        continue
      }
      const program = startProgram('server/main.ts', {
        ...live,
        ...withoutGuard(trial.opening),
        DATABASE_URL: database.url(),
      })
      // A shop that opens in spite of it would never end by itself.
      const opened = program.prints(/is open at/, 60_000).then(() => program.process.kill('SIGTERM'))
      const code = await Promise.race([
        program.ended(),
        opened.then(
          () => 'it opened',
          () => program.ended(),
        ),
      ])
      trial.same(`exit with ${setting} off`, code, 1)
      if (!program.output().includes(`${setting} = off`)) trial.wrong(`it does not name ${setting}`)
      await db.query(`alter database dwadi reset all`)
      trial.did()
    }
  } finally {
    await db.end()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function canBeOff(db: Db, setting: string): Promise<boolean> {
  const { rows } = await db.query<{ source: string }>('select source from pg_settings where name = $1', [setting])
  if (rows[0]?.source === 'command line') return false
  await db.query(`alter system set ${setting} = off`)
  await db.query('select pg_reload_conf()')
  return until(
    async () =>
      (await db.query<{ setting: string }>('select setting from pg_settings where name = $1', [setting])).rows[0]?.setting === 'off',
  )
}

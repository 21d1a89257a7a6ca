import { execFileSync } from 'node:child_process'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { allow } from '../test/slowness.ts'
import { until } from '../test/until.ts'
import type { Trial } from './experiment.ts'
import { makeFolder } from './leftovers.ts'
import { openShops } from './shops.ts'

const log = createLog('silent')

const DISK_MB = 192

/** Why no small disk can be mounted here; null where it can. */
export function mountRefusal(): string | null {
  if (process.platform !== 'linux') return 'a small disk is mounted on Linux alone'
  if (process.getuid?.() !== 0) return 'only root may mount a small disk'
  try {
    const folder = makeFolder('probe')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' })
    execFileSync('umount', [folder], { stdio: 'pipe' })
    execFileSync('rmdir', [folder])
    return null
  } catch (error) {
    return `no disk can be mounted here: ${String((error as Error).message).split('\n')[1] ?? 'refused'}`
  }
}

export async function fillDisk(trial: Trial) {
  const folder = makeFolder('disk')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'pipe' })
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log, settings: { max_wal_size: '64MB' } })
  const shops = await openShops({ ...trial.opening, processes: 1, databaseUrl: database.url() })
  try {
    const line = shops.line()
    const buyer = await shops.makeUser({ pesewas: 100_000_000 })
    const acknowledged: string[] = []
    const buyMany = async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const key = crypto.randomUUID()
          const { status } = await shops.buy(buyer, Array(20).fill(line), key)
          if (status === 200) acknowledged.push(key)
          return status
        }),
      )
      return replies
    }
    trial.same('before', [...new Set(await buyMany())], [200])
    const { bavail, bsize } = await statfs(folder)
    await mkdir(join(folder, 'filler'))
    // The database may take the rest meanwhile: then the disk is full, which is what this is for.
    await writeFile(join(folder, 'filler/file'), Buffer.alloc(Math.max(0, bavail * bsize - 256 * 1024))).catch((error) => {
      if (error.code !== 'ENOSPC') throw error
    })
    const statuses = new Set<number>()
    const since = Date.now()
    while (Date.now() - since < allow(20_000) && !statuses.has(503)) for (const status of await buyMany()) statuses.add(status)
    trial.same(
      'while it is full: answers but 200 and 503',
      [...statuses].filter((status) => ![200, 503].includes(status)),
      [],
    )
    if (!statuses.has(503)) trial.wrong('the disk was never full')
    await rm(join(folder, 'filler'), { recursive: true })
    const backAt = performance.now()
    await until(async () => (await shops.buy(buyer, [line])).status === 200, 60_000)
    trial.note(`sold again ${((performance.now() - backAt) / 1000).toFixed(1)} s after there was space`)
    const { rows } = await shops.db.query<{ found: number }>(
      `select count(*) as found from idempotency_keys where key = any ($1) and outcome ->> 'outcome' = 'placed'`,
      [acknowledged.map((key) => `checkout:${key}`)],
    )
    trial.same('acknowledged and found', rows[0]?.found, acknowledged.length)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await database.stop()
    execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
    await rm(folder, { recursive: true, force: true })
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { InboxReply } from '../shared/inbox.ts'
import { callAt } from '../test/http-client.ts'
import { allow } from '../test/slowness.ts'
import { until } from '../test/until.ts'
import type { Trial } from './experiment.ts'
import { ALONE, buyOn, type Journal, openTrade, proveJournal, spoilOwn } from './killed-servers.ts'
import { startProgram } from './leftovers.ts'
import { type LoopDisk, makeLoopDisk } from './loop-disk.ts'
import { count } from './measure.ts'
import { type Shop, startShop, withoutGuard } from './shops.ts'

const DISK_MB = 400
const LOW_MB = 90
/** What is left when the buyers begin: below what the owner wants to be told of, and soon used up. */
const LEFT_MB = 60
const BUYERS = 16
const FULL_WITHIN_MS = 180_000
/** A sale may still find room after the first that did not. */
const SAID_WITHIN_MS = 15_000
const BACK_WITHIN_MS = 60_000

/** The whole shop, its embedded database included, on a small disk, until there is nothing left of it. */
export async function sellUntilFull(trial: Trial) {
  const disk = makeLoopDisk('small', DISK_MB)
  const dataDir = join(disk.folder, 'data')
  const env = { DATA_DIR: dataDir, ...ALONE, DISK_LOW_MB: String(LOW_MB), LOG_LEVEL: 'warn', ...withoutGuard(trial.opening) }
  let shop = await startShop(env)
  try {
    const { admin, buyers, line } = await openTrade(shop, BUYERS)
    if (trial.opening.spoil) await spoilOwn(trial, dataDir)
    const needsMe = async () => {
      const { body } = await callAt<InboxReply>(shop.address, 'GET', '/admin/inbox', { as: admin })
      return (body.groups ?? []).some(({ kind }) => kind === 'disk-low')
    }
    const journal: Journal[] = []
    await trial.repeat(async () => {
      trial.same('told of a disk with enough space', await needsMe(), false)
      disk.fillUp(LEFT_MB)
      await until(needsMe, 15_000).catch(() => trial.wrong('the owner is not told that the disk is nearly full'))
      if (!/ALARM disk-low/.test(shop.program.output())) trial.wrong('the log has no alarm')

      const seen = new Map<number, string>()
      let going = true
      const ready = () => callAt<{ reason?: string }>(shop.address, 'GET', '//readyz')
      const buying = buyers.map((buyer) =>
        buyOn(
          () => shop.address,
          buyer,
          line,
          journal,
          () => going,
          ({ status, text }) => void seen.set(status, text),
        ),
      )
      const since = performance.now()
      let reason = ''
      let fullAt = Number.POSITIVE_INFINITY
      while (performance.now() - since < allow(FULL_WITHIN_MS) && reason === '' && performance.now() - fullAt < SAID_WITHIN_MS) {
        // What others write to the same disk: a log, a backup, a letter.
        if (performance.now() - since > FULL_WITHIN_MS / 6) disk.fillUp(0)
        await wait(200)
        if (seen.has(503)) fullAt = Math.min(fullAt, performance.now())
        const { status, body } = await ready()
        if (status === 503 && /disk is full/.test(body.reason ?? '')) reason = body.reason as string
      }
      const filledMs = performance.now() - since
      // A free block more or less, and /readyz says so before a sale finds out.
      await until(() => seen.has(503), SAID_WITHIN_MS).catch(() => trial.wrong('the disk was never full'))
      trial.same('what /readyz says', /the disk is full/.test(reason), true)
      // Some more of it.
      await wait(2_000)
      trial.same(
        'answers but 200 and 503',
        [...seen].filter(([status]) => ![200, 503].includes(status)),
        [],
      )
      trial.same('the refusal', /try again/.test(seen.get(503) ?? ''), true)
      trial.same('the process is up', (await callAt(shop.address, 'GET', '//healthz')).status, 200)
      await backUp(trial, disk, dataDir)
      const sellsAgain = async () => {
        const since = performance.now()
        await until(async () => {
          const reply = await callAt(shop.address, 'POST', '/order/checkout', {
            as: buyers[0] as { token: string },
            body: { items: [line] },
            headers: { 'idempotency-key': crypto.randomUUID() },
          })
          return reply.status === 200
        }, BACK_WITHIN_MS)
        return performance.now() - since
      }
      // Somebody makes room, and nobody starts anything again.
      disk.free()
      const recoveredMs = await sellsAgain().catch(() => {
        trial.wrong('with space it does not sell before it is started again')
        return Number.NaN
      })
      await wait(1_000)
      seen.clear()
      disk.fillUp(0)
      await until(() => seen.has(503), FULL_WITHIN_MS).catch(() => trial.wrong('the disk was not full a second time'))
      going = false
      await Promise.all(buying)
      shop = await startOnFull(trial, shop, env, disk)
      const backMs = await sellsAgain()
      await until(async () => (await ready()).status === 200 && !(await needsMe()), 30_000)
      trial.note(
        `full after ${(filledMs / 1000).toFixed(0)} s, ${count(journal, ({ outcome }) => outcome === 'ok')} acknowledged, ${count(journal, ({ outcome }) => outcome === 'unknown')} refused or unanswered, sold again by itself ${(recoveredMs / 1000).toFixed(1)} s after there was space, and started on it ${(backMs / 1000).toFixed(1)} s`,
      )
      await proveJournal(trial, dataDir, journal)
    })
  } finally {
    shop.program.process.kill('SIGTERM')
    await shop.program.ended()
    disk.remove()
  }
}

/** A backup to the disk that is full fails, says so, and leaves nothing. */
async function backUp(trial: Trial, disk: LoopDisk, dataDir: string) {
  const folder = join(disk.folder, 'backups')
  await mkdir(folder, { recursive: true }).catch(() => undefined)
  const program = startProgram('tools/backup.ts', { DATA_DIR: dataDir, ...ALONE, ...withoutGuard(trial.opening) }, [
    join(folder, 'shop.zst'),
  ])
  const code = await program.ended()
  trial.same('the exit code of a backup', code, 1)
  trial.same('what a backup left', existsSync(folder) ? readdirSync(folder) : [], [])
  if (!/No backup was made/.test(program.output())) trial.wrong(`a backup says: ${program.output().slice(-300)}`)
}

/** Started on a full disk it opens, or ends and says why; with space it opens. Returns the shop that is open. */
async function startOnFull(trial: Trial, shop: Shop, env: Record<string, string>, disk: LoopDisk): Promise<Shop> {
  shop.program.process.kill('SIGTERM')
  await shop.program.ended()
  disk.fillUp(0)
  const opened = await startShop(env).catch((error: Error) => error)
  if (!(opened instanceof Error)) {
    disk.free()
    return opened
  }
  if (!/No space left|ENOSPC|disk/i.test(opened.message)) trial.wrong(`started on a full disk it says: ${opened.message.slice(-400)}`)
  trial.note('started on the full disk it ends and says why')
  disk.free()
  return startShop(env)
}

/** Megabytes that are free at a first start: none, too few for the database, and too few for its tables. */
const FIRST_STARTS_MB = [0, 5, 30, 55, 62, 70]

/** A first start on a disk that is too small ends and says why, whatever it was at; with space the same folder opens. */
export async function startOnSmallDisk(trial: Trial) {
  await trial.repeat(async (run) => {
    const leaveMb = FIRST_STARTS_MB[run % FIRST_STARTS_MB.length] as number
    const disk = makeLoopDisk('small', DISK_MB)
    const env = { DATA_DIR: join(disk.folder, 'data'), ...ALONE, ...withoutGuard(trial.opening) }
    let shop: Shop | undefined
    try {
      disk.fillUp(leaveMb)
      const opened = await startShop(env).catch((error: Error) => error)
      if (opened instanceof Error) {
        const reason = /could not [^\n"]*No space left on device|ENOSPC[^\n"]*|No space left on device/i.exec(opened.message)?.[0]
        trial.note(`with ${leaveMb} MB it ends: ${reason ?? 'unclear'}`)
        if (!reason) trial.wrong(`with ${leaveMb} MB it says: ${opened.message.slice(-400)}`)
      } else {
        trial.note(`with ${leaveMb} MB it opens`)
        opened.program.process.kill('SIGTERM')
        await opened.program.ended()
      }
      disk.free()
      shop = await startShop(env)
      const { buyers, line } = await openTrade(shop, 1)
      const journal: Journal[] = []
      let bought = 0
      await buyOn(
        () => (shop as Shop).address,
        buyers[0] as { token: string },
        line,
        journal,
        () => bought++ < 3,
      )
      trial.same(
        `bought after ${leaveMb} MB`,
        count(journal, ({ outcome }) => outcome === 'ok'),
        3,
      )
      await proveJournal(trial, env.DATA_DIR, journal)
    } finally {
      shop?.program.process.kill('SIGTERM')
      await shop?.program.ended()
      disk.remove()
    }
  })
}

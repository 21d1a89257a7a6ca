import { join } from 'node:path'
import { callAt } from '../test/http-client.ts'
import type { Trial } from './experiment.ts'
import { ALONE, buyOn, type Journal, openTrade, proveJournal, spoilOwn } from './killed-servers.ts'
import { makeLoopDisk, whyNoLoopDisk } from './loop-disk.ts'
import { unpackReleased, whyNoReleased } from './released-program.ts'
import { startShop, withoutGuard } from './shops.ts'

const DISK_MB = 500
/** What is left of the disk as the new version is started. */
const LEFT_MB = [0, 1, 4, 12, 40]
const BOUGHT_BEFORE = 20
const ASKED_AGAIN = 5

export async function whyNoUpgradeOnFullDisk(): Promise<string | null> {
  return whyNoReleased() ?? (await whyNoLoopDisk())
}

/** The new version is started on a full disk with a database that the released one has sold from. */
export async function upgradeOnFullDisk(trial: Trial) {
  const released = unpackReleased()
  await trial.repeat(async (run) => {
    const leaveMb = LEFT_MB[run % LEFT_MB.length] as number
    const disk = makeLoopDisk('upgrade', DISK_MB)
    const dataDir = join(disk.folder, 'data')
    const env = { DATA_DIR: dataDir, ...ALONE }
    const journal: Journal[] = []
    let shop = await startShop(env, released)
    const stop = async () => {
      shop.program.process.kill('SIGTERM')
      await shop.program.ended()
    }
    try {
      const { buyers, line } = await openTrade(shop, 1)
      const buyer = buyers[0] as { token: string }
      if (trial.opening.spoil) await spoilOwn(trial, dataDir)
      const buy = async (times: number) => {
        let left = times
        await buyOn(
          () => shop.address,
          buyer,
          line,
          journal,
          () => left-- > 0,
        )
      }
      await buy(BOUGHT_BEFORE)
      await stop()
      disk.fillUp(leaveMb)
      const opened = await startShop({ ...env, ...withoutGuard(trial.opening) }).catch((error: Error) => error)
      if (opened instanceof Error) {
        if (!/No space left|ENOSPC|disk/i.test(opened.message)) trial.wrong(`with ${leaveMb} MB it says: ${opened.message.slice(-400)}`)
        trial.note(`with ${leaveMb} MB the new version ends and says why`)
        disk.free()
        // The version before takes over again, as if the other had never been started.
        shop = await startShop(env, released)
        await buy(2)
        await stop()
        shop = await startShop({ ...env, ...withoutGuard(trial.opening) })
      } else {
        trial.note(`with ${leaveMb} MB it upgrades`)
        shop = opened
        disk.free()
      }
      await buy(2)
      trial.same('purchases without an answer', journal.filter(({ outcome }) => outcome !== 'ok').length, 0)
      for (const one of journal.slice(0, ASKED_AGAIN)) {
        const again = await callAt(shop.address, 'POST', '/order/checkout', {
          as: buyer,
          body: { items: [one.line] },
          headers: { 'idempotency-key': one.key },
        })
        trial.same('a purchase of before asked for again', again.status, 200)
      }
      await proveJournal(trial, dataDir, journal)
    } finally {
      await stop()
      disk.remove()
    }
  })
}

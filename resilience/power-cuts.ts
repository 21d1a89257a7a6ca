import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import type { Trial } from './experiment.ts'
import { ALONE, buyOn, type Journal, openTrade, proveJournal } from './killed-servers.ts'
import { endDatabaseOf, listDatabaseOf } from './leftovers.ts'
import { makeLoopDisk } from './loop-disk.ts'
import { count, quantile } from './measure.ts'
import { startShop, withoutGuard } from './shops.ts'

const DISK_MB = 900
const BUYERS = 16

/**
 * The file system under the shop stops at once and forgets what was not synced; then every process is killed, the disk mounted again,
 * and the shop started.
 */
export async function cutPower(trial: Trial) {
  const disk = makeLoopDisk('power', DISK_MB)
  const dataDir = join(disk.folder, 'data')
  const env = { DATA_DIR: dataDir, ...ALONE, ...withoutGuard(trial.opening) }
  let shop = await startShop(env)
  try {
    const { buyers, line } = await openTrade(shop, BUYERS)
    const journal: Journal[] = []
    const backMs: number[] = []
    await trial.repeat(async () => {
      let going = true
      const buying = buyers.map((buyer) =>
        buyOn(
          () => shop.address,
          buyer,
          line,
          journal,
          () => going,
        ),
      )
      await wait(300 + trial.random() * 2_000)
      const processes = listDatabaseOf(dataDir)
      await disk.cutPower()
      // What is answered from now on was answered by a machine without power, so nobody hears it.
      shop.program.process.kill('SIGKILL')
      endDatabaseOf(dataDir, processes)
      going = false
      await Promise.all([...buying, shop.program.ended()])
      await until(() => tryTo(disk.plugIn), 20_000)
      const since = performance.now()
      shop = await startShop(env)
      await until(async () => (await callAt(shop.address, 'GET', '/product', {})).status === 200, 30_000)
      backMs.push(performance.now() - since)
      await proveJournal(trial, dataDir, journal)
    })
    trial.note(
      `${count(journal, ({ outcome }) => outcome === 'ok')} acknowledged, ${count(journal, ({ outcome }) => outcome === 'unknown')} unknown, back in ${quantile(backMs, 0.5).toFixed(0)} ms, ${quantile(backMs, 1).toFixed(0)} ms at most`,
    )
    trial.within('selling again', quantile(backMs, 1), 15_000)
  } finally {
    shop.program.process.kill('SIGTERM')
    await shop.program.ended()
    disk.remove()
  }
}

/** A killed process lets go of its files a moment later. */
function tryTo(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

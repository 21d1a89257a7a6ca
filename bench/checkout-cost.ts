import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { closeShop, openShop } from '../test/process/open-shops.ts'
import { openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, describeCommit } from './figures.ts'
import { makeBuyers } from './make-buyers.ts'

// What a wallet checkout costs in processor time, with all that follows from it: npm run node -- bench/checkout-cost.ts [--clients 1]
// [--checkouts 1500]. Unlike a rate, it says something on a busy machine too. Linux: read from /proc.
const { values } = parseArgs({ options: { clients: { type: 'string', default: '1' }, checkouts: { type: 'string', default: '1500' } } })
const [clients, checkouts] = [Number(values.clients), Number(values.checkouts)] as const
const FIRST_CHECKOUTS = 600
/** What a sale sets off (its relay, the operator's message) has ended by then, or falls behind. */
const AFTERWARDS_MS = 2_500
/** Of the kernel's clock, a hundred a second. */
const TICK_US = 10_000

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-cost-'))
const shop = await openShop({ DATA_DIR: dataDir })
try {
  const pid = shop.program.process.pid as number
  const buyers = await makeBuyers((await findRunningPostgres({ dataDir })) as string, 128, 1_000_000)
  const { buy, close } = await openHttpBuyers(shop.address, buyers, clients)
  const sell = async (count: number) => {
    let left = count
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let turn = 0; left-- > 0; turn++) await buy(client, turn)
      }),
    )
  }
  await sell(FIRST_CHECKOUTS)
  await sleep(AFTERWARDS_MS)
  const before = await spentTicks(pid)
  await sell(checkouts)
  const sold = await spentTicks(pid)
  await sleep(AFTERWARDS_MS)
  const after = await spentTicks(pid)
  close()
  const each = (ticks: number) => `${Math.round((ticks * TICK_US) / checkouts)} us`
  console.log(`${checkouts} checkouts by ${clients} clients at commit ${describeCommit()}, load ${currentLoad()}`)
  console.log(`each while they are sold: the shop ${each(sold.own - before.own)}, its database ${each(sold.below - before.below)}`)
  console.log(`with what comes after: the shop ${each(after.own - before.own)}, its database ${each(after.below - before.below)}`)
} finally {
  await closeShop(shop)
  await rm(dataDir, { recursive: true, force: true })
}

/** Processor time of a process, and of all below it with those that have ended. */
async function spentTicks(pid: number): Promise<{ own: number; below: number }> {
  const all = new Map<number, { parent: number; own: number; ended: number }>()
  for (const one of (await readdir('/proc')).map(Number).filter(Boolean)) {
    const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => null)
    if (stat === null) continue
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((place) => fields[place])
    all.set(one, { parent, own: user + system, ended: endedUser + endedSystem })
  }
  const isBelow = (one: number): boolean => {
    const parent = all.get(one)?.parent ?? 0
    return parent === pid || (parent > 1 && isBelow(parent))
  }
  let below = 0
  for (const [one, { own, ended }] of all) if (isBelow(one)) below += own + ended
  return { own: all.get(pid)?.own ?? 0, below }
}

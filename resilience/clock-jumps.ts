import { existsSync } from 'node:fs'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Db, openPool } from '../server/platform/db.ts'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import type { Trial } from './experiment.ts'
import { ALONE, type Journal, openTrade, proveJournal, spoilOwn } from './killed-servers.ts'
import { makeFolder } from './leftovers.ts'
import { count, quantile } from './measure.ts'
import { type Line, PASSWORD, startShop, withoutGuard } from './shops.ts'

const MINUTE = 60
const DAY = 86_400
/** Seconds that the clock is moved by, one after the other; after six it is right again. */
const JUMPS = [5 * MINUTE, -5 * MINUTE, 60 * MINUTE, -60 * MINUTE, DAY, -DAY]
const BUYERS = 16
/** Together below the 50 requests a second that one address gets for long. */
const PACE_MS = 800
const SELLS_WITHIN_MS = 15_000
const CHECKED_WITHIN_MS = 60_000
const ASKED_AGAIN = 5

/** libfaketime replaces the calls that read the clock, in the shop and its database alike. */
const LIBRARY = ['x86_64', 'aarch64'].map((kind) => `/usr/lib/${kind}-linux-gnu/faketime/libfaketimeMT.so.1`).find(existsSync)

export function whyNoFakeClock(): string | null {
  return LIBRARY ? null : 'libfaketime is not installed (apt-get install libfaketime)'
}

type Buyer = { phone: string; token: string }

/** The clock of the whole machine, the shop's and its database's, is moved forth and back while it sells. */
export async function jumpClocks(trial: Trial) {
  const folder = makeFolder('clock')
  const clock = join(folder, 'clock')
  const moveTo = async (seconds: number) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  await moveTo(0)
  await chmod(clock, 0o644)
  const dataDir = join(folder, 'data')
  const env = {
    DATA_DIR: dataDir,
    ...ALONE,
    ...withoutGuard(trial.opening),
    JOB_TIMINGS: 'quick',
    LD_PRELOAD: LIBRARY as string,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  let shop = await startShop(env)
  const buyers: Buyer[] = []
  let going = true
  let buying: Promise<unknown> = Promise.resolve()
  try {
    const trade = await openTrade(shop, BUYERS)
    buyers.push(...trade.buyers.map(({ token }, index) => ({ phone: `05700000${String(index).padStart(2, '0')}`, token })))
    if (trial.opening.spoil) await spoilOwn(trial, dataDir)
    shop.program.process.kill('SIGTERM')
    await shop.program.ended()
    shop = await startShop({ ...env, RATE_LIMITS: 'on' })
    const db = openPool({ url: (await findRunningPostgres({ dataDir })) as string, size: 2, log: createLog('silent'), name: 'resilience' })
    const journal: Journal[] = []
    const sold = { at: 0 }
    buying = Promise.all(
      buyers.map((buyer) =>
        buySlowly(
          () => shop.address,
          buyer,
          trade.line,
          journal,
          () => going,
          () => {
            sold.at = performance.now()
          },
        ),
      ),
    )
    const backMs: number[] = []
    let shift = 0
    try {
      await trial.repeat(async (run) => {
        await until(() => sold.at > 0, SELLS_WITHIN_MS)
        const checkedBefore = await newestCheck(db)
        shift += JUMPS[run % JUMPS.length] as number
        await moveTo(shift)
        const since = performance.now()
        // Whatever was on its way at the jump has been answered by then.
        await wait(1_000)
        const from = performance.now()
        await until(() => sold.at > from, SELLS_WITHIN_MS).catch(() => trial.wrong(`nothing is sold after a jump to ${shift} s`))
        backMs.push(sold.at - since)
        trial.same(
          'seconds that the database is off by',
          Math.round((await databaseShiftMs(db)) / MINUTE / 1_000),
          Math.round(shift / MINUTE),
        )
        await until(async () => (await newestCheck(db)) > checkedBefore, CHECKED_WITHIN_MS).catch(() =>
          trial.wrong(`the books are not checked after a jump to ${shift} s`),
        )
        for (const one of journal.filter(({ outcome }) => outcome === 'ok').slice(-ASKED_AGAIN)) {
          const again = await callAt(shop.address, 'POST', '/order/checkout', {
            as: one.buyer,
            body: { items: [one.line] },
            headers: { 'idempotency-key': one.key },
          })
          trial.same('the same purchase asked for again', again.status, 200)
        }
        await proveJournal(trial, dataDir, [...journal.filter(({ outcome }) => outcome !== 'unknown')])
      })
    } finally {
      going = false
      await buying
      await db.end()
    }
    trial.note(
      `${count(journal, ({ outcome }) => outcome === 'ok')} acknowledged, ${count(journal, ({ outcome }) => outcome === 'refused')} refused, ${count(journal, ({ outcome }) => outcome === 'unknown')} unknown, sold ${quantile(backMs, 1).toFixed(0)} ms after a jump at most`,
    )
  } finally {
    going = false
    await buying
    shop.program.process.kill('SIGTERM')
    await shop.program.ended()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Buys at a customer's pace, and signs in again when the session has ended. */
async function buySlowly(address: () => string, buyer: Buyer, line: Line, journal: Journal[], going: () => boolean, onSold: () => void) {
  while (going()) {
    const entry: Journal = { key: crypto.randomUUID(), buyer: { token: buyer.token }, line, outcome: 'unknown' }
    const { status } = await callAt(address(), 'POST', '/order/checkout', {
      as: buyer,
      body: { items: [line] },
      headers: { 'idempotency-key': entry.key },
    })
    if (status === 200) entry.outcome = 'ok'
    else if (status >= 400 && status < 500) entry.outcome = 'refused'
    journal.push(entry)
    if (status === 200) onSold()
    if (status === 401) {
      const again = await callAt<{ token: string }>(address(), 'POST', '/user/login', {
        body: { userPhone: buyer.phone, password: PASSWORD },
      })
      if (again.status === 200) buyer.token = again.body.token
    }
    await wait(PACE_MS)
  }
}

async function newestCheck(db: Db): Promise<number> {
  const { rows } = await db.query<{ id: number }>('select coalesce(max(id), 0) as id from invariant_checks')
  return rows[0]?.id ?? 0
}

async function databaseShiftMs(db: Db): Promise<number> {
  const { rows } = await db.query<{ at: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as at')
  return Number(rows[0]?.at) - Date.now()
}

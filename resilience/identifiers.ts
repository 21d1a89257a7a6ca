import { readStats } from '../server/features/office/stats/read-stats.ts'
import { makeReference } from '../server/platform/reference.ts'
import type { Experiment, Trial } from './experiment.ts'
import { eachOf } from './measure.ts'
import type { Shops } from './shops.ts'

/** G. Identifiers and time. */
export const identifiers: Experiment[] = [
  {
    id: 'G1',
    expects:
      'references from both makers (the program and the database): no duplicate, 20 letters and digits (119 bits), all 62 equally likely',
    runs: { fast: 400_000, full: 10_000_000 },
    async go(trial) {
      const shops = await trial.shops()
      const seen = new Set<string>()
      const tally = new Map<string, number>()
      const add = (reference: string) => {
        if (seen.has(reference)) trial.wrong(`${reference} was made twice`)
        seen.add(reference)
        if (!/^[A-Za-z0-9]{20}$/.test(reference)) trial.wrong(`${reference} is not of 20 letters and digits`)
        if (seen.size <= 200_000) for (const letter of reference) tally.set(letter, (tally.get(letter) ?? 0) + 1)
      }
      const fromDatabase = Math.floor(trial.runs / 20)
      for (let done = 0; done < fromDatabase; done += 20_000) {
        const { rows } = await shops.db.query<{ reference: string }>(
          'select new_reference() as reference from generate_series(1, $1::int)',
          [Math.min(20_000, fromDatabase - done)],
        )
        for (const { reference } of rows) add(reference)
      }
      while (seen.size < trial.runs) add(makeReference())
      trial.did(seen.size)
      const counts = [...tally.values()]
      const mean = counts.reduce((sum, one) => sum + one, 0) / 62
      const chi = counts.reduce((sum, one) => sum + (one - mean) ** 2 / mean, 0)
      trial.note(`chi-square ${chi.toFixed(0)} over 61 degrees of freedom`)
      // 61 degrees of freedom: beyond 120 is less likely than one in ten thousand.
      if (counts.length !== 62 || chi > 120) trial.wrong(`the letters are not equally likely: ${chi.toFixed(0)}`)
    },
  },
  {
    id: 'G4',
    expects: 'statistics at the ends of day, week, month, year and on 29 February, and around them: the UTC day, which is Ghana’s',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      for (const at of INSTANTS) {
        await countAround(trial, shops, new Date(at))
        trial.did()
      }
      const { rows } = await shops.db.query<{ kept: number; real: number }>(
        `select (select coalesce(sum(orders), 0) from order_counts where day <> 'infinity') as kept, (select count(*) from orders) as real`,
      )
      trial.same('the counts of the days', rows[0]?.kept, rows[0]?.real)
    },
  },
  {
    id: 'G5',
    expects: 'guessed ids and references in addresses: no hit',
    runs: { fast: 400, full: 1_000_000 },
    async go(trial) {
      const shops = await trial.shops()
      const [person, other] = [await shops.makeUser(), await shops.makeUser()]
      // There must be something to hit: with 20 of 62 first letters taken, whoever is asked for one alone hits soon.
      await eachOf(Array.from({ length: 20 }), 4, () =>
        shops.call('POST', '/payment', { as: other, body: { purpose: 'order', items: [shops.line()] } }),
      )
      await eachOf(Array.from({ length: trial.runs }), 16, async () => {
        const { status } = await shops.call('POST', `/payment/${makeReference()}/confirm`, { as: person, body: {} })
        if (status !== 404) trial.wrong(`a guess replied ${status}`)
        trial.did()
      })
    },
  },
]

/**
 * What one order more, made at that moment, adds to the statistics of then and of the next day, for a database whose own
 * days begin half a day earlier. Nothing of it is committed.
 */
async function countAround(trial: Trial, shops: Shops, at: Date) {
  const { id } = await shops.makeUser()
  const tx = await shops.db.connect()
  try {
    await tx.query('begin')
    await tx.query(`set local timezone = 'Pacific/Auckland'`)
    const nextDay = new Date(at.getTime() + DAY_MS)
    const read = async (now: Date) => {
      const { today, thisMonth, lastMonth } = (await readStats(tx, now)).orders
      return [today.count, thisMonth.count, lastMonth.count]
    }
    const before = { sameDay: await read(at), nextDay: await read(nextDay) }
    await tx.query(
      `insert into orders (user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference, created_at)
       select $1, id, network, '1GB', image_hash, 'Customer', '0551234567', 700, 'wallet', new_reference(), $2 from products limit 1`,
      [id, at],
    )
    const added = async (now: Date, earlier: number[]) => (await read(now)).map((count, index) => count - (earlier[index] as number))
    const isSameMonth = at.getUTCMonth() === nextDay.getUTCMonth()
    const name = at.toISOString()
    trial.same(`${name}: today, this month, last month`, await added(at, before.sameDay), [1, 1, 0])
    trial.same(`${name}: the same a day later`, await added(nextDay, before.nextDay), isSameMonth ? [0, 1, 0] : [0, 0, 1])
  } finally {
    await tx.query('rollback')
    tx.release()
  }
}

const DAY_MS = 86_400_000
const INSTANTS = [
  '2026-11-21T23:59:59.999Z',
  '2026-11-22T00:00:00.000Z',
  '2026-11-30T23:59:59.999Z',
  '2026-12-31T23:59:59.999Z',
  '2027-01-01T00:00:00.000Z',
  '2028-02-29T00:00:00.000Z',
  '2028-02-29T23:59:59.999Z',
  '2028-03-01T00:00:00.000Z',
]

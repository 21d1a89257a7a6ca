import { makeReference } from '../server/platform/reference.ts'
import type { Experiment } from './experiment.ts'
import { eachOf } from './measure.ts'

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
        const { rows } = await shops.db.query<{ day: string }>(
          `select to_char(($1::timestamptz at time zone 'UTC')::date, 'YYYY-MM-DD') as day`,
          [at],
        )
        trial.same(at, rows[0]?.day, at.slice(0, 10))
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
      const person = await shops.makeUser()
      await eachOf(Array.from({ length: trial.runs }), 16, async () => {
        const { status } = await shops.call('POST', `/payment/${makeReference()}/confirm`, { as: person, body: {} })
        if (status !== 404) trial.wrong(`a guess replied ${status}`)
        trial.did()
      })
    },
  },
]

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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Experiment, Trial } from './experiment.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** P. What the customer sees: the browser journeys that tell of it, again and again. */
export const customer: Experiment[] = [
  {
    id: 'P1',
    expects: 'a lost reply, a request that never arrives, a pop-up closed early: the page finds out what came of it (in Chromium)',
    runs: { fast: 0, full: 5 },
    unavailable: inBrowser,
    go: (trial) => runJourneys(trial, 'lost reply|never reaches|closes the pop-up|loaded again'),
  },
  {
    id: 'P3',
    expects: 'every wallet’s statement adds up line by line, after all that was done here',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      const { rows } = await shops.db.query<{ wallets: number; lines: number; wrong: number }>(
        `select count(distinct account_id) as wallets, count(*) as lines, count(*) filter (where balance_after_pesewas <> running) as wrong
        from (select account_id, balance_after_pesewas, sum(amount_pesewas) over (partition by account_id order by entry_id, line) as running
          from postings where account_id >= 1000) lines`,
      )
      trial.same('lines that do not add up', rows[0]?.wrong, 0)
      trial.note(`${rows[0]?.lines} lines of ${rows[0]?.wallets} wallets`)
      trial.did(rows[0]?.wallets)
    },
  },
  {
    id: 'P4',
    expects: 'the messages of the specification’s catalogue, failures styled as failures (in Chromium)',
    runs: { fast: 0, full: 1 },
    unavailable: inBrowser,
    go: (trial) => runJourneys(trial, 'messages.spec'),
  },
  {
    id: 'P5',
    expects: 'double click, reload, two tabs on buttons that cost money: one effect (in Chromium)',
    runs: { fast: 0, full: 10 },
    unavailable: inBrowser,
    go: (trial) => runJourneys(trial, 'twice buys once|loaded again|lost reply'),
  },
]

function inBrowser(tier: string): string | null {
  if (tier === 'fast') return 'journeys in a browser are in --full; once each they are in npm run test:e2e'
  return readdirSync(ROOT).includes('dist') ? null : 'the web app is not built'
}

async function runJourneys(trial: Trial, pattern: string) {
  const report = resolve(ROOT, 'node_modules/.cache', `trust-${process.pid}.json`)
  const args = [
    'playwright',
    'test',
    '--reporter=json',
    `--repeat-each=${trial.runs}`,
    ...(pattern.endsWith('.spec') ? [pattern] : ['-g', pattern]),
  ]
  const child = spawn('npx', args, { cwd: ROOT, stdio: 'ignore', env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report } })
  await once(child, 'close')
  const { stats } = JSON.parse(readFileSync(report, 'utf8')) as { stats: { expected: number; unexpected: number; flaky: number } }
  trial.did(stats.expected + stats.unexpected + stats.flaky)
  for (let fault = 0; fault < stats.unexpected + stats.flaky; fault++) trial.wrong('a journey failed')
}

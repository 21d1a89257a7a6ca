import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { resolveBrowser } from '../test/browser.ts'
import { runProgram } from '../test/process/run-program.ts'
import type { Figure as ClaimedFigure } from './figures.ts'
import { median } from './measure.ts'

// Lighthouse as it comes (a mid-range phone on slow 4G), several times, the median: npm run node -- bench/lighthouse.ts
// [--runs 5] [--path / --path /store] [--url of a shop that runs already] [--json]. Exit code 1: less than promised.
const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    path: { type: 'string', multiple: true, default: ['/', '/store'] },
    url: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const PROMISED: Record<string, { lcpMs: number }> = { '/': { lcpMs: 1000 }, '/store': { lcpMs: 1600 } }
const LEAST_PERFORMANCE = 99
const MOST_BLOCKING_MS = 100
const MOST_SHIFT = 0.01

type Figures = {
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  fcpMs: number
  lcpMs: number
  tbtMs: number
  cls: number
  bytes: number
}
type Result = { path: string; median: Figures; runs: Figures[]; failed: string[] }

const shop = options.url ? null : await openShop()
try {
  const results: Result[] = []
  for (const path of options.path) results.push(await measurePath(options.url ?? (shop as { url: string }).url, path))
  if (options.json) console.log(JSON.stringify({ results, figures: results.flatMap(toFigures) }))
  else printTable(results)
  process.exitCode = results.every(isAsPromised) ? 0 : 1
} finally {
  await shop?.close()
}

async function measurePath(url: string, path: string): Promise<Result> {
  const runs: Figures[] = []
  const failed = new Set<string>()
  for (let run = 0; run < Number(options.runs); run++) {
    const report = await runOnce(`${url}${path}`)
    runs.push(report.figures)
    for (const audit of report.failed) failed.add(audit)
  }
  const [first] = runs as [Figures, ...Figures[]]
  const names = Object.keys(first) as (keyof Figures)[]
  const middle = Object.fromEntries(names.map((name) => [name, median(runs.map((figures) => figures[name]))])) as Figures
  return { path, median: middle, runs, failed: [...failed] }
}

/** With a browser of its own each time, so that no run profits from the one before. */
async function runOnce(url: string): Promise<{ figures: Figures; failed: string[] }> {
  const port = await freePort()
  const found = await resolveBrowser()
  const browser = await chromium.launch({ ...found, args: [...found.args, `--remote-debugging-port=${port}`] })
  try {
    const run = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    })
    if (!run) throw new Error(`Lighthouse had nothing to say about ${url}`)
    const { categories, audits, runtimeError } = run.lhr
    if (runtimeError) throw new Error(runtimeError.message)
    const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
    const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
    const failed = ['accessibility', 'best-practices', 'seo'].flatMap((name) =>
      (categories[name]?.auditRefs ?? []).filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => id),
    )
    const figures = {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
      fcpMs: value('first-contentful-paint'),
      lcpMs: value('largest-contentful-paint'),
      tbtMs: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
      bytes: value('total-byte-weight'),
    }
    return { figures, failed }
  } finally {
    await browser.close()
  }
}

function isAsPromised({ path, median: figures }: Result): boolean {
  const { performance, accessibility, bestPractices, seo, lcpMs, tbtMs, cls } = figures
  const full = [accessibility, bestPractices, seo].every((score) => score === 100)
  return (
    full && performance >= LEAST_PERFORMANCE && lcpMs <= (PROMISED[path]?.lcpMs ?? 2500) && tbtMs <= MOST_BLOCKING_MS && cls <= MOST_SHIFT
  )
}

function toFigures({ path, median: { performance, lcpMs }, runs }: Result): ClaimedFigure[] {
  return [
    {
      id: `lighthouse-${path}`,
      name: `Lighthouse mobile performance of ${path}`,
      keep: 'at least',
      target: LEAST_PERFORMANCE,
      value: performance,
      unit: '',
      note: `median of ${runs.length}`,
    },
    {
      id: `lcp-${path}`,
      name: `Largest contentful paint of ${path}, Lighthouse mobile`,
      keep: 'at most',
      target: (PROMISED[path]?.lcpMs ?? 2500) / 1000,
      value: lcpMs / 1000,
      unit: 's',
      note: `median of ${runs.length}`,
    },
  ]
}

function printTable(results: Result[]) {
  console.log('path      performance  accessibility  best practices  seo   FCP s   LCP s   TBT ms    CLS     KB')
  for (const result of results) {
    const { median: m, path, runs, failed } = result
    const row = [
      path.padEnd(8),
      String(m.performance).padStart(13),
      String(m.accessibility).padStart(15),
      String(m.bestPractices).padStart(16),
      String(m.seo).padStart(5),
      (m.fcpMs / 1000).toFixed(2).padStart(8),
      (m.lcpMs / 1000).toFixed(2).padStart(8),
      m.tbtMs.toFixed(0).padStart(9),
      m.cls.toFixed(3).padStart(7),
      (m.bytes / 1000).toFixed(0).padStart(7),
    ]
    const each = runs.map(({ performance, lcpMs }) => `${performance} (${(lcpMs / 1000).toFixed(2)} s)`).join(', ')
    console.log(`${row.join('')}${isAsPromised(result) ? '' : '   less than promised'}\n          each: ${each}`)
    if (failed.length > 0) console.log(`          not right: ${failed.join(', ')}`)
  }
}

async function openShop() {
  const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-lighthouse-'))
  const program = runProgram('server/main.ts', { DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: 'a good password', LOG_LEVEL: 'warn' })
  const [, url = ''] = await program.prints(/is open at (http\S+)/, 60_000)
  return {
    url,
    async close() {
      program.process.kill('SIGTERM')
      await program.ended()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('no free port')
  return address.port
}

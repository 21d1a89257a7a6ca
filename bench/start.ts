import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, type Figure } from './figures.ts'
import { makeBuyers } from './make-buyers.ts'
import { measure, median } from './measure.ts'

// From `npm start`, built already, to the first answered request, on an empty data folder and on one that exists; and the memory of the shop's own
// process at rest and while it sells: npm run node -- bench/start.ts [--runs 5] [--seconds 10] [--json]. Linux: read from /proc.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    rest: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
})
const ROOT = resolve(import.meta.dirname, '..')
const OPEN_WITHIN_MS = 120_000
const CLIENTS = 32
const LOOK_EVERY_MS = 100

let dataDir = await mkdtemp(join(tmpdir(), 'dwadi-start-'))
let running: { pid: number; close(): Promise<void> } | undefined
try {
  // The first start builds what is not built.
  await (await start()).close()
  const firstTimes: number[] = []
  for (let run = 0; run < Number(values.runs); run++) {
    await rm(dataDir, { recursive: true, force: true })
    dataDir = await mkdtemp(join(tmpdir(), 'dwadi-start-'))
    const shop = await start()
    firstTimes.push(shop.seconds)
    await shop.close()
  }
  const times: number[] = []
  for (let run = 0; run < Number(values.runs); run++) {
    const shop = await start()
    times.push(shop.seconds)
    await shop.close()
  }
  const shop = await start()
  await sleep(Number(values.rest) * 1_000)
  const restMb = await memoryMb(shop.pid)
  const soldMb = await memoryWhileSelling(shop)
  await shop.close()
  const figures: Figure[] = [
    {
      id: 'first-start',
      name: 'The same on an empty data folder: database made, migrated and stocked',
      keep: 'at most',
      target: 4,
      value: median(firstTimes),
      unit: 's',
      note: `median of ${firstTimes.length}: ${firstTimes.map((time) => time.toFixed(2)).join(', ')}`,
    },
    {
      id: 'start',
      name: 'From npm start to the first answered request',
      keep: 'at most',
      target: 3,
      value: median(times),
      unit: 's',
      note: `median of ${times.length}: ${times.map((time) => time.toFixed(2)).join(', ')}`,
    },
    { id: 'memory-rest', name: "Memory of the shop's process at rest", keep: 'at most', target: 150, value: restMb, unit: 'MB' },
    {
      id: 'memory-load',
      name: `Memory of the shop's process, ${CLIENTS} clients buying, at most`,
      keep: 'at most',
      target: 300,
      value: soldMb,
      unit: 'MB',
    },
  ]
  if (values.json) console.log(JSON.stringify({ load: currentLoad(), figures }))
  else for (const { name, value, unit, note = '' } of figures) console.log(`${name}: ${value.toFixed(2)} ${unit} ${note}`)
} finally {
  await running?.close()
  await rm(dataDir, { recursive: true, force: true })
}

/** As an operator starts it, until a page of the shop is answered. */
async function start() {
  const port = await freePort()
  const since = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error', RATE_LIMITS: 'off' },
    stdio: 'ignore',
  })
  const ended = once(npm, 'close')
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const reply = await fetch(`${url}/readyz`).catch(() => null)
    if (reply?.ok) break
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
    if (performance.now() - since > OPEN_WITHIN_MS) throw new Error('npm start did not open the shop')
    await sleep(10)
  }
  const seconds = (performance.now() - since) / 1_000
  const pid = await findProgram(npm.pid as number)
  const close = async () => {
    running = undefined
    process.kill(pid, 'SIGTERM')
    await ended
  }
  running = { pid, close }
  return { pid, url, seconds, close }
}

async function memoryWhileSelling({ pid, url }: { pid: number; url: string }): Promise<number> {
  const buyers = await makeBuyers((await findRunningPostgres({ dataDir })) as string, CLIENTS, 1_000_000)
  const { buy, close } = await openHttpBuyers(url, buyers)
  let most = 0
  const look = setInterval(async () => {
    most = Math.max(most, await memoryMb(pid))
  }, LOOK_EVERY_MS)
  await measure({ clients: CLIENTS, seconds: Number(values.seconds), work: buy })
  clearInterval(look)
  close()
  return most
}

/** The shop's own process below npm, and below the shell that npm starts. */
async function findProgram(npm: number): Promise<number> {
  const parents = new Map<number, number>()
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isBelow = (pid: number): boolean => pid === npm || (pid > 1 && isBelow(parents.get(pid) ?? 0))
  for (const pid of pids.filter((one) => one !== npm && isBelow(one))) {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (/(^|\/)node$/.test(command[0] ?? '') && command.includes('server/main.ts')) return pid
  }
  throw new Error('npm start runs no shop')
}

async function memoryMb(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (!address || typeof address === 'string') throw new Error('no free port')
  return address.port
}

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { ask, closeShop, type OpenShop, openShop, signInAsAdmin } from '../test/process/open-shops.ts'
import { openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, type Figure } from './figures.ts'
import { type Buyer, makeBuyers } from './make-buyers.ts'
import { measurePaced, percentile } from './measure.ts'

// What a message service that is dead costs those who buy: three shops on one PostgreSQL, alike but for their message
// service, which answers, hangs, or refuses. They sell in turns, a few seconds each, so that whatever else the machine does
// falls on all three: npm run node -- bench/dead-sms.ts [--rounds 21] [--seconds 4] [--rate 60] [--json]
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '21' },
    seconds: { type: 'string', default: '4' },
    rate: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
})
const [rounds, seconds, perSecond] = [Number(values.rounds), Number(values.seconds), Number(values.rate)] as const
const CLIENTS = 16
const RESAMPLES = 2_000
const STATES = ['answers', 'hangs', 'refuses'] as const
type State = (typeof STATES)[number]
type Stand = { shop: OpenShop; buyers: Buyer[] }

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-sms-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
const services: Server[] = []
const stands = new Map<State, Stand>()
try {
  for (const state of STATES) stands.set(state, await openStand(state))
  const latencies: Record<State, number[][]> = { answers: [], hangs: [], refuses: [] }
  for (let round = -1; round < rounds; round++) {
    // Each state goes first, second and third equally often. The round before the first warms all three.
    const order = STATES.map((_, index) => STATES[(index + Math.max(round, 0)) % STATES.length] as State)
    for (const state of order) {
      const { shop, buyers } = stands.get(state) as Stand
      const { buy, close } = await openHttpBuyers(shop.address, buyers, CLIENTS)
      const took = await measurePaced({ clients: CLIENTS, perSecond, seconds: round < 0 ? 2 : seconds, work: buy })
      close()
      if (round >= 0) latencies[state].push(took)
    }
  }
  const figures = (['hangs', 'refuses'] as const).map((state) => toFigure(state, latencies))
  const p99 = Object.fromEntries(STATES.map((state) => [state, percentile(latencies[state].flat(), 0.99)]))
  if (values.json) console.log(JSON.stringify({ load: currentLoad(), p99, figures }))
  else for (const { name, value, note } of figures) console.log(`${name}: ${value.toFixed(1)} %; ${note}`)
} finally {
  for (const { shop } of stands.values()) await closeShop(shop)
  for (const service of services) {
    service.close()
    service.closeAllConnections()
  }
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function openStand(state: State): Promise<Stand> {
  const admin = new pg.Client({ connectionString: postgres.url('postgres') })
  await admin.connect()
  await admin.query(`create database sms_${state}`)
  await admin.end()
  const url = postgres.url(`sms_${state}`)
  const shop = await openShop({
    DATABASE_URL: url,
    SMS_ARKESEL_KEY: 'a key of the bench',
    SMS_ARKESEL_BASE_URL: await openService(state),
    LOG_LEVEL: 'silent',
  })
  // Every order is worth a message: none are left out, and few are gathered.
  await ask(shop, 'PUT', '/admin/settings', {
    token: await signInAsAdmin(shop),
    body: { smsDailyCap: 100_000, smsDigestAbove: 1_000 },
  })
  return { shop, buyers: await makeBuyers(url, CLIENTS * 8, 100_000) }
}

async function openService(state: State): Promise<string> {
  const service = createServer((request, reply) => {
    request.resume()
    if (state === 'answers') {
      const body = { status: 'success', data: [{ recipient: '233240000000', id: crypto.randomUUID() }] }
      request.on('end', () => reply.setHeader('content-type', 'application/json').end(JSON.stringify(body)))
    }
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  // A port that nobody listens on any more refuses.
  if (state === 'refuses') await new Promise((resolve) => service.close(resolve))
  else services.push(service)
  return `http://127.0.0.1:${port}`
}

/** The ratio of the two p99, with the interval that 95 of 100 resamplings of the rounds fall into. */
function toFigure(state: Exclude<State, 'answers'>, latencies: Record<State, number[][]>): Figure {
  const ratio = (rows: number[]) => {
    const p99 = (of: State) =>
      percentile(
        rows.flatMap((row) => latencies[of][row] as number[]),
        0.99,
      )
    return (p99(state) / p99('answers') - 1) * 100
  }
  const all = Array.from({ length: rounds }, (_, row) => row)
  const drawn = Array.from({ length: RESAMPLES }, () => ratio(all.map(() => Math.floor(Math.random() * rounds)))).sort((a, b) => a - b)
  const [low, high] = [drawn[Math.floor(RESAMPLES * 0.025)] as number, drawn[Math.floor(RESAMPLES * 0.975)] as number]
  const count = latencies[state].flat().length
  return {
    id: `sms-${state}`,
    name: `Checkout's p99 while the message service ${state}, above that while it answers`,
    keep: 'at most',
    target: 5,
    value: ratio(all),
    unit: '%',
    note: `95 % interval ${low.toFixed(0)} to ${high.toFixed(0)} %, ${count} checkouts each`,
  }
}

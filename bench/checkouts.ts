import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type PurchaseLine, placeWalletOrders } from '../server/features/orders/purchases/purchases.sql.ts'
import { checkLedger, countReconciliation } from '../server/ledger/check-ledger.ts'
import { openPool } from '../server/platform/db.ts'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { closeShop, type OpenShop, openShop } from '../test/process/open-shops.ts'
import { type Bundle, findBundle, openHttpBuyers, RECEIVER } from './buy-over-http.ts'
import { currentLoad, describeCommit, describeMachine, type Figure } from './figures.ts'
import { type Buyer, makeBuyers } from './make-buyers.ts'
import { measure, measurePaced, median, percentile, type Round } from './measure.ts'

// Wallet checkouts per second through the whole shop over HTTP, beside the same transaction run by bare database
// clients: on one machine and one database, in turns. What lies between the two is all that the shop itself costs.
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    clients: { type: 'string', default: '1,8,32' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    buyers: { type: 'string', default: '128' },
  },
})
const clientCounts = values.clients.split(',').map(Number)
const [seconds, rounds, buyerCount] = [Number(values.seconds), Number(values.rounds), Number(values.buyers)] as const
if (![...clientCounts, seconds, rounds, buyerCount].every((value) => value > 0)) throw new Error('every option is a number above zero')

const FUNDS_CEDIS = 1_000_000

type Side = { perSecond: number; p50Ms: number; p99Ms: number; eachRound: number[] }
type Row = { clients: number; http: Side; bare: Side; ratio: number }
/** `p99Ms` is the middle of the rounds', and `bare` what bare clients have at the same part of their own limit. */
type Stream = { perSecond: number; p50Ms: number; p99Ms: number; eachRound: number[] }
type Steady = Stream & { bare: Stream }
type Track = { shop: OpenShop; url: string; buyers: Buyer[]; bundle: Bundle }

const startedAt = new Date()
const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-bench-'))
let shop: OpenShop | undefined
try {
  shop = await openShop({ DATA_DIR: dataDir })
  const url = (await findRunningPostgres({ dataDir })) as string
  const track: Track = {
    shop,
    url,
    buyers: await makeBuyers(url, buyerCount, FUNDS_CEDIS),
    bundle: await findBundle(shop.address),
  }
  const rows: Row[] = []
  for (const clients of clientCounts) rows.push(await compare(track, clients))
  const most = rows.at(-1) as Row
  const half = await measureSteady(track, most, 0.5)
  const seventy = await measureSteady(track, most, 0.7)
  const result = {
    date: startedAt.toISOString(),
    commit: describeCommit(),
    machine: describeMachine(),
    load: currentLoad(),
    seconds,
    rounds,
    rows,
    half,
    seventy,
    figures: toFigures(rows, half, seventy),
    ...(await proveLedger(track)),
  }
  console.log(values.json ? JSON.stringify(result, null, 2) : report(result))
  if (result.violations.length > 0) process.exitCode = 1
} finally {
  if (shop) await closeShop(shop)
  await rm(dataDir, { recursive: true, force: true })
}

/** In turns, A B A B, so that whatever else the machine does meanwhile falls on both; the median round counts. */
async function compare(track: Track, clients: number): Promise<Row> {
  const http = await openHttpBuyers(track.shop.address, track.buyers, clients)
  const bare = await openBareSide(track, clients)
  const done = { http: [] as Round[], bare: [] as Round[] }
  for (const { buy } of [http, bare]) await measure({ clients, seconds: Math.min(1, seconds), work: buy })
  for (let round = 0; round < rounds; round++) {
    done.http.push(await measure({ clients, seconds, work: http.buy }))
    done.bare.push(await measure({ clients, seconds, work: bare.buy }))
  }
  http.close()
  await bare.close()
  const sides = { http: summarise(done.http), bare: summarise(done.bare) }
  return { clients, ...sides, ratio: sides.http.perSecond / sides.bare.perSecond }
}

/** A part of what each side can take, in a steady stream, as customers come: they do not wait for one another. In turns. */
async function measureSteady(track: Track, { clients, ...limits }: Row, part: number): Promise<Steady> {
  const http = await openHttpBuyers(track.shop.address, track.buyers, clients)
  const bare = await openBareSide(track, clients)
  const done = { http: [] as number[][], bare: [] as number[][] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, { buy }] of [['http', http] as const, ['bare', bare] as const]) {
      const perSecond = limits[name].perSecond * part
      done[name].push(await measurePaced({ clients, perSecond, seconds: Math.max(seconds, 5), work: buy }))
    }
  }
  http.close()
  await bare.close()
  const stream = (name: 'http' | 'bare'): Stream => {
    const eachRound = done[name].map((latenciesMs) => Math.round(percentile(latenciesMs, 0.99)))
    return { perSecond: limits[name].perSecond * part, p50Ms: percentile(done[name].flat(), 0.5), p99Ms: median(eachRound), eachRound }
  }
  return { ...stream('http'), bare: stream('bare') }
}

function toFigures(measured: Row[], half: Steady, seventy: Steady): Figure[] {
  const { clients, ratio, http, bare } = measured.at(-1) as Row
  const each = `${Math.round(http.perSecond)} a second, a bare client ${Math.round(bare.perSecond)}`
  const alone = measured.find((row) => row.clients === 1)
  return [
    ...(alone
      ? [
          {
            id: 'checkouts-alone',
            name: 'Wallet checkouts over HTTP, one client, of what a bare client gets',
            keep: 'at least' as const,
            target: 60,
            value: alone.ratio * 100,
            unit: '%',
            note: `${Math.round(alone.http.perSecond)} a second, a bare client ${Math.round(alone.bare.perSecond)}`,
          },
        ]
      : []),
    {
      id: 'checkouts-ratio',
      name: `Wallet checkouts over HTTP, ${clients} clients, of what a bare client gets`,
      keep: 'at least',
      target: 50,
      value: ratio * 100,
      unit: '%',
      note: each,
    },
    {
      id: 'checkouts-p99',
      name: 'Wallet checkout at half that load, p99',
      keep: 'at most',
      target: 100,
      value: half.p99Ms,
      unit: 'ms',
      note: describeStreams(half),
    },
    {
      id: 'checkouts-p99-seventy',
      name: `Wallet checkout at seven tenths of that load, ${clients} clients, p99`,
      keep: 'at most',
      target: 50,
      value: seventy.p99Ms,
      unit: 'ms',
      note: describeStreams(seventy),
    },
  ]
}

/** No two clients ever buy for one buyer, so that none waits for another's wallet. */
function buyerOf({ buyers }: Track, clients: number, client: number, turn: number): Buyer {
  const each = Math.max(1, Math.floor(buyers.length / clients))
  return buyers[(client * each + (turn % each)) % buyers.length] as Buyer
}

async function openBareSide(track: Track, clients: number) {
  const { productId, offer, amount } = track.bundle
  const lines: PurchaseLine[] = [
    { product: productId, network: null, offer, receiver: RECEIVER, expectedPricePesewas: Math.round(amount * 100), clientId: null },
  ]
  const requestHash = createHash('sha256').update(JSON.stringify(lines)).digest()
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString: track.url }))
  await Promise.all(connections.map((connection) => connection.connect()))
  return {
    async buy(client: number, turn: number) {
      const { id: userId } = buyerOf(track, clients, client, turn)
      const purchase = { userId, key: `checkout:${randomUUID()}`, requestHash, lines, now: new Date() }
      const { outcome } = await placeWalletOrders(connections[client] as pg.Client, purchase)
      if (outcome !== 'placed') throw new Error(`a checkout ended as ${outcome}`)
    },
    close: async () => {
      await Promise.all(connections.map((connection) => connection.end()))
    },
  }
}

function summarise(done: Round[]): Side {
  const latenciesMs = done.flatMap((round) => round.latenciesMs)
  const eachRound = done.map(({ perSecond }) => Math.round(perSecond))
  return { perSecond: median(eachRound), p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), eachRound }
}

/** Checks the ledger after the load. */
async function proveLedger({ url }: Track) {
  const db = openPool({ url, size: 2, log: createLog('error'), name: 'dwadi bench' })
  const [violations, books] = [await checkLedger(db), await countReconciliation(db)]
  await db.end()
  return { books, violations }
}

function report(result: {
  date: string
  commit: string
  machine: ReturnType<typeof describeMachine>
  load: number
  rows: Row[]
  half: Steady
  seventy: Steady
  books: { entries: number }
  violations: unknown[]
}): string {
  const number = (value: number, digits = 0) => value.toFixed(digits).padStart(9)
  const lines = result.rows.map(({ clients, http, bare, ratio }) =>
    [
      clients.toString().padStart(7),
      number(http.perSecond),
      number(http.p50Ms, 1),
      number(http.p99Ms, 1),
      number(bare.perSecond),
      number(bare.p50Ms, 1),
      number(bare.p99Ms, 1),
      number(ratio, 2),
    ].join(' '),
  )
  return [
    `${result.machine.processor}, ${result.machine.cores} cores, Node ${result.machine.node}, load ${result.load}, commit ${result.commit}, ${result.date}`,
    `Wallet checkouts, ${rounds} rounds of ${seconds} s each in turns, the median round; the books hold ${result.books.entries} entries, ${result.violations.length} violations.`,
    '',
    '          the shop over HTTP            the bare transaction',
    'clients  per sec.    p50 ms    p99 ms  per sec.    p50 ms    p99 ms     ratio',
    ...lines,
    '',
    ...[result.half, result.seventy].map(
      (steady) => `p50 ${steady.p50Ms.toFixed(1)} ms, p99 ${steady.p99Ms.toFixed(0)} ms at ${describeStreams(steady)}`,
    ),
  ].join('\n')
}

function describeStreams({ perSecond, eachRound, bare }: Steady): string {
  return `${Math.round(perSecond)} a second (each round ${eachRound.join(', ')} ms; bare clients at ${Math.round(bare.perSecond)} a second ${bare.eachRound.join(', ')} ms)`
}

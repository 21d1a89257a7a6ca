import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { openPool } from '../server/platform/db.ts'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { MAX_BULK_LINES } from '../shared/bulk-rules.ts'
import { closeShop, type OpenShop, openShop } from '../test/process/open-shops.ts'
import { findBundle, openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, describeCommit, describeMachine, type Figure } from './figures.ts'
import { makeBuyers } from './make-buyers.ts'
import { median } from './measure.ts'

// One list of 5,000 lines, from the request to the reply, beside 5,000 single checkouts of one buyer, one after the other, and of eight at
// once. The first list is bought on a fresh database, on a connection whose plans were made for small tables.
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    lines: { type: 'string', default: String(MAX_BULK_LINES) },
    rounds: { type: 'string', default: '3' },
    singles: { type: 'string' },
  },
})
const [lines, rounds] = [Number(values.lines), Number(values.rounds)]
/** Fewer are measured where the machine is slow, and reckoned for as many as the list has. */
const singles = Number(values.singles ?? lines)
if (!(lines > 0 && lines <= MAX_BULK_LINES && rounds > 0 && singles > 0)) throw new Error('every option is a number above zero')

const CLIENTS = 8
const FUNDS_CEDIS = 1_000_000

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-bulk-'))
let shop: OpenShop | undefined
try {
  shop = await openShop({ DATA_DIR: dataDir })
  const url = (await findRunningPostgres({ dataDir })) as string
  const buyers = await makeBuyers(url, CLIENTS + rounds, FUNDS_CEDIS)
  await makeAgents(url)
  const bundle = await findAgentBundle(shop.address)
  // Every connection of the shop has made its plans by then.
  await buySingly(shop.address, buyers.slice(0, CLIENTS), 20 * CLIENTS)

  const lists: number[] = []
  for (const { token } of buyers.slice(CLIENTS)) lists.push(await buyList(shop.address, token, bundle))
  const oneByOne = ((await buySingly(shop.address, buyers.slice(0, 1), singles)) * lines) / singles
  const eightAtOnce = ((await buySingly(shop.address, buyers.slice(0, CLIENTS), singles)) * lines) / singles
  const pool = openPool({ url, size: 1, log: createLog('silent'), name: 'bench' })
  const violations = await checkLedger(pool)
  await pool.end()
  const slowest = Math.max(...lists)
  const figures: Figure[] = [
    {
      id: 'bulk',
      name: `a list of ${lines.toLocaleString('en-GB')} lines is bought, the slowest of ${rounds}`,
      keep: 'at most',
      target: 3_000,
      value: slowest,
      unit: 'ms',
      note: `first (fresh database) ${Math.round(lists[0] ?? 0)} ms, median ${Math.round(median(lists))} ms; single checkouts: ${Math.round(oneByOne)} ms one by one, ${Math.round(eightAtOnce)} ms by ${CLIENTS} buyers`,
    },
  ]
  const result = {
    commit: describeCommit(),
    machine: describeMachine(),
    load: currentLoad(),
    lists,
    oneByOne,
    eightAtOnce,
    figures,
    violations,
  }
  console.log(JSON.stringify(result, null, values.json ? 2 : 1))
  if (violations.length > 0) process.exitCode = 1
} finally {
  if (shop) await closeShop(shop)
  await rm(dataDir, { recursive: true, force: true })
}

/** Milliseconds for so many single checkouts, by these buyers at once; each on a connection of its own. */
async function buySingly(address: string, by: { token: string }[], count: number): Promise<number> {
  const connections = await openHttpBuyers(address, by)
  try {
    return await timed(() =>
      Promise.all(
        by.map(async (_, client) => {
          for (let turn = client; turn < count; turn += by.length) await connections.buy(client, turn)
        }),
      ),
    )
  } finally {
    connections.close()
  }
}

/** Those who buy the lists. The others stay customers, as `openHttpBuyers` pays a customer's price. */
async function makeAgents(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update users set level = 'Agent' where username like 'bench %' and (substr(username, 7))::integer > $1`, [CLIENTS])
  await client.end()
}

async function findAgentBundle(address: string) {
  const { productId, offer } = await findBundle(address)
  const products = (await (await fetch(`${address}/api/product`)).json()) as {
    _id: string
    packages: { offer: string; priceAgent: number }[]
  }[]
  const found = products.find(({ _id }) => _id === productId)?.packages.find((one) => one.offer === offer)
  return { productId, offer, amount: found?.priceAgent ?? 0 }
}

/** Milliseconds from the request to its reply. */
async function buyList(address: string, token: string, { productId, offer, amount }: { productId: string; offer: string; amount: number }) {
  const wanted = Array.from({ length: lines }, (_, index) => {
    const phoneNumber = `0244${String(index).padStart(6, '0')}`
    return { number: index + 1, text: `${phoneNumber} ${offer}`, name: '', productId, offer, phoneNumber, amount }
  })
  const body = JSON.stringify({ total: Math.round(amount * 100 * lines) / 100, lines: wanted })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  return timed(async () => {
    const reply = await fetch(`${address}/api/bulk`, { method: 'POST', headers, body })
    if (reply.status !== 200) throw new Error(`a list was refused with ${reply.status}: ${await reply.text()}`)
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import { ask, closeShop, type OpenShop, openShop } from '../test/process/open-shops.ts'
import { openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, type Figure } from './figures.ts'
import { makeBuyers } from './make-buyers.ts'
import { percentile } from './measure.ts'

// How long the server takes for each page of a customer, from the request to its last byte, over a connection that stays open and without any other
// visitor: npm run node -- bench/pages.ts [--calls 1000] [--json].
const { values } = parseArgs({ options: { calls: { type: 'string', default: '1000' }, json: { type: 'boolean', default: false } } })
const calls = Number(values.calls)
const WARM_UP = 100

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-pages-'))
let shop: OpenShop | undefined
try {
  shop = await openShop({ DATA_DIR: dataDir })
  const { address } = shop
  const [buyer] = await makeBuyers((await findRunningPostgres({ dataDir })) as string, 1, 1_000)
  const { buy, close } = await openHttpBuyers(address, [buyer as { token: string }])
  await buy(0, 0)
  close()
  const [order] = await ask<{ _id: string }[]>(shop, 'GET', '/order/allorders', { token: buyer?.token as string })
  const paths = ['/', '/store', '/track', '/login', '/cart', `/order/${order?._id}`]
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const rows: { path: string; p50: number; p95: number }[] = []
  for (const path of paths) {
    const took: number[] = []
    for (let call = -WARM_UP; call < calls; call++) {
      const ms = await fetchPage(agent, address + path)
      if (call >= 0) took.push(ms)
    }
    rows.push({ path: path.replace(order?._id ?? '', ':id'), p50: percentile(took, 0.5), p95: percentile(took, 0.95) })
  }
  agent.destroy()
  const [slowest] = rows.toSorted((one, other) => other.p95 - one.p95) as [(typeof rows)[number]]
  const figures: Figure[] = [
    {
      id: 'pages-p95',
      name: 'A page of a customer, from request to last byte, p95 of the slowest',
      keep: 'at most',
      target: 3,
      value: slowest.p95,
      unit: 'ms',
      note: rows.map(({ path, p95 }) => `${path} ${p95.toFixed(2)}`).join(', '),
    },
  ]
  if (values.json) console.log(JSON.stringify({ load: currentLoad(), figures }))
  else for (const { path, p50, p95 } of rows) console.log(`${path.padEnd(12)} p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`)
} finally {
  if (shop) await closeShop(shop)
  await rm(dataDir, { recursive: true, force: true })
}

function fetchPage(agent: Agent, url: string): Promise<number> {
  const since = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'accept-encoding': 'br', accept: 'text/html' } }, (reply) => {
      reply.resume().once('end', () => {
        if (reply.statusCode === 200) resolve(performance.now() - since)
        else reject(new Error(`${url} replied ${reply.statusCode}`))
      })
    }).once('error', reject)
  })
}

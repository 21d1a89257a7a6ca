import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findRunningPostgres } from '../server/platform/embedded-postgres.ts'
import type { Order } from '../shared/orders.ts'
import { ask, closeShop, type OpenShop, openShop, signInAsAdmin } from '../test/process/open-shops.ts'
import { openRealtimeProbe, type RealtimeProbe } from '../test/realtime-probe.ts'
import { openHttpBuyers } from './buy-over-http.ts'
import { currentLoad, type Figure } from './figures.ts'
import { type Buyer, makeBuyers } from './make-buyers.ts'
import { percentile } from './measure.ts'

// How soon the owner of an order knows that an admin has decided it, while many sockets are connected, and what a socket
// costs in memory: npm run node -- bench/sockets.ts [--sockets 2000] [--decisions 200] [--json]. Linux: memory is read from /proc.
const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '2000' },
    decisions: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
})
const [sockets, decisions] = [Number(values.sockets), Number(values.decisions)] as const
const AT_ONCE = 25
/** From here on the memory of all together is a figure of its own. */
const MANY = 10_000
/** About as fast as a person can click. */
const BETWEEN_DECISIONS_MS = 50
const KNOWS_WITHIN_MS = 10_000

const dataDir = await mkdtemp(join(tmpdir(), 'dwadi-sockets-'))
let shop: OpenShop | undefined
const probes: RealtimeProbe[] = []
try {
  // As `npm start` starts it.
  shop = await openShop({ DATA_DIR: dataDir, NODE_OPTIONS: '--max-semi-space-size=4' })
  const { address, program } = shop
  const admin = await signInAsAdmin(shop)
  const buyers = await makeBuyers((await findRunningPostgres({ dataDir })) as string, sockets, 1_000)
  const owners = buyers.slice(0, decisions)
  const orders = await buyOne(shop, owners)
  const before = await memoryKb(program.process.pid as number)
  for (let at = 0; at < buyers.length; at += AT_ONCE) {
    probes.push(...(await Promise.all(buyers.slice(at, at + AT_ONCE).map(({ token }) => openRealtimeProbe(address, token)))))
  }
  const connectedKb = await memoryKb(program.process.pid as number)
  const perSocketKb = (connectedKb - before) / sockets
  const waits: number[] = []
  for (const [index, order] of orders.entries()) {
    waits.push(await decide(shop, admin, order, probes[index] as RealtimeProbe))
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_DECISIONS_MS))
  }
  const p99Ms = percentile(waits, 0.99)
  const figures: Figure[] = [
    {
      id: 'sockets-p99',
      name: `An admin decides an order, ${sockets.toLocaleString('en-GB')} sockets connected: its owner's screen knows, p99`,
      keep: 'at most',
      target: 100,
      value: p99Ms,
      unit: 'ms',
      note: `p50 ${percentile(waits, 0.5).toFixed(1)} ms, ${waits.length} decisions, from the admin's request on`,
    },
    { id: 'sockets-memory', name: 'Memory of a connected socket', keep: 'at most', target: 100, value: perSocketKb, unit: 'KB' },
  ]
  if (sockets >= MANY) {
    for (const figure of figures) figure.id += '-many'
    const value = connectedKb / 1024
    const name = `Memory of the shop's process with ${sockets.toLocaleString('en-GB')} sockets`
    figures.push({ id: 'sockets-many', name, keep: 'at most', target: 400, value, unit: 'MB' })
  }
  if (values.json) console.log(JSON.stringify({ load: currentLoad(), figures }))
  else {
    console.log(`${sockets} sockets, ${perSocketKb.toFixed(1)} KB each; load ${currentLoad()}`)
    console.log(`an owner knows after p50 ${percentile(waits, 0.5).toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms of ${waits.length} decisions`)
  }
} finally {
  for (const probe of probes) probe.close()
  if (shop) await closeShop(shop)
  await rm(dataDir, { recursive: true, force: true })
}

/** One order of each, as the owners' lists show them. */
async function buyOne(at: OpenShop, owners: Buyer[]): Promise<Order[]> {
  const { buy, close } = await openHttpBuyers(at.address, owners)
  const bought: Order[] = []
  for (const [index, { token }] of owners.entries()) {
    await buy(index, 0)
    const [order] = await ask<[Order]>(at, 'GET', '/order/allorders', { token })
    bought.push(order)
  }
  close()
  return bought
}

/** Milliseconds from the admin's request to the owner's news. */
async function decide(at: OpenShop, token: string, { _id }: Order, { socket }: RealtimeProbe): Promise<number> {
  const since = performance.now()
  const known = new Promise<number>((resolve, reject) => {
    const tooLate = setTimeout(() => reject(new Error(`the owner of ${_id} was told nothing`)), KNOWS_WITHIN_MS)
    const hear = (order: Order) => {
      if (order._id !== _id || order.status !== 'completed') return
      socket.off('ordersUpdated', hear)
      clearTimeout(tooLate)
      resolve(performance.now() - since)
    }
    socket.on('ordersUpdated', hear)
  })
  await ask(at, 'PUT', `/order/update-status/${_id}`, { token, body: { status: 'completed' } })
  return known
}

async function memoryKb(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

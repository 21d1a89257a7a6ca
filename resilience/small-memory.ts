import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import type { Product } from '../shared/products.ts'
import { callAt } from '../test/http-client.ts'
import { openRealtimeProbe, type RealtimeProbe } from '../test/realtime-probe.ts'
import type { Trial } from './experiment.ts'
import { ALONE, buyOn, type Journal, openTrade, proveJournal, spoilOwn } from './killed-servers.ts'
import { listDatabaseOf, makeFolder } from './leftovers.ts'
import { count, eachOf, residentMb } from './measure.ts'
import { limitMemory } from './memory-limit.ts'
import { type Line, PASSWORD, pesewas, type Shop, startShop, withoutGuard } from './shops.ts'

/** First what a small server has, then less and less. */
const LIMITS_MB = [1_000, 300, 500, 700, 400]
const BUYERS = 32
const SOCKETS = 1_000
const LINES = 5_000
const LOAD_MS = { fast: 12_000, full: 25_000 }
/** As systemd is told to in docs/going-live.md, but sooner. */
const START_AGAIN_MS = 300
const LOOK_EVERY_MS = 50
const MOST_FAILED_STARTS = 3

type Held = { peakMb: number; nodeMb: number; lists: number; exports: number; pictures: number }

/** The whole shop with so much memory and no swap, under all that needs much of it, started again whenever it is ended. */
export async function sellInLittleMemory(trial: Trial) {
  await trial.repeat(async (run) => {
    const limitMb = LIMITS_MB[run % LIMITS_MB.length] as number
    const dataDir = makeFolder('memory')
    const env = { DATA_DIR: dataDir, ...ALONE, ...withoutGuard(trial.opening) }
    const memory = limitMemory(limitMb)
    let isOpen = true
    let shop: Shop | undefined
    let shopDied = 0
    let failedStarts = 0
    const backMs: number[] = []
    const held: Held = { peakMb: 0, nodeMb: 0, lists: 0, exports: 0, pictures: 0 }
    const address = () => shop?.address ?? 'http://127.0.0.1:1'
    let supervising: Promise<void> | undefined
    let sampler: NodeJS.Timeout | undefined
    try {
      // The catalogue and the buyers are made with enough memory; what is tried is the selling.
      shop = await startShop(env)
      const { admin, buyers, line } = await openTrade(shop, BUYERS)
      await spoilOwn(trial, dataDir)
      const agent = await makeAgent(shop, admin)
      const products = (await callAt<Product[]>(shop.address, 'GET', '/product')).body
      shop.program.process.kill('SIGTERM')
      await shop.program.ended()
      const start = () => startShop(env, undefined, memory.add)
      shop = await start()
      supervising = (async () => {
        while (isOpen) {
          await (shop as Shop).program.ended()
          if (!isOpen) return
          shopDied += 1
          const since = performance.now()
          await wait(START_AGAIN_MS)
          const again = await start().catch((error: Error) => error)
          if (again instanceof Error) {
            // Too little memory even to start: a supervisor tries again and again. What is promised needs it to be open once.
            failedStarts += 1
            if (failedStarts >= MOST_FAILED_STARTS) return
            continue
          }
          shop = again
          backMs.push(performance.now() - since)
        }
      })()
      sampler = setInterval(() => {
        held.peakMb = Math.max(held.peakMb, memory.heldMb())
        const pid = shop?.program.process.pid
        if (pid !== undefined && shop?.program.process.exitCode === null && shop.program.process.signalCode === null)
          held.nodeMb = Math.max(held.nodeMb, residentMb(pid) || 0)
      }, LOOK_EVERY_MS)
      const sockets = await openSockets(address(), buyers)
      const databaseBefore = listDatabaseOf(dataDir).length
      const until = performance.now() + LOAD_MS[trial.tier]
      const going = () => performance.now() < until
      const journal: Journal[] = []
      await Promise.all([
        ...buyers.map((buyer) => buyOn(address, buyer, line, journal, going)),
        ...[1, 2].map(() => exportOn(address, admin, held, going)),
        buyListsOn(address, agent, agentsLine(products, line), held, going),
        changePicturesOn(address, admin, products, held, going),
      ])
      clearInterval(sampler)
      for (const probe of sockets) probe.close()
      const kills = memory.kills()
      if (failedStarts >= MOST_FAILED_STARTS) {
        // With more memory it opens again; what was sold must still be there.
        isOpen = false
        memory.set(1_000)
        shop = await start()
      }
      // Whoever got no answer asks again under the same key, once the shop is open.
      await untilOpen(address)
      const unknown = journal.filter(({ outcome }) => outcome === 'unknown')
      for (const one of unknown.slice(0, 40)) {
        const again = { as: one.buyer, body: { items: [one.line] }, headers: { 'idempotency-key': one.key } }
        const { status } = await callAt(address(), 'POST', '/order/checkout', again)
        if (status === 200) one.outcome = 'ok'
      }
      await proveJournal(trial, dataDir, journal)
      if (limitMb >= 1_000) {
        trial.same(`ended for want of memory with ${limitMb} MB`, kills, 0)
        trial.same(`what was done with ${limitMb} MB`, [held.lists > 0, held.exports > 0, held.pictures > 0], [true, true, true])
      }
      trial.note(
        `${limitMb} MB: at most ${held.peakMb.toFixed(0)} held, ${held.nodeMb.toFixed(0)} by Node, ${kills} processes ended by the kernel, the shop ${shopDied} times${shopDied > 0 ? ` (open again in ${Math.max(0, ...backMs).toFixed(0)} ms at most)` : ''}; ${sockets.length} sockets, ${count(journal, ({ outcome }) => outcome === 'ok')} purchases acknowledged, ${held.lists} lists of ${LINES}, ${held.exports} exports, ${held.pictures} pictures, ${databaseBefore} processes of the database${failedStarts > 0 ? `; ${failedStarts} starts failed for want of memory` : ''}`,
      )
    } finally {
      clearInterval(sampler)
      isOpen = false
      shop?.program.process.kill('SIGTERM')
      await supervising
      await shop?.program.ended()
      memory.remove()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
}

async function untilOpen(address: () => string) {
  for (let left = 240; left > 0; left--) {
    if ((await callAt(address(), 'GET', '/product')).status === 200) return
    await wait(250)
  }
  throw new Error('the shop does not come back')
}

async function makeAgent(shop: Shop, admin: { token: string }): Promise<{ token: string }> {
  const body = { username: 'the agent', email: 'agent@example.com', phone: '0571234567', password: PASSWORD }
  const { body: agent } = await callAt<{ _id: string; token: string }>(shop.address, 'POST', '/user/register', { body })
  for (let time = 0; time < 20; time++)
    await callAt(shop.address, 'PUT', '/user/balance', { as: admin, body: { chosenId: agent._id, amount: 1_000_000 } })
  await callAt(shop.address, 'PUT', `/user/${agent._id}/level`, { as: admin, body: { userLevel: 'Agent' } })
  return agent
}

async function openSockets(address: string, buyers: { token: string }[]): Promise<RealtimeProbe[]> {
  const opened = await eachOf(Array.from({ length: SOCKETS }), 50, (_, index) =>
    openRealtimeProbe(address, buyers[index % buyers.length]?.token).catch(() => null),
  )
  return opened.filter((probe) => probe !== null)
}

async function exportOn(address: () => string, admin: { token: string }, held: Held, going: () => boolean) {
  while (going()) {
    const { status } = await callAt(address(), 'GET', '/export/admin-orders', { as: admin })
    if (status === 200) held.exports += 1
    else await wait(100)
  }
}

function agentsLine(products: Product[], line: Line): Line {
  const amount = products.find(({ _id }) => _id === line.productId)?.packages[0]?.priceAgent ?? line.amount
  return { ...line, amount }
}

async function buyListsOn(address: () => string, agent: { token: string }, line: Line, held: Held, going: () => boolean) {
  while (going()) {
    const lines = Array.from({ length: LINES }, (_, index) => ({
      ...line,
      ...{ number: index + 1, text: '', name: '', phoneNumber: `0244${String(index + held.lists * LINES).padStart(6, '0')}` },
    }))
    const body = { total: (pesewas(line.amount) * LINES) / 100, lines }
    const { status } = await callAt(address(), 'POST', '/bulk', {
      as: agent,
      body,
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    if (status === 200) held.lists += 1
    else await wait(100)
  }
}

/** A picture of few bytes and many pixels, which takes much memory to read. */
async function changePicturesOn(address: () => string, admin: { token: string }, products: Product[], held: Held, going: () => boolean) {
  const product = products.find(({ network }) => network === 'Telecel') ?? products[0]
  if (!product) return
  const picture = await sharp({ create: { width: 2_000, height: 2_000, channels: 3, background: '#c62' } })
    .png()
    .toBuffer()
  const image = `data:image/png;base64,${picture.toString('base64')}`
  const { network, packages, status } = product
  while (going()) {
    const reply = await callAt(address(), 'PUT', `/product/${product._id}`, { as: admin, body: { network, packages, status, image } })
    if (reply.status === 200) held.pictures += 1
    await wait(500)
  }
}

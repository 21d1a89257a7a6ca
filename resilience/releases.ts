import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Product } from '../shared/products.ts'
import { callAt, type HttpReply } from '../test/http-client.ts'
import { openRoundRobin } from '../test/process/round-robin.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { startProgram } from './leftovers.ts'
import { count, quantile } from './measure.ts'
import { unpackReleased, whyNoReleased } from './released-program.ts'
import { RELEASED } from './released-version.ts'
import { type Line, openShops, PASSWORD, type Shop, type Shops } from './shops.ts'

const MINUTE_MS = 60_000

/** R. Releases: the version before and this one beside each other. */
export const releases: Experiment[] = [
  {
    id: 'R1',
    expects: `32 buyers, by wallet and card, while this version is started beside ${RELEASED.version}, migrates, and takes over, and while ${RELEASED.version} takes over again: no purchase fails, each acknowledged one exists once, whichever version is asked again under its key, and the books of both are clean`,
    runs: { fast: 2, full: 10 },
    deadlineMs: { fast: 15 * MINUTE_MS, full: 60 * MINUTE_MS },
    beside: true,
    unavailable: whyNoReleased,
    go: upgradeAndBack,
  },
]

type Buyer = { id: string; token: string }
type Purchase = { key: string; receiver: string; orderId: string | null }
type Payment = { reference: string; receiver: string; settled: boolean }
type Trade = {
  purchases: Purchase[]
  payments: Payment[]
  receivers: number
  asked: number
  again: number
  retries: number
  slowestMs: number
}
/** From the signal to a process until a little after its end. */
type Stopping = { since: number; until: number }
type World = { trial: Trial; shops: Shops; address: string; lines: Omit<Line, 'phoneNumber'>[]; trade: Trade; stops: Stopping[] }

const BUYERS = 32
/** Of the buyers; the others pay from their wallets. */
const BY_CARD = 8
const LOOKS_AROUND_MS = 150
/** How often somebody who has the answer sends the same purchase once more. */
const ASKS_AGAIN = 0.2
/** What was on its way as the process ended is answered by then. */
const AFTER_END_MS = 500

async function upgradeAndBack(trial: Trial) {
  const folder = unpackReleased()
  const startMs: number[] = []
  const total: Trade = { purchases: [], payments: [], receivers: 0, asked: 0, again: 0, retries: 0, slowestMs: 0 }
  await trial.repeat(async () => {
    const shops = await openShops({ ...trial.opening, processes: 0 })
    const upstream: string[] = []
    const proxy = await openRoundRobin(upstream)
    // The guard is left out of the new version; the old one is as it was released.
    const startOld = () => shops.startAnother({ WITHOUT: '', NODE_OPTIONS: '' }, folder)
    const startNew = () => shops.startAnother()
    try {
      let old = await startOld()
      upstream.push(old.address)
      const { buyers, lines } = await register(shops, old)
      const trade: Trade = { ...total, purchases: [], payments: [], asked: 0, again: 0, retries: 0, slowestMs: 0 }
      const world: World = { trial, shops, address: proxy.address, lines, trade, stops: [] }
      await whileBuying(world, buyers, async () => {
        await wait(1_500)
        const since = performance.now()
        const fresh = await startNew()
        startMs.push(performance.now() - since)
        upstream.push(fresh.address)
        await wait(3_000)
        await stop(world, upstream, old)
        await wait(1_500)
        // The same way back.
        old = await startOld()
        upstream.push(old.address)
        await wait(3_000)
        await stop(world, upstream, fresh)
        await wait(1_500)
      })
      await prove(world)
      for (const violation of await proveByOld(shops, folder)) trial.wrong(`to ${RELEASED.version} the books are wrong: ${violation}`)
      // The released one asks about an order two minutes after it was taken, where it missed that it was delivered.
      await until(async () => (await waitingDeliveries(shops)) === 0, 3 * MINUTE_MS).catch(async () =>
        trial.wrong(`${await waitingDeliveries(shops)} orders were never delivered`),
      )
      for (const violation of await shops.prove()) trial.wrong(violation)
      proveDeliveries(trial, shops)
      total.purchases.push(...trade.purchases)
      total.payments.push(...trade.payments)
      total.receivers = trade.receivers
      total.asked += trade.asked
      total.again += trade.again
      total.retries += trade.retries
      total.slowestMs = Math.max(total.slowestMs, trade.slowestMs)
    } finally {
      await proxy.close()
      await shops.close()
    }
  })
  trial.note(
    `${count(total.purchases, ({ orderId }) => orderId !== null)} purchases and ${count(total.payments, ({ settled }) => settled)} card payments acknowledged, ${total.again} asked again, ${total.retries} of ${total.asked} requests retried because their process was being stopped, the slowest answer after ${(total.slowestMs / 1000).toFixed(1)} s, this version open after ${(quantile(startMs, 1) / 1000).toFixed(1)} s at most`,
  )
}

/** Everybody signs up and gets money at the old version, and stays signed in. */
async function register(shops: Shops, { address }: Shop): Promise<{ buyers: Buyer[]; lines: World['lines'] }> {
  const admin = await callAt<{ token: string }>(address, 'POST', '/user/login', { body: { userPhone: '0200000000', password: PASSWORD } })
  await shops.db.query('update operations_settings set complete_delivered = true')
  await shops.sandbox.supplier.hubnet.change({ deliversAfterMs: 100 })
  const buyers: Buyer[] = []
  for (let index = 0; index < BUYERS; index++) {
    const letters = [...String(index).padStart(2, '0')].map((digit) => 'abcdefghjk'[Number(digit)]).join('')
    const { status, body, text } = await callAt<{ _id: string; token: string }>(address, 'POST', '/user/register', {
      body: {
        username: `buyer ${letters}`,
        email: `b${index}@example.com`,
        phone: `05700000${String(index).padStart(2, '0')}`,
        password: PASSWORD,
      },
    })
    if (status !== 200 && status !== 201) throw new Error(`a buyer could not sign up: ${status} ${text}`)
    const paid = await callAt(address, 'PUT', '/user/balance', { as: admin.body, body: { chosenId: body._id, amount: 100_000 } })
    if (paid.status !== 200) throw new Error(`a buyer got no money: ${paid.status} ${paid.text}`)
    buyers.push({ id: body._id, token: body.token })
  }
  const products = (await callAt<Product[]>(address, 'GET', '/product')).body
  // One of them goes to a supplier, the other to a person.
  const lines = (['AirtelTigo', 'MTN'] as const).map((network) => {
    const product = products.find((one) => one.network === network) as Product
    const [offer] = product.packages as [Product['packages'][0]]
    return { productId: product._id, offer: offer.offer, amount: offer.priceCustomer }
  })
  return { buyers, lines }
}

async function whileBuying(world: World, buyers: Buyer[], work: () => Promise<void>) {
  let going = true
  const buying = buyers.map((buyer, index) =>
    index < BY_CARD ? payByCard(world, buyer, () => going) : buyFromWallet(world, buyer, () => going),
  )
  try {
    await work()
  } finally {
    going = false
    await Promise.all(buying)
  }
}

async function buyFromWallet(world: World, buyer: Buyer, going: () => boolean) {
  const { trial, trade } = world
  while (going()) {
    const line = nextLine(world)
    const purchase: Purchase = { key: crypto.randomUUID(), receiver: line.phoneNumber, orderId: null }
    trade.purchases.push(purchase)
    const buy = () =>
      insist<{ orders?: { _id: string }[] }>(world, 'a purchase', 'POST', '/order/checkout', {
        as: buyer,
        body: { items: [line] },
        headers: { 'idempotency-key': purchase.key },
      })
    const reply = await buy()
    if (reply === null) continue
    purchase.orderId = firstOrder(reply)
    await wait(LOOKS_AROUND_MS)
    if (trial.random() >= ASKS_AGAIN) continue
    trade.again += 1
    const again = await buy()
    if (again !== null)
      trial.same('the same purchase asked again', [again.headers['idempotency-replayed'], firstOrder(again)], ['true', purchase.orderId])
  }
}

async function payByCard(world: World, buyer: Buyer, going: () => boolean) {
  const { shops, trade } = world
  while (going()) {
    const line = nextLine(world)
    const begun = await insist<{ reference: string }>(world, 'a card payment', 'POST', '/payment', {
      as: buyer,
      body: { purpose: 'order', items: [line] },
    })
    if (begun === null) continue
    const { reference } = begun.body
    await shops.sandbox.cardProvider.pay(reference)
    const payment: Payment = { reference, receiver: line.phoneNumber, settled: false }
    trade.payments.push(payment)
    while (!payment.settled && going()) {
      const reply = await insist<{ payment: { status: string } }>(
        world,
        'the question after a card payment',
        'POST',
        `/payment/${reference}/confirm`,
        {
          as: buyer,
        },
      )
      payment.settled = reply?.body.payment.status === 'paid'
      await wait(LOOKS_AROUND_MS)
    }
    await wait(LOOKS_AROUND_MS * 3)
  }
}

/** Each purchase goes to a number of its own, by which its order is found again. */
function nextLine({ lines, trade }: World): Line {
  const line = lines[trade.receivers % lines.length] as World['lines'][0]
  trade.receivers += 1
  return { ...line, phoneNumber: `${trade.receivers % lines.length === 1 ? '027' : '055'}${String(trade.receivers).padStart(7, '0')}` }
}

/**
 * Asks until there is an answer. Asking once more is only allowed for what was under way while a process was being stopped; all
 * else but a success is a violation, and null.
 */
async function insist<T>(
  { trial, address, trade, stops }: World,
  what: string,
  method: string,
  path: string,
  asked: Parameters<typeof callAt>[3],
): Promise<HttpReply<T> | null> {
  for (;;) {
    const since = performance.now()
    const reply = await callAt<T>(address, method, path, asked)
    const now = performance.now()
    trade.asked += 1
    trade.slowestMs = Math.max(trade.slowestMs, now - since)
    if (reply.status === 200) return reply
    const wasStopping = stops.some((stopping) => since < stopping.until && now > stopping.since)
    // 502: the proxy’s, for a process that did not answer; 503: of one that takes no new requests.
    if (!wasStopping || ![0, 502, 503].includes(reply.status)) {
      trial.wrong(`${what} failed: ${reply.status} ${reply.text.slice(0, 200)}`)
      await wait(LOOKS_AROUND_MS)
      return null
    }
    trade.retries += 1
    await wait(50)
  }
}

const firstOrder = ({ body }: HttpReply<{ orders?: { _id: string }[] }>) => body.orders?.[0]?._id ?? null

/** The proxy goes on asking a process until that has ended. */
async function stop({ trial, shops, stops }: World, upstream: string[], { address, program }: Shop) {
  const stopping: Stopping = { since: performance.now(), until: Number.POSITIVE_INFINITY }
  stops.push(stopping)
  program.process.kill('SIGTERM')
  trial.same('how a process ended', await program.ended(), 0)
  upstream.splice(upstream.indexOf(address), 1)
  shops.all.splice(
    shops.all.findIndex((one) => one.program === program),
    1,
  )
  stopping.until = performance.now() + AFTER_END_MS
}

/** Each acknowledged purchase is there once, under the id that was told; whoever paid and left is served all the same. */
async function prove({ trial, shops, trade }: World) {
  const { purchases, payments } = trade
  const references = payments.map(({ reference }) => reference)
  const left = async () => {
    const { rows } = await shops.db.query<{ left: number }>(
      `select count(*) as left from unnest($1::text[]) as wanted (payment)
       where (select count(*) from orders where payment_reference = wanted.payment) <> 1`,
      [references],
    )
    return rows[0]?.left ?? 0
  }
  await until(async () => (await left()) === 0, MINUTE_MS).catch(async () =>
    trial.wrong(`${await left()} of ${references.length} card payments did not become one order each`),
  )
  const { rows } = await shops.db.query<{ receiver: string; ids: string[] }>(
    'select receiver, array_agg(id::text) as ids from orders group by 1',
  )
  const made = new Map(rows.map(({ receiver, ids }) => [receiver, ids]))
  const lost = purchases.filter(({ orderId, receiver }) => orderId !== null && made.get(receiver)?.join() !== orderId)
  if (lost.length > 0) trial.wrong(`${lost.length} acknowledged purchases are not there once, ${lost[0]?.key} the first`)
  const many = rows.filter(({ ids }) => ids.length > 1)
  if (many.length > 0) trial.wrong(`${many.length} purchases were made more than once, that for ${many[0]?.receiver} the first`)
}

/** What `ledger:check` of the released version finds wrong, a line each. */
async function proveByOld({ databaseUrl }: Shops, folder: string): Promise<string[]> {
  const program = startProgram(join(folder, 'tools/ledger-check.ts'), { DATABASE_URL: databaseUrl })
  const code = await program.ended()
  return code === 0 ? [] : program.output().trim().split('\n').slice(0, 10)
}

async function waitingDeliveries({ db }: Shops): Promise<number> {
  const { rows } = await db.query<{ left: number }>(
    `select count(*) as left from orders where network = 'AirtelTigo' and status = 'pending'`,
  )
  return rows[0]?.left ?? 0
}

function proveDeliveries(trial: Trial, { sandbox }: Shops) {
  const phones = sandbox.supplier.hubnet.deliveries().map(({ phone }) => phone)
  if (phones.length === 0) trial.wrong('nothing was sent to the supplier')
  trial.same('orders that the supplier got twice', phones.length - new Set(phones).size, 0)
}

import { checkLedger } from '../../server/ledger/check-ledger.ts'
import { type Db, openPool } from '../../server/platform/db.ts'
import { createLog } from '../../server/platform/log.ts'
import type { Product } from '../../shared/products.ts'
import { HeldConnection, type HttpReply } from '../http-client.ts'
import { ask, type OpenShop, openAccount, signInAsAdmin } from '../process/open-shops.ts'
import { pick, randomFrom, shuffle } from '../random.ts'

export const AT_ONCE = 64
const MOST_RESENT = 10
export const AFFORDED = 10

export type RaceResult = {
  runs: number
  /** What went wrong, one sentence each; empty when nothing did. */
  violations: string[]
  /** How long a released checkout took to be answered, in milliseconds, sorted. */
  latenciesMs: number[]
}

type Line = { productId: string; offer: string; phoneNumber: string; amount: number }
type Track = { db: Db; shops: OpenShop[]; connections: HeldConnection[]; adminToken: string; bundles: Line[]; random: () => number }

/**
 * Lets 64 wallet checkouts go at one instant, over two or more processes of the shop on one database, `runs` times for each of
 * two experiments: money for ten of them, and the same key for all of them. Ends with the proof of all the books.
 */
export async function raceCheckouts({
  databaseUrl,
  shops,
  runs,
  seed,
  onRun = () => {},
}: {
  databaseUrl: string
  shops: OpenShop[]
  runs: number
  seed: number
  onRun?: (run: number, violations: number) => void
}): Promise<{ moneyForTen: RaceResult; sameKey: RaceResult; ledger: string[] }> {
  const moneyForTen: RaceResult = { runs: 0, violations: [], latenciesMs: [] }
  const sameKey: RaceResult = { runs: 0, violations: [], latenciesMs: [] }
  const track = await openTrack(databaseUrl, shops, seed)
  try {
    for (let run = 1; run <= runs; run++) {
      await runOnce(moneyForTen, run, () => raceForTen(track))
      await runOnce(sameKey, run, () => raceWithOneKey(track))
      onRun(run, moneyForTen.violations.length + sameKey.violations.length)
    }
    const ledger = (await checkLedger(track.db)).map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`)
    for (const result of [moneyForTen, sameKey]) result.latenciesMs.sort((a, b) => a - b)
    return { moneyForTen, sameKey, ledger }
  } finally {
    for (const connection of track.connections) connection.close()
    await track.db.end()
  }
}

async function runOnce(result: RaceResult, run: number, race: () => Promise<{ replies: HttpReply[]; wrong: string[] }>) {
  const { replies, wrong } = await race()
  result.runs += 1
  result.latenciesMs.push(...replies.map((reply) => reply.tookMs))
  if (wrong.length > 0) result.violations.push(`run ${run}: ${wrong.join('; ')}`)
}

async function raceForTen(track: Track) {
  const line = pick(track.bundles, track.random)
  const racer = await enter(track, AFFORDED * line.amount)
  const replies = await release(track, racer.token, [line], () => crypto.randomUUID())

  const wrong: string[] = []
  expectCount(
    wrong,
    'succeeded',
    count(replies, ({ status }) => status === 200),
    AFFORDED,
  )
  expectCount(wrong, 'were refused with 402', count(replies, isInsufficientBalance), AT_ONCE - AFFORDED)
  await expectReconciliation(wrong, track.db, racer.id, { orders: AFFORDED, balancePesewas: 0 })
  return { replies, wrong }
}

async function raceWithOneKey(track: Track) {
  const line = pick(track.bundles, track.random)
  const racer = await enter(track, AFFORDED * line.amount)
  const key = crypto.randomUUID()
  const replies = await release(track, racer.token, [line], () => key)

  const wrong: string[] = []
  expectCount(
    wrong,
    'succeeded',
    count(replies, ({ status }) => status === 200),
    AT_ONCE,
  )
  expectCount(wrong, 'different replies came', new Set(replies.map(({ text }) => text)).size, 1)
  expectCount(
    wrong,
    'were marked as replayed',
    count(replies, ({ headers }) => headers['idempotency-replayed'] === 'true'),
    AT_ONCE - 1,
  )
  await expectReconciliation(wrong, track.db, racer.id, { orders: 1, balancePesewas: Math.round(line.amount * 100) * (AFFORDED - 1) })
  return { replies, wrong }
}

function enter({ shops, adminToken, random }: Track, balance: number) {
  return openAccount(pick(shops, random), { adminToken, balance: Math.round(balance * 100) / 100 })
}

/**
 * The seed decides in which order the connections of the processes get their last byte. A shop that is too busy to reach its
 * database replies 503; the purchase is then sent again under its own key, as the web app does.
 */
async function release(track: Track, token: string, items: Line[], makeKey: () => string): Promise<HttpReply[]> {
  const purchases = await Promise.all(
    track.connections.map(async (connection) => {
      const request = { path: '/order/checkout', as: { token }, body: { items }, headers: { 'idempotency-key': makeKey() } }
      return { connection, request, letGo: await connection.load(request) }
    }),
  )
  return Promise.all(
    shuffle(purchases, track.random).map(async ({ connection, request, letGo }) => {
      let reply = await letGo()
      for (let again = 0; reply.status === 503 && again < MOST_RESENT; again++) reply = await (await connection.load(request))()
      return reply
    }),
  )
}

function isInsufficientBalance({ status, body }: HttpReply): boolean {
  return status === 402 && body.code === 'INSUFFICIENT_BALANCE'
}

/** The cheap proof after each race, of the racer's own books. */
async function expectReconciliation(wrong: string[], db: Db, userId: string, expected: { orders: number; balancePesewas: number }) {
  const { rows } = await db.query<{ orders: number; balance: number; postings: number; unbalanced: number }>(
    `select (select count(*) from orders where user_id = w.user_id) as orders, w.balance_pesewas as balance,
      (select coalesce(sum(amount_pesewas), 0) from postings where account_id = w.account_id) as postings,
      (select count(*) from (
        select from postings where entry_id in (select entry_id from postings where account_id = w.account_id)
        group by entry_id having sum(amount_pesewas) <> 0
      ) entries) as unbalanced
    from wallets w where w.user_id = $1`,
    [userId],
  )
  const books = rows[0]!
  expectCount(wrong, 'orders were made', books.orders, expected.orders)
  expectCount(wrong, 'pesewas are the balance', books.balance, expected.balancePesewas)
  expectCount(wrong, 'pesewas are the sum of the postings', books.postings, expected.balancePesewas)
  expectCount(wrong, 'entries do not balance', books.unbalanced, 0)
}

function expectCount(wrong: string[], what: string, found: number, expected: number) {
  if (found !== expected) wrong.push(`${found} ${what}, not ${expected}`)
}

async function openTrack(databaseUrl: string, shops: OpenShop[], seed: number): Promise<Track> {
  const connections = Array.from({ length: AT_ONCE }, (_, index) => new HeldConnection(shops[index % shops.length]!.address))
  await Promise.all(connections.map((connection) => connection.open()))
  const products = await ask<Product[]>(shops[0]!, 'GET', '/product')
  return {
    db: openPool({ url: databaseUrl, size: 2, log: createLog('error'), name: 'dwadi race' }),
    shops,
    connections,
    adminToken: await signInAsAdmin(shops[0]!),
    bundles: products
      .filter(({ status }) => status === 'available')
      .flatMap(({ _id, packages }) =>
        packages.map(({ offer, priceCustomer }) => ({ productId: _id, offer, phoneNumber: '0551234567', amount: priceCustomer })),
      ),
    random: randomFrom(seed),
  }
}

function count<T>(values: T[], isCounted: (value: T) => boolean): number {
  return values.filter(isCounted).length
}

import { parseArgs } from 'node:util'
import { ensureSampleCatalogue } from '../server/features/catalogue/products/ensure-sample-catalogue.ts'
import { decideOrder } from '../server/features/orders/orders/decide-order.ts'
import { placeOrders } from '../server/features/orders/purchases/place-orders.ts'
import { ensureFirstAdmin } from '../server/features/people/auth/ensure-first-admin.ts'
import { register } from '../server/features/people/auth/register.ts'
import { confirmTakenNumber, takeOverNumber } from '../server/features/people/numbers/take-over-number.ts'
import { startSession } from '../server/features/people/sessions/start-session.ts'
import { changeBalance } from '../server/features/wallet/wallet/change-balance.ts'
import type { Actor, Ctx } from '../server/platform/context.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { hashToken } from '../server/platform/hash-token.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import { openRateLimiter } from '../server/platform/rate-limiter.ts'
import type { Network } from '../shared/networks.ts'
import { findShop } from './find-shop.ts'

// Fills a trial shop with customers and their orders by the shop's own functions, never by bare rows:
// `DATA_DIR=/tmp/trial npm run node -- tools/fill-orders.ts --orders 50000 --customers 200`.
const AT_ONCE = 8
const log = createLog('error')
const { values } = parseArgs({ options: { orders: { type: 'string', default: '50000' }, customers: { type: 'string', default: '200' } } })

if (!process.env.DATA_DIR && !process.env.DATABASE_URL)
  refuse('Say which trial shop to fill: DATA_DIR=/tmp/trial, or DATABASE_URL, before the command.')
// A live shop's own settings say so, even when the shell that names its database does not.
const { config } = findShop(process.env)
if (config.mode === 'live') refuse('This fills a shop with trial orders; SHOP_MODE is live.')
console.error(`The shop to fill: ${config.databaseUrl === undefined ? config.dataDir : 'the one at DATABASE_URL'}.`)
let embedded: EmbeddedPostgres | null = null
try {
  embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
  const url = config.databaseUrl ?? (embedded as EmbeddedPostgres).url()
  const db = openPool({ url, size: AT_ONCE, log, name: 'dwadi fill' })
  try {
    await refuseRealPeople(db)
    await migrate(url, log)
    await fill(db, { orders: Number(values.orders), customers: Number(values.customers) })
  } finally {
    await db.end()
  }
} catch (error) {
  console.error(`The shop was not filled: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await embedded?.stop()
}

function refuse(why: string): never {
  console.error(why)
  process.exit(1)
}

/**
 * Before anything is changed: a database with people in it who are not this program's is somebody's shop, whatever its settings say.
 * @throws Error
 */
async function refuseRealPeople(db: Db) {
  const { rows: tables } = await db.query<{ users: string | null }>(`select to_regclass('users') as users`)
  if (!tables[0]?.users) return
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int from users where phone is distinct from $1 and email not like 'trial%@example.com'`,
    [config.firstAdmin.phone],
  )
  const count = rows[0]?.count ?? 0
  if (count > 0)
    throw new Error(
      `${count} ${count === 1 ? 'person has an account' : 'people have accounts'} there. Trial orders go into a shop of their own.`,
    )
}

async function fill(db: Db, { orders, customers }: { orders: number; customers: number }) {
  const startedAt = performance.now()
  await ensureSampleCatalogue(db, new Date())
  await ensureFirstAdmin(db, config.firstAdmin, config.passwords, new Date())
  const { rows: admins } = await db.query<Actor>(`select * from users where level = 'Admin' limit 1`)
  const admin = await signIn(db, admins[0] as Actor)
  const buyers: Actor[] = []
  for (let index = 0; index < customers; index++) {
    const number = (index + 1).toString().padStart(7, '0')
    const details = { username: `trial ${number}`, email: `trial${number}@example.com`, phone: `054${number}`, password: 'a good password' }
    const { user, token } = await register(contextOf(db, null), details, {
      rules: config.passwords,
      limiter: openRateLimiter(null, () => new Date()),
      claims: { takeOver: takeOverNumber, confirm: confirmTakenNumber },
    })
    await changeBalance(contextOf(db, admin), { chosenId: user.id, amount: 1_000_000, note: 'Trial money' }, null)
    buyers.push({ ...user, sessionHash: hashToken(token) } as unknown as Actor)
  }
  // An AFA order is of a person, whose details it would need.
  const { rows: offers } = await db.query<{ product: string; network: Network; offer: string; expectedPricePesewas: number }>(
    `select p.id as product, p.network, k.offer, k.price_customer_pesewas as "expectedPricePesewas" from packages k join products p on p.id = k.product_id
     where p.status = 'available' and p.network <> 'AFA' order by 1, 3`,
  )
  let next = 0
  const work = async () => {
    for (let index = next++; index < orders; index = next++) {
      const buyer = buyers[index % buyers.length] as Actor
      const line = { ...(offers[index % offers.length] as (typeof offers)[number]), receiver: '0551234567', clientId: null }
      const { orders: made } = await placeOrders(contextOf(db, buyer), { key: `trial:${index}`, lines: [line], pathOf: () => 'trial' })
      const id = made[0]?.id
      if (id && index % 10 < 8)
        await decideOrder(contextOf(db, admin), { orderId: id, status: index % 40 === 0 ? 'rejected' : 'completed' })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  console.log(`${customers} customers and ${orders} orders in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** Writes ask for a session that lasts. */
async function signIn(db: Db, user: Actor): Promise<Actor> {
  return { ...user, sessionHash: hashToken(await startSession(db, user, new Date())) }
}

function contextOf(db: Db, actor: Actor | null): Ctx {
  const realtime = { announce() {}, disconnectUser() {}, disconnectSession() {}, close: async () => {} } as unknown as Ctx['realtime']
  const jobs = { enqueue: async () => {}, wake() {} } as unknown as Ctx['jobs']
  return { db, actor, now: new Date(), ip: null, realtime, jobs, log }
}

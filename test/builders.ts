import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { InjectOptions } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { startSession } from '../server/features/people/sessions/start-session.ts'
import { foldUsername } from '../server/features/people/users/fold-username.ts'
import { presentUser } from '../server/features/people/users/present.ts'
import { insertUser, replaceRoles, selectUser, type UserRow } from '../server/features/people/users/users.sql.ts'
import { openWallet } from '../server/ledger/ledger.ts'
import { type Db, transaction } from '../server/platform/db.ts'
import type { AdminAction } from '../shared/admin-actions.ts'
import type { Batch } from '../shared/batches.ts'
import type { Order } from '../shared/orders.ts'
import type { Product } from '../shared/products.ts'
import type { StaffRole } from '../shared/staff-rules.ts'
import type { SignedInUser, UserLevel } from '../shared/users.ts'
import type { TestShop } from './app.ts'
import { until } from './until.ts'

/** `balance` in cedis; `roles` make an admin, who without them is an owner. Every user gets a unique number and name. */
export type NewUser = {
  level?: UserLevel
  roles?: readonly StaffRole[]
  balance?: number
  username?: string
  phone?: string
  email?: string
  password?: string
}

let count = 0

export const PASSWORD = 'a good password'

/** A password is checked 200 times as quickly as with the shop's own strength; how strong it is stands in the hash. */
const WEAK_HASH = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }

export function hashQuickly(password: string): Promise<string> {
  return hash(password, WEAK_HASH)
}

/** Puts a signed-in user straight into the database, with level and balance as an operator would set them. */
export async function makeUser(
  shop: TestShop,
  { roles, level = roles ? 'Admin' : 'Customer', balance = 0, ...given }: NewUser = {},
): Promise<SignedInUser> {
  const { password, ...details } = newDetails(given)
  const passwordHash = await hashQuickly(password)
  const now = shop.clock.now
  const { user, token } = await transaction(shop.database.db, async (tx) => {
    const id = await insertUser(tx, { ...details, usernameSkeleton: foldUsername(details.username), passwordHash, level, now })
    await openWallet(tx, id)
    if (roles) await replaceRoles(tx, id, roles)
    const token = await startSession(tx, { id, level: 'Customer' }, now)
    return { user: (await selectUser(tx, id)) as UserRow, token }
  })
  if (balance > 0) await credit(shop, user.id, balance)
  return { ...presentUser(user), balance, token }
}

/** Registers a user through the API, whose device and place are known from then on. */
export async function registerUser(shop: TestShop, { level = 'Customer', balance = 0, ...given }: NewUser = {}): Promise<SignedInUser> {
  const details = newDetails(given)
  const { body, status } = await call<SignedInUser>(shop, 'POST', '/user/register', { body: details })
  if (status !== 200) throw new Error(`could not register ${details.username}: ${JSON.stringify(body)}`)
  if (level !== 'Customer') await shop.database.db.query('update users set level = $2 where id = $1', [body._id, level])
  if (balance > 0) await credit(shop, body._id, balance)
  return { ...body, userLevel: level, isAdmin: level === 'Admin', balance }
}

function newDetails(given: NewUser) {
  count += 1
  return {
    username: given.username ?? `user ${count}`,
    phone: given.phone ?? `024${count.toString().padStart(7, '0')}`,
    email: given.email ?? `user${count}@example.com`,
    password: given.password ?? PASSWORD,
  }
}

/** Puts money into a wallet by the ledger's own function, from the house's adjustments. */
async function credit(shop: TestShop, userId: string, cedis: number) {
  const pesewas = Math.round(cedis * 100)
  await shop.database.db.query(
    `select post_entry($1, 'admin-credit', 'test', null, array[account_id, 6], array[$2::bigint, -$2::bigint], now()) from wallets where user_id = $3`,
    [`admin-credit:${randomUUID()}`, pesewas, userId],
  )
}

export type Reply<T> = { status: number; body: T; headers: Record<string, unknown> }
export type CallOptions = { as?: { token: string }; body?: unknown; headers?: Record<string, string>; query?: Record<string, string> }

/** One call to the API through the real app. */
export async function call<T = Record<string, unknown>>(
  shop: Pick<TestShop, 'app'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { as, body, headers = {}, query }: CallOptions = {},
): Promise<Reply<T>> {
  const options: InjectOptions = {
    method,
    url: `/api${path}`,
    headers: { ...headers, ...(as ? { authorization: `Bearer ${as.token}` } : {}) },
  }
  if (body !== undefined) options.payload = body as NonNullable<InjectOptions['payload']>
  if (query) options.query = query
  const reply = await shop.app.inject(options)
  const isJson = String(reply.headers['content-type'] ?? '').includes('application/json')
  return { status: reply.statusCode, body: (isJson ? reply.json() : reply.body) as T, headers: reply.headers }
}

export async function findProduct(shop: TestShop, network: string): Promise<Product> {
  const { body } = await call<Product[]>(shop, 'GET', '/product')
  const found = body.find((product) => product.network === network)
  if (!found) throw new Error(`no ${network} on the shelf`)
  return found
}

export type CartLine = { productId: string; offer: string; phoneNumber: string; amount: number }

/** One MTN 1GB for a customer, 5.50. */
export async function cartLine(
  shop: TestShop,
  { network = 'MTN', offer = '1GB', phoneNumber = '0551234567', as = 'Customer' } = {},
): Promise<CartLine> {
  const product = await findProduct(shop, network)
  const found = product.packages.find((line) => line.offer === offer)
  if (!found) throw new Error(`no ${offer} of ${network}`)
  return { productId: product._id, offer, phoneNumber, amount: as === 'Customer' ? found.priceCustomer : found.priceAgent }
}

export function checkout(shop: TestShop, as: { token: string }, items: CartLine[], key: string = randomUUID()) {
  return call<{ orders: Order[]; balance: number; message: string; code: string; issues: { path: string; message: string }[] }>(
    shop,
    'POST',
    '/order/checkout',
    { as, body: { items }, headers: { 'idempotency-key': key } },
  )
}

/** The balance that the database holds, in pesewas. */
export async function balanceOf(shop: TestShop, userId: string): Promise<number> {
  const { rows } = await shop.database.db.query<{ balance: number }>('select balance_pesewas as balance from wallets where user_id = $1', [
    userId,
  ])
  return rows[0]?.balance ?? Number.NaN
}

/** From here on, references only have letters that no network, status or name in the tests has, so searches never match them by chance. */
export async function usePlainReferences(db: Db) {
  await db.query(`create or replace function new_reference() returns text language sql as $$
    select string_agg(substr('QXZJWVYH', 1 + floor(random() * 8)::int, 1), '') from generate_series(1, 20) $$`)
}

/** A card payment that its payer disputes; replies its reference. */
export async function makePaymentOnHold(shop: TestShop, userId: string): Promise<string> {
  const reference = randomUUID().replaceAll('-', '').slice(0, 20)
  await shop.database.db.query(
    `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, created_at, hold_reason)
     values ($1, $2, 'agent-upgrade', 5000, 0, now(), 'the payer disputes the card payment')`,
    [reference, userId],
  )
  return reference
}

/** Waits until the relay has given every new order to its supplier or left it to a person. */
export async function ordersRelayed({ database: { db } }: Pick<TestShop, 'database'>) {
  await until(async () => (await db.query('select from order_outbox')).rowCount === 0)
}

/** A batch of these orders, which a person has to send. */
export async function makeBatch(shop: TestShop, as: { token: string }, orders: readonly Order[]): Promise<Batch> {
  await ordersRelayed(shop)
  const [first] = orders as [Order]
  const body = { key: randomUUID(), network: first.network, ids: orders.map(({ _id }) => _id) }
  const reply = await call<{ batch: Batch; message: string }>(shop, 'POST', '/admin/batches', { as, body })
  if (reply.status !== 200) throw new Error(reply.body.message)
  return reply.body.batch
}

/** What admins and the shop did to a subject, newest first; its id is shown nowhere, so no search finds it. */
export async function actionsAbout(shop: TestShop, as: { token: string } | undefined, subjectId: string): Promise<AdminAction[]> {
  if (!as) throw new Error('nobody asks')
  const { body } = await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as })
  return body.filter(({ subjectId: id }) => id === subjectId)
}

/** Switches the code at sign-in on, as a member of staff does. `codeNow` is what their app shows. */
export async function setUpCode(shop: TestShop, as: { token: string }) {
  const { secret } = (await call<{ secret: string }>(shop, 'POST', '/user/me/second-factor', { as, body: {} })).body
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeNow = (aheadMs = 0) => app.generate({ timestamp: shop.clock.now.getTime() + aheadMs })
  const confirmed = await call<{ recoveryCodes: string[] }>(shop, 'POST', '/user/me/second-factor/confirm', {
    as,
    body: { code: codeNow() },
  })
  return { codeNow, recoveryCodes: confirmed.body.recoveryCodes }
}

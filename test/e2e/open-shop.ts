import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { findRunningPostgres } from '../../server/platform/embedded-postgres.ts'
import type { Notice } from '../../shared/notice.ts'
import type { Order } from '../../shared/orders.ts'
import type { Product, ProductPackage } from '../../shared/products.ts'
import type { Recharge } from '../../shared/recharges.ts'
import type { SignedInUser, User, UserLevel } from '../../shared/users.ts'
import { makeFolder } from '../make-folder.ts'
import { fillDataFolder } from '../postgres.ts'
import { runProgram } from '../process/run-program.ts'
import { until } from '../until.ts'

export const PASSWORD = 'a good password'
export const NOTICE = 'Check the number before you pay.\nBundles arrive within two hours.'
const ADMIN_PHONE = '0200000000'
/** What a shop prints whose database gives no connection within three seconds. */
export const NO_CONNECTION = 'timeout exceeded when trying to connect'
/** For so long a shop that has just opened may be out of breath. */
const FIRST_REPLY_MS = 60_000

/** `balance` in cedis. */
export type NewAccount = { balance?: number; level?: UserLevel }
/** A user with the token of a session of their own. */
export type Account = SignedInUser
export type Line = { network?: string; offer?: string; phoneNumber?: string }
type CallOptions = { as?: { token: string }; body?: unknown; headers?: Record<string, string> }

export type Shop = Awaited<ReturnType<typeof openShop>>

/**
 * A shop of its own: the real process with a database in a folder of its own and the services outside as simulators.
 * `settings` are further ones of the process.
 */
export async function openShop(name: string, settings: Record<string, string> = {}) {
  const dataDir = await makeFolder()
  await fillDataFolder(dataDir)
  const program = runProgram('server/main.ts', {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    GUESSABLE_PASSWORDS: 'refuse',
    ADMIN_PHONE,
    ADMIN_PASSWORD: PASSWORD,
    ...settings,
  })
  const [, address = ''] = await program.prints(/is open at (http\S+)/, 60_000)

  const send = (method: string, path: string, { as, body, headers = {} }: CallOptions = {}) =>
    fetch(`${address}${path}`, {
      method,
      headers: {
        ...(as ? { authorization: `Bearer ${as.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  /** One call to the API; throws unless it succeeds. */
  const call = async <T>(method: string, path: string, options?: CallOptions): Promise<T> => {
    const reply = await send(method, `/api${path}`, options)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path} replied ${reply.status}: ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

  const credentials = { body: { userPhone: ADMIN_PHONE, password: PASSWORD } }
  // On a machine with too much to do it asks to be asked again.
  const firstReply = await until(async () => {
    const reply = await send('POST', '/api/user/login', credentials)
    return reply.status !== 503 && reply
  }, FIRST_REPLY_MS)
  if (!firstReply.ok) throw new Error(`the admin could not sign in: ${firstReply.status} ${await firstReply.text()}`)
  const admin = (await firstReply.json()) as Account
  const sql = async (statement: string, values: unknown[] = []) => {
    const db = new pg.Client({ connectionString: (await findRunningPostgres({ dataDir })) ?? '' })
    await db.connect()
    await db.query(statement, values).finally(() => db.end())
  }
  // A run takes longer than the five minutes after which what is risky asks for the password again.
  await sql(`update sessions set password_at = now() + interval '1 day' where user_id = $1`, [admin._id])
  await call('PUT', '/extra/notice', { as: admin, body: { noticeContent: NOTICE } })

  let made = 0
  const newPerson = () => {
    made += 1
    const number = made.toString().padStart(4, '0')
    return { username: `${name} ${number}`, email: `${name}${number}@example.com`, phone: `024100${number}`, password: PASSWORD }
  }

  const credit = (user: { _id: string }, cedis: number) =>
    call<{ balance: number }>('PUT', '/user/balance', { as: admin, body: { chosenId: user._id, amount: cedis } })

  const findProduct = async (network: string): Promise<Product> => {
    const found = (await call<Product[]>('GET', '/product')).find((product) => product.network === network)
    if (!found) throw new Error(`no ${network} on the shelf`)
    return found
  }

  const saveProduct = (product: Product, change: Partial<{ packages: Omit<ProductPackage, '_id'>[] }>) =>
    call<{ product: Product }>('PUT', `/product/${product._id}`, {
      as: admin,
      body: {
        network: product.network,
        status: product.status,
        packages: product.packages.map(({ offer, priceCustomer, priceAgent }) => ({ offer, priceCustomer, priceAgent })),
        ...change,
      },
    })

  return {
    address,
    /** Runs a statement as the owner of its database, past every guard: what nobody could do by the shop itself. */
    sql,
    admin,
    call,
    send,
    /** Details that nobody has registered with yet. */
    newPerson,
    credit,
    findProduct,

    async makeUser({ balance = 0, level = 'Customer' }: NewAccount = {}): Promise<Account> {
      const user = await call<Account>('POST', '/user/register', { body: newPerson() })
      if (level !== 'Customer') await call('PUT', `/user/${user._id}/level`, { as: admin, body: { userLevel: level } })
      if (balance > 0) await credit(user, balance)
      // Another level ends the sessions there were.
      return level === 'Customer' ? { ...user, balance } : signIn(user.phone)
    },

    async balanceOf(user: Account): Promise<number> {
      const [own] = await call<User[]>('GET', '/user/account-balances', { as: user })
      if (!own) throw new Error(`${user.username} has no balance`)
      return own.balance
    },

    ordersOf: (user: Account) => call<Order[]>('GET', '/order/allorders', { as: user }),

    /** Buys from the wallet, each line an order. The default is 1GB of MTN, 5.50 for a customer. */
    async buy(user: Account, lines: Line[]): Promise<Order[]> {
      const items = await Promise.all(
        lines.map(async ({ network = 'MTN', offer = '1GB', phoneNumber = '0551234567' }) => {
          const product = await findProduct(network)
          const found = product.packages.find((line) => line.offer === offer)
          if (!found) throw new Error(`no ${offer} of ${network}`)
          const amount = user.userLevel === 'Customer' ? found.priceCustomer : found.priceAgent
          return { productId: product._id, offer, phoneNumber, amount }
        }),
      )
      const { orders } = await call<{ orders: Order[] }>('POST', '/order/checkout', {
        as: user,
        body: { items },
        headers: { 'idempotency-key': randomUUID() },
      })
      return orders
    },

    decide: (order: Order, status: 'completed' | 'rejected') =>
      call('PUT', `/order/update-status/${order._id}`, { as: admin, body: { status } }),
    /** Completes the orders of a network that other tests have left to do by hand, for a test that counts them. */
    async clearDesk(network: string) {
      const pending = await call<Order[]>('GET', '/order/allorders?status=pending', { as: admin })
      for (const { _id } of pending.filter((order) => order.network === network)) {
        await call('PUT', `/order/update-status/${_id}`, { as: admin, body: { status: 'completed' } })
      }
    },
    requestRecharge: (user: Account, amount: number) =>
      call<{ recharge: Recharge }>('POST', '/recharge', { as: user, body: { amount } }).then(({ recharge }) => recharge),
    decideRecharge: (recharge: Recharge, deed: 'approve' | 'decline') =>
      call('PUT', `/recharge/${recharge._id}/${deed}`, { as: admin, body: {} }),
    setStock: async (network: string, status: Product['status']) =>
      call('PUT', `/product/${(await findProduct(network))._id}/status`, { as: admin, body: { status } }),
    /** Changes what a customer pays; the agent's price stays. */
    async setPrice(network: string, offer: string, priceCustomer: number) {
      const product = await findProduct(network)
      const packages = product.packages.map((line) => (line.offer === offer ? { ...line, priceCustomer } : line))
      await saveProduct(product, {
        packages: packages.map(({ offer: name, priceCustomer: customer, priceAgent }) => ({
          offer: name,
          priceCustomer: customer,
          priceAgent,
        })),
      })
    },
    notice: () => call<Notice>('GET', '/extra/momo-details'),
    outbox: () => call<{ channel: string; to: string; subject?: string; body: string }[]>('GET', '/sandbox/outbox'),
    /** What the simulated card provider knows, newest first. */
    cardPayments: () =>
      call<{ reference: string; email: string; status: string; amountPesewas: number }[]>('GET', '/sandbox/card/payments'),

    /** All that the process has printed so far. */
    output: () => program.output(),

    async close() {
      program.process.kill('SIGTERM')
      const code = await program.ended()
      await rm(dataDir, { recursive: true, force: true })
      if (code !== 0) throw new Error(`the shop ended with ${code}:\n${program.output()}`)
    },
  }

  function signIn(userPhone: string) {
    return call<Account>('POST', '/user/login', { body: { userPhone, password: PASSWORD } })
  }
}

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hash } from '@node-rs/argon2'
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.ts'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { type Db, openPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { hashToken } from '../server/platform/hash-token.ts'
import { createLog } from '../server/platform/log.ts'
import type { Product } from '../shared/products.ts'
import type { UserLevel } from '../shared/users.ts'
import { type ApiCall, callAt, HeldConnection, type HttpReply } from '../test/http-client.ts'
import type { Program } from '../test/process/run-program.ts'
import { shuffle } from '../test/random.ts'
import { until } from '../test/until.ts'
import { waitingFor } from '../test/waits.ts'
import { makeFolder, startProgram } from './leftovers.ts'

const ROOT = resolve(import.meta.dirname, '..')
export const PASSWORD = 'a good password'
const ADMIN_PHONE = '0200000000'

export type Person = { id: string; token: string; phone: string; email: string; username: string; level: UserLevel }
export type Line = { productId: string; offer: string; phoneNumber: string; amount: number }
export type Shop = { address: string; program: Program }
export type Asked = Pick<ApiCall, 'as' | 'body' | 'headers'> & { shop?: number }
export type Held = ApiCall & { as: { token: string }; body: unknown }

export type Shops = {
  db: Db
  databaseUrl: string
  all: Shop[]
  card: Sandbox['cardProvider']
  /** The simulators of outside services, in this process. */
  sandbox: Sandbox
  products: Product[]
  admins: [Person, Person]
  /** Reads the catalogue and creates two admins; call it once a process is open, if `processes` was 0. */
  ready(): Promise<void>
  /** Starts one more process, of the program in `folder` if given. */
  startAnother(env?: Record<string, string>, folder?: string): Promise<Shop>
  /** Calls the processes in turn; status 0 means that there was no reply. */
  call<T = Record<string, unknown>>(method: string, path: string, asked?: Asked): Promise<HttpReply<T>>
  buy(as: Person, lines: Line[], key?: string, shop?: number): Promise<HttpReply>
  /** Holds the last byte of each call back, spread over the processes, and releases all at one instant. */
  race(calls: Held[], random: () => number): Promise<HttpReply[]>
  /** A user, inserted directly into the database, so that thousands are cheap. */
  makeUser(details?: { level?: UserLevel; pesewas?: number }): Promise<Person>
  makeUsers(howMany: number, details?: { level?: UserLevel; pesewas?: number }): Promise<Person[]>
  /** One package of a network: by default an MTN 1GB at a customer's price. */
  line(options?: { network?: string; offer?: string; level?: UserLevel; phone?: string }): Line
  books(userId: string): Promise<Books>
  /** What `checkLedger` finds wrong, one sentence each. */
  prove(): Promise<string[]>
  close(): Promise<void>
}

export type Books = { pesewas: number; postings: number; orders: number; entries: number; totalPurchase: number; unbalanced: number }

export type ShopsOptions = {
  processes?: number
  env?: Record<string, string>
  /** An existing database server. */
  databaseUrl?: string
  /** Turns the database's address into the one that processes get, such as a proxy's. */
  seenAs?: (url: string) => string
  /** The guard that processes of the shop are started without. */
  without?: string | undefined
  /** Leaves a guard out of the database once it is migrated. */
  spoil?: (db: Db) => Promise<void>
  /** Settings of the embedded database. */
  settings?: Record<string, string>
}

const CONNECT_WITHIN_MS = 120_000

export async function openShops(options: ShopsOptions = {}): Promise<Shops> {
  const { processes = 2, env = {}, seenAs = (url: string) => url } = options
  const log = createLog('silent')
  const folder = makeFolder('shops')
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  let databaseUrl = options.databaseUrl
  if (databaseUrl === undefined) {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log, settings: options.settings ?? {} })
    databaseUrl = postgres.url()
    closers.unshift(() => postgres.stop())
  }
  const all: Shop[] = []
  const sandbox = await openSandbox({
    dataDir: folder,
    shopUrl: () => all[0]?.address ?? 'http://127.0.0.1:1',
    log,
    webhookRetryDelaysMs: [50, 200, 1_000, 5_000],
  })
  const { cardProvider: card } = sandbox
  // The simulator's limit of five calls a minute would only slow the experiments down.
  for (const supplier of [sandbox.supplier.hubnet, sandbox.supplier.remadata, sandbox.supplier.datamart, sandbox.supplier.reloadly])
    await supplier.change({ callsPerMinute: null, balancePesewas: 1_000_000_000 })
  closers.unshift(() => sandbox.close())
  const settings: Record<string, string> = {
    DATABASE_URL: seenAs(databaseUrl),
    DATA_DIR: folder,
    ...serviceSettings(sandbox),
    ...withoutGuard(options),
    ...env,
  }
  // One after the other: the first one migrates and adds the sample catalogue.
  for (let index = 0; index < processes; index++) all.push(await startShop(settings))
  closers.unshift(() => Promise.all(all.map(stopShop)))
  const db = openPool({ url: databaseUrl, size: 10, log, name: 'resilience' })
  // A shop calls itself too busy after three seconds; an experiment's own looks at the database wait for a busy machine.
  db.options.connectionTimeoutMillis = CONNECT_WITHIN_MS
  closers.unshift(() => db.end())

  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const connections = new Map<number, HeldConnection>()
  closers.unshift(async () => {
    for (const connection of connections.values()) connection.close()
  })
  let turn = 0

  const shops: Shops = {
    db,
    databaseUrl,
    all,
    card,
    sandbox,
    startAnother: async (more = {}, folder = ROOT) => {
      const shop = await startShop({ ...settings, ...more }, folder)
      all.push(shop)
      return shop
    },
    products: [],
    admins: [] as unknown as [Person, Person],
    async call<T>(method: string, path: string, { shop, ...asked }: Asked = {}) {
      const { address } = all[(shop ?? turn++) % all.length] as Shop
      return callAt<T>(address, method, path, asked)
    },
    buy: (as, items, key = crypto.randomUUID(), shop = turn++) =>
      shops.call('POST', '/order/checkout', { as, body: { items }, headers: { 'idempotency-key': key }, shop }),
    async race(calls, random) {
      const held = await Promise.all(
        calls.map(async (call, index) => {
          let connection = connections.get(index)
          if (!connection) {
            connection = new HeldConnection((all[index % all.length] as Shop).address)
            connections.set(index, connection)
          }
          await connection.open()
          return { letGo: await connection.load(call), index }
        }),
      )
      const replies: HttpReply[] = []
      await Promise.all(
        shuffle(held, random).map(async ({ letGo, index }) => {
          replies[index] = await letGo()
        }),
      )
      return replies
    },
    makeUser: (details) => makeUser(db, passwordHash, details),
    makeUsers: (howMany, details) => Promise.all(Array.from({ length: howMany }, () => makeUser(db, passwordHash, details))),
    line({ network = 'MTN', offer, level = 'Customer', phone = '0551234567' } = {}) {
      const product = shops.products.find((found) => found.network === network) as Product
      const found = (
        offer === undefined ? product.packages[0] : product.packages.find((one) => one.offer === offer)
      ) as Product['packages'][0]
      const amount = level === 'Customer' ? found.priceCustomer : found.priceAgent
      return { productId: product._id, offer: found.offer, phoneNumber: phone, amount }
    },
    async ready() {
      if (processes === 0) await options.spoil?.(db)
      shops.products = (await shops.call<Product[]>('GET', '/product')).body
      shops.admins = [await shops.makeUser({ level: 'Admin' }), await shops.makeUser({ level: 'Admin' })]
    },
    books: (userId) => readReconciliation(db, userId),
    prove: async () => (await checkLedger(db)).map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`),
    async close() {
      for (const close of closers)
        await waitingFor(`what the shops have open to close: ${String(close).replace(/\s+/g, ' ')}`, close()).catch((error: unknown) =>
          console.error(String(error)),
        )
    },
  }
  if (processes > 0) await shops.ready()
  if (processes > 0) await options.spoil?.(db)
  return shops
}

/** Settings with which a shop uses our simulators. */
function serviceSettings({ cardProvider, mail, supplier, airtime, sms, whatsapp }: Sandbox): Record<string, string> {
  return {
    PAYSTACK_BASE_URL: cardProvider.baseUrl,
    PAYSTACK_SECRET_KEY: cardProvider.secretKey,
    PAYSTACK_PUBLIC_KEY: cardProvider.publicKey,
    SMTP_URL: mail.smtpUrl,
    SUPPLIER_HUBNET_BASE_URL: supplier.baseUrl,
    SUPPLIER_HUBNET_KEY: supplier.key,
    SUPPLIER_REMADATA_BASE_URL: supplier.remadata.baseUrl,
    SUPPLIER_REMADATA_KEY: supplier.remadata.key,
    SUPPLIER_DATAMART_BASE_URL: supplier.datamart.baseUrl,
    SUPPLIER_DATAMART_KEY: supplier.datamart.key,
    SUPPLIER_RELOADLY_BASE_URL: supplier.reloadly.baseUrl,
    SUPPLIER_RELOADLY_AUTH_BASE_URL: supplier.reloadly.baseUrl,
    SUPPLIER_RELOADLY_CLIENT_ID: airtime.clientId,
    SUPPLIER_RELOADLY_KEY: supplier.reloadly.key,
    SUPPLIER_RELOADLY_OPERATORS: Object.entries(airtime.operatorIds)
      .map(([operator, id]) => `${operator}=${id}`)
      .join(),
    SUPPLIER_RELOADLY_CALLS_PER_MINUTE: '100000',
    SUPPLIER_CALLS_PER_MINUTE: '100000',
    SMS_ARKESEL_BASE_URL: sms.baseUrl,
    SMS_ARKESEL_KEY: sms.apiKey,
    WHATSAPP_BASE_URL: whatsapp.baseUrl,
    WHATSAPP_TOKEN: whatsapp.token,
    WHATSAPP_APP_SECRET: whatsapp.appSecret,
    WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
    WHATSAPP_PHONE_ID: whatsapp.phoneId,
    WHATSAPP_NUMBER: whatsapp.number,
    JOB_TIMINGS: 'quick',
  }
}

/** What a process of the program in `folder` is told so that it runs without a guard. */
export function withoutGuard({ without }: Pick<ShopsOptions, 'without'>, folder = ROOT): Record<string, string> {
  if (without === undefined) return {}
  return { WITHOUT: without, NODE_OPTIONS: `--import ${pathToFileURL(join(folder, 'resilience/without.ts')).href}` }
}

/** Starts one process of the shop on a free port and waits until it is open; `onStart` is told of it at once. */
export async function startShop(env: Record<string, string>, folder = ROOT, onStart: (pid: number) => void = () => {}): Promise<Shop> {
  const program = startProgram(join(folder, 'server/main.ts'), {
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    GUESSABLE_PASSWORDS: 'refuse',
    ADMIN_PHONE,
    ADMIN_PASSWORD: PASSWORD,
    ...env,
  })
  onStart(program.process.pid as number)
  const [, port = ''] = await program.prints(/is open at http:\/\/localhost:(\d+)/, 60_000)
  return { address: `http://127.0.0.1:${port}`, program }
}

async function stopShop({ program }: Shop) {
  if (program.process.exitCode !== null || program.process.signalCode !== null) return
  program.process.kill('SIGTERM')
  // It ends by itself within ten seconds; one that does not is stuck.
  await until(() => program.process.exitCode !== null || program.process.signalCode !== null, 30_000).catch(() =>
    program.process.kill('SIGKILL'),
  )
  await program.ended()
}

let made = 0

export async function makeUser(
  db: Db,
  passwordHash: string,
  { level = 'Customer', pesewas = 0 }: { level?: UserLevel; pesewas?: number } = {},
): Promise<Person> {
  made += 1
  // Letters that do not look like others.
  const name = `t ${[...String(made).padStart(7, '0')].map((digit) => 'abcdefghjk'[Number(digit)]).join('')}`
  const phone = `059${String(made).padStart(7, '0')}`
  const email = `t${made}@example.com`
  const token = randomBytes(32).toString('base64url')
  const { rows } = await db.query<{ id: string }>(
    `insert into users (username, username_skeleton, email, phone, password_hash, level) values ($1, $2, $3, $4, $5, $6) returning id`,
    [name, name.replace(' ', ''), email, phone, passwordHash, level],
  )
  const { id } = rows[0] as { id: string }
  await db.query('select create_wallet($1)', [id])
  await db.query(
    // A run may take longer than the five minutes after which the password is asked again.
    `insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at, password_at)
     values ($1, $2, now(), now(), now() + '12 hours', now() + '12 hours')`,
    [hashToken(token), id],
  )
  if (pesewas > 0) {
    await db.query(
      `select post_entry($1, 'admin-credit', 'resilience', null, array[account_id, 6], array[$2::bigint, -$2::bigint], now()) from wallets where user_id = $3`,
      [`admin-credit:${crypto.randomUUID()}`, pesewas, id],
    )
  }
  return { id, token, phone, email, username: name, level }
}

async function readReconciliation(db: Db, userId: string): Promise<Books> {
  const { rows } = await db.query<Books>(
    `select w.balance_pesewas as pesewas, w.total_purchase_pesewas as "totalPurchase",
      (select count(*) from orders where user_id = w.user_id) as orders,
      (select count(*) from postings where account_id = w.account_id) as entries,
      (select coalesce(sum(amount_pesewas), 0) from postings where account_id = w.account_id) as postings,
      (select count(*) from (
        select from postings where entry_id in (select entry_id from postings where account_id = w.account_id)
        group by entry_id having sum(amount_pesewas) <> 0
      ) entries) as unbalanced
    from wallets w where w.user_id = $1`,
    [userId],
  )
  return rows[0] as Books
}

/** An amount in cedis from a reply, in pesewas. */
export function pesewas(cedis: unknown): number {
  return Math.round(Number(cedis) * 100)
}

import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkLedger } from '../../server/ledger/check-ledger.ts'
import { openPool } from '../../server/platform/db.ts'
import { findRunningPostgres } from '../../server/platform/embedded-postgres.ts'
import { createLog } from '../../server/platform/log.ts'
import type { Order } from '../../shared/orders.ts'
import type { Product } from '../../shared/products.ts'
import type { User } from '../../shared/users.ts'
import { copyDataFolder } from '../database.ts'
import { makeFolder } from '../make-folder.ts'
import { until } from '../until.ts'
import { ask, type OpenShop, openAccount, openShop, signInAsAdmin } from './open-shops.ts'
import { type Program, runProgram } from './run-program.ts'

let dataDir: string
let programs: Program[]
beforeEach(async () => {
  dataDir = await makeFolder()
  programs = []
})
afterEach(async () => {
  for (const { process, ended } of programs) {
    process.kill('SIGKILL')
    await ended()
  }
  if (existsSync(join(dataDir, 'postgres/postmaster.pid'))) killDatabase(await readPid())
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

/** Starts the shop with the settings of an operator who sets none. */
function start(env: Record<string, string> = {}): Program {
  const program = runProgram('server/main.ts', { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', ...env })
  programs.push(program)
  return program
}

/** Opens the shop on a data folder that has been made before. */
async function open(env: Record<string, string> = {}): Promise<OpenShop> {
  if (!existsSync(join(dataDir, 'postgres'))) await copyDataFolder(dataDir)
  const shop = await openShop({ DATA_DIR: dataDir, ...env })
  programs.push(shop.program)
  return shop
}

async function stop(program: Program): Promise<number | null> {
  program.process.kill('SIGTERM')
  return program.ended()
}

async function readPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

function killDatabase(pid: number) {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    // It has ended by itself.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function signIn(address: string, phone: string, password: string) {
  return fetch(`${address}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userPhone: phone, password }),
  })
}

test('the first start says where the shop is and how its admin signs in; the second keeps everything and says no password', async () => {
  // Without LOG_LEVEL, as an operator starts it who has read nothing yet.
  const first = start({ LOG_LEVEL: '' })
  const [, address = ''] = await first.prints(/is open at (http:\/\/localhost:\d+)/)
  const [, phone = '', password = ''] = await first.prints(/phone {5}(\d{10})\n {4}password {2}(\S{12,})\n/)
  expect(first.output().split(password)).toHaveLength(2)
  expect(first.output()).toContain('Sandbox: no real money moves.')
  expect((await signIn(address, phone, password)).status).toBe(200)
  expect(await (await fetch(`${address}/api/product`)).json()).toHaveLength(7)
  const lines = first.output().trim().split('\n')
  expect(lines.length).toBeLessThanOrEqual(8)
  expect(lines.at(-1)).toBe('  Write the password down: it is shown only once.')
  const pid = await readPid()
  expect(await stop(first)).toBe(0)
  // The database takes its lock file away a moment before its process is gone.
  await until(() => !isAlive(pid), 5_000)
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)

  const second = start()
  const [, again = ''] = await second.prints(/is open at (http:\/\/localhost:\d+)/)
  expect(second.output()).not.toMatch(/password|first admin/)
  expect((await signIn(again, phone, password)).status).toBe(200)
  expect(await (await fetch(`${again}/api/product`)).json()).toHaveLength(7)
  expect(await stop(second)).toBe(0)
})

test('a shop that is told to stop finishes the purchase it has begun, refuses new ones, and leaves nothing running', {
  tags: 'long',
}, async () => {
  const shop = await open()
  const buyer = await openAccount(shop, { adminToken: await signInAsAdmin(shop), balance: 20 })
  const database = new pg.Client({ connectionString: (await findRunningPostgres({ dataDir }))! })
  await database.connect()
  await database.query('begin')
  await database.query('select from wallets where user_id = $1 for update', [buyer.id])
  const purchase = buy(shop, buyer.token, crypto.randomUUID())
  // A transaction sees what others do as it was when it first looked.
  const observer = new pg.Client({ connectionString: (await findRunningPostgres({ dataDir }))! })
  await observer.connect()
  await until(async () => {
    const { rows } = await observer.query(`select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'dwadi'`)
    return rows.length === 1
  })
  await observer.end()

  const pid = await readPid()
  shop.program.process.kill('SIGTERM')
  await until(() =>
    fetch(`${shop.address}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  await database.query('commit')
  await database.end()
  expect(await purchase).toMatchObject({ status: 200, body: { balance: 14.5 } })
  expect(await shop.program.ended()).toBe(0)
  await until(() => !isAlive(pid))
})

test('a shop that was killed in the middle of its sales opens again with every sale that it confirmed, and each once', async () => {
  const shop = await open()
  const buyer = await openAccount(shop, { adminToken: await signInAsAdmin(shop), balance: 1_000 })
  const keys = Array.from({ length: 32 }, () => crypto.randomUUID())
  const purchases = keys.map((key) => buy(shop, buyer.token, key).catch(() => null))
  await Promise.race(purchases)
  shop.program.process.kill('SIGKILL')
  const confirmed = (await Promise.all(purchases)).filter((reply) => reply?.status === 200).length
  await shop.program.ended()

  const again = await open()
  const before = await ask<Order[]>(again, 'GET', '/order/allorders', { token: buyer.token })
  expect(before.length).toBeGreaterThanOrEqual(confirmed)
  // A busy shop may ask a customer to try again, and a customer does.
  const insist = async (key: string) => {
    const reply = await buy(again, buyer.token, key)
    return reply.status !== 503 && reply
  }
  const replies = await Promise.all(keys.map((key) => until(() => insist(key), 30_000)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const after = await ask<Order[]>(again, 'GET', '/order/allorders', { token: buyer.token })
  const [me] = await ask<User[]>(again, 'GET', '/user', { token: buyer.token })
  expect([after.length, me!.balance]).toEqual([32, 1_000 - 32 * 5.5])

  const db = openPool({ url: (await findRunningPostgres({ dataDir }))!, size: 2, log: createLog('silent'), name: 'test' })
  expect(await checkLedger(db)).toEqual([])
  await db.end()
  expect(await stop(again.program)).toBe(0)
})

async function buy(shop: OpenShop, token: string, key: string) {
  const product = await until(
    () =>
      ask<Product[]>(shop, 'GET', '/product').then(
        ([first]) => first,
        () => null,
      ),
    30_000,
  )
  const reply = await fetch(`${shop.address}/api/order/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ items: [{ productId: product._id, offer: '1GB', phoneNumber: '0551234567', amount: 5.5 }] }),
  })
  return { status: reply.status, body: (await reply.json()) as { balance?: number } }
}

test('two starts on one data folder: the second is refused in words, and the first sells on', { tags: 'long' }, async () => {
  const shop = await open()
  const rival = start()
  expect(await rival.ended()).toBe(1)
  expect(rival.output()).toContain(`The data folder ${dataDir} is in use by another Dwadi process`)
  expect((await fetch(`${shop.address}/readyz`)).status).toBe(200)
  expect(await stop(shop.program)).toBe(0)
})

test('a port that is taken ends the start with words that name it, and leaves no database running', { tags: 'long' }, async () => {
  await copyDataFolder(dataDir)
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const { port } = holder.address() as { port: number }
  const program = start({ PORT: String(port) })
  expect(await program.ended()).toBe(1)
  expect(program.output()).toContain(`  PORT: ${port} is in use by another program. Choose another port.`)
  expect(program.output()).not.toMatch(/EADDRINUSE| at .*\.ts:\d+/)
  expect(await findRunningPostgres({ dataDir })).toBeNull()
  holder.close()
})

describe('settings that are not right end the start at once, with a message that names the variable', () => {
  test.each([
    [{ PORT: 'x', LOG_LEVEL: 'loud' }, ['PORT', 'LOG_LEVEL']],
    [{ SHOP_MODE: 'live' }, ['PUBLIC_URL', 'PAYSTACK_SECRET_KEY', 'SMTP_URL', 'SMS', 'SUPPLIER']],
  ])('%j', async (env, names) => {
    const program = start(env as unknown as Record<string, string>)
    expect(await program.ended()).toBe(1)
    expect(program.output()).toMatch(/^The settings are not right:\n/)
    for (const name of names) expect(program.output()).toContain(`  ${name}`)
    expect(program.output()).not.toMatch(/ at .*\.ts:\d+/)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  })

  test('a first admin whose password others would guess', { tags: 'long' }, async () => {
    const program = start({ ADMIN_PASSWORD: 'Dwadi2026!', GUESSABLE_PASSWORDS: 'refuse' })
    expect(await program.ended()).toBe(1)
    expect(program.output()).toContain('ADMIN_PASSWORD: is too easy to guess')
    expect(program.output()).not.toMatch(/Dwadi2026| at .*\.ts:\d+/)
  })

  test('a data folder that is a file', { tags: 'long' }, async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const program = start({ DATA_DIR: file })
    expect(await program.ended()).toBe(1)
    expect(program.output()).toContain(file)
  })
})

/** @module-tag long */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { closeShop, type OpenShop, openShop } from './open-shops.ts'

// Rate limits of accounts, money and messages are shared by all processes of a shop.

let database: TestDatabase
let shops: OpenShop[]
beforeAll(async () => {
  database = await openTestDatabase()
  const env = { DATABASE_URL: database.url, RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' }
  shops = await Promise.all([openShop(env), openShop(env)])
})
afterAll(async () => {
  await Promise.all(shops.map(closeShop))
  await database.close()
})

/** Fewer at once than a shop has connections to its database: on a busy machine the rest would be told to come back. */
const AT_ONCE = 12

async function sendAll(times: number, path: string, request: (index: number) => { body: object; address: string; token?: string }) {
  const replies: Awaited<ReturnType<typeof send>>[] = []
  let next = 0
  const sendOneByOne = async () => {
    for (let index = next++; index < times; index = next++)
      replies[index] = await send((shops[index % 2] as OpenShop).address, path, request(index))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOneByOne))
  return replies
}

async function send(shop: string, path: string, { body, address, token }: { body: object; address: string; token?: string }) {
  const reply = await fetch(`${shop}/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, string> }
}

function counted(replies: { status: number }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** As many as the burst were let through, and no more than were regained while a busy machine worked on them. */
function expectLimit(replies: { status: number }[], burst: number, everyMs: number, startedAt: number) {
  const { 200: passed = 0, 429: refused = 0 } = counted(replies)
  expect(passed + refused).toBe(replies.length)
  expect(passed).toBeGreaterThanOrEqual(burst)
  expect(passed).toBeLessThanOrEqual(burst + Math.ceil((Date.now() - startedAt) / everyMs))
}

const person = (index: number) => ({
  username: `limited ${[...String(index)].map((digit) => 'qwxzvkjnub'[Number(digit)]).join('')}`,
  email: `limited${index}@example.com`,
  phone: `0277${String(index).padStart(6, '0')}`,
  password: 'a good password',
})

test('wrong guesses at one account: ten from one address', async () => {
  const guesses = await sendAll(40, '/user/login', (index) => ({
    body: { userPhone: '0200000000', password: `guess ${index}` },
    address: '203.0.113.1',
  }))
  expect(counted(guesses)).toEqual({ 401: 10, 429: 30 })
  const owner = { body: { userPhone: '0200000000', password: 'a good password' } }
  for (const { address } of shops) {
    expect((await send(address, '/user/login', { ...owner, address: '203.0.113.1' })).status).toBe(429)
    expect((await send(address, '/user/login', { ...owner, address: '203.0.113.2' })).status).toBe(200)
  }
})

test('forgotten passwords: a hundred and twenty from one address', async () => {
  const startedAt = Date.now()
  const replies = await sendAll(140, '/user/forget-password', () => ({ body: { email: 'nobody@example.com' }, address: '203.0.113.3' }))
  expectLimit(replies, 120, 10_000, startedAt)
})

test('new accounts: two hundred from one address, and one that is not valid costs none', async () => {
  const refused = await sendAll(10, '/user/register', () => ({ body: { username: '' }, address: '203.0.113.4' }))
  expect(counted(refused)).toEqual({ 400: 10 })
  const startedAt = Date.now()
  const replies = await sendAll(210, '/user/register', (index) => ({ body: person(200 + index), address: '203.0.113.4' }))
  expectLimit(replies, 200, 6_000, startedAt)
  expect((await send((shops[0] as OpenShop).address, '/user/register', { body: person(99), address: '203.0.113.5' })).status).toBe(200)
})

test('card payments: thirty of one user, from wherever', async () => {
  const { body: user } = await send((shops[0] as OpenShop).address, '/user/register', { body: person(100), address: '203.0.113.6' })
  const startedAt = Date.now()
  const replies = await sendAll(36, '/payment', (index) => ({
    body: { purpose: 'agent-upgrade' },
    address: `203.0.113.${100 + index}`,
    token: user.token as string,
  }))
  expectLimit(replies, 30, 30_000, startedAt)
})

test('asking for a recharge: two waiting for a newcomer', async () => {
  const { body: user } = await send((shops[1] as OpenShop).address, '/user/register', { body: person(101), address: '203.0.113.7' })
  const replies = await sendAll(24, '/recharge', () => ({ body: { amount: 50 }, address: '203.0.113.7', token: user.token as string }))
  expect(counted(replies)).toEqual({ 200: 2, 429: 22 })
})

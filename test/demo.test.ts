import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { createLog } from '../server/platform/log.ts'
import type { SignedInUser } from '../shared/users.ts'
import { fillDemo } from '../tools/demo/fill-demo.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'

/** A Friday afternoon: what is made up depends on the hour and the weekday. */
const NOW = new Date('2025-11-21T15:00:00Z')

let shop: TestShop
let owner: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin' })
  const size = { days: 4, ordersToday: 60, agents: 4, customers: 12 }
  await fillDemo(shop.database.db, { ...size, now: NOW, log: createLog('silent'), password: 'a demo password' })
  const { body } = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: owner.phone, password: 'a good password' } })
  owner = body
})
afterAll(() => shop.close())

test('the made-up trade leaves books that balance, and nobody signed in', async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  const { rows } = await shop.database.db.query('select count(*)::int as sessions from sessions where user_id <> $1', [owner._id])
  expect(rows).toEqual([{ sessions: 0 }])
})

test('orders are delivered at a cost, some are refunded, and some wait for the owner', async () => {
  const { rows } = await shop.database.db.query<{ status: string; orders: number; uncosted: number }>(
    `select status, count(*)::int as orders, count(*) filter (where completed_at is not null and cost_pesewas is null)::int as uncosted
     from orders group by 1 order by 1`,
  )
  const of = (status: string) => rows.find((row) => row.status === status)
  expect(of('completed')?.orders).toBeGreaterThan(20)
  expect(of('completed')?.uncosted).toBe(0)
  expect(of('pending')?.orders).toBeGreaterThan(0)
})

test('an AFA order is registered like others, and none lies about', async () => {
  const { rows } = await shop.database.db.query(
    `select (select count(*)::int from orders where network = 'AFA' and status = 'completed') > 0 as done,
       (select count(*)::int from orders where network = 'AFA' and status = 'pending' and created_at < $1) as lying`,
    [new Date(NOW.getTime() - 4 * 3_600_000)],
  )
  expect(rows).toEqual([{ done: true, lying: 0 }])
})

test('the owner has work on the desk: top-ups to decide, most of them with the message that paid for them', async () => {
  const { rows } = await shop.database.db.query<{ requests: number; payments: number }>(
    `select (select count(*)::int from recharges where status = 'pending') as requests,
       (select count(*)::int from received_payments where status = 'waiting') as payments`,
  )
  expect(rows[0]?.requests).toBeGreaterThan(2)
  expect(rows[0]?.payments).toBe((rows[0]?.requests as number) - 1)
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { makeUser } from '../../../../test/builders.ts'
import { type Db, openPool, transaction } from '../../../platform/db.ts'
import { createLog } from '../../../platform/log.ts'
import { claimDuePayments, insertPayment, markSettled, selectHeldPayments } from './payments.sql.ts'
import { insertWebhookEvent, selectWaitingEvents } from './webhook-events.sql.ts'

const MINUTE_MS = 60_000
const REFERENCE_LENGTH = 20
/** How the payments of a test are called in it, without what fills their references up. */
const short = ({ reference }: { reference: string }) => reference.replace(/x+$/, '')

let shop: TestShop
/** Here no index gives rows in their order by the way, as it may while a table is small or large: only what asks for an order has one. */
let db: Db
beforeAll(async () => {
  shop = await openTestShop()
  // Otherwise the shop's own loop may claim a due payment first.
  await shop.app.background.payments.stop()
  const { url } = shop.database
  const options = `options=${encodeURIComponent('-c enable_indexscan=off -c enable_bitmapscan=off')}`
  db = openPool({ url: `${url}${url.includes('?') ? '&' : '?'}${options}`, size: 3, log: createLog('silent'), name: 'dwadi-test-lists' })
})
afterAll(async () => {
  await db.end()
  await shop.close()
})

/** Payments whose check is due so many minutes ago, in this order. */
async function beginPayments(prefix: string, dueMinutesAgo: number[]) {
  const { _id: userId } = await makeUser(shop)
  const now = shop.clock.now
  for (const [index, minutes] of dueMinutesAgo.entries()) {
    const checkAt = new Date(now.getTime() - minutes * MINUTE_MS)
    const price = { pricePesewas: 5_000, surchargePesewas: 0 }
    await insertPayment(shop.database.db, {
      reference: `${prefix}${index}`.padEnd(REFERENCE_LENGTH, 'x'),
      userId,
      purpose: 'agent-upgrade',
      lines: null,
      ...price,
      now,
      checkAt,
    })
  }
}

test('due payments are queried longest waiting first, and no more than the limit', async () => {
  await beginPayments('due', [1, 3, 2, -5])
  const next = new Date(shop.clock.now.getTime() + MINUTE_MS)
  const claim = async () => {
    const claimed = await claimDuePayments(db, { now: shop.clock.now, nextAt: next, limit: 2 })
    return claimed.map(short).sort()
  }
  expect(await claim()).toEqual(['due1', 'due2'])
  expect(await claim()).toEqual(['due0'])
  expect(await claim()).toEqual([])
})

test('held payments are listed newest first, a page at a time', async () => {
  await beginPayments('held', [0, 0, 0])
  const held = { status: 'held' as const, reason: 'paid in NGN, not in GHS', inWallet: false, receivedPesewas: 0 }
  await transaction(db, async (tx) => {
    for (const reference of ['held1', 'held0', 'held2'])
      await markSettled(tx, reference.padEnd(REFERENCE_LENGTH, 'x'), { ...held, now: shop.clock.now })
  })
  const list = async (offset: number) => {
    const { payments, total } = await selectHeldPayments(db, { limit: 2, offset, search: null })
    return [payments.map(short), total]
  }
  expect(await list(0)).toEqual([['held2', 'held1'], 3])
  expect(await list(2)).toEqual([['held0'], 3])
})

test('webhook events are handled in order of arrival', async () => {
  for (const reference of ['b', 'a', 'c']) {
    const bodyHash = createHash('sha256').update(reference).digest()
    await insertWebhookEvent(shop.database.db, { bodyHash, event: 'charge.success', reference, body: '{}', now: shop.clock.now })
  }
  // What is written anew moves in its table; the order stays.
  await shop.database.db.query(`update webhook_events set event = event where reference = 'b'`)
  const waiting = await selectWaitingEvents(db, 2)
  expect(waiting.map(({ reference }) => reference)).toEqual(['b', 'a'])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Order } from '../../../../shared/orders.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { type JobQueue, openJobQueue } from '../../../platform/job-queue.ts'
import { createLog } from '../../../platform/log.ts'
import { queueRules } from '../../../platform/queues.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'
import { queryStatusAfterRestore } from './query-status-after-restore.ts'

let shop: TestShop
let jobs: JobQueue

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  const { db } = shop.database
  jobs = await openJobQueue({ db, log: createLog('silent'), queues: queueRules(QUICK_TIMINGS), timings: QUICK_TIMINGS.jobs })
})
afterAll(async () => {
  await jobs.stop()
  await shop.close()
})

test('orders that an old backup holds as unsent are queried, and not sent again if the supplier has them', async () => {
  const buyer = await makeUser(shop, { balance: 100 })
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { network: 'AirtelTigo', phoneNumber: '0271234567' })])
  const order = body.orders[0]!
  await until(async () => (await statusOf(order)) === 'accepted')

  // As a backup has it that was made between the sale and the sending.
  await shop.database.db.query(`update supplier_deliveries set status = 'waiting', attempts = 0, sent_at = null where order_id = $1`, [
    order._id,
  ])
  expect(await queryStatusAfterRestore(shop.database.db, jobs, shop.clock.now)).toEqual({ asked: 1, byHand: 0 })
  expect(await statusOf(order)).toBe('unknown')
  await until(async () => (await statusOf(order)) === 'accepted')
  const arrived = shop.sandbox!.supplier.hubnet.deliveries().filter(({ reference }) => reference === order.reference)
  expect(arrived.length).toBe(1)
})

async function statusOf({ _id }: Order): Promise<string> {
  const { rows } = await shop.database.db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [_id])
  return rows[0]?.status ?? 'none'
}

import { expect, test } from 'vitest'
import { openTestDatabase } from '../database.ts'
import { killAroundCalls } from './kill-around-calls.ts'
import { loseReplies } from './lose-replies.ts'

// The short form of test/outside/outside-calls.ts, which kills the shop at all eleven steps.

test('50 orders whose replies are all lost: 50 deliveries, none twice, and the shop finds out about each', async () => {
  const database = await openTestDatabase()
  const lost = await loseReplies(database.url, 50)
  expect(lost).toMatchObject({ orders: 50, deliveries: 50, duplicates: 0, resolved: 50 })
  await database.close()
})

/** After each kind of call has acted outside and before that is known here, and where jobs come from. */
const STEPS = [
  'relay: jobs added, not committed',
  'send: taken, no reply yet',
  'send: replied, not recorded',
  'ask: replied, not recorded',
  'message: sent, no reply yet',
]

test('a shop killed at five steps around its calls to the outside delivers each order once and sends no message twice', async () => {
  const database = await openTestDatabase()
  const { kills, orders, violations } = await killAroundCalls(database.url, 1, { steps: STEPS })
  expect([kills.map(({ step }) => step), orders, violations]).toEqual([STEPS, STEPS.length, []])
  await database.close()
})

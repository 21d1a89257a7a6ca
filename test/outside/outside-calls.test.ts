import { expect, test } from 'vitest'
import { openTestDatabase } from '../database.ts'
import { killAroundCalls } from './kill-around-calls.ts'
import { loseReplies } from './lose-replies.ts'

// The short form of test/outside/outside-calls.ts, which kills the shop at all eleven steps.

test('20 orders whose replies are all lost: 20 deliveries, none twice, and the shop finds out about each', { tags: 'long' }, async () => {
  const database = await openTestDatabase()
  const lost = await loseReplies(database.url, 20)
  expect(lost).toMatchObject({ orders: 20, deliveries: 20, duplicates: 0, resolved: 20 })
  await database.close()
})

/** Where jobs come from, and after each kind of call has acted outside and before that is known here. */
const STEPS = ['relay: jobs added, not committed', 'send: replied, not recorded', 'message: sent, no reply yet']

test('a shop killed at three steps around its calls to the outside delivers each order once and sends no message twice', async () => {
  const database = await openTestDatabase()
  const { kills, orders, violations } = await killAroundCalls(database.url, 1, { steps: STEPS })
  expect([kills.map(({ step }) => step), orders, violations]).toEqual([STEPS, STEPS.length, []])
  await database.close()
})

import { expect, test, vi } from 'vitest'
import { openTestDatabase } from '../database.ts'
import { killAroundCalls } from './kill-around-calls.ts'
import { loseReplies } from './lose-replies.ts'

vi.setConfig({ testTimeout: 400_000 })

// The short form of test/outside/outside-calls.ts.

test('50 orders whose replies are all lost: 50 deliveries, none twice, and the shop finds out about each', async () => {
  const database = await openTestDatabase()
  const lost = await loseReplies(database.url, 50)
  expect(lost).toMatchObject({ orders: 50, deliveries: 50, duplicates: 0, resolved: 50 })
  await database.close()
})

test('a shop killed at 11 steps around its calls to the outside delivers each order once and sends no message twice', async () => {
  const database = await openTestDatabase()
  const { kills, orders, violations } = await killAroundCalls(database.url, 1)
  expect([kills.length, orders, violations]).toEqual([11, 11, []])
  await database.close()
})

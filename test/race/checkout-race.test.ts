import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { closeShop, type OpenShop, openShop } from '../process/open-shops.ts'
import { raceCheckouts } from './race-checkouts.ts'

// The short form of `npm run race:checkout`; the last two tests show that the race would see the fault it looks for.

let database: TestDatabase
let shops: OpenShop[]
beforeAll(async () => {
  database = await openTestDatabase({ catalogue: true })
  shops = await Promise.all([openShop({ DATABASE_URL: database.url }), openShop({ DATABASE_URL: database.url })])
})
afterAll(async () => {
  await Promise.all(shops.map(closeShop))
  // The last test leaves wallets below zero, which is what it is for.
  await database.close().catch((error: Error) => {
    if (!error.message.includes('no wallet is below zero')) throw error
  })
})

test('64 checkouts at once over two processes: those that the money affords succeed, no other, and one key makes one order', async () => {
  const { moneyForTen, sameKey, ledger } = await raceCheckouts({ databaseUrl: database.url, shops, runs: 3, seed: 1 })
  expect({ moneyForTen: moneyForTen.violations, sameKey: sameKey.violations, ledger }).toEqual({ moneyForTen: [], sameKey: [], ledger: [] })
  expect([moneyForTen.latenciesMs.length, sameKey.latenciesMs.length]).toEqual([192, 192])
})

test("without the wallet's lock the race finds the fault, while the constraint still keeps the money", { tags: 'long' }, async () => {
  await takeOutLock()
  const { moneyForTen, sameKey, ledger } = await raceCheckouts({ databaseUrl: database.url, shops, runs: 3, seed: 1 })
  expect(moneyForTen.violations.join()).toMatch(/were refused with 402, not 54/)
  expect(sameKey.violations.join()).toMatch(/succeeded, not 64/)
  expect(ledger).toEqual([])
})

test('without the lock and without the constraint the race finds wallets below zero', { tags: 'long' }, async () => {
  await takeOutLock()
  await database.db.query(`alter table wallets drop constraint wallet_not_below_zero`)
  await database.db.query(`alter table postings drop constraint postings_balance_after_pesewas_check`)
  const { moneyForTen, ledger } = await raceCheckouts({ databaseUrl: database.url, shops, runs: 3, seed: 1 })
  expect(moneyForTen.violations.join()).toMatch(/\d+ succeeded, not 10.*-\d+ pesewas are the balance, not 0/)
  expect(ledger.join()).toMatch(/no wallet is below zero/)
})

/** For the rest of the test. */
async function takeOutLock() {
  const { rows } = await database.db.query<{ source: string }>(
    `select pg_get_functiondef(oid) as source from pg_proc where proname = 'place_wallet_orders'`,
  )
  const source = rows[0]!.source
  const unlocked = source.replace(/(from wallets where user_id = p_user) for update/, '$1')
  expect(unlocked).not.toBe(source)
  onTestFinished(async () => void (await database.db.query(source)))
  await database.db.query(unlocked)
}

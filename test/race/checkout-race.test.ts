import { expect, test } from 'vitest'
import type { Db } from '../../server/platform/db.ts'
import { openTestDatabase } from '../database.ts'
import { raceCheckouts } from './race-checkouts.ts'

// The short form of `npm run race:checkout`; the last two tests show that the race would see the fault it looks for.

test('64 checkouts at once over two processes: those that the money affords succeed, no other, and one key makes one order', async () => {
  const database = await openTestDatabase()
  const { moneyForTen, sameKey, ledger } = await raceCheckouts({ databaseUrl: database.url, runs: 10, seed: 1 })
  expect({ moneyForTen: moneyForTen.violations, sameKey: sameKey.violations, ledger }).toEqual({ moneyForTen: [], sameKey: [], ledger: [] })
  expect([moneyForTen.latenciesMs.length, sameKey.latenciesMs.length]).toEqual([640, 640])
  await database.close()
})

test("without the wallet's lock the race finds the fault, while the constraint still keeps the money", async () => {
  const database = await openTestDatabase()
  await takeOutLock(database.db)
  const { moneyForTen, sameKey, ledger } = await raceCheckouts({ databaseUrl: database.url, runs: 3, seed: 1 })
  expect(moneyForTen.violations.join()).toMatch(/were refused with 402, not 54/)
  expect(sameKey.violations.join()).toMatch(/succeeded, not 64/)
  expect(ledger).toEqual([])
  await database.close()
})

test('without the lock and without the constraint the race finds wallets below zero', async () => {
  const database = await openTestDatabase()
  await takeOutLock(database.db)
  await database.db.query(`alter table wallets drop constraint wallet_not_below_zero`)
  await database.db.query(`alter table postings drop constraint postings_balance_after_pesewas_check`)
  const { moneyForTen, ledger } = await raceCheckouts({ databaseUrl: database.url, runs: 3, seed: 1 })
  expect(moneyForTen.violations.join()).toMatch(/\d+ succeeded, not 10.*-\d+ pesewas are the balance, not 0/)
  expect(ledger.join()).toMatch(/no wallet is below zero/)
  await expect(database.close()).rejects.toThrow(/no wallet is below zero/)
})

async function takeOutLock(db: Db) {
  const { rows } = await db.query<{ source: string }>(
    `select pg_get_functiondef(oid) as source from pg_proc where proname = 'place_wallet_orders'`,
  )
  const source = rows[0]!.source
  const unlocked = source.replace(/(from wallets where user_id = p_user) for update/, '$1')
  expect(unlocked).not.toBe(source)
  await db.query(unlocked)
}

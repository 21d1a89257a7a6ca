import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReconciliationReply } from '../../../../shared/reconciliation.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, makeUser } from '../../../../test/builders.ts'
import { insertRehearsal } from './rehearsals.sql.ts'

let shop: TestShop
let finance: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  finance = await makeUser(shop, { roles: ['finance'] })
})
afterAll(() => shop.close())

const last = async () => (await call<ReconciliationReply>(shop, 'GET', '/admin/books', { as: finance })).body.lastRehearsal

test('the books name the last backup that was brought back, and nothing before the first', async () => {
  const { db } = shop.database
  expect(await last()).toBeNull()
  const restoredTo = new Date('2026-11-23T14:02:00Z')
  await insertRehearsal(db, { restoredTo: new Date('2026-10-01T00:00:00Z'), source: 'file', orders: 1, entries: 2, tookMs: 900 })
  await insertRehearsal(db, { restoredTo, source: 'archive', orders: 3, entries: 5, tookMs: 61_200.4 })
  const found = await last()
  expect(found).toEqual({ at: found?.at, restoredTo: restoredTo.toISOString(), source: 'archive', orders: 3, entries: 5, tookSeconds: 62 })
  expect(Math.abs(Date.now() - Date.parse(found?.at ?? ''))).toBeLessThan(60_000)
})

test('of a rehearsal that an older version has noted, the time it took is not known', async () => {
  await shop.database.db.query(`insert into restore_rehearsals (restored_to, source, orders, entries) values (now(), 'file', 3, 5)`)
  expect((await last())?.tookSeconds).toBeNull()
})

test('support does not read it', async () => {
  const support = await makeUser(shop, { roles: ['support'] })
  expect((await call(shop, 'GET', '/admin/books', { as: support })).status).toBe(403)
})

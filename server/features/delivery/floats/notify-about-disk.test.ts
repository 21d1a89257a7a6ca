import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { notifyAboutDisk } from './notify-about-disk.ts'

const MINUTE_MS = 60_000
let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const sms = { sender: {}, shopPhone: '0241234567', shopName: 'Ama Data' } as unknown as Parameters<typeof notifyAboutDisk>[1]['sms']

async function look(freeMb: number | null) {
  const { ctx } = makeCtx(shop)
  const jobs = { wake: () => undefined, enqueue: async () => undefined }
  const low = freeMb === null ? null : { freeMb, since: shop.clock.now }
  await notifyAboutDisk({ ...ctx, jobs } as unknown as typeof ctx, { disk: { low: () => low }, sms })
  const { rows } = await shop.database.db.query<{ body: string }>(`select body from sms_messages where kind = 'alarm' order by created_at`)
  return rows.map(({ body }) => body)
}

test('the owner is told once by SMS that the disk is nearly full, and again when it has been fine meanwhile, at most hourly', async () => {
  const text = (mb: number) =>
    `Ama Data: the server's disk is nearly full, ${mb} MB left. When it is full nothing sells. Call your technician.`
  expect(await look(null)).toEqual([])
  expect(await look(812)).toEqual([text(812)])
  expect(await look(400)).toEqual([text(812)])
  await look(null)
  shop.clock.advance(10 * MINUTE_MS)
  expect(await look(700)).toEqual([text(812)])
  await look(null)
  shop.clock.advance(61 * MINUTE_MS)
  expect(await look(600)).toEqual([text(812), text(600)])
})

test('where the database is on another machine nothing is said', async () => {
  const { ctx } = makeCtx(shop)
  await notifyAboutDisk(ctx, { disk: null, sms })
})

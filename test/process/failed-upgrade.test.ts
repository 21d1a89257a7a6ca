import pg from 'pg'
import { expect, test } from 'vitest'
import type { Product } from '../../shared/products.ts'
import { describeSchema } from '../../tools/describe-schema.ts'
import { callAt } from '../http-client.ts'
import { closeShop, openAccount, openSharedDatabase, openShop, signInAsAdmin } from './open-shops.ts'
import { runProgram } from './run-program.ts'

const RECORDED = 'select name, sha256, release from schema_functions order by name'

test('an upgrade that finds a table held for a minute ends in words and changes nothing, and the shop beside it sells all the while', {
  tags: 'long',
}, async () => {
  const database = await openSharedDatabase(undefined)
  const env = { DATABASE_URL: database.url, CARD: 'off', MAIL: 'off', SMS: 'off', SUPPLIER: 'off' }
  const shop = await openShop(env)
  const holder = new pg.Client({ connectionString: database.url, application_name: 'a long export' })
  await holder.connect()
  try {
    const adminToken = await signInAsAdmin(shop)
    const buyer = await openAccount(shop, { adminToken, balance: 100_000 })
    const products = (await callAt<Product[]>(shop.address, 'GET', '/product')).body
    const product = products.find(({ network }) => network === 'MTN') as Product
    const [offer] = product.packages as [Product['packages'][0]]
    // To the next start this database is one of another version.
    await holder.query(`update schema_functions set sha256 = 'another' where name = 'functions/new_reference.sql'`)
    const before = [await describeSchema(holder), (await holder.query(RECORDED)).rows]
    await holder.query('set idle_in_transaction_session_timeout = 0')
    await holder.query('begin')
    await holder.query('select from orders limit 1')

    const upgrade = runProgram('server/main.ts', { ...env, PORT: '0' })
    let over = false
    const ended = upgrade.ended().finally(() => {
      over = true
    })
    const sales: number[] = []
    const refused: string[] = []
    while (!over && !upgrade.output().includes('is open at')) {
      const item = {
        productId: product._id,
        offer: offer.offer,
        amount: offer.priceCustomer,
        phoneNumber: `055${String(sales.length).padStart(7, '0')}`,
      }
      const { status, text, tookMs } = await callAt(shop.address, 'POST', '/order/checkout', {
        as: buyer,
        body: { items: [item] },
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
      sales.push(tookMs)
      if (status !== 200) refused.push(`${status} ${text}`)
    }
    upgrade.process.kill('SIGTERM')
    expect(await ended).toBe(1)
    expect(refused).toEqual([])
    expect(sales.length).toBeGreaterThan(50)
    expect(Math.max(...sales)).toBeLessThan(3_000)
    expect(upgrade.output()).toMatch(
      /^The database could not be brought to this version, at the new functions: other work has held a table for too long\.$/m,
    )
    expect(upgrade.output()).toMatch(/^Nothing was changed: /m)
    expect(upgrade.output()).toMatch(/process \d+ \(a long export, idle in transaction\) for \d+ s: orders/)
    await holder.query('rollback')
    expect([await describeSchema(holder), (await holder.query(RECORDED)).rows]).toEqual(before)

    const next = await openShop(env)
    expect((await holder.query(`select from schema_functions where sha256 = 'another'`)).rowCount).toBe(0)
    await closeShop(next)
  } finally {
    await holder.end()
    await closeShop(shop)
    await database.close()
  }
})

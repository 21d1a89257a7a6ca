import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../server/ledger/check-ledger.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { type CartItem, openSpecClient, type SpecClient } from '../spec-client.ts'
import { until } from '../until.ts'
import { ask, closeShop, type OpenShop, openShop, signInAsAdmin } from './open-shops.ts'

const PASSWORD = 'a good password'
const FUNDS = 100
const BUYERS = 6

let database: TestDatabase
let shop: OpenShop

beforeAll(async () => {
  database = await openTestDatabase()
  shop = await openShop({ DATABASE_URL: database.url })
})
afterAll(async () => {
  await closeShop(shop)
  await database.close()
})

function openClient(): SpecClient {
  return openSpecClient(`${shop.address}/api`, () => Promise.reject(new Error('no card here')))
}

const phoneOf = (at: number) => `024555000${at}`

async function kill() {
  shop.program.process.kill('SIGKILL')
  expect(await shop.program.ended()).toBe(null)
}

async function cartOf(client: SpecClient): Promise<CartItem[]> {
  const product = (await client.products()).find(({ network }) => network === 'MTN')!
  const { offer, priceCustomer } = product.packages[0]!
  return [1, 2, 3].map((at) => ({
    id: at,
    service: 'MTN',
    phoneNumber: `055123456${at}`,
    offer,
    amount: priceCustomer,
    image: product.image,
  }))
}

test('a shop killed between the debit and the order, and amid purchases, loses and makes not a pesewa', async () => {
  const adminToken = await signInAsAdmin(shop)
  const clients = await Promise.all(
    Array.from({ length: BUYERS }, async (_, at) => {
      const client = openClient()
      const email = `buyer${at}@example.com`
      const username = `ama ${'abcdefgh'[at]}koto`
      const { _id } = await client.register({ username, email, phone: phoneOf(at), password: PASSWORD })
      await ask(shop, 'PUT', '/user/balance', { token: adminToken, body: { chosenId: _id, amount: FUNDS } })
      return client
    }),
  )
  const cart = await cartOf(clients[0]!)
  const price = Math.round(cart[0]!.amount * 100)

  // The first has debited, and orders at the shop's next life. The second has debited and never orders.
  await clients[0]!.debitSelf(cart[0]!.amount * 3)
  await clients[1]!.debitSelf(42.5)
  const orders = { begun: 0, made: 0 }
  const buying = Promise.allSettled(
    clients.slice(2).map(async (client) => {
      for (;;) {
        orders.begun += 1
        await client.buyFromWallet(cart)
        orders.made += 1
      }
    }),
  )
  // Some carts are through and others under way.
  await until(() => orders.made >= 2 && orders.begun > orders.made)
  await kill()
  for (const outcome of await buying) expect(outcome.status).toBe('rejected')

  shop = await openShop({ DATABASE_URL: database.url })
  const again = await Promise.all(
    clients.map(async (_, at) => {
      const client = openClient()
      await client.login(phoneOf(at), PASSWORD)
      return client
    }),
  )
  for (const wanted of cart) await again[0]!.createOrder(wanted, String(Date.now()))
  // What nobody used comes back by itself; its time is over at once here.
  await database.db.query('update wallets set reserved_until = now() where reserved_until is not null')
  await until(async () => (await database.db.query('select from wallets where reserved_pesewas > 0')).rowCount === 0)

  for (const [at, client] of again.entries()) {
    const [self] = await client.balances()
    const bought = await client.orders()
    expect([at, Math.round(self!.balance * 100) + bought.length * price]).toEqual([at, FUNDS * 100])
    if (at === 0) expect(bought).toHaveLength(3)
    if (at === 1) expect(bought).toEqual([])
  }
  expect(await checkLedger(database.db)).toEqual([])
})

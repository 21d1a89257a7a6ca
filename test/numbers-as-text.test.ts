import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../shared/orders.ts'
import type { Product } from '../shared/products.ts'
import type { SignedInUser } from '../shared/users.ts'
import { openTestShop, type TestShop } from './app.ts'
import { balanceOf, call, findProduct, makeUser } from './builders.ts'

const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
let product: Product
let orders = 0

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 5_000 })
  product = await findProduct(shop, 'Telecel')
  await shop.database.db.query('update packages set price_customer_pesewas = 6000 where product_id = $1', [product._id])
})
afterAll(() => shop.close())

type Field = {
  call: string
  /** Where a validation error says that it is. */
  path: string
  send: (value: unknown) => Promise<{ status: number; body: unknown }>
  /** The amount in cedis that a successful reply has. */
  read: (body: never) => unknown
}

const packages = (fields: object) => [{ offer: '5GB', priceCustomer: 61, priceAgent: 62, ...fields }]
const newProduct = (fields: object) => ({ network: 'Telecel', image: PIXEL, status: 'available', packages: packages(fields) })
const priceOf = (field: 'priceCustomer' | 'priceAgent') => (body: { product: Product }) => body.product.packages[0]?.[field]

function prices(field: 'priceCustomer' | 'priceAgent'): Field[] {
  const path = `packages.0.${field}`
  return [
    {
      call: 'POST /product/create',
      path,
      send: (value) => call(shop, 'POST', '/product/create', { as: admin, body: newProduct({ [field]: value }) }),
      read: priceOf(field),
    },
    {
      call: 'PUT /product/{id}',
      path,
      send: async (value) => {
        const { body } = await call<{ product: Product }>(shop, 'POST', '/product/create', { as: admin, body: newProduct({}) })
        return call(shop, 'PUT', `/product/${body.product._id}`, { as: admin, body: newProduct({ [field]: value }) })
      },
      read: priceOf(field),
    },
  ]
}

const FIELDS: Field[] = [
  {
    call: 'POST /order/create',
    path: 'newOrder.totalAmount',
    send: (value) => order({ totalAmount: value }),
    read: ({ order }: { order: Order }) => order.totalAmount,
  },
  {
    call: 'POST /recharge',
    path: 'amount',
    send: async (value) => call(shop, 'POST', '/recharge', { as: await makeUser(shop), body: { amount: value } }),
    read: ({ recharge }: { recharge: { amount: number } }) => recharge.amount,
  },
  {
    call: 'PUT /user/balance',
    path: 'amount',
    send: async (value) => call(shop, 'PUT', '/user/balance', { as: admin, body: { amount: value, chosenId: (await makeUser(shop))._id } }),
    read: ({ balance }: { balance: number }) => balance,
  },
  ...prices('priceCustomer'),
  ...prices('priceAgent'),
]

function order(fields: object) {
  orders += 1
  const newOrder = { id: `n-${orders}`, totalAmount: 60, offer: '5GB', receiver: '0201234567', network: 'Telecel', ...fields }
  return call<{ order: Order }>(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })
}

/** None of these is the amount that it may look like. */
const REFUSED = ['1e3', '0x10', '', ' ', '60abc', '1,000', '60.', '٦٠', '60.005', 'NaN', 'Infinity', '-', null, true, [60], {}]

describe.each(FIELDS)('$path of $call', ({ path, send, read }) => {
  test.each([60, '60', '60.00', ' 60,00 ', 'GHS 60'])('takes %j', async (value) => {
    const { status, body } = await send(value)
    expect([status, read(body as never)]).toEqual([200, 60])
  })

  test.each(REFUSED)('refuses %j and names the field', async (value) => {
    const { status, body } = await send(value)
    expect([status, (body as { issues?: { path: string }[] }).issues?.map((issue) => issue.path)]).toEqual([400, [path]])
  })

  test('refuses to be left out', async () => {
    expect((await send(undefined)).status).toBe(400)
  })
})

describe('the reference of POST /order/create', () => {
  test.each([null, undefined, ''])('that is %j is none: the wallet pays', async (reference) => {
    const before = await balanceOf(shop, buyer._id)
    const { status, body } = await order({ reference })
    expect([status, body.order?.paidWith, body.order?.clientReference]).toEqual([200, 'wallet', undefined])
    expect(await balanceOf(shop, buyer._id)).toBe(before - 6_000)
  })

  test.each([true, {}, ['1'], 'x'.repeat(65)])('that is %j is refused', async (reference) => {
    const { status, body } = await order({ reference })
    expect([status, (body as { issues?: { path: string }[] }).issues?.map(({ path }) => path)]).toEqual([400, ['newOrder.reference']])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatDateTime } from '../shared/dates.ts'
import { formatCedis } from '../shared/money.ts'
import type { Order } from '../shared/orders.ts'
import { spacedPhone } from '../shared/phones.ts'
import type { Recharge } from '../shared/recharges.ts'
import type { SignedInUser, User } from '../shared/users.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, cartLine, checkout, makeUser } from './builders.ts'

let shop: TestShop
let admin: SignedInUser
let ama: SignedInUser
let other: SignedInUser
let order: Order
let recharge: Recharge

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin', username: 'kwesi boss', phone: '0500000001' })
  ama = await makeUser(shop, { username: 'ama serwaa', phone: '0273332221', email: 'serwaa@example.com', balance: 2468.01 })
  other = await makeUser(shop, { username: 'ted', phone: '0557779990', balance: 500 })
  await setPrice(1234.5)
  shop.clock.now = new Date('2026-11-22T09:08:07Z')
  const line = await cartLine(shop, { network: 'Telecel', offer: '5GB', phoneNumber: '0241234567' })
  order = (await checkout(shop, ama, [line])).body.orders[0]!
  recharge = (await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: ama, body: { amount: 1543.5 } })).body.recharge
  shop.clock.now = new Date('2026-11-23T14:15:16Z')
  await checkout(shop, other, [await cartLine(shop), await cartLine(shop)])
  await call(shop, 'POST', '/recharge', { as: other, body: { amount: 61.75 } })
  admin = await signInAgain(admin)
  const decided = await call<{ order: Order }>(shop, 'PUT', `/order/update-status/${order._id}`, {
    as: admin,
    body: { status: 'completed' },
  })
  order = decided.body.order
})
afterAll(() => shop.close())

async function setPrice(cedis: number) {
  await shop.database.db.query(
    `update packages k set price_customer_pesewas = $1 from products p where p.id = k.product_id and p.network = 'Telecel' and k.offer = '5GB'`,
    [cedis * 100],
  )
}

/** An admin's session is short, and the clock has moved on. */
async function signInAgain({ phone }: SignedInUser): Promise<SignedInUser> {
  return (await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: phone, password: 'a good password' } })).body
}

const LISTS = { orders: '/order/allorders', recharges: '/recharge', users: '/user', balances: '/user/account-balances' }

async function find(as: SignedInUser, list: keyof typeof LISTS, search: string): Promise<string[]> {
  const reply = await call<{ _id: string }[]>(shop, 'GET', LISTS[list], { as, query: { search } })
  expect([reply.status, Number(reply.headers['x-total-count'])]).toEqual([200, reply.body.length])
  return reply.body.map(({ _id }) => _id)
}

/** Every way in which somebody may write a phone number that a screen shows. */
function waysToWrite(phone: string): string[] {
  const rest = phone.slice(1)
  return [
    phone,
    spacedPhone(phone),
    phone.replace(/(\d{3})(\d{3})(\d{4})/, '$1-$2-$3'),
    `+233${rest}`,
    `+233 ${rest.slice(0, 2)} ${rest.slice(2, 5)} ${rest.slice(5)}`,
    `233${rest}`,
    `00233${rest}`,
    `+233${rest.slice(0, 4)}`,
    spacedPhone(phone).slice(0, 7),
    spacedPhone(phone).slice(2),
  ]
}

function waysToWriteAmount(cedis: number): string[] {
  const shown = formatCedis(cedis)
  return [
    shown,
    `¢${shown}`,
    `¢ ${shown}`,
    `GHS ${shown}`,
    cedis.toFixed(2),
    `¢${cedis.toFixed(2)}`,
    shown.slice(0, -1),
    `¢${shown.slice(0, -3)}`,
  ]
}

describe('orders are found by what the screen shows of them', () => {
  const shown = (): Record<string, string[]> => ({
    'order number': [order.id, `#${order.id}`],
    network: [order.network, 'teleCEL'],
    receiver: waysToWrite(order.receiver),
    offer: [order.offer],
    amount: waysToWriteAmount(order.totalAmount),
    reference: [order.reference, order.reference.slice(4, 12)],
    date: ['22/11/2026', order.date, '09:08:07', '22/11/2026  09:08'],
    status: ['completed', 'COMPL', 'complete'],
    'action timestamp': ['23/11/2026 14:15:16', '14:15:16', order.actionTimestamp!],
  })

  test.each(['order number', 'network', 'receiver', 'offer', 'amount', 'reference', 'date', 'status', 'action timestamp'])(
    '%s',
    async (field) => {
      for (const indexed of [false, true]) {
        if (indexed) await shop.database.db.query('select index_new_orders()')
        for (const search of shown()[field]!) {
          // The buyer's own list has no column for the decision.
          expect([search, await find(ama, 'orders', search)]).toEqual([search, field === 'action timestamp' ? [] : [order._id]])
          // The other orders were placed on the day on which this one was decided.
          const others = (await find(admin, 'orders', search)).filter((id) => id !== order._id)
          expect([search, (await find(admin, 'orders', search)).includes(order._id), others.length]).toEqual([
            search,
            true,
            field === 'action timestamp' ? others.length : 0,
          ])
        }
      }
    },
  )

  test("the buyer's name and phone number", async () => {
    for (const search of [order.user, 'SERWAA', ...waysToWrite(ama.phone)]) {
      expect([search, await find(admin, 'orders', search)]).toEqual([search, [order._id]])
    }
  })

  test('what a card payer paid in all', async () => {
    await shop.database.db.query(
      `insert into order_search (seq, words) select o.seq, order_words(jsonb_populate_record(o, '{"surcharge_pesewas": 3704}'), u)
       from orders o join users u on u.id = o.user_id where o.id = $1 on conflict (seq) do update set words = excluded.words`,
      [order._id],
    )
    for (const search of ['¢1,271.54', '1,271.54', '1,234.50']) expect(await find(admin, 'orders', search)).toEqual([order._id])
  })

  test('a name that is a part of a status finds the orders of both', async () => {
    const found = await call<Order[]>(shop, 'GET', '/order/allorders', { as: admin, query: { search: 'ted' } })
    expect(found.body.map(({ user, status }) => [user, status])).toEqual([
      ['ted', 'pending'],
      ['ted', 'pending'],
      ['ama serwaa', 'completed'],
    ])
  })

  test.each(['¢234.50', '¢43.50', '024 123 4568', '+233 20', '1,243.50', '22/11/2025', '%', '_', '\\', '¢%', "' or 1=1 --"])(
    'but not by %s',
    async (search) => {
      expect([await find(ama, 'orders', search), await find(admin, 'orders', search)]).toEqual([[], []])
    },
  )
})

describe('recharges are found by what the screen shows of them', () => {
  const shown = () => [
    recharge.rechargeId,
    recharge.rechargeId.slice(2, 7),
    ...waysToWriteAmount(recharge.amount),
    formatDateTime(new Date(recharge.createdAt)),
    '22/11/2026',
    '09:08:07',
  ]

  test('by their customer and by an admin', async () => {
    for (const search of shown()) {
      expect([search, await find(ama, 'recharges', search)]).toEqual([search, [recharge._id]])
      expect([search, await find(admin, 'recharges', search)]).toEqual([search, [recharge._id]])
    }
  })

  test("by the customer's name and phone number", async () => {
    for (const search of ['ama serwaa', 'WAA', ...waysToWrite(ama.phone)]) {
      expect([search, await find(admin, 'recharges', search)]).toEqual([search, [recharge._id]])
    }
  })

  test('but not by what is not shown of them', async () => {
    for (const search of ['¢543.50', '22/11/2025', 'serwaa@example.com', '%', '_', '¢1,543.51']) {
      expect([search, await find(admin, 'recharges', search)]).toEqual([search, []])
    }
    expect(await find(other, 'recharges', formatCedis(recharge.amount))).toEqual([])
  })
})

describe.each(['users', 'balances'] as const)('%s are found by what the screen shows of them', (list) => {
  test('name, phone number, e-mail, total purchase and balance', async () => {
    const user = (await call<User[]>(shop, 'GET', LISTS[list], { as: admin, query: { search: 'ama' } })).body[0]!
    expect([user.totalPurchase, user.balance]).toEqual([1234.5, 1233.51])
    for (const search of [
      'ama serwaa',
      'WAA@',
      ...waysToWrite(ama.phone),
      '1,234.50',
      '¢1,234.50',
      '1,233.51',
      '¢1233.51',
      '233.51',
      '33.51',
      '¢1,233',
    ]) {
      expect([search, await find(admin, list, search)]).toEqual([search, [ama._id]])
    }
  })

  test('level and status, also by a part of them', async () => {
    expect(await find(admin, list, 'Admin')).toEqual([admin._id])
    expect(await find(admin, list, 'custom')).toEqual([other._id, ama._id])
    expect(await find(admin, list, 'active')).toEqual([other._id, ama._id, admin._id])
    expect(await find(admin, list, 'banned')).toEqual([])
  })

  test('but not by what is not shown of them', async () => {
    for (const search of ['¢233.51', '¢234.50', '0557779991', '%', '_', '1,233.52'])
      expect([search, await find(admin, list, search)]).toEqual([search, []])
  })
})

test("a phone number that somebody wrote into their name finds the number's owner alone", async () => {
  const impostor = await makeUser(shop, { email: 'x0273332221@example.com', phone: '0248888888' })
  await shop.database.db.query('update users set username = $2 where id = $1', [impostor._id, 'call 0273332221'])
  for (const search of waysToWrite(ama.phone).filter((way) => way.replace(/\D/g, '').length >= 10)) {
    expect([search, await find(admin, 'users', search)]).toEqual([search, [ama._id]])
  }
  const inPhones = async (search: string) =>
    (await call<User[]>(shop, 'GET', '/user', { as: admin, query: { search, in: 'phone' } })).body.map(({ username }) => username)
  expect([await inPhones('027333'), await inPhones('+233 27'), await inPhones('serwaa')]).toEqual([['ama serwaa'], ['ama serwaa'], []])
  expect(await find(admin, 'users', 'call 027333')).toEqual([impostor._id])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser, usePlainReferences } from '../../../../test/builders.ts'
import { allow } from '../../../../test/slowness.ts'

let shop: TestShop
let admin: SignedInUser
let ama: SignedInUser
let kofi: SignedInUser
let amasOrders: Order[]

beforeAll(async () => {
  shop = await openTestShop()
  await usePlainReferences(shop.database.db)
  admin = await makeUser(shop, { level: 'Admin' })
  ama = await makeUser(shop, { username: 'ama', balance: 500 })
  kofi = await makeUser(shop, { username: 'kofi_100', balance: 500 })
  const mtn = await cartLine(shop)
  const telecel = await cartLine(shop, { network: 'Telecel', offer: '5GB', phoneNumber: '0201112223' })
  const { body } = await checkout(shop, ama, [...Array(22).fill(mtn), telecel])
  amasOrders = body.orders.toReversed()
  shop.clock.advance(60_000)
  await checkout(shop, kofi, [await cartLine(shop, { network: 'AirtelTigo', phoneNumber: '0261112223' }), telecel])
  await call(shop, 'PUT', `/order/update-status/${amasOrders[0]!._id}`, { as: admin, body: { status: 'rejected' } })
  amasOrders = (await list(ama)).body
})
afterAll(() => shop.close())

async function list<T = Order[]>(as: { token: string }, query: Record<string, string> = {}) {
  const reply = await call<T>(shop, 'GET', '/order/allorders', { as, query })
  return { ...reply, total: Number(reply.headers['x-total-count']) }
}

describe('the list of orders', () => {
  test('shows only your own orders, newest first', async () => {
    const { body, total } = await list(ama)
    expect(body).toHaveLength(23)
    expect(total).toBe(23)
    expect(new Set(body.map(({ user }) => user))).toEqual(new Set(['ama']))
    const ids = body.map(({ id }) => Number(id))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  })

  test('shows an admin all orders', async () => {
    const { body, total } = await list(admin)
    expect([body.length, total, body[0]!.user, body[24]!.user]).toEqual([25, 25, 'kofi_100', 'ama'])
  })

  test('needs a session', async () => {
    expect((await call(shop, 'GET', '/order/allorders')).status).toBe(401)
  })

  test.each(['5', '10', '20', '50'])('comes in pages of %s that together are the whole list', async (pageSize) => {
    const seen: Order[] = []
    for (let page = 1; seen.length < 23; page++) {
      const { body, total } = await list(ama, { page: `${page}`, pageSize })
      expect(body.length).toBe(Math.min(Number(pageSize), 23 - seen.length))
      expect(total).toBe(23)
      seen.push(...body)
    }
    expect(seen).toEqual(amasOrders)
  })

  test('comes in pages of ten when no size is named, and is empty past its end', async () => {
    expect((await list(ama, { page: '3' })).body).toEqual(amasOrders.slice(20))
    const past = await list(ama, { page: '1000000', pageSize: '50' })
    expect([past.body, past.total]).toEqual([[], 23])
  })

  test.each([
    [{ page: '0' }, 'page'],
    [{ page: '-1' }, 'page'],
    [{ page: '1.5' }, 'page'],
    [{ page: 'last' }, 'page'],
    [{ page: '99999999999999999999' }, 'page'],
    [{ page: '1', pageSize: '7' }, 'pageSize'],
    [{ page: '1', pageSize: '100000' }, 'pageSize'],
    [{ search: 'x'.repeat(101) }, 'search'],
    [{ status: 'lost' }, 'status'],
    [{ network: 'Vodafone' }, 'network'],
  ])('refuses %j and says what is wrong', async (query, path) => {
    const { status, body } = await list<ErrorBody>(ama, query as unknown as Record<string, string>)
    expect([status, body.code, new Set(body.issues?.map((issue) => issue.path))]).toEqual([400, 'INVALID', new Set([path])])
  })

  test('refuses a page that is given twice', async () => {
    const reply = await shop.app.inject({
      url: '/api/order/allorders?page=1&page=2',
      headers: { authorization: `Bearer ${ama.token}` },
    })
    expect([reply.statusCode, reply.json().issues[0].path]).toEqual([400, 'page'])
  })
})

describe('searching it', () => {
  test.each([
    ['a network', 'telecel', 1],
    ['a receiver', '0201112223', 1],
    ['part of a receiver', '551234', 22],
    ['an offer', '5gb', 1],
    ['a status', 'REJECT', 1],
    ['an amount', '24.50', 1],
    ['a date', '21/11/2026 12:00', 23],
    ['blanks', '   ', 23],
    ['nothing that is there', 'glo', 0],
    ['somebody else', 'kofi', 0],
    ['a sign that stands for anything', '%', 0],
    ['a sign that stands for one letter', '_', 0],
    ['a backslash', '\\', 0],
    ['SQL', "' or 1=1 --", 0],
  ])('for %s finds your own orders that match', async (_name, search, found) => {
    const { body, total } = await list(ama, { search })
    expect([body.length, total]).toEqual([found, found])
  })

  test('finds an order by its id and by its reference', async () => {
    const wanted = amasOrders[7]!
    for (const search of [wanted.id, wanted.reference, wanted.reference.slice(3, 15)]) {
      expect((await list(ama, { search })).body).toEqual([wanted])
    }
  })

  test('finds one order by its whole reference for an admin, in any case of its letters, and within a filter only what is in it', async () => {
    const wanted = amasOrders[7]!
    for (const search of [wanted.reference, ` ${wanted.reference} `, wanted.reference.toUpperCase(), wanted.reference.slice(1)]) {
      expect((await list(admin, { search })).body.map(({ id }) => id)).toEqual([wanted.id])
    }
    expect((await list(admin, { search: wanted.reference, network: wanted.network })).total).toBe(1)
    expect((await list(admin, { search: wanted.reference, network: 'AFA' })).total).toBe(0)
  })

  test('finds the orders of a user for an admin, and treats wildcards literally', async () => {
    for (const [search, found] of [
      ['kofi_', 2],
      ['KOFI', 2],
      ['k_fi', 0],
      ['kofi%', 0],
    ] as const) {
      expect((await list(admin, { search })).body).toHaveLength(found)
    }
  })

  test('finds what was bought for a whole number, and what its owner has bought', async () => {
    const { rows } = await shop.database.db.query<{ phone: string }>(`select phone from users where username = 'kofi_100'`)
    for (const [query, receivers] of [
      [{ search: '+233 20 111 2223' }, ['0201112223', '0201112223']],
      [{ search: '0201112223', network: 'Telecel' }, ['0201112223', '0201112223']],
      [{ search: '0201112223', network: 'MTN' }, []],
      [{ search: rows[0]!.phone }, ['0201112223', '0261112223']],
    ] as const) {
      const { body, total } = await list(admin, query)
      expect([query, body.map(({ receiver }) => receiver).toSorted(), total]).toEqual([query, receivers, receivers.length])
    }
  })

  test('by status and network narrows it, and counts what is left', async () => {
    const pending = await list(admin, { status: 'pending', page: '1', pageSize: '5' })
    expect([pending.body.length, pending.total]).toEqual([5, 24])
    const telecel = await list(admin, { network: 'Telecel', status: 'pending' })
    expect(telecel.body.map(({ user }) => user)).toEqual(['kofi_100'])
    expect((await list(admin, { network: 'AFA' })).body).toEqual([])
  })

  test('stays fast with ten thousand letters or nested patterns', async () => {
    const since = performance.now()
    expect((await list(admin, { search: '%_'.repeat(50) })).status).toBe(200)
    expect((await list(admin, { search: 'a'.repeat(10_000) })).status).toBe(400)
    expect(performance.now() - since).toBeLessThan(allow(1_000))
  })
})

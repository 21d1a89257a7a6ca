import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({
    rateLimits: true,
    outsideWorld: { CHECKOUTS_AT_ONCE: '120', CHECKOUTS_PER_SECOND: '2', CHECKOUTS_IN_FLIGHT: '20' },
  })
})
afterAll(() => shop.close())

type Buyer = Awaited<ReturnType<typeof makeUser>>

async function buyMany(buyer: Pick<Buyer, 'token'>, count: number, key?: string): Promise<Record<number, number>> {
  const line = await cartLine(shop)
  const counts: Record<number, number> = {}
  for (let at = 0; at < count; at += 20) {
    const some = Array.from({ length: Math.min(20, count - at) }, () => checkout(shop, buyer, [line], key ?? randomUUID()))
    for (const { status } of await Promise.all(some)) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

const createOrder = async (buyer: Pick<Buyer, 'token'>) => {
  const { offer, amount } = await cartLine(shop)
  const newOrder = { id: randomUUID(), network: 'MTN', offer, receiver: '0551234567', totalAmount: amount }
  return (await call(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })).status
}

describe('purchases of one user from their wallet', () => {
  test('have a burst size and a sustained rate, counted in carts; a refused one costs nothing', async () => {
    const buyer = await makeUser(shop, { balance: 2_000 })
    expect(await buyMany(buyer, 130)).toEqual({ 200: 120, 429: 10 })
    expect(await balanceOf(shop, buyer._id)).toBe(200_000 - 120 * 550)
    shop.clock.advance(5_000)
    expect(await buyMany(buyer, 12)).toEqual({ 200: 10, 429: 2 })
  })

  test('are counted together over all devices and both ways to buy', async () => {
    const buyer = await makeUser(shop, { balance: 2_000 })
    const { body: elsewhere } = await call<{ token: string }>(shop, 'POST', '/user/login', {
      body: { userPhone: buyer.phone, password: PASSWORD },
    })
    // Whose a session is, is known from its first purchase on.
    for (const device of [buyer, elsewhere]) expect(await buyMany(device, 1)).toEqual({ 200: 1 })
    expect(await buyMany(buyer, 60)).toEqual({ 200: 60 })
    expect(await buyMany(elsewhere, 57)).toEqual({ 200: 57 })
    expect(await createOrder(buyer)).toBe(200)
    expect([await createOrder(buyer), await buyMany(buyer, 1), await buyMany(elsewhere, 1)]).toEqual([429, { 429: 1 }, { 429: 1 }])
  })

  test('say how long to wait when refused, and do not limit other users', async () => {
    const [buyer, other] = [await makeUser(shop, { balance: 2_000 }), await makeUser(shop, { balance: 20 })]
    await buyMany(buyer, 120)
    const refused = await checkout(shop, buyer, [await cartLine(shop)])
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'TOO_MANY_REQUESTS', '1'])
    expect(await buyMany(other, 1)).toEqual({ 200: 1 })
  })

  test('repeated under one key buy once, even when some repetitions are refused as too fast', async () => {
    const buyer = await makeUser(shop, { balance: 2_000 })
    expect(await buyMany(buyer, 125, randomUUID())).toEqual({ 200: 120, 429: 5 })
    expect(await balanceOf(shop, buyer._id)).toBe(200_000 - 550)
  })
})

describe('purchases of one user at the same moment', () => {
  const TOO_MANY = {
    code: 'TOO_MANY_REQUESTS',
    message: 'Your other purchases are still going through. Please wait a few seconds and try again.',
  }
  let shop: TestShop
  let url: string
  let line: Awaited<ReturnType<typeof cartLine>>
  let buyer: Buyer
  beforeAll(async () => {
    shop = await openTestShop({ rateLimits: true })
    url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    line = await cartLine(shop)
  })
  beforeEach(async () => {
    buyer = await makeUser(shop, { balance: 2_000 })
  })
  afterAll(() => shop.close())

  const WAYS = {
    checkout: (by: Pick<Buyer, 'token'>, change = {}) => checkout(shop, by, [{ ...line, ...change }]),
    create: (by: Pick<Buyer, 'token'>, change = {}) =>
      call<{ code: string }>(shop, 'POST', '/order/create', {
        as: by,
        body: {
          newOrder: {
            id: randomUUID(),
            network: 'MTN',
            offer: line.offer,
            receiver: line.phoneNumber,
            totalAmount: line.amount,
            ...change,
          },
        },
      }),
  }
  type Way = keyof typeof WAYS

  const waiting = async () =>
    (
      await shop.database.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%place_wallet_orders%'`,
      )
    ).rowCount

  /** What the calls are answered while the wallet is held by another, and what comes of the rest afterwards. */
  async function whileHeld(user: Buyer, calls: (() => ReturnType<(typeof WAYS)[Way]>)[]) {
    const other = await shop.database.db.connect()
    const replies: Awaited<ReturnType<(typeof WAYS)[Way]>>[] = []
    try {
      await other.query('begin')
      await other.query('select from wallets where user_id = $1 for update', [user._id])
      const running = calls.map(async (buy) => {
        const reply = await buy()
        replies.push(reply)
      })
      await until(async () => ((await waiting()) ?? 0) + replies.length === calls.length)
      const atOnce = [...replies]
      await other.query('rollback')
      await Promise.all(running)
      return { atOnce, later: replies.slice(atOnce.length) }
    } finally {
      other.release()
    }
  }

  test('are limited to two over all sessions of the user, even at each session’s first purchase', async () => {
    const signIn = () => call<{ token: string }>(shop, 'POST', '/user/login', { body: { userPhone: buyer.phone, password: PASSWORD } })
    const sessions = [buyer, ...(await Promise.all([signIn(), signIn(), signIn()])).map(({ body }) => body)]
    const { atOnce, later } = await whileHeld(
      buyer,
      [...sessions, ...sessions].map((session) => () => WAYS.checkout(session)),
    )
    expect([codes(atOnce), codes(later)]).toEqual([Array(6).fill(429), [200, 200]])
  })

  const codes = (replies: { status: number }[]) => replies.map(({ status }) => status)

  /** Exactly two may be under way again, not one and not three. */
  async function expectTwo(user: Buyer, way: Way = 'checkout') {
    const { atOnce, later } = await whileHeld(
      user,
      Array(4).fill(() => WAYS[way](user)),
    )
    expect([codes(atOnce), codes(later)]).toEqual([
      [429, 429],
      [200, 200],
    ])
  }

  test.each(['checkout', 'create'] as const)('are limited to two; the rest are refused at once and charged nothing: %s', async (way) => {
    const { atOnce, later } = await whileHeld(
      buyer,
      Array(6).fill(() => WAYS[way](buyer)),
    )
    expect(codes(later)).toEqual([200, 200])
    expect(atOnce.map(({ status, body, headers }) => [status, body, headers['retry-after']])).toEqual(Array(4).fill([429, TOO_MANY, '1']))
    expect(await balanceOf(shop, buyer._id)).toBe(200_000 - 2 * 550)
    await expectTwo(buyer, way)
  })

  test('are counted together over all devices and both ways to buy, and do not limit others', async () => {
    const { body: elsewhere } = await call<{ token: string }>(shop, 'POST', '/user/login', {
      body: { userPhone: buyer.phone, password: PASSWORD },
    })
    for (const device of [buyer, elsewhere]) expect((await WAYS.checkout(device, { offer: '999GB' })).status).toBe(409)
    const other = await makeUser(shop, { balance: 20 })
    const { atOnce, later } = await whileHeld(buyer, [
      () => WAYS.checkout(buyer),
      () => WAYS.create(elsewhere),
      () => WAYS.checkout(elsewhere),
      () => WAYS.create(buyer),
      () => WAYS.checkout(other),
    ])
    expect(codes(atOnce).sort()).toEqual([200, 429, 429])
    expect(codes(later)).toEqual([200, 200])
  })

  test.each<[string, (user: Buyer) => Promise<unknown>, number]>([
    ['refused for want of money', () => Promise.resolve(), 402],
    ['refused for its price', (user) => Promise.all([WAYS.checkout(user, { amount: 1 }), WAYS.create(user, { totalAmount: 1 })]), 409],
    ['not valid', (user) => Promise.all([WAYS.checkout(user, { phoneNumber: '1' }), WAYS.create(user, { receiver: '1' })]), 400],
  ])('no longer count when %s', async (_name, fail, status) => {
    if (status === 402) {
      const poor = await makeUser(shop)
      for (let count = 0; count < 3; count++)
        for (const way of ['checkout', 'create'] as const) expect((await WAYS[way](poor)).status).toBe(402)
      await shop.database.db.query(
        `select post_entry('admin-credit:' || user_id, 'admin-credit', '', null, array[account_id, 6], array[9000, -9000], now()) from wallets where user_id = $1::uuid`,
        [poor._id],
      )
      return expectTwo(poor)
    }
    for (let count = 0; count < 3; count++) expect(codes((await fail(buyer)) as { status: number }[])).toEqual([status, status])
    await expectTwo(buyer)
  })

  test('no longer count after a database error', async () => {
    const { db } = shop.database
    await db.query(
      `create function fail_order() returns trigger language plpgsql as $$ begin raise exception 'disk full' using errcode = '53100'; end $$`,
    )
    await db.query('create trigger fail_order before insert on orders for each row execute function fail_order()')
    for (let count = 0; count < 3; count++)
      for (const way of ['checkout', 'create'] as const) expect((await WAYS[way](buyer)).status).toBe(503)
    await db.query('drop trigger fail_order on orders')
    await expectTwo(buyer)
  })

  test('no longer count after the buyer is signed out or banned', async () => {
    const ended = await makeUser(shop, { balance: 100 })
    await shop.database.db.query('delete from sessions where user_id = $1', [ended._id])
    for (let count = 0; count < 3; count++)
      for (const way of ['checkout', 'create'] as const) expect((await WAYS[way](ended)).status).toBe(401)
    const { body: again } = await call<{ token: string }>(shop, 'POST', '/user/login', {
      body: { userPhone: ended.phone, password: PASSWORD },
    })
    await expectTwo({ ...ended, token: again.token })
  })

  test('count until the database is done with them, even if the caller hangs up', async () => {
    const other = await shop.database.db.connect()
    try {
      await other.query('begin')
      await other.query('select from wallets where user_id = $1 for update', [buyer._id])
      const hangUp = new AbortController()
      const gone = [1, 2].map(() =>
        fetch(`${url}/api/order/checkout`, {
          method: 'POST',
          signal: hangUp.signal,
          headers: { authorization: `Bearer ${buyer.token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: JSON.stringify({ items: [line] }),
        }).catch(() => 'gone'),
      )
      await until(async () => (await waiting()) === 2)
      hangUp.abort()
      expect(await Promise.all(gone)).toEqual(['gone', 'gone'])
      expect((await WAYS.checkout(buyer)).status).toBe(429)
      await other.query('rollback')
      await until(async () => (await balanceOf(shop, buyer._id)) === 200_000 - 2 * 550)
      await until(async () => (await WAYS.checkout(buyer)).status === 200)
      await expectTwo(buyer)
    } finally {
      other.release()
    }
  })
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey } from '../../../shared/api-keys.ts'
import type { SignedInUser } from '../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { call, findProduct, makeUser } from '../../../test/builders.ts'
import { until } from '../../../test/until.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const ALL = ['balance:read', 'catalogue:read', 'orders:read', 'orders:write']

async function makeKey(as: SignedInUser, wanted: Record<string, unknown> = {}) {
  const { status, body } = await call<{ key: ApiKey; secret: string }>(shop, 'POST', '/api-keys', {
    as,
    body: { name: 'Till', scopes: ALL, ...wanted },
  })
  expect(status).toBe(200)
  return body
}

type Asked = { body?: object; headers?: Record<string, string> }

async function ask(secret: string, method: 'GET' | 'POST', path: string, { body, headers = {} }: Asked = {}) {
  const reply = await shop.app.inject({
    method,
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${secret}`, ...headers },
    ...(body && { payload: body }),
  })
  return { status: reply.statusCode, body: reply.json(), type: String(reply.headers['content-type']).split(';')[0], headers: reply.headers }
}

async function order(changes: Record<string, string> = {}) {
  const [line] = (await findProduct(shop, 'MTN')).packages
  if (!line) throw new Error('MTN has no package')
  return { network: 'MTN', offer: line.offer, receiver: '0244123456', expected_price: line.priceAgent.toFixed(2), ...changes }
}

function buy(secret: string, key: string, body: object) {
  return ask(secret, 'POST', '/orders', { body, headers: { 'idempotency-key': key } })
}

function bulk(secret: string, key: string, orders: object[]) {
  return ask(secret, 'POST', '/orders/bulk', { body: { orders }, headers: { 'idempotency-key': key } })
}

describe('a key', () => {
  test('is shown once, kept as a hash, and ended at once', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 7 })
    const { key, secret } = await makeKey(agent)
    const { rows } = await shop.database.db.query<{ kept: string }>('select to_jsonb(k)::text as kept from api_keys k where id = $1', [
      key._id,
    ])
    expect(rows[0]?.kept).not.toContain(secret.slice('dw_live_'.length))
    expect((await call<ApiKey[]>(shop, 'GET', '/api-keys', { as: agent })).body).toEqual([key])
    expect(await ask(secret, 'GET', '/balance')).toMatchObject({ status: 200, body: { balance: '7.00', currency: 'GHS' } })
    expect((await call(shop, 'DELETE', `/api-keys/${key._id}`, { as: await makeUser(shop, { level: 'Agent' }) })).status).toBe(404)
    expect((await call(shop, 'DELETE', `/api-keys/${key._id}`, { as: agent })).status).toBe(200)
    const refused = await ask(secret, 'GET', '/balance')
    expect([refused.status, refused.body.code, refused.type]).toEqual([401, 'UNAUTHENTICATED', 'application/problem+json'])
  })

  test('is for agents, works until it expires, from its addresses, within its scopes, and not for a banned owner', async () => {
    const customer = await makeUser(shop)
    for (const addresses of [['127.0.0.1/33'], ['till.example'], ['0.0.0.0/0', '']]) {
      const wrong = { name: 'Till', scopes: ALL, addresses }
      expect((await call(shop, 'POST', '/api-keys', { as: customer, body: wrong })).status).toBe(400)
    }
    expect((await call(shop, 'POST', '/api-keys', { as: customer, body: { name: 'Till', scopes: ALL } })).status).toBe(403)
    const agent = await makeUser(shop, { level: 'Agent' })
    const elsewhere = await makeKey(agent, { addresses: ['203.0.113.12', '2001:db8::/32'] })
    const here = await makeKey(agent, { addresses: ['203.0.113.12', '127.0.0.0/8'] })
    const reads = await makeKey(agent, { scopes: ['balance:read'] })
    const expired = await makeKey(agent, { expiresInDays: 1 })
    await shop.database.db.query(
      "update api_keys set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days' where id = $1",
      [expired.key._id],
    )
    const statuses = async () =>
      Promise.all([elsewhere, here, reads, expired].map(async ({ secret }) => (await ask(secret, 'GET', '/balance')).status))
    expect(await statuses()).toEqual([403, 200, 200, 401])
    expect((await ask(reads.secret, 'GET', '/orders')).status).toBe(403)
    expect((await buy(reads.secret, 'a', await order())).status).toBe(403)
    await call(shop, 'PUT', `/user/${agent._id}/status`, { as: await makeUser(shop, { level: 'Admin' }), body: { status: 'Banned' } })
    expect(await statuses()).toEqual([401, 401, 401, 401])
  })
})

describe('a key that is replaced', () => {
  test('works on for the hours chosen, is replaced once, and stays what it was made as', async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const { key, secret } = await makeKey(agent, { scopes: ['balance:read'], addresses: ['127.0.0.1'], expiresInDays: 30 })
    const rotate = (id: string, overlapHours: number) =>
      call<{ key: ApiKey; secret: string }>(shop, 'POST', `/api-keys/${id}/rotate`, { as: agent, body: { overlapHours } })
    const replies = await Promise.all([rotate(key._id, 1), rotate(key._id, 1)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const { body: fresh } = replies.find(({ status }) => status === 200) ?? replies[0]
    expect(fresh.key).toMatchObject({
      name: key.name,
      scopes: key.scopes,
      addresses: key.addresses,
      expiresAt: key.expiresAt,
      isTest: false,
    })
    const statuses = async () => Promise.all([secret, fresh.secret].map(async (one) => (await ask(one, 'GET', '/balance')).status))
    expect(await statuses()).toEqual([200, 200])
    const [, old] = (await call<ApiKey[]>(shop, 'GET', '/api-keys', { as: agent })).body.toSorted(
      (a, b) => Number(a.isReplaced) - Number(b.isReplaced),
    )
    expect([old?._id, old?.isReplaced, Date.parse(old?.expiresAt ?? '') - shop.clock.now.getTime()]).toEqual([key._id, true, 3_600_000])
    shop.clock.advance(3_600_000)
    expect(await statuses()).toEqual([401, 200])

    const changes = [
      'is_test = true',
      "expires_at = expires_at + interval '1 day'",
      "scopes = array['orders:write']",
      'user_id = user_id, hash = sha256(hash)',
    ]
    for (const change of changes) {
      await expect(shop.database.db.query(`update api_keys set ${change} where id = $1`, [fresh.key._id])).rejects.toMatchObject({
        code: 'DW013',
      })
    }
    expect((await rotate(fresh.key._id, 0)).status).toBe(200)
    expect(await statuses()).toEqual([401, 401])
    expect((await rotate(key._id, 1)).status).toBe(409)
  })
})

describe('an order', () => {
  test('is bought once, however often it is sent at the same time, and is found and listed for its owner alone', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const { secret } = await makeKey(agent)
    const wanted = await order()
    const replies = await Promise.all(Array.from({ length: 8 }, () => buy(secret, 'shop-0001', wanted)))
    const [{ body: bought } = { body: null }] = replies
    for (const { status, body } of replies) expect([status, body]).toEqual([201, bought])
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(7)
    expect(bought).toMatchObject({ ...(({ expected_price: price, ...rest }) => ({ ...rest, price }))(wanted), status: 'pending' })
    expect((await ask(secret, 'GET', '/balance')).body.balance).toBe((100 - Number(wanted.expected_price)).toFixed(2))
    expect((await buy(secret, 'shop-0001', await order({ receiver: '0244123457' }))).body).toMatchObject({
      status: 409,
      code: 'KEY_REUSED',
    })
    await buy(secret, 'shop-0002', wanted)
    const first = (await ask(secret, 'GET', '/orders?limit=1')).body
    const second = (await ask(secret, 'GET', `/orders?limit=1&cursor=${first.next_cursor}`)).body
    expect([first.data.length, second.data[0].id, second.next_cursor]).toEqual([1, bought.id, null])
    expect((await ask(secret, 'GET', `/orders/${bought.id}`)).body.id).toBe(bought.id)
    const stranger = await makeKey(await makeUser(shop, { level: 'Agent' }))
    expect((await ask(stranger.secret, 'GET', `/orders/${bought.id}`)).status).toBe(404)
    expect((await ask(stranger.secret, 'GET', '/orders')).body.data).toEqual([])
  })

  test('is bought with others, all or none, and the statement says what moved the balance', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const { secret } = await makeKey(agent)
    const line = await order()
    const lines = ['0244123451', '0244123452', '0244123453'].map((receiver) => ({ ...line, receiver }))
    const [bought, again] = [await bulk(secret, 'list-1', lines), await bulk(secret, 'list-1', lines)]
    expect([bought.status, bought.body.data.map(({ receiver }: { receiver: string }) => receiver)]).toEqual([
      201,
      lines.map(({ receiver }) => receiver),
    ])
    expect(again.body).toEqual(bought.body)
    expect((await bulk(secret, 'list-1', lines.slice(1))).body.code).toBe('KEY_REUSED')

    const seen: { amount: string; balance_after: string; reference: string | null }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ask(secret, 'GET', `/statement?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data)
      cursor = body.next_cursor
    }
    expect(seen.map(({ amount }) => amount)).toEqual([...lines.map(() => `-${line.expected_price}`), '100.00'])
    expect([seen[0]?.balance_after, seen[0]?.reference]).toEqual([bought.body.balance, bought.body.data[2].id.replace('ord_', '')])
  })

  test('is bought once or not at all while its key is ended, replaced or its owner banned', async () => {
    const admin = await makeUser(shop, { level: 'Admin' })
    const wanted = await order()
    for (const [round, way] of (['end', 'rotate', 'ban', 'demote'] as const).entries()) {
      const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
      const { key, secret } = await makeKey(agent)
      shop.clock.advance(1_000)
      const stop = {
        end: () => call(shop, 'DELETE', `/api-keys/${key._id}`, { as: agent }),
        rotate: () => call(shop, 'POST', `/api-keys/${key._id}/rotate`, { as: agent, body: { overlapHours: 0 } }),
        ban: () => call(shop, 'PUT', `/user/${agent._id}/status`, { as: admin, body: { status: 'Banned' } }),
        demote: () => call(shop, 'PUT', `/user/${agent._id}/level`, { as: admin, body: { userLevel: 'Customer' } }),
      }[way]
      const [stopped, ...replies] = await Promise.all([
        stop(),
        ...Array.from({ length: 4 }, (_, i) => buy(secret, `race-${round}-${i}`, wanted)),
      ])
      expect([way, stopped.status]).toEqual([way, 200])
      const statuses = replies.map(({ status }) => status)
      expect([way, statuses.filter((status) => ![201, 401, 403].includes(status))]).toEqual([way, []])
      const paid = statuses.filter((status) => status === 201).length * Math.round(Number(wanted.expected_price) * 100)
      const { rows } = await shop.database.db.query<{ pesewas: number; orders: number }>(
        'select balance_pesewas as pesewas, (select count(*) from orders where user_id = $1) as orders from wallets where user_id = $1',
        [agent._id],
      )
      expect([way, rows[0]]).toEqual([way, { pesewas: 10_000 - paid, orders: statuses.filter((status) => status === 201).length }])
      expect([way, (await buy(secret, `after-${round}`, wanted)).status]).toEqual([way, 401])
    }
  })

  test('is refused with its reason, and nothing is charged', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 1 })
    const { secret } = await makeKey(agent)
    const wanted = await order()
    const refused = [
      await buy(secret, 'a', await order({ expected_price: '0.01' })),
      await buy(secret, 'b', await order()),
      await buy(secret, 'c', await order({ offer: '7777GB' })),
      await buy(secret, 'd', await order({ receiver: '12' })),
      await ask(secret, 'POST', '/orders', { body: await order() }),
      await ask(secret, 'GET', '/nothing'),
      await ask(secret, 'POST', '/balance'),
      await buy(secret, 'e', { ...(await order()), price: '0.01' }),
      await buy(secret, 'f', { orders: [await order()] }),
      await buy(secret, 'g', await order({ expected_price: '-1.00' })),
      await bulk(secret, 'h', []),
      await bulk(
        secret,
        'i',
        Array.from({ length: 101 }, () => wanted),
      ),
      await bulk(secret, 'j', [wanted, { ...wanted, expected_price: '0.01' }]),
      await ask(secret, 'GET', `/balance?key=${secret}`),
      await ask(secret, 'GET', '/orders?cursor=-1'),
      await ask('dw_live_nothing', 'GET', '/balance'),
    ]
    expect(refused.map(({ status, body, type }) => [status, body.code, type])).toEqual(
      [
        [409, 'PRICE_CHANGED'],
        [402, 'INSUFFICIENT_BALANCE'],
        [409, 'NOT_AVAILABLE'],
        [400, 'INVALID'],
        [400, 'INVALID'],
        [404, 'NOT_FOUND'],
        [405, 'METHOD_NOT_ALLOWED'],
        [400, 'INVALID'],
        [400, 'INVALID'],
        [400, 'INVALID'],
        [400, 'INVALID'],
        [400, 'INVALID'],
        [409, 'PRICE_CHANGED'],
        [400, 'INVALID'],
        [400, 'INVALID'],
        [401, 'UNAUTHENTICATED'],
      ].map((line) => [...line, 'application/problem+json']),
    )
    expect((await ask(secret, 'GET', '/balance')).body.balance).toBe('1.00')
  })

  test('costs what the catalogue says', async () => {
    const { secret } = await makeKey(await makeUser(shop, { level: 'Agent' }))
    const { expected_price: price, network, offer } = await order()
    expect((await ask(secret, 'GET', '/catalogue')).body.data).toContainEqual({ network, offer, price })
  })
})

describe('a test key', () => {
  test('moves no money, whatever is asked of it, and brings about every outcome', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 50 })
    const { secret, key } = await makeKey(agent, { test: true })
    const live = await makeKey(agent)
    expect([secret.slice(0, 8), key.isTest]).toEqual(['dw_test_', true])
    const to = async (end: string) => buy(secret, `to-${end}`, await order({ receiver: `024412${end}` }))

    const ends = ['0001', '0002', '0003', '0004', '0005', '7777']
    const placed = await Promise.all(ends.map(to))
    expect(placed.map(({ status, body }) => [status, body.status, body.balance])).toEqual(ends.map(() => [201, 'pending', '1000.00']))
    const refused = await Promise.all(['0006', '0007', '0008', '0009'].map(to))
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [402, 'INSUFFICIENT_BALANCE'],
      [409, 'PRICE_CHANGED'],
      [409, 'NOT_AVAILABLE'],
      [503, 'PURCHASES_PAUSED'],
    ])
    expect((await buy(secret, 'wrong-price', await order({ expected_price: '0.01' }))).body.code).toBe('PRICE_CHANGED')
    const again = await Promise.all([to('0001'), to('0001')])
    expect(again.map(({ body, headers }) => [body, headers['idempotency-replayed']])).toEqual(again.map(() => [placed[0]?.body, 'true']))
    expect((await buy(secret, 'to-0001', await order({ receiver: '0244120002' }))).body.code).toBe('KEY_REUSED')

    const ids = placed.map(({ body }) => body.id)
    const statuses = () => Promise.all(ids.map(async (id) => (await ask(secret, 'GET', `/orders/${id}`)).body.status))
    const wanted = ['completed', 'rejected', 'pending', 'completed', 'rejected', 'completed']
    await until(async () => (await statuses()).join() === wanted.join())
    expect((await ask(secret, 'GET', '/orders')).body.data).toHaveLength(ends.length)

    expect((await ask(live.secret, 'GET', '/orders')).body.data).toEqual([])
    expect((await ask(live.secret, 'GET', `/orders/${ids[0]}`)).status).toBe(404)
    expect((await ask(live.secret, 'GET', '/balance')).body.balance).toBe('50.00')
    const { rows } = await shop.database.db.query<{ orders: number }>('select count(*) as orders from orders where user_id = $1', [
      agent._id,
    ])
    expect(rows[0]?.orders).toBe(0)
  })

  test('is refused by the database where money moves, and a live key where none does', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 50 })
    const [test, live] = [await makeKey(agent, { test: true }), await makeKey(agent)]
    const hash = createHash('sha256').update(test.secret).digest()
    const line = await order()
    const items = JSON.stringify([
      { network: line.network, offer: line.offer, receiver: line.receiver, seen: Math.round(Number(line.expected_price) * 100) },
    ])
    const place = (of: Buffer) =>
      shop.database.db.query<{ placed: { outcome: string } | null }>('select place_key_orders($1, $2, $1, $3, $4) as placed', [
        of,
        'direct',
        items,
        shop.clock.now,
      ])
    expect((await place(hash)).rows[0]?.placed).toBeNull()
    expect((await place(createHash('sha256').update(live.secret).digest())).rows[0]?.placed?.outcome).toBe('placed')
    const asTest = `insert into test_purchases (user_id, key_id, key, request_hash, created_at) values ($1, $2, 'direct', $3, now())`
    await expect(shop.database.db.query(asTest, [agent._id, live.key._id, hash])).rejects.toMatchObject({ code: '23503' })
  })
})

describe('requests of a key', () => {
  test('are counted, and their replies say how many are left', async () => {
    const strict = await openTestShop({ rateLimits: true })
    try {
      const agent = await makeUser(strict, { level: 'Agent' })
      const { secret } = (await call<{ secret: string }>(strict, 'POST', '/api-keys', { as: agent, body: { name: 'Till', scopes: ALL } }))
        .body
      const read = () => strict.app.inject({ url: '/v1/balance', headers: { authorization: `Bearer ${secret}` } })
      const first = await read()
      expect([first.headers['ratelimit-limit'], first.headers['ratelimit-remaining'], first.headers['ratelimit-reset']]).toEqual([
        '120',
        '119',
        '1',
      ])
      const others = await Promise.all(Array.from({ length: 120 }, read))
      const refused = others.filter(({ statusCode }) => statusCode === 429)
      expect(refused).toHaveLength(1)
      expect([refused[0]?.headers['retry-after'], refused[0]?.headers['ratelimit-remaining'], refused[0]?.json().code]).toEqual([
        '1',
        '0',
        'TOO_MANY_REQUESTS',
      ])
      strict.clock.advance(500)
      expect((await read()).statusCode).toBe(200)
    } finally {
      await strict.close()
    }
  })
})

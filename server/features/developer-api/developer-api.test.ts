import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey } from '../../../shared/api-keys.ts'
import type { SignedInUser } from '../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../test/app.ts'
import { call, findProduct, makeUser } from '../../../test/builders.ts'

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
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 7 }, () => 200), 201])
    const [{ body: bought } = { body: null }] = replies
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

  test('is refused with its reason, and nothing is charged', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 1 })
    const { secret } = await makeKey(agent)
    const refused = [
      await buy(secret, 'a', await order({ expected_price: '0.01' })),
      await buy(secret, 'b', await order()),
      await buy(secret, 'c', await order({ offer: '7777GB' })),
      await buy(secret, 'd', await order({ receiver: '12' })),
      await ask(secret, 'POST', '/orders', { body: await order() }),
      await ask(secret, 'GET', '/nothing'),
    ]
    expect(refused.map(({ status, body, type }) => [status, body.code, type])).toEqual(
      [
        [409, 'PRICE_CHANGED'],
        [402, 'INSUFFICIENT_BALANCE'],
        [409, 'NOT_AVAILABLE'],
        [400, 'INVALID'],
        [400, 'INVALID'],
        [404, 'NOT_FOUND'],
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

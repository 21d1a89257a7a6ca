import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiKey, MAX_API_KEYS } from '../../../../shared/api-keys.ts'
import { V1, type V1Route } from '../../../../shared/developer-api.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, findProduct, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'

let shop: TestShop

beforeAll(async () => {
  // Test orders are decided by jobs that nothing wakes.
  shop = await openTestShop({ timings: { jobs: QUICK_TIMINGS.jobs } })
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
  if (reply.statusCode < 300) V1[routeOf(method, path)].reply.parse(reply.json())
  return { status: reply.statusCode, body: reply.json(), type: String(reply.headers['content-type']).split(';')[0], headers: reply.headers }
}

function routeOf(method: string, path: string) {
  const pattern = path.replace(/\?.*/, '').replace(/(?<=\/(?:orders|lists)\/)(?!bulk)[^/]+/, '{id}')
  return `${method} ${pattern}` as V1Route
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

function list(secret: string, key: string, orders: object[], name?: string) {
  return ask(secret, 'POST', '/lists', { body: { orders, ...(name && { name }) }, headers: { 'idempotency-key': key } })
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

test('an order whose number the network checks first says so while it is pending, wherever it is read', async () => {
  const agent = await makeUser(shop, { level: 'Agent', balance: 500 })
  const { secret } = await makeKey(agent)
  const bought = await list(secret, 'verifying-list', [await order(), await order({ receiver: '0244123457' })])
  expect(bought.status).toBe(201)
  const placed = (await ask(secret, 'GET', `/lists/${bought.body.id}/orders`)).body.data
  expect(placed.map(({ verifying }: { verifying: boolean }) => verifying)).toEqual([false, false])
  const [first] = placed
  const seq = Number(first.id.slice('ord_'.length))
  const deliver = (status: string, since: string | null) =>
    shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, not_found_apart_ms, attempts, sent_at, status, verifying_since, created_at, updated_at)
       select id, reference, 'hubnet', 1000, 1, 1, now(), $2, $3, now(), now() from orders where seq = $1
       on conflict (order_id) do update set status = excluded.status, verifying_since = excluded.verifying_since`,
      [seq, status, since],
    )
  const seen = async () => {
    const one = (await ask(secret, 'GET', `/orders/${first.id}`)).body
    const all = (await ask(secret, 'GET', '/orders')).body.data as { id: string; verifying: boolean }[]
    const listed = (await ask(secret, 'GET', `/lists/${bought.body.id}/orders`)).body.data as { id: string; verifying: boolean }[]
    return [one.verifying, ...[all, listed].map((rows) => rows.find(({ id }) => id === first.id)?.verifying)]
  }
  await deliver('accepted', null)
  expect(await seen()).toEqual([false, false, false])
  await deliver('accepted', '2026-11-20T00:00:00Z')
  expect(await seen()).toEqual([true, true, true])
  // The reply to the same key is what it was.
  expect(
    (await list(secret, 'verifying-list', [await order(), await order({ receiver: '0244123457' })])).headers['idempotency-replayed'],
  ).toBe('true')
  const { rows } = await shop.database.db.query<{ id: string }>('select id from orders where seq = $1', [seq])
  const override = { reason: 'It is on the portal.', supplierStatus: 'accepted' }
  const admin = await makeUser(shop, { level: 'Admin' })
  const decided = await call(shop, 'PUT', `/order/update-status/${rows[0]?.id}`, { as: admin, body: { status: 'completed', override } })
  expect(decided.status).toBe(200)
  expect(await seen()).toEqual([false, false, false])
})

test('a test order is never one whose number is checked', async () => {
  const { secret } = await makeKey(await makeUser(shop, { level: 'Agent' }), { test: true })
  const bought = await buy(secret, 'verifying-test', await order())
  expect((await ask(secret, 'GET', `/orders/${bought.body.id}`)).body.verifying).toBe(false)
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
    // An hour after signing in the password is asked for again.
    expect((await rotate(fresh.key._id, 0)).status).toBe(403)
    await call(shop, 'POST', '/user/me/confirm-password', { as: agent, body: { password: PASSWORD } })
    expect((await rotate(fresh.key._id, 0)).status).toBe(200)
    expect(await statuses()).toEqual([401, 401])
    expect((await rotate(key._id, 1)).status).toBe(409)
  })

  test('leaves at most twenty that work on, and all that work are listed', async () => {
    const agent = await makeUser(shop, { level: 'Agent' })
    const [first, second] = [await makeKey(agent), await makeKey(agent)]
    const rotate = (id: string, overlapHours: number) =>
      call<{ key: ApiKey }>(shop, 'POST', `/api-keys/${id}/rotate`, { as: agent, body: { overlapHours } })
    let newest = first.key
    for (let i = 0; i < MAX_API_KEYS; i++) newest = (await rotate(newest._id, 168)).body.key
    const more = await Promise.all([rotate(newest._id, 168), rotate(second.key._id, 1)])
    expect(more.map(({ status }) => status)).toEqual([409, 409])
    expect((await rotate(second.key._id, 0)).status).toBe(200)
    await shop.database.db.query(
      `insert into api_keys (user_id, hash, name, ending, scopes, addresses, created_at, ended_at)
       select user_id, sha256(n::text::bytea), 'Ended', 'abcd', scopes, addresses, created_at + n * interval '1 second', created_at + interval '1 day'
       from api_keys, generate_series(1, 60) n where id = $1`,
      [first.key._id],
    )
    const { body } = await call<ApiKey[]>(shop, 'GET', '/api-keys', { as: agent })
    expect([body.length, body.filter(({ endedAt }) => endedAt === null).length]).toEqual([50, MAX_API_KEYS + 2])
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
    // Each has a number of its own to ask about, and one set of counts.
    expect(new Set(refused.map(({ headers }) => headers['request-id'])).size).toBe(refused.length)
    expect(refused.flatMap(({ headers }) => Object.keys(headers)).filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    expect(refused.at(-1)?.headers['www-authenticate']).toBe('Bearer')
    expect((await ask('', 'GET', '/balance', { headers: { authorization: `bearer ${secret}` } })).status).toBe(200)
    const sentences = [
      await buy(secret, 'k', [await order()]),
      await buy(secret, 'l', { ...(await order()), level: 'Admin' }),
      await buy(secret, 'm', await order({ offer: 'x'.repeat(101) })),
    ].map(({ body }) => body.title)
    expect(sentences).toEqual(['Send a JSON object.', 'There is no field level.', 'At most 100 characters, please.'])
  })

  for (const isTest of [false, true]) {
    test(`of a ${isTest ? 'test' : 'live'} key that is on its way is named by its id, so that a program finds it`, async () => {
      const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
      const { secret } = await makeKey(agent, { test: isTest })
      const wanted = await order({ receiver: '0244120003' })
      const { id } = (await buy(secret, 'first', wanted)).body
      const asking = (key: string) => ({ 'idempotency-key': key, 'if-on-the-way': 'ask' })
      const again = await ask(secret, 'POST', '/orders', { body: wanted, headers: asking('second') })
      expect([again.status, again.body.code, again.body.title]).toEqual([
        409,
        'ON_THE_WAY',
        `${id}, MTN ${wanted.offer} for 0244120003, is still on its way.`,
      ])
      const listed = await ask(secret, 'POST', '/lists', { body: { orders: [wanted] }, headers: asking('third') })
      expect([listed.status, listed.body.issues]).toEqual([409, [{ path: 'orders.0.receiver', message: again.body.title }]])
      expect((await ask(secret, 'GET', `/orders/${id}`)).status).toBe(200)
    })
  }

  test('is refused in the words of a program: no key, no JSON, no such network', async () => {
    const { secret } = await makeKey(await makeUser(shop, { level: 'Agent' }))
    const wanted = await order()
    const noKey = await shop.app.inject({ url: '/v1/balance' })
    expect([noKey.statusCode, noKey.json().title]).toEqual([401, 'Send your key in the header Authorization: Bearer dw_…'])
    for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/xml']) {
      const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': 'one', 'content-type': type }
      const reply = await shop.app.inject({ method: 'POST', url: '/v1/orders', headers, payload: JSON.stringify(wanted) })
      expect([type, reply.statusCode, reply.json()]).toMatchObject([
        type,
        415,
        { code: 'UNSUPPORTED_MEDIA_TYPE', title: 'Send JSON, with the header Content-Type: application/json.' },
      ])
    }
    for (const network of ['mtn', 'Glo', undefined]) {
      const { body } = await buy(secret, 'two', { ...wanted, network })
      expect(body.issues).toEqual([
        { path: 'network', message: expect.stringMatching(/^The network is one of MTN, AirtelTigo, .*catalogue/) },
      ])
    }
  })

  test('costs what the catalogue says', async () => {
    const { secret } = await makeKey(await makeUser(shop, { level: 'Agent' }))
    const { expected_price: price, network, offer } = await order()
    expect((await ask(secret, 'GET', '/catalogue')).body.data).toContainEqual({ network, offer, price })
  })
})

describe('a list', () => {
  const receivers = (count: number) => Array.from({ length: count }, (_, i) => `0244${String(200_010 + i).padStart(6, '0')}`)

  for (const kind of ['live', 'test'] as const) {
    test(`of a ${kind} key is bought once, all or none, and its orders are read page by page`, async () => {
      const agent = await makeUser(shop, { level: 'Agent', balance: 5_000 })
      const { secret } = await makeKey(agent, { test: kind === 'test' })
      const before = Number((await ask(secret, 'GET', '/balance')).body.balance)
      const line = await order()
      const lines = receivers(120).map((receiver) => ({ ...line, receiver }))
      const replies = await Promise.all(Array.from({ length: 4 }, () => list(secret, 'staff', lines, ' Staff ')))
      const [{ body: bought } = { body: null }] = replies
      const total = (Math.round(Number(line.expected_price) * 100) * 120) / 100
      for (const { status, body } of replies) expect([status, body.id]).toEqual([201, bought.id])
      expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(3)
      expect(bought).toMatchObject({ name: 'Staff', orders: 120, rejected: 0, total: total.toFixed(2), refunded: '0.00' })
      expect(bought.id).toMatch(kind === 'test' ? /^list_test_\d+$/ : /^list_\d+$/)

      const seen: { line: number; id: string; receiver: string }[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await ask(secret, 'GET', `/lists/${bought.id}/orders?limit=50${cursor && `&cursor=${cursor}`}`)
        seen.push(...body.data)
        cursor = body.next_cursor
      }
      expect(seen.map((one) => [one.line, one.receiver])).toEqual(lines.map(({ receiver }, i) => [i + 1, receiver]))
      expect((await ask(secret, 'GET', `/orders/${seen[7]?.id}`)).body.receiver).toBe(lines[7]?.receiver)
      expect((await ask(secret, 'GET', `/lists/${bought.id}/orders?status=rejected`)).body).toEqual({ data: [], next_cursor: null })

      // One key buys one thing, whichever way.
      await buy(secret, 'single', line)
      const reused = await Promise.all([
        list(secret, 'staff', lines.slice(1)),
        list(secret, 'single', [line]),
        buy(secret, 'staff', line),
        bulk(secret, 'staff', lines.slice(0, 100)),
      ])
      expect(reused.map(({ status, body }) => [status, body.code])).toEqual(reused.map(() => [409, 'KEY_REUSED']))

      const second = (await list(secret, 'two', lines.slice(0, 2))).body
      expect(second.name).toMatch(/^List of /)
      const page = (await ask(secret, 'GET', '/lists?limit=1')).body
      const next = (await ask(secret, 'GET', `/lists?limit=1&cursor=${page.next_cursor}`)).body
      expect([page.data[0].id, next.data[0].id, next.next_cursor]).toEqual([second.id, bought.id, null])

      const stranger = await makeKey(await makeUser(shop, { level: 'Agent' }), { test: kind === 'test' })
      const other = await makeKey(agent, { test: kind === 'live' })
      for (const one of [stranger, other]) {
        expect((await ask(one.secret, 'GET', `/lists/${bought.id}`)).status).toBe(404)
        expect((await ask(one.secret, 'GET', `/lists/${bought.id}/orders`)).status).toBe(404)
        expect((await ask(one.secret, 'GET', '/lists')).body.data).toEqual([])
      }

      const balance = async () => Number((await ask(secret, 'GET', '/balance')).body.balance)
      const left = await balance()
      const wrong = lines.map((one, i) => (i === 41 || i === 77 ? { ...one, expected_price: '0.01' } : one))
      const refused = await list(secret, 'wrong', wrong)
      expect([refused.status, refused.body.issues.map(({ path }: { path: string }) => path)]).toEqual([
        409,
        ['orders.41.expected_price', 'orders.77.expected_price'],
      ])
      const [unread, tooMany, none] = [
        await list(secret, 'unread', [line, { ...line, receiver: '12' }]),
        await list(
          secret,
          'many',
          Array.from({ length: 5_001 }, () => line),
        ),
        await list(secret, 'none', []),
      ]
      expect([unread, tooMany, none].map(({ status, body }) => [status, body.issues[0].path])).toEqual([
        [400, 'orders.1.receiver'],
        [400, 'orders'],
        [400, 'orders'],
      ])
      expect(await balance()).toBe(left)
      if (kind === 'live') {
        const { rows } = await shop.database.db.query<{ orders: number; by: string }>(
          'select count(*) as orders, min(j.placed_by) as by from orders o join bulk_jobs j using (user_id) where user_id = $1 and o.seq between first_seq and last_seq',
          [agent._id],
        )
        expect([rows[0], left]).toEqual([
          { orders: 122, by: 'api' },
          (before * 100 - 123 * Math.round(Number(line.expected_price) * 100)) / 100,
        ])
      }
    })
  }

  test('has up to 5,000 orders, and needs money and a key that may buy before its body is read', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const [line, { secret }] = [await order(), await makeKey(agent)]
    const lines = receivers(5_000).map((receiver) => ({ ...line, receiver }))
    const poor = await list(secret, 'a', lines)
    expect([poor.status, poor.body.code]).toEqual([402, 'INSUFFICIENT_BALANCE'])
    const reads = await makeKey(agent, { scopes: ['orders:read', 'balance:read'] })
    expect((await list(reads.secret, 'a', lines)).status).toBe(403)
    const stranger = await ask('dw_live_nothing', 'POST', '/lists', { body: { orders: lines }, headers: { 'idempotency-key': 'a' } })
    expect([stranger.status, stranger.type]).toEqual([401, 'application/problem+json'])
    const large = await list(secret, 'a', [...lines, { ...line, offer: 'x'.repeat(1024 * 1024) }])
    expect([large.status, large.body.code, large.type]).toEqual([413, 'TOO_LARGE', 'application/problem+json'])
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
    expect(placed.map(({ status, body }) => [status, body.status])).toEqual(ends.map(() => [201, 'pending']))
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

  test('pays from a wallet of its own, which the statement explains and which fills itself up', async () => {
    const agent = await makeUser(shop, { level: 'Agent', balance: 50 })
    const { secret } = await makeKey(agent, { test: true })
    const line = await order()
    const balance = async () => (await ask(secret, 'GET', '/balance')).body.balance
    const statement = async (limit: number) => {
      const seen: { kind: string; order_id: string | null; amount: string; balance_after: string }[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await ask(secret, 'GET', `/statement?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        seen.push(...body.data)
        cursor = body.next_cursor
      }
      return seen
    }
    expect([await balance(), (await statement(5)).map(({ kind }) => kind)]).toEqual(['1000.00', ['Top-up']])

    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) => buy(secret, `w-${i}`, { ...line, receiver: i === 0 ? '0244120002' : '0244120003' })),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    const refunded = replies[0]?.body.id
    await until(async () => (await ask(secret, 'GET', `/orders/${refunded}`)).body.status === 'rejected')
    const price = Math.round(Number(line.expected_price) * 100)
    expect(await balance()).toBe(((100_000 - 5 * price) / 100).toFixed(2))
    const lines = await statement(2)
    expect(lines[0]?.balance_after).toBe(await balance())
    expect(lines.filter(({ kind }) => kind === 'Refund')).toMatchObject([{ order_id: refunded, amount: line.expected_price }])
    expect(lines.filter(({ kind }) => kind === 'Order').map(({ order_id: id }) => id)).toEqual(
      expect.arrayContaining(replies.map(({ body }) => body.id)),
    )
    for (const [i, { amount, balance_after: after }] of lines.entries()) {
      expect(Math.round(Number(after) * 100)).toBe(Math.round((Number(lines[i + 1]?.balance_after ?? 0) + Number(amount)) * 100))
    }

    const many = Math.ceil(100_000 / price)
    expect(
      (
        await list(
          secret,
          'fill',
          Array.from({ length: many }, () => ({ ...line, receiver: '0244120003' })),
        )
      ).status,
    ).toBe(201)
    const [, ...filled] = (await statement(100)).toReversed()
    expect(filled.find(({ kind }) => kind === 'Top-up')?.amount).toBe('1000.00')
    expect(Number(await balance())).toBeGreaterThanOrEqual(0)
    const { rows } = await shop.database.db.query<{ pesewas: number; entries: number }>(
      `select balance_pesewas as pesewas, (select count(*) from postings p where p.account_id = w.account_id) as entries from wallets w where user_id = $1`,
      [agent._id],
    )
    expect(rows[0]).toEqual({ pesewas: 5_000, entries: 1 })
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
      // One account has so many requests at work at a time.
      const others: Awaited<ReturnType<typeof read>>[] = []
      for (let round = 0; round < 6; round += 1) others.push(...(await Promise.all(Array.from({ length: 20 }, read))))
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../shared/api.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import { type ErrorBody, errorBody } from '../shared/errors.ts'
import type { Product } from '../shared/products.ts'
import type { SignedInUser, UserLevel } from '../shared/users.ts'
import { openTestShop, type TestShop } from '../test/app.ts'
import { balanceOf, call, cartLine, makeUser } from '../test/builders.ts'

type Call = { method: string; url: string; hidden: boolean }

const calls: Call[] = Object.entries<Endpoint>(routes).map(([route, { hidden = false }]) => {
  const [method = '', path = ''] = route.split(' ')
  return { method, url: `/api${path}`, hidden }
})

let shop: TestShop
const someone = {} as Record<UserLevel, SignedInUser>

beforeAll(async () => {
  shop = await openTestShop()
  for (const level of ['Customer', 'Agent', 'Admin'] as const) someone[level] = await makeUser(shop, { level, balance: 20 })
})
afterAll(() => shop.close())

function ask(method: string, url: string, options: { token?: string; headers?: Record<string, string>; payload?: string | object } = {}) {
  const { token, headers = {}, payload } = options
  return shop.app.inject({
    method: method as 'GET',
    url,
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(payload === undefined ? {} : { payload }),
  })
}

/** A path of this route with ids that are of the right form and that nobody has. */
function pathOf({ url }: Call): string {
  return url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
}

describe('an address', () => {
  test('accepts only its own method, whatever a header claims', async () => {
    for (const route of calls) {
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        (method) => !calls.some((other) => other.method === method && matches(other.url, route.url)),
      )
      for (const method of others) {
        const reply = await ask(method, pathOf(route), { token: someone.Admin.token, payload: {} })
        expect([method, route.url, reply.statusCode, reply.json().code]).toEqual([method, route.url, 405, 'METHOD_NOT_ALLOWED'])
      }
    }
    const claimed = await ask('GET', '/api/user/balance', {
      token: someone.Admin.token,
      headers: { 'x-http-method-override': 'PUT', 'x-method-override': 'PUT' },
    })
    expect(claimed.statusCode).toBe(405)
  })

  /** True when a path of the second route could be one of the first: PUT /user/:id/level next to PUT /user/balance. */
  function matches(pattern: string, url: string): boolean {
    const [parts, others] = [pattern.split('/'), url.split('/')]
    return parts.length === others.length && parts.every((part, index) => part.startsWith(':') || part === others[index])
  }

  test.each([
    '/api//user',
    '/api/user/',
    '/API/user',
    '/api/./user',
    '/api/%2e%2e/api/user',
    '/api/user;a=b',
    '/api/%75ser',
    '/api/user%00',
  ])('%s does not bypass the access check', async (url) => {
    const reply = await ask('GET', url)
    expect([401, 404, 400]).toContain(reply.statusCode)
    expect(reply.body).not.toContain(someone.Customer.email)
  })
})

describe('GET /product', () => {
  test('needs no session, and shows both prices of every package', async () => {
    const { status, body } = await call<Product[]>(shop, 'GET', '/product')
    expect([status, body.map(({ network }) => network)]).toEqual([
      200,
      ['MTN', 'AirtelTigo', 'Telecel', 'Airtime', 'AFA', 'WAEC Checkers', 'MTN PULSE'],
    ])
    expect(body[0]).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      productId: expect.any(String),
      network: 'MTN',
      image: expect.stringMatching(/^\/images\/[0-9a-f]{64}\.webp$/),
      status: 'available',
      packages: expect.arrayContaining([{ _id: expect.any(String), offer: '1GB', priceCustomer: 5.5, priceAgent: 4.7 }]),
    })
  })

  test('links to pictures that exist, are small, and are cached for a year', async () => {
    const { body } = await call<Product[]>(shop, 'GET', '/product')
    for (const { image } of body) {
      const reply = await ask('GET', image)
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/webp'])
      expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(reply.rawPayload.subarray(8, 12).toString()).toBe('WEBP')
    }
    expect((await ask('GET', `/images/${'0'.repeat(64)}.webp`)).json()).toEqual({
      message: 'That picture does not exist.',
      code: 'NOT_FOUND',
    })
  })
})

test('GET /extra/momo-details needs no session, and has the notice and where to pay', async () => {
  const { status, body } = await call(shop, 'GET', '/extra/momo-details')
  expect([status, Object.keys(body)]).toEqual([200, ['noticeContent', 'momoPhoneNumber', 'momoAccountName']])
})

test('every write treats an empty body as none, whatever type it claims', async () => {
  // The first call of these ends something, so that the next one finds nothing to end.
  const ends = ['/api/user/logout', '/api/user/me/second-factor/end']
  const writes = calls.filter(({ method, url }) => method !== 'GET' && !ends.includes(url))
  expect(writes.length).toBeGreaterThan(20)
  const different: string[] = []
  for (const { method, url } of writes) {
    const path = url.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    const token = someone.Admin.token
    const without = await ask(method, path, { token })
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'none/such',
    ]) {
      const reply = await ask(method, path, { token, headers: { 'content-type': type, 'content-length': '0' } })
      if (reply.statusCode !== without.statusCode)
        different.push(`${method} ${url} as ${type}: ${reply.statusCode}, not ${without.statusCode}`)
    }
  }
  expect(different).toEqual([])
})

describe('an error reply', () => {
  const LOGIN = '/api/user/login'
  const json = { 'content-type': 'application/json' }

  test.each([
    ['a call that is not there', 'GET', '/api/nothing', {}, 404, 'NOT_FOUND'],
    ['a file that is not there', 'GET', '/.env', {}, 404, 'NOT_FOUND'],
    ['a body that is no JSON', 'POST', LOGIN, { headers: json, payload: '{"userPhone": ' }, 400, 'INVALID'],
    ['no body', 'POST', LOGIN, { headers: json }, 400, 'INVALID'],
    ['a list for a body', 'POST', LOGIN, { headers: json, payload: '[]' }, 400, 'INVALID'],
    ['null for a body', 'POST', LOGIN, { headers: json, payload: 'null' }, 400, 'INVALID'],
    [
      'a form',
      'POST',
      LOGIN,
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'userPhone=1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['XML', 'POST', LOGIN, { headers: { 'content-type': 'application/xml' }, payload: '<a/>' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'JSON that calls itself plain text',
      'POST',
      LOGIN,
      { headers: { 'content-type': 'text/plain' }, payload: '{"userPhone":"0241234567","password":"x"}' },
      400,
      'INVALID',
    ],
    ['a body of 65 KB', 'POST', LOGIN, { headers: json, payload: JSON.stringify({ userPhone: 'x'.repeat(65 * 1024) }) }, 413, 'TOO_LARGE'],
    ['an address that cannot be read', 'GET', '/api/%zz', {}, 400, 'INVALID'],
    ['a path of 5,000 letters', 'PUT', `/api/user/${'x'.repeat(5_000)}/level`, {}, 404, 'NOT_FOUND'],
    [
      'JSON that nests 30,000 deep',
      'POST',
      LOGIN,
      { headers: json, payload: `${'['.repeat(30_000)}${']'.repeat(30_000)}` },
      400,
      'INVALID',
    ],
  ] as const)('for %s has a sentence and a code', async (_name, method, url, options, status, code) => {
    const reply = await ask(method, url, options as Parameters<typeof ask>[2])
    const body = reply.json<ErrorBody>()
    expect([reply.statusCode, body.code]).toEqual([status, code])
    expect(errorBody.safeParse(body).success).toBe(true)
    expect(Object.keys(body).filter((name) => !['message', 'code', 'issues', 'requestId'].includes(name))).toEqual([])
    expect(body.message).toMatch(/^[A-Z][^{}<>]+[.!]$|^Your cart is empty$/)
    expect(reply.body).not.toMatch(/ at .*\.ts|node_modules|select |FST_/)
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    expect(reply.headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
  })

  test.each([
    '{"__proto__": {"isAdmin": true}, "userPhone": "0241234567", "password": "x"}',
    '{"constructor": {"prototype": {"isAdmin": true}}, "userPhone": "0241234567", "password": "x"}',
    '{"userPhone": "0241234567", "password": "x", "nested": {"__proto__": {"isAdmin": true}}}',
  ])('refuses %s, which pollutes no prototype', async (payload) => {
    const reply = await ask('POST', LOGIN, { headers: json, payload })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'INVALID'])
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  })

  test('for an unexpected error is a 500 with a request id, and reveals no cause', async () => {
    await shop.database.db.query('alter table packages rename to packages_away')
    const reply = await ask('GET', '/api/product')
    await shop.database.db.query('alter table packages_away rename to packages')
    const body = reply.json<ErrorBody>()
    expect([reply.statusCode, body.code, body.requestId]).toEqual([500, 'INTERNAL', expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(body.message).toContain(body.requestId)
    expect(reply.body).not.toMatch(/packages|relation|select/)
  })

  test('for an amount beyond the number range says that it is invalid, and nothing is charged', async () => {
    const line = JSON.stringify(await cartLine(shop)).replace('5.5', '1e400')
    const reply = await ask('POST', '/api/order/checkout', {
      token: someone.Customer.token,
      headers: { ...json, 'idempotency-key': 'a'.repeat(20) },
      payload: `{"items": [${line}]}`,
    })
    expect([reply.statusCode, reply.json().issues[0].path]).toEqual([400, 'items.0.amount'])
    expect(await balanceOf(shop, someone.Customer._id)).toBe(2000)
  })
})

test('pages may open sockets to the shop itself in browsers to which ‘self’ means none', async () => {
  const policyFor = async (browser: string, host = 'shop.test:8080') =>
    String((await shop.app.inject({ url: '/nothing', headers: { host, 'user-agent': browser } })).headers['content-security-policy'])
  expect(await policyFor('Chrome/65.0.3325.109 Mobile Safari/537.36')).toContain("connect-src 'self' ws://shop.test:8080;")
  expect(await policyFor('Version/14.1 Mobile/15E148 Safari/604.1')).toContain("connect-src 'self' ws://shop.test:8080;")
  expect(await policyFor('Chrome/65.0.3325.109', 'shop.test *')).toContain("connect-src 'self';")
  expect(await policyFor('Chrome/140.0.0.0 Mobile Safari/537.36')).toContain("connect-src 'self';")
})

test('replies of the API are not cached except the catalogue, cannot be framed, and forbid type sniffing', async () => {
  // The catalogue is the same for everybody: it may be kept, but is asked about before it is shown again.
  for (const [url, kept] of [
    ['/api/product', 'no-cache'],
    ['/api/user', 'no-store'],
    ['/api/nothing', 'no-store'],
  ] as const) {
    const { headers } = await ask('GET', url)
    expect(headers).toMatchObject({
      'cache-control': kept,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*object-src 'none'.*frame-ancestors 'none'/),
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
  }
})

test('/healthz says that the process is up, and /readyz that it can serve requests', async () => {
  expect((await ask('GET', '/healthz')).json()).toEqual({ status: 'up' })
  expect((await ask('GET', '/readyz')).json()).toEqual({ status: 'ready' })
})

test('the description of the API lists every call, and no other', async () => {
  const { paths } = (await ask('GET', '/api/docs/json')).json<{
    paths: Record<string, Record<string, { summary?: string; tags?: string[] }>>
  }>()
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, tags }]) => ({ name: `${method.toUpperCase()} ${path}`, summary, tags })),
  )
  const offered = calls.filter(({ hidden }) => !hidden).map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(described.map(({ name }) => name).sort()).toEqual(offered.sort())
  // A notice from outside is nothing that a client could call.
  expect(
    calls
      .filter(({ hidden }) => hidden)
      .map(({ url }) => url)
      .sort(),
  ).toEqual([
    ...['/api/forwarder/:id/message', '/api/payment/webhook', '/api/supplier/webhook/:secret', '/api/ussd/:secret'],
    ...['/api/whatsapp/webhook', '/api/whatsapp/webhook'],
  ])
  expect(described.filter(({ summary, tags }) => !summary || !tags?.length)).toEqual([])
})

describe('a phone number', () => {
  const line = async (phoneNumber: string) => ({ ...(await cartLine(shop)), phoneNumber })
  const callsWithPhones: [
    string,
    (phone: string) => Promise<{ method: 'POST' | 'PUT'; path: string; body: object; field: string; as?: SignedInUser }>,
  ][] = [
    [
      'of an order',
      async (phone) => {
        const { productId, offer, amount } = await line(phone)
        const newOrder = { id: 'o1', network: 'MTN', offer, receiver: phone, totalAmount: amount, productId }
        return { method: 'POST', path: '/order/create', body: { newOrder }, field: 'newOrder.receiver', as: someone.Customer }
      },
    ],
    [
      'of a cart',
      async (phone) => ({
        method: 'POST',
        path: '/order/checkout',
        body: { items: [await line('0241234567'), await line(phone)] },
        field: 'items.1.phoneNumber',
        as: someone.Customer,
      }),
    ],
    [
      'of a card payment',
      async (phone) => ({
        method: 'POST',
        path: '/payment',
        body: { purpose: 'order', items: [await line(phone)] },
        field: 'items.0.phoneNumber',
        as: someone.Customer,
      }),
    ],
    [
      'of a new account',
      async (phone) => ({
        method: 'POST',
        path: '/user/register',
        body: { username: 'odd one', email: 'odd@example.com', phone, password: 'a good password' },
        field: 'phone',
      }),
    ],
    [
      'for mobile money',
      async (phone) => ({
        method: 'PUT',
        path: '/extra/momo-details',
        body: { momoPhoneNumber: phone, momoAccountName: 'Dwadi' },
        field: 'momoPhoneNumber',
        as: someone.Admin,
      }),
    ],
    [
      'for messages to the operator',
      async (phone) => ({
        method: 'PUT',
        path: '/admin/settings',
        body: { operatorPhone: phone },
        field: 'operatorPhone',
        as: someone.Admin,
      }),
    ],
  ]

  test.each(callsWithPhones)('%s that is not valid in Ghana is refused by field, and nothing is charged', async (_name, make) => {
    const before = await balanceOf(shop, someone.Customer._id)
    for (const phone of ['2332012345', '0023320123', '0302123456', '0511234567', '1241234567', '024123456']) {
      const { method, path, body, field, as } = await make(phone)
      const reply = await call<ErrorBody>(shop, method, path, {
        body,
        headers: { 'idempotency-key': crypto.randomUUID() },
        ...(as ? { as } : {}),
      })
      expect([phone, reply.status, reply.body.issues?.map((issue) => issue.path)]).toEqual([phone, 400, [field]])
      expect(reply.body.message).toMatch(/^(Enter a phone number|A Ghanaian phone number starts with 0|No mobile network in Ghana uses 0)/)
    }
    expect(await balanceOf(shop, someone.Customer._id)).toEqual(before)
  })

  test('of an account older than this rule still signs in', async () => {
    const user = await makeUser(shop)
    await shop.database.db.query(`update users set phone = '2332012345' where id = $1`, [user._id])
    const { status, body } = await call<SignedInUser>(shop, 'POST', '/user/login', {
      body: { userPhone: '2332012345', password: 'a good password' },
    })
    expect([status, body.phone]).toEqual([200, '2332012345'])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../shared/api.ts'
import { type Access, type Endpoint, isForStaff } from '../shared/endpoint.ts'
import { SCREEN_PATH } from '../shared/screen-addresses.ts'
import { hasRole, STAFF_ROLES } from '../shared/staff-rules.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, makeUser } from './builders.ts'
import { readAllRoutes, readRoutes } from './read-routes.ts'

/** Endpoints without sign-in. Opening another one takes a change here as well as in its declaration. */
const OPEN = [
  'GET /extra/momo-details',
  'GET /extra/payment-numbers',
  'GET /product',
  'GET /shop',
  'GET /shop/figures',
  'GET /shops/:slug',
  'GET /shops/order/:reference/afa',
  'GET /track/:reference',
  'GET /whatsapp/webhook',
  'POST /forwarder/:id/message',
  'POST /payment/webhook',
  'POST /shops/:slug/afa',
  'POST /shops/:slug/payment',
  'POST /shops/order/:reference/afa',
  'POST /shops/order/:reference/refund-code',
  'POST /shops/order/:reference/report',
  'POST /shops/payment/:reference/confirm',
  'POST /shops/payment/:reference/refund-codes',
  'POST /supplier/webhook/:secret',
  'POST /track',
  'POST /track/:reference/checkers',
  'POST /track/:reference/checkers/send',
  'POST /user/forget-password',
  'POST /user/login',
  'POST /user/register',
  'POST /user/register/code',
  'POST /user/reset-password/:token',
  'POST /user/reset-password/:token/keep',
  'POST /ussd/:secret',
  'POST /whatsapp/webhook',
]

const declared = Object.entries<Endpoint>(routes)
const ACTORS = ['nobody', 'a made-up token', 'banned', 'signed out', 'customer', 'agent', 'admin without a role', ...STAFF_ROLES] as const
type Actor = (typeof ACTORS)[number]

let shop: TestShop
const tokens: Partial<Record<Actor, string>> = { 'a made-up token': 'x'.repeat(43) }

beforeAll(async () => {
  shop = await openTestShop()
  const admin = await makeUser(shop, { level: 'Admin' })
  const banned = await makeUser(shop)
  const leaving = await makeUser(shop)
  await call(shop, 'PUT', `/user/${banned._id}/status`, { as: admin, body: { status: 'Banned' } })
  await call(shop, 'POST', '/user/logout', { as: leaving })
  tokens.banned = banned.token
  tokens['signed out'] = leaving.token
  tokens.customer = (await makeUser(shop)).token
  tokens.agent = (await makeUser(shop, { level: 'Agent' })).token
  tokens.owner = admin.token
  for (const role of STAFF_ROLES) tokens[role] = (await makeUser(shop, { roles: [role] })).token
  tokens['admin without a role'] = (await makeUser(shop, { roles: [] })).token
})
afterAll(() => shop.close())

/** Null where the actor gets as far as the handler or the check of what was sent. */
function refusalFor(access: Access, actor: Actor): [number, string] | null {
  if (access === 'anyone') return null
  const roles = STAFF_ROLES.filter((role) => role === actor)
  if (roles.length === 0 && !['customer', 'agent', 'admin without a role'].includes(actor)) return [401, 'UNAUTHENTICATED']
  return isForStaff(access) && !hasRole({ roles }, access) ? [403, 'FORBIDDEN'] : null
}

/** Declared for whoever is signed in, and refused to customers by the handler. */
const AGENTS_ONLY = new Set([
  'GET /my-shop',
  'PUT /my-shop',
  'GET /my-shop/sales',
  'GET /my-shop/today',
  'GET /my-shop/sub-agents',
  'POST /my-shop/sub-agent-invitations',
  'DELETE /my-shop/sub-agent-invitations/:id',
  'POST /my-shop/sub-agents/:id/end',
  'POST /bulk/preview',
  'POST /referrals/link',
  'GET /referrals/leaderboard',
  'POST /webhooks/:id/rotate',
  'POST /webhooks/:id/test',
  'POST /webhooks/deliveries/:id/resend',
])

test('the app serves what is declared and nothing else', () => {
  const served = readRoutes(shop.app).filter(({ method, path }) => !['HEAD', 'OPTIONS'].includes(method) && !path.includes('*'))
  expect(served.map(({ method, path }) => `${method} ${path.replace(/^\/api/, '')}`).sort()).toEqual(Object.keys(routes).sort())
})

test('the kept page of the service worker stands at no address that the server answers itself', () => {
  const answered = readAllRoutes(shop.app)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace(/:\w+|\*/g, 'x'))
  expect(answered).toEqual(expect.arrayContaining(['/v1/guide', '/v1/lists', '/healthz', '/api/product']))
  expect(answered.filter((path) => SCREEN_PATH.test(path))).toEqual([])
})

test('only these endpoints are open to anybody', () => {
  expect(declared.flatMap(([route, { access }]) => (access === 'anyone' ? [route] : [])).sort()).toEqual(OPEN)
})

describe.each(ACTORS)('as %s', (actor) => {
  test('each endpoint refuses, before it looks at what was sent, or lets through as declared', async () => {
    for (const [route, { access }] of declared) {
      // Signing out would end the session that the other calls use.
      if (route === 'POST /user/logout' && refusalFor(access, actor) === null) continue
      const [method, path = ''] = route.split(' ')
      const token = tokens[actor]
      const reply = await shop.app.inject({
        method: method as 'GET',
        url: `/api${path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')}`,
        headers: token ? { authorization: `Bearer ${token}` } : {},
        ...(method === 'GET' ? {} : { payload: {} }),
      })
      const expected = AGENTS_ONLY.has(route) && actor === 'customer' ? [403, 'FORBIDDEN'] : refusalFor(access, actor)
      if (expected) expect([route, reply.statusCode, reply.json().code]).toEqual([route, ...expected])
      else if (access !== 'anyone') expect([route, [401, 403].includes(reply.statusCode)]).toEqual([route, false])
    }
  })
})

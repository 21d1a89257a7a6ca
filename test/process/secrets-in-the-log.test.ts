import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { openRealtimeProbe } from '../realtime-probe.ts'
import { until } from '../until.ts'
import { closeShop, type OpenShop, openShop, signInAsAdmin } from './open-shops.ts'

let database: TestDatabase
let shop: OpenShop
beforeAll(async () => {
  database = await openTestDatabase()
  shop = await openShop({ DATABASE_URL: database.url, LOG_LEVEL: 'trace' })
})
afterAll(async () => {
  await closeShop(shop)
  await database.close()
})

async function post(path: string, body: object | string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${shop.address}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : {}, cookie: reply.headers.get('set-cookie') ?? '' }
}

test('nothing that opens an account, or speaks for the shop, is in the log, whatever goes wrong and however much is logged', async () => {
  const phone = '0241239876'
  const secrets = new Map<string, string | undefined>()
  const say = (name: string, secret: string | undefined) => void secrets.set(name, secret)
  const given = (name: string, secret: string) => {
    say(name, secret)
    return secret
  }

  const password = given('a password at registration', 'Kenkey-at-noon-81')
  const registered = await post('/user/register', { username: 'esi of the log', email: 'esi@example.com', phone, password })
  say('a token', registered.body.token)
  say('a device', /device=([^;]+)/.exec(registered.cookie)?.[1])
  say("an admin's token", await signInAsAdmin(shop))
  say("the admin's password", 'a good password')
  const bearer = { authorization: `Bearer ${registered.body.token}` }
  await post('/user/login', { userPhone: phone, password: given('a wrong password', 'Banku-at-night-82') })
  await post('/user/login', { userPhone: phone, password: { $ne: given('a password in a body that is not valid', 'Fufu-in-rain-83') } })
  await post('/user/login', `{"userPhone":"${phone}","password":"${given('a password in broken JSON', 'Waakye-84')}" oops}`)
  await post('/user/login', `userPhone=${phone}&password=${given('a password in a form', 'Shito-85')}`, {
    'content-type': 'application/x-www-form-urlencoded',
  })
  await post('/no-such-call', { password: given('a password at no call', 'Gari-86') }, bearer)

  await database.db.query('alter table users rename to users_away')
  const failed = await post('/user/login', { userPhone: phone, password: given('a password while the shop fails', 'Tilapia-87') })
  expect(failed.status).toBeGreaterThanOrEqual(500)
  await database.db.query('alter table users_away rename to users')

  await post(`/user/reset-password/${given('a made-up reset link', 'x'.repeat(43))}`, { password })
  await post('/user/forget-password', { email: 'esi@example.com' })
  const link = await until(async () => {
    const admin = { authorization: `Bearer ${secrets.get("an admin's token")}` }
    const outbox = (await (await fetch(`${shop.address}/api/sandbox/outbox`, { headers: admin })).json()) as { to: string; body: string }[]
    return outbox.map(({ to, body }) => to === 'esi@example.com' && /reset-password\/([\w-]+)/.exec(body)?.[1]).find(Boolean)
  }, 30_000)
  const reset = await post(`/user/reset-password/${given('a reset link', link)}`, { password: given('a new password', 'Jollof-88') })
  expect(reset.status).toBe(200)

  const { rows } = await database.db.query<{ secret: string }>('select secret from supplier_webhook')
  await post(`/supplier/webhook/${given("the address of a supplier's notices", rows[0]!.secret)}`, { reference: 'none' })
  await post('/payment/webhook', { event: 'charge.success' }, { 'x-paystack-signature': given('a signature', 'ab'.repeat(64)) })
  const { body: again } = await post('/user/login', { userPhone: phone, password: 'Jollof-88' })
  const probe = await openRealtimeProbe(shop.address, given('the token of a socket', again.token))
  probe.close()
  await openRealtimeProbe(shop.address, given('a made-up token of a socket', 'y'.repeat(43))).catch(() => undefined)
  await post('/user/logout', {}, { authorization: `Bearer ${again.token}` })

  await until(() => shop.program.output().includes('/api/user/logout'))
  const log = shop.program.output()
  // The log is complete, at its most detailed level.
  expect(log).toContain('/api/user/reset-password/')
  expect(log).toMatch(/"level":50/)
  expect([...secrets].filter(([, secret]) => !secret).map(([name]) => name)).toEqual([])
  expect([...secrets].filter(([, secret]) => log.includes(secret as string)).map(([name]) => name)).toEqual([])
})

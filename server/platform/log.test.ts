import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedInUser } from '../../shared/users.ts'
import { openTestShop, type TestShop } from '../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD } from '../../test/builders.ts'
import { until } from '../../test/until.ts'
import { createLog } from './log.ts'

const lines: string[] = []
/** What only its name gives away, in any line. */
const NAMED = { password: 'Shito on Sunday', token: 'Wa4kyeWa4kyeWa4kye' }
/** What PostgreSQL quotes beside an error's message. */
const QUOTED = {
  detail: 'Failing row contains (Kelewele)',
  where: 'unnamed portal with $1 = Tilapia',
  parameters: ['Banku at noon'],
}
let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, log: createLog('trace', { write: (line) => void lines.push(line) }) })
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 50, phone: '0244443322', email: 'ama.mensah@example.com' })
})
afterAll(() => shop.close())

test('no credentials and no customer contacts are logged, whatever is done and whatever fails', async () => {
  const { sms, supplier, cardProvider } = shop.sandbox!
  const [wrong, fresh] = ['wrong password 77', 'a fresh password 88']
  await call(shop, 'POST', '/user/login', { body: { userPhone: buyer.phone, password: wrong } })
  await call(shop, 'POST', '/user/register', { body: { username: 'ama again', email: buyer.email, phone: '0244443311', password: wrong } })
  for (const search of [buyer.phone, buyer.email]) await call(shop, 'GET', '/order/allorders', { as: admin, query: { search } })
  await call(shop, 'GET', '/user', { as: admin, query: { search: buyer.phone } })
  await shop.app.inject({ url: `/api/no-such?token=${buyer.token}&phone=${buyer.phone}` })

  await call(shop, 'POST', '/user/forget-password', { body: { email: buyer.email } })
  const outbox = () => shop.app.inject('/api/sandbox/outbox').then((reply) => reply.json<{ channel: string; body: string }[]>())
  const mail = await until(async () => (await outbox()).find(({ channel }) => channel === 'email'))
  const resetToken = /reset-password\/([\w-]+)/.exec(mail.body)![1]!
  await shop.app.inject(`/reset-password/${resetToken}`)
  await call(shop, 'POST', `/user/reset-password/${resetToken}`, { body: { password: fresh } })
  const { body: again } = await call<{ token: string }>(shop, 'POST', '/user/login', { body: { userPhone: buyer.phone, password: fresh } })

  const { rows } = await shop.database.db.query<{ secret: string }>('select secret from supplier_webhook')
  await call(shop, 'POST', `/supplier/webhook/${rows[0]!.secret}`, { body: { reference: buyer.phone } })
  await call(shop, 'POST', '/payment/webhook', { body: { event: 'charge.success', data: { customer: { email: buyer.email } } } })
  await call(shop, 'POST', '/payment', { as: again, body: { purpose: 'agent-upgrade' } })
  supplier.hubnet.addFault({ call: 'order', kind: 'drop' })
  sms.addFault({ call: 'send', kind: 'refuse', cause: 'no-money', times: 1_000 })
  const receiver = '0271239876'
  const bought = await checkout(shop, again, [
    await cartLine(shop, { network: 'AirtelTigo', phoneNumber: receiver }),
    await cartLine(shop, { phoneNumber: '0559998877' }),
  ])
  expect(bought.status).toBe(200)
  await until(() => sms.calls().length > 0 && supplier.hubnet.calls().length > 1)
  // What the outside and the database say of a failure, in the words in which they do.
  const log = shop.app.log
  const refused = await shop.database.db
    .query(
      'insert into users (username, email, phone, password_hash, level, created_at) select username, email, phone, password_hash, level, now() from users',
    )
    .catch((error: unknown) => error)
  log.error({ err: refused }, 'a request failed unexpectedly')
  log.warn(
    { reason: `550 5.1.1 <${buyer.email}>: no such user`, detail: `233${receiver.slice(1)} is blocked` },
    `no message to ${buyer.phone}`,
  )
  log.warn({ err: Object.assign(new Error('a call failed'), NAMED, QUOTED), ...NAMED, request: NAMED }, 'a call failed')
  log.warn({ err: new Error(`connect postgresql://dwadi:hunter2secret@db/shop with Bearer ${again.token}`) }, 'a call failed')

  const secrets = {
    passwords: [PASSWORD, wrong, fresh, 'hunter2secret', ...Object.values(NAMED)],
    rows: Object.values(QUOTED).flat(),
    tokens: [admin.token, buyer.token, again.token, resetToken, rows[0]!.secret],
    keys: [cardProvider.secretKey, supplier.hubnet.key, supplier.remadata.key, sms.arkesel.apiKey, sms.mnotify.apiKey],
    people: [admin.phone, admin.email, buyer.phone, buyer.email, receiver, receiver.slice(1), '0559998877', '0244443311'],
  }
  const text = lines.join('\n')
  expect(lines.length).toBeGreaterThan(20)
  for (const [kind, values] of Object.entries(secrets)) {
    for (const value of values) {
      expect(value.length).toBeGreaterThan(6)
      expect([kind, value, lines.find((line) => line.includes(value) || line.includes(encodeURIComponent(value)))]).toEqual([
        kind,
        value,
        undefined,
      ])
    }
  }
  expect(text).toContain('/api/order/allorders?[left out]')
  expect(text).toContain('/api/user/reset-password/[left out]')
})

import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../../sandbox/whatsapp/chats.ts'
import type { WhatsappService } from '../../../../sandbox/whatsapp-service.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { AdminWhatsapp, OwnWhatsapp } from '../../../../shared/whatsapp.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import { transaction } from '../../../platform/db.ts'
import { createLog } from '../../../platform/log.ts'
import { lockLinkedUser } from './whatsapp.sql.ts'

const PIN = '7392'
const HOUR_MS = 3_600_000
/** Not within an id or behind the point of a time. */
const PINS = /(?<![0-9a-f.])73016[45](?![0-9a-f])/

let shop: TestShop
let whatsapp: WhatsappService
let admin: SignedInUser
const logged: string[] = []

beforeAll(async () => {
  const log = createLog('debug', { write: (line: string) => void logged.push(line) })
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SUPPLIER: 'off', SMS: 'off' }, log })
  whatsapp = (shop.sandbox as NonNullable<TestShop['sandbox']>).whatsapp
  admin = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())
beforeEach(() => whatsapp.clearFaults())

/** The newest message of the shop's on this phone. */
const newest = (phone: string) => whatsapp.chats.list().find((one) => one.phone === phone && one.from === 'shop')
const fromShop = (phone: string) => whatsapp.chats.list().filter((one) => one.phone === phone && one.from === 'shop')

/** Says something and waits for the answer to it. */
async function say(phone: string, text: string, more: { id?: string; option?: string; at?: Date } = {}): Promise<ChatMessage> {
  const before = fromShop(phone).length
  const said = await whatsapp.chats.say(phone, { text, ...more })
  expect(said.result).toBe('HTTP 200')
  await until(async () => fromShop(phone).length > before)
  return newest(phone) as ChatMessage
}

/** Presses the row of the newest list whose title or description begins so. */
async function press(phone: string, label: string): Promise<ChatMessage> {
  const option = newest(phone)?.options.find(({ title }) => title.startsWith(label))
  if (!option) throw new Error(`no ${label} in ${JSON.stringify(newest(phone))}`)
  return say(phone, option.title, { option: option.id })
}

async function buyerOnWhatsapp({ balance = 50, withPin = true } = {}) {
  const user = await makeUser(shop, { balance })
  if (withPin) await call(shop, 'POST', '/user/me/pin', { as: user, body: { password: PASSWORD, pin: PIN, atCheckout: true } })
  const { code } = (await call<{ code: string }>(shop, 'POST', '/user/me/whatsapp', { as: user })).body
  expect((await say(user.phone, `LINK ${code}`)).body).toContain('This number is connected')
  return user
}

/** As far as the PIN. */
async function choose(phone: string) {
  await say(phone, 'hi')
  await press(phone, 'Buy for me')
  const asked = await press(phone, '1GB')
  expect(asked.body).toContain('Enter your PIN')
}

const ordersOf = async (user: SignedInUser) =>
  (
    await shop.database.db.query<{ seq: number; channel: string; id: string }>(
      'select id, seq, channel from orders where user_id = $1 order by seq',
      [user._id],
    )
  ).rows
const settings = (body: object) => call(shop, 'PUT', '/admin/whatsapp', { as: admin, body })
const advance = (ms: number) => shop.clock.advance(ms)

describe('a chat', () => {
  test('links, lists prices, buys with the PIN, buys again, tells the balance, tracks, and tells of the delivery', async () => {
    const stranger = await makeUser(shop)
    expect((await say(stranger.phone, 'Hello')).body).toContain('connect this number')
    expect((await say(stranger.phone, 'prices')).body).toContain('*MTN*\n')

    const user = await buyerOnWhatsapp()
    const { phone } = user
    expect((await call<OwnWhatsapp>(shop, 'GET', '/user/me/whatsapp', { as: user })).body).toMatchObject({ isOn: true, newsStopped: false })
    await choose(phone)
    expect(newest(phone)?.body).toContain('delete your message with the PIN')
    const done = await say(phone, PIN)
    expect(done.body).toMatch(/Thank you! Order \d+: MTN 1GB/)
    const [order] = await ordersOf(user)
    expect([order?.channel, await balanceOf(shop, user._id)]).toEqual(['whatsapp', 4450])

    expect((await say(phone, 'balance')).body).toContain('44.50')
    expect((await say(phone, 'track')).options.map(({ title }) => title)).toContain(`${order?.seq} 1GB pending`)
    await say(phone, 'buy again')
    expect((await press(phone, '1GB')).body).toMatch(/Order \d+, MTN 1GB to .*, is still on its way/)
    await press(phone, 'Buy another')
    await say(phone, PIN)
    expect(await ordersOf(user)).toHaveLength(2)

    const news = fromShop(phone).length
    const decided = await call<Order>(shop, 'PUT', `/order/update-status/${order?.id}`, { as: admin, body: { status: 'completed' } })
    expect(decided.status).toBe(200)
    await until(async () => fromShop(phone).length > news)
    expect(newest(phone)?.body).toContain(`Delivered: MTN 1GB for ${phone}`)
    await until(async () => newest(phone)?.status === 'delivered')
    await whatsapp.chats.read(phone)
    await until(async () => (await messages())[0]?.readAt !== null)
    expect((await messages())[0]).toMatchObject({ kind: 'delivered', status: 'sent', phone: expect.stringContaining('•••') })
  })

  test('the PIN is nowhere: not in the database, not in the log', async () => {
    const user = await makeUser(shop, { balance: 50 })
    const pin = '730164'
    await call(shop, 'POST', '/user/me/pin', { as: user, body: { password: PASSWORD, pin, atCheckout: true } })
    const { code } = (await call<{ code: string }>(shop, 'POST', '/user/me/whatsapp', { as: user })).body
    await say(user.phone, `link ${code}`)
    await choose(user.phone)
    await say(user.phone, '730165')
    expect(newest(user.phone)?.body).toContain('not your PIN')
    await say(user.phone, pin)
    expect(await ordersOf(user)).toHaveLength(1)
    for (const table of ['conversations', 'whatsapp_messages', 'whatsapp_received', 'whatsapp_chats', 'orders', 'jobs.job']) {
      const { rows } = await shop.database.db.query<{ text: string }>(`select t::text as text from ${table} t`)
      expect(rows.filter(({ text }) => PINS.test(text))).toEqual([])
    }
    expect(logged.join('')).not.toMatch(PINS)
    expect(logged.length).toBeGreaterThan(0)
  })

  test('wrong PINs lock it, and nothing is bought', async () => {
    const user = await buyerOnWhatsapp()
    await choose(user.phone)
    for (const pin of ['1111', '2222', '3333', '4444']) expect((await say(user.phone, pin)).body).toContain('not your PIN')
    expect((await say(user.phone, '5555')).body).toContain('locked')
    await say(user.phone, 'menu')
    await say(user.phone, PIN)
    expect(await ordersOf(user)).toEqual([])
  })

  test('needs a PIN and enough money, and the owner’s switch', async () => {
    const without = await buyerOnWhatsapp({ withPin: false })
    await say(without.phone, 'hi')
    await press(without.phone, 'Buy for me')
    expect((await press(without.phone, '1GB')).body).toContain('need a PIN')
    const poor = await buyerOnWhatsapp({ balance: 1 })
    await say(poor.phone, 'hi')
    await press(poor.phone, 'Buy for me')
    expect((await press(poor.phone, '1GB')).body).toContain('Your wallet has GHS 1.00')

    const user = await buyerOnWhatsapp()
    await choose(user.phone)
    await shop.database.db.query(`update channel_settings set is_on = false where channel = 'whatsapp'`)
    expect((await say(user.phone, PIN)).body).toContain('don’t take orders on WhatsApp')
    expect((await call(shop, 'POST', '/user/me/whatsapp', { as: user })).status).toBe(409)
    await shop.database.db.query(`update channel_settings set is_on = null where channel = 'whatsapp'`)
    expect(await ordersOf(user)).toEqual([])
  })

  test('a choice from a list that was sent before does nothing; what comes too late or too old neither', async () => {
    const user = await buyerOnWhatsapp()
    await say(user.phone, 'hi')
    const old = newest(user.phone)?.options[0]
    await press(user.phone, 'Help')
    expect((await say(user.phone, 'Buy for me', { option: old?.id as string })).body).toContain('list is from before')
    await choose(user.phone)
    advance(60_000)
    const late = await say(user.phone, PIN, { at: new Date(shop.clock.now.getTime() - 20 * 60_000) })
    expect(late.body).toContain('after a newer one')
    advance(30 * 60_000)
    expect((await say(user.phone, PIN, { at: new Date(shop.clock.now.getTime() - 20 * 60_000) })).body).toContain('reached us late')
    const before = fromShop(user.phone).length
    await whatsapp.chats.say(user.phone, { text: 'hi', at: new Date(shop.clock.now.getTime() - 8 * 24 * HOUR_MS) })
    expect([fromShop(user.phone).length, await ordersOf(user)]).toEqual([before, []])
  })

  test('STOP ends the news, START brings it back, and both leave the purchase as it is', async () => {
    const user = await buyerOnWhatsapp()
    expect((await say(user.phone, 'STOP')).body).toContain('don’t send you news')
    expect((await call<OwnWhatsapp>(shop, 'GET', '/user/me/whatsapp', { as: user })).body.newsStopped).toBe(true)
    await choose(user.phone)
    await say(user.phone, PIN)
    const [order] = await ordersOf(user)
    await call(shop, 'PUT', `/order/update-status/${order?.id}`, { as: admin, body: { status: 'completed' } })
    await until(
      async () => (await shop.database.db.query(`select from jobs.job where name = 'tell' and state < 'completed'`)).rowCount === 0,
    )
    expect(fromShop(user.phone).some(({ body }) => body.startsWith('Delivered'))).toBe(false)
    expect((await say(user.phone, 'start')).body).toContain('Welcome back')
  })
})

describe('a message that comes more than once', () => {
  test('buys once: five at the same moment, and again an hour later', async () => {
    const user = await buyerOnWhatsapp()
    await choose(user.phone)
    whatsapp.addFault({ call: 'webhook', kind: 'repeat', count: 5 })
    await say(user.phone, PIN)
    const [said] = whatsapp.chats.list().filter((one) => one.phone === user.phone && one.from === 'customer')
    advance(HOUR_MS + 1)
    await whatsapp.chats.repeat(said?.id as string)
    await until(
      async () =>
        (await shop.database.db.query(`select from jobs.job where name = 'send-whatsapp' and state < 'completed'`)).rowCount === 0,
    )
    expect(await ordersOf(user)).toHaveLength(1)
    expect(await balanceOf(shop, user._id)).toBe(4450)
    expect(fromShop(user.phone).filter(({ body }) => body.startsWith('Thank you'))).toHaveLength(1)
  })

  test.each([
    ['had answered it', 'Thank you! Order'],
    ['had bought, and not answered it', 'is in: MTN 1GB'],
  ])('after a newer one, from a process that %s and died before it noted so, is told what came of it', async (how, told) => {
    const user = await buyerOnWhatsapp()
    await choose(user.phone)
    const { db } = shop.database
    const { rows } = await db.query<{ id: string; session: string; state: object; requests: string[] }>(
      `select id, session, state, requests from conversations where phone = $1 and channel = 'whatsapp' order by started_at desc, id limit 1`,
      [user.phone],
    )
    const asking = rows[0] as (typeof rows)[0]
    await say(user.phone, PIN)
    const [said] = whatsapp.chats.list().filter((one) => one.phone === user.phone && one.from === 'customer')
    const id = said?.id as string
    await db.query('delete from whatsapp_received where id = $1', [id])
    await db.query('delete from whatsapp_messages where reply_to = $1', [id])
    await db.query('insert into whatsapp_claims (id, by, until, session) values ($1, $2, $3, $4)', [
      ...[id, randomUUID(), shop.clock.now, asking.session],
    ])
    if (how !== 'had answered it') {
      await db.query('update conversations set state = $2, requests = $3 where id = $1', [
        ...[asking.id, JSON.stringify(asking.state), asking.requests],
      ])
    }
    advance(5_000)
    await say(user.phone, 'prices')
    const before = fromShop(user.phone).length
    await whatsapp.chats.repeat(id)
    await until(async () => fromShop(user.phone).length > before)
    expect(newest(user.phone)?.body).toContain(told)
    expect(await ordersOf(user)).toHaveLength(1)
    expect((await db.query('select from whatsapp_claims where id = $1', [id])).rowCount).toBe(0)
  })

  test('while another process answers it is put off, so that Meta sends it again, and then goes on', async () => {
    const user = await buyerOnWhatsapp()
    await choose(user.phone)
    const id = `wamid.${randomUUID()}`
    const { db } = shop.database
    await db.query('insert into whatsapp_claims (id, by, until) values ($1, $2, $3)', [
      ...[id, randomUUID(), new Date(shop.clock.now.getTime() + 20_000)],
    ])
    const { webhook } = whatsapp.chats.write(user.phone, { text: PIN, id })
    const post = () => shop.app.inject({ method: 'POST', url: '/api/whatsapp/webhook', payload: webhook.body, headers: webhook.headers })
    const putOff = await post()
    expect([putOff.statusCode, putOff.json().code, await ordersOf(user)]).toEqual([503, 'UNAVAILABLE', []])
    advance(20_001)
    expect([(await post()).statusCode, await ordersOf(user)]).toEqual([200, [expect.anything()]])
  }, 30_000)
})

describe('linking', () => {
  test('asks for the account’s own number and the right code, five times at most and for ten minutes', async () => {
    const [user, thief] = [await makeUser(shop), await makeUser(shop)]
    const codeOf = async () => (await call<{ code: string }>(shop, 'POST', '/user/me/whatsapp', { as: user })).body.code
    const code = await codeOf()
    const wrong = code === '123456' ? '654321' : '123456'
    expect((await say(thief.phone, `LINK ${code}`)).body).toContain('does not work any more')
    for (let n = 0; n < 5; n += 1) expect((await say(user.phone, `LINK ${wrong}`)).body).toContain('not the code')
    expect((await say(user.phone, `LINK ${code}`)).body).toContain('does not work any more')
    const late = await codeOf()
    advance(11 * 60_000)
    expect((await say(user.phone, `LINK ${late}`)).body).toContain('does not work any more')
    expect((await say(user.phone, `connect ${await codeOf()}`)).body).toContain('is connected')
  })

  test('takes no code of who is banned since', async () => {
    const user = await makeUser(shop)
    const { code } = (await call<{ code: string }>(shop, 'POST', '/user/me/whatsapp', { as: user })).body
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [user._id])
    expect((await say(user.phone, `LINK ${code}`)).body).toContain('does not work any more')
  })

  test('ends with the account’s number, in the account, and with a ban', async () => {
    const user = await buyerOnWhatsapp()
    await choose(user.phone)
    const changed = await call(shop, 'PUT', '/user/me/contact', { as: user, body: { password: PASSWORD, phone: '0541239876' } })
    expect(changed.status).toBe(200)
    await say(user.phone, PIN)
    expect((await say(user.phone, 'balance')).body).not.toContain('50.00')
    expect((await call<OwnWhatsapp>(shop, 'GET', '/user/me/whatsapp', { as: user })).body.linkedAt).toBeNull()
    expect(await ordersOf(user)).toEqual([])

    const other = await buyerOnWhatsapp()
    await choose(other.phone)
    expect((await call(shop, 'DELETE', '/user/me/whatsapp', { as: other })).status).toBe(200)
    await say(other.phone, PIN)
    expect((await say(other.phone, 'hi')).body).toContain('connect this number')
    const banned = await buyerOnWhatsapp()
    await choose(banned.phone)
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [banned._id])
    await say(banned.phone, PIN)
    expect([await ordersOf(other), await ordersOf(banned)]).toEqual([[], []])
  })
})

test('nobody uses up the day’s messages alone: a number without an account gets thirty answers, a connected one goes on', async () => {
  const limited = await openTestShop({ withSandbox: true, rateLimits: true, outsideWorld: { SUPPLIER: 'off', SMS: 'off' } })
  const { chats } = (limited.sandbox as NonNullable<TestShop['sandbox']>).whatsapp
  const answers = async (phone: string) =>
    (await limited.database.db.query(`select from whatsapp_messages where phone = $1 and kind = 'reply'`, [phone])).rowCount
  const customer = await makeUser(limited)
  const { code } = (await call<{ code: string }>(limited, 'POST', '/user/me/whatsapp', { as: customer })).body
  await chats.say(customer.phone, { text: `LINK ${code}` })
  for (let message = 0; message < 35; message += 1) {
    limited.clock.advance(3_000)
    for (const phone of ['0247654321', customer.phone]) expect((await chats.say(phone, { text: 'prices' })).result).toBe('HTTP 200')
  }
  expect([await answers('0247654321'), await answers(customer.phone)]).toEqual([30, 36])
  await limited.close()
})

test('a number speaks for the account that it is connected with, and for no other that has it by now', async () => {
  const [before, now] = [await buyerOnWhatsapp(), await makeUser(shop)]
  const speaksFor = (userId: string, phone: string) => transaction(shop.database.db, (tx) => lockLinkedUser(tx, userId, phone))
  expect([await speaksFor(before._id, before.phone), await speaksFor(now._id, now.phone)]).toEqual([true, false])
  const move = (userId: string, phone: string) => shop.database.db.query('update users set phone = $2 where id = $1', [userId, phone])
  await move(before._id, '0541239871')
  await move(now._id, before.phone)
  expect([await speaksFor(now._id, before.phone), await speaksFor(before._id, before.phone)]).toEqual([false, false])
})

const messages = async () => (await call<AdminWhatsapp>(shop, 'GET', '/admin/whatsapp', { as: admin })).body.messages

describe('a reply', () => {
  test.each([
    ['is sent again when it was not taken', { call: 'send', kind: 'refuse', cause: 'too-often' }, 1, 'sent'],
    ['is sent once more when nobody knows whether it arrived', { call: 'send', kind: 'drop', acts: true }, 2, 'sent'],
    ['is given up when it certainly cannot arrive', { call: 'send', kind: 'refuse', cause: 'undeliverable' }, 0, 'failed'],
    ['is given up after two unknown outcomes', { call: 'send', kind: 'refuse', cause: 'unknown-error', times: 2 }, 0, 'unknown'],
    ['counts as failed when WhatsApp says so later', { call: 'status', kind: 'fail' }, 1, 'failed'],
  ] as const)('%s', async (_name, fault, arrives, status) => {
    const user = await makeUser(shop)
    whatsapp.addFault({ ...fault, to: user.phone })
    await whatsapp.chats.say(user.phone, { text: 'prices' })
    await until(async () => (await messages())[0]?.status === status)
    expect(fromShop(user.phone)).toHaveLength(arrives)
  })

  test('is left out when it is ten minutes late, and over the day’s cap', async () => {
    const user = await makeUser(shop)
    whatsapp.addFault({ call: 'send', kind: 'refuse', cause: 'expired-token', to: user.phone })
    await whatsapp.chats.say(user.phone, { text: 'prices' })
    advance(11 * 60_000)
    await until(async () => (await messages())[0]?.status === 'left-out')
    await settings({ dailyCap: 0 })
    await whatsapp.chats.say(user.phone, { text: 'prices' })
    await until(async () => (await messages())[0]?.status === 'over-cap')
    expect((await settings({ dailyCap: 1_000 })).status).toBe(200)
    expect(fromShop(user.phone)).toEqual([])
  })
})

test('half of the day’s messages are kept for those who have bought something', async () => {
  const buyer = await buyerOnWhatsapp()
  await choose(buyer.phone)
  await say(buyer.phone, PIN)
  const newcomer = await buyerOnWhatsapp()
  const { usedToday } = (await call<AdminWhatsapp>(shop, 'GET', '/admin/whatsapp', { as: admin })).body
  await settings({ dailyCap: 2 * usedToday })
  try {
    for (const phone of ['0249990001', newcomer.phone]) {
      await whatsapp.chats.say(phone, { text: 'prices' })
      await until(async () => (await messages())[0]?.status === 'over-cap')
      expect(fromShop(phone).some(({ body }) => body.includes('*MTN*'))).toBe(false)
    }
    expect((await say(buyer.phone, 'prices')).body).toContain('*MTN*')
  } finally {
    await settings({ dailyCap: 1_000 })
  }
})

describe('news and tests after 24 hours', () => {
  test('go as the approved message, and not at all without one; also when only WhatsApp knows that they are over', async () => {
    const user = await buyerOnWhatsapp()
    await choose(user.phone)
    await say(user.phone, PIN)
    await say(user.phone, 'again')
    await press(user.phone, '1GB')
    await press(user.phone, 'Buy another')
    await say(user.phone, PIN)
    const [one, other] = await ordersOf(user)
    advance(25 * HOUR_MS)
    admin = await makeUser(shop, { level: 'Admin' })
    await call(shop, 'PUT', `/order/update-status/${one?.id}`, { as: admin, body: { status: 'completed' } })
    await until(async () => (await messages())[0]?.status === 'left-out')
    expect((await settings({ template: 'Not A Name' })).status).toBe(400)
    expect((await settings({ template: 'order_news', templateLanguage: 'en_GB' })).status).toBe(200)
    const rejected = await call(shop, 'PUT', `/order/update-status/${other?.id}`, { as: admin, body: { status: 'rejected' } })
    expect(rejected.status).toBe(200)
    await until(async () => newest(user.phone)?.template === 'order_news')
    expect(newest(user.phone)?.body).toContain('refunded to your wallet')

    await say(user.phone, 'hi')
    whatsapp.addFault({ call: 'send', kind: 'refuse', cause: 'outside-window', to: user.phone })
    await call(shop, 'POST', '/admin/whatsapp/test', { as: admin, body: { phone: user.phone } })
    await until(async () => newest(user.phone)?.body.includes('a test') === true)
    expect(newest(user.phone)?.template).toBe('order_news')
    await settings({ template: null })
  })
})

describe('the webhook', () => {
  const raw = (body: string, headers: Record<string, string> = {}) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/whatsapp/webhook',
      payload: body,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const sign = (body: string, secret = whatsapp.appSecret) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })
  const event = (value: object, phoneId = whatsapp.phoneId) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { metadata: { phone_number_id: phoneId }, ...value } }] }],
    })
  const message = (phone: string, more: object = {}) => ({
    ...{ from: `233${phone.slice(1)}`, id: `wamid.${randomUUID()}`, type: 'text', text: { body: 'hi' } },
    ...{ timestamp: String(Math.floor(shop.clock.now.getTime() / 1000)), ...more },
  })
  const received = async () => (await shop.database.db.query('select from whatsapp_received')).rowCount

  test('is registered only with our token, and repeats only Meta’s digits', async () => {
    const ask = (token: string, challenge = '1158201444') =>
      shop.app.inject({
        url: `/api/whatsapp/webhook?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=${encodeURIComponent(challenge)}`,
      })
    const right = await ask(whatsapp.verifyToken)
    expect([right.statusCode, right.body, right.headers['content-type']]).toEqual([
      200,
      '1158201444',
      expect.stringContaining('text/plain'),
    ])
    expect((await ask(whatsapp.verifyToken, '<script>')).body).toBe('')
    expect((await ask('made up')).statusCode).toBe(403)
    expect((await shop.app.inject({ url: '/api/whatsapp/webhook' })).statusCode).toBe(403)
  })

  test('takes nothing that is forged, whatever it says', async () => {
    const { phone } = await makeUser(shop)
    const body = event({ messages: [message(phone)] })
    const before = await received()
    const forged = [
      {},
      sign(body, 'another secret'),
      sign(`${body} `),
      { 'x-hub-signature-256': sign(body)['x-hub-signature-256'].replace('sha256=', 'sha1=') },
      { 'x-hub-signature-256': sign(body)['x-hub-signature-256'].slice(0, -1) },
      { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` },
      { 'x-hub-signature-256': '' },
    ]
    for (const headers of forged) expect((await raw(body, headers as Record<string, string>)).statusCode).toBe(401)
    expect((await raw('', sign('x'))).statusCode).toBe(401)
    expect((await raw(`${' '.repeat(512 * 1024)}{`, sign(''))).statusCode).toBe(413)
    expect([await received(), fromShop(phone)]).toEqual([before, []])
  })

  test('leaves out what it cannot read, what is for another number and numbers abroad, and reads the rest', async () => {
    const { phone } = await makeUser(shop)
    await say(phone, 'hi')
    const odd = [
      null,
      7,
      [],
      {},
      { id: 'x' },
      message(phone, { from: '447700900000' }),
      message(phone, { timestamp: '-1' }),
      message(phone, { timestamp: 'soon' }),
    ]
    const whole = event({ messages: [...odd, message(phone)], statuses: [null, { id: 'x', status: 'eaten', timestamp: '1' }] })
    for (const body of [
      '',
      'null',
      '[]',
      '{',
      '{"entry":{}}',
      '{"entry":[{"changes":[{"field":"messages"}]}]}',
      event({ messages: [message(phone)] }, '99999'),
    ]) {
      expect((await raw(body, sign(body))).json()).toEqual({ received: true })
    }
    expect(fromShop(phone)).toHaveLength(1)
    expect((await raw(whole, sign(whole))).statusCode).toBe(200)
    await until(async () => fromShop(phone).length === 2)
    const picture = event({ messages: [message(phone, { type: 'image', text: undefined, image: { id: '1' } })] })
    await raw(picture, sign(picture))
    await until(async () => newest(phone)?.body.includes('only read text') === true)
  })

  test.each(['completed', 'rejected'])(
    'of news (%s) that came after the 24 hours, as only WhatsApp knows: they go as the approved message, once',
    async (status) => {
      const user = await buyerOnWhatsapp()
      await choose(user.phone)
      await say(user.phone, PIN)
      const [order] = await ordersOf(user)
      await settings({ template: 'order_news' })
      const before = fromShop(user.phone).length
      expect((await call(shop, 'PUT', `/order/update-status/${order?.id}`, { as: admin, body: { status } })).status).toBe(200)
      await until(async () => fromShop(user.phone).length === before + 1)
      expect(newest(user.phone)?.template ?? null).toBeNull()
      const idOf = async () => {
        const { rows } = await shop.database.db.query<{ id: string | null }>(
          `select provider_id as id from whatsapp_messages where order_id = $1 and status = 'sent'`,
          [order?.id],
        )
        return rows[0]?.id ?? null
      }
      const id = await until(idOf)
      const failed = {
        ...{
          id,
          status: 'failed',
          timestamp: String(Math.floor(shop.clock.now.getTime() / 1000)),
          recipient_id: `233${user.phone.slice(1)}`,
        },
        errors: [{ code: 131047, title: 'Re-engagement message' }],
      }
      for (let time = 0; time < 2; time += 1) {
        const body = event({ statuses: [failed] })
        expect((await raw(body, sign(body))).statusCode).toBe(200)
      }
      await until(async () => newest(user.phone)?.template === 'order_news')
      await until(async () => (await idOf()) !== id)
      expect(fromShop(user.phone)).toHaveLength(before + 2)
      await settings({ template: null })
    },
  )

  test('notes once a day that somebody wrote whose number is hidden, for the owner', async () => {
    const sent = JSON.parse(readFileSync('test/fixtures/cases/whatsapp-no-from.json', 'utf8').replace('PHONE_ID', whatsapp.phoneId))
    const post = (id: string) => {
      sent.entry[0].changes[0].value.messages[0].id = id
      const body = JSON.stringify(sent)
      return raw(body, sign(body))
    }
    const noted = async () => (await messages()).filter(({ kind }) => kind === 'unnumbered')
    for (const id of ['wamid.b1', 'wamid.b1', 'wamid.b2']) expect((await post(id)).statusCode).toBe(200)
    expect(await noted()).toMatchObject([{ phone: null, detail: 'Sample, @sample.u', status: 'left-out' }])
    await shop.database.db.query(`update whatsapp_messages set created_at = created_at - interval '25 hours' where kind = 'unnumbered'`)
    await post('wamid.b3')
    expect(await noted()).toHaveLength(2)
  })

  test('answers a message that comes twice in one webhook, and in two at once, once', async () => {
    const { phone } = await makeUser(shop)
    await say(phone, 'hi')
    const twice = message(phone)
    const body = event({ messages: [twice, twice] })
    await Promise.all([raw(body, sign(body)), raw(body, sign(body))])
    await until(async () => fromShop(phone).length === 2)
    const { rowCount } = await shop.database.db.query('select from whatsapp_messages where reply_to = $1', [twice.id])
    expect(rowCount).toBe(1)
  })
})

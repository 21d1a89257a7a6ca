import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import { newPinProblem } from '../../../../shared/pin-rules.ts'
import type { PinReply, PinReset } from '../../../../shared/transaction-pin.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, type CartLine, call, cartLine, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { makeRefundedByCard } from '../../../../test/card-orders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { databaseBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'
import { settlePayment } from '../../card/payments/settle-payment.ts'
import { checkPin } from './check-pin.ts'
import { createPinProof } from './create-pin-proof.ts'
import { resetPin } from './reset-pin.ts'
import { sendResetCode } from './send-reset-code.ts'

const PIN = '7392'
const MINUTE_MS = 60_000
type Who = { token: string; _id: string }

let shop: TestShop
let line: CartLine
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SUPPLIER: 'off' } })
  line = await cartLine(shop)
})
afterAll(() => shop.close())

const setPin = (as: Who, more: object = {}) =>
  call<PinReply & ErrorBody>(shop, 'POST', '/user/me/pin', { as, body: { password: PASSWORD, pin: PIN, atCheckout: true, ...more } })
const prove = (as: Who, pin = PIN) => call<{ proof: string } & ErrorBody>(shop, 'POST', '/user/me/pin/proof', { as, body: { pin } })
const change = (as: Who, body: object) => call<PinReply & ErrorBody>(shop, 'PUT', '/user/me/pin', { as, body })
const read = async (as: Who) => (await call<PinReply>(shop, 'GET', '/user/me/pin', { as })).body.pin
const proofHeader = (proof: string | undefined): Record<string, string> => (proof === undefined ? {} : { 'pin-proof': proof })

function buy(as: Who, { proof, key = randomUUID(), items = [line] }: { proof?: string; key?: string; items?: CartLine[] } = {}) {
  const headers = { 'idempotency-key': key, ...proofHeader(proof) }
  return call<{ balance: number } & ErrorBody>(shop, 'POST', '/order/checkout', { as, body: { items }, headers })
}

async function buyerWithPin(more: object = {}) {
  const buyer = await makeUser(shop, { balance: 20, ...more })
  expect((await setPin(buyer)).body.pin).toMatchObject({ atCheckout: true, lockedUntil: null })
  return buyer
}

describe('a purchase', () => {
  test('needs a proof of the PIN once it is on; the same attempt then goes on, and a repeated one needs none', async () => {
    const buyer = await buyerWithPin()
    const key = randomUUID()
    const refused = await buy(buyer, { key })
    expect([refused.status, refused.body.code]).toEqual([403, 'PIN_REQUIRED'])
    expect((await buy(buyer, { key, proof: 'made up' })).body.code).toBe('PIN_REQUIRED')
    const { proof } = (await prove(buyer)).body
    expect((await buy(buyer, { key, proof })).body.balance).toBe(14.5)
    // The answer may have been lost: the attempt is known by its key.
    expect((await buy(buyer, { key, proof })).body.balance).toBe(14.5)
    expect((await buy(buyer, { key })).status).toBe(200)
    expect(await balanceOf(shop, buyer._id)).toBe(1450)
  })

  test('uses its proof up, also when two begin at once; a refused one does not; and it ends after two minutes', async () => {
    const buyer = await buyerWithPin()
    const { proof } = (await prove(buyer)).body
    const dearer = await buy(buyer, { proof, items: [{ ...line, amount: 5 }] })
    expect(dearer.body.code).toBe('PRICE_CHANGED')
    const both = await Promise.all([buy(buyer, { proof }), buy(buyer, { proof })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    const late = (await prove(buyer)).body.proof
    shop.clock.advance(2 * MINUTE_MS + 1)
    expect((await buy(buyer, { proof: late })).body.code).toBe('PIN_REQUIRED')
    expect(await balanceOf(shop, buyer._id)).toBe(1450)
  })

  test('takes its proof until the moment it ends, and not in that moment', async () => {
    const buyer = await buyerWithPin()
    const first = (await prove(buyer)).body.proof
    shop.clock.advance(2 * MINUTE_MS - 1)
    expect((await buy(buyer, { proof: first })).status).toBe(200)
    const second = (await prove(buyer)).body.proof
    shop.clock.advance(2 * MINUTE_MS)
    expect((await buy(buyer, { proof: second })).body.code).toBe('PIN_REQUIRED')
  })

  test('takes no proof of somebody else, nor of a PIN that was changed since', async () => {
    const [buyer, other] = [await buyerWithPin(), await buyerWithPin()]
    const { proof } = (await prove(buyer)).body
    expect((await buy(other, { proof })).body.code).toBe('PIN_REQUIRED')
    expect((await change(buyer, { currentPin: PIN, pin: '8251' })).status).toBe(200)
    expect((await buy(buyer, { proof })).body.code).toBe('PIN_REQUIRED')
    expect((await buy(buyer, { proof: (await prove(buyer, '8251')).body.proof })).status).toBe(200)
  })

  test('takes no proof of a PIN that is changed while it is being checked', async () => {
    const buyer = await buyerWithPin()
    const lockOwner = () => change(buyer, { currentPin: PIN, pin: '8251' })
    const making = createPinProof(makeCtx(shop).ctx, 'the key of the secrets of a test', { userId: buyer._id, pin: PIN, lockOwner })
    await expect(making).rejects.toThrow('Your PIN was changed somewhere else')
  })

  test('asks nobody who has it off or has none; a proof that is given then counts all the same', async () => {
    const buyer = await makeUser(shop, { balance: 20 })
    expect([await read(buyer), (await buy(buyer)).status, (await prove(buyer)).status]).toEqual([null, 200, 409])
    await setPin(buyer, { atCheckout: false })
    expect((await buy(buyer)).status).toBe(200)
    expect((await buy(buyer, { proof: 'made up' })).body.code).toBe('PIN_REQUIRED')
    expect((await change(buyer, { currentPin: PIN, atCheckout: true })).body.pin?.atCheckout).toBe(true)
    expect((await buy(buyer)).body.code).toBe('PIN_REQUIRED')
    expect((await call(shop, 'POST', '/user/me/pin/end', { as: buyer, body: { currentPin: PIN } })).status).toBe(200)
    expect((await buy(buyer)).status).toBe(200)
  })
})

test('every other way to the money of the wallet asks as well, and what a payment settles does not', async () => {
  const agent = await buyerWithPin()
  const { orderIds } = await makeRefundedByCard(shop, agent._id)
  await shop.database.db.query(`update users set level = 'Agent' where id = $1`, [agent._id])
  const agentLine = await cartLine(shop, { as: 'Agent' })
  const lines = [{ number: 1, text: 'x', name: '', ...agentLine }]
  const group = { name: 'Staff', lines: [{ name: '', phoneNumber: '0244123456', network: 'MTN', offer: '1GB' }] }
  const groupId = (await call<{ group: { _id: string } }>(shop, 'POST', '/bulk-groups', { as: agent, body: group })).body.group._id
  const monday = { groupId, repeats: 'weekly', day: null, weekday: 1, monthDay: null, time: '08:00', most: 9 }
  const key = (
    await call<{ key: { _id: string } }>(shop, 'POST', '/api-keys', {
      as: agent,
      body: { name: 'Till', scopes: ['orders:write'] },
      headers: proofHeader((await prove(agent)).body.proof),
    })
  ).body.key
  const wallet = (await call<{ balance: number }>(shop, 'GET', '/user/me', { as: agent })).body.balance
  const cart = [agentLine, agentLine, agentLine, agentLine, agentLine, agentLine, agentLine, agentLine]
  const missing = Math.round((8 * agentLine.amount - wallet) * 100) / 100
  const payment = (proof?: string) =>
    call<{ reference: string; amount: number } & ErrorBody>(shop, 'POST', '/payment', {
      as: agent,
      body: { purpose: 'top-up', amount: missing, items: cart },
      headers: proofHeader(proof),
    })
  expect((await payment()).body.code).toBe('PIN_REQUIRED')
  const { reference, amount } = (await payment((await prove(agent)).body.proof)).body
  await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(amount)), reference)
  const { rows } = await shop.database.db.query('select from orders where user_id = $1 and top_up_reference = $2', [agent._id, reference])
  expect(rows).toHaveLength(8)
  await shop.database.db.query(
    `select post_entry($1, 'admin-credit', 't', null, array[account_id, 6], array[5000, -5000], now()) from wallets where user_id = $2`,
    [randomUUID(), agent._id],
  )
  const ways: ['POST' | 'PUT', string, object][] = [
    ['POST', '/bulk', { lines, total: agentLine.amount }],
    [
      'POST',
      '/order/create',
      { newOrder: { id: 'a', network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: agentLine.amount } },
    ],
    ['POST', `/order/${orderIds[0]}/refund-to-source`, {}],
    ['POST', '/bulk-schedules', monday],
    ['PUT', `/bulk-groups/${groupId}`, group],
    ['POST', '/api-keys', { name: 'Thief', scopes: ['orders:write'] }],
    ['POST', `/api-keys/${key._id}/rotate`, { overlapHours: 1 }],
  ]
  for (const [method, path, body] of ways) {
    const ask = async (proof?: string) =>
      call<ErrorBody>(shop, method, path, {
        as: agent,
        body,
        headers: { 'idempotency-key': `k${path.replaceAll(/\W/g, '-')}-0123456789012345678`, ...proofHeader(proof) },
      })
    // A group is guarded once something spends by it.
    expect([path, (await ask()).body.code]).toEqual([path, 'PIN_REQUIRED'])
    const done = await ask((await prove(agent)).body.proof)
    expect([path, done.status, done.body.code]).toEqual([path, 200, undefined])
  }
})

describe('a wrong PIN', () => {
  test('is counted: the fifth locks it for 15 minutes, the next five for an hour; the right one in time forgets them', async () => {
    const buyer = await buyerWithPin()
    const wrong = async () => {
      const { status, body } = await prove(buyer, '1597')
      return [status, body.code, body.issues?.[0]?.message ?? body.message]
    }
    expect(await wrong()).toEqual([400, 'INVALID', 'That is not your PIN. You have 4 tries left.'])
    for (const _ of [1, 2]) await wrong()
    expect((await wrong())[2]).toContain('1 try left')
    expect((await prove(buyer)).status).toBe(200)
    for (const _ of [1, 2, 3, 4]) expect((await wrong())[0]).toBe(400)
    expect((await wrong()).slice(0, 2)).toEqual([429, 'PIN_LOCKED'])
    const locked = await prove(buyer)
    expect([locked.status, locked.body.code, locked.headers['retry-after']]).toEqual([429, 'PIN_LOCKED', '900'])
    expect((await read(buyer))?.lockedUntil).toBe(new Date(shop.clock.now.getTime() + 15 * MINUTE_MS).toISOString())
    expect((await change(buyer, { currentPin: PIN, atCheckout: false })).body.code).toBe('PIN_LOCKED')
    shop.clock.advance(15 * MINUTE_MS)
    for (const _ of [1, 2, 3, 4, 5]) await wrong()
    expect((await prove(buyer)).headers['retry-after']).toBe('3600')
    shop.clock.advance(60 * MINUTE_MS)
    expect((await prove(buyer)).status).toBe(200)
    // Also hours after a lock has ended, the next is longer; only a day without one forgets them.
    shop.clock.advance(12 * 60 * MINUTE_MS)
    for (const _ of [1, 2, 3, 4, 5]) await wrong()
    expect((await prove(buyer)).headers['retry-after']).toBe('14400')
    shop.clock.advance(28 * 60 * MINUTE_MS + 1)
    for (const _ of [1, 2, 3, 4, 5]) await wrong()
    expect((await prove(buyer)).headers['retry-after']).toBe('900')
  })

  test('at the same moment as many others is one of five that are looked at', async () => {
    const buyer = await buyerWithPin()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => prove(buyer, String(3100 + 7 * n))))
    const looked = replies.filter(({ status }) => status === 400).length
    expect([looked, replies.filter(({ body }) => body.code === 'PIN_LOCKED').length]).toEqual([4, 16])
    expect((await prove(buyer)).body.code).toBe('PIN_LOCKED')
  })

  test('is none where it could not be looked at, such as without the right key', async () => {
    const buyer = await buyerWithPin()
    for (const _ of [1, 2, 3, 4, 5]) {
      await expect(checkPin(makeCtx(shop).ctx, 'another key', { userId: buyer._id, pin: PIN })).rejects.toThrow()
    }
    expect((await prove(buyer, '1597')).body.issues?.[0]?.message).toContain('4 tries left')
  })

  test('of a purchase leaves what is stored unreadable', async () => {
    const buyer = await buyerWithPin()
    const { rows } = await shop.database.db.query('select pin from transaction_pins where user_id = $1', [buyer._id])
    expect(String(rows[0].pin)).not.toContain('argon2')
    expect(String(rows[0].pin)).not.toContain(PIN)
  })
})

test('a PIN that is easily guessed is refused', async () => {
  for (const pin of ['1234', '0000', '4321', '9876', '123456', '1212', '1122', '112233', '123123', '2580', '1987', '2004', '890123']) {
    expect([pin, newPinProblem(pin)]).toEqual([pin, expect.any(String)])
  }
  for (const pin of ['7392', '58203', '904417', '3105']) expect([pin, newPinProblem(pin)]).toEqual([pin, null])
  const buyer = await makeUser(shop)
  for (const pin of ['123', '1234567', 'abcd', '1234', buyer.phone.slice(-4), 7392]) {
    const { status, body } = await setPin(buyer, { pin })
    expect([pin, status, body.issues?.[0]?.path]).toEqual([pin, 400, 'pin'])
  }
  expect((await setPin(buyer, { password: 'not the password' })).body.issues?.[0]?.path).toBe('password')
  expect([await read(buyer), (await setPin(buyer)).status, (await setPin(buyer)).status]).toEqual([null, 200, 409])
})

describe('a forgotten PIN', () => {
  const ask = (as: Who, password = PASSWORD) =>
    call<PinReset & ErrorBody>(shop, 'POST', '/user/me/pin/reset-code', { as, body: { password } })
  const reset = (as: Who, body: object) =>
    call<PinReply & ErrorBody>(shop, 'POST', '/user/me/pin/reset', { as, body: { password: PASSWORD, pin: '8251', ...body } })
  const codes = (phone: string) =>
    (shop.sandbox?.sms.messages() ?? []).flatMap(({ to, body }) => (to === phone ? (/: (\d{6}) is your code/.exec(body)?.[1] ?? []) : []))

  test('is replaced with the password and a code by SMS, which ends a lock; the code works once, and stands nowhere', async () => {
    const buyer = await buyerWithPin()
    for (const _ of [1, 2, 3, 4, 5]) await prove(buyer, '1597')
    expect((await reset(buyer, { code: '123456' })).status).toBe(400)
    expect((await ask(buyer, 'not the password')).status).toBe(400)
    const asked = await ask(buyer)
    expect([asked.status, asked.body]).toEqual([200, { by: 'sms', to: expect.stringContaining(buyer.phone.slice(-3)) }])
    expect((await ask(buyer)).status).toBe(409)
    await until(() => codes(buyer.phone).length === 1)
    const code = codes(buyer.phone)[0] as string
    const { rows } = await shop.database.db.query('select body from sms_messages where receiver = $1', [buyer.phone])
    expect(JSON.stringify(rows)).not.toContain(code)
    expect((await reset(buyer, { code: code === '000000' ? '000001' : '000000' })).body.issues?.[0]?.path).toBe('code')
    expect((await reset(buyer, {})).status).toBe(400)
    const [one, two] = await Promise.all([reset(buyer, { code }), reset(buyer, { code })])
    expect([one.status, two.status].filter((status) => status === 200)).toHaveLength(1)
    expect([(await reset(buyer, { code })).status, (await prove(buyer, '8251')).status, (await prove(buyer)).status]).toEqual([
      400, 200, 400,
    ])
  })

  test('cannot be replaced by guessing the code, or by an old one', async () => {
    const buyer = await buyerWithPin()
    await ask(buyer)
    await until(() => codes(buyer.phone).length === 1)
    const code = codes(buyer.phone)[0] as string
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    for (const _ of [1, 2, 3, 4, 5]) expect((await reset(buyer, { code: wrong })).status).toBe(400)
    expect((await reset(buyer, { code })).body.message).toContain('has ended')
    shop.clock.advance(MINUTE_MS)
    await ask(buyer)
    await until(() => codes(buyer.phone).length === 2)
    shop.clock.advance(11 * MINUTE_MS)
    expect((await reset(buyer, { code: codes(buyer.phone)[1] })).body.message).toContain('has ended')
    expect((await prove(buyer)).status).toBe(200)
  })

  test('takes a day after the phone number was changed, so that a stolen password alone is not enough', async () => {
    const buyer = await buyerWithPin()
    const body = { password: PASSWORD, phone: '0249876501' }
    expect((await call(shop, 'PUT', '/user/me/contact', { as: buyer, body })).status).toBe(200)
    expect((await ask(buyer)).body.by).toBe('wait')
    const other = await buyerWithPin()
    const sentToday = (used: number) =>
      shop.database.db.query('insert into sms_days (day, used) values ($1, $2) on conflict (day) do update set used = $2', [
        shop.clock.now.toISOString().slice(0, 10),
        used,
      ])
    await sentToday(500)
    expect((await ask(other)).body.by).toBe('wait')
    await sentToday(0)
    expect((await reset(buyer, {})).body.code).toBe('CONFLICT')
    shop.clock.advance(24 * 60 * MINUTE_MS)
    expect((await reset(buyer, {})).status).toBe(200)
    expect(codes(body.phone)).toEqual([])
  })

  test('cannot be set any more by who asked for it before the PIN was changed, with a code or after a day', async () => {
    const [texted, waiting] = [await buyerWithPin(), await buyerWithPin()]
    await ask(texted)
    await until(() => codes(texted.phone).length === 1)
    await call(shop, 'PUT', '/user/me/contact', { as: waiting, body: { password: PASSWORD, phone: '0249876502' } })
    expect((await ask(waiting)).body.by).toBe('wait')
    for (const as of [texted, waiting]) expect((await change(as, { currentPin: PIN, pin: '6038' })).status).toBe(200)
    expect((await reset(texted, { code: codes(texted.phone)[0] })).status).toBe(400)
    shop.clock.advance(24 * 60 * MINUTE_MS + 1)
    for (const as of [texted, waiting]) expect([(await reset(as, {})).status, (await prove(as, '6038')).status]).toEqual([400, 200])
    // Asked for anew, it takes its day again.
    await call(shop, 'PUT', '/user/me/contact', { as: waiting, body: { password: PASSWORD, phone: '0249876503' } })
    expect((await ask(waiting)).body).toEqual({ by: 'wait', from: new Date(shop.clock.now.getTime() + 24 * 60 * MINUTE_MS).toISOString() })
  })

  test('of another account is not set with a code that the account asked for which had the number before', async () => {
    const [giver, taker] = [await buyerWithPin(), await buyerWithPin()]
    const move = (as: Who, phone: string) => call(shop, 'PUT', '/user/me/contact', { as, body: { password: PASSWORD, phone } })
    const isOver = async (phone: string) => {
      const { rows } = await shop.database.db.query(
        "select from sms_messages where receiver = $1 and kind = 'alarm' and status = 'failed'",
        [phone],
      )
      return rows.length > 0
    }
    // The service fails once, so that the message waits for its retry meanwhile.
    shop.sandbox?.sms.addFault({ call: 'send', kind: 'reply', status: 500, body: {}, times: 2 })
    await ask(giver)
    expect([(await move(giver, '0249876504')).status, (await move(taker, giver.phone)).status]).toEqual([200, 200])
    expect((await ask(taker)).body.by).toBe('wait')
    await until(() => isOver(giver.phone))
    expect(codes(giver.phone)).toEqual([])
    // A code that was sent ends with the number as well.
    const moved = await buyerWithPin()
    await ask(moved)
    await until(() => codes(moved.phone).length === 1)
    await move(moved, '0249876505')
    expect((await reset(moved, { code: codes(moved.phone)[0] })).body.message).toContain('has ended')
  })

  test('takes the code that was asked for also while it has not been sent, and not a day that nobody was told of', async () => {
    const { _id, username, phone, token } = await buyerWithPin()
    const { ctx } = makeCtx(shop, { id: _id, username, phone, sessionHash: hashToken(token) })
    const neverSends = { ...ctx, jobs: { enqueue: async () => undefined, wake: () => undefined } } as unknown as Ctx
    const checks = { limiter: openRateLimiter(databaseBuckets(shop.database.db), () => shop.clock.now), secretsKey: null }
    const sms = { sender: {}, shopName: 'Dwadi' } as SmsGateway
    expect((await sendResetCode(neverSends, checks, sms, PASSWORD)).by).toBe('sms')
    const later = { ...neverSends, now: new Date(shop.clock.now.getTime() + 24 * 60 * MINUTE_MS + 1) }
    await expect(resetPin(later, checks, { password: PASSWORD, pin: '8251' })).rejects.toMatchObject({ code: 'INVALID' })
  })

  test('where no SMS can be sent, takes a day, and a mail says that somebody asked', async () => {
    const quiet = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' } })
    const buyer = await makeUser(quiet)
    const post = <T>(path: string, body: object) =>
      call<T & ErrorBody>(quiet, 'POST', path, { as: buyer, body: { password: PASSWORD, ...body } })
    await post('/user/me/pin', { pin: PIN, atCheckout: true })
    const from = new Date(quiet.clock.now.getTime() + 24 * 60 * MINUTE_MS).toISOString()
    expect((await post('/user/me/pin/reset-code', {})).body).toEqual({ by: 'wait', from })
    quiet.clock.advance(23 * 60 * MINUTE_MS)
    expect((await post('/user/me/pin/reset-code', {})).body).toEqual({ by: 'wait', from })
    expect((await post('/user/me/pin/reset', { pin: '8251' })).body.code).toBe('CONFLICT')
    quiet.clock.advance(60 * MINUTE_MS)
    expect((await post('/user/me/pin/reset', { pin: '8251' })).status).toBe(200)
    const subjects = async () =>
      (await call<{ to: string; subject: string }[]>(quiet, 'GET', '/sandbox/outbox')).body
        .filter(({ to }) => to === buyer.email)
        .map(({ subject }) => subject)
    await until(async () => (await subjects()).length === 3)
    expect(await subjects()).toContain('Your Dwadi account is to get a new PIN')
    await quiet.close()
  })
})

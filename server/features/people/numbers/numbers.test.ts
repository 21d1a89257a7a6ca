import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSmsGateway } from '../../../../sandbox/phone/sign-message.ts'
import { type PhoneNetwork, SENDERS, WRITES } from '../../../../sandbox/phone/write-messages.ts'
import type { InboxReply } from '../../../../shared/inbox.ts'
import type { Match, Matches } from '../../../../shared/received-payments.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openShopOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { confirmNumberOf } from '../../../../test/confirmations.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { statementBody } from '../../../../test/statements.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { creditCertain } from '../../wallet/received-payments/credit-certain.ts'
import { takeMailTo } from '../auth/count-mail.ts'

const MINUTE_MS = 60_000

let shop: TestShop
let owner: SignedInUser
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  owner = await makeUser(shop, { level: 'Admin' })
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

// A shop has only so many phones.
beforeEach(async () => {
  await shop.database.db.query('update forwarders set ended_at = now() where ended_at is null')
})

let drawn = 71_000_000_000
const newId = () => String(++drawn)
let amount = 60
/** Of no other test, so that no other request is in the way. */
const newAmount = () => ++amount

async function ask(as: SignedInUser, cedis: number): Promise<Recharge> {
  const { status, body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as, body: { amount: cedis } })
  expect(status).toBe(200)
  return body.recharge
}

async function matchOf(id: string): Promise<{ group: string; match: Match } | null> {
  const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: owner })
  for (const group of ['certain', 'doubtful', 'unmatched'] as const) {
    const match = body[group].find(({ payment }) => payment.transactionId === id)
    if (match) return { group, match }
  }
  return null
}

type Numbers = { confirmed: { phoneNumber: string; confirmedAt: string }[]; sendsCodes: boolean; emailConfirmed: boolean }
const read = async (as: SignedInUser) => (await call<Numbers>(shop, 'GET', '/user/me/numbers', { as })).body
const sendCode = (as: SignedInUser, phoneNumber = as.phone) =>
  call<{ confirmed: boolean; waitSeconds: number; message: string }>(shop, 'POST', '/user/me/numbers/code', { as, body: { phoneNumber } })
const type = (as: SignedInUser, code: string, phoneNumber = as.phone) =>
  call<Numbers & { message: string }>(shop, 'POST', '/user/me/numbers', { as, body: { phoneNumber, code } })

const sentTo = (phone: string) => (shop.sandbox?.sms.messages() ?? []).filter(({ to }) => to.endsWith(phone.slice(1)))
async function receive(as: SignedInUser, phone = as.phone): Promise<string> {
  const before = sentTo(phone).length
  expect(await sendCode(as, phone)).toMatchObject({ status: 200, body: { confirmed: false, waitSeconds: 60 } })
  const text = await until(async () => (sentTo(phone).length > before ? sentTo(phone)[0]?.body : null))
  return /^(\d{6}) is your/.exec(text)?.[1] ?? ''
}

async function forward(text: string, network: PhoneNetwork) {
  type Phone = { forwarder: { _id: string }; key: string }
  const made = await call<Phone>(shop, 'POST', '/forwarder', { as: owner, body: { name: 'Till', app: 'sms-gateway', networks: [network] } })
  const { forwarder, key } = made.body
  const path = `/forwarder/${forwarder._id}`
  expect((await call(shop, 'PUT', `${path}/balance`, { as: owner, body: { network, balance: 1_000 } })).status).toBe(200)
  const { body, headers } = asSmsGateway({ sender: SENDERS[network], text, at: shop.clock.now }, key, shop.clock.now)
  expect((await shop.app.inject({ method: 'POST', url: `/api${path}/message`, headers, payload: body })).statusCode).toBe(200)
  await creditCertain(makeCtx(shop).ctx)
}

describe('a number', () => {
  test('is confirmed by the code that was sent to it, once asked for, and no other account gets anything by that code', async () => {
    const [customer, thief] = [await makeUser(shop), await makeUser(shop)]
    expect(await read(customer)).toEqual({ confirmed: [], sendsCodes: true, emailConfirmed: false })
    const code = await receive(customer)
    expect((await sendCode(customer)).body).toEqual({ confirmed: false, waitSeconds: 60 })
    expect((await type(thief, code, customer.phone)).status).toBe(409)
    expect((await type(customer, code === '000000' ? '000001' : '000000')).body.message).toMatch(
      /^That is not the code\. You have 4 more tries/,
    )
    expect((await type(customer, code)).body).toMatchObject({
      confirmed: [{ phoneNumber: customer.phone, confirmedAt: shop.clock.now.toISOString() }],
    })
    expect((await sendCode(customer)).body).toEqual({ confirmed: true, waitSeconds: 0 })
    expect((await read(thief)).confirmed).toEqual([])
  })

  test('of another account is taken over with its code, and its former account gets a mail; a change of the phone drops it', async () => {
    const [former, later] = [await makeUser(shop), await makeUser(shop)]
    await type(former, await receive(former))
    expect((await type(later, await receive(later, former.phone), former.phone)).status).toBe(200)
    expect([(await read(former)).confirmed, (await read(later)).confirmed.length]).toEqual([[], 1])
    const mail = await until(async () => shop.sandbox?.mail.messages().find(({ to }) => to === former.email))
    expect([mail.subject, mail.body]).toEqual([
      'Another Dwadi account confirmed your number',
      expect.stringContaining('in another Dwadi account'),
    ])
    const body = { password: PASSWORD, phone: '0279990001' }
    expect((await call(shop, 'PUT', '/user/me/contact', { as: later, body })).status).toBe(200)
    expect((await read(later)).confirmed).toEqual([])
  })

  test('of two accounts that type their codes at the same moment is confirmed for one of them', async () => {
    const [one, two] = [await makeUser(shop), await makeUser(shop)]
    const phone = '0279990002'
    const codes = [await receive(one, phone), await receive(two, phone)] as const
    const replies = await Promise.all([type(one, codes[0], phone), type(two, codes[1], phone)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await shop.database.db.query('select user_id from confirmed_numbers where phone = $1', [phone])
    expect(rows).toHaveLength(1)
  })

  test('is confirmed in the database only by a code that was used, for its account and not for a shop, and never changed', async () => {
    const [customer, thief] = [await makeUser(shop), await makeUser(shop)]
    await receive(customer)
    const { db } = shop.database
    const insert = (userId: string) =>
      db.query(
        `insert into confirmed_numbers (phone, user_id, code_id, confirmed_at) select phone, $1, id, now() from payout_codes where asked_by = $2`,
        [userId, customer._id],
      )
    await expect(insert(customer._id)).rejects.toMatchObject({ code: 'DW018' })
    await db.query('update payout_codes set used_at = now() where asked_by = $1', [customer._id])
    await expect(insert(thief._id)).rejects.toMatchObject({ code: '23503' })
    await insert(customer._id)
    await expect(db.query('update confirmed_numbers set user_id = $2 where user_id = $1', [customer._id, thief._id])).rejects.toMatchObject(
      {
        code: 'DW001',
      },
    )
  })

  test('is one of five for each account, and gets six codes a day from strangers, but its own account goes on', async () => {
    const customer = await makeUser(shop)
    for (let at = 0; at < 5; at++) await confirmNumberOf(shop, customer, `027999010${at}`)
    await expect(confirmNumberOf(shop, customer, '0279990105')).rejects.toMatchObject({ code: 'DW015' })
    for (let at = 0; at < 6; at++) expect((await sendCode(await makeUser(shop), '0279990106')).status).toBe(200)
    expect((await sendCode(await makeUser(shop), '0279990106')).body.message).toBe(
      'We have sent enough codes for today. Pay with the reference code meanwhile.',
    )
    // Three more for the account whose number it is, which has not confirmed it yet.
    const newcomer = await makeUser(shop, { phone: '0279990106' })
    const replies: number[] = []
    for (let at = 0; at < 4; at++) {
      replies.push((await sendCode(newcomer, '0279990106')).status)
      await shop.database.db.query(`update payout_codes set asked_at = asked_at - interval '61 s' where asked_by = $1`, [newcomer._id])
    }
    expect(replies).toEqual([200, 200, 200, 409])
  })
})

type Paid = { phone: string; cedis: number; id: string; reference?: string }
const international = (phone: string) => `233${phone.slice(1)}`
const PATHS: Record<string, { pays: (paid: Paid) => Promise<void>; claims?: true }> = {
  'an SMS of the shop’s phone that names the payer’s number': {
    pays: ({ phone, cedis, id }) =>
      forward(
        WRITES.Telecel.received({
          amount: cedis * 100,
          balance: 100_000 + cedis * 100,
          id,
          number: international(phone),
          reference: 'data',
          at: shop.clock.now,
        }),
        'Telecel',
      ),
  },
  'an SMS of the shop’s phone with a typed number': {
    pays: ({ phone, cedis, id }) =>
      forward(WRITES.MTN.received({ amount: cedis * 100, balance: 100_000 + cedis * 100, id, reference: `for ${phone}` }), 'MTN'),
  },
  'a claim of an SMS that names the payer’s number': {
    claims: true,
    pays: ({ phone, cedis, id }) =>
      forward(
        WRITES.Telecel.received({
          amount: cedis * 100,
          balance: 100_000 + cedis * 100,
          id,
          number: international(phone),
          reference: 'data',
          at: shop.clock.now,
        }),
        'Telecel',
      ),
  },
  'a claim of an SMS with a typed number': {
    claims: true,
    pays: ({ phone, cedis, id }) =>
      forward(WRITES.MTN.received({ amount: cedis * 100, balance: 100_000 + cedis * 100, id, reference: `for ${phone}` }), 'MTN'),
  },
}
/** What people read in is credited by a person, who approves all that is certain with one press. */
const READ_IN: Record<string, (paid: Paid) => { path: string; body: object }> = {
  'a pasted message that names the payer’s number': ({ phone, cedis, id }) => ({
    path: '/received-payment/messages',
    body: {
      text: WRITES.Telecel.received({
        amount: cedis * 100,
        balance: 900_000,
        id,
        number: international(phone),
        reference: 'data',
        at: shop.clock.now,
      }),
    },
  }),
  'a pasted message with a typed number': ({ phone, cedis, id }) => ({
    path: '/received-payment/messages',
    body: { text: WRITES.MTN.received({ amount: cedis * 100, balance: 900_000, id, reference: `for ${phone}` }) },
  }),
  'a statement with the payer’s number': ({ phone, cedis, id }) => ({
    path: '/received-payment/statement',
    body: statementBody([{ transactionId: id, amount: `${cedis}.00`, payerPhone: phone }], 'Telecel'),
  }),
  'a statement with a typed number': ({ phone, cedis, id }) => ({
    path: '/received-payment/statement',
    body: statementBody([{ transactionId: id, amount: `${cedis}.00`, reference: `for ${phone}` }]),
  }),
}

type Standing = { as: SignedInUser; confirms: () => Promise<void>; reason: RegExp | null }
const STANDINGS: Record<string, () => Promise<Standing>> = {
  'not confirmed': async () => ({ as: await makeUser(shop), confirms: async () => {}, reason: /has not confirmed the number/ }),
  'confirmed by its account': async () => {
    const as = await makeUser(shop)
    return { as, confirms: () => confirmNumberOf(shop, as), reason: null }
  },
  'confirmed by somebody else': async () => {
    const [as, other] = [await makeUser(shop), await makeUser(shop)]
    const confirms = async () => {
      await confirmNumberOf(shop, as)
      await confirmNumberOf(shop, other, as.phone)
    }
    return { as, confirms, reason: new RegExp(`^${other.username} has confirmed the number`) }
  },
  'confirmed and then changed': async () => {
    const as = await makeUser(shop)
    const confirms = async () => {
      await confirmNumberOf(shop, as)
      for (const phone of ['0279991111', as.phone]) {
        expect((await call(shop, 'PUT', '/user/me/contact', { as, body: { password: PASSWORD, phone } })).status).toBe(200)
      }
    }
    return { as, confirms, reason: /has not confirmed the number/ }
  },
}

/** Confirmed or not, a number is only the payer's when the network says so. */
const TYPED = /^The payer typed this number/

describe.each(Object.keys(STANDINGS))('a number that is %s', (standing) => {
  test.each(Object.keys(PATHS))('in %s', async (path) => {
    const { pays, claims } = PATHS[path] as (typeof PATHS)[string]
    const { as, confirms, ...standingOf } = await (STANDINGS[standing] as () => Promise<Standing>)()
    const reason = standingOf.reason ?? (/typed/.test(path) ? TYPED : null)
    await confirms()
    const [cedis, id] = [newAmount(), newId()]
    if (claims) expect((await call(shop, 'POST', '/claim', { as, body: { transactionId: id } })).status).toBe(200)
    else await ask(as, cedis)
    await pays({ phone: as.phone, cedis, id })
    const waits = await matchOf(id)
    expect(await balanceOf(shop, as._id)).toBe(reason ? 0 : cedis * 100)
    if (reason === null) expect(waits).toBe(null)
    else if (claims) expect(waits?.match.claims.map(({ user }) => user._id)).toEqual([as._id])
    else expect([waits?.group, waits?.match.reasons[0]]).toEqual(['doubtful', expect.stringMatching(reason)])
  })

  test.each(Object.keys(READ_IN))('in %s', async (path) => {
    const { as, confirms, ...standingOf } = await (STANDINGS[standing] as () => Promise<Standing>)()
    const reason = standingOf.reason ?? (/typed/.test(path) ? TYPED : null)
    await confirms()
    const [cedis, id] = [newAmount(), newId()]
    await ask(as, cedis)
    const read = (READ_IN[path] as (typeof READ_IN)[string])({ phone: as.phone, cedis, id })
    expect((await call(shop, 'POST', read.path, { as: owner, body: read.body })).status).toBe(200)
    const { group, match } = (await matchOf(id)) as { group: string; match: Match }
    expect([group, match.reasons.filter((one) => /confirmed the number|typed this number/.test(one))]).toEqual(
      reason ? ['doubtful', [expect.stringMatching(reason)]] : ['certain', []],
    )
    const body = { matches: [{ paymentId: match.payment._id, rechargeId: match.request?._id, amount: cedis }] }
    const approved = await call<{ credited: number }>(shop, 'POST', '/received-payment/approve', { as: owner, body })
    expect(approved.body.credited).toBe(reason ? 0 : 1)
  })

  test('says nothing against the reference of the request', async () => {
    const { as, confirms } = await (STANDINGS[standing] as () => Promise<Standing>)()
    await confirms()
    const cedis = newAmount()
    const { rechargeId: reference } = await ask(as, cedis)
    const text = WRITES.Telecel.received({
      amount: cedis * 100,
      balance: 200_000,
      id: newId(),
      number: international(as.phone),
      reference,
      at: shop.clock.now,
    })
    await forward(text.replace(/balance is GHS[\d.,]+/, `balance is GHS${1_000 + cedis}.00`), 'Telecel')
    expect(await balanceOf(shop, as._id)).toBe(cedis * 100)
  })
})

test('a thief who registers with a victim’s number, or changes to it, gets nothing of the victim’s payments, now or later', async () => {
  const cedis = newAmount()
  const pay = (phone: string, id: string) =>
    (PATHS['an SMS of the shop’s phone that names the payer’s number'] as (typeof PATHS)[string]).pays({ phone, cedis, id })
  const victims = '0279992222'
  const registers = await makeUser(shop, { phone: victims })
  await ask(registers, cedis)
  const first = newId()
  await pay(victims, first)
  expect(await balanceOf(shop, registers._id)).toBe(0)
  expect((await matchOf(first))?.group).toBe('doubtful')
  // The code goes to the victim, and typing at random ends soon.
  expect((await sendCode(registers)).status).toBe(200)
  await until(async () => sentTo(victims)[0])
  const tries = await Promise.all(Array.from({ length: 8 }, (_, at) => type(registers, `00000${at}`)))
  expect(tries.map(({ status }) => status).filter((status) => status === 200)).toEqual([])

  // The number's owner comes with an account of another number, confirms this one too, and claims the payment that waits.
  const victim = await makeUser(shop)
  await call(shop, 'POST', '/claim', { as: victim, body: { transactionId: first } })
  shop.clock.advance(MINUTE_MS)
  expect((await type(victim, await receive(victim, victims), victims)).status).toBe(200)
  await creditCertain(makeCtx(shop).ctx)
  expect(await Promise.all([registers, victim].map(({ _id }) => balanceOf(shop, _id)))).toEqual([0, cedis * 100])
  expect(await matchOf(first)).toBe(null)
  // The thief's request still waits, and the next payment of the victim goes to the victim's.
  await ask(victim, cedis)
  await pay(victims, newId())
  expect(await Promise.all([registers, victim].map(({ _id }) => balanceOf(shop, _id)))).toEqual([0, cedis * 200])
})

describe('the messages of a day', () => {
  const CAP = 20
  const usedToday = async () =>
    (await shop.database.db.query<{ used: number; dropped: number }>('select used, dropped from sms_days')).rows[0] ?? {
      used: 0,
      dropped: 0,
    }

  test('that eight addresses with fresh accounts ask for to other numbers leave room for codes to own numbers, at registration, and to confirmed ones', async () => {
    shop.clock.advance(24 * 60 * MINUTE_MS)
    await shop.database.db.query('delete from sms_days')
    await shop.database.db.query('update operations_settings set sms_daily_cap = $1', [CAP])
    const agent = await makeUser(shop, { level: 'Agent' })
    await openShopOf(shop, agent._id)
    await confirmNumberOf(shop, agent)
    let stranger = 0
    const askFrom = async (address: string) => {
      const { token } = await makeUser(shop)
      const phoneNumber = `02799930${String(++stranger).padStart(2, '0')}`
      const headers = { authorization: `Bearer ${token}` }
      return shop.app.inject({
        method: 'POST',
        url: '/api/user/me/numbers/code',
        headers,
        payload: { phoneNumber },
        remoteAddress: address,
      })
    }
    // One after the other, since what is asked for at the same moment is dropped only as it is sent.
    for (let round = 0; round < 4; round++) {
      const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => askFrom(`203.0.113.${at + 1}`)))
      expect(replies.every(({ statusCode }) => statusCode === 200 || statusCode === 409)).toBe(true)
      await until(async () => (await waitingMessages()) === 0)
    }
    const attacked = await usedToday()
    expect(attacked.used).toBe(Math.ceil(CAP / 8))
    expect((await askFrom('203.0.113.1')).json()).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^We can’t send any more SMS today/),
    })

    // Their notices, too, leave some for whoever has a code sent to their own number.
    await shop.database.db.query('update sms_days set used = $1', [Math.ceil((CAP * 3) / 8)])
    const newcomer = await makeUser(shop)
    expect(await receive(newcomer)).toMatch(/^\d{6}$/)
    const register = { phoneNumber: (await makeUser(shop)).phone }
    expect(await call(shop, 'POST', '/user/register/code', { body: register })).toMatchObject({ status: 200 })
    await until(async () => sentTo(register.phoneNumber)[0])

    const { used } = await usedToday()
    const body = { phoneNumber: agent.phone }
    expect((await call(shop, 'POST', '/earnings/payout-numbers/code', { as: agent, body })).body).toMatchObject({ waitSeconds: 60 })
    await until(async () => sentTo(agent.phone)[0])
    expect((await usedToday()).used).toBe(used + 1)
    // Nor do codes to their own numbers, of which the first eighth of a day is sent.
    await shop.database.db.query('update sms_days set used = 0')
    const own = await Promise.all(Array.from({ length: CAP / 2 }, () => makeUser(shop)))
    for (const as of own) await call(shop, 'POST', '/user/me/numbers/code', { as, body: { phoneNumber: as.phone } })
    await until(async () => (await waitingMessages()) === 0)
    expect(own.filter(({ phone }) => sentTo(phone).length > 0).length + 1).toBe(Math.ceil(CAP / 8))
    const buyer = await makeUser(shop, { balance: 20 })
    expect((await checkout(shop, buyer, [await cartLine(shop)])).status).toBe(200)
    expect(await receive(buyer)).toMatch(/^\d{6}$/)
    const inbox = (await call<InboxReply>(shop, 'GET', '/admin/inbox', { as: await makeUser(shop, { level: 'Admin' }) })).body
    const dropped = inbox.groups.filter(({ kind }) => kind === 'messages-dropped').map(({ detail, count }) => [detail, count])
    expect(dropped).toEqual(attacked.dropped > 0 ? [['sms', attacked.dropped]] : [])
  })

  test('of accounts that never paid go to two other numbers a day each, and to six from one address', async () => {
    const shop = await openTestShop({ withSandbox: true, rateLimits: true })
    let other = 0
    const ask = async ({ token }: SignedInUser, phoneNumber = `02799931${String(++other).padStart(2, '0')}`) => {
      const headers = { authorization: `Bearer ${token}` }
      const request = { method: 'POST', url: '/api/user/me/numbers/code', headers, payload: { phoneNumber } } as const
      return (await shop.app.inject({ ...request, remoteAddress: '203.0.113.9' })).statusCode
    }
    const customers = [await makeUser(shop), await makeUser(shop), await makeUser(shop), await makeUser(shop)] as const
    // What is refused uses up nothing of the address.
    for (const one of customers.slice(0, 3)) expect([await ask(one), await ask(one), await ask(one)].slice(0, 2)).toEqual([200, 200])
    expect(await ask(customers[0])).toBe(429)
    expect(await ask(customers[3])).toBe(429)
    expect(await ask(customers[3], customers[3].phone)).toBe(200)
    expect(await ask(await makeUser(shop, { level: 'Agent' }))).toBe(200)
    await shop.close()
  })

  const waitingMessages = async () =>
    (await shop.database.db.query(`select from sms_messages where status in ('waiting', 'sending')`)).rowCount ?? 0

  test('give an unconfirmed number three codes for a new PIN a day, from whatever accounts, and its own account more', async () => {
    const shop = await openTestShop({ withSandbox: true, rateLimits: true })
    const customer = await makeUser(shop)
    await call(shop, 'POST', '/user/me/pin', { as: customer, body: { pin: '7391', password: PASSWORD, atCheckout: true } })
    await shop.database.db.query(
      `update users set created_at = $2::timestamptz - interval '3 days', login_changed_at = null where id = $1`,
      [customer._id, shop.clock.now],
    )
    const reset = async () => {
      shop.clock.advance(2 * MINUTE_MS)
      return (await call(shop, 'POST', '/user/me/pin/reset-code', { as: customer, body: { password: PASSWORD } })).status
    }
    expect([await reset(), await reset(), await reset(), await reset()]).toEqual([200, 200, 200, 429])
    await confirmNumberOf(shop, customer)
    expect(await reset()).toBe(200)
    await shop.close()
  })
})

test('an account’s eleventh change within a day is refused with the rule, and one that fails does not count', async () => {
  const shop = await openTestShop({ withSandbox: true, rateLimits: true })
  const customer = await makeUser(shop)
  const change = async (at: number, password = PASSWORD) => {
    // So that the share of calls is never used up.
    shop.clock.advance(11 * MINUTE_MS)
    const body = { password, phone: `02799940${String(at).padStart(2, '0')}` }
    const reply = await call<{ message: string }>(shop, 'PUT', '/user/me/contact', { as: customer, body })
    return [reply.status, reply.body.message]
  }
  expect((await change(50, 'a wrong password'))[0]).toBe(400)
  for (let at = 1; at <= 10; at++) expect((await change(at))[0]).toBe(200)
  expect(await change(11)).toEqual([
    429,
    expect.stringMatching(
      /^You can change your phone number, e-mail address, password and PIN 10 times a day in all\. Please try again in/,
    ),
  ])
  await shop.close()
})

test('an address gets twenty mails of a kind a day; the others are dropped, which the owner sees', async () => {
  const { ctx } = makeCtx(shop)
  const taken = await Promise.all(Array.from({ length: 22 }, () => takeMailTo(ctx, 'PIN changed', 'ama@example.com')))
  expect(taken.filter(Boolean)).toHaveLength(20)
  expect(await takeMailTo(ctx, 'account changed', 'ama@example.com')).toBe(true)
  const inbox = (await call<InboxReply>(shop, 'GET', '/admin/inbox', { as: await makeUser(shop, { level: 'Admin' }) })).body
  expect(inbox.groups.filter(({ key }) => key === 'messages-dropped:mail')).toMatchObject([{ count: 2 }])
})

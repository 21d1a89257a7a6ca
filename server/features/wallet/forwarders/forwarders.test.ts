import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSmsForwarder, asSmsGateway, asSmsToUrl, type Post, signatureOf } from '../../../../sandbox/phone/sign-message.ts'
import { SENDERS, WRITES } from '../../../../sandbox/phone/write-messages.ts'
import type { Claim } from '../../../../shared/claims.ts'
import type { ForwardedMessage, Forwarder, ForwarderApp, WalletNetwork } from '../../../../shared/forwarders.ts'
import type { InboxReply } from '../../../../shared/inbox.ts'
import type { Matches } from '../../../../shared/received-payments.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser, type Reply } from '../../../../test/builders.ts'
import { confirmNumberOf } from '../../../../test/confirmations.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { statementBody } from '../../../../test/statements.ts'
import { until } from '../../../../test/until.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { databaseBuckets, openRateLimiter, type RateLimiter } from '../../../platform/rate-limiter.ts'
import { claimPayment } from '../received-payments/claim-payment.ts'
import { creditCertain } from '../received-payments/credit-certain.ts'
import { notifyAboutSilence } from './notify-about-silence.ts'

let shop: TestShop
let owner: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin' })
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

let drawn = 70_000_000_000
const newId = () => String(++drawn)

type Phone = { forwarder: Forwarder; key: string }

async function addPhone({
  app = 'sms-gateway',
  network = 'MTN',
  balance = 1_000,
}: {
  app?: ForwarderApp
  network?: WalletNetwork
  balance?: number | null
} = {}) {
  const { status, body } = await call<Phone>(shop, 'POST', '/forwarder', { as: owner, body: { name: 'Till', app, networks: [network] } })
  expect(status).toBe(200)
  if (balance !== null) await confirm(body, balance, network)
  return body
}

async function confirm({ forwarder }: Phone, balance: number, network: WalletNetwork = 'MTN') {
  const body = { network, balance }
  const reply = await call<{ proven: number }>(shop, 'PUT', `/forwarder/${forwarder._id}/balance`, { as: owner, body })
  expect(reply.status).toBe(200)
  await credit()
  return reply.body.proven
}

/** What the loop does when a message wakes it. */
function credit() {
  const { db } = shop.database
  const { realtime } = shop.app
  return creditCertain({ db, realtime, now: shop.clock.now, actor: null, ip: null, jobs: undefined as never, log: shop.app.log as never })
}

async function post({ forwarder }: Phone, { body, headers }: Post): Promise<Reply<{ received: string; code: string }>> {
  const reply = await shop.app.inject({ method: 'POST', url: `/api/forwarder/${forwarder._id}/message`, headers, payload: body })
  await credit()
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
}

function forward(phone: Phone, text: string, { sender = 'MobileMoney', id }: { sender?: string; id?: string } = {}) {
  return post(phone, asSmsGateway({ sender, text, at: shop.clock.now, ...(id && { id }) }, phone.key, shop.clock.now))
}

const rules = (body: object) => call(shop, 'PUT', '/forwarder/rules', { as: owner, body })

async function ask(amount = 60): Promise<{ customer: SignedInUser; recharge: Recharge }> {
  const customer = await makeUser(shop)
  const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: customer, body: { amount } })
  return { customer, recharge: body.recharge }
}

const received = (amount: number, balance: number, reference: string, id = newId()) =>
  WRITES.MTN.received({ amount, balance, reference, id })

async function reasonsOf(id: string): Promise<string[] | null> {
  const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: owner })
  const match = [...body.certain, ...body.doubtful, ...body.unmatched].find(({ payment }) => payment.transactionId === id)
  return match ? match.reasons : null
}

async function read({ forwarder }: Phone): Promise<Forwarder> {
  const { body } = await call<{ forwarders: Forwarder[] }>(shop, 'GET', '/forwarder', { as: owner })
  return body.forwarders.find(({ _id }) => _id === forwarder._id) as Forwarder
}

const UNPROVEN = expect.stringContaining('doesn’t follow from the message before')

describe('a message', () => {
  test('credits the request in its reference once, however often the phone or the network repeats it', async () => {
    const phone = await addPhone()
    const { customer, recharge } = await ask()
    const text = received(6_000, 106_000, recharge.rechargeId)
    const replies = await Promise.all([
      forward(phone, text, { id: 'one' }),
      forward(phone, text, { id: 'one' }),
      forward(phone, text, { id: 'two' }),
    ])
    expect(replies.map(({ body }) => body.received).sort()).toEqual(['known', 'payment', 'repeated'])
    expect(await balanceOf(shop, customer._id)).toBe(6_000)
    const { wallets, messageAt } = await read(phone)
    expect(wallets).toMatchObject([{ network: 'MTN', balance: 1_060, waiting: 0 }])
    expect(messageAt).toBe(shop.clock.now.toISOString())
    const { body } = await call<{ rows: unknown }>(shop, 'GET', '/received-payment', { as: owner, query: { search: recharge.rechargeId } })
    expect(body).toMatchObject([{ receivedBy: 'Till', status: 'credited', credit: { username: customer.username, by: 'the shop itself' } }])
  })

  test('without a reference from a namesake who has paid with one is not credited by itself', async () => {
    const phone = await addPhone()
    const thief = await makeUser(shop, { username: 'kwaku asare' })
    const request = async (as: SignedInUser) =>
      (await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as, body: { amount: 60 } })).body.recharge
    const pay = (balance: number, id: string, reference: string) =>
      forward(phone, WRITES.MTN.received({ amount: 6_000, balance, id, reference, name: 'KWAKU ASARE' }))
    await pay(106_000, newId(), (await request(thief)).rechargeId)
    expect(await balanceOf(shop, thief._id)).toBe(6_000)
    await request(thief)
    const strangers = newId()
    await pay(112_000, strangers, 'thanks')
    expect(await balanceOf(shop, thief._id)).toBe(6_000)
    expect(await reasonsOf(strangers)).toContain(
      'Only the name and the amount agree. KWAKU ASARE has paid for kwaku asare before, but names are shared.',
    )
  })

  test('waits while one before it is missing, and is credited once that arrives', async () => {
    const phone = await addPhone()
    const [first, second, third] = [await ask(60), await ask(70), await ask(80)]
    await forward(phone, received(8_000, 121_000, third.recharge.rechargeId))
    const middle = newId()
    await forward(phone, received(7_000, 113_000, second.recharge.rechargeId, middle))
    expect(await reasonsOf(middle)).toEqual([UNPROVEN])
    expect((await read(phone)).wallets).toMatchObject([{ balance: 1_000, waiting: 2, newest: 1_130 }])
    expect(await balanceOf(shop, second.customer._id)).toBe(0)
    await forward(phone, received(6_000, 106_000, first.recharge.rechargeId))
    const balances = [first, second, third].map(({ customer }) => balanceOf(shop, customer._id))
    expect(await Promise.all(balances)).toEqual([6_000, 7_000, 8_000])
    expect((await read(phone)).wallets).toMatchObject([{ balance: 1_210, waiting: 0 }])
  })

  test('that is a fake credits nothing: a balance made up, an id seen elsewhere with another amount or reference, a person’s number', async () => {
    const phone = await addPhone()
    const [honest, thief] = [await ask(60), await ask(60)]
    const id = newId()
    // The copy arrives first, and the genuine one afterwards.
    await forward(phone, received(6_000, 987_654, thief.recharge.rechargeId, id))
    await forward(phone, received(60_000, 987_654, thief.recharge.rechargeId, id))
    expect(await reasonsOf(id)).toEqual([UNPROVEN])
    await forward(phone, received(6_000, 106_000, honest.recharge.rechargeId, id))
    expect((await forward(phone, received(6_000, 112_000, thief.recharge.rechargeId), { sender: '+233551234567' })).body.received).toBe(
      'ignored',
    )
    expect((await forward(phone, received(6_000, 112_000, thief.recharge.rechargeId), { sender: 'T-CASH' })).body.received).toBe('ignored')
    expect(await Promise.all([honest, thief].map(({ customer }) => balanceOf(shop, customer._id)))).toEqual([6_000, 0])
    const { rowCount } = await shop.database.db.query(`select from forwarded_messages where forwarder_id = $1`, [phone.forwarder._id])
    expect(rowCount).toBe(3)
  })

  test('that guessed the balance is found out by the next genuine one, and nothing more is credited', async () => {
    const phone = await addPhone()
    const [thief, honest] = [await ask(50), await ask(60)]
    const id = newId()
    await forward(phone, received(5_000, 105_000, thief.recharge.rechargeId, id))
    await forward(phone, received(6_000, 106_000, honest.recharge.rechargeId))
    const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: owner })
    expect(body.questioned.map(({ payment, reason }) => [payment.transactionId, reason.slice(0, 15)])).toEqual([[id, 'A later message']])
    expect(await balanceOf(shop, honest.customer._id)).toBe(0)
    // The owner looks at the phone: it holds what the genuine message says.
    expect(await confirm(phone, 1_060)).toBe(1)
    expect(await balanceOf(shop, honest.customer._id)).toBe(6_000)
    const path = `/received-payment/${body.questioned[0]?.payment._id}/take-back`
    expect((await call(shop, 'POST', path, { as: owner, body: { reason: 'A fake' } })).status).toBe(200)
    expect(await balanceOf(shop, thief.customer._id)).toBe(0)
  })

  test('that begins where a chain of fakes began stops them all: nothing is credited before the owner has confirmed the balance', async () => {
    const phone = await addPhone()
    const [first, second, third, honest] = [await ask(50), await ask(51), await ask(52), await ask(60)]
    const ids = [newId(), newId(), newId()]
    const fake = (at: number, { recharge }: typeof first, balance: number) =>
      forward(phone, received(recharge.amount * 100, balance, recharge.rechargeId, ids[at]))
    await fake(0, first, 105_000)
    await fake(1, second, 110_100)
    await forward(phone, received(6_000, 106_000, honest.recharge.rechargeId))
    await fake(2, third, 115_300)
    const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: owner })
    expect(body.questioned.map(({ payment }) => payment.transactionId).toSorted()).toEqual(ids.slice(0, 2))
    const balances = () => Promise.all([third, honest].map(({ customer }) => balanceOf(shop, customer._id)))
    expect([(await read(phone)).wallets[0]?.balance, await balances()]).toEqual([null, [0, 0]])
    expect(await confirm(phone, 1_060)).toBe(1)
    expect(await balances()).toEqual([0, 6_000])
  })

  test('that says the same of a payment in other words changes nothing, before its balance is proven or after', async () => {
    const phone = await addPhone()
    const [first, second] = [await ask(60), await ask(70)]
    const later = received(7_000, 113_000, second.recharge.rechargeId)
    await forward(phone, later)
    await forward(phone, `${later} Stay alert.`)
    const text = received(6_000, 106_000, first.recharge.rechargeId)
    await forward(phone, text)
    await forward(phone, `${text} Stay alert.`)
    expect(await Promise.all([first, second].map(({ customer }) => balanceOf(shop, customer._id)))).toEqual([6_000, 7_000])
    expect((await read(phone)).wallets).toMatchObject([{ balance: 1_130, waiting: 0 }])
    const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: owner })
    expect(body.questioned.filter(({ username }) => username === first.customer.username)).toEqual([])
  })

  test('of a payment that came with one balance after the other is for a person, though one of them is right', async () => {
    const phone = await addPhone()
    const { customer, recharge } = await ask()
    const id = newId()
    for (const balance of [900_000, 800_000, 700_000, 600_000, 500_000, 106_000]) {
      await forward(phone, received(6_000, balance, recharge.rechargeId, id))
    }
    expect(await balanceOf(shop, customer._id)).toBe(0)
    expect(await reasonsOf(id)).toContainEqual(expect.stringContaining('said something else'))
  })

  test('cannot give a payment that is proven and waits to somebody else, from its own phone or another', async () => {
    const [phone, weak] = [await addPhone(), await addPhone({ app: 'sms-to-url', balance: 9_000 })]
    const thief = await ask()
    const id = newId()
    await forward(phone, received(6_000, 106_000, 'thanks', id))
    const text = received(6_000, 906_000, thief.recharge.rechargeId, id)
    expect((await post(weak, asSmsToUrl({ sender: 'MobileMoney', text, at: shop.clock.now }, weak.key))).status).toBe(200)
    expect([await balanceOf(shop, thief.customer._id), await reasonsOf(id)]).toEqual([0, []])
    await forward(phone, received(6_000, 112_000, thief.recharge.rechargeId, id))
    expect(await balanceOf(shop, thief.customer._id)).toBe(0)
    expect(await reasonsOf(id)).toEqual([expect.stringContaining('said something else')])
  })

  test('is credited however many payments wait that nobody deals with', async () => {
    const phone = await addPhone()
    const { customer, recharge } = await ask()
    await shop.database.db.query(
      `insert into received_payments (network, transaction_id, amount_pesewas, doubts, raw, source, received_by, received_at)
       select 'MTN', (40000000000 + n)::text, 100, '{}', 'x', 'message', $1, $2 from generate_series(1, 600) n`,
      [owner._id, shop.clock.now],
    )
    await forward(phone, received(6_000, 106_000, recharge.rechargeId))
    expect(await balanceOf(shop, customer._id)).toBe(6_000)
    await shop.database.db.query(`update received_payments set status = 'dismissed' where raw = 'x'`)
  })

  test('of money that went out moves the balance on; one without a balance waits for a person', async () => {
    const phone = await addPhone()
    const { customer, recharge } = await ask()
    expect((await forward(phone, WRITES.MTN.withdrawn({ amount: 40_000, balance: 60_000, id: newId() }))).body.received).toBe('not-counted')
    await forward(phone, received(6_000, 66_000, recharge.rechargeId))
    expect(await balanceOf(shop, customer._id)).toBe(6_000)
    const short = await ask()
    const id = newId()
    await forward(
      phone,
      `Payment received for GHS 60.00 from AMA SAMPLE BOAH. Reference: ${short.recharge.rechargeId}. Transaction ID: ${id}.`,
    )
    expect(await reasonsOf(id)).toEqual([UNPROVEN])
    const { body } = await call<ForwardedMessage[]>(shop, 'GET', `/forwarder/${phone.forwarder._id}/messages`, { as: owner })
    expect(body.map(({ outcome, amount, transactionId }) => [outcome, amount, transactionId?.length])).toEqual([
      ['payment', 60, 5],
      ['payment', 60, 5],
      ['not-counted', 400, 5],
    ])
  })

  test('credits nothing before the owner has confirmed a balance, and then what leads to it and what follows', async () => {
    const phone = await addPhone({ balance: null })
    const [first, second] = [await ask(60), await ask(70)]
    await forward(phone, received(6_000, 506_000, first.recharge.rechargeId))
    await forward(phone, received(7_000, 513_000, second.recharge.rechargeId))
    expect(await balanceOf(shop, first.customer._id)).toBe(0)
    expect(await confirm(phone, 5_060)).toBe(2)
    expect(await Promise.all([first, second].map(({ customer }) => balanceOf(shop, customer._id)))).toEqual([6_000, 7_000])
  })

  test('is noted for a request that was approved by hand, which is not credited twice', async () => {
    const phone = await addPhone()
    const { customer, recharge } = await ask()
    await call(shop, 'PUT', `/recharge/${recharge._id}/approve`, { as: owner })
    const id = newId()
    await forward(phone, received(6_000, 106_000, recharge.rechargeId, id))
    expect(await reasonsOf(id)).toBe(null)
    expect(await balanceOf(shop, customer._id)).toBe(6_000)
  })

  test('waits above the owner’s limits: for one payment, for a day, and for an app that cannot sign', async () => {
    const phone = await addPhone()
    expect((await rules({ most: 65, daily: 1_000_000, unsigned: 55 })).status).toBe(200)
    const [small, large] = [await ask(60), await ask(70)]
    await forward(phone, received(7_000, 107_000, large.recharge.rechargeId))
    await forward(phone, received(6_000, 113_000, small.recharge.rechargeId))
    expect(await Promise.all([small, large].map(({ customer }) => balanceOf(shop, customer._id)))).toEqual([6_000, 0])

    const weak = await addPhone({ app: 'sms-to-url' })
    const unsigned = [await ask(60), await ask(55)] as const
    for (const [index, { recharge }] of unsigned.entries()) {
      const amount = recharge.amount * 100
      const text = received(amount, index === 0 ? 106_000 : 111_500, recharge.rechargeId)
      await post(weak, asSmsToUrl({ sender: 'MobileMoney', text, at: shop.clock.now }, weak.key))
    }
    expect(await Promise.all(unsigned.map(({ customer }) => balanceOf(shop, customer._id)))).toEqual([0, 5_500])

    await rules({ daily: 0 })
    const more = await ask(60)
    await forward(phone, received(6_000, 119_000, more.recharge.rechargeId))
    expect(await balanceOf(shop, more.customer._id)).toBe(0)
    await rules({ most: 500, daily: 5_000, unsigned: 200 })
    await credit()
    expect(await balanceOf(shop, more.customer._id)).toBe(6_000)
  })

  test('counts itself for the day’s limit, which may be reached but not passed, and a new day begins at midnight', async () => {
    const dayMs = 24 * 3_600_000
    const midnight = (Math.floor(shop.clock.now.getTime() / dayMs) + 2) * dayMs
    shop.clock.advance(midnight - 60_000 - shop.clock.now.getTime())
    owner = await makeUser(shop, { level: 'Admin' })
    const phone = await addPhone()
    await rules({ daily: 115 })
    const all = [await ask(60), await ask(56), await ask(55)]
    let balance = 100_000
    for (const { recharge } of all) {
      balance += recharge.amount * 100
      await forward(phone, received(recharge.amount * 100, balance, recharge.rechargeId))
    }
    const balances = () => Promise.all(all.map(({ customer }) => balanceOf(shop, customer._id)))
    expect(await balances()).toEqual([6_000, 0, 5_500])
    shop.clock.advance(60_000)
    await credit()
    expect(await balances()).toEqual([6_000, 5_600, 5_500])
    await rules({ daily: 5_000 })
  })
})

describe('what a person reads in beside a phone', () => {
  let phone: Phone
  let unproven: Phone
  beforeAll(async () => {
    phone = await addPhone()
    unproven = await addPhone({ balance: null })
  })
  const paste = (text: string, as = owner) => call(shop, 'POST', '/received-payment/messages', { as, body: { text } })
  const upload = (cells: { transactionId: string; amount: string; reference: string }) => {
    return call(shop, 'POST', '/received-payment/statement', { as: owner, body: statementBody([cells]) })
  }
  const rowOf = async (id: string) => {
    const { rows } = await shop.database.db.query<{ amount: number; reference: string; source: string; doubts: string[] }>(
      'select amount_pesewas as amount, reference, source, doubts from received_payments where transaction_id = $1',
      [id],
    )
    return rows[0]!
  }

  test('changes nothing that the phone has brought, is shown as a doubt, which a statement does not end, and credits nothing', async () => {
    const { customer: friend, recharge } = await ask(400)
    const id = newId()
    await forward(phone, received(500, 100_500, 'x', id))
    await paste(received(40_000, 100_500, recharge.rechargeId, id))
    const kept = { amount: 500, reference: 'x', source: 'phone', doubts: ['changed'] }
    expect(await rowOf(id)).toEqual(kept)
    expect(await reasonsOf(id)).toContainEqual(expect.stringContaining('Another message with the same transaction ID said something else'))
    for (const amount of ['5.00', '400.00']) {
      expect((await upload({ transactionId: id, amount, reference: recharge.rechargeId })).status).toBe(200)
      await credit()
      expect(await rowOf(id)).toEqual(kept)
    }
    expect(await balanceOf(shop, friend._id)).toBe(0)
  })

  test('gives way to the phone, which brings the payment later with another amount', async () => {
    const { recharge } = await ask(400)
    const id = newId()
    await paste(received(40_000, 140_000, recharge.rechargeId, id))
    await upload({ transactionId: id, amount: '400.00', reference: recharge.rechargeId })
    await forward(unproven, received(500, 100_500, 'x', id))
    expect(await rowOf(id)).toMatchObject({ amount: 500, reference: 'x', source: 'phone' })
    expect((await rowOf(id)).doubts.sort()).toEqual(['changed', 'unproven'])
  })

  test('and was credited before the phone brought it with another amount, is told to the owner, who takes it back', async () => {
    const { customer, recharge } = await ask(400)
    const id = newId()
    await paste(received(40_000, 140_000, recharge.rechargeId, id))
    const { rows } = await shop.database.db.query<{ id: string }>('select id from received_payments where transaction_id = $1', [id])
    const path = `/received-payment/${rows[0]!.id}`
    expect((await call(shop, 'POST', `${path}/credit`, { as: owner, body: { amount: 400, rechargeId: recharge._id } })).status).toBe(200)
    await forward(unproven, received(500, 100_500, 'x', id))
    const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: owner })
    const questioned = body.questioned.find(({ payment }) => payment.transactionId === id)
    expect(questioned).toMatchObject({
      username: customer.username,
      reason: expect.stringContaining('with another amount, payer or reference'),
    })
    expect((await call(shop, 'POST', `${path}/take-back`, { as: owner, body: { reason: 'It was ¢5' } })).status).toBe(200)
    expect(await balanceOf(shop, customer._id)).toBe(0)
  })

  test.each(['message', 'statement'])('is credited by a person alone, although a phone is noted with it: a %s', async (source) => {
    const { customer, recharge } = await ask(60)
    const id = newId()
    await forward(phone, received(6_000, 987_000, recharge.rechargeId, id))
    await shop.database.db.query(`update received_payments set source = $2, doubts = '{}' where transaction_id = $1`, [id, source])
    await credit()
    expect(await balanceOf(shop, customer._id)).toBe(0)
  })
})

test('a sender that only looks like the network’s is not read', async () => {
  const phone = await addPhone()
  const { customer, recharge } = await ask()
  for (const sender of ['M0bileMoney', 'M\u043ebileMoney', 'Mobile\u200bMoney', 'MobileMoney Gh', 'MobileMoney,0551234567']) {
    expect([sender, (await forward(phone, received(6_000, 106_000, recharge.rechargeId), { sender })).body.received]).toEqual([
      sender,
      'ignored',
    ])
  }
  expect([await balanceOf(shop, customer._id), (await read(phone)).messageAt]).toEqual([0, null])
})

describe('a claim by the transaction id', () => {
  // A shop has only so many phones.
  beforeEach(async () => {
    await shop.database.db.query('update forwarders set ended_at = now() where ended_at is null')
  })
  const claim = (as: SignedInUser, transactionId: string) =>
    call<{ claim: Claim; issues: { path: string }[] }>(shop, 'POST', '/claim', { as, body: { transactionId } })
  const stateOf = async (as: SignedInUser) => (await call<Claim[]>(shop, 'GET', '/claim', { as })).body[0]
  const telecel = (number: string, balance: number, id: string) =>
    WRITES.Telecel.received({ amount: 6_000, balance, id, number, reference: 'data', at: shop.clock.now })

  test('waits for the payment, and is credited when the network names the customer’s own number, once', async () => {
    const phone = await addPhone({ network: 'Telecel' })
    const [owns, other] = [await makeUser(shop), await makeUser(shop)]
    await confirmNumberOf(shop, owns)
    const id = newId()
    expect((await claim(owns, `0000 0${id}.`)).body.claim).toMatchObject({ transactionId: id, state: 'checking', amount: null })
    await forward(phone, telecel(`233${owns.phone.slice(1)}`, 106_000, id), { sender: 'T-CASH' })
    expect(await balanceOf(shop, owns._id)).toBe(6_000)
    expect(await stateOf(owns)).toMatchObject({ state: 'credited', amount: 60 })
    expect((await claim(owns, id)).body.claim.state).toBe('credited')
    expect((await claim(other, id)).body.claim).toMatchObject({ state: 'taken', amount: null })
    await credit()
    expect(await balanceOf(shop, owns._id)).toBe(6_000)
  })

  test('approves the claimant’s own oldest request for the amount with it, and nobody else’s', async () => {
    const phone = await addPhone({ network: 'Telecel' })
    const strangers = await ask()
    const owns = await makeUser(shop)
    await confirmNumberOf(shop, owns)
    const request = (amount: number) => call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: owns, body: { amount } })
    const [other, oldest, newest] = [await request(59), await request(60), await request(60)]
    const id = newId()
    await claim(owns, id)
    await forward(phone, telecel(`233${owns.phone.slice(1)}`, 106_000, id), { sender: 'T-CASH' })
    expect(await balanceOf(shop, owns._id)).toBe(6_000)
    const pending = async (as: SignedInUser) =>
      (await call<Recharge[]>(shop, 'GET', '/recharge', { as })).body.filter(({ status }) => status === 'pending').map(({ _id }) => _id)
    expect((await pending(owns)).toSorted()).toEqual([other, newest].map(({ body }) => body.recharge._id).toSorted())
    expect((await pending(strangers.customer)).length).toBe(1)
    expect(oldest.body.recharge.status).toBe('pending')
  })

  test('of somebody else’s message waits for a person, as does one that two customers make', async () => {
    const phone = await addPhone({ network: 'Telecel' })
    const [thief, owns] = [await makeUser(shop), await makeUser(shop)]
    for (const one of [thief, owns]) await confirmNumberOf(shop, one)
    const [seen, both] = [newId(), newId()]
    await forward(phone, telecel('233209876543', 106_000, seen), { sender: 'T-CASH' })
    await claim(thief, seen)
    await forward(phone, telecel(`233${owns.phone.slice(1)}`, 112_000, both), { sender: 'T-CASH' })
    for (const as of [thief, owns]) await claim(as, both)
    await credit()
    expect(await Promise.all([thief, owns].map(({ _id }) => balanceOf(shop, _id)))).toEqual([0, 0])
    expect((await stateOf(thief))?.state).toBe('checking')
    const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: owner })
    const match = [...body.doubtful, ...body.unmatched].find(({ payment }) => payment.transactionId === both)
    expect(match?.claims.map(({ user }) => user._id)).toEqual([thief._id, owns._id])
    const path = `/received-payment/${match?.payment._id}/credit`
    expect((await call(shop, 'POST', path, { as: owner, body: { amount: 60, userId: owns._id } })).status).toBe(200)
    expect(await stateOf(owns)).toMatchObject({ state: 'credited' })
    expect(await stateOf(thief)).toMatchObject({ state: 'taken' })
  })

  test('is no proof by a number that the claimant has not confirmed, nor by one with another name', async () => {
    const phone = await addPhone({ network: 'Telecel' })
    const [late, other] = [newId(), newId()]
    const namesake = await makeUser(shop, { username: 'abena fosua' })
    await confirmNumberOf(shop, namesake)
    await forward(phone, telecel('233209876000', 106_000, late), { sender: 'T-CASH' })
    await forward(phone, telecel(`233${namesake.phone.slice(1)}`, 112_000, other), { sender: 'T-CASH' })
    const thief = await makeUser(shop, { phone: '0209876000' })
    await claim(thief, late)
    await claim(namesake, other)
    // An open request does no better than the claim.
    expect((await call(shop, 'POST', '/recharge', { as: thief, body: { amount: 60 } })).status).toBe(200)
    await credit()
    expect(await Promise.all([thief, namesake].map(({ _id }) => balanceOf(shop, _id)))).toEqual([0, 0])
  })

  test('of a number that the payer typed waits, or counts up to the owner’s amount if it is the claimant’s', async () => {
    const phone = await addPhone()
    const [owns, stranger, typed, alone] = [await makeUser(shop), await makeUser(shop), await makeUser(shop), await makeUser(shop)]
    for (const one of [owns, stranger, typed, alone]) await confirmNumberOf(shop, one)
    const pay = async (as: SignedInUser, balance: number, reference: string) => {
      const id = newId()
      await forward(phone, WRITES.MTN.received({ amount: 6_000, balance, id, reference, name: 'YAA UNKNOWN PAYER' }))
      await claim(as, id)
    }
    await rules({ claim: 60 })
    await pay(owns, 106_000, `for ${owns.phone}`)
    await pay(stranger, 112_000, 'for 0209876543')
    await credit()
    await rules({ claim: 0 })
    await pay(typed, 118_000, `YAA ,233209876543,${typed.phone} from VODAFONE`)
    await pay(alone, 124_000, `for ${alone.phone}`)
    await credit()
    expect(await Promise.all([owns, stranger, typed, alone].map(({ _id }) => balanceOf(shop, _id)))).toEqual([6_000, 0, 0, 0])
  })

  test('does not approve the request that a person has said the payment is not for', async () => {
    const phone = await addPhone({ network: 'Telecel' })
    const { customer, recharge } = await ask()
    await confirmNumberOf(shop, customer)
    const id = newId()
    await rules({ most: 0 })
    await forward(phone, telecel(`233${customer.phone.slice(1)}`, 106_000, id), { sender: 'T-CASH' })
    const { rows } = await shop.database.db.query<{ id: string }>('select id from received_payments where transaction_id = $1', [id])
    const body = { how: 'not-this-request', rechargeId: recharge._id }
    expect((await call(shop, 'PUT', `/received-payment/${rows[0]?.id}/set-aside`, { as: owner, body })).status).toBe(200)
    await rules({ most: 500 })
    await claim(customer, id)
    await credit()
    const requests = (await call<Recharge[]>(shop, 'GET', '/recharge', { as: customer })).body
    expect([await balanceOf(shop, customer._id), requests.map(({ status }) => status)]).toEqual([6_000, ['pending']])
  })

  test('of a banned customer is left to a person, and so is their request', async () => {
    const phone = await addPhone({ network: 'Telecel' })
    const [{ customer, recharge }, claimant] = [await ask(), await makeUser(shop)]
    for (const one of [customer, claimant]) await confirmNumberOf(shop, one)
    const id = newId()
    await claim(claimant, id)
    await shop.database.db.query(`update users set status = 'Banned' where id = any ($1)`, [[customer._id, claimant._id]])
    const asked = { amount: 6_000, balance: 106_000, id: newId(), reference: recharge.rechargeId, at: shop.clock.now }
    await forward(phone, WRITES.Telecel.received(asked), { sender: 'T-CASH' })
    await forward(phone, telecel(`233${claimant.phone.slice(1)}`, 112_000, id), { sender: 'T-CASH' })
    expect(await Promise.all([customer, claimant].map(({ _id }) => balanceOf(shop, _id)))).toEqual([0, 0])
    expect([await reasonsOf(asked.id), await reasonsOf(id)]).toEqual([[], []])
  })

  test('by a payer’s name says nothing once that name has paid for two customers', async () => {
    const phone = await addPhone()
    const pay = (balance: number, id: string, reference: string) =>
      forward(phone, WRITES.MTN.received({ amount: 6_000, balance, id, reference, name: 'KOFI COMMON NAME' }))
    const [one, two] = [await ask(), await ask()]
    await pay(106_000, newId(), one.recharge.rechargeId)
    await pay(112_000, newId(), two.recharge.rechargeId)
    const id = newId()
    await pay(118_000, id, 'thanks')
    await claim(one.customer, id)
    await credit()
    expect(await balanceOf(shop, one.customer._id)).toBe(6_000)
  })

  test('of a payment without a number counts up to the owner’s amount, and not for a payer who is known', async () => {
    const phone = await addPhone()
    const { customer, recharge } = await ask()
    const pay = (balance: number, id: string, reference: string) =>
      forward(phone, WRITES.MTN.received({ amount: 6_000, balance, id, reference, name: 'EFUA KNOWN PAYER' }))
    await pay(106_000, newId(), recharge.rechargeId)
    const [again, strange] = [newId(), newId()]
    await pay(112_000, again, 'thanks')
    await pay(118_000, strange, 'thanks')
    await claim(customer, again)
    const stranger = await makeUser(shop)
    await claim(stranger, strange)
    await credit()
    expect(await Promise.all([customer, stranger].map(({ _id }) => balanceOf(shop, _id)))).toEqual([6_000, 0])
    await call(shop, 'PUT', '/forwarder/rules', { as: owner, body: { claim: 60 } })
    await credit()
    expect(await Promise.all([customer, stranger].map(({ _id }) => balanceOf(shop, _id)))).toEqual([12_000, 6_000])
    await call(shop, 'PUT', '/forwarder/rules', { as: owner, body: { claim: 0 } })
  })

  test.each([
    ['spaces between', (id: string) => ` ${id.slice(0, 3)} ${id.slice(3)} `],
    ['the letter O for 0', (id: string) => id.replaceAll('0', 'o')],
    ['a dot at the end and zeros before', (id: string) => `00000${id}.`],
    ['hyphens and commas', (id: string) => `${id.slice(0, 4)}-${id.slice(4, 8)},${id.slice(8)}`],
  ])('may be typed with %s', async (_, write) => {
    const phone = await addPhone({ network: 'Telecel' })
    const [owns, id] = [await makeUser(shop), newId()]
    await confirmNumberOf(shop, owns)
    expect((await claim(owns, write(id))).body.claim.transactionId).toBe(id)
    await forward(phone, telecel(`233${owns.phone.slice(1)}`, 106_000, id), { sender: 'T-CASH' })
    expect(await balanceOf(shop, owns._id)).toBe(6_000)
  })

  test('with letters is taken once the owner has written down how AirtelTigo’s messages read, and not before', async () => {
    const customer = await makeUser(shop)
    const [refused, wrong] = [await claim(customer, 'pp211110.1234.a12345'), await claim(customer, 'ABCDEFGHIJ')]
    expect([refused.status, wrong.status, refused.body.issues[0]?.path]).toEqual([400, 400, 'transactionId'])
    const form = {
      network: 'AirtelTigo',
      name: 'received',
      kind: 'credit',
      words: 'You have received GHS {amount} from {payer}. Trans. ID: {id}',
      senders: [],
      samples: ['You have received GHS 20.00 from AMA MENSAH. Trans. ID: PP211110.1234.A12345'],
      on: true,
      version: 0,
    }
    const { status, body } = await call(shop, 'PUT', '/message-format', { as: owner, body: form })
    expect([status, JSON.stringify(body).slice(0, 200)]).toEqual([200, expect.any(String)])
    expect((await claim(customer, 'pp211110.1234.a12345.')).body.claim).toMatchObject({
      transactionId: 'PP211110.1234.A12345',
      state: 'checking',
    })
    expect((await call(shop, 'PUT', '/message-format', { as: owner, body: { ...form, on: false, version: 1 } })).status).toBe(200)
    expect((await claim(customer, 'PP211110.1234.B12345')).status).toBe(400)
  })

  test('of two customers at the same moment, while the shop credits over two connections, never credits twice', async () => {
    await call(shop, 'PUT', '/forwarder/rules', { as: owner, body: { claim: 60 } })
    const phone = await addPhone()
    for (let round = 0; round < 5; round++) {
      const both = [await makeUser(shop), await makeUser(shop)]
      const id = newId()
      const text = WRITES.MTN.received({ amount: 6_000, balance: 7_000 + round * 6_000, id, reference: 'thanks' })
      await forward(phone, text)
      const replies = await Promise.all([...both.flatMap((as) => [claim(as, id), claim(as, id)]), credit(), credit()])
      expect(replies.slice(0, 4).map((reply) => (reply as { status: number }).status)).toEqual([200, 200, 200, 200])
      await Promise.all([credit(), credit()])
      const balances = await Promise.all(both.map(({ _id }) => balanceOf(shop, _id)))
      expect([0, 6_000]).toContain(balances.reduce((sum, balance) => sum + balance, 0))
      const { rows } = await shop.database.db.query('select count(*)::integer as claims from payment_claims where transaction_id = $1', [
        id,
      ])
      expect(rows[0].claims).toBe(2)
    }
    await call(shop, 'PUT', '/forwarder/rules', { as: owner, body: { claim: 0 } })
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('that a second customer makes in the moment before it is credited holds it back', async () => {
    const phone = await addPhone({ network: 'Telecel' })
    const [owns, thief] = [await makeUser(shop), await makeUser(shop)]
    const id = newId()
    await forward(phone, telecel(`233${owns.phone.slice(1)}`, 106_000, id), { sender: 'T-CASH' })
    const holder = await shop.database.db.connect()
    try {
      await holder.query('begin')
      await holder.query('select from received_payments where transaction_id = $1 for update', [id])
      await claim(owns, id)
      const crediting = credit()
      await until(() => isWaitedFor(holder))
      await claim(thief, id)
      await holder.query('rollback')
      await crediting
    } finally {
      holder.release()
    }
    await credit()
    expect(await Promise.all([owns, thief].map(({ _id }) => balanceOf(shop, _id)))).toEqual([0, 0])
  })

  test('is guessed five times at once, counted over two processes', async () => {
    const { _id, username } = await makeUser(shop)
    const { ctx } = makeCtx(shop, { id: _id, username })
    const processes = [1, 2].map(() => openRateLimiter(databaseBuckets(shop.database.db), () => shop.clock.now))
    const guesses = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => claimPayment({ ...ctx, ip: '203.0.113.9' }, processes[at % 2] as RateLimiter, newId())),
    )
    const refused = guesses.flatMap((guess) => (guess.status === 'rejected' ? [String(guess.reason)] : []))
    expect(refused.filter((reason) => reason.includes('Too many attempts'))).toHaveLength(7)
  })

  test('ends after seven days, and one customer has at most ten open; what is no id is refused', async () => {
    const [customer, late] = [await makeUser(shop), await makeUser(shop)]
    for (const one of [customer, late]) await confirmNumberOf(shop, one)
    for (const wrong of ['1234567', 'abc', '']) {
      expect(await claim(customer, wrong)).toMatchObject({ status: 400, body: { issues: [{ path: 'transactionId' }] } })
    }
    for (let count = 0; count < 10; count++) expect((await claim(customer, newId())).status).toBe(200)
    expect((await claim(customer, newId())).status).toBe(409)
    // One for which the payment has come is open no more.
    const { body: claims } = await call<Claim[]>(shop, 'GET', '/claim', { as: customer })
    const came = claims[4]?.transactionId ?? ''
    await forward(await addPhone({ network: 'Telecel' }), telecel(`233${customer.phone.slice(1)}`, 106_000, came), { sender: 'T-CASH' })
    expect((await claim(customer, newId())).status).toBe(200)
    expect((await claim(customer, newId())).status).toBe(409)
    const id = newId()
    await claim(late, id)
    await shop.database.db.query(`update payment_claims set expires_at = $2 where user_id = $1`, [late._id, shop.clock.now])
    expect((await stateOf(late))?.state).toBe('expired')
    const phone = await addPhone({ network: 'Telecel' })
    await forward(phone, telecel(`233${late.phone.slice(1)}`, 106_000, id), { sender: 'T-CASH' })
    expect(await balanceOf(shop, late._id)).toBe(0)
  })
})

describe('a phone', () => {
  test.each([
    ['sms-to-url', asSmsToUrl],
    ['sms-forwarder', asSmsForwarder],
  ] as const)('with %s proves itself by the key in a header', async (app, write) => {
    const phone = await addPhone({ app, network: 'Telecel' })
    const { customer, recharge } = await ask()
    const at = shop.clock.now
    const text = WRITES.Telecel.received({ amount: 6_000, balance: 106_000, id: newId(), reference: recharge.rechargeId, at })
    const sms = { sender: SENDERS.Telecel, text, at }
    expect(await post(phone, write(sms, 'not the key'))).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    expect(await balanceOf(shop, customer._id)).toBe(0)
    expect(await post(phone, write(sms, phone.key))).toMatchObject({ status: 200, body: { received: 'payment' } })
    expect(await balanceOf(shop, customer._id)).toBe(6_000)
  })

  test('that signs is refused with a wrong signature, a changed body, or a clock that is far off, which the owner is told', async () => {
    const phone = await addPhone()
    const sms = { sender: 'MobileMoney', text: received(6_000, 106_000, '1'), at: shop.clock.now }
    const right = asSmsGateway(sms, phone.key, shop.clock.now)
    const changed = { ...right, body: right.body.replace('60.00', '90.00') }
    const other = asSmsGateway(sms, 'another key', shop.clock.now)
    const unsigned = asSmsToUrl(sms, phone.key)
    for (const wrong of [changed, other, unsigned]) expect(await post(phone, wrong)).toMatchObject({ status: 401 })
    expect((await read(phone)).seenAt).toBe(null)
    const late = asSmsGateway(sms, phone.key, new Date(shop.clock.now.getTime() - 6 * 60_000))
    expect(await post(phone, late)).toMatchObject({ status: 401 })
    expect(await read(phone)).toMatchObject({ problem: 'The phone’s clock is 6 minutes behind. Set it to network time.' })
    expect((await read(phone)).seenAt).toBe(null)
    expect(await post(phone, right)).toMatchObject({ status: 200 })
    expect((await read(phone)).problem).toBe(null)
  })

  test('says that it is there, and how full its battery is; what it sends that nobody can read is refused and shown', async () => {
    const phone = await addPhone()
    const signed = (body: string) =>
      post(phone, { body, headers: { 'content-type': 'application/json', ...signatureOf(body, phone.key, shop.clock.now) } })
    const ping = { event: 'system:ping', id: 'p', payload: { health: { checks: { 'battery:level': { observedValue: 61 } } } } }
    expect(await signed(JSON.stringify(ping))).toMatchObject({ body: { received: 'heartbeat' } })
    expect(await read(phone)).toMatchObject({ seenAt: shop.clock.now.toISOString(), battery: 61, messageAt: null })
    for (const [body, path] of [
      ['no json', ''],
      ['[]', ''],
      ['{"sender":"MobileMoney"}', 'text'],
      ['{"text":"x"}', 'sender'],
    ] as const) {
      expect(await signed(body)).toMatchObject({ status: 400, body: { issues: [{ path }] } })
    }
    expect((await read(phone)).problem).toContain('can’t read')
    expect(await signed(' '.repeat(17 * 1024))).toMatchObject({ status: 413 })
  })

  test('that falls silent in work hours is told of once, by SMS and in the inbox, until it is heard again', async () => {
    await shop.database.db.query('update forwarders set ended_at = now()')
    const phone = await addPhone()
    const said: string[] = []
    const enqueue = async () => {}
    const sms = { sender: {} as never, shopName: 'Dwadi', shopPhone: '0240000000' } as unknown as SmsGateway
    const ctx = {
      db: shop.database.db,
      realtime: shop.app.realtime,
      actor: null,
      ip: null,
      jobs: { enqueue, wake: () => {} } as never,
      log: { error: ({ alarm }: { alarm: string }) => said.push(alarm) } as never,
    }
    const hours = { days: [0, 1, 2, 3, 4, 5, 6], opens: 480, closes: 1_200, closesAt: '8pm' }
    const look = (now: Date) => notifyAboutSilence({ ...ctx, now }, { sms, hours })
    const day = new Date(`${shop.clock.now.toISOString().slice(0, 10)}T00:00:00Z`).getTime() + 86_400_000
    const at = (hour: number) => new Date(day + hour * 3_600_000)
    await look(at(12))
    expect(said).toEqual([])
    await shop.database.db.query('update forwarders set seen_at = $1', [at(7)])
    for (const hour of [7.5, 9.9, 21]) await look(at(hour))
    expect(said).toEqual([])
    await Promise.all([look(at(10.1)), look(at(10.1))])
    expect(said).toEqual(['phone-silent'])
    const { rows } = await shop.database.db.query<{ body: string }>(`select body from sms_messages where kind = 'alarm'`)
    expect(rows).toEqual([{ body: 'Dwadi: the phone Till sends no messages any more. Is it on, and online?' }])
    const groups = async () =>
      (await call<InboxReply>(shop, 'GET', '/admin/inbox', { as: owner })).body.groups.filter(({ kind }) => kind === 'phone')
    expect(await groups()).toMatchObject([{ who: 'Till', detail: 'silent' }])
    await forward(phone, received(6_000, 106_000, 'x'))
    expect(await groups()).toEqual([])
    await forward(phone, received(6_000, 186_000, 'x'))
    shop.clock.advance(11 * 60_000)
    owner = await makeUser(shop, { level: 'Admin' })
    expect(await groups()).toMatchObject([{ who: 'Till', detail: 'gap' }])
  })

  test('has its key shown once; after a rotation both work for an hour, and none once it is removed', async () => {
    const phone = await addPhone()
    const path = `/forwarder/${phone.forwarder._id}`
    const rotated = await call<Phone>(shop, 'POST', `${path}/rotate`, { as: owner })
    expect(rotated.body.key).not.toBe(phone.key)
    const list = await call(shop, 'GET', '/forwarder', { as: owner })
    expect(JSON.stringify(list.body)).not.toContain(rotated.body.key)
    const { rows } = await shop.database.db.query<{ key: Buffer }>('select key from forwarders where id = $1', [phone.forwarder._id])
    expect(rows[0]?.key.toString('latin1')).not.toContain(rotated.body.key)
    const old = () => forward(phone, received(6_000, 106_000, 'x'))
    expect((await old()).status).toBe(200)
    shop.clock.advance(3_600_001)
    owner = await makeUser(shop, { level: 'Admin' })
    expect((await old()).status).toBe(401)
    const renewed = { ...phone, key: rotated.body.key }
    expect((await forward(renewed, received(6_000, 112_000, 'x'))).status).toBe(200)
    expect((await call(shop, 'DELETE', path, { as: owner })).status).toBe(200)
    expect((await forward(renewed, received(6_000, 118_000, 'x'))).status).toBe(401)
    expect((await call(shop, 'DELETE', path, { as: owner })).status).toBe(404)
  })

  test('is added, and its balance confirmed, by the owner alone, with the password', async () => {
    const phone = await addPhone()
    const finance = await makeUser(shop, { roles: ['finance'] })
    const body = { name: 'Till', app: 'other', networks: ['MTN'] }
    const balance = { network: 'MTN', balance: 9 }
    expect((await call(shop, 'GET', '/forwarder', { as: finance })).status).toBe(200)
    expect((await call(shop, 'POST', '/forwarder', { as: finance, body })).status).toBe(403)
    expect((await call(shop, 'PUT', `/forwarder/${phone.forwarder._id}/balance`, { as: finance, body: balance })).status).toBe(403)
    shop.clock.advance(5 * 60_001)
    for (const [method, path, sent] of [
      ['POST', '/forwarder', body],
      ['POST', `/forwarder/${phone.forwarder._id}/rotate`, undefined],
      ['PUT', `/forwarder/${phone.forwarder._id}/balance`, balance],
      ['PUT', '/forwarder/rules', { most: 9 }],
    ] as const) {
      expect(await call(shop, method, path, { as: owner, body: sent })).toMatchObject({ status: 403, body: { code: 'PASSWORD_NEEDED' } })
    }
    owner = await makeUser(shop, { level: 'Admin' })
    expect(
      (await call(shop, 'PUT', `/forwarder/${phone.forwarder._id}/balance`, { as: owner, body: { ...balance, network: 'Telecel' } }))
        .status,
    ).toBe(404)
    for (const wrong of [
      { ...body, networks: [] },
      { ...body, app: 'x' },
      { ...body, name: ' ' },
      { ...body, phone: '12' },
    ]) {
      expect((await call(shop, 'POST', '/forwarder', { as: owner, body: wrong })).status).toBe(400)
    }
  })
})

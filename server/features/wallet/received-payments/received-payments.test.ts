import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { ListedPayment, Match, Matches, ReadReply } from '../../../../shared/received-payments.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { StatementLine } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { confirmNumberOf } from '../../../../test/confirmations.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { type StatementCells, statementBody } from '../../../../test/statements.ts'
import { until } from '../../../../test/until.ts'

let shop: TestShop
let admin: SignedInUser
let other: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin', username: 'akua boateng' })
  other = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

let drawn = 0
const newId = () => String(80_000_000_000 + ++drawn)

type Sms = { amount?: string; from?: string; reference?: string; id?: string; balance?: string }
/** A credit as MTN words it; without a balance it is the short form. */
function mtn({ amount = '60.00', from = 'AMA SAMPLE', reference = 'x', id = newId(), balance }: Sms = {}): string {
  const balances = balance ? ` Current Balance: GHS ${balance} . Available Balance: GHS ${balance}` : ''
  return `Payment received for GHS ${amount} from ${from}${balances}. Reference: ${reference}. Transaction ID: ${id}.`
}

async function ask(customer: SignedInUser, amount = 60): Promise<Recharge> {
  const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: customer, body: { amount } })
  return body.recharge
}

async function paste(text: string, as: SignedInUser = admin): Promise<ReadReply> {
  const { status, body } = await call<ReadReply>(shop, 'POST', '/received-payment/messages', { as, body: { text } })
  expect(status).toBe(200)
  return body
}

async function matches(): Promise<Matches> {
  return (await call<Matches>(shop, 'GET', '/received-payment/matches', { as: admin })).body
}

/** The match of one transaction, and the group in which it is shown. */
async function matchOf(id: string): Promise<{ group: string; match: Match }> {
  const { certain, doubtful, unmatched, kept } = await matches()
  for (const [group, list] of Object.entries({ certain, doubtful, unmatched, kept })) {
    const match = list.find(({ payment }) => payment.transactionId === id)
    if (match) return { group, match }
  }
  throw new Error(`no match for ${id}`)
}

type Approved = { credited: number; amount: number; refused: { paymentId: string; message: string }[] }

function approve(list: Match[], as: SignedInUser = admin) {
  const body = {
    matches: list.map(({ payment, request }) => ({ paymentId: payment._id, rechargeId: request?._id, amount: payment.amount })),
  }
  return call<Approved & ErrorBody>(shop, 'POST', '/received-payment/approve', { as, body })
}

type Credited = { amount: number; username: string } & ErrorBody
function credit({ payment }: Match, to: { rechargeId?: string; userId?: string }, as: SignedInUser = admin) {
  return call<Credited>(shop, 'POST', `/received-payment/${payment._id}/credit`, { as, body: { amount: payment.amount, ...to } })
}

async function requestsOf(customer: SignedInUser): Promise<Recharge[]> {
  return (await call<Recharge[]>(shop, 'GET', '/recharge', { as: customer })).body
}

async function statementOf(customer: SignedInUser): Promise<StatementLine[]> {
  return (await call<StatementLine[]>(shop, 'GET', '/wallet/statement', { as: customer })).body
}

const TYPED = 'The payer typed this number, and the network does not name theirs. Anybody can type a number.'

describe('matching', () => {
  test.each<[string, (r: Recharge, phone: string) => string, string, string[], RegExp | null]>([
    ['reference and amount', (r) => mtn({ reference: r.rechargeId }), 'certain', ['amount', 'reference'], null],
    ['a reference with spaces', (r) => mtn({ reference: r.rechargeId.replace(/(....)/, '$1 ') }), 'certain', ['amount', 'reference'], null],
    [
      'a number that the payer typed',
      (_r, phone) => mtn({ reference: `pls ${phone}` }),
      'doubtful',
      ['amount', 'number', 'only request'],
      /^The payer typed this number, and the network does not name theirs\./,
    ],
    [
      'another amount',
      (r) => mtn({ reference: r.rechargeId, amount: '55.00' }),
      'doubtful',
      ['reference'],
      /^¢5\.00 less than asked\. The wallet gets what came in\.$/,
    ],
    ['more than asked', (r) => mtn({ reference: r.rechargeId, amount: '70' }), 'doubtful', ['reference'], /^¢10\.00 more than asked/],
    [
      'two transaction ids',
      (r) => mtn({ reference: `${r.rechargeId}. Transaction ID: 11111111111` }),
      'doubtful',
      ['amount', 'reference'],
      /in more than one way/,
    ],
    ['only the amount', () => mtn(), 'unmatched', [], null],
    ['eight other digits', () => mtn({ reference: '99999998' }), 'unmatched', [], null],
  ])('by %s', async (_by, message, group, agrees, reason) => {
    const customer = await makeUser(shop)
    await confirmNumberOf(shop, customer)
    const request = await ask(customer)
    const text = message(request, customer.phone)
    await paste(text)
    const found = await matchOf(/Transaction ID: (\d+)\.$/.exec(text)![1]!)
    expect([found.group, found.match.agrees, found.match.request?._id ?? null]).toEqual([
      group,
      agrees,
      group === 'unmatched' ? null : request._id,
    ])
    if (reason) expect(found.match.reasons.join(' ')).toMatch(reason)
    else expect(found.match.reasons).toEqual([])
    await call(shop, 'PUT', `/recharge/${request._id}/decline`, { as: admin })
    await call(shop, 'PUT', `/received-payment/${found.match.payment._id}/set-aside`, { as: admin, body: { how: 'dismiss' } })
  })

  test('a name and an amount are never certain, however often the payer was credited to that customer', async () => {
    const customer = await makeUser(shop, { username: 'grace ofori' })
    const [first, second] = [newId(), newId()]
    const request = await ask(customer, 61)
    await paste(mtn({ from: 'GRACE ADWOA OFORI', amount: '61.00', id: first }))
    const doubtful = await matchOf(first)
    expect([doubtful.group, doubtful.match.reasons]).toEqual([
      'doubtful',
      ['Only the name and the amount agree, and anybody can choose a username.'],
    ])
    expect((await credit(doubtful.match, { rechargeId: request._id })).body).toEqual({ amount: 61, username: 'grace ofori' })
    // The likely customer stands on top, also before an older request of a namesake.
    const namesake = await makeUser(shop, { username: 'grace adwoa' })
    const older = await ask(namesake, 62)
    const likely = await ask(customer, 62)
    await paste(mtn({ from: 'GRACE ADWOA OFORI', amount: '62.00', id: second }))
    const known = await matchOf(second)
    expect([known.group, known.match.request?._id, known.match.agrees]).toEqual([
      'doubtful',
      likely._id,
      ['amount', 'name', 'only request'],
    ])
    expect(known.match.reasons).toContain(
      'Only the name and the amount agree. GRACE ADWOA OFORI has paid for grace ofori before, but names are shared.',
    )
    expect((await approve([known.match])).body).toMatchObject({ credited: 0 })
    await credit(known.match, { rechargeId: likely._id })
    await call(shop, 'PUT', `/recharge/${older._id}/decline`, { as: admin })
  })

  test('a name and an amount are not believed when somebody else could be meant', async () => {
    const paidBy = async (from: string, amount: number) => {
      const id = newId()
      await paste(mtn({ from, amount: `${amount}.00`, id }))
      return matchOf(id)
    }
    const customer = await makeUser(shop, { username: 'yaw boakye' })
    const known = await ask(customer, 71)
    expect((await credit((await paidBy('YAW BOAKYE', 71)).match, { rechargeId: known._id })).status).toBe(200)

    // Another customer of that name, who asks for another amount, and one who waits for the same under a name that says nothing.
    await ask(customer, 72)
    const namesake = await makeUser(shop, { username: 'boakye yaw junior' })
    const other = await ask(namesake, 72)
    expect((await paidBy('YAW BOAKYE', 72)).group).toBe('doubtful')
    await call(shop, 'PUT', `/recharge/${other._id}/decline`, { as: admin })
    const nickname = await makeUser(shop)
    await ask(customer, 73)
    const ofNickname = await ask(nickname, 73)
    const { group, match } = await paidBy('YAW BOAKYE', 73)
    expect([group, match.reasons]).toEqual([
      'doubtful',
      expect.arrayContaining([`It could be ${nickname.username}’s as well, who asks for a top-up too. Ask who paid.`]),
    ])
    await call(shop, 'PUT', `/recharge/${ofNickname._id}/decline`, { as: admin })
  })

  test('a name that went to two customers says nothing, however often it went to one of them', async () => {
    const from = 'AKUA SARPONG'
    const often = await makeUser(shop, { username: 'akua sarpong' })
    for (let times = 0; times < 21; times++) {
      const { rechargeId } = await ask(often, 74)
      const id = newId()
      await paste(mtn({ from, amount: '74.00', reference: rechargeId, id }))
      await approve([(await matchOf(id)).match])
    }
    const once = await ask(await makeUser(shop), 74)
    const [last, next] = [newId(), newId()]
    await paste(mtn({ from, amount: '74.00', reference: once.rechargeId, id: last }))
    await approve([(await matchOf(last)).match])
    await ask(often, 75)
    await paste(mtn({ from, amount: '75.00', id: next }))
    expect((await matchOf(next)).match.reasons).toContain('Only the name and the amount agree, and anybody can choose a username.')
  })

  test('the same number under another name, two requests of one amount, and a payment before its request are doubtful', async () => {
    const named = await makeUser(shop, { username: 'selorm agbeko' })
    await confirmNumberOf(shop, named)
    const id = String(19_472_000_000 + ++drawn)
    const telecel = (at: string) =>
      `00000${id} Confirmed. You have received GHS60.00 from 233${named.phone.slice(1)} - AKORFA AGBEKO on ${at}. Your Telecel Cash balance is GHS200.25.\nReference: 1.`
    await ask(named)
    await paste(telecel('2026-11-21 at 12:30:00'))
    expect((await matchOf(id)).match.reasons).toEqual(['Same number, another name.'])
    const nickname = await makeUser(shop)
    await confirmNumberOf(shop, nickname)
    await ask(nickname)
    await ask(nickname)
    const two = newId()
    await paste(`[01/11/2026, 08:00] Ama: ${mtn({ reference: nickname.phone, id: two })}`)
    expect((await matchOf(two)).match.reasons).toEqual([
      `${nickname.username} and the amount fit 2 requests.`,
      TYPED,
      'It came before the request was made.',
    ])
  })

  test('a request that was approved by hand takes no second payment', async () => {
    const customer = await makeUser(shop)
    const byHand = await ask(customer, 63)
    await call(shop, 'PUT', `/recharge/${byHand._id}/approve`, { as: admin })
    const [named, unnamed] = [newId(), newId()]
    const reply = await paste(mtn({ amount: '63.00', reference: byHand.rechargeId, id: named }))
    expect(reply.notCounted).toMatchObject([
      { kind: 'counted', says: expect.stringContaining(`Request ${byHand.rechargeId} of ${customer.username} was approved by hand`) },
    ])
    expect(await balanceOf(shop, customer._id)).toBe(6300)

    // Without a reference: the customer asks for the same again before the message of the first is pasted.
    const second = await makeUser(shop)
    await confirmNumberOf(shop, second)
    const first = await ask(second, 64)
    await call(shop, 'PUT', `/recharge/${first._id}/approve`, { as: admin })
    await ask(second, 64)
    await paste(mtn({ amount: '64.00', reference: second.phone, id: unnamed }))
    const { group, match } = await matchOf(unnamed)
    expect([group, match.reasons]).toEqual([
      'doubtful',
      [TYPED, `Request ${first.rechargeId} for the same amount was approved by hand. Was this its payment?`],
    ])
    expect((await credit(match, { rechargeId: first._id })).status).toBe(200)
    expect(await balanceOf(shop, second._id)).toBe(6400)
  })
})

describe('approving', () => {
  test('ten certain matches are credited together, once each, whoever approves and however often', async () => {
    const customers = await Promise.all(Array.from({ length: 10 }, () => makeUser(shop)))
    const requests: Recharge[] = []
    for (const customer of customers) requests.push(await ask(customer, 121))
    const reply = await paste(requests.map(({ rechargeId }) => mtn({ amount: '121.00', reference: rechargeId })).join('\n'))
    expect(reply).toMatchObject({ read: 10, certain: 10, doubtful: 0, unmatched: 0, notCounted: [] })
    const mine = (await matches()).certain.filter(({ payment }) => payment.amount === 121)
    const replies = await Promise.all([approve(mine), approve(mine, other), approve(mine)])
    for (const { status, body } of replies) expect([status, body]).toEqual([200, { credited: 10, amount: 1210, refused: [] }])
    expect((await approve(mine, other)).body.credited).toBe(10)
    for (const customer of customers) {
      expect(await balanceOf(shop, customer._id)).toBe(12_100)
      expect(await requestsOf(customer)).toMatchObject([{ status: 'approved', credited: 121 }])
    }
  })

  test('what came in is credited, and request, statement and totals tell it', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer, 100)
    const id = newId()
    await paste(mtn({ amount: '95.00', reference: request.rechargeId, id, from: 'EMMANUEL ADDO' }))
    const { match } = await matchOf(id)
    expect((await approve([match])).body).toMatchObject({
      credited: 0,
      refused: [{ message: 'This match is no longer certain. Please look at it again.' }],
    })
    expect((await credit(match, { rechargeId: request._id })).body).toEqual({ amount: 95, username: customer.username })
    expect((await credit(match, { rechargeId: request._id }, other)).body).toEqual({ amount: 95, username: customer.username })
    expect(await balanceOf(shop, customer._id)).toBe(9_500)
    expect(await requestsOf(customer)).toMatchObject([{ amount: 100, credited: 95, status: 'approved' }])
    expect(await statementOf(customer)).toMatchObject([
      { kind: 'Recharge', amount: 95, details: `Recharge ${request.rechargeId}, MTN ${id} from EMMANUEL ADDO, asked for 100.00` },
    ])
  })

  test('the same message pasted again says when and to whom it was credited, with another amount too', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer)
    const text = mtn({ reference: request.rechargeId })
    await paste(text)
    await approve([(await matchOf(/ID: (\d+)/.exec(text)![1]!)).match])
    const says = `Credited to ${customer.username} on 21 November.`
    expect((await paste(`${text}\n\n${text}`, other)).notCounted).toMatchObject([
      { kind: 'repeated', says: 'It is in here twice.' },
      { kind: 'counted', amount: 60, says },
    ])
    const forged = await paste(text.replace('60.00', '600.00'))
    expect(forged).toMatchObject({
      certain: 0,
      doubtful: 0,
      unmatched: 0,
      notCounted: [{ kind: 'counted', says: `${says} It was ¢60.00 then.` }],
    })
    expect(await balanceOf(shop, customer._id)).toBe(6_000)
  })

  test('two payments for one request: the first is certain, the second is not, and cannot be credited for it', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer)
    const [a, b] = [newId(), newId()]
    await paste([a, b].map((id) => mtn({ id, reference: request.rechargeId })).join('\n'))
    const [first, second] = [await matchOf(a), await matchOf(b)]
    expect([first.group, second.group, second.match.reasons]).toEqual([
      'certain',
      'doubtful',
      ['Another payment seems to be for the same request.'],
    ])
    const [won, lost] = await Promise.all([
      credit(first.match, { rechargeId: request._id }),
      credit(second.match, { rechargeId: request._id }, other),
    ])
    expect([won!.status, lost!.status].toSorted()).toEqual([200, 409])
    expect(await balanceOf(shop, customer._id)).toBe(6_000)
    const left = won!.status === 200 ? second.match : first.match
    expect((await matchOf(left.payment.transactionId)).match).toMatchObject({ does: 'choose', request: { user: { _id: customer._id } } })
    expect((await credit(left, { userId: customer._id })).status).toBe(200)
    expect(await balanceOf(shop, customer._id)).toBe(12_000)
    expect(await statementOf(customer)).toMatchObject([
      { kind: 'Mobile money', reference: left.payment.transactionId, amount: 60 },
      { kind: 'Recharge' },
    ])
  })

  test('a payment is credited to one customer, also when two admins choose different ones at once', async () => {
    const [one, two] = [await makeUser(shop), await makeUser(shop)]
    const id = newId()
    await paste(mtn({ id, amount: '33.00' }))
    const { match } = await matchOf(id)
    const replies = await Promise.all([credit(match, { userId: one._id }), credit(match, { userId: two._id }, other)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await balanceOf(shop, one._id)) + (await balanceOf(shop, two._id))).toBe(3_300)
  })

  test.each<[string, (match: Match) => Promise<{ status: number; body: ErrorBody }>, number, string]>([
    ['without saying for whom', (match) => credit(match, {}), 400, 'INVALID'],
    ['to nobody', (match) => credit(match, { userId: crypto.randomUUID() }), 404, 'NOT_FOUND'],
    ['for no request', (match) => credit(match, { rechargeId: crypto.randomUUID() }), 404, 'NOT_FOUND'],
    [
      'with another amount',
      (match) => credit({ ...match, payment: { ...match.payment, amount: 1 } }, { userId: admin._id }),
      409,
      'CONFLICT',
    ],
    [
      'that is unknown',
      (match) => credit({ ...match, payment: { ...match.payment, _id: crypto.randomUUID() } }, { userId: admin._id }),
      404,
      'NOT_FOUND',
    ],
  ])('a payment is not credited %s', async (_how, act, status, code) => {
    const id = newId()
    await paste(mtn({ id, amount: '34.00' }))
    const { match } = await matchOf(id)
    const reply = await act(match)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect((await matchOf(id)).group).toBe('unmatched')
  })
})

describe('what is not certain', () => {
  test('a message that says something else about the same transaction makes it doubtful', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer, 500)
    const id = newId()
    await paste(mtn({ id, amount: '5.00' }))
    await paste(mtn({ id, amount: '500.00', reference: request.rechargeId }))
    const { group, match } = await matchOf(id)
    expect([group, match.payment.amount, match.reasons]).toEqual([
      'doubtful',
      500,
      ['Another message with the same transaction ID said something else. Compare both with the phone.'],
    ])
    expect((await approve([match])).body.refused).toHaveLength(1)
  })

  test('a doubt that comes while somebody approves the payment keeps it from being credited', async () => {
    const customer = await makeUser(shop)
    const id = newId()
    await paste(mtn({ id, reference: (await ask(customer)).rechargeId }))
    const { match } = await matchOf(id)
    const doubting = await shop.database.db.connect()
    try {
      await doubting.query('begin')
      await doubting.query(`update received_payments set doubts = '{changed}' where transaction_id = $1`, [id])
      const approving = approve([match])
      await until(() => isWaitedFor(doubting))
      await doubting.query('commit')
      expect((await approving).body).toMatchObject({ credited: 0, refused: [{ message: expect.stringContaining('doubtful by now') }] })
    } finally {
      await doubting.query('rollback')
      doubting.release()
    }
    expect(await balanceOf(shop, customer._id)).toBe(0)
  })

  test('a balance that follows from no other message makes a perfect copy doubtful', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer, 400)
    const forged = newId()
    const chain = [mtn({ balance: '100.00' }), mtn({ amount: '20.00', balance: '120.00' })]
    const last =
      'Cash Out made for GHS40.00 to ADOM ELECTRICALS . Current Balance: GHS79.60 Financial Transaction Id: 10493827561. Fee charged: GHS0.40.'
    await paste([...chain, mtn({ id: forged, amount: '400.00', balance: '640.35', reference: request.rechargeId }), last].join('\n'))
    const { group, match } = await matchOf(forged)
    expect([group, match.reasons]).toEqual([
      'doubtful',
      ['Its balance doesn’t follow from the other messages. Check that the money is on the phone.'],
    ])
  })

  test('a payment that comes together with its reversal is looked at by a person', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer)
    const id = newId()
    const reversal = `Reversal of GHS 60.00 has been made. Transaction ID: 70000000003. Original: ${id}.`
    const payment = mtn({ id, reference: request.rechargeId })
    await paste(`${reversal}\n${payment}`)
    await paste(payment)
    const { group, match } = await matchOf(id)
    expect(group).toBe('doubtful')
    expect(match.reasons).toContain('A later message says that this money was taken back. Check the balance on the phone.')
    expect(await balanceOf(shop, customer._id)).toBe(0)
    await call(shop, 'PUT', `/received-payment/${match.payment._id}/set-aside`, { as: admin, body: { how: 'dismiss' } })
  })

  test('a payment that is read after its reversal, another day, is looked at by a person', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer)
    const id = newId()
    await paste(`Reversal of GHS 60.00 has been made. Transaction ID: 70000000004. Original: ${id}.`)
    await paste(mtn({ id, reference: request.rechargeId }))
    const { group, match } = await matchOf(id)
    expect(group).toBe('doubtful')
    expect(match.reasons).toContain('A later message says that this money was taken back. Check the balance on the phone.')
    await call(shop, 'PUT', `/received-payment/${match.payment._id}/set-aside`, { as: admin, body: { how: 'dismiss' } })
  })

  test.each([
    ['a reversal', (id: string) => `Reversal of GHS 60.00 has been made. Transaction ID: 70000000005. Original: ${id}.`],
    ['unknown words', (id: string) => `GHS 60.00 was cancelled again. Transaction ID: ${id}.`],
  ])('%s read before its payment, or at the same moment, keeps a person at it', async (_kind, about) => {
    const customer = await makeUser(shop)
    for (const isAtOnce of [false, true]) {
      const request = await ask(customer)
      const id = newId()
      const payment = mtn({ id, reference: request.rechargeId })
      const first = paste(about(id))
      if (!isAtOnce) await first
      await Promise.all([first, paste(payment)])
      const { group, match } = await matchOf(id)
      expect([group, match.reasons.length]).toEqual(['doubtful', 1])
      expect(await balanceOf(shop, customer._id)).toBe(0)
      await call(shop, 'PUT', `/received-payment/${match.payment._id}/set-aside`, { as: admin, body: { how: 'dismiss' } })
    }
  })

  test('a later message about a credited payment puts it in question, and it can be taken back', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer)
    const id = newId()
    await paste(mtn({ id, reference: request.rechargeId }))
    await approve([(await matchOf(id)).match])
    const reply = await paste(`Reversal of GHS 60.00 has been made. Transaction ID: 70000000001. Original: ${id}.`)
    expect(reply).toMatchObject({ unmatched: 0, notCounted: [{ kind: 'reversal' }] })
    const { questioned } = await matches()
    expect(questioned).toMatchObject([{ username: customer.username, payment: { transactionId: id } }])
    const setAside = `/received-payment/${questioned[0]!.payment._id}/set-aside`
    expect((await call(shop, 'PUT', setAside, { as: admin, body: { how: 'dismiss' } })).status).toBe(409)
    expect((await call(shop, 'PUT', setAside, { as: admin, body: { how: 'keep' } })).body).toEqual({ message: 'Left as it is.' })
    expect((await matches()).questioned).toEqual([])
    await paste(`Reversal of GHS 60.00 has been made. Transaction ID: 70000000002. Original: ${id}.`)
    const path = `/received-payment/${questioned[0]!.payment._id}/take-back`
    const [first, second] = await Promise.all(
      [admin, other].map((as) => call<ErrorBody>(shop, 'POST', path, { as, body: { reason: 'MTN took it back' } })),
    )
    expect([first!.status, second!.status].toSorted()).toEqual([200, 409])
    expect(await balanceOf(shop, customer._id)).toBe(0)
    expect((await matches()).questioned).toEqual([])
    expect(await statementOf(customer)).toMatchObject([
      { kind: 'Debit by the shop', amount: -60, details: 'MTN took it back' },
      { amount: 60 },
    ])
  })

  test('a wrong credit is taken back by a debit, then credited to the right customer; what is spent cannot be', async () => {
    const [wrong, right] = [await makeUser(shop), await makeUser(shop)]
    const id = newId()
    await paste(mtn({ id, amount: '35.00' }))
    const { match } = await matchOf(id)
    await credit(match, { userId: wrong._id })
    const path = `/received-payment/${match.payment._id}/take-back`
    expect((await call<ErrorBody>(shop, 'POST', path, { as: admin, body: { reason: ' ' } })).body.message).toBe(
      'Give a reason: the customer reads it.',
    )
    expect((await call(shop, 'POST', path, { as: admin, body: { reason: 'Not yours' } })).body).toEqual({
      amount: 35,
      username: wrong.username,
    })
    const again = await matchOf(id)
    await credit(again.match, { userId: right._id })
    expect([await balanceOf(shop, wrong._id), await balanceOf(shop, right._id)]).toEqual([0, 3_500])
    await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: right._id, amount: -30 } })
    const spent = await call<ErrorBody>(shop, 'POST', path, { as: admin, body: { reason: 'Not yours' } })
    expect([spent.status, spent.body.message]).toEqual([402, expect.stringContaining('has only ¢5.00 left of it')])
  })

  test('a payment is kept, brought back, dismissed, and said not to be for a request', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer)
    const id = newId()
    await paste(mtn({ id, reference: request.rechargeId, amount: '59.00' }))
    const { match } = await matchOf(id)
    const setAside = (body: Record<string, unknown>) =>
      call<ErrorBody>(shop, 'PUT', `/received-payment/${match.payment._id}/set-aside`, { as: admin, body })
    expect((await setAside({ how: 'not-this-request' })).status).toBe(400)
    await setAside({ how: 'not-this-request', rechargeId: request._id })
    expect((await matchOf(id)).group).toBe('unmatched')
    await setAside({ how: 'keep' })
    expect((await matchOf(id)).group).toBe('kept')
    await setAside({ how: 'bring-back' })
    expect((await matchOf(id)).group).toBe('unmatched')
    await setAside({ how: 'dismiss' })
    await expect(matchOf(id)).rejects.toThrow('no match')
    expect((await paste(mtn({ id, amount: '59.00' }))).notCounted).toMatchObject([{ says: 'Somebody dismissed this payment.' }])
    expect((await credit(match, { userId: customer._id })).body.code).toBe('ALREADY_DECIDED')
    const { rows } = await shop.database.db.query(
      `select action, actor_id as by from admin_actions where subject_type = 'payment' and subject_id = $1 order by id`,
      [id],
    )
    expect(rows).toEqual(['not-this-request', 'keep', 'bring-back', 'dismiss'].map((how) => ({ action: `payment.${how}`, by: admin._id })))
  })
})

describe('a declined request', () => {
  test('can be reopened, once, and then approved; its customer sees it pending again', async () => {
    const customer = await makeUser(shop)
    const { _id, rechargeId } = await ask(customer)
    const reopen = (as = admin) => call<ErrorBody>(shop, 'PUT', `/recharge/${_id}/reopen`, { as })
    expect((await reopen()).body.message).toBe('That recharge is already pending.')
    await call(shop, 'PUT', `/recharge/${_id}/decline`, { as: admin, body: { reason: 'Nothing came' } })
    const replies = await Promise.all([reopen(), reopen(other)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await requestsOf(customer)).toMatchObject([{ status: 'pending', declineReason: null, credited: null }])
    await call(shop, 'PUT', `/recharge/${_id}/approve`, { as: admin })
    expect((await reopen()).body.message).toBe('That recharge is already approved.')
    expect((await reopen(customer)).status).toBe(403)
    const { body } = await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin, query: { search: rechargeId } })
    expect(body.map(({ action, note }) => [action, note])).toEqual([
      ['recharge.approve', ''],
      ['recharge.reopen', 'Nothing came'],
      ['recharge.decline', 'Nothing came'],
    ])
  })

  test('is found by its payment, and reopened and credited in one step', async () => {
    const customer = await makeUser(shop)
    const request = await ask(customer)
    await call(shop, 'PUT', `/recharge/${request._id}/decline`, { as: admin })
    const id = newId()
    await paste(mtn({ id, reference: request.rechargeId }))
    const { group, match } = await matchOf(id)
    expect([group, match.does, match.reasons]).toEqual([
      'doubtful',
      'reopen',
      [`Request ${request.rechargeId} was declined. Crediting it reopens the request.`],
    ])
    expect((await credit(match, { rechargeId: request._id })).status).toBe(200)
    expect(await requestsOf(customer)).toMatchObject([{ status: 'approved', credited: 60 }])
  })
})

test('what a later message puts in question stands with the newest first', async () => {
  const ids = [newId(), newId()]
  for (const id of ids) {
    const request = await ask(await makeUser(shop))
    await paste(mtn({ id, reference: request.rechargeId }))
    await approve([(await matchOf(id)).match])
  }
  for (const [at, id] of ids.toReversed().entries())
    await paste(`Reversal of GHS 60.00 has been made. Transaction ID: 7100000000${at}. Original: ${id}.`)
  expect((await matches()).questioned.map(({ payment }) => payment.transactionId)).toEqual(ids.toReversed())
  for (const { payment } of (await matches()).questioned)
    await call(shop, 'PUT', `/received-payment/${payment._id}/set-aside`, { as: admin, body: { how: 'keep' } })
})

test('a statement’s rows are matched like messages, confirm what a message left in doubt, and lost zeros do not count twice', async () => {
  const customer = await makeUser(shop)
  const request = await ask(customer)
  const doubtful = newId()
  await paste(`From: MoMoAlert\n${mtn({ id: doubtful, reference: request.rechargeId })}`)
  expect((await matchOf(doubtful)).group).toBe('doubtful')
  const row = (transactionId: string, more: Partial<StatementCells> = {}): StatementCells => ({
    transactionId,
    amount: '60.00',
    payer: 'AMA SAMPLE',
    payerPhone: '233241112223',
    reference: request.rechargeId,
    at: '21/11/2026 10:00',
    ...more,
  })
  const rows = [
    row(doubtful),
    row('0000019305560001', { amount: '45,00', reference: '' }),
    row('19305560001', { amount: '45.00', reference: '' }),
    row(newId(), { direction: 'DR' }),
  ]
  const { status, body } = await call<ReadReply>(shop, 'POST', '/received-payment/statement', { as: admin, body: statementBody(rows) })
  expect([status, body]).toMatchObject([
    200,
    { read: 4, certain: 1, doubtful: 0, unmatched: 1, notCounted: [{ kind: 'repeated' }, { kind: 'money-out' }] },
  ])
  expect((await matchOf(doubtful)).group).toBe('certain')
})

test('the list tells what became of every payment, and finds it by its id, payer, customer or amount', async () => {
  const customer = await makeUser(shop, { username: 'yaw sarpong' })
  const id = newId()
  await paste(mtn({ id, from: 'YAW KWABENA SARPONG', amount: '1,006.48' }))
  await credit((await matchOf(id)).match, { userId: customer._id })
  for (const search of [id, 'kwabena', 'yaw sarpong', '1,006.48']) {
    const { body, headers } = await call<ListedPayment[]>(shop, 'GET', '/received-payment', {
      as: admin,
      query: { search, page: '1', pageSize: '5' },
    })
    expect(headers['x-total-count']).toBe('1')
    expect(body).toMatchObject([
      { transactionId: id, status: 'credited', amount: 1006.48, credit: { username: 'yaw sarpong', by: 'akua boateng' } },
    ])
  }
  const all = await call<ListedPayment[]>(shop, 'GET', '/received-payment', { as: admin, query: { page: '1', pageSize: '5' } })
  const { rows } = await shop.database.db.query<{ id: string }>('select transaction_id as id from received_payments order by seq desc')
  expect(Number(all.headers['x-total-count'])).toBe(rows.length)
  const next = await call<ListedPayment[]>(shop, 'GET', '/received-payment', { as: admin, query: { page: '2', pageSize: '5' } })
  const newestFirst = [...all.body, ...next.body].map(({ transactionId }) => transactionId)
  expect(newestFirst).toEqual(rows.slice(0, 10).map((row) => row.id))
})

test('nobody but staff reads or writes any of it', async () => {
  const customer = await makeUser(shop)
  const id = crypto.randomUUID()
  const calls: ['GET' | 'POST' | 'PUT', string, unknown?][] = [
    ['GET', '/received-payment'],
    ['GET', '/received-payment/matches'],
    ['POST', '/received-payment/messages', { text: mtn() }],
    ['POST', '/received-payment/approve', { matches: [{ paymentId: id, rechargeId: id, amount: 1 }] }],
    ['POST', `/received-payment/${id}/credit`, { amount: 1, userId: customer._id }],
  ]
  for (const [method, path, body] of calls) expect((await call(shop, method, path, { as: customer, body })).status).toBe(403)
})

test('a paste of too many messages, or of nothing, is refused', async () => {
  for (const [text, message] of [
    [' \n ', 'Paste at least one message.'],
    ['GHS 1\n\n'.repeat(1_001), 'Paste at most 1000 messages at once.'],
  ]) {
    const { status, body } = await call<ErrorBody>(shop, 'POST', '/received-payment/messages', { as: admin, body: { text } })
    expect([status, body.message]).toEqual([400, message])
  }
})

test('a large payment without a request takes a password, and a second person where there is one; so does to take it back', async () => {
  const customer = await makeUser(shop)
  const id = newId()
  await paste(mtn({ id, amount: '5,000.00' }))
  const { match } = await matchOf(id)
  shop.clock.advance(6 * 60_000)
  const codeOf = async (as: SignedInUser) => (await credit(match, { userId: customer._id }, as)).body.code
  const confirm = (as: SignedInUser) => call(shop, 'POST', '/user/me/confirm-password', { as, body: { password: PASSWORD } })
  expect(await codeOf(admin)).toBe('PASSWORD_NEEDED')
  expect((await confirm(admin)).status).toBe(200)
  await shop.database.db.query('update staff_rules set second_person_above_pesewas = 100000')
  expect(await codeOf(admin)).toBe('SECOND_PERSON_NEEDED')
  await confirm(other)
  expect((await credit(match, { userId: customer._id }, other)).status).toBe(200)
  expect(await balanceOf(shop, customer._id)).toBe(500_000)
  shop.clock.advance(6 * 60_000)
  const path = `/received-payment/${match.payment._id}/take-back`
  expect((await call<ErrorBody>(shop, 'POST', path, { as: admin, body: { reason: 'Not yours' } })).body.code).toBe('PASSWORD_NEEDED')
  await confirm(admin)
  expect((await call<ErrorBody>(shop, 'POST', path, { as: admin, body: { reason: 'Not yours' } })).body.code).toBe('SECOND_PERSON_NEEDED')
  await confirm(other)
  expect((await call(shop, 'POST', path, { as: other, body: { reason: 'Not yours' } })).status).toBe(200)
  await call(shop, 'PUT', `/received-payment/${match.payment._id}/set-aside`, { as: admin, body: { how: 'dismiss' } })
})

test('whoever reads an amount in again stands for it: they are not the second person either', async () => {
  const [customer, crook] = [await makeUser(shop), await makeUser(shop, { roles: ['finance'] })]
  const id = newId()
  await paste(mtn({ id, amount: '10.00' }), other)
  await paste(mtn({ id, amount: '5,000.00' }), crook)
  await shop.database.db.query('update staff_rules set second_person_above_pesewas = 100000')
  const refused = await credit((await matchOf(id)).match, { userId: customer._id }, crook)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('needs a second person')])
  expect(await balanceOf(shop, customer._id)).toBe(0)
})

test('the same payment read under another network is not a second one', async () => {
  const id = newId()
  await paste(mtn({ id, amount: '60.00' }))
  const { body } = await call<ReadReply>(shop, 'POST', '/received-payment/statement', {
    as: admin,
    body: statementBody([{ transactionId: id, amount: '60' }], 'Telecel'),
  })
  expect(body.read).toBe(1)
  const { rows } = await shop.database.db.query('select network from received_payments where transaction_id = $1', [id])
  expect(rows).toEqual([{ network: 'MTN' }])
})

test('the database keeps a payment’s identity and amount, and each of its credits', async () => {
  const id = newId()
  await paste(mtn({ id, amount: '36.00' }))
  await credit((await matchOf(id)).match, { userId: admin._id }, other)
  const { db } = shop.database
  for (const [sql, rule] of [
    ['delete from received_payments where transaction_id = $1', 'DW010'],
    [`update received_payments set transaction_id = '1234567' where transaction_id = $1`, 'DW010'],
    ['update received_payments set amount_pesewas = 1 where transaction_id = $1', 'DW010'],
    ['delete from payment_credits c using received_payments p where p.id = c.payment_id and p.transaction_id = $1', 'DW010'],
    [
      'update payment_credits c set user_id = credited_by, entry_key = null from received_payments p where p.id = c.payment_id and p.transaction_id = $1',
      'DW010',
    ],
    [
      `insert into payment_credits (payment_id, amount_pesewas, user_id, entry_key, credited_at, credited_by)
      select id, amount_pesewas, received_by, 'another', now(), received_by from received_payments where transaction_id = $1`,
      '23505',
    ],
    [
      `insert into payment_credits (payment_id, amount_pesewas, user_id, entry_key, credited_at, credited_by, taken_back_at, taken_back_by)
      select id, amount_pesewas + 1, received_by, 'more', now(), received_by, now(), received_by from received_payments where transaction_id = $1`,
      '23503',
    ],
  ] as const) {
    await expect(db.query(sql, [id])).rejects.toMatchObject({ code: rule })
  }
})

// The last one: whoever signed in before is signed out by then.
test('a request that was declined days ago is no longer thought of for a payment from its number, but by its reference', async () => {
  const customer = await makeUser(shop)
  const request = await ask(customer)
  await call(shop, 'PUT', `/recharge/${request._id}/decline`, { as: admin })
  const fromNumber = async () => {
    const id = newId()
    await paste(mtn({ id, reference: `pls ${customer.phone}` }))
    return matchOf(id)
  }
  const lately = await fromNumber()
  expect([lately.group, lately.match.request?._id]).toEqual(['doubtful', request._id])
  shop.clock.advance(3 * 24 * 3_600_000 + 1_000)
  admin = await makeUser(shop, { level: 'Admin' })
  expect((await fromNumber()).match.request).toBeNull()
  const id = newId()
  await paste(mtn({ id, reference: request.rechargeId }))
  expect((await matchOf(id)).match.request?._id).toBe(request._id)
})

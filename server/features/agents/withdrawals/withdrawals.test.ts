import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InboxReply } from '../../../../shared/inbox.ts'
import type { WholeStats } from '../../../../shared/stats.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { Earnings, StaffWithdrawal, Withdrawal } from '../../../../shared/withdrawals.ts'
import { earn, earningsOf, makeShopOwner } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { TAKEN, tryChange } from '../../../../test/try-change.ts'
import { until } from '../../../../test/until.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { createPaystackPayouts } from '../../../integrations/payments/paystack-payouts.ts'
import { refundsSwitchedOff } from '../../../integrations/payments/switched-off.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { sendNumberCodeMessage } from '../../people/numbers/send-number-code.ts'
import { checkWithdrawals } from './check-withdrawals.ts'
import { selectSums } from './earnings.sql.ts'
import { presentMovement } from './present.ts'
import { sendWithdrawals } from './send-withdrawals.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const MINUTE_MS = 60_000
const KNOWN = '0245550100'
const PASSWORD = 'a good password'

type Owner = SignedInUser & { shopId: string }
type Reply = { withdrawal: Withdrawal; withdrawable: number; code: string; message: string }
type StaffReply = { withdrawal: StaffWithdrawal; code: string; message: string }

let shop: TestShop
let finance: SignedInUser
let provider: NonNullable<TestShop['sandbox']>['cardProvider']
let gateway: CardGateway

beforeAll(async () => {
  // The loop of the shop stands still: each test sends and asks when it wants to.
  shop = await openTestShop({ withSandbox: true, timings: { paymentsMs: 3_600_000 } })
  provider = (shop.sandbox as NonNullable<TestShop['sandbox']>).cardProvider
  gateway = { isTest: true, payouts: createPaystackPayouts(provider), refunds: refundsSwitchedOff } as CardGateway
  finance = await makeUser(shop, { roles: ['finance'] })
})
beforeEach(async () => {
  provider.clearFaults()
  // The loop, which an event wakes, would answer before the test asks.
  provider.addFault({ call: 'webhook', kind: 'lose', times: 1_000 })
  await provider.changeTransfers({ balancePesewas: 100_000_00, otp: false, paysAfterMs: null })
})
afterAll(async () => {
  expect((await checkLedger(shop.database.db)).filter(({ rule }) => !rule.startsWith('a wallet'))).toEqual([])
  await shop.close()
})

const CLOSE_SHOP = `update agent_shops set closed_at = now(), closed_reason = 'Not paid for', closed_by = $1 where owner_id = $1`

const wish = { amount: 50, fee: 1, phoneNumber: KNOWN, network: 'MTN', name: 'Akosua Frimpong' }

function withdraw(as: { token: string }, change: object = {}, key: string = crypto.randomUUID()) {
  return call<Reply>(shop, 'POST', '/earnings/withdrawals', { as, body: { ...wish, ...change }, headers: { 'idempotency-key': key } })
}

function decide(id: string, deed: string, body?: object, as: { token: string } = finance) {
  return call<StaffReply>(shop, 'PUT', `/withdrawals/${id}/${deed}`, { as, ...(body && { body }) })
}

const readEarnings = async (as: { token: string }) => (await call<{ earnings: Earnings }>(shop, 'GET', '/earnings', { as })).body.earnings
const readOwn = async (as: { token: string }) => (await call<Withdrawal[]>(shop, 'GET', '/earnings/withdrawals', { as })).body

/** An agent to whose number money was paid before, so that small amounts go out at once. */
async function makeKnownOwner(earned = 500): Promise<Owner> {
  const owner = await makeShopOwner(shop, { earned: earned + 50 })
  const { body } = await withdraw(owner)
  expect(
    (await decide(body.withdrawal._id, 'pay-by-hand', { transactionId: `5${Date.now()}${Math.floor(Math.random() * 1e6)}` })).status,
  ).toBe(200)
  return owner
}

/** A withdrawal that may go out, made so behind the loop's back: the test sends it. */
async function makeReady(earned = 500, change: object = {}): Promise<{ owner: Owner; id: string; reference: string }> {
  const owner = await makeShopOwner(shop, { earned })
  const { body } = await withdraw(owner, change)
  const { rows } = await shop.database.db.query<{ reference: string }>(
    `update withdrawals set status = 'ready', reason = null, ask_at = $2 where id = $1 returning reference`,
    [body.withdrawal._id, shop.clock.now],
  )
  return { owner, id: body.withdrawal._id, reference: (rows[0] as { reference: string }).reference }
}

/** Sends what is ready; the clock moves on a little, as it does in a shop. */
async function send() {
  shop.clock.advance(1_000)
  await sendWithdrawals(makeCtx(shop).ctx, gateway)
}

async function ask(afterMs = MINUTE_MS) {
  shop.clock.advance(afterMs)
  await checkWithdrawals(makeCtx(shop).ctx, gateway)
}

/** What customers have paid in all, as Statistics say it. Paying agents must not change it. */
async function received(): Promise<number> {
  return (await call<WholeStats>(shop, 'GET', '/order/stats', { as: finance })).body.finance.totalPayments
}

async function newest(as: { token: string }): Promise<Withdrawal> {
  return (await readOwn(as))[0] as Withdrawal
}

describe('asking for a withdrawal', () => {
  test('takes it out of the earnings once, however often the same key is sent, at the same time too', async () => {
    const owner = await makeShopOwner(shop, { earned: 100 })
    const key = crypto.randomUUID()
    const replies = await Promise.all(Array.from({ length: 8 }, () => withdraw(owner, {}, key)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(replies.map(({ body }) => body.withdrawal._id)).size).toBe(1)
    expect(await earningsOf(shop, owner.shopId)).toBe(50)
    expect(await withdraw(owner, { amount: 30 }, key)).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } })
    expect(await withdraw(owner, { phoneNumber: '0245550111' }, key)).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } })
  })

  test('never takes more than was earned, when several are asked for at once', async () => {
    const owner = await makeShopOwner(shop, { earned: 100 })
    const replies = await Promise.all(Array.from({ length: 5 }, () => withdraw(owner, { amount: 40 })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402, 402])
    expect(await earningsOf(shop, owner.shopId)).toBe(20)
  })

  test.each([
    ['less than the least', { amount: 19.99 }, 409, 'CONFLICT'],
    ['another fee than was seen', { fee: 0 }, 409, 'CONFLICT'],
    ['more than was earned', { amount: 100.01 }, 402, 'INSUFFICIENT_BALANCE'],
    ['a number that is none', { phoneNumber: '12345' }, 400, 'INVALID'],
    ['no name', { name: ' ' }, 400, 'INVALID'],
    ['another network', { network: 'Airtime' }, 400, 'INVALID'],
    ['less than a pesewa', { amount: 20.001 }, 400, 'INVALID'],
  ])('is refused for %s, and nothing moves', async (_what, change, status, code) => {
    const owner = await makeShopOwner(shop, { earned: 100 })
    expect(await withdraw(owner, change)).toMatchObject({ status, body: { code } })
    expect(await earningsOf(shop, owner.shopId)).toBe(100)
    expect(await readOwn(owner)).toEqual([])
  })

  test('is refused without a shop, and while withdrawals are closed', async () => {
    expect(await withdraw(await makeUser(shop, { level: 'Agent' }))).toMatchObject({ status: 404 })
    const owner = await makeShopOwner(shop, { earned: 100 })
    await shop.database.db.query('update withdrawal_rules set enabled = false')
    expect(await withdraw(owner)).toMatchObject({ status: 409 })
    await shop.database.db.query('update withdrawal_rules set enabled = true')
    expect(await earningsOf(shop, owner.shopId)).toBe(100)
  })

  test('waits for a person when the number is new, or the day has had its limit; otherwise it goes out', async () => {
    const owner = await makeKnownOwner()
    expect((await withdraw(owner, { phoneNumber: '0245550199' })).body.withdrawal).toMatchObject({
      status: 'approval',
      reason: 'New number, so we look first.',
    })
    expect((await withdraw(owner, { amount: 150 })).body.withdrawal).toMatchObject({ status: 'ready', reason: null })
    expect((await withdraw(owner, { amount: 50.01 })).body.withdrawal).toMatchObject({ status: 'approval' })
    expect((await withdraw(owner, { amount: 50 })).body.withdrawal).toMatchObject({ status: 'ready' })
    await until(async () => (await readOwn(owner)).filter(({ status }) => status === 'accepted').length === 2)
    expect(await readEarnings(owner)).toMatchObject({ rules: { unapproved: 200, atOnce: 0 }, numbers: [{ phoneNumber: KNOWN, used: 1 }] })
  })

  test('five may be open, not six', async () => {
    const owner = await makeShopOwner(shop, { earned: 500 })
    for (let n = 0; n < 5; n++) expect((await withdraw(owner)).status).toBe(200)
    expect(await withdraw(owner)).toMatchObject({ status: 409, body: { message: expect.stringContaining('5 withdrawals') } })
  })
})

describe('withdrawals as a file', () => {
  const read = (name: string, as: { token: string }, query: Record<string, string> = {}) =>
    call<string>(shop, 'GET', `/export/${name}`, { as, query })
  const lines = (body: string) => body.slice(1).trimEnd().split('\r\n')

  test('have the agent’s own and nobody else’s, and no cell that a spreadsheet would run', async () => {
    const [owner, other] = [await makeShopOwner(shop, { earned: 200 }), await makeShopOwner(shop, { earned: 200 })]
    const { body } = await withdraw(owner, { name: '-Akosua' })
    const theirs = await withdraw(other, { name: 'Kofi Mensah' })
    await decide(body.withdrawal._id, 'decline', { reason: '=1+1, "no"' })
    const own = await read('withdrawals', owner)
    expect([own.status, own.headers['content-type'], own.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="dwadi-withdrawals.csv"',
    ])
    expect(lines(own.body)).toEqual([
      'Number,Asked,Status,Amount,Fee,Payout,Network,To,Name,Why,Ended',
      expect.stringMatching(
        new RegExp(`^${body.withdrawal.number},.*,declined,50.00,1.00,49.00,MTN,024 555 0100,'-Akosua,"'=1\\+1, ""no""",`),
      ),
    ])
    const [heading, ...all] = lines((await read('admin-withdrawals', finance, { search: other.username })).body)
    expect(heading).toMatch(/,Agent,Agent’s phone,Shop,Reference,Transaction id,Decided by$/)
    expect([all.length, theirs.status]).toEqual([1, 200])
    expect(all[0]).toContain('Kofi Mensah')
    expect(lines((await read('admin-withdrawals', finance, { search: owner.username, open: 'true' })).body)).toHaveLength(1)
    expect(await read('admin-withdrawals', finance, { open: 'no' })).toMatchObject({ status: 400 })
    expect(await read('admin-withdrawals', owner)).toMatchObject({ status: 403 })
    expect(await read('withdrawals', await makeUser(shop, { level: 'Agent' }))).toMatchObject({ status: 404 })
  })
})

describe('a withdrawal through the provider', () => {
  test('goes out under one reference, and is paid once the provider says so', async () => {
    const owner = await makeKnownOwner()
    const { body } = await withdraw(owner, { amount: 120 })
    await until(async () => (await newest(owner)).status === 'accepted')
    expect(await newest(owner)).toMatchObject({ askedNextAt: expect.any(String) })
    const [transfer] = provider.transfers()
    expect(transfer).toMatchObject({ amountPesewas: 119_00, reference: expect.stringMatching(/^[a-z0-9]{24}$/) })
    await ask()
    expect((await newest(owner)).status).toBe('accepted')
    await provider.setTransfer(transfer?.reference as string, 'success')
    await ask()
    // The provider's event may be at work on it at the same time.
    await until(async () => (await newest(owner)).status === 'paid')
    expect(await newest(owner)).toMatchObject({ _id: body.withdrawal._id, status: 'paid', endedAt: expect.any(String) })
    expect(await earningsOf(shop, owner.shopId)).toBe(380)
    expect(await readEarnings(owner)).toMatchObject({ sums: { withdrawn: { amount: 170, count: 2 } }, numbers: [{ used: 2 }] })
  })

  test('a signed webhook event settles it; what the event says is not believed', async () => {
    const { owner, reference } = await makeReady()
    await send()
    provider.clearFaults()
    provider.addFault({ call: 'webhook', kind: 'body', body: { event: 'transfer.success', data: { reference, status: 'success' } } })
    await provider.setTransfer(reference, 'failed', 'Account holder limit reached')
    await until(async () => (await newest(owner)).status === 'failed')
    expect(await earningsOf(shop, owner.shopId)).toBe(500)
  })

  test.each(['failed', 'reversed', 'abandoned', 'blocked', 'rejected'] as const)(
    '%s: the whole amount is back in the earnings, once',
    async (status) => {
      const { owner, reference } = await makeReady()
      await send()
      await provider.setTransfer(reference, status)
      await Promise.all([ask(), ask(0), ask(0)])
      expect((await newest(owner)).status).toBe('failed')
      expect(await earningsOf(shop, owner.shopId)).toBe(500)
    },
  )

  test.each([
    ['lost, but acted upon', { kind: 'drop', acts: true } as const],
    ['cut in half', { kind: 'malformed', acts: true } as const],
    ['an error of the server that acted', { kind: 'error', acts: true } as const],
  ])('a reply that is %s makes it unknown; it is asked about and never sent again', async (_what, fault) => {
    const { owner, reference } = await makeReady()
    const before = provider.transfers().length
    provider.addFault({ call: 'transfer', reference, ...fault })
    await send()
    expect(await newest(owner)).toMatchObject({ status: 'unknown', askedNextAt: expect.any(String) })
    await send()
    await provider.setTransfer(reference, 'success')
    await ask()
    expect((await newest(owner)).status).toBe('paid')
    expect(provider.transfers().length).toBe(before + 1)
    expect(await earningsOf(shop, owner.shopId)).toBe(450)
  })

  test('one that the provider does not know waits for a person; sent again it has the same reference', async () => {
    const { owner, id, reference } = await makeReady()
    provider.addFault({ call: 'transfer', kind: 'drop', acts: false })
    await send()
    expect((await newest(owner)).status).toBe('unknown')
    await ask()
    expect((await newest(owner)).status).toBe('unknown')
    await ask(11 * MINUTE_MS)
    expect(await newest(owner)).toMatchObject({ status: 'approval', reason: 'The provider could not find it, so we look first.' })
    expect(await call(shop, 'PUT', `/earnings/withdrawals/${id}/cancel`, { as: owner })).toMatchObject({ status: 409 })
    const approved = await decide(id, 'approve')
    expect(approved).toMatchObject({ status: 200, body: { withdrawal: { wasSent: true, reference } } })
    await until(async () => (await newest(owner)).status === 'accepted')
    await provider.setTransfer(reference, 'success')
    await ask()
    expect((await newest(owner)).status).toBe('paid')
  })

  test('one that the provider finds late is neither declined nor paid by hand', async () => {
    const { owner, id, reference } = await makeReady()
    provider.addFault({ call: 'transfer', reference, kind: 'drop', acts: true })
    const notFound = { kind: 'reply', status: 404, body: { status: false, message: 'Transfer not found' } } as const
    provider.addFault({ call: 'verify-transfer', reference, ...notFound, times: 2 })
    await send()
    await ask()
    await ask(11 * MINUTE_MS)
    expect((await newest(owner)).status).toBe('approval')
    expect(await decide(id, 'decline', { reason: 'Not found' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect((await newest(owner)).status).toBe('accepted')
    expect(await decide(id, 'pay-by-hand', { transactionId: '51234567890' })).toMatchObject({ status: 409 })
    expect(await earningsOf(shop, owner.shopId)).toBe(450)
  })

  test('the provider pays after its money went back: it is a loss that staff hear of, booked once', async () => {
    const { owner, id, reference } = await makeReady()
    const before = await received()
    provider.addFault({ call: 'transfer', reference, kind: 'drop', acts: true })
    const notFound = { kind: 'reply', status: 404, body: { status: false, message: 'Transfer not found' } } as const
    provider.addFault({ call: 'verify-transfer', reference, ...notFound, times: 3 })
    await send()
    await ask()
    await ask(11 * MINUTE_MS)
    expect((await decide(id, 'decline', { reason: 'Not found' })).status).toBe(200)
    await provider.setTransfer(reference, 'success')
    for (let n = 0; n < 2; n++) await decide(id, 'check')
    const { rows } = await shop.database.db.query<{ n: number }>('select count(*)::int as n from journal_entries where key = $1', [
      `withdrawal-late:${id}`,
    ])
    expect(rows[0]?.n).toBe(1)
    expect(await received()).toBe(before)
    expect(await earningsOf(shop, owner.shopId)).toBe(500)
  })

  test('the provider’s balance is finished: it waits, and goes out once approved again', async () => {
    const { owner, id } = await makeReady()
    await provider.changeTransfers({ balancePesewas: 10 })
    await send()
    expect(await newest(owner)).toMatchObject({ status: 'approval' })
    const listed = await call<StaffWithdrawal[]>(shop, 'GET', '/withdrawals', {
      as: finance,
      query: { open: 'true', search: owner.username },
    })
    expect(listed.body).toMatchObject([{ provider: 'Your balance is not enough to fulfill this request', wasSent: true }])
    await provider.changeTransfers({ balancePesewas: 100_000_00 })
    await decide(id, 'approve')
    await until(async () => (await newest(owner)).status === 'accepted')
  })

  test('a number that cannot be named gives the money back; no answer keeps it for later', async () => {
    const { owner } = await makeReady(500, { phoneNumber: '0245550122' })
    provider.addFault({ call: 'recipient', kind: 'drop' })
    await send()
    expect((await newest(owner)).status).toBe('ready')
    provider.addFault({ call: 'recipient', kind: 'reply', status: 400, body: { status: false, message: 'Invalid number' } })
    shop.clock.advance(2 * MINUTE_MS)
    await send()
    expect((await newest(owner)).status).toBe('failed')
    expect(await earningsOf(shop, owner.shopId)).toBe(500)
  })

  test('another amount, or another currency, is not taken for paid', async () => {
    const { owner, reference } = await makeReady()
    await send()
    await provider.setTransfer(reference, 'success')
    provider.addFault({ call: 'verify-transfer', kind: 'data', reference, data: { amount: 1 } })
    await ask()
    expect((await newest(owner)).status).toBe('unknown')
    provider.addFault({ call: 'verify-transfer', kind: 'data', reference, data: { currency: 'NGN' } })
    await ask()
    expect((await newest(owner)).status).toBe('unknown')
    await ask(5 * MINUTE_MS)
    expect((await newest(owner)).status).toBe('paid')
  })

  test('one that waits for a code says so to staff', async () => {
    await provider.changeTransfers({ otp: true })
    const { id } = await makeReady()
    await send()
    await ask()
    expect(await decide(id, 'check')).toMatchObject({
      body: { withdrawal: { status: 'accepted', provider: expect.stringContaining('OTP') } },
    })
  })

  test('what comes back after it was paid is in the earnings again', async () => {
    const { owner, id, reference } = await makeReady()
    const before = await received()
    await send()
    await provider.setTransfer(reference, 'success')
    await ask()
    expect((await newest(owner)).status).toBe('paid')
    expect(await received()).toBe(before)
    await provider.setTransfer(reference, 'reversed')
    for (let n = 0; n < 2; n++) await decide(id, 'check')
    expect((await newest(owner)).status).toBe('reversed')
    expect(await received()).toBe(before)
    expect(await earningsOf(shop, owner.shopId)).toBe(500)
  })

  test('a process that died during the call leaves it to be asked about', async () => {
    const { owner, reference } = await makeReady()
    const died = { ...gateway, payouts: { ...gateway.payouts, send: () => Promise.reject(new Error('the process ended')) } }
    await sendWithdrawals(makeCtx(shop).ctx, died)
    expect((await newest(owner)).status).toBe('sending')
    await send()
    await ask(2 * MINUTE_MS)
    expect((await newest(owner)).status).toBe('unknown')
    expect(provider.transfers().some((one) => one.reference === reference)).toBe(false)
  })

  test('two processes that send at once send one transfer each', async () => {
    const made = [await makeReady(), await makeReady(), await makeReady()].map(({ reference }) => reference)
    await Promise.all([send(), send(), send()])
    expect(provider.transfers().filter(({ reference }) => made.includes(reference)).length).toBe(3)
  })
})

test('what has not gone out when its agent is banned or the shop is closed waits for a person, who may still pay it', async () => {
  const { db } = shop.database
  for (const bar of [`update users set status = 'Banned' where id = $1`, CLOSE_SHOP]) {
    const { owner, id, reference } = await makeReady()
    await db.query(bar, [owner._id])
    await send()
    expect((await db.query('select status, reason from withdrawals where id = $1', [id])).rows).toEqual([
      { status: 'approval', reason: 'Your account or shop was closed, so we look first.' },
    ])
    expect(provider.transfers().some((transfer) => transfer.reference === reference)).toBe(false)
    expect((await decide(id, 'approve')).status).toBe(200)
    // The approval wakes the shop's own loop, which may be the one that sends it.
    await send()
    await until(async () => (await db.query(`select from withdrawals where id = $1 and status = 'accepted'`, [id])).rowCount === 1)
  }
  const owner = await makeKnownOwner()
  await db.query(CLOSE_SHOP, [owner._id])
  expect((await withdraw(owner)).body.withdrawal).toMatchObject({
    status: 'approval',
    reason: 'Your shop was closed by us, so we look first.',
  })
})

test('what was taken back before it went out leaves the limit of the day as it was', async () => {
  const owner = await makeKnownOwner()
  // The loop, which the request wakes, may come first: it cannot name the number.
  provider.addFault({ call: 'recipient', kind: 'drop', times: 1_000 })
  const { withdrawal } = (await withdraw(owner, { amount: 150 })).body
  expect(withdrawal.status).toBe('ready')
  await shop.database.db.query(CLOSE_SHOP, [owner._id])
  provider.clearFaults()
  shop.clock.advance(2 * MINUTE_MS)
  await send()
  await until(async () => (await newest(owner)).status === 'approval')
  expect((await call(shop, 'PUT', `/earnings/withdrawals/${withdrawal._id}/cancel`, { as: owner })).status).toBe(200)
  await shop.database.db.query('update agent_shops set closed_at = null, closed_reason = null, closed_by = null where id = $1', [
    owner.shopId,
  ])
  expect(await readEarnings(owner)).toMatchObject({ rules: { unapproved: 200, atOnce: 200 } })
  expect((await withdraw(owner, { amount: 200 })).body.withdrawal).toMatchObject({ status: 'ready', reason: null })
})

describe('a person', () => {
  test('pays by hand, once, with a transaction that paid nothing else', async () => {
    const owner = await makeShopOwner(shop, { earned: 200 })
    const [first, second] = [await withdraw(owner), await withdraw(owner)].map(({ body }) => body.withdrawal._id) as [string, string]
    const transactionId = `7${Date.now()}`
    const before = await received()
    const replies = await Promise.all([1, 2, 3].map(() => decide(first, 'pay-by-hand', { transactionId })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await received()).toBe(before)
    expect(await decide(second, 'pay-by-hand', { transactionId })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await earningsOf(shop, owner.shopId)).toBe(100)
    const since = (moment: number) => selectSums(shop.database.db, owner.shopId, new Date(moment))
    expect(await since(shop.clock.now.getTime())).toMatchObject({ withdrawn: 1, withdrawnPesewas: 50_00, beingPaid: 1 })
    expect(await since(shop.clock.now.getTime() + 1)).toMatchObject({ withdrawn: 0, withdrawnPesewas: 0, beingPaid: 1 })
    const { rows } = await shop.database.db.query<{ code: string; amount: number }>(
      `select a.code, p.amount_pesewas as amount from journal_entries e join postings p on p.entry_id = e.id join accounts a on a.id = p.account_id
       where e.key = $1 order by p.line`,
      [`withdrawal-paid:${first}`],
    )
    expect(rows).toEqual([
      { code: 'withdrawals-pending', amount: -50_00 },
      { code: 'mobile-money-received', amount: 49_00 },
      { code: 'withdrawal-fees', amount: 1_00 },
    ])
  })

  test('declines, or the agent takes it back: the money is back once, whoever is first', async () => {
    const owner = await makeShopOwner(shop, { earned: 100 })
    const { body } = await withdraw(owner)
    const id = body.withdrawal._id
    const replies = await Promise.all([
      decide(id, 'decline', { reason: 'Wrong number' }),
      call(shop, 'PUT', `/earnings/withdrawals/${id}/cancel`, { as: owner }),
      decide(id, 'decline', { reason: 'Wrong number' }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await earningsOf(shop, owner.shopId)).toBe(100)
  })

  test('without the role sees and decides nothing; an agent sees only their own', async () => {
    const owner = await makeShopOwner(shop, { earned: 100 })
    const other = await makeShopOwner(shop, { earned: 100 })
    const { body } = await withdraw(owner)
    const id = body.withdrawal._id
    const support = await makeUser(shop, { roles: ['support'] })
    for (const [deed, sent] of [
      ['approve', undefined],
      ['decline', { reason: 'Wrong number' }],
      ['pay-by-hand', { transactionId: '51234567890' }],
      ['check', undefined],
    ] as const) {
      expect((await decide(id, deed, sent, support)).status).toBe(403)
      expect((await decide(id, deed, sent, owner)).status).toBe(403)
      expect((await decide(NOBODY, deed, sent)).status).toBe(404)
    }
    expect((await call(shop, 'GET', '/withdrawals', { as: support })).status).toBe(403)
    expect(await call(shop, 'PUT', `/earnings/withdrawals/${id}/cancel`, { as: other })).toMatchObject({ status: 404 })
    expect(await readOwn(other)).toEqual([])
  })

  test('changes the rules, if they own the shop', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    expect((await call(shop, 'PUT', '/withdrawals/rules', { as: finance, body: { fee: 2 } })).status).toBe(403)
    expect(await call(shop, 'PUT', '/withdrawals/rules', { as: owner, body: { fee: 2, byHand: true } })).toMatchObject({
      status: 200,
      body: { rules: { fee: 2, byHand: true, minimum: 20 }, available: true },
    })
    const agent = await makeShopOwner(shop, { earned: 100 })
    const { body } = await withdraw(agent, { fee: 2 })
    expect(body.withdrawal).toMatchObject({ status: 'approval', reason: 'We pay it from our phone, usually the same day.' })
    expect(await decide(body.withdrawal._id, 'approve')).toMatchObject({ status: 409 })
    expect((await call(shop, 'PUT', '/withdrawals/rules', { as: owner, body: { fee: 1, byHand: false } })).status).toBe(200)
  })

  test('sets a least of which, after the fee, less would be left than the provider sends', async () => {
    const owner = await makeUser(shop, { roles: ['owner'] })
    const rules = (body: object) => call(shop, 'PUT', '/withdrawals/rules', { as: owner, body })
    expect((await rules({ minimum: 1, fee: 0.7, byHand: false })).status).toBe(200)
    const agent = await makeShopOwner(shop, { earned: 100 })
    expect((await readEarnings(agent)).rules.minimum).toBe(1.7)
    const refused = await withdraw(agent, { amount: 1.69, fee: 0.7 })
    expect([refused.status, refused.body.message]).toEqual([409, 'The least you can withdraw is GHS 1.70.'])
    expect((await withdraw(agent, { amount: 1.7, fee: 0.7 })).status).toBe(200)
    expect((await rules({ byHand: true })).status).toBe(200)
    expect((await withdraw(agent, { amount: 1, fee: 0.7 })).status).toBe(200)
    expect((await rules({ minimum: 20, fee: 1, byHand: false })).status).toBe(200)
  })
})

describe('the database', () => {
  test.each([
    ['another amount', 'amount_pesewas = 1'],
    ['another number', `phone = '0200000000'`],
    ['another reference', `reference = repeat('a', 24)`],
    ['to be paid without being sent', `status = 'reversed', ended_at = now()`],
  ])('refuses %s', async (_what, change) => {
    const owner = await makeShopOwner(shop, { earned: 100 })
    const { body } = await withdraw(owner)
    await expect(shop.database.db.query(`update withdrawals set ${change} where id = $1`, [body.withdrawal._id])).rejects.toMatchObject({
      code: 'DW012',
    })
    await expect(shop.database.db.query('delete from withdrawals where id = $1', [body.withdrawal._id])).rejects.toMatchObject({
      code: 'DW001',
    })
  })
})

describe('the database lets a withdrawal', () => {
  const WAYS: Record<string, string[]> = {
    approval: ['ready', 'paid', 'failed', 'declined', 'cancelled', 'accepted', 'unknown'],
    ready: ['sending', 'approval', 'failed', 'accepted', 'unknown', 'paid'],
    sending: ['accepted', 'unknown', 'approval', 'failed', 'paid'],
    accepted: ['paid', 'failed', 'unknown'],
    unknown: ['accepted', 'paid', 'failed', 'approval'],
    paid: ['reversed'],
    failed: [],
    declined: [],
    cancelled: [],
    reversed: [],
  }
  const STATUSES = Object.keys(WAYS)
  const OPEN = ['approval', 'ready', 'sending', 'accepted', 'unknown']
  const endOf = (status: string) => (OPEN.includes(status) ? null : '2026-11-21T12:00:00Z')
  let like: string
  const change = (status: string, change: string, before: object = {}) =>
    tryChange(shop.database.db, 'withdrawals', {
      like,
      before: { key: 'another', reference: 'b'.repeat(24), not_found: 2, status, ended_at: endOf(status), ...before },
      change,
    })
  const moved = (to: string) => `status = '${to}', ended_at = ${OPEN.includes(to) ? 'null' : 'now()'}`

  beforeAll(async () => {
    like = (await withdraw(await makeShopOwner(shop, { earned: 100 }))).body.withdrawal._id
  })

  test.each(STATUSES)('that is %s go its ways and no other', async (from) => {
    const taken: string[] = []
    for (const to of STATUSES) {
      const code = await change(from, moved(to))
      expect([to, code]).toEqual([to, code === TAKEN ? TAKEN : 'DW012'])
      if (code === TAKEN && to !== from) taken.push(to)
    }
    expect(taken.toSorted()).toEqual(WAYS[from]?.toSorted())
  })

  test('that may have been paid wait for approval only when the provider has said twice that it does not know it', async () => {
    expect(await change('unknown', moved('approval'), { not_found: 1 })).toBe('DW012')
    expect(await change('unknown', 'asks = asks + 1', { not_found: 1 })).toBe(TAKEN)
    expect(await change('accepted', moved('unknown'), { not_found: 1 })).toBe(TAKEN)
    expect(await change('sending', moved('approval'), { not_found: 1 })).toBe(TAKEN)
  })

  test('that was sent stay sent', async () => {
    expect(await change('unknown', 'sent_at = null', { sent_at: '2026-11-21T12:00:00Z' })).toBe('DW012')
    expect(await change('unknown', 'asks = asks + 1', { sent_at: '2026-11-21T12:00:00Z' })).toBe(TAKEN)
    expect(await change('ready', 'sent_at = now()', { sent_at: null })).toBe(TAKEN)
    expect(await change('ready', 'sent_at = null', { sent_at: null })).toBe(TAKEN)
  })

  test('that was paid by hand never come back', async () => {
    expect(await change('paid', `${moved('reversed')}, hand_transaction_id = null`, { hand_transaction_id: '123' })).toBe('DW012')
  })

  test.each([
    'id = gen_random_uuid()',
    'shop_id = gen_random_uuid()',
    'requested_by = gen_random_uuid()',
    "key = 'a third'",
    "reference = repeat('c', 24)",
    'amount_pesewas = amount_pesewas + 1',
    'fee_pesewas = fee_pesewas + 1',
    "network = case network when 'MTN' then 'Telecel' else 'MTN' end",
    "phone = '0200000000'",
    "name = 'Another Name'",
    "created_at = created_at + interval '1 second'",
  ])('keep what was asked for: no %s', async (what) => {
    expect(await change('approval', what)).toBe('DW012')
  })
})

test('movements are listed with the balance after each', async () => {
  const owner = await makeShopOwner(shop, { earned: 100 })
  const { body } = await withdraw(owner)
  await decide(body.withdrawal._id, 'decline', { reason: 'Wrong number' })
  const movements = await call<Earnings['latest']>(shop, 'GET', '/earnings/movements', { as: owner, query: { page: '1', pageSize: '5' } })
  expect(movements.body.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['returned', 50, 100],
    ['withdrawn', -50, 50],
    ['other', 100, 100],
  ])
  expect(movements.body[1]?.details).toMatch(/ 0\d{9}$/)
  // A guest's number is theirs, as among the sales.
  const row = { entryId: 1, line: 1, kind: 'delivery', memo: 'MTN 2GB to 0244770001', amountPesewas: 170, balanceAfterPesewas: 170 }
  const shown = ['delivery', 'order-refund', 'withdrawal'].map((kind) => presentMovement({ ...row, kind, createdAt: new Date() }).details)
  expect(shown).toEqual(['MTN 2GB to ••• ••• •001', 'MTN 2GB to ••• ••• •001', 'MTN 2GB to 0244770001'])
})

test('what a person decides and what is unclear stands in the inbox of whoever sees the money, until it is decided', async () => {
  const read = async (roles: ('finance' | 'orders')[]) => {
    const { body } = await call<InboxReply>(shop, 'GET', '/admin/inbox', { as: await makeUser(shop, { roles }) })
    return body.groups.filter(({ kind }) => kind === 'withdrawals')
  }
  const before = (await read(['finance']))[0]?.count ?? 0
  const owner = await makeShopOwner(shop, { earned: 100 })
  const { body } = await withdraw(owner)
  const [group] = await read(['finance'])
  expect(group).toMatchObject({ count: before + 1, detail: expect.stringMatching(/\d+ to decide/) })
  expect(await read(['orders'])).toEqual([])
  expect((await decide(body.withdrawal._id, 'decline', { reason: 'Not yours' })).status).toBe(200)
  expect((await read(['finance']))[0]?.count ?? 0).toBe(before)
})

describe('a code for a new number', () => {
  const NEW = '0245550177'
  const askCode = (as: { token: string }, phoneNumber = NEW) =>
    call<{ confirmed: boolean; waitSeconds: number; message: string }>(shop, 'POST', '/earnings/payout-numbers/code', {
      as,
      body: { phoneNumber },
    })
  const type = (as: { token: string }, code: string, phoneNumber = NEW) =>
    call<{ number: { phoneNumber: string; freeAt: string }; message: string }>(shop, 'POST', '/earnings/payout-numbers', {
      as,
      body: { phoneNumber, code },
    })
  const sentTo = (phone: string) => (shop.sandbox?.sms.messages() ?? []).filter(({ to }) => to === phone).map(({ body }) => body)
  const codesOf = (phone: string) => sentTo(phone).flatMap((text) => /^(\d{6}) is your Dwadi code/.exec(text)?.[1] ?? [])
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  /** A number of its own for each test, and the code that was sent to it. */
  let numbers = 0
  async function receive(as: { token: string }, phone = `02455502${String(++numbers).padStart(2, '0')}`) {
    const before = codesOf(phone).length
    expect(await askCode(as, phone)).toMatchObject({ status: 200, body: { confirmed: false, waitSeconds: 60 } })
    // The newest comes first.
    const code = await until(async () => (codesOf(phone).length > before ? codesOf(phone)[0] : null))
    return { phone, code }
  }

  test('stands in the message alone and confirms the number for one shop, once; then money goes out by itself, and the account is told', async () => {
    const [owner, thief] = [await makeShopOwner(shop, { earned: 300 }), await makeShopOwner(shop, { earned: 300 })]
    expect(await readEarnings(owner)).toMatchObject({ sendsCodes: true, confirmed: [] })
    const replies = await Promise.all([askCode(owner), askCode(owner), askCode(owner)])
    expect(replies.map(({ status, body }) => [status, body.waitSeconds])).toEqual(Array(3).fill([200, 60]))
    const code = await until(async () => codesOf(NEW)[0])
    const { rows: kept } = await shop.database.db.query<{ all: string }>(
      `select string_agg(to_jsonb(c)::text || m.body, '') as all, count(*) from payout_codes c join sms_messages m on m.payout_code_id = c.id where c.phone = $1`,
      [NEW],
    )
    expect(kept[0]?.all).toContain('xxxxxx is your')
    expect(kept[0]?.all).not.toContain(code)

    expect((await withdraw(owner, { phoneNumber: NEW, amount: 20 })).body.withdrawal).toMatchObject({ status: 'approval' })
    expect(await type(thief, code)).toMatchObject({ status: 409 })
    const typed = await Promise.all(Array.from({ length: 4 }, () => type(owner, ` ${code.slice(0, 3)} ${code.slice(3)}`)))
    expect(typed.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(typed[0]?.body.number).toEqual({ phoneNumber: NEW, freeAt: shop.clock.now.toISOString() })
    expect(await askCode(owner)).toMatchObject({ body: { confirmed: true, waitSeconds: 0 } })
    expect(await readEarnings(owner)).toMatchObject({ confirmed: [{ phoneNumber: NEW }] })
    expect((await withdraw(owner, { phoneNumber: NEW, amount: 20 })).body.withdrawal).toMatchObject({ status: 'ready', reason: null })
    expect((await withdraw(owner, { phoneNumber: NEW, amount: 190 })).body.withdrawal).toMatchObject({ status: 'approval' })
    expect((await withdraw(thief, { phoneNumber: NEW, amount: 20 })).body.withdrawal).toMatchObject({ status: 'approval' })
    const { body: staff } = await call<StaffWithdrawal[]>(shop, 'GET', '/withdrawals', { as: finance, query: { search: NEW } })
    expect(new Set(staff.map(({ agent, confirmed }) => `${agent._id} ${confirmed}`))).toEqual(
      new Set([`${owner._id} true`, `${thief._id} false`]),
    )
    const news = await until(async () => sentTo(owner.phone)[0])
    expect(news).toMatch(/^Dwadi: earnings of your shop can now be sent to 0245550177\. If that was not you, .* call us: \d+$/)
    const mail = await until(async () => shop.sandbox?.mail.messages().find(({ to }) => to === owner.email))
    expect([mail.subject, mail.body]).toEqual(['A new number for your Dwadi earnings', expect.stringContaining('024 555 0177')])
  })

  test('of a number that was removed is asked for no more: a person looks again, also where it was paid before', async () => {
    const [owner, other] = [await makeShopOwner(shop, { earned: 300 }), await makeShopOwner(shop)]
    const { phone, code } = await receive(owner)
    const remove = (as: { token: string }, phoneNumber = phone) =>
      call<{ message: string }>(shop, 'POST', '/earnings/payout-numbers/remove', { as, body: { phoneNumber } })
    expect((await remove(owner)).status).toBe(404)
    await type(owner, code, phone)
    expect((await remove(other)).status).toBe(404)
    expect((await remove(await makeUser(shop))).status).toBe(404)
    expect((await remove(owner, '12345')).status).toBe(400)
    const payByHand = async (amount: number, reason: RegExp) => {
      const { withdrawal } = (await withdraw(owner, { phoneNumber: phone, amount })).body
      expect(withdrawal).toMatchObject({ status: 'approval', reason: expect.stringMatching(reason) })
      const paid = { transactionId: `7${withdrawal.number}${amount}` }
      expect((await call(shop, 'PUT', `/withdrawals/${withdrawal._id}/pay-by-hand`, { as: finance, body: paid })).status).toBe(200)
    }
    await payByHand(210, /in a day/)
    expect(await readEarnings(owner)).toMatchObject({ confirmed: [{ phoneNumber: phone }], numbers: [{ phoneNumber: phone }] })
    expect((await remove(owner)).status).toBe(200)
    expect((await remove(owner)).status).toBe(404)
    expect(await readEarnings(owner)).toMatchObject({ confirmed: [], numbers: [] })
    shop.clock.advance(2 * MINUTE_MS)
    expect(await askCode(owner, phone)).toMatchObject({ status: 409, body: { message: expect.stringContaining('was removed') } })
    expect(await type(owner, code, phone)).toMatchObject({ status: 409 })
    await payByHand(20, /^New number/)
    expect((await withdraw(owner, { phoneNumber: phone, amount: 20 })).body.withdrawal).toMatchObject({ status: 'ready' })
  })

  test('is missed five times and no more, at the same time too; a shop has fifteen tries a day, whatever numbers it names', async () => {
    const owner = await makeShopOwner(shop)
    const { phone, code } = await receive(owner)
    expect(await type(owner, 'abcdef', phone)).toMatchObject({ status: 400, body: { message: 'Enter the 6 digits from the message.' } })
    const tries = await Promise.all(Array.from({ length: 12 }, () => type(owner, other(code), phone)))
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(5).fill(400), ...Array(7).fill(409)])
    expect(tries.map(({ body }) => body.message)).toContain('That is not the code. You have 1 more try.')
    expect(await type(owner, code, phone)).toMatchObject({ status: 409, body: { message: 'That code has ended. Have a new one sent.' } })
    for (let more = 0; more < 2; more++) {
      const next = await receive(owner)
      for (let wrong = 0; wrong < 5; wrong++) expect((await type(owner, other(next.code), next.phone)).status).toBe(400)
    }
    const last = await receive(owner)
    expect(await type(owner, last.code, last.phone)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('too often for today') },
    })
  })

  test('works for ten minutes, and the one before it for its own ten; a message that is late by as much is not sent', async () => {
    const owner = await makeShopOwner(shop)
    const first = await receive(owner)
    shop.clock.advance(MINUTE_MS)
    const second = await receive(owner, first.phone)
    shop.clock.advance(9 * MINUTE_MS)
    expect((await type(owner, first.code, first.phone)).status).toBe(400)
    expect((await type(owner, second.code, first.phone)).status).toBe(200)

    const { db } = shop.database
    const { rows } = await db.query<{ id: string }>(
      `with asked as (insert into payout_codes (shop_id, phone, asked_by, asked_at) values ($1, $2, $3, $4) returning id)
       insert into sms_messages (kind, payout_code_id, receiver, body, status, created_at, updated_at)
       select 'payout-code', id, $2, 'xxxxxx is your Dwadi code', 'waiting', $4, $4 from asked returning id`,
      [owner.shopId, NEW, owner._id, new Date(shop.clock.now.getTime() - 10 * MINUTE_MS - 1)],
    )
    const sender = { send: () => Promise.reject(new Error('it was sent')) }
    const sms = { sender, shopName: 'Dwadi', shopPhone: '', timings: {} } as unknown as SmsGateway
    await sendNumberCodeMessage(makeCtx(shop).ctx, sms, { messageId: rows[0]?.id ?? '' })
    expect((await db.query('select status from sms_messages where id = $1', [rows[0]?.id])).rows).toEqual([{ status: 'failed' }])
  })

  test('is sent to who owns the shop and has just given the password, and not on and on', async () => {
    const owner = await makeShopOwner(shop)
    expect(await askCode(await makeUser(shop))).toMatchObject({ status: 404 })
    expect(await type(await makeUser(shop), '123456')).toMatchObject({ status: 404 })
    expect(await askCode(owner, '0301234567')).toMatchObject({ status: 400 })
    const { phone } = await receive(owner)
    for (let more = 0; more < 5; more++) {
      await shop.database.db.query(`update payout_codes set asked_at = asked_at - interval '1 minute' where shop_id = $1`, [owner.shopId])
      await receive(owner, phone)
    }
    await shop.database.db.query(`update payout_codes set asked_at = asked_at - interval '1 minute' where shop_id = $1`, [owner.shopId])
    const stranger = await makeShopOwner(shop)
    for (const as of [owner, stranger])
      expect(await askCode(as, phone)).toMatchObject({ status: 409, body: { message: expect.stringContaining('enough codes for today') } })
    for (let more = 0; more < 4; more++) await receive(owner)
    expect(await askCode(owner, '0245550178')).toMatchObject({ status: 409 })
    shop.clock.advance(6 * MINUTE_MS)
    expect(await askCode(stranger, '0245550178')).toMatchObject({ status: 403, body: { code: 'PASSWORD_NEEDED' } })
    await call(shop, 'POST', '/user/me/confirm-password', { as: stranger, body: { password: PASSWORD } })
    const sentToday = (used: number) =>
      shop.database.db.query('insert into sms_days (day, used) values ($1, $2) on conflict (day) do update set used = $2', [
        shop.clock.now.toISOString().slice(0, 10),
        used,
      ])
    await sentToday(500)
    expect(await askCode(stranger, '0245550178')).toMatchObject({
      status: 409,
      body: { message: 'We can’t send any more SMS today. Withdraw without a code, and we look first.' },
    })
    await sentToday(0)
    expect(await askCode(stranger, '0245550178')).toMatchObject({ status: 200 })
  })

  test('right after a change of the phone or the password confirms a number that waits first, as long as the owner says', async () => {
    expect(await call(shop, 'PUT', '/withdrawals/rules', { as: finance, body: { numberHoldHours: 2 } })).toMatchObject({ status: 403 })
    const boss = await makeUser(shop, { roles: ['owner'] })
    const set = (numberHoldHours: number) => call(shop, 'PUT', '/withdrawals/rules', { as: boss, body: { numberHoldHours } })
    expect(await set(169)).toMatchObject({ status: 400 })
    expect(await set(2)).toMatchObject({ status: 200, body: { rules: { numberHoldHours: 2 } } })
    const owner = await makeShopOwner(shop, { earned: 300 })
    const changed = await call(shop, 'PUT', '/user/me/contact', { as: owner, body: { password: PASSWORD, phone: '0245550166' } })
    expect(changed.status).toBe(200)
    const { phone, code } = await receive(owner)
    const freeAt = new Date(shop.clock.now.getTime() + 120 * MINUTE_MS)
    expect((await type(owner, code, phone)).body.number).toEqual({ phoneNumber: phone, freeAt: freeAt.toISOString() })
    shop.clock.now = new Date(freeAt.getTime() - 1)
    expect((await withdraw(owner, { phoneNumber: phone })).body.withdrawal).toMatchObject({
      status: 'approval',
      reason: expect.stringContaining('was changed lately'),
    })
    shop.clock.now = freeAt
    expect((await withdraw(owner, { phoneNumber: phone })).body.withdrawal).toMatchObject({ status: 'ready' })

    const settled = await makeShopOwner(shop, { earned: 300 })
    await shop.database.db.query(`update users set login_changed_at = $2::timestamptz - interval '7 days 1 second' where id = $1`, [
      settled._id,
      shop.clock.now,
    ])
    const usual = await receive(settled)
    expect((await type(settled, usual.code, usual.phone)).body.number.freeAt).toBe(shop.clock.now.toISOString())
  })

  test('is asked for by the database itself: nothing goes out to another number without a person', async () => {
    const owner = await makeShopOwner(shop)
    const insert = shop.database.db.query(
      `insert into withdrawals (shop_id, requested_by, key, reference, amount_pesewas, fee_pesewas, network, phone, name, new_number, status,
         unapproved, created_at)
       values ($1, $2, 'k', repeat('w', 24), 5000, 100, 'MTN', '0245550199', 'Ama Mensah', false, 'ready', true, now())`,
      [owner.shopId, owner._id],
    )
    await expect(insert).rejects.toMatchObject({ code: 'DW012' })
  })
})

// The last one: whoever signed in before is signed out by the next day.
test('profit rests a night; the sums add up to what can be withdrawn', async () => {
  const owner = await makeShopOwner(shop, { earned: 70 })
  const buyer = await makeUser(shop, { balance: 100 })
  const { body } = await checkout(shop, buyer, [await cartLine(shop)])
  await shop.database.db.query(
    `insert into profit_shares (order_id, shop_id, price_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, sold_at, released_at)
     values ($1, $2, 1500, 500, 510, 2000, $3, $3)`,
    [body.orders[0]?._id, owner.shopId, shop.clock.now],
  )
  await earn(shop, owner.shopId, 10)
  const first = await readEarnings(owner)
  expect(first).toMatchObject({ balance: 80, withdrawable: 70, held: { amount: 10, orders: 1 } })
  expect(await withdraw(owner, { amount: 70.01 })).toMatchObject({ status: 402 })
  expect((await withdraw(owner, { amount: 70 })).body).toMatchObject({ withdrawable: 0 })

  const { sums, withdrawable, held } = await readEarnings(owner)
  const cents = (amount: number) => Math.round(amount * 100)
  expect(
    cents(sums.before) +
      cents(sums.released) -
      cents(sums.takenBack.amount) -
      cents(sums.withdrawn.amount) -
      cents(sums.beingPaid.amount) -
      cents(held.amount),
  ).toBe(cents(withdrawable))
  expect(sums.beingPaid).toEqual({ amount: 70, count: 1 })
  const { db } = shop.database
  const later = new Date(shop.clock.now.getTime() + 1)
  expect(await selectSums(db, owner.shopId, shop.clock.now)).toMatchObject({
    releasedPesewas: 10_00,
    takenBack: 0,
    beingPaidPesewas: 70_00,
  })
  expect(await selectSums(db, owner.shopId, later)).toMatchObject({ releasedPesewas: 0, takenBack: 0, beingPaidPesewas: 70_00 })

  const freeAt = new Date(first.held.freeAt as string)
  expect(freeAt.getUTCHours()).toBe(9)
  shop.clock.now = new Date(freeAt.getTime() - 1)
  expect((await readEarnings(owner)).withdrawable).toBe(0)
  shop.clock.now = freeAt
  expect((await readEarnings(owner)).withdrawable).toBe(10)
  await db.query('update profit_shares set ended_at = $2 where shop_id = $1', [owner.shopId, freeAt])
  expect(await selectSums(db, owner.shopId, freeAt)).toMatchObject({ takenBack: 1, takenBackPesewas: 10_00 })
  expect(await selectSums(db, owner.shopId, new Date(freeAt.getTime() + 1))).toMatchObject({ takenBack: 0, takenBackPesewas: 0 })
  // The order behind it was never a shop's, which the books would say.
  await shop.database.db.query('delete from profit_shares where shop_id = $1', [owner.shopId])
})

test('a withdrawal needs a proof of the PIN where its agent has it on; the same attempt then goes on, and the database asks by itself', async () => {
  const owner = await makeShopOwner(shop, { earned: 300 })
  const ask = (key: string, proof?: string, amount = 50) => {
    const headers = { 'idempotency-key': key, ...(proof !== undefined && { 'pin-proof': proof }) }
    return call<Reply & { code: string }>(shop, 'POST', '/earnings/withdrawals', { as: owner, body: { ...wish, amount }, headers })
  }
  await call(shop, 'POST', '/user/me/pin', { as: owner, body: { password: PASSWORD, pin: '7392', atCheckout: true } })
  const prove = async () =>
    (await call<{ proof: string }>(shop, 'POST', '/user/me/pin/proof', { as: owner, body: { pin: '7392' } })).body.proof
  const before = await earningsOf(shop, owner.shopId)

  for (const proof of [undefined, 'made up', ''])
    expect([proof, (await ask('withdrawal-with-a-pin', proof)).body.code]).toEqual([proof, 'PIN_REQUIRED'])
  expect(await earningsOf(shop, owner.shopId)).toEqual(before)
  const proof = await prove()
  // What the rules refuse leaves the proof as it is; two at once use it once.
  expect((await ask('too-much-to-be-withdrawn', proof, 400)).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  const both = await Promise.all([ask('withdrawal-with-a-pin', proof), ask('another-withdrawal-of-it', proof)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
  const again = await Promise.all(['withdrawal-with-a-pin', 'another-withdrawal-of-it'].map((key) => ask(key)))
  expect(again.map(({ status }) => status).sort()).toEqual([200, 403])
  const insert = shop.database.db.query(
    `insert into withdrawals (shop_id, requested_by, key, reference, amount_pesewas, fee_pesewas, network, phone, name, new_number, status,
       reason, unapproved, created_at)
     values ($1, $2, 'k', repeat('x', 24), 5000, 100, 'MTN', '0245550199', 'Ama Mensah', true, 'approval', 'New number', false, now())`,
    [owner.shopId, owner._id],
  )
  await expect(insert).rejects.toMatchObject({ code: 'DW014' })
  // Off again, it goes without.
  await call(shop, 'PUT', '/user/me/pin', { as: owner, body: { currentPin: '7392', atCheckout: false } })
  expect((await ask('withdrawal-without-pin')).status).toBe(200)
})

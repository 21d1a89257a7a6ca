import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser } from '../../../../test/builders.ts'
import { openRealtimeProbe } from '../../../../test/realtime-probe.ts'
import { until } from '../../../../test/until.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const ROUNDS = 20

let shop: TestShop
let admins: [SignedInUser, SignedInUser]
let admin: SignedInUser
let url: string

beforeAll(async () => {
  shop = await openTestShop()
  url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
  admins = [await makeUser(shop, { level: 'Admin' }), await makeUser(shop, { level: 'Admin' })]
  admin = admins[0]
})
afterAll(() => shop.close())

function ask<T = { rechargeId: string; recharge: Recharge }>(as: { token: string }, amount: unknown) {
  return call<T>(shop, 'POST', '/recharge', { as, body: { amount } })
}

async function askFor(as: { token: string }, amount: number): Promise<Recharge> {
  const { status, body } = await ask(as, amount)
  expect(status).toBe(200)
  return body.recharge
}

type Decided = { recharge: Recharge; balance: number; message: string; code: string }

function decide(id: string, verb: 'approve' | 'decline', as: { token: string } = admin) {
  return call<Decided>(shop, 'PUT', `/recharge/${id}/${verb}`, { as })
}

async function listOf(as: { token: string }, query: Record<string, string> = {}): Promise<Recharge[]> {
  return (await call<Recharge[]>(shop, 'GET', '/recharge', { as, query })).body
}

async function entriesOf(recharge: Recharge) {
  const { rows } = await shop.database.db.query<{ account: string; amount: number; actor: string }>(
    `select case when p.account_id >= 1000 then 'wallet' else a.code end as account, p.amount_pesewas as amount, e.actor_id as actor
     from journal_entries e join postings p on p.entry_id = e.id join accounts a on a.id = p.account_id
     where e.key = $1 order by p.line`,
    [`recharge:${recharge._id}`],
  )
  return rows
}

async function actionsOn(recharge: Recharge): Promise<AdminAction[]> {
  return (await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin, query: { search: recharge.rechargeId } })).body
}

const NO_BODY: [string, Record<string, string>][] = [
  ['no type', {}],
  ['JSON', { 'content-type': 'application/json' }],
  ['JSON with a character set', { 'content-type': 'application/json; charset=utf-8' }],
  ['plain text', { 'content-type': 'text/plain;charset=UTF-8' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['bytes', { 'content-type': 'application/octet-stream' }],
]

test.each(NO_BODY)('is decided without a body that calls itself %s', async (_name, headers) => {
  const customer = await makeUser(shop)
  const [first, second] = [await askFor(customer, 60), await askFor(customer, 70)]
  const url = (id: string, verb: string) => ({ method: 'PUT' as const, url: `/api/recharge/${id}/${verb}`, payload: '' })
  const authorization = `Bearer ${admin.token}`
  const approved = await shop.app.inject({ ...url(first._id, 'approve'), headers: { ...headers, authorization } })
  const declined = await shop.app.inject({ ...url(second.rechargeId, 'decline'), headers: { ...headers, authorization } })
  expect([approved.statusCode, approved.json().balance, declined.statusCode]).toEqual([200, 60, 200])
  expect(await balanceOf(shop, customer._id)).toBe(6_000)
})

test('the reason of a declined request is for its customer to read, and one of an approved request is impossible', async () => {
  const customer = await makeUser(shop)
  const { _id } = await askFor(customer, 60)
  const reply = await call<Decided>(shop, 'PUT', `/recharge/${_id}/decline`, { as: admin, body: { reason: '  No payment has come ' } })
  expect([reply.status, reply.body.recharge.declineReason]).toEqual([200, 'No payment has come'])
  expect(await listOf(customer)).toMatchObject([{ status: 'declined', declineReason: 'No payment has come' }])
  expect((await actionsOn(reply.body.recharge))[0]).toMatchObject({ action: 'recharge.decline', note: 'No payment has come' })
  const other = await askFor(customer, 70)
  await expect(
    shop.database.db.query(`update recharges set status = 'approved', decline_reason = 'none', decided_at = now() where id = $1`, [
      other._id,
    ]),
  ).rejects.toMatchObject({ constraint: 'recharges_decline_reason' })
  const long = await call<ErrorBody>(shop, 'PUT', `/recharge/${other._id}/decline`, { as: admin, body: { reason: 'x'.repeat(201) } })
  expect([long.status, long.body.issues?.[0]?.path]).toEqual([400, 'reason'])
})

describe('requesting a recharge', () => {
  test('returns eight digits to type and a pending record, and moves no money', async () => {
    const asker = await makeUser(shop)
    const { status, body } = await ask(asker, 50)
    expect(status).toBe(200)
    expect(body.rechargeId).toMatch(/^[1-9][0-9]{7}$/)
    expect(body.recharge).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      rechargeId: body.rechargeId,
      saidPaidAt: null,
      declineReason: null,
      credited: null,
      amount: 50,
      status: 'pending',
      createdAt: '2026-11-21T12:00:00.000Z',
      user: { _id: asker._id, username: asker.username, phone: asker.phone },
    })
    expect(await balanceOf(shop, asker._id)).toBe(0)
  })

  test.each([50, 50.01, 50_000])('accepts %d cedis', async (amount) => {
    expect((await askFor(await makeUser(shop), amount)).amount).toBe(amount)
  })

  test.each([
    [49.99, 'The amount must be at least 50.00 cedis.'],
    [0, 'The amount must be at least 50.00 cedis.'],
    [-50, 'The amount must be at least 50.00 cedis.'],
    [50.005, 'Enter an amount in cedis with at most two decimals.'],
    [50_000.01, 'The amount must be at most 50,000.00 cedis.'],
    [1e9, 'The amount must be at most 50,000.00 cedis.'],
    [1e21, 'The amount must be at most 50,000.00 cedis.'],
    ['50 50', 'Enter an amount in cedis with at most two decimals.'],
    ['fifty', 'Enter an amount in cedis with at most two decimals.'],
    [null, 'Enter an amount in cedis with at most two decimals.'],
    [true, 'Enter an amount in cedis with at most two decimals.'],
    [[50], 'Enter an amount in cedis with at most two decimals.'],
    [{ $gt: 0 }, 'Enter an amount in cedis with at most two decimals.'],
    [undefined, 'Enter an amount in cedis with at most two decimals.'],
  ])('refuses %j and says why', async (amount, message) => {
    const asker = await makeUser(shop)
    const { status, body } = await ask<ErrorBody>(asker, amount)
    expect([status, body.code, body.message, body.issues?.[0]?.path]).toEqual([400, 'INVALID', message, 'amount'])
    expect(await listOf(asker)).toEqual([])
  })

  test('takes only the amount from the request, not the owner or status', async () => {
    const [asker, other] = [await makeUser(shop), await makeUser(shop)]
    const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', {
      as: asker,
      body: { amount: 60, status: 'approved', user: other._id, rechargeId: '12345678', _id: NOBODY },
    })
    expect(body.recharge).toMatchObject({ status: 'pending', user: { _id: asker._id } })
    expect(body.recharge.rechargeId).not.toBe('12345678')
    expect(await balanceOf(shop, asker._id)).toBe(0)
  })

  test('is refused once 20 of the same user wait, until one is decided', async () => {
    const asker = await makeUser(shop)
    await decide((await askFor(asker, 50))._id, 'approve')
    const asked: Recharge[] = []
    for (let count = 0; count < 20; count++) asked.push(await askFor(asker, 50))
    expect(new Set(asked.map(({ rechargeId }) => rechargeId)).size).toBe(20)
    const { status, body } = await ask<ErrorBody>(asker, 50)
    expect([status, body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    await decide(asked[0]!._id, 'decline')
    expect((await ask(asker, 50)).status).toBe(200)
  })
})

describe('the list', () => {
  test('shows a customer only their own, whatever they search for, and an admin all, newest first', async () => {
    const [asker, other] = [await makeUser(shop), await makeUser(shop)]
    const own = [await askFor(asker, 51), await askFor(asker, 52)]
    const foreign = await askFor(other, 53)
    expect((await listOf(asker)).map(({ _id }) => _id)).toEqual([own[1]!._id, own[0]!._id])
    expect(await listOf(asker, { search: foreign.rechargeId })).toEqual([])
    expect(await listOf(asker, { search: other.username })).toEqual([])
    expect(await listOf(asker, { search: '%' })).toEqual([])
    expect((await listOf(admin)).slice(0, 3).map(({ _id }) => _id)).toEqual([foreign._id, own[1]!._id, own[0]!._id])
    expect(await listOf(admin, { search: foreign.rechargeId })).toEqual([foreign])
  })

  test('is paged, filtered by status and search, and says how many there are', async () => {
    const asker = await makeUser(shop)
    await decide((await askFor(asker, 59))._id, 'approve')
    for (let count = 0; count < 7; count++) await askFor(asker, 60 + count)
    const [newest] = await listOf(asker)
    await decide(newest!._id, 'decline')
    const page = await call<Recharge[]>(shop, 'GET', '/recharge', { as: asker, query: { page: '2', pageSize: '5', status: 'pending' } })
    expect([page.body.length, page.headers['x-total-count']]).toEqual([1, '6'])
    expect((await listOf(asker, { status: 'declined' })).map(({ amount }) => amount)).toEqual([66])
    expect((await listOf(asker, { search: '63.00' })).map(({ amount }) => amount)).toEqual([63])
    expect((await call(shop, 'GET', '/recharge', { as: asker, query: { status: 'lost' } })).status).toBe(400)
  })
})

describe('approving', () => {
  test.each(['_id', 'rechargeId'] as const)('by its %s credits the wallet from mobile money received', async (name) => {
    const asker = await makeUser(shop, { balance: 10 })
    const recharge = await askFor(asker, 75.5)
    const { status, body } = await decide(recharge[name], 'approve')
    expect([status, body]).toEqual([200, { recharge: { ...recharge, status: 'approved', credited: 75.5 }, balance: 85.5 }])
    expect(await balanceOf(shop, asker._id)).toBe(8550)
    expect(await entriesOf(recharge)).toEqual([
      { account: 'wallet', amount: 7550, actor: admin._id },
      { account: 'mobile-money-received', amount: -7550, actor: admin._id },
    ])
    expect(await listOf(asker)).toEqual([body.recharge])
  })

  test('is recorded with actor, action, before, after and address', async () => {
    const asker = await makeUser(shop, { balance: 10 })
    const recharge = await askFor(asker, 60)
    await decide(recharge._id, 'approve')
    expect(await actionsOn(recharge)).toEqual([
      {
        _id: expect.any(String),
        actor: admin.username,
        action: 'recharge.approve',
        subjectType: 'recharge',
        subjectId: recharge.rechargeId,
        subject: recharge.rechargeId,
        before: { status: 'pending', balance: 10 },
        after: { status: 'approved', balance: 70 },
        note: '',
        ip: '127.0.0.1',
        createdAt: shop.clock.now.toISOString(),
      },
    ])
  })

  test('twice, or declining after it, is refused and moves nothing', async () => {
    const asker = await makeUser(shop)
    const recharge = await askFor(asker, 60)
    await decide(recharge._id, 'approve')
    for (const verb of ['approve', 'decline'] as const) {
      const { status, body } = await decide(recharge.rechargeId, verb)
      expect([status, body.code, body.message]).toEqual([409, 'ALREADY_DECIDED', 'That recharge is already approved.'])
    }
    expect(await balanceOf(shop, asker._id)).toBe(6000)
    expect(await actionsOn(recharge)).toHaveLength(1)
  })

  test('after declining is refused and moves nothing', async () => {
    const asker = await makeUser(shop)
    const recharge = await askFor(asker, 60)
    const declined = await decide(recharge._id, 'decline')
    expect([declined.status, declined.body.recharge]).toEqual([200, { ...recharge, status: 'declined' }])
    const { status, body } = await decide(recharge._id, 'approve')
    expect([status, body.code, body.message]).toEqual([409, 'ALREADY_DECIDED', 'That recharge is already declined.'])
    expect([await balanceOf(shop, asker._id), await entriesOf(recharge)]).toEqual([0, []])
    expect((await actionsOn(recharge)).map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'recharge.decline', before: { status: 'pending' }, after: { status: 'declined' } },
    ])
  })

  test.each(['approve', 'decline'] as const)('nobody but an admin may %s', async (verb) => {
    const [asker, agent] = [await makeUser(shop), await makeUser(shop, { level: 'Agent' })]
    const recharge = await askFor(asker, 60)
    expect((await decide(recharge._id, verb, asker)).status).toBe(403)
    expect((await decide(recharge.rechargeId, verb, agent)).status).toBe(403)
    expect((await call(shop, 'PUT', `/recharge/${recharge._id}/${verb}`)).status).toBe(401)
    expect([await balanceOf(shop, asker._id), (await listOf(asker))[0]!.status]).toEqual([0, 'pending'])
    expect(await actionsOn(recharge)).toEqual([])
  })

  test.each(['approve', 'decline'] as const)('an unknown recharge cannot be %sd', async (verb) => {
    expect((await decide(NOBODY, verb)).status).toBe(404)
    expect((await decide('99999998', verb)).status).toBe(404)
    for (const id of ['1', '012345678', '1234567x', 'null', '%27']) expect((await decide(id, verb)).status).toBe(400)
  })

  test('a recharge of a user banned meanwhile credits their wallet', async () => {
    const asker = await makeUser(shop)
    const recharge = await askFor(asker, 60)
    await call(shop, 'PUT', `/user/${asker._id}/status`, { as: admin, body: { status: 'Banned' } })
    expect((await decide(recharge._id, 'approve')).body.balance).toBe(60)
  })
})

describe('at the same time', () => {
  test(`8 calls of two admins approve ${ROUNDS} recharges once each`, async () => {
    const asker = await makeUser(shop)
    for (let round = 1; round <= ROUNDS; round++) {
      const recharge = await askFor(asker, 50)
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          decide(index % 2 === 0 ? recharge._id : recharge.rechargeId, 'approve', admins[index % 4 < 2 ? 0 : 1]),
        ),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
      expect(await balanceOf(shop, asker._id)).toBe(round * 5000)
      expect([(await entriesOf(recharge)).length, (await actionsOn(recharge)).length]).toEqual([2, 1])
    }
  })

  test(`approving against declining leaves one of the two, with money to match, ${ROUNDS} times`, async () => {
    const asker = await makeUser(shop)
    let approved = 0
    for (let round = 0; round < ROUNDS; round++) {
      const recharge = await askFor(asker, 50)
      const calls = [decide(recharge._id, 'approve', admins[0]), decide(recharge._id, 'decline', admins[1])]
      const replies = await Promise.all(round % 2 === 0 ? calls : calls.toReversed())
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
      const { status } = (await listOf(asker))[0]!
      expect(replies.find((reply) => reply.status === 200)?.body.recharge.status).toBe(status)
      if (status === 'approved') approved += 1
      expect([await balanceOf(shop, asker._id), (await entriesOf(recharge)).length]).toEqual([
        approved * 5000,
        status === 'approved' ? 2 : 0,
      ])
    }
  })

  test('the database itself refuses to undo a decision or to change what was asked for', async () => {
    const recharge = await askFor(await makeUser(shop), 60)
    const change = (sql: string) => shop.database.db.query(`update recharges set ${sql} where id = $1`, [recharge._id])
    await expect(change('amount_pesewas = 999900')).rejects.toThrow('cannot be changed')
    await decide(recharge._id, 'decline')
    await expect(change(`status = 'approved'`)).rejects.toThrow('was decided already')
    const approved = await askFor(await makeUser(shop), 60)
    await decide(approved._id, 'approve')
    const reopen = `update recharges set status = 'pending', decided_at = null, credited_pesewas = null where id = $1`
    await expect(shop.database.db.query(reopen, [approved._id])).rejects.toThrow('was decided already')
  })
})

test('recharges are announced to their customer and the admins, and to nobody else', async () => {
  const [asker, other] = [await makeUser(shop), await makeUser(shop)]
  const [asking, watching, deciding] = await Promise.all([asker, other, admin].map(({ token }) => openRealtimeProbe(url, token)))
  const recharge = await askFor(asker, 60)
  await decide(recharge._id, 'approve')
  const second = await askFor(asker, 70)
  await decide(second._id, 'decline')
  const told = [
    [recharge.rechargeId, 'pending'],
    [recharge.rechargeId, 'approved'],
    [second.rechargeId, 'pending'],
    [second.rechargeId, 'declined'],
  ]
  const heardBy = (probe: typeof asking) =>
    probe!.heard.flatMap((one) => (one.event === 'rechargeUpdated' ? [[one.payload.rechargeId, one.payload.status]] : []))
  await until(() => heardBy(asking).length === 4 && heardBy(deciding).length === 4)
  expect([heardBy(asking), heardBy(deciding)]).toEqual([told, told])
  const balances = asking!.heard.flatMap((one) => (one.event === 'CurrUserUpdated' ? [one.payload.balance] : []))
  expect(balances).toEqual([60])
  expect(watching!.heard).toEqual([])
  for (const probe of [asking, watching, deciding]) probe!.close()
})

describe('saying that the money was sent', () => {
  const sayPaid = (id: string, as: { token: string }) =>
    call<{ recharge: Recharge; code: string }>(shop, 'PUT', `/recharge/${id}/paid`, { as })

  test('shows the owner when, counts once, and moves no money', async () => {
    const customer = await makeUser(shop)
    const { _id, rechargeId } = await askFor(customer, 60)
    const first = await sayPaid(rechargeId, customer)
    expect([first.status, first.body.recharge]).toMatchObject([200, { _id, status: 'pending', saidPaidAt: shop.clock.now.toISOString() }])
    const saidAt = shop.clock.now.toISOString()
    shop.clock.advance(60_000)
    expect((await sayPaid(_id, customer)).body.recharge.saidPaidAt).toBe(saidAt)
    expect(await listOf(admin, { search: rechargeId })).toMatchObject([{ saidPaidAt: saidAt }])
    expect([await balanceOf(shop, customer._id), (await decide(_id, 'approve')).body.balance]).toEqual([0, 60])
  })

  test('eight times at once is announced once', async () => {
    const customer = await makeUser(shop)
    const { _id } = await askFor(customer, 60)
    const probe = await openRealtimeProbe(url, admin.token)
    const replies = await Promise.all(Array.from({ length: 8 }, () => sayPaid(_id, customer)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await decide(_id, 'decline')
    const news = () =>
      probe.heard.flatMap(({ event, payload }) => (event === 'rechargeUpdated' && payload._id === _id ? [payload.status] : []))
    await until(() => news().includes('declined'))
    expect(news()).toEqual(['pending', 'declined'])
    probe.close()
  })

  test('is not for somebody else’s request, and not for a decided one', async () => {
    const customer = await makeUser(shop)
    const { _id } = await askFor(customer, 60)
    for (const other of [await makeUser(shop), admin]) expect((await sayPaid(_id, other)).status).toBe(404)
    expect((await sayPaid(NOBODY, customer)).status).toBe(404)
    await decide(_id, 'decline')
    expect(await sayPaid(_id, customer)).toMatchObject({ status: 409, body: { code: 'ALREADY_DECIDED' } })
    expect((await listOf(customer))[0]?.saidPaidAt).toBeNull()
  })
})

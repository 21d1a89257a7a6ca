import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Customer } from '../../../../shared/customers.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Matches } from '../../../../shared/received-payments.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { Approval } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser } from '../../../../test/builders.ts'

const HOUR_MS = 3_600_000

let shop: TestShop
let proposer: SignedInUser
let approver: SignedInUser
let customer: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  await shop.database.db.query('update staff_rules set second_person_above_pesewas = 20000, password_above_pesewas = null')
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.db.query(`update users set level = 'Customer' where level = 'Admin'`)
  proposer = await makeUser(shop, { roles: ['finance'] })
  approver = await makeUser(shop, { roles: ['owner'] })
  customer = await makeUser(shop, { balance: 300 })
})

function change(amount: number, { as = proposer, key }: { as?: SignedInUser; key?: string } = {}) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const body = { chosenId: customer._id, amount, note: 'agreed on the phone' }
  return call<{ balance: number } & ErrorBody>(shop, 'PUT', '/user/balance', { as, headers, body })
}
async function waiting(as = approver): Promise<Approval[]> {
  const { body } = await call<{ approvals: Approval[] }>(shop, 'GET', '/admin/approvals', { as })
  return body.approvals.filter(({ userId }) => userId === customer._id)
}
async function propose(amount = 250): Promise<Approval> {
  await change(amount)
  return (await waiting())[0]!
}
function approve({ _id, hash }: Pick<Approval, '_id' | 'hash'>, as = approver) {
  return call<{ balance: number } & ErrorBody>(shop, 'POST', `/admin/approvals/${_id}/approve`, { as, body: { hash } })
}
function decline({ _id }: Approval, as = approver) {
  return call<ErrorBody>(shop, 'POST', `/admin/approvals/${_id}/decline`, { as, body: {} })
}

describe('an amount above the owner’s limit', () => {
  test.each([250, -250])('moves nothing before somebody else has approved it: %d', async (amount) => {
    const proposed = await change(amount)
    expect([proposed.status, proposed.body.code]).toEqual([409, 'SECOND_PERSON_NEEDED'])
    expect(proposed.body.message).toContain('It waits in the Inbox of the others for 24 hours; nothing has moved yet.')
    expect(await balanceOf(shop, customer._id)).toBe(30_000)
    const [approval] = await waiting()
    expect(approval).toMatchObject({
      username: customer.username,
      amount,
      note: 'agreed on the phone',
      proposedBy: proposer.username,
      mine: false,
    })
    expect((await waiting(proposer))[0]!.mine).toBe(true)
    expect((await approve(approval!)).body).toEqual({ balance: 300 + amount })
    expect(await waiting()).toEqual([])
    const { rows } = await shop.database.db.query(
      `select actor_id, action, after, note from admin_actions where subject_id = $1 order by id`,
      [customer._id],
    )
    const action = amount > 0 ? 'wallet.credit' : 'wallet.debit'
    expect(rows).toEqual([
      { actor_id: proposer._id, action: 'wallet.proposed', after: { amountPesewas: amount * 100 }, note: 'agreed on the phone' },
      {
        actor_id: approver._id,
        action,
        after: { balancePesewas: 30_000 + amount * 100, proposedBy: proposer.username },
        note: 'agreed on the phone',
      },
    ])
  })

  test('up to the limit moves at once', async () => {
    expect((await change(200)).body).toEqual({ balance: 500 })
    expect(await waiting()).toEqual([])
  })

  test('needs nobody else while nobody else may move money', async () => {
    await makeUser(shop, { roles: ['orders', 'support', 'products'] })
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [approver._id])
    expect((await change(250)).body).toEqual({ balance: 550 })
  })

  test('sent again with its key is one proposal; after the approval the reply is the balance, after a refusal it says so', async () => {
    const [key, other] = [randomUUID(), randomUUID()]
    for (let time = 0; time < 3; time++) expect((await change(250, { key })).status).toBe(409)
    await Promise.all(Array.from({ length: 8 }, () => change(250, { key })))
    const all = await waiting()
    expect(all).toHaveLength(1)
    await approve(all[0]!)
    expect((await change(250, { key })).body).toEqual({ balance: 550 })
    await change(250, { key: other })
    await decline((await waiting())[0]!)
    expect((await change(250, { key: other })).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Somebody declined that. Nothing was changed.',
    })
    expect(await balanceOf(shop, customer._id)).toBe(55_000)
  })
})

test('what was proposed moves once, although the owner raises the limit before it is sent again with its key', async () => {
  const [approved, open] = [randomUUID(), randomUUID()]
  await change(250, { key: approved })
  await approve((await waiting())[0]!)
  await change(260, { key: open })
  await shop.database.db.query('update staff_rules set second_person_above_pesewas = 90000')
  expect((await change(250, { key: approved })).body).toEqual({ balance: 550 })
  expect((await change(260, { key: open })).body.code).toBe('SECOND_PERSON_NEEDED')
  await shop.database.db.query('update staff_rules set second_person_above_pesewas = 20000')
  await approve((await waiting())[0]!)
  expect(await balanceOf(shop, customer._id)).toBe(81_000)
})

describe('one person’s changes of a day', () => {
  test('are added up: what passes the limit with those before needs somebody else, also when all are sent at once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => change(90)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(6).fill(409)])
    expect(await balanceOf(shop, customer._id)).toBe(48_000)
    expect((await change(-90)).body.code).toBe('SECOND_PERSON_NEEDED')
    expect((await change(90, { as: approver })).status).toBe(200)
  })

  test('count once however often they are sent, and not what somebody else approved', async () => {
    const key = randomUUID()
    for (let time = 0; time < 4; time++) expect((await change(150, { key })).body).toEqual({ balance: 450 })
    await approve(await propose(300))
    expect((await change(50)).status).toBe(200)
    expect((await change(1)).body.code).toBe('SECOND_PERSON_NEEDED')
  })
})

test('nobody credits their own account alone, whatever the amount, unless they own the shop and nobody else could', async () => {
  customer = proposer
  const refused = await change(1)
  expect(refused.body).toEqual({
    code: 'SECOND_PERSON_NEEDED',
    message: 'Your own account needs a second person. It waits in the Inbox of the others for 24 hours; nothing has moved yet.',
  })
  expect((await approve((await waiting())[0]!)).body).toEqual({ balance: 1 })
  await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [approver._id])
  expect((await change(1)).status).toBe(403)
  await replaceRolesOf(proposer, 'owner')
  expect((await change(1)).body).toEqual({ balance: 2 })
})

function replaceRolesOf({ _id }: SignedInUser, role: string) {
  return shop.database.db.query(`update staff_roles set role = $2 where user_id = $1`, [_id, role])
}

describe('a top-up approved by hand', () => {
  const ask = async (amount: number, as = customer) =>
    (await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as, body: { amount } })).body.recharge
  const approveRecharge = (recharge: Recharge, as = proposer) =>
    call<{ balance: number } & ErrorBody>(shop, 'PUT', `/recharge/${recharge._id}/approve`, { as })

  test('above the limit waits for a second person, who approves it where it stands, once', async () => {
    const recharge = await ask(250)
    for (let time = 0; time < 2; time++) expect((await approveRecharge(recharge)).body.code).toBe('SECOND_PERSON_NEEDED')
    const [proposal, ...more] = await waiting()
    expect(more).toEqual([])
    expect(proposal).toMatchObject({ amount: 250, topUp: { rechargeId: recharge._id, paymentId: null }, proposedBy: proposer.username })
    expect((await approve(proposal!)).body.message).toBe('That is a top-up. Approve it under Money.')
    expect(await balanceOf(shop, customer._id)).toBe(30_000)
    const replies = await Promise.all(Array.from({ length: 6 }, () => approveRecharge(recharge, approver)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(409)])
    expect([await balanceOf(shop, customer._id), await waiting()]).toEqual([55_000, []])
    const { rows } = await shop.database.db.query(`select after from admin_actions where action = 'recharge.approve' and subject_id = $1`, [
      recharge.rechargeId,
    ])
    expect(rows[0]!.after).toMatchObject({ proposedBy: proposer.username })
  })

  test('just below the limit is added to the others of the day, and one’s own always needs a second person', async () => {
    expect((await approveRecharge(await ask(150))).status).toBe(200)
    expect((await approveRecharge(await ask(60))).body.code).toBe('SECOND_PERSON_NEEDED')
    const own = await ask(50, approver)
    expect((await approveRecharge(own, approver)).body.message).toContain('Your own account needs a second person.')
    expect((await approveRecharge(own, await makeUser(shop, { roles: ['finance'] }))).status).toBe(200)
  })

  test('that is declined meanwhile waits for nobody', async () => {
    const recharge = await ask(250)
    await approveRecharge(recharge)
    await call(shop, 'PUT', `/recharge/${recharge._id}/decline`, { as: approver, body: {} })
    expect(await waiting()).toEqual([])
  })

  test('by a payment that its reader matched waits as well; somebody else’s reading is the second person', async () => {
    const message = (id: string, reference: string) =>
      `Payment received for GHS 250.00 from AMA SAMPLE. Reference: ${reference}. Transaction ID: ${id}.`
    const paste = (text: string) => call(shop, 'POST', '/received-payment/messages', { as: proposer, body: { text } })
    const match = async (recharge: Recharge, as: SignedInUser) => {
      const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as })
      const certain = body.certain.filter(({ request }) => request?._id === recharge._id)
      const pairs = certain.map(({ payment }) => ({ paymentId: payment._id, rechargeId: recharge._id, amount: payment.amount }))
      return (
        await call<{ credited: number; refused: { message: string }[] }>(shop, 'POST', '/received-payment/approve', {
          as,
          body: { matches: pairs },
        })
      ).body
    }
    const [mine, theirs] = [await ask(250), await ask(250, await makeUser(shop))]
    await paste(message('80000000001', mine.rechargeId))
    await paste(message('80000000002', theirs.rechargeId))
    expect(await match(mine, proposer)).toMatchObject({
      credited: 0,
      refused: [{ message: expect.stringContaining('needs a second person') }],
    })
    const [proposal] = await waiting()
    expect(proposal?.topUp).toMatchObject({ rechargeId: mine._id })
    const path = `/received-payment/${proposal!.topUp!.paymentId}/credit`
    expect((await call(shop, 'POST', path, { as: approver, body: { amount: 250, rechargeId: mine._id } })).status).toBe(200)
    expect(await match(theirs, approver)).toMatchObject({ credited: 1 })
    expect([await balanceOf(shop, customer._id), await waiting()]).toEqual([55_000, []])
  })
})

test('messages that somebody pastes for several customers are added up over their day; what a phone has brought is not', async () => {
  const clerk = proposer
  const credits = async (id: string, amount: number, byPhone = false) => {
    const asker = await makeUser(shop)
    const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: asker, body: { amount } })
    const text = `Payment received for GHS ${amount}.00 from AMA SAMPLE. Reference: ${body.recharge.rechargeId}. Transaction ID: ${id}.`
    await call(shop, 'POST', '/received-payment/messages', { as: clerk, body: { text } })
    if (byPhone) await asIfForwarded(id)
    const { rows } = await shop.database.db.query<{ id: string }>('select id from received_payments where transaction_id = $1', [id])
    const path = `/received-payment/${rows[0]?.id}/credit`
    const reply = await call<ErrorBody>(shop, 'POST', path, { as: clerk, body: { amount, rechargeId: body.recharge._id } })
    return reply.status === 200 ? 'credited' : reply.body.code
  }
  const each: (string | undefined)[] = []
  for (const [n, amount] of [95, 96, 97, 98, 99].entries()) each.push(await credits(`8100000000${n}`, amount))
  expect(each).toEqual(['credited', 'credited', 'SECOND_PERSON_NEEDED', 'SECOND_PERSON_NEEDED', 'SECOND_PERSON_NEEDED'])
  expect(await credits('81000000007', 150, true)).toBe('credited')
})

async function asIfForwarded(transactionId: string) {
  const id = randomUUID()
  await shop.database.db.query(
    `insert into forwarders (id, name, app, networks, key, created_by, created_at) values ($1, 'Counter phone', 'other', '{MTN}', '\\x00', $2, $3)`,
    [id, approver._id, shop.clock.now],
  )
  await shop.database.db.query('alter table received_payments disable trigger user')
  await shop.database.db.query(`update received_payments set forwarder_id = $2, source = 'phone' where transaction_id = $1`, [
    transactionId,
    id,
  ])
  await shop.database.db.query('alter table received_payments enable trigger user')
}

describe('what takes a credit back', () => {
  const idOf = async (transactionId: string) => {
    const { rows } = await shop.database.db.query<{ id: string }>('select id from received_payments where transaction_id = $1', [
      transactionId,
    ])
    return rows[0]!.id
  }
  /** A payment that a phone has brought for the customer's request. */
  const bring = async (id: string, amount: number) => {
    const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: customer, body: { amount } })
    const text = `Payment received for GHS ${amount}.00 from AMA SAMPLE. Reference: ${body.recharge.rechargeId}. Transaction ID: ${id}.`
    await call(shop, 'POST', '/received-payment/messages', { as: approver, body: { text } })
    await asIfForwarded(id)
    return { path: `/received-payment/${await idOf(id)}`, rechargeId: body.recharge._id, amount }
  }
  type Brought = Awaited<ReturnType<typeof bring>>
  const creditTo = ({ path, amount }: Brought, to: object, as = proposer) =>
    call<ErrorBody>(shop, 'POST', `${path}/credit`, { as, body: { amount, ...to } })
  const takeBack = ({ path }: Brought, as = proposer) =>
    call<ErrorBody>(shop, 'POST', `${path}/take-back`, { as, body: { reason: 'Not yours' } })
  const undo = (entry: string, as = proposer) =>
    call<ErrorBody>(shop, 'POST', `/admin/customers/${customer._id}/credit/undo`, { as, body: { entry } })
  const lastCredit = async () =>
    (await call<{ customer: Customer }>(shop, 'GET', `/admin/customers/${customer._id}`, { as: approver })).body.customer.wallet!
      .lastCredit!.entry

  test('of a payment waits for a second person above the limit, who takes it back where it stands', async () => {
    const payment = await bring('82000000001', 250)
    expect((await creditTo(payment, { rechargeId: payment.rechargeId })).status).toBe(200)
    for (let time = 0; time < 2; time++) expect((await takeBack(payment)).body.code).toBe('SECOND_PERSON_NEEDED')
    expect(await balanceOf(shop, customer._id)).toBe(55_000)
    const [proposal, ...more] = await waiting()
    expect(more).toEqual([])
    expect(proposal).toMatchObject({
      amount: -250,
      note: 'Not yours',
      topUp: null,
      undo: { paymentId: await idOf('82000000001'), entryId: null },
    })
    expect((await approve(proposal!)).body.message).toBe('That takes a credit back. Approve it in the Inbox.')
    expect((await takeBack(payment, approver)).status).toBe(200)
    expect([await balanceOf(shop, customer._id), await waiting()]).toEqual([30_000, []])
  })

  test('by hand waits likewise, and every one counts for the day', async () => {
    await approve(await propose(250))
    const large = await lastCredit()
    expect((await undo(large)).body.code).toBe('SECOND_PERSON_NEEDED')
    expect((await waiting())[0]).toMatchObject({ amount: -250, undo: { paymentId: null, entryId: large } })
    expect((await undo(large, approver)).status).toBe(200)
    expect([await balanceOf(shop, customer._id), await waiting()]).toEqual([30_000, []])
    const clerk = await makeUser(shop, { roles: ['finance'] })
    await change(90, { as: approver })
    expect((await undo(await lastCredit(), clerk)).status).toBe(200)
    const payment = await bring('82000000002', 90)
    expect((await creditTo(payment, { rechargeId: payment.rechargeId }, approver)).status).toBe(200)
    expect((await takeBack(payment, clerk)).status).toBe(200)
    expect((await change(-30, { as: clerk })).body.code).toBe('SECOND_PERSON_NEEDED')
  })

  test('leads no payment to somebody else alone: not one that was credited once, nor one whose reference is another’s', async () => {
    const friend = await makeUser(shop)
    const fresh = await bring('82000000003', 250)
    expect((await creditTo(fresh, { userId: friend._id })).body.code).toBe('SECOND_PERSON_NEEDED')
    expect((await creditTo(fresh, { rechargeId: fresh.rechargeId })).status).toBe(200)
    await takeBack(fresh)
    await takeBack(fresh, approver)
    await shop.database.db.query('alter table received_payments disable trigger user')
    await shop.database.db.query(`update received_payments set reference = 'x' where transaction_id = '82000000003'`)
    await shop.database.db.query('alter table received_payments enable trigger user')
    expect((await creditTo(fresh, { userId: friend._id })).body.code).toBe('SECOND_PERSON_NEEDED')
    expect(await balanceOf(shop, friend._id)).toBe(0)
    expect((await creditTo(fresh, { userId: friend._id }, approver)).status).toBe(200)
    expect(await balanceOf(shop, friend._id)).toBe(25_000)
  })
})

describe('an approval', () => {
  test('by two at once, sixteen times, moves the money once', async () => {
    const third = await makeUser(shop, { roles: ['finance'] })
    const approval = await propose()
    const replies = await Promise.all(Array.from({ length: 16 }, (_, index) => approve(approval, index % 2 === 0 ? approver : third)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(409)])
    expect(await balanceOf(shop, customer._id)).toBe(55_000)
  })

  test('against a refusal at once is one of the two', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await balanceOf(shop, customer._id)
      const approval = await propose()
      const [yes, no] = await Promise.all([approve(approval), decline(approval)])
      expect([yes.status, no.status].sort()).toEqual([200, 409])
      expect(await balanceOf(shop, customer._id)).toBe(before + (yes.status === 200 ? 25_000 : 0))
    }
  })

  test('is not for the proposer, who may withdraw it', async () => {
    const approval = await propose()
    const { status, body } = await approve(approval, proposer)
    expect([status, body.message]).toEqual([403, 'Somebody else must approve what you proposed.'])
    expect((await decline(approval, proposer)).status).toBe(200)
    expect((await approve(approval)).body.code).toBe('ALREADY_DECIDED')
    expect(await balanceOf(shop, customer._id)).toBe(30_000)
  })

  test('is for staff who move money, of what they saw, within a day, and while the proposer may move money', async () => {
    const approval = await propose()
    for (const role of ['orders', 'products', 'support'] as const) {
      expect((await approve(approval, await makeUser(shop, { roles: [role] }))).status).toBe(403)
    }
    expect((await approve({ ...approval, hash: 'a'.repeat(64) })).status).toBe(409)
    await shop.database.db.query(`update users set level = 'Customer' where id = $1`, [proposer._id])
    expect((await approve(approval)).body.message).toBe(`${proposer.username} may no longer move money here.`)
    await shop.database.db.query(`update users set level = 'Admin' where id = $1`, [proposer._id])
    shop.clock.advance(24 * HOUR_MS)
    expect((await approve(approval)).status).toBe(401)
    expect(await balanceOf(shop, customer._id)).toBe(30_000)
  })

  test('may be of what an owner proposed', async () => {
    await change(250, { as: approver })
    const [approval] = await waiting(proposer)
    expect((await approve(approval!, proposer)).body).toEqual({ balance: 550 })
  })

  test('comes too late after a day', async () => {
    const approval = await propose()
    await shop.database.db.query('alter table approvals disable trigger user')
    await shop.database.db.query('update approvals set expires_at = $2 where id = $1', [approval._id, shop.clock.now])
    await shop.database.db.query('alter table approvals enable trigger user')
    expect(await waiting()).toEqual([])
    expect((await approve(approval)).body.message).toBe('That proposal is older than 24 hours. It must be made again.')
  })

  test('that expired is proposed anew by the same key, once, and moves once', async () => {
    const key = randomUUID()
    await change(250, { key })
    const [first] = await waiting()
    await shop.database.db.query('alter table approvals disable trigger user')
    await shop.database.db.query('update approvals set expires_at = $2 where id = $1', [first!._id, shop.clock.now])
    await shop.database.db.query('alter table approvals enable trigger user')
    const again = await Promise.all(Array.from({ length: 4 }, () => change(250, { key })))
    expect(again.map(({ body }) => body.code)).toEqual(Array(4).fill('SECOND_PERSON_NEEDED'))
    const all = await waiting()
    expect(all).toHaveLength(1)
    expect(all[0]!._id).not.toBe(first!._id)
    expect((await approve(first!)).status).toBe(409)
    expect((await approve(all[0]!)).status).toBe(200)
    expect((await change(250, { key })).body).toEqual({ balance: 550 })
    expect(await balanceOf(shop, customer._id)).toBe(55_000)
  })

  test.each([
    [`details = '{}'`, 'as it was proposed'],
    [`decision = 'approved', decided_by = proposed_by, decided_at = now()`, 'approvals_by_two_people'],
  ])('is guarded by the database itself: %s', async (set, why) => {
    const approval = await propose()
    await expect(shop.database.db.query(`update approvals set ${set} where id = $1`, [approval._id])).rejects.toThrow(why)
    await expect(shop.database.db.query('delete from approvals where id = $1', [approval._id])).rejects.toThrow('append-only')
  })
})

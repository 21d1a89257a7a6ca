import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../shared/api.ts'
import { type Endpoint, isForStaff } from '../shared/endpoint.ts'
import type { ErrorBody } from '../shared/errors.ts'
import type { Order } from '../shared/orders.ts'
import type { StaffRole } from '../shared/staff-rules.ts'
import type { SignedInUser } from '../shared/users.ts'
import type { Approval } from '../shared/wallet.ts'
import { makeRefund, makeWithdrawal, openShopOf } from './agent-shop.ts'
import { openTestShop, type TestShop } from './app.ts'
import { balanceOf, call, cartLine, checkout, makePaymentOnHold, makeUser, ordersRelayed } from './builders.ts'
import { makeCheckerOrder } from './checkers.ts'

// Nobody decides what they gain from, except an only owner. Each decision is tried by a member of staff who gains, by a colleague, and by
// the only owner; every other write of staff has a reason to be here, so that a new one takes a thought.

const EVERYBODY = 'the same for everybody'
const FAR_LOWER = 'a price under the cost or far lower takes an owner: prices-of-staff.test.ts'
const NO_GAIN = 'nothing that anybody gains'
const COLLEAGUE = 'a rule of the work, which the second person of each amount is asked by'
const EXEMPT: Record<string, string> = {
  'POST /user/me/second-factor': NO_GAIN,
  'POST /user/me/second-factor/confirm': NO_GAIN,
  'POST /user/me/second-factor/end': 'one’s own code, by the code itself',
  'POST /user/me/recovery-codes': NO_GAIN,
  'POST /admin/afa/:id/reveal': NO_GAIN,
  'POST /admin/afa/export': NO_GAIN,
  'PUT /agent-shops/rules': EVERYBODY,
  'POST /admin/books/check': NO_GAIN,
  'POST /admin/books/resume': NO_GAIN,
  'POST /admin/batches': 'the order is decided with the batch',
  'PUT /admin/batches/:number/exported': NO_GAIN,
  'PUT /admin/batches/:number/format': NO_GAIN,
  'PUT /admin/channel/:channel': EVERYBODY,
  'POST /message-format/try': NO_GAIN,
  'PUT /message-format': EVERYBODY,
  'PUT /admin/costs': EVERYBODY,
  'POST /admin/customers/:id/credit/undo': 'takes money out of a wallet',
  'POST /admin/customers/:id/sessions/end': NO_GAIN,
  'POST /admin/customers/:id/notes': NO_GAIN,
  'DELETE /admin/customers/:id/notes/:note': NO_GAIN,
  'PUT /admin/orders/:id/query-status': 'the supplier answers',
  'POST /admin/day-close': 'what was counted, under the signer’s name',
  'POST /admin/jobs/:id/retry': 'the shop’s own work',
  'POST /admin/jobs/:id/dismiss': 'nothing that still owes money',
  'POST /admin/suppliers/:name/retry': EVERYBODY,
  'POST /admin/suppliers/:name/release': EVERYBODY,
  'PUT /admin/suppliers/order': EVERYBODY,
  'PUT /admin/suppliers/balance': NO_GAIN,
  'PUT /admin/suppliers/settings': EVERYBODY,
  'POST /forwarder': EVERYBODY,
  'PUT /forwarder/rules': EVERYBODY,
  'POST /forwarder/read-again': EVERYBODY,
  'POST /forwarder/:id/rotate': EVERYBODY,
  'DELETE /forwarder/:id': EVERYBODY,
  'PUT /forwarder/:id/balance': EVERYBODY,
  'PUT /extra/notice': EVERYBODY,
  'PUT /extra/momo-details': EVERYBODY,
  'POST /admin/prices/publish': FAR_LOWER,
  'POST /admin/price-schedules': FAR_LOWER,
  'DELETE /admin/price-schedules/:id': EVERYBODY,
  'POST /admin/prices/:id/undo': FAR_LOWER,
  'POST /admin/price-proposals/:id/approve': 'an owner decides what somebody else has asked for',
  'POST /product/create': FAR_LOWER,
  'PUT /product/:id': FAR_LOWER,
  'PUT /product/:id/status': EVERYBODY,
  'DELETE /product/:id': EVERYBODY,
  'POST /admin/profit/uncosted': NO_GAIN,
  'PUT /recharge/:id/decline': 'gives nothing',
  'PUT /recharge/:id/reopen': 'is approved afterwards',
  'POST /received-payment/messages': 'is credited afterwards',
  'POST /received-payment/statement': 'is credited afterwards',
  'PUT /received-payment/:id/set-aside': 'gives nothing',
  'POST /received-payment/:id/take-back': 'takes money out of a wallet',
  'PUT /referrals/rules': EVERYBODY,
  'PUT /admin/settings': EVERYBODY,
  'PUT /admin/staff/rules': COLLEAGUE,
  'PUT /admin/staff/:id': 'an owner has every role',
  'POST /admin/staff/:id/reset-code': 'never one’s own',
  'PUT /admin/shop': EVERYBODY,
  'PUT /admin/shop/logo': EVERYBODY,
  'PUT /admin/shop/payment-numbers': EVERYBODY,
  'PUT /admin/setup': EVERYBODY,
  'POST /admin/checkers/check': NO_GAIN,
  'POST /admin/checkers/imports': NO_GAIN,
  'POST /admin/checkers/imports/:id/take-back': NO_GAIN,
  'POST /admin/checker-codes/:code/void': NO_GAIN,
  'PUT /admin/checkers/kinds/:kind': EVERYBODY,
  'PUT /admin/checkers/packages': 'only an owner has a price buy more',
  'POST /admin/order/:id/checkers/reveal': 'the buyer has it',
  'POST /admin/order/:id/checkers/send': 'the buyer has it',
  'PUT /user/:id/status': NO_GAIN,
  'PUT /admin/ussd': EVERYBODY,
  'POST /admin/ussd/address': EVERYBODY,
  'POST /admin/approvals/:id/decline': 'gives nothing',
  'PUT /admin/whatsapp': EVERYBODY,
  'POST /admin/whatsapp/test': NO_GAIN,
  'PUT /withdrawals/:id/check': 'the provider answers',
  'PUT /withdrawals/rules': EVERYBODY,
  'PUT /refunds/:id/check': 'the provider answers',
  'PUT /refunds/:id/send-code': 'goes to the number that paid',
}

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' }, timings: { paymentsMs: 3_600_000 } })
  await shop.database.db.query('update withdrawal_rules set by_hand = false')
})
afterAll(() => shop.close())
beforeEach(() => shop.database.db.query(`update users set level = 'Customer' where level = 'Admin'`))

type Asking = { method?: 'PUT' | 'POST'; path: string; body?: object; headers?: Record<string, string> }
/** Makes something that `gainer` gains from once it is decided as asked. */
type Decision = { role: StaffRole; prepare: (gainer: SignedInUser) => Promise<Asking> }

async function ownOrder(as: SignedInUser, phoneNumber = '0551230077'): Promise<Order> {
  const { body } = await checkout(shop, as, [await cartLine(shop, { as: as.isAdmin ? 'Agent' : 'Customer', phoneNumber })])
  await ordersRelayed(shop)
  return body.orders[0] as Order
}

/** An order of a customer whom the gainer invited. */
async function invitedOrder({ _id }: SignedInUser): Promise<Order> {
  const buyer = await makeUser(shop, { balance: 20 })
  const order = await ownOrder(buyer)
  await shop.database.db.query(
    `insert into referrals (referred_id, referrer_id, reward_pesewas, spend_pesewas, created_at) values ($1, $2, 100, 300, $3)`,
    [buyer._id, _id, shop.clock.now],
  )
  return order
}

async function report({ _id }: Order): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>('insert into reports (order_id, opened_at) values ($1, $2) returning id', [
    _id,
    shop.clock.now,
  ])
  return rows[0]?.id ?? ''
}

async function refundOf({ phone }: SignedInUser): Promise<string> {
  const { id } = await makeRefund(shop, 'review')
  await shop.database.db.query('alter table refunds disable trigger refunds_guarded')
  await shop.database.db.query('update refunds set phone = $2 where id = $1', [id, phone])
  await shop.database.db.query('alter table refunds enable trigger refunds_guarded')
  return id
}

const DECISIONS: Record<string, Decision[]> = {
  'PUT /withdrawals/:id/approve': [
    { role: 'finance', prepare: async ({ _id }) => ({ path: `/withdrawals/${await makeWithdrawal(shop, _id)}/approve` }) },
  ],
  'PUT /withdrawals/:id/pay-by-hand': [
    {
      role: 'finance',
      prepare: async ({ _id }) => ({
        path: `/withdrawals/${await makeWithdrawal(shop, _id)}/pay-by-hand`,
        body: { transactionId: `7${Date.now()}${Math.floor(Math.random() * 1e5)}` },
      }),
    },
  ],
  'PUT /withdrawals/:id/decline': [
    {
      role: 'finance',
      prepare: async ({ _id }) => ({ path: `/withdrawals/${await makeWithdrawal(shop, _id)}/decline`, body: { reason: 'Twice' } }),
    },
  ],
  'PUT /order/update-status/:id': [
    {
      role: 'orders',
      prepare: async (as) => ({
        path: `/order/update-status/${(await ownOrder(as))._id}`,
        body: { status: 'rejected', override: { reason: 'No data' } },
      }),
    },
    {
      role: 'orders',
      prepare: async (as) => ({ path: `/order/update-status/${(await invitedOrder(as))._id}`, body: { status: 'completed' } }),
    },
  ],
  'PUT /admin/reports/:id/end': [
    {
      role: 'support',
      prepare: async (as) => ({
        path: `/admin/reports/${await report(await ownOrder(as))}/end`,
        body: { outcome: 'refunded', text: 'Sorry' },
      }),
    },
    {
      role: 'support',
      prepare: async (as) => ({
        path: `/admin/reports/${await report(await invitedOrder(as))}/end`,
        body: { outcome: 'delivered', text: 'It came' },
      }),
    },
  ],
  'PUT /admin/orders/:id/send-again': [
    {
      role: 'orders',
      prepare: async (as) => {
        const { _id } = await ownOrder(as)
        await shop.database.db.query(
          `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at)
           select id, reference, 'hubnet', 1000, 'waiting', 1, now(), now() from orders where id = $1`,
          [_id],
        )
        return { path: `/admin/orders/${_id}/send-again`, body: { to: 'by-hand', supplierStatus: 'waiting' } }
      },
    },
  ],
  'PUT /admin/orders/:id/receiver': [
    {
      role: 'orders',
      prepare: async (as) => {
        const buyer = await makeUser(shop, { balance: 20 })
        const order = await ownOrder(buyer, '0551230078')
        const body = { receiver: as.phone, seen: '0551230078', agreedBy: buyer.username, consent: 'call' }
        return { path: `/admin/orders/${order._id}/receiver`, body }
      },
    },
  ],
  'POST /admin/checker-codes/:code/replace': [
    {
      role: 'support',
      prepare: async (as) => {
        const { code } = await makeCheckerOrder(shop, as)
        return { method: 'POST', path: `/admin/checker-codes/${code}/replace`, body: { reason: 'Used already' } }
      },
    },
  ],
  'POST /payment/:reference/release': [
    {
      role: 'finance',
      prepare: async ({ _id }) => ({
        method: 'POST',
        path: `/payment/${await makePaymentOnHold(shop, _id)}/release`,
        body: { reason: 'They called' },
      }),
    },
    {
      role: 'finance',
      prepare: async ({ _id }) => {
        const reference = await makePaymentOnHold(shop, _id)
        await shop.database.db.query('update payments set hold_reason = null, waits_for_staff = true where reference = $1', [reference])
        return { method: 'POST', path: `/payment/${reference}/release`, body: { reason: 'They called' } }
      },
    },
  ],
  'PUT /refunds/:id/send-again': [{ role: 'finance', prepare: async (as) => ({ path: `/refunds/${await refundOf(as)}/send-again` }) }],
  'PUT /refunds/:id/code': [{ role: 'finance', prepare: async (as) => ({ path: `/refunds/${await refundOf(as)}/code` }) }],
  'PUT /refunds/:id/pay-by-hand': [
    {
      role: 'finance',
      prepare: async (as) => ({
        path: `/refunds/${await refundOf(as)}/pay-by-hand`,
        body: { transactionId: `8${Date.now()}${Math.floor(Math.random() * 1e5)}` },
      }),
    },
  ],
  'PUT /agent-shops/:id': [
    {
      role: 'owner',
      prepare: async ({ _id }) => ({ path: `/agent-shops/${await openShopOf(shop, _id)}`, body: { maxMarkup: 90 } }),
    },
  ],
}

const ROWS = Object.entries(DECISIONS).flatMap(([route, tries]) =>
  tries.map((one, at): [string, Decision] => [`${route}${at === 0 ? '' : ` (${at + 1})`}`, one]),
)

function hire(role: StaffRole): Promise<SignedInUser> {
  return makeUser(shop, { roles: [role], balance: 100 })
}

function ask(as: SignedInUser, { method = 'PUT', path, body = {}, headers = {} }: Asking) {
  return call<ErrorBody>(shop, method, path, { as, body, headers })
}

describe.each(ROWS)('%s', (_name, { role, prepare }) => {
  test('is not for whoever gains from it, also not for one of two owners, but for a colleague', async () => {
    await hire('owner')
    for (const kind of new Set<StaffRole>([role, 'owner'])) {
      const gainer = await hire(kind)
      const asking = await prepare(gainer)
      const refused = await ask(gainer, asking)
      expect([kind, refused.status, refused.body.message]).toEqual([
        kind,
        403,
        'You gain from this yourself, so somebody else who works here must decide it. Nothing was changed.',
      ])
      const colleague = await hire(role)
      const reply = await ask(colleague, asking)
      expect([kind, reply.status, reply.status === 200 ? null : reply.body.message]).toEqual([kind, 200, null])
    }
  })

  test('is for an only owner, while nobody else does that work', async () => {
    const owner = await hire('owner')
    expect((await ask(owner, await prepare(owner))).status).toBe(200)
  })
})

describe('orders decided many at once', () => {
  test.each(['decide-many', 'batch'])('%s leaves one’s own out and decides the others', async (way) => {
    await hire('owner')
    const clerk = await hire('orders')
    const [own, other] = [await ownOrder(clerk), await invitedOrder(await hire('orders'))]
    const batch = { key: randomUUID(), network: own.network, ids: [own._id, other._id] }
    const made =
      way === 'batch' ? await call<{ batch: { number: number } }>(shop, 'POST', '/admin/batches', { as: clerk, body: batch }) : null
    const rejected = [own, other].map(({ _id }) => ({ id: _id, reason: 'No data' }))
    const { body } = made
      ? await call<{ refused: { id: string; message: string }[] }>(shop, 'PUT', `/admin/batches/${made.body.batch.number}/settle`, {
          as: clerk,
          body: { rejected },
        })
      : await call<{ refused: { id: string; message: string }[] }>(shop, 'POST', '/order/decide-many', {
          as: clerk,
          body: { ids: [own._id, other._id], status: 'rejected', refundReason: 'No data' },
        })
    expect(body.refused).toEqual([{ id: own._id, message: expect.stringContaining('You gain from this yourself') }])
    const { rows } = await shop.database.db.query('select id, status from orders where id = any ($1) order by seq', [[own._id, other._id]])
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'rejected'])
  })
})

describe('money into one’s own wallet', () => {
  const credit = (as: SignedInUser, to: SignedInUser, amount = 7) =>
    call<ErrorBody & { balance: number }>(shop, 'PUT', '/user/balance', { as, body: { chosenId: to._id, amount, note: 'agreed' } })
  async function proposed(to: SignedInUser, as: SignedInUser): Promise<Approval> {
    const { body } = await call<{ approvals: Approval[] }>(shop, 'GET', '/admin/approvals', { as })
    return body.approvals.find(({ userId }) => userId === to._id) as Approval
  }
  const approve = ({ _id, hash }: Approval, as: SignedInUser) =>
    call<ErrorBody>(shop, 'POST', `/admin/approvals/${_id}/approve`, { as, body: { hash } })

  test('is not approved by its owner, whoever proposed it, but by a third', async () => {
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 20000')
    const [proposer, gainer, third] = [await hire('finance'), await hire('finance'), await hire('owner')]
    expect((await credit(proposer, gainer, 250)).body.code).toBe('SECOND_PERSON_NEEDED')
    const approval = await proposed(gainer, third)
    expect((await approve(approval, gainer)).status).toBe(403)
    expect(await balanceOf(shop, gainer._id)).toBe(10_000)
    expect((await approve(approval, third)).status).toBe(200)
  })

  test('a request of one’s own that a colleague proposed is proposed anew, and approved by the colleague', async () => {
    await shop.database.db.query('update staff_rules set second_person_above_pesewas = 5000')
    const [proposer, gainer] = [await hire('finance'), await hire('owner')]
    const { body } = await call<{ recharge: { _id: string } }>(shop, 'POST', '/recharge', { as: gainer, body: { amount: 60 } })
    const decide = (as: SignedInUser) => call<ErrorBody>(shop, 'PUT', `/recharge/${body.recharge._id}/approve`, { as })
    expect((await decide(proposer)).body.code).toBe('SECOND_PERSON_NEEDED')
    expect((await decide(gainer)).body.code).toBe('SECOND_PERSON_NEEDED')
    expect(await balanceOf(shop, gainer._id)).toBe(10_000)
    expect((await decide(proposer)).status).toBe(200)
    expect(await balanceOf(shop, gainer._id)).toBe(16_000)
  })

  test('is for an only owner, without whom nobody could', async () => {
    const owner = await hire('owner')
    expect((await credit(owner, owner)).body).toEqual({ balance: 107 })
  })
})

describe('the database refuses it too, whatever the program does', () => {
  /** The code of what refused it; it is taken back in any case. */
  async function tryIt(sql: string, values: unknown[]): Promise<string | undefined> {
    const client = await shop.database.db.connect()
    try {
      await client.query('begin')
      await client.query(sql, values)
      await client.query('set constraints all immediate')
      return 'done'
    } catch (error) {
      return (error as { code?: string }).code
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test('a withdrawal, a refund, an order and a credit', async () => {
    await hire('owner')
    const [gainer, other] = [await hire('finance'), await hire('finance')]
    const [withdrawal, refund, order] = [await makeWithdrawal(shop, gainer._id), await refundOf(gainer), await ownOrder(gainer)]
    const tries = (by: SignedInUser) => [
      tryIt('update withdrawals set decided_by = $2 where id = $1', [withdrawal, by._id]),
      tryIt('update refunds set decided_by = $2 where id = $1', [refund, by._id]),
      tryIt(`update orders set status = 'rejected', decided_by = $2, decided_at = now() where id = $1`, [order._id, by._id]),
      tryIt(
        `select post_entry('credit:' || gen_random_uuid(), 'admin-credit', '', $2, array[6, account_id], array[-100, 100], now()) from wallets where user_id = $1`,
        [gainer._id, by._id],
      ),
    ]
    for (const one of tries(gainer)) expect(await one).toBe('DW015')
    for (const one of tries(other)) expect(await one).toBe('done')
  })
})

test('every other write of staff is listed with why nobody gains from it alone', () => {
  const decided = [
    ...Object.keys(DECISIONS),
    'PUT /admin/batches/:number/settle',
    'POST /order/decide-many',
    'PUT /user/balance',
    'POST /admin/approvals/:id/approve',
    'PUT /recharge/:id/approve',
    // As large amounts are, in received-payments.test.ts and approvals.test.ts.
    'POST /received-payment/approve',
    'POST /received-payment/:id/credit',
  ]
  const writes = Object.entries<Endpoint>(routes)
    // Customers set their own money aside by the balance's.
    .filter(([route, { access }]) => (isForStaff(access) || route === 'PUT /user/balance') && !route.startsWith('GET '))
    .map(([route]) => route)
  expect(writes.toSorted()).toEqual([...decided, ...Object.keys(EXEMPT)].toSorted())
})

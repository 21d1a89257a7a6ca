import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SEES_ORDERS, SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import type { DeliveryStatus } from '../../../../shared/suppliers.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { makeCtx } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { makeReference } from '../../../platform/reference.ts'
import { decideOrder, decideOrderAsSupplierSays } from './decide-order.ts'

type Decision = 'completed' | 'rejected'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
})
beforeEach(async () => {
  buyer = await makeUser(shop, { balance: 20 })
})
afterAll(() => shop.close())

async function buy(): Promise<string> {
  return (await checkout(shop, buyer, [await cartLine(shop)])).body.orders[0]!._id
}

/** What a decision is given, the jobs that it adds, and what it announces. */
function deciding(actor: SignedInUser | null) {
  const jobs: unknown[] = []
  const enqueue = async (_tx: unknown, queue: string, added: unknown[]) => void jobs.push([queue, added])
  const { ctx, announced } = makeCtx(shop, actor && { id: actor._id, level: actor.userLevel, sessionHash: hashToken(actor.token) })
  return { ctx: { ...ctx, jobs: { enqueue } as never }, jobs, announced }
}

function decide(orderId: string, status: Decision) {
  return decideOrder(deciding(admin).ctx, { orderId, status })
}

async function entryOf(orderId: string) {
  const { rows } = await shop.database.db.query(
    `select e.kind, e.memo, e.actor_id as actor, e.created_at as at,
       json_agg(json_build_array(case when p.account_id >= 1000 then 'wallet' else p.account_id::text end, p.amount_pesewas) order by p.line) as lines
     from journal_entries e join postings p on p.entry_id = e.id where e.key = 'order-refund:' || $1 group by e.id`,
    [orderId],
  )
  return rows[0]
}

async function rowOf(orderId: string) {
  const { rows } = await shop.database.db.query('select status, decided_at as at, decided_by as by from orders where id = $1', [orderId])
  return rows[0]
}

async function noteOf(orderId: string) {
  const { rows } = await shop.database.db.query(
    'select action, subject_type, before, after, note from admin_actions where subject_id = $1',
    [orderId],
  )
  return rows[0]
}

async function walletOf(user: SignedInUser) {
  const { rows } = await shop.database.db.query(
    'select balance_pesewas as balance, total_purchase_pesewas as total, version from wallets where user_id = $1',
    [user._id],
  )
  return rows[0]
}

/** An order of 5.50 that a card paid with so much on top, in pesewas. */
async function buyByCard(surcharge: number): Promise<string> {
  const reference = makeReference()
  const { productId } = await cartLine(shop)
  const line = { product: productId, network: null, offer: '1GB', receiver: '0551234567', seen: 550, clientId: null }
  await shop.database.db.query(
    `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, received_pesewas, in_wallet, created_at, settled_at)
     values ($1, $2, 'order', $3, 550, $4::bigint, 'paid', 550 + $4::bigint, true, $5, $5)`,
    [reference, buyer._id, JSON.stringify([line]), surcharge, shop.clock.now],
  )
  await shop.database.db.query(
    `select post_entry('card-payment:' || $1, 'card-payment', '', null, array[5, account_id], array[-550 - $2::bigint, 550 + $2::bigint], $3)
     from wallets where user_id = $4`,
    [reference, surcharge, shop.clock.now, buyer._id],
  )
  const { rows } = await shop.database.db.query(`select place_wallet_orders($1, $2, 'h', $3, $4, $5, $6) as outcome`, [
    buyer._id,
    randomUUID(),
    JSON.stringify([line]),
    shop.clock.now,
    reference,
    surcharge,
  ])
  return rows[0].outcome.orders[0].id
}

describe('a rejection', () => {
  test('books back what the wallet paid, under the order’s own key, and changes no other order or wallet', async () => {
    const [orderId, other, bystander] = [await buy(), await buy(), await makeUser(shop, { balance: 3 })]
    const before = await walletOf(bystander)
    await decide(orderId, 'rejected')
    expect(await entryOf(orderId)).toEqual({
      kind: 'order-refund',
      memo: 'Refund of MTN 1GB to 0551234567',
      actor: admin._id,
      at: shop.clock.now,
      lines: [
        ['wallet', 550],
        ['8', -550],
      ],
    })
    expect([await rowOf(orderId), await rowOf(other)]).toEqual([
      { status: 'rejected', at: shop.clock.now, by: admin._id },
      { status: 'pending', at: null, by: null },
    ])
    // A credit, two purchases, the refund and the total of what was bought: a version each.
    expect([await walletOf(buyer), await walletOf(bystander)]).toEqual([{ balance: 1_450, total: 550, version: 5 }, before])
  })

  test.each([
    [0, []],
    [1, [['2', -1]]],
    [17, [['2', -17]]],
  ])('books back a surcharge of %d pesewas too, into the wallet', async (surcharge, lines) => {
    const orderId = await buyByCard(surcharge)
    await decide(orderId, 'rejected')
    expect((await entryOf(orderId)).lines).toEqual([['wallet', 550 + surcharge], ['8', -550], ...lines])
    expect(await balanceOf(shop, buyer._id)).toBe(2_000 + 550 + surcharge)
  })

  test('tells the buyer and the admins of the order and the balance', async () => {
    const orderId = await buy()
    const { ctx, announced, jobs } = deciding(admin)
    const order = await decideOrder(ctx, { orderId, status: 'rejected' })
    expect(order).toMatchObject({ id: orderId, status: 'rejected', decidedAt: shop.clock.now, username: buyer.username })
    expect(announced.map(({ to, event }) => [to, event])).toEqual([
      [{ user: buyer._id }, 'ordersUpdated'],
      [{ staff: SEES_ORDERS }, 'ordersUpdated'],
      [{ user: buyer._id }, 'CurrUserUpdated'],
      [{ staff: SEES_WALLETS }, 'userUpdated'],
    ])
    expect(announced[0]?.payload).toMatchObject({ _id: orderId, status: 'rejected' })
    expect(jobs).toEqual([['tell-buyer', [{ data: { kind: 'rejected', orderId }, key: `rejected:${orderId}` }]]])
  })
})

describe('a completion', () => {
  test('moves no money, has the buyer told, and announces the order alone', async () => {
    const orderId = await buy()
    const { ctx, announced, jobs } = deciding(admin)
    await decideOrder(ctx, { orderId, status: 'completed' })
    expect([await entryOf(orderId), await walletOf(buyer)]).toEqual([undefined, { balance: 1_450, total: 550, version: 2 }])
    expect(jobs).toEqual([['tell', [{ data: { kind: 'completed', orderId }, key: `completed:${orderId}` }]]])
    expect(announced.map(({ event }) => event)).toEqual(['ordersUpdated', 'ordersUpdated'])
  })
})

describe('an order at its supplier', () => {
  async function send(orderId: string, status: string) {
    await shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, sent_at, created_at, updated_at)
       select id, reference, 'hubnet', 1024, $2, sent::integer, case when sent then now() end, now(), now()
       from orders, (select $2 not in ('waiting', 'cancelled') as sent) call where id = $1`,
      [orderId, status],
    )
  }

  async function deliveryOf(orderId: string) {
    const { rows } = await shop.database.db.query('select status, detail from supplier_deliveries where order_id = $1', [orderId])
    return rows[0]
  }

  test('cannot be rejected while it is being sent', async () => {
    const orderId = await buy()
    await send(orderId, 'sending')
    const error = await decide(orderId, 'rejected').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      message: 'That order is being sent to the supplier at this moment. Please try again in a minute.',
    })
    expect([await rowOf(orderId), await entryOf(orderId)]).toEqual([{ status: 'pending', at: null, by: null }, undefined])
  })

  const HELD = ['accepted', 'unknown', 'delivered'] as const
  const REASON = 'Their portal shows that it never went out.'

  test.each(HELD)('that is %s there is rejected only with a reason, which is kept', async (standing) => {
    const orderId = await buy()
    await send(orderId, standing)
    const refuse = async (override?: { reason?: string; supplierStatus?: DeliveryStatus }) => {
      const error = await decideOrder(deciding(admin).ctx, { orderId, status: 'rejected', override }).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ status: 409, code: 'CONFLICT' })
      expect([await rowOf(orderId), await entryOf(orderId)]).toEqual([{ status: 'pending', at: null, by: null }, undefined])
    }
    await refuse()
    await refuse({ supplierStatus: standing })
    for (const other of HELD) if (other !== standing) await refuse({ reason: REASON, supplierStatus: other })
    await decideOrder(deciding(admin).ctx, { orderId, status: 'rejected', override: { reason: REASON, supplierStatus: standing } })
    expect(await balanceOf(shop, buyer._id)).toBe(2_000)
    expect(await noteOf(orderId)).toMatchObject({ before: { status: 'pending', supplierStatus: standing }, note: REASON })
  })

  test.each(['waiting', 'rejected', 'failed', 'cancelled'])('that is %s there is rejected without one', async (standing) => {
    const orderId = await buy()
    await send(orderId, standing)
    expect((await decide(orderId, 'rejected')).status).toBe('rejected')
  })

  test.each(['sending', ...HELD])('that is %s there is not rejected by the database either, whatever the code says', async (standing) => {
    const orderId = await buy()
    await send(orderId, standing)
    const reject = (reason: string | null) =>
      shop.database.db.query(`update orders set status = 'rejected', decided_at = now(), override_reason = $2 where id = $1`, [
        orderId,
        reason,
      ])
    await expect(reject(null)).rejects.toMatchObject({ code: 'DW007' })
    if (standing === 'sending') await expect(reject(REASON)).rejects.toMatchObject({ code: 'DW007' })
    else {
      await expect(reject('ok')).rejects.toThrow(/override_reason/)
      const client = await shop.database.db.connect()
      await client.query('begin')
      await client.query(`update orders set status = 'rejected', decided_at = now(), override_reason = $2 where id = $1`, [orderId, REASON])
      await client.query('rollback')
      client.release()
    }
  })

  test('is not rejected if the supplier accepts it while the rejection waits for the lock', async () => {
    const orderId = await buy()
    await send(orderId, 'waiting')
    const supplier = await shop.database.db.connect()
    await supplier.query('begin')
    await supplier.query(`select from orders where id = $1 for update`, [orderId])
    const rejecting = decide(orderId, 'rejected').catch((thrown: unknown) => thrown)
    await until(async () => {
      const { rows } = await shop.database.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from orders o%for update%'`,
      )
      return rows.length > 0
    })
    await supplier.query(`update supplier_deliveries set status = 'sending', attempts = 1 where order_id = $1`, [orderId])
    await supplier.query(`update supplier_deliveries set status = 'accepted' where order_id = $1`, [orderId])
    await supplier.query('commit')
    supplier.release()
    expect(await rejecting).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(await rowOf(orderId)).toMatchObject({ status: 'pending' })
  })

  test.each(['sending', ...HELD])('that is %s there can be completed', async (standing) => {
    const orderId = await buy()
    await send(orderId, standing)
    expect((await decide(orderId, 'completed')).status).toBe('completed')
  })

  test.each([
    ['rejected', 'delivered'],
    ['rejected', 'accepted'],
    ['completed', 'failed'],
  ] as const)('is not %s automatically once the supplier reports that it is %s', async (status, standing) => {
    const orderId = await buy()
    await send(orderId, standing)
    await decideOrderAsSupplierSays(deciding(null).ctx, { orderId, status })
    expect(await rowOf(orderId)).toMatchObject({ status: 'pending' })
  })

  test.each(['completed', 'rejected'] as const)('is no longer sent once it is %s', async (status) => {
    const orderId = await buy()
    await send(orderId, 'waiting')
    await decide(orderId, status)
    expect(await deliveryOf(orderId)).toEqual({ status: 'cancelled', detail: `the order was ${status} by hand` })
  })
})

describe('a decision', () => {
  test.each(['completed', 'rejected'] as const)('is recorded: %s', async (status) => {
    const orderId = await buy()
    await decide(orderId, status)
    expect(await noteOf(orderId)).toEqual({
      action: `order.${status}`,
      subject_type: 'order',
      before: { status: 'pending' },
      after: { status },
      note: '',
    })
  })

  test('needs an admin', async () => {
    const orderId = await buy()
    await expect(decideOrder(deciding(buyer).ctx, { orderId, status: 'completed' })).rejects.toThrow(Forbidden)
    expect(await rowOf(orderId)).toMatchObject({ status: 'pending' })
  })
})

describe('what the supplier says decides', () => {
  const say = (orderId: string, status: Decision, actor: SignedInUser | null = null) =>
    decideOrderAsSupplierSays(deciding(actor).ctx, { orderId, status })

  test.each([
    ['completed', 'The supplier has delivered it.', 1_450],
    ['rejected', 'The supplier did not deliver it.', 2_000],
  ] as const)('%s: with a note, and nobody’s name', async (status, note, balance) => {
    const orderId = await buy()
    await say(orderId, status)
    expect([await rowOf(orderId), (await noteOf(orderId)).note]).toEqual([{ status, at: shop.clock.now, by: null }, note])
    expect(await balanceOf(shop, buyer._id)).toBe(balance)
    if (status === 'rejected') expect((await entryOf(orderId)).actor).toBeNull()
  })

  test('nothing when someone has decided meanwhile', async () => {
    const orderId = await buy()
    await decide(orderId, 'completed')
    await expect(say(orderId, 'rejected')).resolves.toBeUndefined()
    expect([(await rowOf(orderId)).status, await balanceOf(shop, buyer._id)]).toEqual(['completed', 1_450])
  })

  test('nothing for an unknown order, and not for a caller', async () => {
    await expect(say(randomUUID(), 'completed')).rejects.toThrow(new NotFound('order'))
    const orderId = await buy()
    await expect(say(orderId, 'rejected', admin)).rejects.toThrow(Forbidden)
    expect((await rowOf(orderId)).status).toBe('pending')
  })
})

test('nobody who works here refunds their own order, while somebody else could', async () => {
  buyer = await makeUser(shop, { level: 'Admin', balance: 20 })
  const { body } = await checkout(shop, buyer, [await cartLine(shop, { as: 'Agent' })])
  const orderId = body.orders[0]!._id
  await expect(decideOrder(deciding(buyer).ctx, { orderId, status: 'rejected' })).rejects.toThrow(
    'somebody else who works here must decide it',
  )
  expect((await decide(orderId, 'rejected')).status).toBe('rejected')
})

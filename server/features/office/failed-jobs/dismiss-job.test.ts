import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { JobsReply } from '../../../../shared/jobs.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
const reason = 'sent by hand meanwhile'

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 500 })
})
afterAll(() => shop.close())

const dismiss = (id: string, as: SignedInUser | undefined = admin, body: object = { reason }) =>
  call<{ message: string }>(shop, 'POST', `/admin/jobs/${id}/dismiss`, { ...(as ? { as } : {}), body })

const shown = async (id: string) =>
  (await call<JobsReply>(shop, 'GET', '/admin/jobs', { as: admin })).body.failed.find(({ _id }) => _id === id)

/** As the queue leaves a job that failed too often. */
async function park(queue: string, data: object = {}): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into jobs.job (name, source_name, data, source_output) values ('parked', $1, $2, '{"message": "it failed"}') returning id`,
    [queue, data],
  )
  return rows[0]?.id ?? ''
}

async function buy(delivery?: string): Promise<Order> {
  const [order] = (await checkout(shop, buyer, [await cartLine(shop)])).body.orders as Order[]
  if (!order) throw new Error('no order came of buying')
  if (delivery) {
    await shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at)
       values ($1, $2, 'hubnet', 1000, $3, 1, now(), now())`,
      [order._id, order.reference, delivery],
    )
  }
  return order
}

const deliveryOf = async ({ _id }: Order) =>
  (
    await shop.database.db.query<{ status: string; detail: string }>('select status, detail from supplier_deliveries where order_id = $1', [
      _id,
    ])
  ).rows[0]

const decide = (order: Order, status: string) => call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status } })

const balance = async () => (await call<{ balance: number }[]>(shop, 'GET', '/user/account-balances', { as: buyer })).body[0]?.balance ?? 0

describe('a failed job that is dismissed', () => {
  test('is deleted, and the record has who, what and why', async () => {
    const id = await park('supplier-balance')
    expect((await shown(id))?.keep).toBeNull()
    expect(await dismiss(id)).toMatchObject({ status: 200, body: { message: 'The job is dismissed.' } })
    expect(await shown(id)).toBeUndefined()
    const { body } = await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin, query: { search: id } })
    expect(body).toMatchObject([
      {
        action: 'job.dismiss',
        subjectId: id,
        actor: admin.username,
        note: reason,
        before: { work: 'supplier-balance', problem: 'it failed' },
      },
    ])
  })

  test('needs a reason, and stays without one', async () => {
    const id = await park('supplier-balance')
    for (const body of [{}, { reason: '' }, { reason: '  x ' }, { reason: 'x'.repeat(501) }]) {
      expect((await dismiss(id, admin, body)).status).toBe(400)
    }
    expect(await shown(id)).toBeDefined()
  })

  test('can be dismissed by an admin only', async () => {
    const id = await park('supplier-balance')
    expect((await dismiss(id, buyer)).status).toBe(403)
    expect((await call(shop, 'POST', `/admin/jobs/${id}/dismiss`, { body: { reason } })).status).toBe(401)
    expect(await shown(id)).toBeDefined()
  })

  test('is dismissed once, and not while it is retried', async () => {
    const id = await park('supplier-balance')
    const replies = await Promise.all(Array.from({ length: 6 }, () => dismiss(id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404])
    for (let round = 0; round < 5; round++) {
      const other = await park('supplier-balance')
      const both = await Promise.all([dismiss(other), call(shop, 'POST', `/admin/jobs/${other}/retry`, { as: admin, body: {} })])
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
    }
  })

  test('leaves an order that was not sent to be decided by hand, and its money with the buyer when it is rejected', async () => {
    const order = await buy('waiting')
    const paid = await balance()
    const id = await park('supplier-send', { orderId: order._id })
    expect(await dismiss(id)).toMatchObject({
      status: 200,
      body: { message: `The job is dismissed. Order ${order.id} is still pending: process it or reject it by hand.` },
    })
    expect(await deliveryOf(order)).toEqual({ status: 'cancelled', detail: 'an admin took it over before it was sent' })
    expect((await decide(order, 'rejected')).status).toBe(200)
    expect(await balance()).toBe(paid + order.totalAmount)
  })

  test.each(['accepted', 'unknown'])(
    'leaves an order that its supplier has as it stands there (%s), to be decided by hand',
    async (status) => {
      const order = await buy(status)
      await dismiss(await park('supplier-ask', { orderId: order._id }))
      expect(await deliveryOf(order)).toEqual({
        status,
        detail: 'an admin took it over: the shop does not ask about it by itself any more',
      })
      expect((await decide(order, 'completed')).status).toBe(200)
    },
  )

  test('leaves its message unsent, and says so', async () => {
    const order = await buy()
    const { rows } = await shop.database.db.query<{ id: string }>(
      `insert into sms_messages (kind, order_id, receiver, body, status, created_at, updated_at)
       values ('order', $1, '0241234567', 'a new order', 'waiting', now(), now()) returning id`,
      [order._id],
    )
    const { body } = await dismiss(await park('send-sms', { messageId: rows[0]!.id }))
    expect(body.message).toContain(`Order ${order.id} is still pending`)
    const message = await shop.database.db.query('select status, detail from sms_messages where id = $1', [rows[0]!.id])
    expect(message.rows).toEqual([{ status: 'failed', detail: 'an admin dismissed it' }])
  })
})

test('a message about an order that its supplier has leaves the order there', async () => {
  const order = await buy('accepted')
  const { body } = await dismiss(await park('tell', { kind: 'order', orderId: order._id }))
  expect(body.message).toBe(`The job is dismissed. Order ${order.id} goes on at its supplier.`)
  expect(await deliveryOf(order)).toMatchObject({ status: 'accepted', detail: '' })
})

describe('a failed job that holds a buyer’s money', () => {
  const kept = async (id: string, why: RegExp) => {
    expect((await shown(id))?.keep).toMatch(why)
    const { status, body } = await dismiss(id)
    expect([status, body.message]).toEqual([409, expect.stringMatching(why)])
    expect(await shown(id)).toBeDefined()
  }

  test('cannot be dismissed while it is the decision of an open order', async () => {
    const order = await buy('failed')
    const id = await park('decide-order', { orderId: order._id, status: 'rejected' })
    await kept(id, /is not decided. Process or reject it by hand/)
    expect((await decide(order, 'rejected')).status).toBe(200)
    expect((await dismiss(id)).status).toBe(200)
  })

  test('cannot be dismissed while the outcome of sending its order is unknown', async () => {
    const order = await buy('sending')
    expect((await decide(order, 'rejected')).status).toBe(409)
    await kept(await park('supplier-send', { orderId: order._id }), /may be on its way to the supplier/)
  })

  test('cannot be dismissed when it is of an unknown kind', async () => {
    await kept(await park('something-new'), /Nobody has said yet what would be lost/)
  })

  test('can be dismissed when its order does not exist', async () => {
    expect((await dismiss(await park('supplier-send', { orderId: crypto.randomUUID() }))).status).toBe(200)
  })
})

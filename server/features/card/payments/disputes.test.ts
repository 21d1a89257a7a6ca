import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../../sandbox/open-sandbox.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { ConfirmPaymentReply, PaymentDispute, PaymentReply, UnmatchedPayment } from '../../../../shared/payments.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { actionsAbout, balanceOf, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { confirmEmailOf } from '../../../../test/confirmations.ts'
import { until } from '../../../../test/until.ts'

let shop: TestShop
let provider: Sandbox['cardProvider']
let admin: SignedInUser
let payer: SignedInUser

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  provider = (shop.sandbox as Sandbox).cardProvider
  admin = await makeUser(shop, { level: 'Admin' })
})
beforeEach(async () => {
  payer = await makeUser(shop)
})
afterEach(() => provider.clearFaults())
afterAll(() => shop.close())

/** Buys so many bundles of MTN, or what is given, by card. */
async function buy(items?: Parameters<typeof cartLine>[1][]): Promise<{ payment: PaymentReply; orders: Order[] }> {
  const lines = await Promise.all((items ?? [{}]).map((item) => cartLine(shop, item)))
  const { body: payment } = await call<PaymentReply>(shop, 'POST', '/payment', { as: payer, body: { purpose: 'order', items: lines } })
  await provider.pay(payment.reference)
  const orders = await until(async () => {
    const { body } = await call<ConfirmPaymentReply>(shop, 'POST', `/payment/${payment.reference}/confirm`, { as: payer })
    return body.orders.length > 0 && body.orders
  })
  return { payment, orders }
}

const shown = async (search: string) =>
  (await call<PaymentDispute[]>(shop, 'GET', '/payment/disputes', { as: admin, query: { search } })).body
const orderOf = async (id: string) =>
  (await call<Order[]>(shop, 'GET', '/order/allorders', { as: admin })).body.find(({ _id }) => _id === id)
const decide = (order: Order, status: 'completed' | 'rejected', reason?: string) =>
  call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status, ...(reason ? { override: { reason } } : {}) } })

async function dispute(reference: string, step: Parameters<typeof provider.dispute>[1], outcome: string): Promise<PaymentDispute> {
  await provider.dispute(reference, step)
  return until(async () => (await shown(reference)).find((one) => one.kind === 'dispute' && one.outcome === outcome))
}

async function refund(reference: string, step: Parameters<typeof provider.refund>[1]): Promise<PaymentDispute> {
  await provider.refund(reference, step)
  return until(async () => (await shown(reference)).find((one) => one.kind === 'refund' && one.outcome === step.step))
}

/** Amounts by account, of all entries that name the payment or its dispute. */
async function bookedOn(accountId: number, like: string): Promise<number> {
  const { rows } = await shop.database.db.query<{ total: number }>(
    `select coalesce(sum(p.amount_pesewas), 0) as total from postings p join journal_entries e on e.id = p.entry_id
     where p.account_id = $1 and (e.memo like '%' || $2 || '%' or e.key like '%' || $2)`,
    [accountId, like],
  )
  return rows[0]?.total ?? Number.NaN
}

/** Sends an event that the provider signed, past the simulator. */
function send(event: object) {
  const body = JSON.stringify(event)
  const signature = createHmac('sha512', provider.secretKey).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature }
  return shop.app.inject({ method: 'POST', url: '/api/payment/webhook', headers, payload: body })
}

describe('a disputed card payment', () => {
  test('puts its pending orders on hold, and shows the admin what to answer by when', async () => {
    const { payment, orders } = await buy()
    const [order] = orders as [Order]
    const open = await dispute(payment.reference, { step: 'create' }, 'open')
    expect(open).toMatchObject({ amount: 5.67, booked: 0, customer: { username: payer.username }, orders: [{ _id: order._id }] })
    expect(open.onHold).toBe('the payer disputes the card payment')
    expect(Date.parse(open.dueAt as string) - shop.clock.now.getTime()).toBeGreaterThan(0)
    expect((await orderOf(order._id))?.onHold).toBe('the payer disputes the card payment')
    for (const status of ['completed', 'rejected'] as const) expect((await decide(order, status)).status).toBe(409)
    const many = await call<{ refused: unknown[] }>(shop, 'POST', '/order/decide-many', {
      as: admin,
      body: { ids: [order._id], status: 'completed' },
    })
    expect(many.body.refused).toHaveLength(1)
    expect((await decide(order, 'completed', 'Delivered before the dispute')).status).toBe(200)
    expect((await actionsAbout(shop, admin, order._id))[0]).toMatchObject({
      action: 'order.completed',
      note: 'Delivered before the dispute',
    })
  })

  test('with an unknown resolution keeps its orders on hold, and moves no money', async () => {
    const { payment, orders } = await buy()
    const [order] = orders as [Order]
    const id = 777_001
    await dispute(payment.reference, { step: 'create', id }, 'open')
    const transaction = { reference: payment.reference, status: 'success', amount: 567, currency: 'GHS', domain: 'test' }
    const data = {
      id,
      refund_amount: 567,
      currency: 'GHS',
      status: 'resolved',
      resolution: 'settled-otherwise',
      domain: 'test',
      transaction,
    }
    expect((await send({ event: 'charge.dispute.resolve', data })).statusCode).toBe(200)
    const unclear = await until(async () => (await shown(payment.reference)).find(({ outcome }) => outcome === 'unclear'))
    expect([unclear.onHold, unclear.booked]).toEqual(['the payer disputes the card payment', 0])
    expect((await decide(order, 'completed')).status).toBe(409)
  })

  test('keeps its orders out of bulk decisions, whatever reason is given', async () => {
    const { payment, orders } = await buy()
    const [order] = orders as [Order]
    await shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, sent_at, created_at, updated_at)
       select id, reference, 'hubnet', 1000, 'delivered', 1, now(), now(), now() from orders where id = $1`,
      [order._id],
    )
    await dispute(payment.reference, { step: 'create' }, 'open')
    const chosen = { reason: 'Seen on their portal', orders: [{ id: order._id, supplierStatus: 'delivered' }] }
    for (const status of ['completed', 'rejected']) {
      const { body } = await call<{ decided: Order[]; refused: { message: string }[] }>(shop, 'POST', '/order/decide-many', {
        as: admin,
        body: { ids: [order._id], status, chosen },
      })
      expect([body.decided, body.refused[0]?.message]).toEqual([[], expect.stringMatching(/^That order is on hold/)])
    }
  })

  test('is not sent to the supplier until an admin releases it; a reminder does not hold it again', async () => {
    provider.addFault({ call: 'webhook', kind: 'lose', reference: 'nobody' })
    const { body: payment } = await call<PaymentReply>(shop, 'POST', '/payment', {
      as: payer,
      body: { purpose: 'order', items: [await cartLine(shop, { network: 'AirtelTigo' })] },
    })
    provider.addFault({ call: 'webhook', kind: 'lose', reference: payment.reference })
    await provider.pay(payment.reference)
    // The event of the dispute comes before the one of the payment, which is lost.
    await dispute(payment.reference, { step: 'create' }, 'open')
    const order = await until(async () => (await shown(payment.reference))[0]?.orders[0])
    await until(async () => (await orderOf(order._id))?.supplier?.detail === 'on hold: the payer disputes the card payment')
    const sent = () =>
      (shop.sandbox as Sandbox).supplier.hubnet.control.deliveries.list().filter(({ reference }) => reference === order.reference)
    expect(sent()).toEqual([])

    const release = () => call(shop, 'POST', `/payment/${payment.reference}/release`, { as: admin, body: { reason: 'They called us' } })
    expect((await call(shop, 'POST', `/payment/${payment.reference}/release`, { as: payer, body: { reason: 'It is mine' } })).status).toBe(
      403,
    )
    expect((await release()).status).toBe(200)
    expect((await release()).status).toBe(409)
    await until(() => sent().length === 1)
    const { rows } = await shop.database.db.query<{ total: number }>(
      'select count(*) as total from webhook_events where handled_at is not null',
    )
    await provider.dispute(payment.reference, { step: 'remind' })
    await until(async () => {
      const now = await shop.database.db.query<{ total: number }>(
        'select count(*) as total from webhook_events where handled_at is not null',
      )
      return now.rows[0]!.total > rows[0]!.total
    })
    expect((await shown(payment.reference))[0]).toMatchObject({ outcome: 'open', onHold: null })
  })

  test('that is lost is booked once, and its orders, once rejected, do not fill the wallet too', async () => {
    const { payment, orders } = await buy()
    const open = await dispute(payment.reference, { step: 'create' }, 'open')
    const lost = await dispute(payment.reference, { step: 'resolve', resolution: 'auto-accepted' }, 'lost')
    expect(lost).toMatchObject({ id: open.id, booked: 5.67, dueAt: null })
    expect([await bookedOn(17, `dispute-lost:${open.id}`), await bookedOn(5, `dispute-lost:${open.id}`)]).toEqual([-567, 567])
    expect((await decide(orders[0] as Order, 'rejected', 'The bank took it back')).status).toBe(200)
    expect(await balanceOf(shop, payer._id)).toBe(0)
    expect(await bookedOn(17, `order-refund:${orders[0]?._id}`)).toBe(567)
  })

  test('that is lost takes back what was refunded to the wallet, as far as it is still there', async () => {
    const { payment, orders } = await buy([{}, {}])
    expect((await decide(orders[0] as Order, 'rejected')).status).toBe(200)
    const refunded = await balanceOf(shop, payer._id)
    expect(refunded).toBeGreaterThan(0)
    const lost = await dispute(payment.reference, { step: 'create' }, 'open').then(() =>
      dispute(payment.reference, { step: 'resolve', resolution: 'merchant-accepted' }, 'lost'),
    )
    expect(lost.booked).toBe(payment.amount / 100)
    expect(await balanceOf(shop, payer._id)).toBe(0)
    expect(await bookedOn(17, lost.id)).toBe(refunded - payment.amount)
  })

  test('does not touch other money in the wallet', async () => {
    const { payment, orders } = await buy()
    await decide(orders[0] as Order, 'rejected')
    await call(shop, 'PUT', '/user/balance', {
      as: admin,
      body: { chosenId: payer._id, amount: 10 },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    await checkout(shop, payer, [await cartLine(shop)])
    const before = await balanceOf(shop, payer._id)
    expect(before).toBe(567 + 1_000 - 550)
    await dispute(payment.reference, { step: 'resolve', resolution: 'auto-accepted' }, 'lost')
    expect(await balanceOf(shop, payer._id)).toBe(before - 567)
  })

  test('that is won releases its orders, and moves no money', async () => {
    const { payment, orders } = await buy()
    await dispute(payment.reference, { step: 'create' }, 'open')
    expect(await dispute(payment.reference, { step: 'resolve', resolution: 'declined' }, 'won')).toMatchObject({ onHold: null, booked: 0 })
    expect((await decide(orders[0] as Order, 'completed')).status).toBe(200)
  })

  test('whose events arrive out of order and twice ends as resolved, booked once', async () => {
    const { payment } = await buy()
    const id = 770_001
    const lost = await dispute(payment.reference, { step: 'resolve', id }, 'lost')
    for (const step of ['remind', 'create', 'resolve'] as const) await provider.dispute(payment.reference, { step, id })
    await until(() =>
      provider
        .payments()
        .find(({ reference }) => reference === payment.reference)!
        .webhookEvents.every(({ state }) => state === 'delivered'),
    )
    await until(async () => (await shop.database.db.query('select from webhook_events where handled_at is null')).rowCount === 0)
    expect(await shown(payment.reference)).toEqual([expect.objectContaining({ id: lost.id, outcome: 'lost', booked: 5.67 })])
    expect((await shown(payment.reference))[0]?.dueAt).toBeNull()
    expect(await bookedOn(5, `dispute-lost:${id}`)).toBe(567)
  })
})

describe('a refund at the card provider', () => {
  test('is on hold from its first event, booked when it is paid out, and counts once with a rejected order', async () => {
    const { payment, orders } = await buy()
    const pending = await refund(payment.reference, { step: 'pending' })
    expect(pending).toMatchObject({ booked: 0, onHold: 'the card payment was refunded at the provider' })
    await refund(payment.reference, { step: 'processing' })
    const processed = await refund(payment.reference, { step: 'processed' })
    expect(processed.booked).toBe(5.67)
    expect(await shown(payment.reference)).toHaveLength(1)
    expect(await bookedOn(5, `card-refund:${processed.id}`)).toBe(567)
    await decide(orders[0] as Order, 'rejected', 'Refunded by Paystack')
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test('of a part takes back that part, and the rest of a rejected order goes to the wallet', async () => {
    const { payment, orders } = await buy()
    expect((await refund(payment.reference, { step: 'processed', amountPesewas: 200 })).booked).toBe(2)
    await decide(orders[0] as Order, 'rejected', 'Not delivered')
    expect(await balanceOf(shop, payer._id)).toBe(367)
  })

  test('takes what was put into the wallet', async () => {
    const { body: payment } = await call<PaymentReply>(shop, 'POST', '/payment', {
      as: payer,
      body: { purpose: 'order', items: [await cartLine(shop)] },
    })
    await provider.pay(payment.reference, { amountPesewas: 500 })
    await until(async () => (await balanceOf(shop, payer._id)) === 500)
    await refund(payment.reference, { step: 'processed' })
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test('that fails lets the orders go on', async () => {
    const { payment, orders } = await buy()
    await refund(payment.reference, { step: 'pending' })
    await refund(payment.reference, { step: 'failed' })
    expect((await shown(payment.reference))[0]).toMatchObject({ onHold: null, booked: 0 })
    expect((await decide(orders[0] as Order, 'completed')).status).toBe(200)
  })

  test('and a lost dispute together take no more than the payment brought in', async () => {
    const { payment } = await buy()
    await refund(payment.reference, { step: 'processed', amountPesewas: 400 })
    expect((await dispute(payment.reference, { step: 'resolve' }, 'lost')).booked).toBe(1.67)
  })

  test('and a lost dispute together take from the wallet what this payment left there, and no other money', async () => {
    const { payment, orders } = await buy([{}, {}])
    await decide(orders[0] as Order, 'rejected')
    await decide(orders[1] as Order, 'completed')
    await refund(payment.reference, { step: 'processed', amountPesewas: 400 })
    await call(shop, 'PUT', '/user/balance', {
      as: admin,
      body: { chosenId: payer._id, amount: 10 },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    expect(await balanceOf(shop, payer._id)).toBe(566 - 400 + 1_000)
    expect((await dispute(payment.reference, { step: 'resolve' }, 'lost')).booked).toBe(7.33)
    expect(await balanceOf(shop, payer._id)).toBe(1_000)
  })
})

describe('money under an unknown reference', () => {
  const unmatched = async (search: string) =>
    (await call<UnmatchedPayment[]>(shop, 'GET', '/payment/unmatched', { as: admin, query: { search } })).body

  test('is queried, shown to the admin with its payer, and credited to nobody', async () => {
    const reference = 'Z'.repeat(20)
    provider.addFault({
      call: 'verify',
      kind: 'reply',
      reference,
      status: 200,
      body: {
        status: true,
        message: 'Verification successful',
        data: { status: 'success', reference, amount: 2_000, currency: 'GHS', domain: 'test', customer: { email: payer.email } },
      },
    })
    await send({ event: 'charge.success', data: { reference, amount: 999_999 } })
    await until(async () => (await unmatched(reference)).length > 0)
    // Anybody may register with a payer's address.
    expect((await unmatched(reference))[0]).toMatchObject({ payerEmail: payer.email, user: null })
    await confirmEmailOf(shop, payer)
    const [found] = await unmatched(reference)
    expect(found).toMatchObject({ reference, amount: 20, currency: 'GHS', payerEmail: payer.email, user: payer.username })
    expect(found?.whatToDo).toContain(payer.username)
    expect(await balanceOf(shop, payer._id)).toBe(0)
    // Once it is a payment of ours, by whatever door, it is nobody's no longer.
    await shop.database.db.query(
      `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, created_at) values ($1, $2, 'agent-upgrade', 2000, 0, now())`,
      [reference, payer._id],
    )
    expect(await unmatched(reference)).toEqual([])
  })

  test('stays in the list until all of it has been returned', async () => {
    const reference = 'X'.repeat(20)
    await shop.database.db.query(
      `insert into unmatched_payments (reference, amount_pesewas, currency, is_test, found_at) values ($1, 2000, 'GHS', true, now())`,
      [reference],
    )
    const sendBack = (id: string, pesewas: number, status: string) =>
      shop.database.db.query(
        `insert into card_refunds (provider_id, reference, amount_pesewas, currency, status, heard_at, updated_at) values ($1, $2, $3, 'GHS', $4, now(), now())`,
        [id, reference, pesewas, status],
      )
    await sendBack('a part', 500, 'processed')
    await sendBack('not yet', 2_000, 'pending')
    await sendBack('never', 2_000, 'failed')
    expect(await unmatched(reference)).toHaveLength(1)
    await sendBack('all', 2_000, 'processed')
    expect(await unmatched(reference)).toEqual([])
  })

  test('is ignored when the provider does not know it', async () => {
    const reference = 'Y'.repeat(20)
    await send({ event: 'charge.success', data: { reference } })
    await until(
      async () =>
        (await shop.database.db.query('select from webhook_events where reference = $1 and handled_at is not null', [reference])).rowCount,
    )
    expect(await unmatched(reference)).toEqual([])
  })
})

test('twenty events that always fail delay no later one, and end as failed jobs', async () => {
  for (let count = 0; count < 20; count++) await send({ event: 'charge.dispute.create', data: { id: null, count } })
  const { orders } = await buy()
  expect(orders).toHaveLength(1)
  await until(async () => {
    const { rowCount } = await shop.database.db.query(
      'select from webhook_events where handled_at is null and queued_at is not null and reference is null',
    )
    return rowCount === 20
  })
  await until(
    async () =>
      (await call<{ failed: { queue: string; keep: string | null }[] }>(shop, 'GET', '/admin/jobs', { as: admin })).body.failed.some(
        ({ queue, keep }) => queue === 'card-event' && keep !== null,
      ),
    60_000,
  )
})

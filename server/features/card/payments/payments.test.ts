import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../../sandbox/open-sandbox.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { ConfirmPaymentReply, HeldPayment, OwnPayment, PaymentReply } from '../../../../shared/payments.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, type CartLine, call, cartLine, makeUser } from '../../../../test/builders.ts'
import { until } from '../../../../test/until.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { QUERY_EVERY_MS, shareRun } from './check-payment.ts'

let shop: TestShop
let provider: Sandbox['cardProvider']

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  provider = (shop.sandbox as Sandbox).cardProvider
})
afterEach(() => provider.clearFaults())
afterAll(() => shop.close())

/** The clock jumps by days here, and an admin's session is short: each test has an admin of its own. */
function makeAdmin(): Promise<SignedInUser> {
  return makeUser(shop, { level: 'Admin' })
}

async function start(payer: SignedInUser, items: CartLine[]): Promise<PaymentReply> {
  const { status, body } = await call<PaymentReply>(shop, 'POST', '/payment', { as: payer, body: { purpose: 'order', items } })
  expect(status).toBe(200)
  return body
}

async function startUpgrade(payer: SignedInUser): Promise<PaymentReply> {
  const { body } = await call<PaymentReply>(shop, 'POST', '/payment', { as: payer, body: { purpose: 'agent-upgrade' } })
  return body
}

function confirm(payer: { token: string }, reference: string) {
  return call<ConfirmPaymentReply>(shop, 'POST', `/payment/${reference}/confirm`, { as: payer })
}

async function ordersOf(payer: SignedInUser): Promise<Order[]> {
  return (await call<Order[]>(shop, 'GET', '/order/allorders', { as: payer })).body
}

/** No notice reaches the shop for this payment: only what the test does settles it. */
function loseWebhooks(reference: string) {
  provider.addFault({ call: 'webhook', kind: 'lose', reference, times: 100 })
}

function sendWebhook(body: string, signature: string | undefined = sign(body)) {
  return shop.app.inject({
    method: 'POST',
    url: '/api/payment/webhook',
    headers: { 'content-type': 'application/json', ...(signature === undefined ? {} : { 'x-paystack-signature': signature }) },
    payload: body,
  })
}

function sign(body: string, key = provider.secretKey, algorithm = 'sha512'): string {
  return createHmac(algorithm, key).update(body).digest('hex')
}

async function countEvents(): Promise<number> {
  const { rows } = await shop.database.db.query<{ total: number }>('select count(*) as total from webhook_events')
  return rows[0]?.total ?? 0
}

describe('a card payment', () => {
  test('is charged with the surcharge calculated once on the total, in pesewas', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop), await cartLine(shop, { offer: '2GB' })])
    expect(payment).toMatchObject({ amount: 1648, currency: 'GHS', email: payer.email, publicKey: provider.publicKey })
    expect(payment.reference).toMatch(/^[A-Za-z0-9]{20}$/)
    expect(await ordersOf(payer)).toEqual([])
  })

  test('that was paid becomes its orders, and the shares of the surcharge sum to what was charged', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [
      await cartLine(shop),
      await cartLine(shop, { offer: '2GB' }),
      await cartLine(shop, { offer: '3GB' }),
    ])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    const { body } = await confirm(payer, payment.reference)
    expect(body.payment).toEqual({ reference: payment.reference, status: 'paid', message: null, progress: null })
    expect(body.orders.map((order) => [order.offer, order.paidWith, order.paymentReference])).toEqual(
      ['1GB', '2GB', '3GB'].map((offer) => [offer, 'card', payment.reference]),
    )
    expect(await balanceOf(shop, payer._id)).toBe(0)
    const { rows } = await shop.database.db.query<{ total: number }>(
      'select sum(price_pesewas + surcharge_pesewas) as total from orders where payment_reference = $1',
      [payment.reference],
    )
    expect(rows[0]?.total).toBe(payment.amount)
  })

  test('paid in a browser that closed at once becomes its orders by the webhook event', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    await provider.pay(payment.reference)
    const orders = await until(async () => {
      const found = await ordersOf(payer)
      return found.length > 0 && found
    }, 5_000)
    expect(orders).toHaveLength(1)
  })

  test('whose webhook event never comes is found by the loop that checks open payments', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    shop.clock.advance(30_000)
    shop.app.background.payments.wake()
    await until(async () => (await ordersOf(payer)).length === 1)
    // The notice that comes at last, 72 hours later, changes nothing.
    provider.clearFaults()
    shop.clock.advance(72 * 3_600_000)
    await provider.notifyAgain(payment.reference)
    const before = await countEvents()
    await until(async () => (await countEvents()) >= before)
    expect(await ordersOf(payer)).toHaveLength(1)
  })

  test('that was given up is still settled by a late webhook event', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    shop.clock.advance(25 * 3_600_000)
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('expired')
    await provider.pay(payment.reference)
    await until(async () => (await ordersOf(payer)).length === 1)
  })

  test('settled 64 times at once by browser, webhook event and loop is fulfilled once', async () => {
    const payer = await makeUser(shop)
    for (let round = 0; round < 5; round++) {
      const payment = await start(payer, [await cartLine(shop)])
      loseWebhooks(payment.reference)
      await provider.pay(payment.reference)
      const body = JSON.stringify({ event: 'charge.success', data: { reference: payment.reference, round } })
      shop.clock.advance(30_000)
      shop.app.background.payments.wake()
      const [replies] = await Promise.all([
        Promise.all(Array.from({ length: 32 }, () => confirm(payer, payment.reference))),
        Promise.all(Array.from({ length: 31 }, () => sendWebhook(body))),
      ])
      expect(new Set(replies.map((reply) => reply.body.payment.status))).toEqual(new Set(['paid']))
      expect(await ordersOf(payer)).toHaveLength(round + 1)
    }
  })

  test.each(['failed', 'abandoned', 'ongoing', 'pending'] as const)(
    'that is %s stays open, with no order and no money moved',
    async (status) => {
      const payer = await makeUser(shop)
      const payment = await start(payer, [await cartLine(shop)])
      await provider.setStatus(payment.reference, status)
      const { body } = await confirm(payer, payment.reference)
      expect([body.payment.status, body.orders]).toEqual(['open', []])
      expect(await balanceOf(shop, payer._id)).toBe(0)
    },
  )

  test('declined once and then paid is fulfilled', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    await provider.decline(payment.reference)
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('open')
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    shop.clock.advance(QUERY_EVERY_MS)
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('paid')
  })

  test('whose orders an admin rejects is refunded to the wallet in full, surcharge included', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    const [order] = (await confirm(payer, payment.reference)).body.orders
    await call(shop, 'PUT', `/order/update-status/${order?._id}`, { as: await makeAdmin(), body: { status: 'rejected' } })
    expect(await balanceOf(shop, payer._id)).toBe(payment.amount)
  })
})

describe('a payment approved late', () => {
  const statusOf = async (payer: SignedInUser) => (await call<OwnPayment[]>(shop, 'GET', '/payment/mine', { as: payer })).body[0]?.status
  const checksOf = async ({ reference }: PaymentReply) =>
    (await shop.database.db.query<{ checks: number }>('select checks from payments where reference = $1', [reference])).rows[0]?.checks ?? 0

  /** Lets the loop ask about the payment once, so many minutes later. */
  async function askAfter(minutes: number, payment: PaymentReply) {
    const before = await checksOf(payment)
    shop.clock.advance(minutes * 60_000)
    shop.app.background.payments.wake()
    await until(async () => (await checksOf(payment)) > before)
  }

  test('becomes its orders by itself, without a browser and without a webhook event', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    await provider.setStatus(payment.reference, 'pending')
    await askAfter(6, payment)
    await askAfter(6, payment)
    expect([await statusOf(payer), await ordersOf(payer)]).toEqual(['open', []])
    await provider.pay(payment.reference)
    shop.clock.advance(45_000)
    shop.app.background.payments.wake()
    await until(async () => (await ordersOf(payer)).length === 1)
    expect(await statusOf(payer)).toBe('paid')
  })

  test('is closed after half an hour, and becomes its orders all the same by its late webhook event', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    await provider.setStatus(payment.reference, 'pending')
    await askAfter(29, payment)
    expect(await statusOf(payer)).toBe('open')
    await askAfter(1, payment)
    expect(await statusOf(payer)).toBe('expired')
    await provider.pay(payment.reference)
    await until(async () => (await ordersOf(payer)).length === 1)
    expect(await statusOf(payer)).toBe('paid')
  })
})

describe('status queries to the card provider', () => {
  test('that failed are repeated by the next caller', async () => {
    const gateway = {} as CardGateway
    const asked: string[] = []
    const fails = async () => {
      asked.push('first')
      throw new Error('the provider is away')
    }
    const both = await Promise.allSettled([shareRun(gateway, 'r', fails), shareRun(gateway, 'r', fails)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await shareRun(gateway, 'r', async () => void asked.push('second'))
    expect(asked).toEqual(['first', 'second'])
  })

  const questionsAbout = (reference: string) => provider.calls().filter(({ url }) => url.endsWith(`/verify/${reference}`)).length

  test('about one payment are limited, however its payer asks; its webhook event settles it at once', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    const before = questionsAbout(payment.reference)
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          index % 2 === 0
            ? confirm(payer, payment.reference)
            : call<ErrorBody>(shop, 'POST', '/order/create', { as: payer, body: { newOrder: newOrder(payment.reference) } }),
        ),
      )
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 402]))
      expect(questionsAbout(payment.reference) - before).toBe(round + 1)
      shop.clock.advance(QUERY_EVERY_MS)
    }
    await confirm(payer, payment.reference)
    await provider.pay(payment.reference)
    await until(async () => (await ordersOf(payer)).length === 1)
  })

  test('of one payer about many payments are limited', async () => {
    const payer = await makeUser(shop)
    const payments: PaymentReply[] = []
    for (let count = 0; count < 25; count++) payments.push(await start(payer, [await cartLine(shop)]))
    await Promise.all(payments.map(({ reference }) => confirm(payer, reference)))
    expect(payments.filter(({ reference }) => questionsAbout(reference) > 0)).toHaveLength(20)
  })
})

describe('money that cannot buy what it was meant for', () => {
  test('a price that changed since puts all of it into the wallet', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop, { network: 'Telecel', offer: '5GB' })])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    await shop.database.db.query(`update packages set price_customer_pesewas = 2500 where offer = '5GB' and price_customer_pesewas = 2450`)
    const { body } = await confirm(payer, payment.reference)
    expect([body.payment.status, body.orders, body.user.balance]).toEqual(['held', [], payment.amount / 100])
    expect(body.payment.message).toContain('was put into your wallet')
  })

  test('a product that is gone puts all of it into the wallet', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop, { network: 'AFA', offer: 'AFA registration' })])
    loseWebhooks(payment.reference)
    await shop.database.db.query(`delete from products where network = 'AFA'`)
    await provider.pay(payment.reference)
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('held')
    expect(await balanceOf(shop, payer._id)).toBe(payment.amount)
  })

  test('one pesewa too little is put into the wallet, and the admin sees why', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference, { amountPesewas: payment.amount - 1 })
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('held')
    expect(await balanceOf(shop, payer._id)).toBe(payment.amount - 1)
    const { body } = await call<HeldPayment[]>(shop, 'GET', '/payment', {
      as: await makeAdmin(),
      query: { status: 'held', search: payment.reference },
    })
    expect(body).toMatchObject([{ user: payer.username, inWallet: true, reason: 'GHS 5.66 was paid of GHS 5.67' }])
  })

  test('more than was asked buys the order and leaves the rest in the wallet', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    provider.addFault({
      call: 'verify',
      kind: 'data',
      reference: payment.reference,
      data: { status: 'success', amount: payment.amount + 100, requested_amount: payment.amount + 100 },
    })
    expect((await confirm(payer, payment.reference)).body.orders).toHaveLength(1)
    expect(await balanceOf(shop, payer._id)).toBe(100)
  })

  test.each([
    ['another currency', { currency: 'NGN' }, 'paid in NGN, not in GHS'],
    ['the live world of the provider', { domain: 'live' }, 'a live payment in a sandbox'],
  ])('in %s is held for the operator and moves nothing', async (_name, data, reason) => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    provider.addFault({ call: 'verify', kind: 'data', reference: payment.reference, data: { status: 'success', ...data } })
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('held')
    const { body } = await call<HeldPayment[]>(shop, 'GET', '/payment', {
      as: await makeAdmin(),
      query: { status: 'held', search: payment.reference },
    })
    expect(body).toMatchObject([{ inWallet: false, reason }])
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test('of a payer who was banned meanwhile goes to their wallet', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    await call(shop, 'PUT', `/user/${payer._id}/status`, { as: await makeAdmin(), body: { status: 'Banned' } })
    await provider.pay(payment.reference)
    await until(async () => (await balanceOf(shop, payer._id)) === payment.amount)
  })
})

describe('the agent upgrade', () => {
  test('costs 50.00 and makes an agent, once it is paid', async () => {
    const payer = await makeUser(shop)
    const payment = await startUpgrade(payer)
    expect(payment.amount).toBe(5000)
    const early = await call<ErrorBody>(shop, 'PUT', `/user/${payer._id}/level`, { as: payer, body: { userLevel: 'Agent' } })
    expect([early.status, early.body.code]).toEqual([402, 'UNPAID'])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    expect((await confirm(payer, payment.reference)).body.user.userLevel).toBe('Agent')
    const after = await call<{ user: { userLevel: string } }>(shop, 'PUT', `/user/${payer._id}/level`, {
      as: payer,
      body: { userLevel: 'Agent' },
    })
    expect([after.status, after.body.user.userLevel]).toEqual([200, 'Agent'])
    expect(await balanceOf(shop, payer._id)).toBe(0)
  })

  test('with 49.99 makes no agent; the money is in the wallet', async () => {
    const payer = await makeUser(shop)
    const payment = await startUpgrade(payer)
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference, { amountPesewas: 4999 })
    expect((await confirm(payer, payment.reference)).body.user.userLevel).toBe('Customer')
    expect(await balanceOf(shop, payer._id)).toBe(4999)
  })

  test('paid twice makes one agent, and the second payment is in the wallet', async () => {
    const payer = await makeUser(shop)
    const [one, other] = [await startUpgrade(payer), await startUpgrade(payer)]
    for (const { reference } of [one, other]) {
      loseWebhooks(reference)
      await provider.pay(reference)
    }
    await Promise.all([confirm(payer, one.reference), confirm(payer, other.reference)])
    expect(await balanceOf(shop, payer._id)).toBe(5000)
  })

  test('never makes an admin', async () => {
    const payer = await makeUser(shop)
    const { status } = await call(shop, 'PUT', `/user/${payer._id}/level`, { as: payer, body: { userLevel: 'Admin' } })
    expect(status).toBe(403)
  })
})

describe('own payments', () => {
  const mine = (payer: { token: string }, query: Record<string, string> = {}) =>
    call<OwnPayment[]>(shop, 'GET', '/payment/mine', { as: payer, query })

  test('are listed with what they buy and how they stand, newest first, and nobody else sees them', async () => {
    const [payer, other] = [await makeUser(shop), await makeUser(shop)]
    const paid = await start(payer, [await cartLine(shop)])
    loseWebhooks(paid.reference)
    await provider.pay(paid.reference)
    await confirm(payer, paid.reference)
    const waiting = await start(payer, [await cartLine(shop), await cartLine(shop, { offer: '2GB' })])
    const upgrade = await startUpgrade(payer)

    const { body, headers } = await mine(payer)
    expect(headers['x-total-count']).toBe('3')
    expect(body.map(({ reference, status, purpose }) => [reference, status, purpose])).toEqual([
      [upgrade.reference, 'open', 'agent-upgrade'],
      [waiting.reference, 'open', 'order'],
      [paid.reference, 'paid', 'order'],
    ])
    expect(body[0]).toMatchObject({ items: [], price: 50, surcharge: 0, total: 50, settledAt: null })
    expect(body[1]).toMatchObject({ price: 16, surcharge: 0.48, total: 16.48, message: 'The card payment has not gone through yet.' })
    expect(body[1]?.items).toMatchObject([
      { network: 'MTN', offer: '1GB', phoneNumber: '0551234567', amount: 5.5 },
      { network: 'MTN', offer: '2GB', phoneNumber: '0551234567', amount: 10.5 },
    ])
    expect(body[2]).toMatchObject({ message: null, settledAt: shop.clock.now.toISOString() })
    expect((await mine(payer, { open: '1' })).body.map(({ reference }) => reference)).toEqual([upgrade.reference, waiting.reference])
    expect((await mine(payer, { page: '2', pageSize: '5' })).body).toEqual([])
    expect((await mine(other)).body).toEqual([])
    expect((await call(shop, 'GET', '/payment/mine')).status).toBe(401)
  })

  test('say while they are open how far the payer has come', async () => {
    const payer = await makeUser(shop)
    const { reference } = await start(payer, [await cartLine(shop)])
    loseWebhooks(reference)
    const progress = async () => {
      shop.clock.advance(QUERY_EVERY_MS)
      return [(await confirm(payer, reference)).body.payment.progress, (await mine(payer)).body[0]?.progress]
    }
    expect(await progress()).toEqual(['unfinished', 'unfinished'])
    await provider.setStatus(reference, 'pending')
    expect(await progress()).toEqual(['under-way', 'under-way'])
    await provider.decline(reference)
    expect(await progress()).toEqual(['declined', 'declined'])
    await provider.pay(reference)
    expect(await progress()).toEqual([null, null])
  })

  test('show on each order of theirs its share of the surcharge and the payment that paid it', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    const [order] = (await confirm(payer, payment.reference)).body.orders
    expect(order).toMatchObject({ totalAmount: 5.5, surcharge: 0.17, paymentReference: payment.reference })
    expect(await ordersOf(payer)).toMatchObject([{ totalAmount: 5.5, surcharge: 0.17, paymentReference: payment.reference }])
  })
})

describe('somebody else', () => {
  test("cannot confirm another user's payment, nor have its orders", async () => {
    const [payer, thief] = [await makeUser(shop), await makeUser(shop, { balance: 20 })]
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    expect((await confirm(thief, payment.reference)).status).toBe(404)
    const stolen = await call(shop, 'POST', '/order/create', { as: thief, body: { newOrder: newOrder(payment.reference) } })
    expect(stolen.status).toBe(404)
    expect(await balanceOf(shop, thief._id)).toBe(2000)
  })

  test('gets 404 for any reference', async () => {
    expect((await confirm(await makeUser(shop), 'A'.repeat(20))).status).toBe(404)
  })
})

function newOrder(reference: string, id = 'n1') {
  return { id, network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 5.5, reference }
}

describe('POST /order/create with the reference of a card payment', () => {
  test('gives the order that the payment bought, once, and touches no wallet', async () => {
    const payer = await makeUser(shop, { balance: 20 })
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    const unpaid = await call<ErrorBody>(shop, 'POST', '/order/create', { as: payer, body: { newOrder: newOrder(payment.reference) } })
    expect([unpaid.status, unpaid.body.code]).toEqual([402, 'UNPAID'])
    await provider.pay(payment.reference)
    shop.clock.advance(QUERY_EVERY_MS)
    const first = await call<{ order: Order }>(shop, 'POST', '/order/create', {
      as: payer,
      body: { newOrder: newOrder(payment.reference) },
    })
    const again = await call<{ order: Order }>(shop, 'POST', '/order/create', {
      as: payer,
      body: { newOrder: newOrder(payment.reference) },
    })
    expect([first.status, first.body.order.id, first.body.order.paidWith]).toEqual([200, 'n1', 'card'])
    expect(again.body.order._id).toBe(first.body.order._id)
    const another = await call(shop, 'POST', '/order/create', { as: payer, body: { newOrder: newOrder(payment.reference, 'n2') } })
    expect(another.status).toBe(409)
    expect(await ordersOf(payer)).toHaveLength(1)
    expect(await balanceOf(shop, payer._id)).toBe(2000)
  })
})

describe("the card provider's webhook event", () => {
  const forged = JSON.stringify({ event: 'charge.success', data: { reference: 'F'.repeat(20), amount: 1 } })

  test.each([
    ['no signature', () => undefined],
    ['an empty one', () => ''],
    ['a wrong one', () => 'a'.repeat(128)],
    ['a truncated one', () => sign(forged).slice(0, 127)],
    ['one in capitals', () => sign(forged).toUpperCase()],
    ['SHA-256', () => sign(forged, provider.secretKey, 'sha256')],
    ['one made with the public key', () => sign(forged, provider.publicKey)],
    ['one of another body', () => sign(`${forged} `)],
  ])('with %s is refused and leaves no trace', async (_name, signature) => {
    const before = await countEvents()
    const reply = await shop.app.inject({
      method: 'POST',
      url: '/api/payment/webhook',
      headers: {
        'content-type': 'application/json',
        ...(signature() === undefined ? {} : { 'x-paystack-signature': signature() as string }),
      },
      payload: forged,
    })
    expect(reply.statusCode).toBe(401)
    expect(await countEvents()).toBe(before)
  })

  test.each([
    ['not signed', undefined, 401],
    ['signed', () => sign(''), 200],
  ])('with an empty body, %s, is answered like any other', async (_name, signature, status) => {
    const headers = signature ? { 'x-paystack-signature': signature() } : {}
    const reply = await shop.app.inject({ method: 'POST', url: '/api/payment/webhook', headers })
    expect(reply.statusCode).toBe(status)
  })

  test('altered by one byte, at any place, is refused', async () => {
    const signature = sign(forged)
    for (let index = 0; index < forged.length; index++) {
      const altered = Buffer.from(forged)
      altered[index] = (altered[index] as number) ^ 1
      const reply = await shop.app.inject({
        method: 'POST',
        url: '/api/payment/webhook',
        headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
        payload: altered,
      })
      expect(reply.statusCode).toBe(401)
    }
  })

  test.each([
    ['spaces', '{ "event" : "charge.success" , "data" : { "reference" : "X" } }'],
    ['a fraction', '{"event":"charge.success","data":{"reference":"X","amount":5150.0}}'],
    ['an escaped slash', '{"event":"charge.success","data":{"reference":"X","url":"a\\/b"}}'],
    ['an escaped letter', '{"event":"charge.success","data":{"reference":"X","name":"Ren\\u00e9"}}'],
    ['a big number', '{"event":"charge.success","data":{"reference":"X","id":12345678901234567890}}'],
    ['a doubled key', '{"event":"charge.success","event":"charge.success","data":{"reference":"X"}}'],
    ['number keys', '{"event":"charge.success","data":{"reference":"X","2":1,"1":2}}'],
    ['an exponent', '{"event":"charge.success","data":{"reference":"X","amount":1e3}}'],
    ['a new line at the end', '{"event":"charge.success","data":{"reference":"X"}}\n'],
    ['metadata of nothing', '{"event":"charge.success","data":{"reference":"X","metadata":""}}'],
    ['metadata of zero', '{"event":"charge.success","data":{"reference":"X","metadata":0}}'],
  ])('that is signed is accepted whatever its JSON looks like: %s', async (_name, body) => {
    expect((await sendWebhook(body)).statusCode).toBe(200)
  })

  test('is handled as soon as it arrives, and changes nothing when the reference is unknown', async () => {
    // By themselves the notices are looked after every five seconds: the second would wait for so long.
    for (const reference of ['U'.repeat(20), 'V'.repeat(20)]) {
      const reply = await sendWebhook(JSON.stringify({ event: 'charge.success', data: { reference } }))
      expect([reply.statusCode, reply.json()]).toEqual([200, { received: true }])
      await until(async () => {
        const { rowCount } = await shop.database.db.query('select from webhook_events where reference = $1 and handled_at is not null', [
          reference,
        ])
        return rowCount === 1
      }, 4_000)
    }
  })

  test('is not trusted: a signed success for an unpaid payment fulfils nothing', async () => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    await sendWebhook(
      JSON.stringify({ event: 'charge.success', data: { reference: payment.reference, status: 'success', amount: payment.amount } }),
    )
    await until(async () => {
      const { rows } = await shop.database.db.query('select 1 from webhook_events where reference = $1 and handled_at is not null', [
        payment.reference,
      ])
      return rows.length === 1
    })
    expect(await ordersOf(payer)).toEqual([])
  })
})

describe('a faulty card provider', () => {
  test.each([
    ['an error', { kind: 'error' }],
    ['half an answer', { kind: 'malformed' }],
    ['ten megabytes', { kind: 'huge' }],
    ['a redirect', { kind: 'redirect' }],
    ['a cut connection', { kind: 'drop' }],
    ['another reference', { kind: 'data', data: { status: 'success', reference: 'Z'.repeat(20) } }],
  ] as const)('with %s on verify fulfils nothing, and the truth is found later', async (_name, fault) => {
    const payer = await makeUser(shop)
    const payment = await start(payer, [await cartLine(shop)])
    loseWebhooks(payment.reference)
    await provider.pay(payment.reference)
    provider.addFault({ call: 'verify', reference: payment.reference, ...fault } as Parameters<typeof provider.addFault>[0])
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('open')
    shop.clock.advance(QUERY_EVERY_MS)
    expect((await confirm(payer, payment.reference)).body.payment.status).toBe('paid')
  })

  test.each([
    ['an error', { kind: 'error' }],
    ['half an answer', { kind: 'malformed' }],
    ['a cut connection', { kind: 'drop' }],
  ] as const)('with %s on initialize: 502, nothing charged', async (_name, fault) => {
    const payer = await makeUser(shop)
    provider.addFault({ call: 'initialize', ...fault } as Parameters<typeof provider.addFault>[0])
    const { status, body } = await call<ErrorBody>(shop, 'POST', '/payment', {
      as: payer,
      body: { purpose: 'order', items: [await cartLine(shop)] },
    })
    expect([status, body.code]).toEqual([502, 'OUTSIDE_SERVICE'])
  })
})

describe("a payment's amount", () => {
  test("must match the server's price", async () => {
    const payer = await makeUser(shop)
    const { status, body } = await call<ErrorBody>(shop, 'POST', '/payment', {
      as: payer,
      body: { purpose: 'order', items: [{ ...(await cartLine(shop)), amount: 0.01 }] },
    })
    expect([status, body.code, body.issues?.[0]?.path]).toEqual([409, 'PRICE_CHANGED', 'items.0.amount'])
  })

  test.each([
    ['no purpose', {}, 'purpose'],
    ['an unknown purpose', { purpose: 'gift' }, 'purpose'],
    ['an empty cart', { purpose: 'order', items: [] }, 'items'],
  ])('with %s is refused, naming it', async (_name, body, path) => {
    const reply = await call<ErrorBody>(shop, 'POST', '/payment', { as: await makeUser(shop), body })
    expect([reply.status, reply.body.issues?.[0]?.path]).toEqual([400, path])
  })
})

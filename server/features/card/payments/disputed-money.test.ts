import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openShopOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid, payByCard } from '../../../../test/settling.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { transaction } from '../../../platform/db.ts'
import { claimRefund } from '../refunds/claim-refund.ts'
import { hashCode } from '../refunds/create-codes.ts'
import { insertCode } from '../refunds/refund-codes.sql.ts'
import { postRefundNotSent } from './post-refund-not-sent.ts'
import { recordDispute } from './record-dispute.ts'
import { recordRefund } from './record-refund.ts'
import { lockRefund, type RefundRow } from './refunds-to-source.sql.ts'

let shop: TestShop
let admin: SignedInUser
let mtn: string

beforeAll(async () => {
  shop = await openTestShop({ timings: { paymentsMs: 3_600_000 } })
  admin = await makeUser(shop, { level: 'Admin' })
  mtn = (await one<{ id: string }>(`select id from products where network = 'MTN'`)).id
  await query('update operations_settings set top_up_hold_hours = 0')
  await query('update agent_shop_rules set enabled = true, new_shops = true, max_markup = 30')
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

function query(text: string, values: unknown[] = []) {
  return shop.database.db.query(text, values)
}

async function one<Row>(text: string, values: unknown[] = []): Promise<Row> {
  return (await query(text, values)).rows[0] as Row
}

const ctx = () => makeCtx(shop).ctx

const pay = (payment: Parameters<typeof payByCard>[1]) => payByCard(shop, payment)

/** Of 22.00, four bundles of 5.50, and a surcharge. */
const topUp = (userId: string) => pay({ userId, purpose: 'top-up', lines: null, pricePesewas: 2_200, surchargePesewas: 66 })
const ALL = 2_266

class Payer {
  reference = ''
  readonly orders: string[] = []
  readonly user: SignedInUser
  private bought = 0

  constructor(user: SignedInUser) {
    this.user = user
  }

  async buy(times = 1) {
    for (let n = 0; n < times; n++) {
      shop.clock.advance(1_000)
      const reply = await checkout(shop, this.user, [await cartLine(shop, { phoneNumber: `055123450${this.bought++}` })])
      if (reply.status !== 200) return reply
      this.orders.push(reply.body.orders[0]?._id as string)
    }
    return null
  }

  /** As the provider tells of a dispute that somebody has opened, or that the bank has decided. */
  async hear(outcome: 'open' | 'won' | 'lost', amountPesewas = ALL, id = 'A') {
    shop.clock.advance(1_000)
    await recordDispute(ctx(), {
      id: `${id}${this.reference}`,
      reference: this.reference,
      amountPesewas,
      currency: 'GHS',
      category: 'chargeback',
      status: outcome === 'open' ? 'awaiting-merchant-feedback' : 'resolved',
      resolution: outcome === 'open' ? null : outcome === 'won' ? 'declined' : 'merchant-accepted',
      outcome,
      payerEmail: null,
      dueAt: null,
      decidedAt: outcome === 'open' ? null : shop.clock.now,
    })
  }

  async refund(status: 'pending' | 'processed' | 'failed', amountPesewas = 600) {
    const { reference } = this
    await recordRefund(ctx(), gatewayThat(paid(1)), { id: `R${reference}`, reference, amountPesewas, currency: 'GHS', status })
  }

  async decide(n: number, status: 'completed' | 'rejected', reason: string | null = 'Seen by a person') {
    const body = { status, ...(reason === null ? {} : { override: { reason } }) }
    return (await call(shop, 'PUT', `/order/update-status/${this.orders[n]}`, { as: admin, body })).status
  }

  async reportAndRefund(n: number) {
    const { id } = await one<{ id: string }>(`insert into reports (order_id, status, opened_at) values ($1, 'open', $2) returning id`, [
      this.orders[n],
      shop.clock.now,
    ])
    const body = { outcome: 'refunded', text: 'It never came' }
    expect((await call(shop, 'PUT', `/admin/reports/${id}/end`, { as: admin, body })).status).toBe(200)
  }

  async release() {
    const path = `/payment/${this.reference}/release`
    expect((await call(shop, 'POST', path, { as: admin, body: { reason: 'They called us' } })).status).toBe(200)
  }

  /** Pesewas in the wallet, kept out of it and lost, and how many pending orders wait for the bank. */
  async look() {
    return one<{ wallet: number; kept: number; lost: number; waiting: number }>(
      `select w.balance_pesewas as wallet, coalesce((select sum(pesewas) from disputed_money where payment_reference = $2), 0)::bigint as kept,
         (select loss_pesewas from payments where reference = $2) as lost, (
           select count(*)::integer from orders o join disputed_orders d on d.order_id = o.id join payments p on p.reference = d.payment_reference
           where o.user_id = $1 and o.status = 'pending' and p.hold_reason is not null
         ) as waiting
       from wallets w where user_id = $1`,
      [this.user._id, this.reference],
    )
  }
}

async function payerOf(paying: (userId: string) => Promise<string> = topUp): Promise<Payer> {
  const payer = new Payer(await makeUser(shop))
  payer.reference = await paying(payer.user._id)
  return payer
}

type Seen = Awaited<ReturnType<Payer['look']>>
const seen = (wallet: number, kept: number, lost: number, waiting: number): Seen => ({ wallet, kept, lost, waiting })

/** Each begins with a top-up of 22.00 of which two bundles for 11.00 are bought. The surcharge of 0.66 bought nothing, so it stays lost. */
test.each<[string, (payer: Payer) => Promise<unknown>, Seen]>([
  ['open: what is there is kept out, the orders wait', (p) => p.hear('open'), seen(0, 1_100, 0, 2)],
  ['open twice', (p) => p.hear('open').then(() => p.hear('open')), seen(0, 1_100, 0, 2)],
  ['won: all is as before', (p) => p.hear('open').then(() => p.hear('won')), seen(1_100, 0, 0, 0)],
  ['lost', (p) => p.hear('open').then(() => p.hear('lost')), seen(0, 0, 1_166, 2)],
  ['lost without a word before', (p) => p.hear('lost'), seen(0, 0, 1_166, 2)],
  [
    'lost, then both refunded: the refunds make it good',
    async (p) => {
      await p.hear('open')
      await p.hear('lost')
      for (const n of [0, 1]) expect(await p.decide(n, 'rejected')).toBe(200)
    },
    seen(0, 0, 66, 0),
  ],
  ['one refunded meanwhile: its refund is kept out too', (p) => p.hear('open').then(() => p.decide(0, 'rejected')), seen(0, 1_650, 0, 1)],
  [
    'one refunded meanwhile, then lost, the other refunded',
    async (p) => {
      await p.hear('open')
      await p.decide(0, 'rejected')
      await p.hear('lost')
      await p.decide(1, 'rejected')
    },
    seen(0, 0, 66, 0),
  ],
  [
    'both refunded meanwhile, then won',
    async (p) => {
      await p.hear('open')
      for (const n of [0, 1]) await p.decide(n, 'rejected')
      await p.hear('won')
    },
    seen(2_200, 0, 0, 0),
  ],
  [
    'one delivered meanwhile, then lost, the other refunded',
    async (p) => {
      await p.hear('open')
      await p.decide(0, 'completed')
      await p.hear('lost')
      await p.decide(1, 'rejected')
    },
    seen(0, 0, 616, 0),
  ],
  ['one refunded before', (p) => p.decide(0, 'rejected', null).then(() => p.hear('open')), seen(0, 1_650, 0, 1)],
  [
    'both delivered before, then lost; one is refunded after a report',
    async (p) => {
      for (const n of [0, 1]) await p.decide(n, 'completed', null)
      await p.hear('open')
      await p.hear('lost')
      await p.reportAndRefund(0)
    },
    seen(0, 0, 616, 0),
  ],
  ['a part open: only that is kept out', (p) => p.hear('open', 600), seen(500, 600, 0, 0)],
  ['a part lost', (p) => p.hear('open', 600).then(() => p.hear('lost', 600)), seen(500, 0, 0, 0)],
  [
    'a part lost and won after all',
    async (p) => {
      for (const outcome of ['open', 'lost', 'won'] as const) await p.hear(outcome, 600)
    },
    seen(1_100, 0, 0, 0),
  ],
  ['a second dispute beside', (p) => p.hear('open', 600).then(() => p.hear('open', 1_000, 'B')), seen(0, 1_100, 0, 1)],
  [
    'a second dispute beside, the first won',
    async (p) => {
      await p.hear('open', 600)
      await p.hear('open', 1_000, 'B')
      await p.hear('won', 600)
    },
    seen(100, 1_000, 0, 1),
  ],
  [
    'a second dispute beside, the first won, the second lost',
    async (p) => {
      await p.hear('open', 600)
      await p.hear('open', 1_000, 'B')
      await p.hear('won', 600)
      await p.hear('lost', 1_000, 'B')
    },
    seen(100, 0, 0, 1),
  ],
  [
    'a second dispute beside, the first lost',
    async (p) => {
      await p.hear('open', 600)
      await p.hear('open', 1_000, 'B')
      await p.hear('lost', 600)
    },
    seen(0, 500, 0, 1),
  ],
  ['a refund under way', (p) => p.refund('pending'), seen(500, 600, 0, 0)],
  ['a refund that failed', (p) => p.refund('pending').then(() => p.refund('failed')), seen(1_100, 0, 0, 0)],
  ['a refund that was paid', (p) => p.refund('pending').then(() => p.refund('processed')), seen(500, 0, 0, 0)],
  ['a refund paid beside an open dispute', (p) => p.hear('open').then(() => p.refund('processed')), seen(0, 500, 0, 2)],
  [
    'a refund paid beside a dispute that is lost',
    async (p) => {
      await p.hear('open')
      await p.refund('processed')
      await p.hear('lost')
    },
    seen(0, 0, 1_166, 2),
  ],
  ['released by staff', (p) => p.hear('open').then(() => p.release()), seen(1_100, 0, 0, 0)],
  [
    'released by staff, then lost',
    async (p) => {
      await p.hear('open')
      await p.release()
      await p.hear('lost')
    },
    seen(0, 0, 1_166, 2),
  ],
  [
    'new money after a loss is spent and refunded as any other',
    async (p) => {
      await p.hear('lost')
      await topUp(p.user._id)
      await p.buy()
      expect(await p.decide(2, 'rejected', null)).toBe(200)
    },
    seen(2_200, 0, 1_166, 2),
  ],
])('a disputed top-up, %s', async (_, events, expected) => {
  const payer = await payerOf()
  expect(await payer.buy(2)).toBeNull()
  await events(payer)
  expect(await payer.look()).toEqual(expected)
})

test('while a bank decides, its money buys nothing by any door, and the refusal says why; a person decides about the orders', async () => {
  const payer = await payerOf()
  await payer.buy(2)
  await payer.hear('open')
  const refused = await payer.buy()
  expect([refused?.status, refused?.body.message]).toEqual([
    402,
    'Your bank is looking into a payment of ¢22.66. Until it has decided, ¢11.00 of your wallet can’t be spent. Talk to us on WhatsApp.',
  ])
  for (const status of ['completed', 'rejected'] as const) expect(await payer.decide(0, status, null)).toBe(409)
  await payer.hear('won')
  expect(await payer.decide(0, 'completed', null)).toBe(200)
  expect(await payer.buy(2)).toBeNull()
})

test('other money of the wallet can be spent meanwhile, and orders from before the top-up do not wait', async () => {
  const payer = new Payer(await makeUser(shop, { balance: 20 }))
  await payer.buy()
  shop.clock.advance(1_000)
  payer.reference = await topUp(payer.user._id)
  await payer.hear('open')
  expect(await payer.look()).toEqual(seen(1_450, 2_200, 0, 0))
  expect(await payer.buy()).toBeNull()
  expect(await payer.decide(0, 'completed', null)).toBe(200)
  expect(await payer.decide(1, 'rejected', null)).toBe(200)
  expect(await payer.look()).toEqual(seen(1_450, 2_200, 0, 0))
})

test('two disputed top-ups of a payer do not hold the same money or orders twice', async () => {
  const payer = await payerOf()
  const first = payer.reference
  await payer.buy(2)
  payer.reference = await topUp(payer.user._id)
  await payer.buy(3)
  await payer.hear('open')
  expect(await payer.look()).toEqual(seen(0, 1_650, 0, 1))
  payer.reference = first
  await payer.hear('open')
  expect(await payer.look()).toEqual(seen(0, 0, 0, 5))
})

test('an order that a top-up brought only a part of waits for the other top-up too, and its refund makes both good', async () => {
  const payer = await payerOf()
  const { offer } = await cartLine(shop)
  const line = { product: mtn, network: 'MTN' as const, offer, expectedPricePesewas: 550 }
  const second = await pay({
    userId: payer.user._id,
    purpose: 'top-up',
    lines: [0, 1, 2, 3, 4].map((n) => ({ ...line, receiver: `024777440${n}`, clientId: null })),
    pricePesewas: 550,
    surchargePesewas: 17,
  })
  const { rows } = await query('select id from orders where top_up_reference = $1 order by seq', [second])
  payer.orders.push(...rows.map(({ id }) => id))
  expect(payer.orders).toHaveLength(5)
  expect(await payer.look()).toEqual(seen(0, 0, 0, 0))
  await payer.hear('open')
  expect(await payer.look()).toEqual(seen(0, 0, 0, 4))
  expect(await payer.decide(4, 'rejected', null)).toBe(409)
  await payer.hear('lost')
  for (const n of [0, 1, 2, 3, 4]) expect(await payer.decide(n, 'rejected')).toBe(200)
  // What the second top-up brought, without the surcharge, which bought nothing.
  expect(await payer.look()).toEqual(seen(550, 0, 66, 0))
})

test('an order that several top-ups paid for waits while one of them is disputed, and its refund makes each good', async () => {
  const payer = await payerOf((userId) => pay({ userId, purpose: 'top-up', lines: null, pricePesewas: 200, surchargePesewas: 0 }))
  const references = [payer.reference]
  for (let n = 0; n < 2; n++)
    references.push(await pay({ userId: payer.user._id, purpose: 'top-up', lines: null, pricePesewas: 175, surchargePesewas: 0 }))
  await payer.buy()
  const hear = async (outcome: 'open' | 'won' | 'lost', n: number) => {
    payer.reference = references[n] as string
    await payer.hear(outcome, n === 0 ? 200 : 175)
  }
  for (const n of [0, 1, 2]) await hear('open', n)
  await hear('won', 0)
  expect(await payer.decide(0, 'rejected', null)).toBe(409)
  for (const n of [1, 2]) await hear('lost', n)
  expect(await payer.decide(0, 'rejected')).toBe(200)
  expect(await payer.look()).toEqual(seen(200, 0, 0, 0))
})

test('each of more than five hundred orders waits', async () => {
  const payer = await payerOf((userId) => pay({ userId, purpose: 'top-up', lines: null, pricePesewas: 302_500, surchargePesewas: 0 }))
  shop.clock.advance(1_000)
  for (let cart = 0; cart < 11; cart++) {
    const items: Awaited<ReturnType<typeof cartLine>>[] = []
    for (let n = 0; n < 50; n++) items.push(await cartLine(shop, { phoneNumber: `0555${String(cart * 100 + n).padStart(6, '0')}` }))
    expect((await checkout(shop, payer.user, items.slice(0, 50))).status).toBe(200)
  }
  await payer.hear('open', 302_500)
  expect((await payer.look()).waiting).toBe(550)
}, 120_000)

test('what a purchase could not buy is kept out of the wallet too', async () => {
  const lines = [{ product: mtn, network: null, offer: 'No such', receiver: '0551234567', expectedPricePesewas: 2_200, clientId: null }]
  const payer = await payerOf((userId) => pay({ userId, purpose: 'order', lines, pricePesewas: 2_200, surchargePesewas: 66 }))
  await payer.buy()
  expect(await payer.look()).toEqual(seen(1_716, 0, 0, 0))
  await payer.hear('open')
  expect(await payer.look()).toEqual(seen(0, 1_716, 0, 1))
  await payer.hear('won')
  expect(await payer.look()).toEqual(seen(1_716, 0, 0, 0))
})

test('a guest’s refund in the wallet that claimed it is kept out of it, and taken when the dispute is lost', async () => {
  const agent = await makeUser(shop, { level: 'Agent' })
  const shopId = await openShopOf(shop, agent._id)
  await query('insert into shop_prices (shop_id, product_id, offer, price_pesewas, changed_at) values ($1, $2, $3, 550, now())', [
    shopId,
    mtn,
    '1GB',
  ])
  const line = { product: mtn, network: null, offer: '1GB', receiver: '0551234567', expectedPricePesewas: 550, clientId: null }
  const guest = { shopId, phone: '0245550142' }
  const reference = await pay({ userId: null, guest, purpose: 'order', lines: [line], pricePesewas: 550, surchargePesewas: 17 })
  const claimer = new Payer(await makeUser(shop))
  claimer.reference = reference
  claimer.orders.push((await one<{ id: string }>('select id from orders where payment_reference = $1', [reference])).id)
  expect(await claimer.decide(0, 'rejected')).toBe(200)
  const { id } = await one<{ id: string }>('select id from refunds where payment_reference = $1', [reference])
  const code = 'abcdefghjk23'
  await transaction(shop.database.db, async (tx) => {
    await postRefundNotSent(tx, (await lockRefund(tx, id)) as RefundRow, { now: shop.clock.now, actorId: null, note: null })
    await insertCode(tx, { refundId: id, hash: hashCode(code), now: shop.clock.now })
  })
  const { hash } = await one<{ hash: Buffer }>('select token_hash as hash from sessions where user_id = $1', [claimer.user._id])
  await claimRefund(makeCtx(shop, { id: claimer.user._id, sessionHash: hash }).ctx, code)
  await claimer.hear('open', 567)
  expect(await claimer.look()).toEqual(seen(0, 567, 0, 0))
  await claimer.hear('lost', 567)
  expect(await claimer.look()).toEqual(seen(0, 0, 0, 0))
})

test('who buys while the dispute comes either buys with an order that waits, or is refused', async () => {
  const payer = await payerOf()
  const [bought] = await Promise.all([payer.buy(4), payer.hear('open')])
  const { wallet, kept, waiting } = await payer.look()
  expect([wallet, kept + 550 * waiting]).toEqual([0, 2_200])
  expect(bought === null ? 4 : waiting).toBe(payer.orders.length)
})

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const IMAGE = 'a'.repeat(64)
const NOBODY = '00000000-0000-4000-8000-000000000000'

type Item = { product: string | null; network: string | null; offer: string; receiver: string; seen: number; clientId: string | null }
type Outcome = { outcome: string; replayed: boolean; code?: string; orders: Record<string, unknown>[] } & Record<string, unknown>

let database: TestDatabase
/** By the products' names: the first is out of stock, the second and third have an offer in common. */
let products: Record<'gone' | 'cheap' | 'dear', string>
let buyer: { id: string; account: number }

beforeAll(async () => {
  database = await openTestDatabase()
  await database.db.query(`insert into images (hash, content_type, bytes, created_at) values ($1, 'image/webp', 'x', $2)`, [IMAGE, NOW])
  products = {
    gone: await stock('MTN', 'out of stock', { '1GB': [550, 470], '9GB': [900, 800] }),
    cheap: await stock('MTN', 'available', { '1GB': [550, 470], '2GB': [1_050, 900], '3GB': [333, 300] }),
    dear: await stock('MTN', 'available', { '1GB': [600, 500] }),
  }
  await stock('Telecel', 'available', { '5GB': [2_450, 2_300] })
})
afterAll(() => database.close())

beforeEach(async () => {
  buyer = await makeBuyer(10_000)
})

async function stock(network: string, status: string, packages: Record<string, [customer: number, agent: number]>): Promise<string> {
  const { rows } = await database.db.query<{ id: string }>(
    'insert into products (network, image_hash, status, created_at) values ($1, $2, $3, $4) returning id',
    [network, IMAGE, status, NOW],
  )
  for (const [offer, [customer, agent]] of Object.entries(packages)) {
    await database.db.query(
      `insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) values ($1, 1, $2, $3, $4)`,
      [rows[0]!.id, offer, customer, agent],
    )
  }
  return rows[0]!.id
}

async function makeBuyer(pesewas: number, level = 'Customer'): Promise<{ id: string; account: number }> {
  const name = randomUUID().slice(0, 18)
  const { rows } = await database.db.query<{ id: string; account: number }>(
    `with made as (
       insert into users (username, username_skeleton, email, phone, password_hash, level)
       values ($1, $1, $1 || '@example.com', lpad((floor(random() * 1e10))::bigint::text, 10, '0'), 'x', $2) returning id
     ) select id, create_wallet(id) as account from made`,
    [name, level],
  )
  const made = rows[0]!
  if (pesewas === 0) return made
  await database.db.query(`select post_entry($1, 'admin-credit', '', null, array[$2::bigint, 6], array[$3::bigint, -$3::bigint], $4)`, [
    `credit:${name}`,
    made.account,
    pesewas,
    NOW,
  ])
  return made
}

function item(given: Partial<Item> = {}): Item {
  return { product: products.cheap, network: null, offer: '1GB', receiver: '0241234567', seen: 550, clientId: null, ...given }
}

type Purchase = { key?: string; hash?: string; user?: string; payment?: string | null; surcharge?: number }

async function place(items: Item[], { key = randomUUID(), hash = 'h', user = buyer.id, payment = null, surcharge = 0 }: Purchase = {}) {
  const { rows } = await database.db.query<{ outcome: Outcome }>('select place_wallet_orders($1, $2, $3, $4, $5, $6, $7) as outcome', [
    user,
    key,
    Buffer.from(hash),
    JSON.stringify(items),
    NOW,
    payment,
    surcharge,
  ])
  return rows[0]!.outcome
}

/** What was booked from a wallet since its first credit, oldest first. */
async function booked(account: number) {
  const { rows } = await database.db.query<Record<string, unknown>>(
    `select e.key, e.kind, e.memo, e.actor_id, e.created_at,
       json_agg(p.account_id order by p.line) as accounts, json_agg(p.amount_pesewas order by p.line) as amounts
     from journal_entries e join postings p on p.entry_id = e.id
     where e.kind <> 'admin-credit' and e.id in (select entry_id from postings where account_id = $1)
     group by e.id order by e.id`,
    [account],
  )
  return rows
}

async function walletOf(user: string) {
  const { rows } = await database.db.query('select balance_pesewas, total_purchase_pesewas, version from wallets where user_id = $1', [
    user,
  ])
  return rows[0]
}

describe('a purchase', () => {
  test('returns its orders and the new balance, and books each order', async () => {
    const bystander = await makeBuyer(700)
    const outcome = await place([
      item({ clientId: 'mine' }),
      item({ product: null, network: 'Telecel', offer: '5GB', seen: 2_450, receiver: '0201234567' }),
    ])
    const order = {
      id: expect.any(String),
      seq: expect.any(Number),
      user_id: buyer.id,
      image_hash: IMAGE,
      level: 'Customer',
      surcharge_pesewas: 0,
      paid_with: 'wallet',
      payment_reference: null,
      top_up_reference: null,
      reference: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      status: 'pending',
      created_at: '2026-11-21T12:00:00+00:00',
      decided_at: null,
      decided_by: null,
      completed_at: null,
      cost_supplier: null,
      cost_pesewas: null,
      override_reason: null,
      refund_reason: null,
      shop_id: null,
      guest_phone: null,
      agent_profit_pesewas: 0,
      channel: null,
      client_reference: null,
    }
    const first = {
      ...order,
      client_id: 'mine',
      product_id: products.cheap,
      network: 'MTN',
      offer: '1GB',
      receiver: '0241234567',
      price_pesewas: 550,
    }
    const second = {
      ...order,
      client_id: null,
      product_id: expect.any(String),
      network: 'Telecel',
      offer: '5GB',
      receiver: '0201234567',
      price_pesewas: 2_450,
    }
    expect(outcome).toEqual({
      outcome: 'placed',
      replayed: false,
      orders: [first, second],
      balancePesewas: 7_000,
      totalPurchasePesewas: 3_000,
      balanceVersion: 3,
    })
    const entry = { kind: 'order', actor_id: buyer.id, created_at: NOW, accounts: [buyer.account, 8] }
    expect(await booked(buyer.account)).toEqual([
      { ...entry, key: `order:${outcome.orders[0]?.id}`, memo: 'MTN 1GB to 0241234567', amounts: [-550, 550] },
      { ...entry, key: `order:${outcome.orders[1]?.id}`, memo: 'Telecel 5GB to 0201234567', amounts: [-2_450, 2_450] },
    ])
    expect(await walletOf(buyer.id)).toEqual({ balance_pesewas: 7_000, total_purchase_pesewas: 3_000, version: 3 })
    expect(await walletOf(bystander.id)).toEqual({ balance_pesewas: 700, total_purchase_pesewas: 0, version: 1 })
  })

  test('adds to the buyer’s total purchases', async () => {
    await place([item()])
    expect((await place([item()])).totalPurchasePesewas).toBe(1_100)
  })

  test.each([
    ['Customer', 550],
    ['Agent', 470],
    ['Admin', 470],
  ])('by a user of level %s costs %d and does not change the level', async (level, price) => {
    const { id } = await makeBuyer(price, level)
    const outcome = await place([item({ seen: price })], { user: id })
    expect([outcome.outcome, outcome.balancePesewas, outcome.orders[0]?.level, outcome.orders[0]?.price_pesewas]).toEqual([
      'placed',
      0,
      level,
      price,
    ])
  })
})

describe('a line without a product’s id', () => {
  const line = (seen: number, offer = '1GB') => item({ product: null, network: 'MTN', offer, seen })

  test.each([
    ['Customer', 550, 'cheap'],
    ['Customer', 600, 'dear'],
    ['Agent', 470, 'cheap'],
    ['Agent', 500, 'dear'],
  ] as const)('means for a user of level %s who saw %d the available product at that price: %s', async (level, seen, name) => {
    const { id } = await makeBuyer(10_000, level)
    const outcome = await place([line(seen)], { user: id })
    expect([outcome.outcome, outcome.orders?.[0]?.product_id]).toEqual(['placed', products[name]])
  })

  test.each([
    ['Customer', 550],
    ['Agent', 470],
  ])('at a price that no product has is refused with the first one’s: %s, %d', async (level, price) => {
    const { id } = await makeBuyer(10_000, level)
    const refused = { index: 0, code: 'PRICE_CHANGED', offer: '1GB', network: 'MTN', pricePesewas: price }
    expect(await place([line(575)], { user: id })).toMatchObject({ code: 'PRICE_CHANGED', items: [refused] })
  })

  test('means the product that has the offer, although another of the network is as available', async () => {
    expect((await place([line(333, '3GB')])).orders?.[0]?.product_id).toBe(products.cheap)
  })

  test('of another network is not available', async () => {
    expect(await place([{ ...line(550), network: 'Telecel' }])).toMatchObject({ outcome: 'refused', code: 'NOT_AVAILABLE' })
  })

  test('of an offer that another network has is not available', async () => {
    expect(await place([line(2_450, '5GB')])).toMatchObject({ outcome: 'refused', code: 'NOT_AVAILABLE' })
  })
})

describe('a purchase is refused', () => {
  test('line by line, with what each is now, and nothing is booked', async () => {
    const outcome = await place([
      item(),
      item({ seen: 549 }),
      item({ seen: 551, offer: '2GB' }),
      item({ product: products.gone, offer: '9GB', seen: 901 }),
      item({ product: NOBODY }),
      item({ product: null, network: 'AFA', offer: 'registration' }),
      item({ offer: '9GB', seen: 900 }),
    ])
    expect(outcome).toEqual({
      outcome: 'refused',
      replayed: false,
      code: 'PRICE_CHANGED',
      items: [
        { index: 1, code: 'PRICE_CHANGED', offer: '1GB', network: 'MTN', pricePesewas: 550 },
        { index: 2, code: 'PRICE_CHANGED', offer: '2GB', network: 'MTN', pricePesewas: 1_050 },
        { index: 3, code: 'NOT_AVAILABLE', offer: '9GB', network: 'MTN' },
        { index: 4, code: 'NOT_AVAILABLE', offer: '1GB', network: null },
        { index: 5, code: 'NOT_AVAILABLE', offer: 'registration', network: 'AFA' },
        { index: 6, code: 'NOT_AVAILABLE', offer: '9GB', network: 'MTN' },
      ],
    })
    expect([await booked(buyer.account), await walletOf(buyer.id)]).toEqual([
      [],
      { balance_pesewas: 10_000, total_purchase_pesewas: 0, version: 1 },
    ])
  })

  test('with the code of its first line that is refused', async () => {
    expect(await place([item({ product: products.gone, offer: '9GB', seen: 900 }), item({ seen: 1 })])).toMatchObject({
      code: 'NOT_AVAILABLE',
    })
  })

  test('for one pesewa too little, with the total and the balance', async () => {
    const { id } = await makeBuyer(1_099)
    expect(await place([item(), item()], { user: id })).toEqual({
      outcome: 'refused',
      replayed: false,
      code: 'INSUFFICIENT_BALANCE',
      totalPesewas: 1_100,
      balancePesewas: 1_099,
    })
  })

  test('for a banned user, and the key stays free for later', async () => {
    const key = randomUUID()
    await database.db.query(`update users set status = 'Banned' where id = $1`, [buyer.id])
    expect(await place([item()], { key })).toEqual({ outcome: 'refused', replayed: false, code: 'BANNED' })
    await database.db.query(`update users set status = 'Active' where id = $1`, [buyer.id])
    expect((await place([item()], { key })).outcome).toBe('placed')
  })
})

describe('while purchases are paused', () => {
  beforeEach(async () => {
    await database.db.query(`insert into purchase_pauses (paused_at, found) values ($1, '[]')`, [NOW])
  })
  afterEach(async () => {
    await database.db.query(`update purchase_pauses set lifted_at = $1, lifted_by = $2, lift_reason = 'well' where lifted_at is null`, [
      NOW,
      buyer.id,
    ])
  })

  test('nothing is bought from a wallet, and the key stays free', async () => {
    expect(await place([item()], { key: 'paused' })).toEqual({ outcome: 'refused', replayed: false, code: 'PAUSED' })
    expect(await booked(buyer.account)).toEqual([])
    await database.db.query(`update purchase_pauses set lifted_at = $1, lifted_by = $2, lift_reason = 'well'`, [NOW, buyer.id])
    expect((await place([item()], { key: 'paused' })).outcome).toBe('placed')
  })

  test('an earlier purchase gets its earlier reply', async () => {
    await database.db.query(`update purchase_pauses set lifted_at = $1, lifted_by = $2, lift_reason = 'well'`, [NOW, buyer.id])
    const first = await place([item()], { key: 'before' })
    await database.db.query(`insert into purchase_pauses (paused_at, found) values ($1, '[]')`, [NOW])
    expect(await place([item()], { key: 'before' })).toEqual({ ...first, replayed: true })
  })

  test('a card payment is not stopped: one without lines is refused for having none', async () => {
    expect(await place([], { payment: 'PAID'.repeat(5) })).toMatchObject({ outcome: 'refused', code: 'NOT_AVAILABLE' })
  })
})

describe('a key', () => {
  test('repeated gives the same reply and books nothing more', async () => {
    const first = await place([item()], { key: 'again' })
    expect(await place([item()], { key: 'again' })).toEqual({ ...first, replayed: true })
    expect(await booked(buyer.account)).toHaveLength(1)
  })

  test('repeated with other contents is refused', async () => {
    await place([item()], { key: 'again' })
    expect(await place([item(), item()], { key: 'again', hash: 'another' })).toEqual({ outcome: 'key-reused', replayed: false })
    expect(await booked(buyer.account)).toHaveLength(1)
  })

  test('repeated gives the same refusal, line by line, whatever a line costs by now', async () => {
    const refused = [
      item(),
      item({ seen: 549 }),
      item({ product: products.gone, offer: '9GB', seen: 901 }),
      item({ product: NOBODY }),
      item({ product: null, network: 'AFA', offer: 'registration' }),
      item({ product: null, network: 'Telecel', offer: '5GB', seen: 2_451 }),
    ]
    const first = await place(refused, { key: 'again' })
    expect(first.items).toHaveLength(5)
    const reprice = (by: number) =>
      database.db.query(`update packages set price_customer_pesewas = price_customer_pesewas + $1 where offer in ('1GB', '5GB')`, [by])
    await reprice(1)
    expect(await place(refused, { key: 'again' })).toEqual({ ...first, replayed: true })
    await reprice(-1)
  })

  test('is separate for each user, and another key is another purchase', async () => {
    await place([item()], { key: 'mine' })
    const other = await makeBuyer(550)
    expect(await place([item()], { key: 'mine', user: other.id })).toMatchObject({ outcome: 'placed', replayed: false })
    expect(await place([item()], { key: 'yours' })).toMatchObject({ outcome: 'placed', replayed: false })
  })

  test('is stored with user, contents, time and reply', async () => {
    const outcome = await place([item()], { key: 'kept', hash: 'contents' })
    const { rows } = await database.db.query('select * from idempotency_keys where user_id = $1', [buyer.id])
    expect(rows).toEqual([{ user_id: buyer.id, key: 'kept', request_hash: Buffer.from('contents'), outcome, created_at: NOW }])
  })
})

describe('a purchase with a card', () => {
  const lines = () => [item(), item({ offer: '2GB', seen: 1_050 }), item({ offer: '3GB', seen: 333 })]

  type Payment = { price: number; surcharge: number; received?: number; status?: 'paid' | 'held' }

  /** A buyer whose wallet holds what a card has paid. */
  async function payByCard(reference: string, { price, surcharge, received = price + surcharge, status = 'paid' }: Payment) {
    const made = await makeBuyer(0)
    await database.db.query(
      `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, received_pesewas, in_wallet, created_at, settled_at)
       values ($1, $2, 'order', '[]', $3, $4, $5, $6, true, $7, $7)`,
      [reference, made.id, price, surcharge, status, received, NOW],
    )
    await database.db.query(`select post_entry($1, 'card-payment', '', null, array[5, $2::bigint], array[-$3::bigint, $3::bigint], $4)`, [
      `card-payment:${reference}`,
      made.account,
      received,
      NOW,
    ])
    return made
  }

  test('divides the surcharge among the orders to the pesewa and books it once', async () => {
    const payment = 'SHARED'.repeat(3)
    const { id, account } = await payByCard(payment, { price: 1_933, surcharge: 58 })
    const outcome = await place(lines(), { user: id, payment, surcharge: 58 })
    expect(outcome).toMatchObject({ outcome: 'placed', balancePesewas: 0, totalPurchasePesewas: 1_933, balanceVersion: 5 })
    expect(outcome.orders.map((order) => [order.price_pesewas, order.surcharge_pesewas, order.paid_with, order.payment_reference])).toEqual(
      [
        [550, 16, 'card', payment],
        [1_050, 32, 'card', payment],
        [333, 10, 'card', payment],
      ],
    )
    expect((await booked(account)).at(-1)).toEqual({
      key: `card-surcharge:${payment}`,
      kind: 'card-surcharge',
      memo: 'Card surcharge',
      actor_id: id,
      created_at: NOW,
      accounts: [account, 2],
      amounts: [-58, 58],
    })
  })

  test('gives the odd pesewa of two equal orders to the second', async () => {
    const payment = 'HALVES'.repeat(3)
    const { id } = await payByCard(payment, { price: 1_100, surcharge: 551 })
    const { orders } = await place([item(), item()], { user: id, payment, surcharge: 551 })
    expect(orders.map((order) => order.surcharge_pesewas)).toEqual([275, 276])
  })

  test('is refused when the surcharge is not fully covered', async () => {
    const payment = 'SHORT'.repeat(4)
    const { id } = await payByCard(payment, { price: 1_933, surcharge: 58, received: 1_990, status: 'held' })
    expect(await place(lines(), { user: id, payment, surcharge: 58 })).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  })

  test.each([
    [0, []],
    [1, ['card-surcharge']],
  ])('and a surcharge of %d books it as %j', async (surcharge, kinds) => {
    const payment = `SURCHARGE${surcharge}`.repeat(2)
    const { id, account } = await payByCard(payment, { price: 550, surcharge })
    const outcome = await place([item()], { user: id, payment, surcharge })
    expect([outcome.orders[0]?.paid_with, outcome.orders[0]?.surcharge_pesewas]).toEqual(['card', surcharge])
    expect((await booked(account)).map(({ kind }) => kind)).toEqual(['card-payment', 'order', ...kinds])
  })
})

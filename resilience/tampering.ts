import { hashToken } from '../server/platform/hash-token.ts'
import type { Experiment, Trial } from './experiment.ts'
import { digestTables } from './quiet-shop.ts'
import { openShops, pesewas, type Shops } from './shops.ts'

/** C. Tampering with price, amount, role and the order of steps. */
export const tampering: Experiment[] = [
  {
    id: 'C1',
    expects: 'PUT /user/balance by a customer, an agent, a banned: refused, no posting',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        for (const level of ['Customer', 'Agent'] as const) {
          const [person, other] = [await shops.makeUser({ level, pesewas: 2_000 }), await shops.makeUser({ pesewas: 2_000 })]
          for (const [chosenId, amount] of [
            [person.id, 1],
            [person.id, -1],
            [other.id, 1],
            [other.id, -1],
          ] as const)
            trial.same(level, (await shops.call('PUT', '/user/balance', { as: person, body: { chosenId, amount } })).status, 403)
          await shops.db.query(`update users set status = 'Banned' where id = $1`, [person.id])
          trial.same(
            'banned',
            (await shops.call('PUT', '/user/balance', { as: person, body: { chosenId: person.id, amount: 1 } })).status,
            401,
          )
          for (const { id } of [person, other]) trial.same('entries', (await shops.books(id)).entries, 1)
        }
      })
    },
  },
  {
    id: 'C2',
    expects: 'an order with 60 kinds of another totalAmount: refused, or charged at the shop’s price; the sent one is never charged',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      for (let round = 0; round < trial.runs; round++) {
        for (const amount of [...AMOUNTS, 0.01, -5, 5.49, 5.51, 4.9, 550, 11]) {
          const buyer = await shops.makeUser({ pesewas: 100_000 })
          const order = { id: crypto.randomUUID(), network: 'MTN', offer: line.offer, receiver: '0551234567', totalAmount: amount }
          const created = await shops.call('POST', '/order/create', { as: buyer, body: withRaw({ newOrder: order }, amount) })
          const bought = await shops.call('POST', '/order/checkout', {
            as: buyer,
            body: withRaw({ items: [{ ...line, amount }] }, amount),
            headers: { 'idempotency-key': crypto.randomUUID() },
          })
          for (const { status } of [created, bought]) if (![400, 409].includes(status)) trial.wrong(`${String(amount)} replied ${status}`)
          trial.same(`orders at ${String(amount)}`, (await shops.books(buyer.id)).orders, 0)
          trial.did()
        }
      }
    },
  },
  {
    id: 'C3',
    expects: 'an order with user, agent, status, date, actionTimestamp, createdAt of another: what is kept is the server’s',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const [buyer, other] = [await shops.makeUser({ pesewas: 10_000 }), await shops.makeUser()]
        const line = shops.line()
        const newOrder = {
          id: crypto.randomUUID(),
          network: 'MTN',
          offer: line.offer,
          receiver: '0551234567',
          totalAmount: line.amount,
          user: other.id,
          agent: other.username,
          status: 'completed',
          date: '01/01/2020 00:00:00',
          createdAt: '2020-01-01T00:00:00.000Z',
          actionTimestamp: '01/01/2020 00:00:00',
        }
        const { status, body } = await shops.call<{ order: Record<string, unknown> }>('POST', '/order/create', {
          as: buyer,
          body: { newOrder },
        })
        trial.same('reply', [status, body.order?.status, body.order?.actionTimestamp], [200, 'pending', null])
        const { rows } = await shops.db.query<{ owner: string; recent: boolean }>(
          `select user_id as owner, created_at > now() - interval '1 minute' as recent from orders where id = $1`,
          [body.order?._id],
        )
        trial.same('kept', rows, [{ owner: buyer.id, recent: true }])
      })
    },
  },
  {
    id: 'C4',
    expects: 'the agent’s price asked for by a customer: refused; a demotion counts at the very next purchase, at both processes',
    runs: { fast: 40, full: 400 },
    async go(trial) {
      const shops = await trial.shops()
      const cheap = shops.line({ level: 'Agent' })
      await trial.repeat(async (run) => {
        const customer = await shops.makeUser({ pesewas: 10_000 })
        trial.same('a customer', (await shops.buy(customer, [cheap])).status, 409)
        const agent = await shops.makeUser({ level: 'Agent', pesewas: 10_000 })
        trial.same('an agent', (await shops.buy(agent, [cheap])).status, 200)
        await shops.call('PUT', `/user/${agent.id}/level`, { as: shops.admins[0], body: { userLevel: 'Customer' }, shop: run })
        trial.same('demoted', (await shops.buy(agent, [cheap], undefined, run + 1)).status, 409)
      })
    },
  },
  {
    id: 'C5',
    expects:
      'asking for a level without paying for it (unpaid, 49.99, another’s reference, one used for orders, a top-up, Admin): the level stays',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const [person, other] = [await shops.makeUser(), await shops.makeUser()]
        const level = (userLevel: string) => shops.call('PUT', `/user/${person.id}/level`, { as: person, body: { userLevel } })
        const upgrade = async (as: typeof person) =>
          (await shops.call<{ reference: string }>('POST', '/payment', { as, body: { purpose: 'agent-upgrade' } })).body.reference
        const confirm = (reference: string) => shops.call('POST', `/payment/${reference}/confirm`, { as: person, body: {} })
        trial.same('unpaid', (await level('Agent')).status, 402)
        trial.same('Admin', (await level('Admin')).status, 403)
        const short = await upgrade(person)
        await shops.card.pay(short, { amountPesewas: 4_999 })
        await confirm(short)
        trial.same('49.99', (await level('Agent')).status, 402)
        const foreign = await upgrade(other)
        await shops.card.pay(foreign)
        trial.same('another’s reference', (await confirm(foreign)).status, 404)
        const cart = await shops.call<{ reference: string }>('POST', '/payment', {
          as: person,
          body: { purpose: 'order', items: [shops.line()] },
        })
        await shops.card.pay(cart.body.reference)
        await confirm(cart.body.reference)
        trial.same('a payment for orders', (await level('Agent')).status, 402)
        const topUp = await shops.call<{ reference: string }>('POST', '/payment', { as: person, body: { purpose: 'top-up', amount: 50 } })
        await shops.card.pay(topUp.body.reference)
        await confirm(topUp.body.reference)
        trial.same('a top-up of the same amount', (await level('Agent')).status, 402)
        const { rows } = await shops.db.query('select level from users where id = $1', [person.id])
        trial.same('level', rows, [{ level: 'Customer' }])
        const full = await upgrade(person)
        await shops.card.pay(full)
        await confirm(full)
        await confirm(full)
        trial.same('paid', (await level('Agent')).status, 200)
      })
    },
  },
  {
    id: 'C6',
    expects: 'a cart of 10 with one bad item (gone, out of stock, bad phone, bad price): no order, no debit, the item is named',
    runs: { fast: 40, full: 400 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      const bad = [
        { ...line, productId: crypto.randomUUID() },
        { ...line, offer: 'no such offer' },
        { ...line, phoneNumber: '055123456' },
        { ...line, amount: 5.49 },
        { ...line, productId: await outOfStock(shops) },
      ]
      await trial.repeat(async (run) => {
        const buyer = await shops.makeUser({ pesewas: 100_000 })
        const at = Math.floor(trial.random() * 10)
        const cart: unknown[] = Array(10).fill(line)
        cart[at] = bad[run % bad.length]
        const { status, body } = await shops.call<{ issues?: { path: string }[] }>('POST', '/order/checkout', {
          as: buyer,
          body: { items: cart },
          headers: { 'idempotency-key': crypto.randomUUID() },
        })
        if (![400, 409].includes(status)) trial.wrong(`replied ${status}`)
        if (!body.issues?.[0]?.path.startsWith(`items.${at}`)) trial.wrong(`item ${at} is not named: ${JSON.stringify(body)}`)
        const { orders, pesewas: left } = await shops.books(buyer.id)
        trial.same('orders and balance', [orders, left], [0, 100_000])
      })
    },
  },
  {
    id: 'C7',
    beside: true,
    expects: 'a price that changes while people buy: each is debited the price that they saw, or told the new one',
    runs: { fast: 24, full: 400 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      try {
        const line = shops.line({ network: 'Telecel' })
        let price = pesewas(line.amount)
        await trial.repeat(async () => {
          const buyers = await shops.makeUsers(8, { pesewas: 100_000 })
          const next = price + 1 + Math.floor(trial.random() * 50)
          const change = shops.db.query('update packages set price_customer_pesewas = $1 where product_id = $2 and offer = $3', [
            next,
            line.productId,
            line.offer,
          ])
          const replies = await Promise.all(buyers.map((buyer) => shops.buy(buyer, [{ ...line, amount: price / 100 }])))
          await change
          for (const [index, { status, text }] of replies.entries()) {
            const spent = 100_000 - (await shops.books(buyers[index]?.id as string)).pesewas
            trial.same('spent', spent, status === 200 ? price : 0)
            if (status === 409 && !text.includes('PRICE_CHANGED')) trial.wrong(text)
            if (status === 409 && !text.includes((next / 100).toFixed(2))) trial.wrong(`the new price is not told: ${text}`)
            if (![200, 409].includes(status)) trial.wrong(`replied ${status}`)
          }
          price = next
        })
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'C8',
    beside: true,
    expects: 'the price changed after the card was asked: paid in full into the wallet, told why, never nowhere',
    runs: { fast: 4, full: 40 },
    go: (trial) =>
      payForWhatIsGone(trial, (shops, product) =>
        shops.db.query('update packages set price_customer_pesewas = 701 where product_id = $1', [product]),
      ),
  },
  {
    id: 'C9',
    beside: true,
    expects:
      'the product deleted or out of stock before checkout: refused whole; after the card was asked: paid in full into the wallet, told why',
    runs: { fast: 4, full: 40 },
    async go(trial) {
      await payForWhatIsGone(trial, (shops, product, run) =>
        run % 2 === 0
          ? shops.db.query('delete from products where id = $1', [product])
          : shops.db.query(`update products set status = 'out of stock' where id = $1`, [product]),
      )
    },
  },
  {
    id: 'C10',
    expects:
      '30 strange amounts (0, -0, 1e400, 2^53+1, text, ٥, NaN, [5], {$gt:0}, 10 kB of digits) in every numeric field: 400, no effect, no 5xx',
    runs: { fast: 1, full: 3 },
    async go(trial) {
      const shops = await trial.shops()
      const person = await shops.makeUser({ pesewas: 10_000 })
      const line = shops.line()
      const before = await digestTables(shops)
      for (let round = 0; round < trial.runs; round++) {
        for (const amount of AMOUNTS) {
          const calls: [string, string, typeof person, unknown][] = [
            ['PUT', '/user/balance', shops.admins[0], { chosenId: person.id, amount }],
            ['POST', '/recharge', person, { amount }],
            ['POST', '/order/checkout', person, { items: [{ ...line, amount }] }],
            ['POST', '/payment', person, { purpose: 'order', items: [{ ...line, amount }] }],
            [
              'POST',
              '/product/create',
              shops.admins[0],
              { network: 'MTN', status: 'available', image: '', packages: [{ offer: 'x', priceCustomer: amount, priceAgent: amount }] },
            ],
          ]
          for (const [method, path, as, body] of calls) {
            const reply = await shops.call(method, path, {
              as,
              body: withRaw(body, amount),
              headers: { 'idempotency-key': crypto.randomUUID() },
            })
            // A well-formed amount may still be the wrong price, which is 409.
            if (![400, 409, 413].includes(reply.status))
              trial.wrong(`${method} ${path} with ${String(amount).slice(0, 40)} replied ${reply.status}`)
            trial.did()
          }
        }
      }
      const after = await digestTables(shops)
      trial.same(
        'tables that changed',
        Object.keys(after).filter((table) => after[table] !== before[table]),
        [],
      )
    },
  },
  {
    id: 'C11',
    expects:
      'steps skipped or taken twice (process a rejected order, approve a declined recharge, reset without a token): refused, state as it was',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const [admin] = shops.admins
      await trial.repeat(async () => {
        const buyer = await shops.makeUser({ pesewas: 10_000 })
        const { body } = await shops.buy(buyer, [shops.line(), shops.line()])
        const [one, other] = body.orders as { _id: string }[]
        const decide = (id: string | undefined, status: string) =>
          shops.call('PUT', `/order/update-status/${id}`, { as: admin, body: { status } })
        await decide(one?._id, 'rejected')
        await decide(other?._id, 'completed')
        trial.same('complete a rejected', (await decide(one?._id, 'completed')).status, 409)
        trial.same('reject a completed', (await decide(other?._id, 'rejected')).status, 409)
        trial.same('back to pending', (await decide(other?._id, 'pending')).status, 400)
        const recharge = await shops.call<{ rechargeId: string }>('POST', '/recharge', { as: buyer, body: { amount: 60 } })
        await shops.call('PUT', `/recharge/${recharge.body.rechargeId}/decline`, { as: admin, body: {} })
        trial.same(
          'approve a declined',
          (await shops.call('PUT', `/recharge/${recharge.body.rechargeId}/approve`, { as: admin, body: {} })).status,
          409,
        )
        const reset = await shops.call('POST', `/user/reset-password/${'A'.repeat(43)}`, { body: { password: 'another password' } })
        trial.same('reset without a token', reset.status, 400)
        trial.same('the balance', (await shops.books(buyer.id)).pesewas, 10_000 - pesewas(shops.line().amount))
      })
    },
  },
  {
    id: 'C14',
    expects: 'recharges of 49.99, 50, 50.005, 50000, 50000.01, 1e9: refused, taken, refused, taken, refused, refused',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const person = await shops.makeUser()
        const statuses: number[] = []
        for (const amount of [49.99, 50, 50.005, 50_000, 50_000.01, 1e9])
          statuses.push((await shops.call('POST', '/recharge', { as: person, body: { amount } })).status)
        trial.same('statuses', statuses, [400, 200, 400, 200, 400, 400])
      })
    },
  },
  {
    id: 'C15',
    expects: 'a captured request sent again from another account or after signing out: 401, or the other’s own, never the owner’s money',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      await trial.repeat(async () => {
        const [owner, thief] = [await shops.makeUser({ pesewas: 10_000 }), await shops.makeUser()]
        const key = crypto.randomUUID()
        await shops.buy(owner, [line], key)
        const before = await shops.books(owner.id)
        trial.same('another account without money', (await shops.buy(thief, [line], key)).status, 402)
        await shops.call('POST', '/user/logout', { as: owner, body: {} })
        trial.same('after signing out', (await shops.buy(owner, [line], key)).status, 401)
        await shops.db.query('delete from sessions where token_hash = $1', [hashToken(thief.token)])
        trial.same('the owner’s books', await shops.books(owner.id), before)
      })
    },
  },
  {
    id: 'C16',
    expects: 'a receiver of 9 or 11 digits, letters, other alphabets’ digits: refused naming the field; of another network: taken',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      const buyer = await shops.makeUser({ pesewas: 1_000_000 })
      for (const [phoneNumber, expected] of PHONES) {
        const { status, body } = await shops.call<{ issues?: { path: string }[] }>('POST', '/order/checkout', {
          as: buyer,
          body: { items: [{ ...shops.line(), phoneNumber }] },
          headers: { 'idempotency-key': crypto.randomUUID() },
        })
        trial.same(JSON.stringify(phoneNumber), status, expected)
        if (expected === 400) trial.same('path', body.issues?.[0]?.path, 'items.0.phoneNumber')
        trial.did()
      }
    },
  },
  {
    id: 'C17',
    expects:
      'the same phone and offer twice within two minutes under two keys: two orders (the second question is not asked by the server)',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const buyer = await shops.makeUser({ pesewas: 10_000 })
        const line = shops.line()
        const bought = [await shops.buy(buyer, [line]), await shops.buy(buyer, [line])]
        trial.same(
          'statuses',
          bought.map(({ status }) => status),
          [200, 200],
        )
        const { orders, pesewas: left } = await shops.books(buyer.id)
        trial.same('orders and balance', [orders, left], [2, 10_000 - 2 * pesewas(line.amount)])
      })
    },
  },
]

/** JSON cannot express some of these, so they are put into the text as they are. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON() {
    return '<raw>'
  }
  toString() {
    return this.text
  }
}

const AMOUNTS: unknown[] = [
  0,
  new Raw('-0'),
  0.001,
  0.005,
  1e21,
  new Raw('1e400'),
  new Raw('-1e400'),
  new Raw('9007199254740993'),
  new Raw('1e-400'),
  '100',
  '1e2',
  ' 5',
  '５',
  '٥',
  new Raw('NaN'),
  new Raw('Infinity'),
  true,
  false,
  null,
  [5],
  [],
  {},
  { $gt: 0 },
  '',
  'abc',
  new Raw('9'.repeat(10_000)),
  10_000_000.01,
  new Raw('0x10'),
  new Raw('05'),
  new Raw('5.'),
  0.1 + 0.2,
]

function withRaw(body: unknown, amount: unknown): string {
  const text = JSON.stringify(body)
  return amount instanceof Raw ? text.replaceAll('"<raw>"', amount.text) : text
}

const PHONES: [unknown, number][] = [
  ['055123456', 400],
  ['05512345678', 400],
  ['055123456a', 400],
  ['٠٥٥١٢٣٤٥٦٧', 400],
  ['０５５１２３４５６７', 400],
  ['', 400],
  [551234567, 400],
  [null, 400],
  ['0551234567\n0241234567', 400],
  ['1551234567', 400],
  ['2332012345', 400],
  ['0302123456', 400],
  ['0241234567', 200],
  ['0271234567', 200],
]

/** A product of the experiment's own, with one package at 7.00. */
async function outOfStock(shops: Shops, status = 'out of stock'): Promise<string> {
  const { rows } = await shops.db.query<{ id: string }>(
    `with made as (insert into products (network, image_hash, status, created_at) select network, image_hash, $1, now() from products limit 1 returning id)
    insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) select id, 1, 'resilience', 700, 600 from made returning product_id as id`,
    [status],
  )
  return rows[0]?.id as string
}

/** A product changes between cart and wallet checkout, and between starting and completing a card payment. */
async function payForWhatIsGone(trial: Trial, change: (shops: Shops, product: string, run: number) => Promise<unknown>) {
  const shops = await openShops({ ...trial.opening, processes: 1 })
  try {
    await trial.repeat(async (run) => {
      const product = await outOfStock(shops, 'available')
      const buyer = await shops.makeUser()
      const rich = await shops.makeUser({ pesewas: 10_000 })
      const items = [{ productId: product, offer: 'resilience', phoneNumber: '0551234567', amount: 7 }]
      const started = await shops.call<{ reference: string; amount: number }>('POST', '/payment', {
        as: buyer,
        body: { purpose: 'order', items },
      })
      await change(shops, product, run)
      const wallet = await shops.buy(rich, [...items, shops.line()])
      const left = await shops.books(rich.id)
      trial.same('by wallet: status, orders, balance', [wallet.status, left.orders, left.pesewas], [409, 0, 10_000])
      const { reference, amount } = started.body
      await shops.card.pay(reference)
      const { body } = await shops.call<{ payment: { status: string; message: string } }>('POST', `/payment/${reference}/confirm`, {
        as: buyer,
        body: {},
      })
      const books = await shops.books(buyer.id)
      trial.same('by card: status, orders, wallet', [body.payment?.status, books.orders, books.pesewas], ['held', 0, amount])
      if (!body.payment?.message?.includes('wallet')) trial.wrong(`the payer is told: ${body.payment?.message}`)
    })
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
  }
}

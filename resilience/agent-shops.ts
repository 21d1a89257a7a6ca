import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { type Boundary, dieAt, type World } from './failpoints.ts'
import { type Person, pesewas, type Shops } from './shops.ts'

const GUESTS = 6
/** One package of MTN: what the agent sells it for, and its profit at the agent's cost. */
const PRICE = 570
const COST = 470
const TOO_MUCH = 600
const RECEIVED = 587

type AgentShop = { id: string; slug: string; agent: Person; productId: string; offer: string }

/** S. Agents' shops: guests who pay, bounds that move meanwhile, and the agent's part. */
export const agentShops: Experiment[] = [
  {
    id: 'S1',
    expects:
      'guests pay while the agent’s cost rises above the shop’s price and falls again, over two processes: nothing is sold while it is above, and each payment is an order or owed to its guest',
    runs: { fast: 15, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const shop = await openAgentShop(shops)
        const references = await payUnnoticed(shops, shop)
        const confirming = confirmAll(shops, references)
        await waitABit(trial)
        const before = await setCost(shops, shop, TOO_MUCH)
        await confirming
        const after = await setCost(shops, shop, COST)
        trial.same('orders sold while the cost was above the price', after - before, 0)
        await compareMoney(trial, shops, shop, references)
      })
      for (const violation of await shops.prove()) trial.wrong(violation)
    },
  },
  {
    id: 'S2',
    expects:
      'the server killed around each commit of a guest’s payment, of a delivery and of a refund, and the call sent again: one order, one profit, one refund',
    beside: true,
    runs: { fast: 2, full: 20 },
    deadlineMs: { fast: 20 * 60_000, full: 120 * 60_000 },
    async go(trial) {
      await dieAt(trial, KILLED, trial.runs)
    },
  },
  {
    id: 'S3',
    expects:
      'an order completed and refunded by 16 calls at one instant over two processes: decided once, and the agent has the profit of a delivery or nothing',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const shop = await openAgentShop(shops)
        const [reference] = (await payUnnoticed(shops, shop, 1)) as [string]
        await confirmAll(shops, [reference])
        const order = await orderOf(shops, reference)
        const calls = Array.from({ length: 16 }, (_, index) => ({
          method: 'PUT',
          path: `/order/update-status/${order}`,
          as: shops.admins[index % 2] as Person,
          body: { status: index % 4 < 2 ? 'completed' : 'rejected' },
        }))
        const replies = await shops.race(calls, trial.random)
        trial.same('decided', replies.filter(({ status }) => status === 200).length, 1)
        const { status, earnings, owed } = await readOutcome(shops, shop, reference)
        trial.same('the agent and the guest', [earnings, owed], status === 'completed' ? [PRICE - COST, 0] : [0, RECEIVED])
      })
      for (const violation of await shops.prove()) trial.wrong(violation)
    },
  },
  {
    id: 'S4',
    expects:
      'the owner closes a shop while its guests pay, over two processes: no order after it is closed, each payment is an order or owed to its guest, and other shops go on',
    runs: { fast: 15, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const other = await openAgentShop(shops)
      await trial.repeat(async () => {
        const shop = await openAgentShop(shops)
        const references = await payUnnoticed(shops, shop)
        const confirming = confirmAll(shops, references)
        await waitABit(trial)
        const closed = await shops.call('PUT', `/agent-shops/${shop.id}`, { as: shops.admins[0], body: { closed: 'Complaints' } })
        const sold = await countOrders(shops, shop)
        await confirming
        trial.same('closed', closed.status, 200)
        trial.same('orders after it', (await countOrders(shops, shop)) - sold, 0)
        await compareMoney(trial, shops, shop, references)
        const elsewhere = await payUnnoticed(shops, other, 1)
        await confirmAll(shops, elsewhere)
        trial.same('orders in another shop', (await readOutcome(shops, other, elsewhere[0] as string)).status, 'pending')
      })
      for (const violation of await shops.prove()) trial.wrong(violation)
    },
  },
  {
    id: 'S7',
    expects:
      'a sub-agent’s guests pay while the agent’s cost rises and the sub-agent leaves or is stopped by the agent, then orders are delivered, refunded before and after it, and both withdraw, over two processes: nothing below cost or after the end, and each has exactly their part',
    runs: { fast: 15, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await shops.db.query('update agent_shop_rules set sub_agents = true')
      await shops.db.query('update withdrawal_rules set hold_nights = 0, minimum_pesewas = 100, fee_pesewas = 0')
      await trial.repeat(async (run) => {
        const above = await openAgentShop(shops)
        const shop = await openSubAgentShop(shops, above)
        const references = await payUnnoticed(shops, shop)
        const confirming = confirmAll(shops, references)
        await waitABit(trial)
        if (run % 2 === 0) {
          const before = await setCost(shops, shop, TOO_MUCH)
          await waitABit(trial)
          trial.same('orders sold while the cost was above the price', (await setCost(shops, shop, COST)) - before, 0)
        }
        const end = run % 4 < 2 ? { as: shop.agent, path: '/my-shop/leave' } : { as: above.agent, path: await endOf(shops, shop) }
        const ended = await shops.call('POST', end.path, { as: end.as, body: {} })
        const sold = await countOrders(shops, shop)
        await confirming
        trial.same('the end', ended.status, 200)
        trial.same('orders after it', (await countOrders(shops, shop)) - sold, 0)
        await compareMoney(trial, shops, shop, references)
        await endOrders(trial, shops, shop, above)
        for (const [one, part] of [
          [above, SUB_COST - COST],
          [shop, PRICE - SUB_COST],
        ] as const) {
          const { kept, due } = await readKept(shops, one, shop, part)
          trial.same('earnings, less debts, and what was withdrawn', kept, due)
        }
      })
      for (const violation of await shops.prove()) trial.wrong(violation)
    },
  },
]

/** What a sub-agent pays for the package. */
const SUB_COST = 500

async function openSubAgentShop(shops: Shops, above: AgentShop): Promise<AgentShop> {
  const agent = await shops.makeUser({ level: 'Customer' })
  const slug = `resilience-${++opened}`
  await shops.db.query(
    `with link as (
       insert into sub_agent_invitations (shop_id, code, created_at, used_at)
       values ($1, translate(substr(md5(random()::text), 1, 24), '01', 'xy'), now(), now()) returning id
     ) insert into sub_agents (shop_id, user_id, invitation_id, joined_at) select $1, $2, id, now() from link`,
    [above.id, agent.id],
  )
  await shops.db.query('insert into sub_agent_prices values ($1, $2, $3, $4, now())', [above.id, above.productId, above.offer, SUB_COST])
  const { rows } = await shops.db.query<{ id: string }>(
    `with made as (insert into agent_shops (owner_id, slug, name, colour, created_at) values ($1, $2, 'A shop', 'red', now()) returning id)
     select id, create_shop_wallet(id) from made`,
    [agent.id, slug],
  )
  const id = rows[0]?.id as string
  await shops.db.query('insert into shop_prices (shop_id, product_id, offer, price_pesewas, changed_at) values ($1, $2, $3, $4, now())', [
    id,
    above.productId,
    above.offer,
    PRICE,
  ])
  return { id, slug, agent, productId: above.productId, offer: above.offer }
}

/** Where the agent stops the sub-agent whose shop it is. */
async function endOf(shops: Shops, { agent }: AgentShop): Promise<string> {
  const { rows } = await shops.db.query<{ id: string }>('select id from sub_agents where user_id = $1', [agent.id])
  return `/my-shop/sub-agents/${rows[0]?.id}/end`
}

/** Each order is completed or refunded by two calls at once; then completed ones are refunded while both withdraw what they can. */
async function endOrders(trial: Trial, shops: Shops, shop: AgentShop, above: AgentShop) {
  const { rows: orders } = await shops.db.query<{ id: string }>('select id from orders where product_id = $1 order by seq', [
    shop.productId,
  ])
  const decisions = orders.flatMap(({ id }, place) =>
    [0, 1].map((index) => ({
      method: 'PUT',
      path: `/order/update-status/${id}`,
      as: shops.admins[index] as Person,
      body: { status: place % 3 === index ? 'rejected' : 'completed' },
    })),
  )
  await shops.race(decisions, trial.random)
  const { rows: reports } = await shops.db.query<{ id: string }>(
    `insert into reports (order_id, status, opened_at) select id, 'open', now() from orders
     where product_id = $1 and status = 'completed' order by seq limit 2 returning id`,
    [shop.productId],
  )
  const refunds = reports.map(({ id }, index) => ({
    method: 'PUT',
    path: `/admin/reports/${id}/end`,
    as: shops.admins[index % 2] as Person,
    body: { outcome: 'refunded', text: 'It never came' },
  }))
  const withdrawals = [shop, above].map(({ agent }) => ({
    method: 'POST',
    path: '/earnings/withdrawals',
    as: agent,
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { amount: 1, fee: 0, phoneNumber: '0245550100', network: 'MTN', name: 'Ama Mensah' },
  }))
  const replies = await shops.race([...refunds, ...withdrawals], trial.random)
  trial.same(
    'refunded',
    replies.slice(0, refunds.length).map(({ status }) => status),
    refunds.map(() => 200),
  )
}

/** In pesewas: what a shop has, less what it owes, with what was withdrawn; and its part of what was delivered and not refunded. */
async function readKept(shops: Shops, of: AgentShop, sold: AgentShop, part: number) {
  const { rows } = await shops.db.query<{ kept: number; due: number }>(
    `select (w.balance_pesewas - w.debt_pesewas + (select coalesce(sum(amount_pesewas), 0) from withdrawals where shop_id = $1))::integer as kept,
       ((select count(*) from orders where product_id = $2 and status = 'completed') * $3)::integer as due
     from wallets w where w.shop_id = $1`,
    [of.id, sold.productId, part],
  )
  return rows[0] as { kept: number; due: number }
}

const COMMIT = /^\s*commit/i

const KILLED: Boundary[] = (['before', 'after'] as const).flatMap((at): Boundary[] => [
  {
    name: 'a guest’s payment, COMMIT of its fulfilment',
    at,
    statement: COMMIT,
    after: /place_shop_orders/,
    act: payOnce,
    expected: { status: 'pending', orders: 1, earnings: 0, owed: 0 },
  },
  {
    name: 'a delivery in a shop, COMMIT',
    at,
    statement: COMMIT,
    after: /update orders/,
    act: (world, again) => decideOnce(world, again, 'completed'),
    expected: { status: 'completed', orders: 1, earnings: PRICE - COST, owed: 0 },
  },
  {
    name: 'a refund in a shop, COMMIT',
    at,
    statement: COMMIT,
    after: /take_back_profit/,
    act: (world, again) => decideOnce(world, again, 'rejected'),
    expected: { status: 'rejected', orders: 1, earnings: 0, owed: RECEIVED },
  },
])

async function payOnce(world: World, again: () => Promise<void>) {
  const shop = await openAgentShop(world.shops)
  const references = await payUnnoticed(world.shops, shop, 1)
  await confirmAll(world.shops, references, again)
  return readOutcome(world.shops, shop, references[0] as string)
}

async function decideOnce(world: World, again: () => Promise<void>, status: string) {
  const { shops } = world
  const shop = await openAgentShop(shops)
  const [reference] = (await payUnnoticed(shops, shop, 1)) as [string]
  await confirmAll(shops, [reference], again)
  const order = await orderOf(shops, reference)
  await until(async () => {
    const reply = await shops.call('PUT', `/order/update-status/${order}`, { as: shops.admins[0], body: { status } })
    if (reply.status === 200 || reply.status === 409) return true
    await again()
    return false
  }, 60_000)
  return readOutcome(shops, shop, reference)
}

let opened = 0

async function openAgentShop(shops: Shops): Promise<AgentShop> {
  const agent = await shops.makeUser({ level: 'Agent' })
  const slug = `resilience-${++opened}`
  const { rows: products } = await shops.db.query<{ id: string }>(
    `insert into products (network, image_hash, status, created_at) select network, image_hash, 'available', now() from products limit 1 returning id`,
  )
  const productId = products[0]?.id as string
  const offer = '1GB'
  await shops.db.query(
    'insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) values ($1, 1, $2, 550, $3)',
    [productId, offer, COST],
  )
  const { rows } = await shops.db.query<{ id: string }>(
    `with made as (insert into agent_shops (owner_id, slug, name, colour, created_at) values ($1, $2, 'A shop', 'red', now()) returning id)
     select id, create_shop_wallet(id) from made`,
    [agent.id, slug],
  )
  const id = rows[0]?.id as string
  await shops.db.query('insert into shop_prices (shop_id, product_id, offer, price_pesewas, changed_at) values ($1, $2, $3, $4, now())', [
    id,
    productId,
    offer,
    PRICE,
  ])
  return { id, slug, agent, productId, offer }
}

/** A number of its own for each guest, since questions about payments are limited by the number. */
const guestPhone = () => `024${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`

/** Payments of guests that the provider has and the shop has not heard of. */
async function payUnnoticed(shops: Shops, { slug, productId, offer }: AgentShop, howMany = GUESTS): Promise<string[]> {
  return Promise.all(
    Array.from({ length: howMany }, async (_, index) => {
      const items = [{ productId, offer, phoneNumber: `055123456${index}`, amount: PRICE / 100 }]
      const started = await shops.call<{ reference: string; amount: number }>('POST', `/shops/${slug}/payment`, {
        body: { phone: guestPhone(), items },
      })
      const { reference } = started.body
      shops.card.addFault({ call: 'webhook', kind: 'lose', reference, times: 100 })
      await shops.card.pay(reference)
      return reference
    }),
  )
}

async function confirmAll(shops: Shops, references: string[], again: () => Promise<void> = async () => {}) {
  await Promise.all(
    references.map((reference) =>
      until(async () => {
        const { status, body } = await shops.call<{ payment: { status: string } }>('POST', `/shops/payment/${reference}/confirm`, {
          body: {},
        })
        if (status === 0 || status >= 500) await again()
        return status === 200 && ['paid', 'held'].includes(body.payment.status)
      }, 60_000),
    ),
  )
}

/** Changes the agent's cost as the catalogue does, and returns how many orders the shop had sold until then. */
async function setCost(shops: Shops, shop: AgentShop, cost: number): Promise<number> {
  const client = await shops.db.connect()
  try {
    await client.query('begin')
    await client.query('select from products where id = $1 for update', [shop.productId])
    const { rows } = await client.query<{ orders: number }>('select count(*)::integer as orders from orders where product_id = $1', [
      shop.productId,
    ])
    await client.query('update packages set price_agent_pesewas = $2 where product_id = $1', [shop.productId, cost])
    await client.query('commit')
    return rows[0]?.orders ?? 0
  } finally {
    client.release()
  }
}

async function countOrders(shops: Shops, shop: AgentShop): Promise<number> {
  const { rows } = await shops.db.query<{ orders: number }>('select count(*)::integer as orders from orders where product_id = $1', [
    shop.productId,
  ])
  return rows[0]?.orders ?? 0
}

async function orderOf(shops: Shops, reference: string): Promise<string> {
  const { rows } = await shops.db.query<{ id: string }>('select id from orders where payment_reference = $1', [reference])
  return rows[0]?.id as string
}

async function readOutcome(shops: Shops, shop: AgentShop, reference: string) {
  const { rows } = await shops.db.query<{ status: string | null; orders: number; earnings: number; owed: number }>(
    `select min(o.status) as status, count(o.id)::integer as orders,
       (select balance_pesewas from wallets where shop_id = $2)::integer as earnings,
       (select coalesce(sum(amount_pesewas), 0) from refunds where payment_reference = $1)::integer as owed
     from orders o where o.payment_reference = $1`,
    [reference, shop.id],
  )
  return rows[0] as { status: string | null; orders: number; earnings: number; owed: number }
}

/** Each payment is one order, or owed in full; the account for guests is empty. */
async function compareMoney(trial: Trial, shops: Shops, shop: AgentShop, references: string[]) {
  for (const reference of references) {
    const { orders, owed } = await readOutcome(shops, shop, reference)
    trial.same('a payment is one order, or owed to its guest', orders * RECEIVED + owed, RECEIVED)
  }
  const { rows } = await shops.db.query<{ pesewas: number }>(
    'select coalesce(sum(amount_pesewas), 0)::integer as pesewas from postings where account_id = 9',
  )
  trial.same('left with the shop of what guests paid', rows[0]?.pesewas, pesewas(0))
}

async function waitABit(trial: Trial) {
  const ms = trial.random() * 60
  await new Promise((resolve) => setTimeout(resolve, ms))
}

import type { HttpReply } from '../test/http-client.ts'
import { isWaitedFor } from '../test/locks.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { type Held, type Person, pesewas, type Shops } from './shops.ts'

/** What the agent keeps of each order, in pesewas: enough to withdraw. */
const PROFIT = 200

/** What agents withdraw against what takes it back. */
export const withdrawals: Experiment[] = [
  {
    id: 'A18',
    expects:
      'an agent withdraws the profit of an order while the order is refunded: paid out or taken back, the rest is the agent’s debt, to the pesewa',
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await shops.db.query('update withdrawal_rules set minimum_pesewas = 100, fee_pesewas = 0, hold_nights = 0')
      const outcomes = { withdrawn: 0, takenBack: 0 }
      await trial.repeat(async () => {
        if (await raceRefund(trial, shops)) outcomes.withdrawn += 1
        else outcomes.takenBack += 1
      })
      trial.note(`${outcomes.withdrawn} withdrawn first, ${outcomes.takenBack} taken back first`)
      trial.same('what the books say', await shops.prove(), [])
    },
  },
]

/** True when the withdrawal came first. */
async function raceRefund(trial: Trial, shops: Shops): Promise<boolean> {
  const agent = await shops.makeUser({ level: 'Agent' })
  const { shopId, reportId } = await sellAndDeliver(shops, agent)
  const body = { amount: PROFIT / 100, fee: 0, phoneNumber: '0245550100', network: 'MTN', name: 'Ama Mensah' }
  const withdraw = { method: 'POST', path: '/earnings/withdrawals', as: agent, body, headers: { 'idempotency-key': crypto.randomUUID() } }
  const refund = {
    method: 'PUT',
    path: `/admin/reports/${reportId}/end`,
    as: shops.admins[0],
    body: { outcome: 'refunded', text: 'It never came' },
  }
  const [asked, refunded] =
    trial.random() < 0.5 ? await shops.race([withdraw, refund], trial.random) : await refundFirst(shops, shopId, withdraw, refund)
  trial.same('the refund', refunded?.status, 200)
  const isWithdrawn = asked?.status === 200
  if (!isWithdrawn) trial.same('the withdrawal that came too late', asked?.body.code, 'INSUFFICIENT_BALANCE')
  const { rows } = await shops.db.query<{ earnings: number; debt: number; withdrawn: number }>(
    `select balance_pesewas as earnings, debt_pesewas as debt,
       (select coalesce(sum(amount_pesewas), 0)::bigint from withdrawals where shop_id = $1) as withdrawn from wallets where shop_id = $1`,
    [shopId],
  )
  const owed = isWithdrawn ? PROFIT : 0
  trial.same('earnings, debt and what was withdrawn', rows[0], { earnings: 0, debt: owed, withdrawn: owed })
  return isWithdrawn
}

/** The refund is already waiting for the agent's earnings as the withdrawal is asked for. */
async function refundFirst(shops: Shops, shopId: string, withdraw: Held, refund: Held): Promise<HttpReply[]> {
  const holder = await shops.db.connect()
  try {
    await holder.query('begin')
    await holder.query('select from wallets where shop_id = $1 for update', [shopId])
    const refunded = shops.call('PUT', refund.path, refund)
    await until(() => isWaitedFor(holder))
    const asked = shops.call('POST', withdraw.path, withdraw)
    await holder.query('commit')
    return await Promise.all([asked, refunded])
  } finally {
    holder.release()
  }
}

/** An agent's shop that sold an order to a guest, which was delivered and then reported. */
async function sellAndDeliver(shops: Shops, agent: Person): Promise<{ shopId: string; reportId: string }> {
  const line = shops.line({ offer: '10GB', level: 'Agent' })
  const price = (pesewas(line.amount) + PROFIT) / 100
  const slug = `s${agent.id.replaceAll('-', '').slice(0, 20)}`
  await shops.db.query('update agent_shop_rules set new_shops = true')
  await called(shops, 'POST', '/my-shop', agent, {
    slug,
    name: `Akosua Data ${slug}`,
    about: null,
    colour: 'plum',
    phone: null,
    whatsapp: null,
  })
  await called(shops, 'PUT', '/my-shop/prices', agent, { prices: [{ productId: line.productId, offer: line.offer, price }] })
  const items = [{ productId: line.productId, offer: line.offer, phoneNumber: '0551234567', amount: price }]
  const { reference } = await called<{ reference: string }>(shops, 'POST', `/shops/${slug}/payment`, undefined, {
    phone: '0244123456',
    items,
  })
  await shops.card.pay(reference)
  // The provider's event settles it.
  const { id, shopId } = await until(async () => {
    const sql = 'select id, shop_id as "shopId" from orders where payment_reference = $1'
    return (await shops.db.query<{ id: string; shopId: string }>(sql, [reference])).rows[0]
  })
  await called(shops, 'PUT', `/order/update-status/${id}`, shops.admins[0], { status: 'completed' })
  const reports = await shops.db.query<{ id: string }>(
    `insert into reports (order_id, status, opened_at) values ($1, 'open', now()) returning id`,
    [id],
  )
  return { shopId, reportId: (reports.rows[0] as { id: string }).id }
}

async function called<T>(shops: Shops, method: string, path: string, as: Person | undefined, body: unknown): Promise<T> {
  const { status, body: reply, text } = await shops.call(method, path, { ...(as && { as }), body })
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
  return reply as T
}

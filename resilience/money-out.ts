import { checkWithdrawals } from '../server/features/agents/withdrawals/check-withdrawals.ts'
import { sendWithdrawals } from '../server/features/agents/withdrawals/send-withdrawals.ts'
import { checkRefunds } from '../server/features/card/payments/check-refunds.ts'
import { sendRefunds } from '../server/features/card/payments/send-refunds.ts'
import { settlePayment } from '../server/features/card/payments/settle-payment.ts'
import { requestRefundToSource } from '../server/features/card/refunds/request-refund-to-source.ts'
import type { CardGateway } from '../server/integrations/payments/card-gateway.ts'
import type { ListedRefund } from '../server/integrations/payments/payouts.ts'
import { createPaystack } from '../server/integrations/payments/paystack.ts'
import { createPaystackPayouts } from '../server/integrations/payments/paystack-payouts.ts'
import { createPaystackRefunds } from '../server/integrations/payments/paystack-refunds.ts'
import type { Ctx } from '../server/platform/context.ts'
import { InsufficientBalance } from '../server/platform/errors.ts'
import { hashToken } from '../server/platform/hash-token.ts'
import { makeRefund, openShopOf } from '../test/agent-shop.ts'
import { makeCtx } from '../test/settling.ts'
import type { Experiment, Trial } from './experiment.ts'
import { type InProcessShop, openInProcessShop } from './in-process.ts'
import { type Line, makeUser, type Person, type Shops } from './shops.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Steps of two processes while everything may go wrong, and at most as many until it has ended. */
const TROUBLED = 12
const MOST_STEPS = 120
const GUEST = '0245550142'
const CLAIMERS = 16
const WITHDRAWN = 5_000

/** Money that leaves through the provider: guests' refunds and agents' withdrawals, while processes stop and answers are lost. */
export const moneyOut: Experiment[] = [
  {
    id: 'S5',
    expects:
      'a guest is owed one of two orders; two processes send and ask, each may stop before or after its call, and the provider fails, refuses, or answers nothing: the money goes back once, by the card or by a code',
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shop = await openInProcessShop(trial.opening.spoil)
      const ends: Record<string, number> = {}
      try {
        const sell = await openGuestShop(shop)
        await trial.repeat(async (run) => {
          const end = await refundOne(trial, shop, sell, run)
          ends[end] = (ends[end] ?? 0) + 1
        })
        trial.note(describe(ends))
        for (const violation of await shop.prove()) trial.wrong(violation)
      } finally {
        await shop.close()
      }
    },
  },
  {
    id: 'S6',
    expects: `${CLAIMERS} calls of two customers over two processes claim a guest’s refund by its codes at one instant: one of them has it, once`,
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const customers = await Promise.all([shops.makeUser(), shops.makeUser()])
      await trial.repeat(async () => {
        const before = await Promise.all(customers.map(({ id }) => shops.books(id)))
        const codes = await makeCodes(shops)
        const replies = await shops.race(
          Array.from({ length: CLAIMERS }, (_, at) => ({
            method: 'POST',
            path: '/refund-codes',
            as: customers[at % 2] as Person,
            body: { code: codes[Math.floor(at / 2) % codes.length] },
          })),
          trial.random,
        )
        trial.same('calls that got it', replies.filter(({ status }) => status === 200).length, 1)
        trial.same(
          'other replies than that it is gone',
          replies.filter(({ status }) => status !== 200 && status !== 404 && status !== 409).map(({ text }) => text),
          [],
        )
        const after = await Promise.all(customers.map(({ id }) => shops.books(id)))
        const sum = (books: typeof before) => books.reduce((total, { pesewas }) => total + pesewas, 0)
        trial.same('what the two wallets got', sum(after) - sum(before), 500)
      })
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'A23',
    expects:
      'an agent withdraws; two processes send and ask, each may stop before or after its call, and the provider fails, refuses, pays late, or answers nothing: paid at most once, and else the money is in the earnings again',
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shop = await openInProcessShop(trial.opening.spoil)
      const ends: Record<string, number> = {}
      try {
        await shop.db.query('update withdrawal_rules set enabled = true, minimum_pesewas = 100, fee_pesewas = 0, hold_nights = 0')
        await trial.repeat(async () => {
          const end = await withdrawOnce(trial, shop)
          ends[end] = (ends[end] ?? 0) + 1
        })
        trial.note(describe(ends))
        const violations = await shop.prove()
        // What the agents earned was put there without an order.
        for (const violation of violations.filter((one) => !one.startsWith('a wallet'))) trial.wrong(violation)
      } finally {
        await shop.close()
      }
    },
  },
  {
    id: 'A24',
    expects:
      'a customer wants the refunds of two orders back on the card, each in two tabs, and buys with the same wallet money at that instant; two processes send and ask, each may stop before or after its call, and the provider fails, refuses, pays late, or answers nothing: each goes back once or is in the wallet, never both',
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shop = await openInProcessShop(trial.opening.spoil)
      const ends: Record<string, number> = {}
      try {
        const line = await findLine(shop)
        await trial.repeat(async (run) => {
          for (const end of await sendBackTwo(trial, shop, line, run)) ends[end] = (ends[end] ?? 0) + 1
        })
        trial.note(describe(ends))
        for (const violation of await shop.prove()) trial.wrong(violation)
      } finally {
        await shop.close()
      }
    },
  },
]

const describe = (ends: Record<string, number>) =>
  Object.entries(ends)
    .toSorted()
    .map(([end, count]) => `${count} ${end}`)
    .join(', ')

type Sell = { slug: string; line: { productId: string; offer: string; price: number } }

/** What the helpers of tests take for a shop. */
const storeOf = ({ db }: Pick<InProcessShop, 'db'>, now = new Date()) =>
  ({ database: { db }, clock: { now } }) as unknown as Parameters<typeof makeCtx>[0]

async function openGuestShop(shop: InProcessShop): Promise<Sell> {
  const agent = await makeUser(shop.db, 'none', { level: 'Agent' })
  const shopId = await openShopOf(storeOf(shop), agent.id)
  const { rows } = await shop.db.query<{ slug: string }>('select slug from agent_shops where id = $1', [shopId])
  const { slug } = rows[0] as { slug: string }
  const { body } = await shop.call<{ shop: { offers: Sell['line'][] } }>('GET', `/shops/${slug}`)
  const line = body.shop.offers[0]
  if (!line) throw new Error('nothing on sale')
  return { slug, line }
}

/** A process of the shop: its clock is the experiment's, and it may stop just before a call to the provider or just after. */
function processOf(trial: Trial, shop: InProcessShop, now: Date, troubled: boolean): { ctx: Ctx; gateway: CardGateway } {
  const mayStop =
    <Given extends unknown[], Reply>(call: (...given: Given) => Promise<Reply>) =>
    async (...given: Given): Promise<Reply> => {
      const at = troubled ? trial.random() : 1
      if (at < 0.15) throw new Error('the process stopped before the call')
      const reply = await call(...given)
      if (at < 0.3) throw new Error('the process stopped after the call')
      return reply
    }
  const refunds = createPaystackRefunds(shop.card)
  const payouts = createPaystackPayouts(shop.card)
  const gateway = {
    isTest: true,
    card: createPaystack({ ...shop.card, callbackUrl: 'http://shop.test/callback' }),
    refunds: { ...refunds, available: true, request: mayStop(refunds.request), list: mayStop(refunds.list) },
    payouts: {
      ...payouts,
      nameRecipient: mayStop(payouts.nameRecipient),
      send: mayStop(payouts.send),
      queryStatus: mayStop(payouts.queryStatus),
    },
  } as CardGateway
  return { ctx: makeCtx(storeOf(shop, now)).ctx, gateway }
}

/** Two processes at once, each sending or asking, until `isOver`; the first steps in trouble. */
async function runProcesses(
  trial: Trial,
  shop: InProcessShop,
  acts: readonly ((ctx: Ctx, gateway: CardGateway) => Promise<void>)[],
  { trouble, help, isOver }: { trouble: () => void; help: () => Promise<void>; isOver: () => Promise<boolean> },
): Promise<void> {
  let now = Date.now()
  for (let step = 0; step < MOST_STEPS; step++) {
    const troubled = step < TROUBLED
    shop.card.clearFaults()
    if (troubled) trouble()
    now += troubled ? Math.round(trial.random() * 2 * MINUTE_MS) : 11 * MINUTE_MS
    await Promise.all(
      [0, 1].map(async () => {
        const { ctx, gateway } = processOf(trial, shop, new Date(now), troubled)
        const act = acts[Math.floor(trial.random() * acts.length)]
        await act?.(ctx, gateway).catch(() => {})
      }),
    )
    await help()
    if (!troubled && (await isOver())) return
  }
  trial.wrong(`it had not ended after ${MOST_STEPS} steps`)
}

/** Buys two lines as a guest, of which one is refunded. Returns how that ended. */
async function refundOne(trial: Trial, shop: InProcessShop, { slug, line }: Sell, run: number): Promise<string> {
  const items = [0, 1].map((at) => ({
    productId: line.productId,
    offer: line.offer,
    phoneNumber: `055${String(1_000_000 + run * 2 + at)}`,
    amount: line.price,
  }))
  const started = await shop.call<{ reference: string }>('POST', `/shops/${slug}/payment`, { body: { phone: GUEST, items } })
  const { reference } = started.body
  trial.same('the payment', started.status, 200)
  await shop.card.pay(reference)
  // The endpoint asks the provider seldom, by a clock that hardly moves here.
  const { ctx, gateway } = processOf(trial, shop, new Date(), false)
  trial.same('what became of the payment', (await settlePayment(ctx, gateway, reference)).status, 'paid')
  const orders = await shop.db.query<{ id: string }>('select id from orders where payment_reference = $1 order by seq', [reference])
  const rejected = await shop.call('PUT', `/order/update-status/${orders.rows[0]?.id}`, {
    as: shop.admin,
    body: { status: 'rejected', reason: 'Wrong number' },
  })
  trial.same('the rejection', rejected.status, 200)

  const read = async () => {
    const { rows } = await shop.db.query<{ id: string; status: string; pesewas: number }>(
      'select id, status, amount_pesewas as pesewas from refunds where payment_reference = $1',
      [reference],
    )
    return rows
  }
  const refunds = createPaystackRefunds(shop.card)
  const listed = async (): Promise<ListedRefund[]> => (await refunds.list(reference)) ?? []
  const fails = trial.random() < 0.15
  await runProcesses(trial, shop, [sendRefunds, checkRefunds], {
    trouble: () => troubleRefunds(trial, shop),
    async help() {
      for (const one of await listed())
        if (one.status === 'pending' && trial.random() < 0.4)
          await shop.card.refund(reference, { step: fails ? 'failed' : 'processed', id: Number(one.id), amountPesewas: one.amountPesewas })
      // The provider has said twice that it does not have it: somebody of the shop decides.
      for (const { id, status } of await read())
        if (status === 'review') await shop.call('PUT', `/refunds/${id}/send-again`, { as: shop.admin, body: {} })
    },
    isOver: async () => (await read()).every(({ status }) => status === 'paid' || status === 'code'),
  })
  const [owed, ...more] = await read()
  trial.same('further refunds', more, [])
  const back = (await listed()).filter(({ status }) => status === 'processed').map(({ amountPesewas }) => amountPesewas)
  const pending = (await listed()).filter(({ status }) => status === 'pending')
  trial.same('what went back by the card', back, owed?.status === 'paid' ? [owed.pesewas] : [])
  trial.same('what is still under way there', pending, [])
  return owed?.status === 'paid' ? 'back by the card' : (owed?.status ?? 'lost')
}

/** What may go wrong at the provider around a refund. */
function troubleRefunds(trial: Trial, shop: InProcessShop) {
  const kind = trial.random()
  if (kind < 0.25) shop.card.addFault({ call: 'refund', kind: 'error', acts: trial.random() < 0.5, times: 2 })
  else if (kind < 0.5) shop.card.addFault({ call: 'list-refunds', kind: 'error', times: 2 })
  else if (kind < 0.6) shop.card.addFault({ call: 'refund', kind: 'drop', times: 2 })
}

/** What customers can buy, without a receiver. */
async function findLine(shop: InProcessShop): Promise<Omit<Line, 'phoneNumber'>> {
  const { rows } = await shop.db.query<Omit<Line, 'phoneNumber'>>(
    `select k.product_id as "productId", k.offer, k.price_customer_pesewas as amount from packages k join products p on p.id = k.product_id
     where p.network = 'MTN' order by k.price_customer_pesewas limit 1`,
  )
  const line = rows[0]
  if (!line) throw new Error('nothing on sale')
  return { ...line, amount: line.amount / 100 }
}

/**
 * A customer pays two orders by card, which are refunded, and then spends the same money in several ways at once. Returns how each
 * of the two refunds ended.
 */
async function sendBackTwo(trial: Trial, shop: InProcessShop, line: Omit<Line, 'phoneNumber'>, run: number): Promise<string[]> {
  // With other money in the wallet there is enough for every tab, and only the lock tells them apart.
  const otherPesewas = trial.random() < 0.5 ? 0 : 2_000
  const customer = await makeUser(shop.db, 'none', { pesewas: otherPesewas })
  const item = (at: number) => ({ ...line, phoneNumber: `055${String(1_000_000 + run * 10 + at)}` })
  const body = { purpose: 'order', items: [item(0), item(1)] }
  const started = await shop.call<{ reference: string; amount: number }>('POST', '/payment', { as: customer, body })
  trial.same('the payment', started.status, 200)
  const { reference, amount: received } = started.body
  await shop.card.pay(reference)
  const calm = processOf(trial, shop, new Date(), false)
  trial.same('what became of the payment', (await settlePayment(calm.ctx, calm.gateway, reference)).status, 'paid')
  const { rows: orders } = await shop.db.query<{ id: string; pesewas: number }>(
    'select id, price_pesewas + surcharge_pesewas as pesewas from orders where payment_reference = $1 order by seq',
    [reference],
  )
  for (const { id } of orders) {
    const rejected = await shop.call('PUT', `/order/update-status/${id}`, { as: shop.admin, body: { status: 'rejected' } })
    trial.same('the rejection', rejected.status, 200)
  }

  // Not over the API, which would have the shop's own loop send it before anything goes wrong.
  const { ctx } = makeCtx(storeOf(shop), { id: customer.id, level: 'Customer', sessionHash: hashToken(customer.token) })
  const want = (id: string) =>
    requestRefundToSource(ctx, { available: true }, id).catch((error: unknown) => {
      if (!(error instanceof InsufficientBalance)) trial.wrong(`asking for a refund: ${error}`)
    })
  const wants = orders.flatMap(({ id }) => [0, 1].map(() => () => want(id)))
  const purchases = Array.from({ length: Math.floor(trial.random() * 3) }, (_, at) => () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    return shop.call('POST', '/order/checkout', { as: customer, body: { items: [item(2 + at)] }, headers })
  })
  const acts: (() => Promise<unknown>)[] = [...wants, ...purchases]
  await Promise.all(acts.toSorted(() => trial.random() - 0.5).map((act) => act()))
  const { rows: bought } = await shop.db.query<{ pesewas: number }>(
    `select coalesce(sum(price_pesewas), 0)::integer as pesewas from orders where user_id = $1 and status = 'pending'`,
    [customer.id],
  )

  const read = async () => {
    const { rows } = await shop.db.query<{ id: string; orderId: string; status: string; pesewas: number }>(
      'select id, order_id as "orderId", status, amount_pesewas as pesewas from refunds where payment_reference = $1 order by seq',
      [reference],
    )
    return rows
  }
  const refunds = createPaystackRefunds(shop.card)
  const listed = async (): Promise<ListedRefund[]> => (await refunds.list(reference)) ?? []
  const fails = trial.random() < 0.3
  await runProcesses(trial, shop, [sendRefunds, checkRefunds], {
    trouble: () => troubleRefunds(trial, shop),
    async help() {
      for (const one of await listed())
        if (one.status === 'pending' && trial.random() < 0.4)
          await shop.card.refund(reference, { step: fails ? 'failed' : 'processed', id: Number(one.id), amountPesewas: one.amountPesewas })
      // The provider has said twice that it does not have it: somebody of the shop decides.
      for (const { id, status } of await read())
        if (status === 'review')
          await shop.call('PUT', `/refunds/${id}/${trial.random() < 0.5 ? 'send-again' : 'code'}`, { as: shop.admin, body: {} })
    },
    isOver: async () => (await read()).every(({ status }) => status === 'paid' || status === 'wallet'),
  })

  const ended = await read()
  trial.same('refunds of one order', new Set(ended.map(({ orderId }) => orderId)).size, ended.length)
  const back = (await listed()).filter(({ status }) => status === 'processed').map(({ amountPesewas }) => amountPesewas)
  const paid = ended.filter(({ status }) => status === 'paid').map(({ pesewas }) => pesewas)
  trial.same('what went back by the card', back.toSorted(), paid.toSorted())
  trial.same(
    'what is still under way there',
    (await listed()).filter(({ status }) => status === 'pending'),
    [],
  )
  const { rows: wallets } = await shop.db.query<{ pesewas: number }>('select balance_pesewas as pesewas from wallets where user_id = $1', [
    customer.id,
  ])
  const sum = (all: readonly number[]) => all.reduce((total, pesewas) => total + pesewas, 0)
  const inWallet = wallets[0]?.pesewas ?? 0
  trial.same('on the card, spent and in the wallet', sum(back) + (bought[0]?.pesewas ?? 0) + inWallet, Math.round(received) + otherPesewas)
  return orders.map(({ id }) => {
    const end = ended.find(({ orderId }) => orderId === id)
    return end === undefined ? 'spent first' : end.status === 'paid' ? 'back by the card' : 'in the wallet again'
  })
}

/** A refund that waits as a code, with two codes of it, as both staff and the guest may have asked for one. */
async function makeCodes({ db, call }: Shops): Promise<string[]> {
  const { reference } = await makeRefund(storeOf({ db }), 'code')
  const codes: string[] = []
  for (let times = 0; times < 2; times++) {
    const { body } = await call<{ codes: { code: string }[] }>('POST', `/shops/payment/${reference}/refund-codes`, { body: {} })
    codes.push(...body.codes.map(({ code }) => code))
  }
  return codes
}

/** A withdrawal of an agent who has earned just that. Returns how it ended. */
async function withdrawOnce(trial: Trial, shop: InProcessShop): Promise<string> {
  const agent = await makeUser(shop.db, 'none', { level: 'Agent' })
  const shopId = await openShopOf(storeOf(shop), agent.id, WITHDRAWN / 100)
  const body = { amount: WITHDRAWN / 100, fee: 0, phoneNumber: '0245550100', network: 'MTN', name: 'Ama Mensah' }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const asked = await shop.call('POST', '/earnings/withdrawals', { as: agent, body, headers })
  trial.same('the withdrawal', asked.status, 200)
  const { rows } = await shop.db.query<{ id: string; reference: string }>(
    `update withdrawals set status = 'ready', reason = null, ask_at = now() where shop_id = $1 returning id, reference`,
    [shopId],
  )
  const { id, reference } = rows[0] as { id: string; reference: string }
  const read = async () => (await shop.db.query<{ status: string }>('select status from withdrawals where id = $1', [id])).rows[0]?.status
  const transfers = () => shop.card.transfers().filter((one) => one.reference === reference)
  const trouble = () => {
    const kind = trial.random()
    if (kind < 0.25) shop.card.addFault({ call: 'transfer', kind: 'error', acts: trial.random() < 0.5, times: 2 })
    else if (kind < 0.5) shop.card.addFault({ call: 'verify-transfer', kind: 'error', times: 2 })
    else if (kind < 0.6) shop.card.addFault({ call: 'recipient', kind: 'error', times: 2 })
  }
  const fails = trial.random() < 0.2
  await shop.card.changeTransfers({ balancePesewas: 100_000_00, otp: false, paysAfterMs: null })
  await runProcesses(trial, shop, [sendWithdrawals, checkWithdrawals], {
    trouble,
    async help() {
      for (const one of transfers())
        if (one.status === 'pending' && trial.random() < 0.4) await shop.card.setTransfer(reference, fails ? 'failed' : 'success')
      if ((await read()) === 'approval') await shop.call('PUT', `/withdrawals/${id}/approve`, { as: shop.admin, body: {} })
    },
    isOver: async () => ['paid', 'failed', 'reversed'].includes((await read()) ?? ''),
  })
  const end = await read()
  const paid = transfers().filter(({ status }) => status === 'success')
  trial.same('transfers that were paid', paid.length, end === 'paid' ? 1 : 0)
  const { rows: left } = await shop.db.query<{ earnings: number }>('select balance_pesewas as earnings from wallets where shop_id = $1', [
    shopId,
  ])
  trial.same('what is left in the earnings', left[0]?.earnings, end === 'paid' ? 0 : WITHDRAWN)
  return end === 'paid' ? 'paid' : `${end}, the money is back`
}

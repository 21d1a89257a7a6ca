import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { gatewayThat, type Logged, makeCtx, paid } from '../../../../test/settling.ts'
import type { Verification } from '../../../integrations/payments/card-payments.ts'
import { createLog } from '../../../platform/log.ts'
import { type Metrics, openMetrics } from '../../../platform/metrics.ts'
import { makeReference } from '../../../platform/reference.ts'
import { insertPayment } from './payments.sql.ts'
import { settlePayment } from './settle-payment.ts'

let shop: TestShop
let metrics: Metrics
let payer: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  payer = await makeUser(shop, { balance: 20 })
  const { db } = shop.database
  metrics = await openMetrics({
    host: '127.0.0.1',
    port: 0,
    log: createLog('silent'),
    db,
    sockets: () => 0,
    requestsWaiting: () => 0,
    read: async () => [],
  })
})
afterAll(async () => {
  await metrics.close()
  await shop.close()
})

/** Counters only grow, and belong to the whole process: what counts is by how much. */
async function counted<T>(work: () => Promise<T>): Promise<Record<string, number>> {
  const before = await readCounters()
  await work()
  const after = await readCounters()
  return Object.fromEntries(
    [...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const).filter(([, by]) => by !== 0),
  )
}

async function readCounters(): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => /^dwadi_(orders|card_payments)_total\{/.test(line))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}

/** A card payment of 5.67 for a bundle of 5.50, settled as the provider says; replies what was logged as a warning. */
async function settle(says: Verification): Promise<Logged[]> {
  const { productId, offer, phoneNumber } = await cartLine(shop)
  const lines = [{ product: productId, network: null, offer, receiver: phoneNumber, expectedPricePesewas: 550, clientId: null }]
  const [reference, now] = [makeReference(), shop.clock.now]
  const price = { pricePesewas: 550, surchargePesewas: 17 }
  await insertPayment(shop.database.db, { reference, userId: payer._id, purpose: 'order', lines, ...price, now, checkAt: now })
  const { ctx, logged } = makeCtx(shop)
  await settlePayment(ctx, gatewayThat(says), reference)
  return logged
}

const CARD_ORDER = 'dwadi_orders_total{network="MTN",paid_with="card"}'
const WALLET_ORDER = 'dwadi_orders_total{network="MTN",paid_with="wallet"}'
const SETTLED = 'dwadi_card_payments_total{outcome="settled"}'
const HELD = 'dwadi_card_payments_total{outcome="held"}'

test('a payment that became its orders is counted with them, without a warning', async () => {
  expect(await counted(async () => expect(await settle(paid(567))).toEqual([]))).toEqual({ [SETTLED]: 1, [CARD_ORDER]: 1 })
})

test('a payment that is held is counted as such, and the log says why', async () => {
  const held = await counted(async () => {
    const reason = 'GHS 5.66 was paid of GHS 5.67'
    expect(await settle(paid(566))).toMatchObject([{ level: 'warn', msg: 'a card payment is held', reason }])
  })
  expect(held).toEqual({ [HELD]: 1 })
})

test('an order from the wallet is counted once, however often its reply is given', async () => {
  const items = [await cartLine(shop)]
  const key = crypto.randomUUID()
  const twice = async () => {
    await checkout(shop, payer, items, key)
    await checkout(shop, payer, items, key)
  }
  expect(await counted(twice)).toEqual({ [WALLET_ORDER]: 1 })
})

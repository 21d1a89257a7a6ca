import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { insertReport, insertReportMessage } from '../server/features/orders/orders/reports.sql.ts'
import type { Tx } from '../server/platform/db.ts'
import { routes } from '../shared/api.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import type { Order } from '../shared/orders.ts'
import type { Recharge } from '../shared/recharges.ts'
import type { SignedInUser } from '../shared/users.ts'
import { makeRefund, makeWithdrawal } from './agent-shop.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, cartLine, makeUser } from './builders.ts'

const CARD = 'CARDREFERENCE12345'
const TOP_UP = 'TOPUPREFERENCE1234'
const DISPUTE = { id: 'dsp-8842771', status: 'awaiting-merchant-feedback', email: 'payer@elsewhere.example' }
const UNMATCHED = { reference: 'STRANGERS.77', email: 'stranger@elsewhere.example' }
const RECEIVED = { transactionId: '83724298138', name: 'Kwabena Sarpong', phone: '0249998887', reference: 'for school' }
const CLIENT = { id: '53300417', reference: '1764252000123' }
const HAND = '99120077431'
const NOTE = 'the till was short'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
let agent: SignedInUser
let order: Order
let recharge: Recharge
let productId: string
/** Everything that somebody might try, by name. */
let words: Record<string, string>

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin', username: 'kwesi boss', phone: '0500000001', email: 'boss@example.com' })
  buyer = await makeUser(shop, { username: 'ama serwaa', phone: '0273332221', email: 'nyarko@example.org', balance: 246.01 })
  const line = await cartLine(shop, { network: 'Telecel', offer: '5GB', phoneNumber: '0209994441' })
  productId = line.productId
  const newOrder = { id: CLIENT.id, totalAmount: line.amount, offer: '5GB', receiver: line.phoneNumber, network: 'Telecel', reference: '' }
  order = (await call<{ order: Order }>(shop, 'POST', '/order/create', { as: buyer, body: { newOrder } })).body.order
  recharge = (await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: buyer, body: { amount: 154.35 } })).body.recharge
  await insertTheRest(line.productId)
  const refund = await makeRefund(shop, 'review')
  words = {
    'the buyer': buyer.username,
    'the buyer’s phone': buyer.phone,
    'the buyer’s e-mail': buyer.email,
    'the buyer’s id': buyer._id,
    'the admin': admin.username,
    'the admin’s phone': admin.phone,
    'the admin’s e-mail': admin.email,
    receiver: order.receiver,
    reference: order.reference,
    'the client’s reference': CLIENT.reference,
    'the client’s id': CLIENT.id,
    'the order’s id': order._id,
    'the product’s id': productId,
    network: 'Telecel',
    offer: '5GB',
    'the recharge’s reference': recharge.rechargeId,
    'the recharge’s id': recharge._id,
    'a card reference': CARD,
    'a top-up’s reference': TOP_UP,
    'a dispute’s id': DISPUTE.id,
    'a dispute’s status': DISPUTE.status,
    'a payer’s e-mail': DISPUTE.email,
    'an unmatched reference': UNMATCHED.reference,
    'an unmatched payer': UNMATCHED.email,
    'a transaction': RECEIVED.transactionId,
    'a payer': RECEIVED.name,
    'a payer’s phone': RECEIVED.phone,
    'a payment’s text': RECEIVED.reference,
    'a transaction by hand': HAND,
    'a guest’s phone': '0245550142',
    'a refund’s payment': refund.reference,
    'an agent': agent.username,
    'an agent’s phone': agent.phone,
    'the report’s text': 'nothing came',
    'a note': NOTE,
    'a key of stored JSON': 'receiver',
    'another key of stored JSON': 'clientId',
  }
})
afterAll(async () => {
  // Not a sale of that shop, which the ledger would miss the profit of.
  await shop.database.db.query('delete from profit_shares')
  await shop.close()
})

async function insertTheRest(product: string) {
  const { db } = shop.database
  const { now } = shop.clock
  await db.query(`update orders set client_reference = $2 where id = $1`, [order._id, CLIENT.reference])
  const lines = JSON.stringify([{ product, network: 'Telecel', offer: '5GB', receiver: '0209994441', seen: 3000, clientId: null }])
  await db.query(
    `insert into payments (reference, user_id, purpose, lines, price_pesewas, surcharge_pesewas, status, reason, received_pesewas, created_at, settled_at)
     values ($1, $3, 'order', $4, 3000, 90, 'held', 'the price changed', 3090, $5, $5), ($2, $3, 'top-up', null, 5000, 150, 'open', null, null, $5, null)`,
    [CARD, TOP_UP, buyer._id, lines, now],
  )
  await db.query(
    `select post_entry('card-payment:' || $1, 'card-payment', '', null, array[5, account_id], array[-3090, 3090], $3) from wallets where user_id = $2`,
    [CARD, buyer._id, now],
  )
  await db.query(
    `insert into disputes (provider_id, reference, amount_pesewas, currency, category, status, payer_email, heard_at)
     values ($1, $2, 3090, 'GHS', 'chargeback', $3, $4, $5)`,
    [DISPUTE.id, CARD, DISPUTE.status, DISPUTE.email, now],
  )
  await db.query(
    `insert into unmatched_payments (reference, amount_pesewas, currency, is_test, payer_email, found_at) values ($1, 700, 'GHS', true, $2, $3)`,
    [UNMATCHED.reference, UNMATCHED.email, now],
  )
  await db.query(
    `insert into received_payments (network, transaction_id, amount_pesewas, payer_name, payer_phone, reference, raw, source, received_by, received_at)
     values ('MTN', $1, 6600, $2, $3, $4, 'raw words', 'message', $5, $6)`,
    [RECEIVED.transactionId, RECEIVED.name, RECEIVED.phone, RECEIVED.reference, admin._id, now],
  )
  agent = await makeUser(shop, { level: 'Agent', username: 'esi quaye', phone: '0541110002', email: 'esi@example.net' })
  const withdrawal = await makeWithdrawal(shop, agent._id)
  const paid = await call(shop, 'PUT', `/withdrawals/${withdrawal}/pay-by-hand`, { as: admin, body: { transactionId: HAND } })
  if (paid.status !== 200) throw new Error(JSON.stringify(paid.body))
  await db.query(
    `insert into profit_shares (order_id, shop_id, price_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, sold_at)
     select $1, id, 3000, 2500, 2600, 9000, $3 from agent_shops where owner_id = $2`,
    [order._id, agent._id, now],
  )
  const reportId = (await insertReport(db as unknown as Tx, order._id, now)) as string
  await insertReportMessage(db as unknown as Tx, { reportId, userId: buyer._id, fromShop: false, text: 'nothing came', now })
  await db.query(
    `insert into admin_actions (actor_id, action, subject_type, subject_id, note, created_at) values ($1, 'user.status', 'user', $2, $3, $4)`,
    [admin._id, buyer._id, NOTE, now],
  )
}

type Search = {
  path: string
  as: () => SignedInUser
  query?: Record<string, string>
  /** The words above that the list shows and finds its records by; it finds them by no other. */
  shows: string[]
  /** Parts of a word of which the list shows no more. */
  also?: string[]
}

const BUYER = ['the buyer', 'the buyer’s phone']
const ORDER = ['receiver', 'reference', 'the client’s reference', 'network', 'offer']
const PEOPLE = ['the buyer', 'the admin', 'an agent'].flatMap((name) => [name, `${name}’s phone`])
const EMAILS = ['the buyer’s e-mail', 'the admin’s e-mail']

const SEARCHES: Search[] = [
  { path: '/order/allorders', as: () => buyer, shows: [...ORDER, 'the client’s id'] },
  { path: '/order/allorders', as: () => admin, shows: [...ORDER, ...BUYER] },
  { path: '/recharge', as: () => buyer, shows: ['the recharge’s reference'] },
  { path: '/recharge', as: () => admin, shows: ['the recharge’s reference', ...BUYER] },
  { path: '/user', as: () => admin, shows: [...PEOPLE, ...EMAILS] },
  { path: '/user/account-balances', as: () => admin, shows: [...PEOPLE, ...EMAILS] },
  { path: '/payment/mine', as: () => buyer, shows: ['a card reference', 'a top-up’s reference', 'receiver', 'offer'] },
  {
    path: '/payment',
    as: () => admin,
    query: { status: 'held' },
    shows: ['a card reference', ...BUYER, 'a guest’s phone', 'a refund’s payment'],
  },
  { path: '/payment/disputes', as: () => admin, shows: ['a card reference', ...BUYER, 'the buyer’s e-mail'] },
  { path: '/payment/unmatched', as: () => admin, shows: ['an unmatched reference', 'an unmatched payer'] },
  { path: '/admin/reports', as: () => admin, shows: [...BUYER.slice(0, 1), 'receiver', 'network', 'offer', 'the report’s text'] },
  { path: '/withdrawals', as: () => admin, shows: ['an agent', 'a transaction by hand'] },
  { path: '/refunds', as: () => admin, query: { list: 'all' }, shows: ['a guest’s phone', 'a refund’s payment'] },
  { path: '/my-shop/sales', as: () => agent, shows: ['network', 'offer'], also: ['441'] },
  { path: '/agent-shops', as: () => admin, shows: ['an agent', 'an agent’s phone'] },
  { path: '/received-payment', as: () => admin, shows: ['a transaction', 'a payer', 'a payer’s phone', 'a payment’s text'] },
  {
    path: '/admin/customers',
    as: () => admin,
    shows: [...PEOPLE, ...EMAILS, 'receiver', 'reference', 'the recharge’s reference', 'a card reference', 'a top-up’s reference'],
  },
  { path: '/admin/actions', as: () => admin, shows: ['the admin', 'the buyer', 'a note'] },
  { path: '/wallet/statement', as: () => buyer, shows: ['a card reference', 'receiver', 'network', 'offer'] },
  { path: '/export/admin-orders', as: () => admin, shows: [...ORDER, ...BUYER] },
  { path: '/export/admin-finance', as: () => admin, shows: ['the recharge’s reference', ...BUYER] },
  { path: '/export/admin-stats', as: () => admin, shows: [...PEOPLE, ...EMAILS] },
  { path: '/export/admin-withdrawals', as: () => admin, shows: ['an agent', 'a transaction by hand'] },
  { path: '/export/admin-activity', as: () => admin, shows: ['the admin', 'the buyer', 'a note'] },
  { path: '/export/statement', as: () => buyer, shows: ['a card reference', 'receiver', 'network', 'offer'] },
]

/** Finds the end of a serial, which is all that it shows. */
const OTHERS = ['/admin/checkers/imports/:id/codes']

describe('a search finds by what its list shows, and by nothing else', () => {
  test.each(SEARCHES)('$path $shows', async ({ path, as, query = {}, shows, also = [] }) => {
    const ask = async (search: string) => {
      const { status, body, headers } = await call<unknown>(shop, 'GET', path, { as: as(), query: { ...query, search } })
      expect([path, search, status]).toEqual([path, search, 200])
      return { text: typeof body === 'string' ? body : JSON.stringify(body), count: countOf(body, headers) }
    }
    const none = (await ask('nothing has this in it')).count
    const found: string[] = []
    for (const [name, word] of Object.entries(words)) {
      const { text, count } = await ask(word)
      if (count === none) continue
      found.push(name)
      expect(text.replaceAll(' ', '')).toContain(word.replaceAll(' ', ''))
    }
    expect(found.toSorted()).toEqual(shows.toSorted())
    for (const part of also) expect((await ask(part)).count).not.toBe(none)
  })

  test('of every list that can be searched', () => {
    const searchable = Object.entries(routes as Record<string, Endpoint>)
      .filter(([, { query }]) => query instanceof z.ZodMiniObject && 'search' in query.shape)
      .map(([route]) => route.replace('GET ', ''))
    expect([...new Set([...SEARCHES.map(({ path }) => path), ...OTHERS])].toSorted()).toEqual(searchable.toSorted())
  })
})

/** How many records a reply has; a file has its headings too. */
function countOf(body: unknown, headers: Record<string, unknown>): number {
  if (typeof body === 'string') return body.split('\n').length
  if (headers['x-total-count'] !== undefined) return Number(headers['x-total-count'])
  return ((body as { customers?: unknown[] }).customers ?? []).length
}

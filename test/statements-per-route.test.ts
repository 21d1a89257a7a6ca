import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BulkPreview } from '../shared/bulk.ts'
import type { PaymentReply } from '../shared/payments.ts'
import type { Product } from '../shared/products.ts'
import type { Matches } from '../shared/received-payments.ts'
import type { SignedInUser } from '../shared/users.ts'
import { AFA_FORM, makeAfaOrder, newGhanaCard } from './afa.ts'
import {
  IN_GUEST_BROWSER,
  makeInvitation,
  makePayoutCode,
  makePayoutNumber,
  makeRefund,
  makeRefundCode,
  makeSubAgent,
  makeWithdrawal,
  openShopOf,
  shopNameOf,
} from './agent-shop.ts'
import { openTestShop, type TestShop } from './app.ts'
import { type CallOptions, call, cartLine, checkout, findProduct, makeBatch, makeUser, ordersRelayed, PASSWORD } from './builders.ts'
import { makeRefundedByCard } from './card-orders.ts'
import { makeCheckerOrder, makeCode, makeUnsoldCode, stockCheckers } from './checkers.ts'
import { makeNumberCode } from './confirmations.ts'
import { readRoutes } from './read-routes.ts'
import { statementBody } from './statements.ts'

// How many statements each route sends, the look at the session and "begin" and "commit" among them: no more with
// fifty rows than with one. What a route may need at most stands here; a route that does not stand here fails.
// A write looks at the session twice: when its request is complete, and in its transaction (revoked-rights.test.ts).

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Ask = { path?: string; as?: SignedInUser; status?: number } & Omit<CallOptions, 'as'>
/** `perItem`: what each further item of the request itself may add, where each is a transaction of its own. */
type Line = { most: number; perItem?: number; ask: (size: number) => Promise<Ask> | Ask }

const SIZES = [1, 50]
const nobody = randomUUID()
const MONDAYS = { groupId: nobody, repeats: 'weekly', day: null, weekday: 1, monthDay: null, time: '08:00', most: 1 }
const agentBuyer = () => makeUser(shop, { level: 'Agent', balance: 1_000 })
async function agentWithList(size: number) {
  const as = await agentBuyer()
  const text = Array.from({ length: size }, (_, n) => `${String(244_000_000 + n).padStart(10, '0')} 1`).join('\n')
  const { body } = await call<BulkPreview>(shop, 'POST', '/bulk/preview', { as, body: { text } })
  const lines = body.lines.map(({ number, text: written, name, productId, offer, phoneNumber, amount }) => {
    return { number, text: written, name, productId, offer, phoneNumber, amount }
  })
  return { as, body: { total: body.ready.amount, lines } }
}
async function withPin() {
  const as = await makeUser(shop)
  await call(shop, 'POST', '/user/me/pin', { as, body: { password: PASSWORD, pin: '7392', atCheckout: true } })
  return as
}
const search = { query: { page: '1', pageSize: '50', search: '02' } }
const page = { query: { page: '1', pageSize: '50' } }

const ROUTES: Record<string, Line> = {
  'GET /api/shop': { most: 0, ask: () => ({}) },
  'GET /api/shop/figures': { most: 9, ask: () => ({}) },
  'GET /api/product': { most: 1, ask: () => ({}) },
  'GET /api/extra/momo-details': { most: 1, ask: () => ({}) },
  'GET /api/extra/payment-numbers': { most: 2, ask: () => ({}) },
  'GET /api/admin/shop': { most: 4, ask: () => ({ as: admin }) },
  'PUT /api/admin/shop': { most: 14, ask: () => ({ as: admin, body: { tagline: 'Data at once' } }) },
  'PUT /api/admin/shop/logo': { most: 14, ask: () => ({ as: admin, body: { image: null } }) },
  'PUT /api/admin/shop/payment-numbers': {
    most: 14,
    ask: () => ({ as: admin, body: { numbers: [{ network: 'MTN', phoneNumber: '0240000000', accountName: 'Dwadi Enterprise' }] } }),
  },
  'GET /api/admin/setup': { most: 2, ask: () => ({ as: admin }) },
  'PUT /api/admin/setup': { most: 8, ask: () => ({ as: admin, body: { hidden: false } }) },
  'GET /api/user': { most: 3, ask: () => ({ as: admin, ...page }) },
  'GET /api/user/me/account': { most: 7, ask: () => ({ as: admin }) },
  'PUT /api/user/me/password': {
    most: 3,
    ask: () => ({ as: buyer, body: { password: 'not the password', newPassword: 'seven green umbrellas' }, status: 400 }),
  },
  'PUT /api/user/me/contact': { most: 11, ask: () => ({ as: buyer, body: { password: PASSWORD } }) },
  'POST /api/user/me/sessions/end': { most: 5, ask: async () => ({ as: await makeUser(shop), body: {} }) },
  'POST /api/user/me/confirm-password': { most: 4, ask: () => ({ as: buyer, body: { password: PASSWORD } }) },
  'GET /api/user/me/pin': { most: 2, ask: () => ({ as: buyer }) },
  'POST /api/user/me/pin': {
    most: 10,
    ask: async () => ({ as: await makeUser(shop), body: { password: PASSWORD, pin: '7392', atCheckout: true } }),
  },
  'PUT /api/user/me/pin': { most: 12, ask: async () => ({ as: await withPin(), body: { currentPin: '7392', pin: '8251' } }) },
  'POST /api/user/me/pin/end': { most: 9, ask: async () => ({ as: await withPin(), body: { currentPin: '7392' } }) },
  'POST /api/user/me/pin/proof': { most: 9, ask: async () => ({ as: await withPin(), body: { pin: '7392' } }) },
  'POST /api/user/me/pin/reset-code': { most: 11, ask: async () => ({ as: await withPin(), body: { password: PASSWORD } }) },
  'POST /api/user/me/pin/reset': {
    most: 7,
    ask: async () => ({ as: await withPin(), body: { password: PASSWORD, code: '123456', pin: '8251' }, status: 400 }),
  },
  'POST /api/afa': {
    most: 8,
    ask: async () => ({ as: await makeUser(shop), body: { ...AFA_FORM, ghanaCard: newGhanaCard() } }),
  },
  'POST /api/shops/:slug/afa': { most: 3, ask: () => ({ path: '/shops/nobody/afa', body: AFA_FORM, status: 404 }) },
  'GET /api/order/:id/afa': {
    most: 4,
    ask: async () => {
      const as = await makeUser(shop, { balance: 20 })
      return { path: `/order/${await makeAfaOrder(shop, as)}/afa`, as }
    },
  },
  'POST /api/order/:id/afa': {
    most: 12,
    ask: async () => {
      const as = await makeUser(shop, { balance: 20 })
      return { path: `/order/${await makeAfaOrder(shop, as)}/afa`, as, body: { ...AFA_FORM, ghanaCard: newGhanaCard() } }
    },
  },
  'GET /api/shops/order/:reference/afa': { most: 1, ask: () => ({ path: '/shops/order/ABCDEFGHJKLMNPQRSTUV/afa', status: 404 }) },
  'POST /api/shops/order/:reference/afa': {
    most: 4,
    ask: () => ({ path: '/shops/order/ABCDEFGHJKLMNPQRSTUV/afa', body: AFA_FORM, status: 404 }),
  },
  'GET /api/admin/afa': { most: 3, ask: () => ({ as: admin, query: { state: 'needed', page: '1', pageSize: '50' } }) },
  'POST /api/admin/afa/:id/reveal': {
    most: 7,
    ask: () => ({ path: `/admin/afa/${nobody}/reveal`, as: admin, body: { reason: 'They called' }, status: 404 }),
  },
  'POST /api/admin/afa/export': { most: 8, ask: () => ({ as: admin, body: { batch: 1_000_000 }, status: 404 }) },
  'POST /api/user/me/second-factor': { most: 7, ask: async () => ({ as: await makeUser(shop, { roles: ['owner'] }), body: {} }) },
  'POST /api/user/me/second-factor/confirm': {
    most: 2,
    ask: async () => ({ as: await makeUser(shop, { roles: ['owner'] }), body: { code: '000000' }, status: 409 }),
  },
  'POST /api/user/me/second-factor/end': {
    most: 7,
    ask: async () => ({ as: await makeUser(shop, { roles: ['owner'] }), body: { code: '123456' }, status: 409 }),
  },
  'POST /api/user/me/recovery-codes': {
    most: 6,
    ask: async () => ({ as: await makeUser(shop, { roles: ['owner'] }), body: { code: '123456' }, status: 409 }),
  },
  'GET /api/admin/staff': { most: 3, ask: () => ({ as: admin }) },
  'PUT /api/admin/staff/rules': { most: 11, ask: () => ({ as: admin, body: { passwordAbove: 500 } }) },
  'PUT /api/admin/staff/:id': {
    most: 17,
    ask: async () => ({ path: `/admin/staff/${await userId()}`, as: admin, body: { roles: ['support'] } }),
  },
  'POST /api/admin/staff/:id/reset-code': {
    most: 9,
    ask: async () => ({ path: `/admin/staff/${await userId()}/reset-code`, as: admin, body: {}, status: 409 }),
  },
  'GET /api/export/admin-activity': { most: 2, ask: () => ({ as: admin }) },
  'GET /api/admin/approvals': { most: 2, ask: () => ({ as: admin }) },
  'POST /api/admin/approvals/:id/approve': {
    most: 6,
    ask: () => ({ path: `/admin/approvals/${nobody}/approve`, as: admin, body: { hash: 'a' }, status: 404 }),
  },
  'POST /api/admin/price-proposals/:id/approve': {
    most: 6,
    ask: () => ({ path: `/admin/price-proposals/${nobody}/approve`, as: admin, body: { hash: 'a' }, status: 404 }),
  },
  'POST /api/admin/approvals/:id/decline': {
    most: 5,
    ask: () => ({ path: `/admin/approvals/${nobody}/decline`, as: admin, body: {}, status: 404 }),
  },
  'GET /api/user/me': { most: 2, ask: () => ({ as: buyer }) },
  'GET /api/user/account-balances': { most: 4, ask: () => ({ as: admin, ...search }) },
  'GET /api/order/allorders': { most: 4, ask: () => ({ as: admin, ...page }) },
  'GET /api/order/allorders (search)': { most: 6, ask: () => ({ as: admin, ...search }) },
  'GET /api/order/allorders (own)': { most: 3, ask: () => ({ as: buyer, ...search }) },
  'GET /api/order/:id': { most: 7, ask: async () => ({ path: `/order/${(await order())._id}`, as: buyer }) },
  'GET /api/track/:reference': { most: 4, ask: () => ({ path: '/track/AAAAAAAAAAAAAAAAAAAA', status: 404 }) },
  'POST /api/track': { most: 4, ask: () => ({ path: '/track', body: { reference: '1', phoneNumber: '0551234567' }, status: 404 }) },
  'GET /api/order/:id/checkers': {
    most: 4,
    ask: async () => {
      const made = await makeCheckerOrder(shop)
      return { path: `/order/${made.order._id}/checkers`, as: made.buyer }
    },
  },
  'POST /api/order/:id/checkers/send': {
    most: 9,
    ask: async () => {
      const made = await makeCheckerOrder(shop)
      return { path: `/order/${made.order._id}/checkers/send`, as: made.buyer, body: { by: 'email' } }
    },
  },
  'POST /api/track/:reference/checkers': {
    most: 2,
    ask: () => ({ path: '/track/AAAAAAAAAAAAAAAAAAAA/checkers', body: { phoneNumber: '0551234567' }, status: 404 }),
  },
  'POST /api/track/:reference/checkers/send': {
    most: 2,
    ask: () => ({ path: '/track/AAAAAAAAAAAAAAAAAAAA/checkers/send', body: { phoneNumber: '0551234567' }, status: 404 }),
  },
  'GET /api/admin/checkers': { most: 4, ask: () => ({ as: admin }) },
  'POST /api/admin/checkers/check': {
    most: 6,
    ask: (size) => ({ as: admin, body: { kind: 'bece', lines: Array.from({ length: size }, makeCode) } }),
  },
  'POST /api/admin/checkers/imports': {
    most: 15,
    ask: (size) => ({
      as: admin,
      body: { kind: 'bece', distributor: 'Kwame', unitCost: 15, lines: Array.from({ length: size }, makeCode) },
    }),
  },
  'GET /api/admin/checkers/imports/:id/codes': {
    most: 4,
    ask: async (size) => ({
      path: `/admin/checkers/imports/${(await stockCheckers(shop, 'BECE', size)).importId}/codes`,
      as: admin,
      query: { page: '1', pageSize: '50' },
    }),
  },
  'POST /api/admin/checker-codes/:code/void': {
    most: 13,
    ask: async () => ({ path: `/admin/checker-codes/${await makeUnsoldCode(shop)}/void`, as: admin, body: { reason: 'Already used' } }),
  },
  'POST /api/admin/checkers/imports/:id/take-back': {
    most: 13,
    ask: async (size) => ({
      path: `/admin/checkers/imports/${(await stockCheckers(shop, 'BECE', size)).importId}/take-back`,
      as: admin,
      body: {},
    }),
  },
  'PUT /api/admin/checkers/kinds/:kind': {
    most: 8,
    ask: () => ({
      path: '/admin/checkers/kinds/bece',
      as: admin,
      body: { name: 'BECE', portal: 'https://eresults.waecgh.org', lowStock: 3 },
    }),
  },
  'PUT /api/admin/checkers/packages': {
    most: 12,
    ask: async () => ({
      path: '/admin/checkers/packages',
      as: admin,
      body: { productId: (await findProduct(shop, 'WAEC Checkers'))._id, offer: 'BECE', kind: 'bece', units: 1 },
    }),
  },
  'GET /api/admin/order/:id/checkers': {
    most: 4,
    ask: async () => ({ path: `/admin/order/${(await makeCheckerOrder(shop)).order._id}/checkers`, as: admin }),
  },
  'POST /api/admin/order/:id/checkers/reveal': {
    most: 9,
    ask: async () => ({
      path: `/admin/order/${(await makeCheckerOrder(shop)).order._id}/checkers/reveal`,
      as: admin,
      body: { reason: 'I look' },
    }),
  },
  'POST /api/admin/order/:id/checkers/send': {
    most: 9,
    ask: async () => ({ path: `/admin/order/${(await makeCheckerOrder(shop)).order._id}/checkers/send`, as: admin, body: {}, status: 409 }),
  },
  'POST /api/admin/checker-codes/:code/replace': {
    most: 16,
    ask: async () => ({
      path: `/admin/checker-codes/${(await makeCheckerOrder(shop)).code}/replace`,
      as: admin,
      body: { reason: 'Used already' },
    }),
  },
  'GET /api/order/stats': { most: 9, ask: () => ({ as: admin }) },
  'GET /api/recharge': { most: 3, ask: () => ({ as: admin, ...page }) },
  'GET /api/wallet/statement': { most: 4, ask: () => ({ as: buyer, ...page }) },
  'GET /api/user/news': { most: 4, ask: () => ({ as: buyer }) },
  'PUT /api/user/news': { most: 8, ask: () => ({ as: buyer, body: { sms: true } }) },
  'GET /api/contact': { most: 2, ask: () => ({ as: buyer }) },
  'GET /api/wallet/statement (search)': { most: 3, ask: () => ({ as: buyer, ...search }) },
  'GET /api/export/statement': { most: 4, ask: () => ({ as: buyer }) },
  'GET /api/export/withdrawals': { most: 2, ask: () => ({ as: buyer, status: 404 }) },
  'GET /api/export/admin-withdrawals': { most: 2, ask: () => ({ as: admin }) },
  'GET /api/user/debits': { most: 3, ask: () => ({ as: buyer }) },
  'GET /api/payment/mine': { most: 3, ask: () => ({ as: buyer, ...page }) },
  'GET /api/payment/top-up': { most: 4, ask: () => ({ as: buyer }) },
  'GET /api/payment/disputes': { most: 4, ask: () => ({ as: admin, ...page }) },
  'GET /api/payment/unmatched': { most: 3, ask: () => ({ as: admin, ...page }) },
  'GET /api/payment': { most: 3, ask: () => ({ as: admin, query: { ...page.query, status: 'held' } }) },
  'GET /api/admin/actions': { most: 3, ask: () => ({ as: admin, ...search }) },
  'GET /api/admin/inbox': {
    most: 30,
    ask: async (size) => {
      await Promise.all([batch(size), paymentMessages(size)])
      return { as: admin }
    },
  },
  'GET /api/admin/reports': { most: 4, ask: () => ({ as: admin, ...page }) },
  'GET /api/admin/prices': { most: 7, ask: () => ({ as: admin }) },
  'GET /api/admin/costs': { most: 2, ask: () => ({ as: admin }) },
  'GET /api/admin/costs/:productId': { most: 2, ask: () => ({ path: `/admin/costs/${nobody}`, as: admin }) },
  'GET /api/admin/day-close': { most: 12, ask: () => ({ as: admin }) },
  'GET /api/admin/day-close/:id': { most: 2, ask: () => ({ path: '/admin/day-close/999999', as: admin, status: 404 }) },
  'POST /api/admin/day-close': {
    most: 16,
    ask: () => ({ as: admin, body: { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', closing: 1 }, status: 409 }),
  },
  'GET /api/export/day-close': { most: 12, ask: () => ({ as: admin }) },
  'GET /api/admin/profit': { most: 5, ask: () => ({ as: admin, query: { from: '2026-01-01', until: '2026-12-31' } }) },
  'GET /api/admin/profit/uncosted': { most: 2, ask: () => ({ as: admin }) },
  'POST /api/admin/profit/uncosted': {
    most: 7,
    ask: () => ({ as: admin, body: { productId: nobody, offer: '1GB', supplier: 'by-hand', cost: 1 }, status: 404 }),
  },
  'PUT /api/admin/costs': {
    most: 10,
    ask: async (size) => ({ as: admin, body: { costs: await costsOfPackages(size) } }),
  },
  'GET /api/admin/settings': { most: 3, ask: () => ({ as: admin }) },
  'GET /api/admin/insight': { most: 12, ask: () => ({ as: admin, query: { from: '2026-11-15', to: '2026-11-21' } }) },
  'GET /api/export/admin-insight': { most: 12, ask: () => ({ as: admin, query: { from: '2026-11-15', to: '2026-11-21' } }) },
  'GET /api/admin/suppliers': { most: 10, ask: () => ({ as: admin }) },
  // On a busy machine a job may fail in between, and what it was about is looked up in two statements.
  'GET /api/admin/jobs': { most: 9, perItem: 2 / 49, ask: () => ({ as: admin }) },
  'GET /api/admin/books': { most: 4, ask: () => ({ as: admin }) },
  'POST /api/admin/books/check': { most: 5, ask: () => ({ as: admin }) },
  'POST /api/admin/books/resume': { most: 5, ask: () => ({ as: admin, body: { reason: 'the books were put right' }, status: 409 }) },
  'GET /api/admin/customers': { most: 3, ask: () => ({ as: admin }) },
  'GET /api/admin/customers (search)': { most: 6, ask: () => ({ as: admin, query: { search: buyer.phone } }) },
  'GET /api/admin/customers/:id': { most: 7, ask: () => ({ path: `/admin/customers/${buyer._id}`, as: admin }) },
  'GET /api/admin/customers/:id/statement': { most: 3, ask: () => ({ path: `/admin/customers/${buyer._id}/statement`, as: admin }) },
  'GET /api/admin/customers/:id/orders': { most: 4, ask: () => ({ path: `/admin/customers/${buyer._id}/orders`, as: admin }) },
  'GET /api/admin/customers/:id/recharges': { most: 3, ask: () => ({ path: `/admin/customers/${buyer._id}/recharges`, as: admin }) },
  'GET /api/admin/customers/:id/reports': { most: 3, ask: () => ({ path: `/admin/customers/${buyer._id}/reports`, as: admin }) },
  'POST /api/admin/customers/:id/credit/undo': {
    most: 22,
    ask: async () => {
      const _id = await userId()
      return { path: `/admin/customers/${_id}/credit/undo`, as: admin, body: { entry: await credit(_id) } }
    },
  },
  'POST /api/admin/customers/:id/sessions/end': {
    most: 14,
    ask: async () => ({ path: `/admin/customers/${await userId()}/sessions/end`, as: admin, body: {} }),
  },
  'POST /api/admin/customers/:id/notes': {
    most: 14,
    ask: async () => ({ path: `/admin/customers/${await userId()}/notes`, as: admin, body: { text: 'Call, don’t text' } }),
  },
  'DELETE /api/admin/customers/:id/notes/:note': {
    most: 6,
    ask: async () => ({ path: `/admin/customers/${await userId()}/notes/1`, as: admin, body: {}, status: 404 }),
  },
  'GET /api/export/customer-statement': { most: 3, ask: () => ({ as: admin, query: { customer: buyer._id } }) },
  'GET /api/export/admin-orders': { most: 2, ask: () => ({ as: admin }) },
  'GET /api/export/admin-finance': { most: 2, ask: () => ({ as: admin }) },
  'GET /api/export/admin-products': { most: 2, ask: () => ({ as: admin }) },
  'GET /api/export/admin-stats': { most: 10, ask: () => ({ as: admin }) },

  'POST /api/user/register': { most: 8, ask: () => ({ body: newUser() }) },
  'POST /api/user/login': { most: 4, ask: () => ({ body: { userPhone: buyer.phone, password: PASSWORD } }) },
  'POST /api/user/logout': { most: 2, ask: async () => ({ as: await makeUser(shop) }) },
  'POST /api/user/forget-password': { most: 1, ask: () => ({ body: { email: buyer.email } }) },
  'POST /api/user/reset-password/:token': {
    most: 3,
    ask: () => ({ path: `/user/reset-password/${'A'.repeat(43)}`, body: { password: PASSWORD }, status: 400 }),
  },
  'POST /api/user/reset-password/:token/keep': {
    most: 3,
    ask: () => ({ path: `/user/reset-password/${'A'.repeat(43)}/keep`, status: 400 }),
  },
  'PUT /api/user/:id/level': {
    most: 9,
    ask: async () => ({ path: `/user/${await userId()}/level`, as: admin, body: { userLevel: 'Agent' } }),
  },
  'PUT /api/user/:id/status': {
    most: 10,
    ask: async () => ({ path: `/user/${await userId()}/status`, as: admin, body: { status: 'Banned' } }),
  },
  'PUT /api/user/balance': { most: 12, ask: () => ({ as: admin, body: { chosenId: buyer._id, amount: 1 } }) },

  // One statement, however large the cart is, the buyer's session in it.
  'POST /api/order/checkout': {
    most: 1,
    ask: (size) => ({ as: buyer, body: { items: Array(size).fill(line) }, headers: { 'idempotency-key': randomUUID() } }),
  },
  'POST /api/order/create': {
    most: 3,
    ask: () => ({
      as: buyer,
      body: { newOrder: { id: randomUUID(), network: 'MTN', offer: line.offer, receiver: line.phoneNumber, totalAmount: line.amount } },
    }),
  },
  'PUT /api/order/update-status/:id': {
    most: 22,
    ask: async () => ({ path: `/order/update-status/${(await order())._id}`, as: admin, body: { status: 'rejected' } }),
  },
  'POST /api/order/:id/report': {
    most: 11,
    ask: async () => ({ path: `/order/${(await order())._id}/report`, as: buyer, body: {}, status: 409 }),
  },
  'POST /api/report/:id/message': {
    most: 11,
    ask: async (size) => ({ path: `/report/${await report(size)}/message`, as: buyer, body: { text: 'Hello?' } }),
  },
  'PUT /api/admin/reports/:id/end': {
    most: 32,
    ask: async (size) => ({
      path: `/admin/reports/${await report(size)}/end`,
      as: admin,
      body: { outcome: 'refunded', text: 'It never came' },
    }),
  },
  'POST /api/order/decide-many': {
    most: 14,
    perItem: 13,
    ask: async (size) => ({ as: admin, body: { ids: (await orders(size)).map(({ _id }) => _id), status: 'completed' } }),
  },
  'GET /api/admin/order-counts': { most: 4, ask: () => ({ as: admin }) },
  'GET /api/order/allorders (to decide)': { most: 4, ask: () => ({ as: admin, query: { ...page.query, segment: 'to-decide' } }) },
  'GET /api/order/allorders (waiting, search)': { most: 8, ask: () => ({ as: admin, query: { ...search.query, segment: 'waiting' } }) },
  'GET /api/admin/orders/:id': { most: 10, ask: async () => ({ path: `/admin/orders/${(await order())._id}`, as: admin }) },
  'PUT /api/admin/orders/:id/query-status': {
    most: 6,
    ask: async () => ({ path: `/admin/orders/${(await order())._id}/query-status`, as: admin, status: 409 }),
  },
  'PUT /api/admin/orders/:id/send-again': {
    most: 11,
    ask: async () => ({
      path: `/admin/orders/${(await order())._id}/send-again`,
      as: admin,
      body: { to: 'by-hand', supplierStatus: null },
      status: 409,
    }),
  },
  'PUT /api/admin/orders/:id/receiver': {
    most: 23,
    ask: async () => ({
      path: `/admin/orders/${(await order())._id}/receiver`,
      as: admin,
      body: { receiver: '0244123456', seen: line.phoneNumber, agreedBy: 'Kojo', consent: 'call' },
    }),
  },
  'GET /api/admin/batches': { most: 3, ask: () => ({ as: admin, ...page }) },
  'GET /api/admin/batches/:number': { most: 5, ask: async (size) => ({ path: `/admin/batches/${(await batch(size)).number}`, as: admin }) },
  'POST /api/admin/batches': {
    most: 17,
    ask: async (size) => ({ as: admin, body: { key: randomUUID(), network: 'MTN', ids: (await relayed(size)).map(({ _id }) => _id) } }),
  },
  'PUT /api/admin/batches/:number/exported': {
    most: 11,
    ask: async (size) => ({ path: `/admin/batches/${(await batch(size)).number}/exported`, as: admin, body: {} }),
  },
  'PUT /api/admin/batches/:number/format': {
    most: 12,
    ask: async (size) => ({
      path: `/admin/batches/${(await batch(size)).number}/format`,
      as: admin,
      body: { file: 'csv', columns: ['number', 'gb'], withHeader: false, numberFormat: 'international' },
    }),
  },
  'PUT /api/admin/batches/:number/settle': {
    most: 21,
    perItem: 14,
    ask: async (size) => {
      const { number, rows } = await batch(size)
      return { path: `/admin/batches/${number}/settle`, as: admin, body: { completed: rows.map(({ order: { _id } }) => _id) } }
    },
  },
  'PUT /api/admin/batches/:number/settle (release)': {
    most: 16,
    ask: async (size) => {
      const { number, rows } = await batch(size)
      return { path: `/admin/batches/${number}/settle`, as: admin, body: { released: rows.map(({ order: { _id } }) => _id) } }
    },
  },
  'POST /api/bulk/preview': {
    most: 6,
    ask: async (size) => ({
      as: await agentBuyer(),
      body: { text: Array.from({ length: size }, (_, n) => `${String(244_000_000 + n).padStart(10, '0')} 1`).join('\n') },
    }),
  },
  'POST /api/bulk': {
    most: 12,
    ask: async (size) => ({ ...(await agentWithList(size)), headers: { 'idempotency-key': randomUUID() } }),
  },
  'GET /api/bulk': { most: 2, ask: () => ({ as: buyer }) },
  'GET /api/bulk/:id': { most: 3, ask: () => ({ path: `/bulk/${nobody}`, as: buyer, status: 404 }) },
  'GET /api/bulk/:id/file': { most: 3, ask: () => ({ path: `/bulk/${nobody}/file`, as: buyer, status: 404 }) },
  'GET /api/bulk-groups': { most: 2, ask: () => ({ as: buyer }) },
  'GET /api/bulk-groups/:id': { most: 2, ask: () => ({ path: `/bulk-groups/${nobody}`, as: buyer, status: 404 }) },
  'POST /api/bulk-groups': {
    most: 7,
    ask: async (size) => {
      const line = { name: '', phoneNumber: '0244123456', network: 'MTN', offer: '1GB' }
      return { as: await agentBuyer(), body: { name: 'Staff', lines: Array(size).fill(line) } }
    },
  },
  'PUT /api/bulk-groups/:id': {
    most: 7,
    ask: async () => {
      const line = { name: '', phoneNumber: '0244123456', network: 'MTN', offer: '1GB' }
      return { path: `/bulk-groups/${nobody}`, as: await agentBuyer(), body: { name: 'Staff', lines: [line] }, status: 404 }
    },
  },
  'DELETE /api/bulk-groups/:id': { most: 5, ask: () => ({ path: `/bulk-groups/${nobody}`, as: buyer, status: 404 }) },
  'GET /api/bulk-schedules': { most: 2, ask: () => ({ as: buyer }) },
  'POST /api/bulk-schedules': { most: 6, ask: async () => ({ as: await agentBuyer(), body: MONDAYS, status: 404 }) },
  'PUT /api/bulk-schedules/:id': {
    most: 6,
    ask: async () => ({ path: `/bulk-schedules/${nobody}`, as: await agentBuyer(), body: MONDAYS, status: 404 }),
  },
  'POST /api/bulk-schedules/:id/pause': {
    most: 5,
    ask: () => ({ path: `/bulk-schedules/${nobody}/pause`, as: buyer, body: {}, status: 404 }),
  },
  'POST /api/bulk-schedules/:id/resume': {
    most: 5,
    ask: () => ({ path: `/bulk-schedules/${nobody}/resume`, as: buyer, body: {}, status: 404 }),
  },
  'POST /api/bulk-schedules/:id/skip': {
    most: 5,
    ask: () => ({ path: `/bulk-schedules/${nobody}/skip`, as: buyer, body: {}, status: 404 }),
  },
  'DELETE /api/bulk-schedules/:id': { most: 5, ask: () => ({ path: `/bulk-schedules/${nobody}`, as: buyer, status: 404 }) },
  'GET /api/api-keys': { most: 2, ask: () => ({ as: buyer }) },
  'POST /api/api-keys': {
    most: 10,
    ask: async () => ({ as: await makeUser(shop, { level: 'Agent' }), body: { name: 'Till', scopes: ['balance:read'] } }),
  },
  'POST /api/api-keys/:id/rotate': {
    most: 8,
    ask: () => ({
      path: `/api-keys/${nobody}/rotate`,
      as: agent,
      body: { overlapHours: 1 },
      status: 404,
    }),
  },
  'GET /api/webhooks': { most: 2, ask: () => ({ as: buyer }) },
  'POST /api/webhooks': {
    most: 7,
    ask: () => ({
      as: agent,
      body: { url: 'https://example.com/hooks', events: ['order.delivered'] },
    }),
  },
  'PUT /api/webhooks/:id': {
    most: 5,
    ask: () => ({
      path: `/webhooks/${nobody}`,
      as: agent,
      body: { url: 'https://example.com/hooks', events: ['order.delivered'] },
      status: 404,
    }),
  },
  'DELETE /api/webhooks/:id': { most: 5, ask: () => ({ path: `/webhooks/${nobody}`, as: buyer, status: 404 }) },
  'POST /api/webhooks/:id/rotate': {
    most: 5,
    ask: () => ({ path: `/webhooks/${nobody}/rotate`, as: agent, body: {}, status: 404 }),
  },
  'POST /api/webhooks/:id/test': {
    most: 5,
    ask: () => ({ path: `/webhooks/${nobody}/test`, as: agent, body: {}, status: 404 }),
  },
  'GET /api/webhooks/:id/deliveries': { most: 3, ask: () => ({ path: `/webhooks/${nobody}/deliveries`, as: buyer, status: 404 }) },
  'POST /api/webhooks/deliveries/:id/resend': {
    most: 5,
    ask: () => ({
      path: `/webhooks/deliveries/${nobody}/resend`,
      as: agent,
      body: {},
      status: 404,
    }),
  },
  'DELETE /api/api-keys/:id': { most: 5, ask: () => ({ path: `/api-keys/${nobody}`, as: buyer, status: 404 }) },
  'PUT /api/contact': { most: 5, ask: () => ({ as: buyer, body: { network: 'MTN', phoneNumber: '0244123456', name: 'Mum' } }) },
  'DELETE /api/contact/:id': { most: 5, ask: () => ({ path: `/contact/${nobody}`, as: buyer, status: 404 }) },
  'POST /api/user/debits/dismiss': { most: 2, ask: () => ({ as: buyer, body: { id: '999999999' }, status: 404 }) },
  'POST /api/proxy': { most: 2, ask: async () => ({ as: buyer, body: { body: { reference: (await order()).reference } } }) },

  'POST /api/recharge': { most: 9, ask: async () => ({ as: await makeUser(shop), body: { amount: 50 } }) },
  'PUT /api/recharge/:id/approve': { most: 12, ask: async () => ({ path: `/recharge/${await recharge()}/approve`, as: admin }) },
  'PUT /api/recharge/:id/decline': { most: 7, ask: async () => ({ path: `/recharge/${await recharge()}/decline`, as: admin }) },

  'GET /api/shops/:slug': { most: 2, ask: async () => ({ path: `/shops/${await shopLink()}` }) },
  'POST /api/shops/:slug/payment': {
    most: 5,
    ask: async () => ({ path: `/shops/${await shopLink()}/payment`, body: { phone: '0245550142', items: [line] } }),
  },
  'POST /api/shops/payment/:reference/confirm': { most: 1, ask: () => ({ path: `/shops/payment/${'x'.repeat(20)}/confirm`, status: 404 }) },
  'POST /api/shops/order/:reference/report': {
    most: 1,
    ask: () => ({ path: `/shops/order/${'x'.repeat(20)}/report`, body: {}, status: 404 }),
  },
  'GET /api/my-shop': { most: 6, ask: async () => ({ as: (await keeper()).as }) },
  'POST /api/my-shop': {
    most: 15,
    ask: async () => {
      const as = await makeUser(shop, { level: 'Agent' })
      return {
        as,
        body: { slug: `of-${as._id.slice(0, 8)}`, name: shopNameOf(as._id), about: null, colour: 'plum', phone: null, whatsapp: null },
      }
    },
  },
  'PUT /api/my-shop': { most: 12, ask: async () => ({ as: (await keeper()).as, body: { open: true } }) },
  'PUT /api/my-shop/logo': { most: 13, ask: async () => ({ as: (await keeper()).as, body: { image: null } }) },
  'PUT /api/my-shop/prices': {
    most: 15,
    ask: async () => ({ as: (await keeper()).as, body: { prices: [{ productId: line.productId, offer: line.offer, price: null }] } }),
  },
  'GET /api/my-shop/today': { most: 4, ask: async () => ({ as: (await keeper()).as }) },
  'GET /api/my-shop/sales': { most: 4, ask: async () => ({ as: (await keeper()).as, ...page }) },
  'GET /api/my-shop/sub-agents': { most: 7, ask: async () => ({ as: (await keeper()).as }) },
  'POST /api/my-shop/sub-agent-invitations': {
    most: 18,
    ask: async () => {
      await shop.database.db.query('update agent_shop_rules set sub_agents = true')
      return { as: (await keeper()).as, body: {} }
    },
  },
  'DELETE /api/my-shop/sub-agent-invitations/:id': {
    most: 15,
    ask: async () => {
      const { as, shopId } = await keeper()
      return { path: `/my-shop/sub-agent-invitations/${(await makeInvitation(shop, shopId)).id}`, as }
    },
  },
  'PUT /api/my-shop/sub-agents/prices': {
    most: 17,
    ask: async () => ({ as: (await keeper()).as, body: { prices: [{ productId: line.productId, offer: line.offer, price: null }] } }),
  },
  'POST /api/my-shop/sub-agents/:id/end': {
    most: 16,
    ask: async () => {
      const { as, shopId } = await keeper()
      return { path: `/my-shop/sub-agents/${await makeSubAgent(shop, shopId, (await makeUser(shop))._id)}/end`, as, body: {} }
    },
  },
  'POST /api/my-shop/leave': {
    most: 6,
    ask: async () => {
      const as = await makeUser(shop)
      await makeSubAgent(shop, (await keeper()).shopId, as._id)
      return { as, body: {} }
    },
  },
  'GET /api/join/:code': {
    most: 7,
    ask: async () => ({ path: `/join/${(await makeInvitation(shop, (await keeper()).shopId)).code}`, as: buyer }),
  },
  'POST /api/join/:code': {
    most: 13,
    ask: async () => {
      await shop.database.db.query('update agent_shop_rules set sub_agents = true')
      return { path: `/join/${(await makeInvitation(shop, (await keeper()).shopId)).code}`, as: await makeUser(shop), body: {} }
    },
  },
  'GET /api/agent-shops': { most: 3, ask: () => ({ as: admin, ...page }) },
  'GET /api/agent-shops/rules': { most: 3, ask: () => ({ as: admin }) },
  'PUT /api/agent-shops/rules': { most: 8, ask: () => ({ as: admin, body: { maxMarkup: 30 } }) },
  'PUT /api/agent-shops/:id': {
    most: 10,
    ask: async () => ({ path: `/agent-shops/${(await keeper()).shopId}`, as: admin, body: { closed: null } }),
  },

  'GET /api/earnings': { most: 9, ask: () => ({ as: buyer }) },
  'GET /api/earnings/movements': { most: 4, ask: () => ({ as: buyer, ...page }) },
  'GET /api/earnings/withdrawals': { most: 4, ask: () => ({ as: buyer, ...page }) },
  'POST /api/earnings/withdrawals': {
    most: 19,
    ask: async () => {
      const as = await makeUser(shop, { level: 'Agent' })
      await openShopOf(shop, as._id, 100)
      const body = { amount: 50, fee: 1, phoneNumber: '0245550100', network: 'MTN', name: 'Ama Mensah' }
      return { as, body, headers: { 'idempotency-key': crypto.randomUUID() } }
    },
  },
  'GET /api/order/:id/refund-to-source': {
    most: 2,
    ask: async () => {
      const as = await makeUser(shop)
      return { path: `/order/${(await makeRefundedByCard(shop, as._id)).orderIds[0]}/refund-to-source`, as }
    },
  },
  'POST /api/order/:id/refund-to-source': {
    most: 12,
    ask: async () => {
      const as = await makeUser(shop)
      return { path: `/order/${(await makeRefundedByCard(shop, as._id)).orderIds[0]}/refund-to-source`, as, body: {} }
    },
  },
  'POST /api/shops/payment/:reference/refund-codes': {
    most: 7,
    ask: async () => ({ path: `/shops/payment/${(await makeRefundCode(shop)).reference}/refund-codes`, headers: IN_GUEST_BROWSER }),
  },
  'POST /api/refund-codes': {
    most: 10,
    ask: async () => ({ as: await makeUser(shop), body: { code: (await makeRefundCode(shop)).code } }),
  },
  'POST /api/shops/order/:reference/refund-code': {
    most: 1,
    ask: () => ({ path: `/shops/order/${'x'.repeat(20)}/refund-code`, status: 404 }),
  },
  'GET /api/refunds': { most: 3, ask: () => ({ as: admin, ...page }) },
  'PUT /api/refunds/:id/check': {
    most: 4,
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'review')).id}/check`, as: admin }),
  },
  'PUT /api/refunds/:id/send-again': {
    most: 13,
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'review')).id}/send-again`, as: admin }),
  },
  'PUT /api/refunds/:id/code': {
    most: 14,
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'review')).id}/code`, as: admin }),
  },
  'PUT /api/refunds/:id/pay-by-hand': {
    most: 13,
    ask: async () => ({
      path: `/refunds/${(await makeRefund(shop, 'review')).id}/pay-by-hand`,
      as: admin,
      body: { transactionId: `8${Date.now()}` },
    }),
  },
  'PUT /api/refunds/:id/send-code': {
    most: 12,
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'code')).id}/send-code`, as: admin, status: 409 }),
  },
  'GET /api/user/me/numbers': { most: 3, ask: async () => ({ as: await makeUser(shop) }) },
  'POST /api/user/register/code': { most: 4, ask: () => ({ body: { phoneNumber: '0245550177' }, status: 409 }) },
  'POST /api/user/me/numbers/code': {
    most: 8,
    ask: async () => ({ as: await makeUser(shop), body: { phoneNumber: '0245550100' }, status: 409 }),
  },
  'POST /api/user/me/numbers': {
    most: 16,
    ask: async () => {
      const as = await makeUser(shop)
      return { as, body: await makeNumberCode(shop, as, as.phone) }
    },
  },
  'POST /api/earnings/payout-numbers/code': {
    most: 8,
    ask: async () => {
      const as = await makeUser(shop, { level: 'Agent' })
      await openShopOf(shop, as._id)
      return { as, body: { phoneNumber: '0245550100' }, status: 409 }
    },
  },
  'POST /api/earnings/payout-numbers': {
    most: 15,
    ask: async () => {
      const as = await makeUser(shop, { level: 'Agent' })
      return { as, body: await makePayoutCode(shop, await openShopOf(shop, as._id), as._id) }
    },
  },
  'POST /api/earnings/payout-numbers/remove': {
    most: 8,
    ask: async () => {
      const as = await makeUser(shop, { level: 'Agent' })
      const confirmed = await makePayoutNumber(shop, await openShopOf(shop, as._id), as._id)
      return { as, body: confirmed }
    },
  },
  'PUT /api/earnings/withdrawals/:id/cancel': {
    most: 12,
    ask: async () => {
      const as = await makeUser(shop, { level: 'Agent' })
      return { path: `/earnings/withdrawals/${await makeWithdrawal(shop, as._id)}/cancel`, as }
    },
  },
  'GET /api/withdrawals': { most: 3, ask: () => ({ as: admin, ...page }) },
  'GET /api/withdrawals/rules': { most: 2, ask: () => ({ as: admin }) },
  'GET /api/referrals': { most: 4, ask: () => ({ as: buyer }) },
  'POST /api/referrals/link': { most: 10, ask: async () => ({ as: (await keeper()).as }) },
  'GET /api/referrals/invited': { most: 3, ask: () => ({ as: buyer, ...page }) },
  'GET /api/referrals/leaderboard': { most: 3, ask: async () => ({ as: (await keeper()).as }) },
  'GET /api/referrals/rules': { most: 3, ask: () => ({ as: admin }) },
  'PUT /api/referrals/rules': { most: 8, ask: () => ({ as: admin, body: { reward: 3 } }) },
  'PUT /api/withdrawals/rules': { most: 8, ask: () => ({ as: admin, body: { minimum: 20 } }) },
  'PUT /api/withdrawals/:id/approve': {
    most: 10,
    ask: async () => ({ path: `/withdrawals/${await withdrawal()}/approve`, as: admin }),
  },
  'PUT /api/withdrawals/:id/pay-by-hand': {
    most: 11,
    ask: async () => ({ path: `/withdrawals/${await withdrawal()}/pay-by-hand`, as: admin, body: { transactionId: `7${Date.now()}` } }),
  },
  'PUT /api/withdrawals/:id/decline': {
    most: 12,
    ask: async () => ({ path: `/withdrawals/${await withdrawal()}/decline`, as: admin, body: { reason: 'Wrong number' } }),
  },
  'PUT /api/withdrawals/:id/check': { most: 3, ask: async () => ({ path: `/withdrawals/${await withdrawal()}/check`, as: admin }) },
  'PUT /api/recharge/:id/reopen': {
    most: 7,
    ask: async () => {
      const id = await recharge()
      await call(shop, 'PUT', `/recharge/${id}/decline`, { as: admin })
      return { path: `/recharge/${id}/reopen`, as: admin }
    },
  },
  'GET /api/claim': { most: 2, ask: () => ({ as: buyer }) },
  'POST /api/claim': { most: 8, ask: async () => ({ as: await makeUser(shop), body: { transactionId: '83724298138' } }) },
  'GET /api/forwarder': { most: 4, ask: () => ({ as: admin }) },
  'POST /api/forwarder': { most: 11, ask: () => ({ as: admin, body: { name: 'Till', app: 'sms-gateway', networks: ['MTN'] } }) },
  'PUT /api/forwarder/rules': { most: 8, ask: () => ({ as: admin, body: { claim: 0 } }) },
  'POST /api/forwarder/read-again': { most: 13, ask: () => ({ as: admin, body: {} }) },
  'GET /api/message-format': { most: 3, ask: () => ({ as: admin }) },
  'GET /api/message-format/versions': { most: 2, ask: () => ({ as: admin, query: { network: 'MTN', name: 'bill' } }) },
  'POST /api/message-format/try': { most: 2, ask: () => ({ as: admin, body: { text: messages(1) } }) },
  'PUT /api/message-format': {
    most: 10,
    ask: (size) => ({
      as: admin,
      body: {
        network: 'MTN',
        name: `new ${size}`,
        kind: 'credit',
        words: `Came in ${size}: {amount} from {payer}. ID: {id}`,
        senders: [],
        samples: [`Came in ${size}: GHS 5.00 from AMA. ID: 51234567890`],
        on: true,
        version: 0,
      },
    }),
  },
  'POST /api/forwarder/:id/rotate': { most: 5, ask: () => ({ path: `/forwarder/${nobody}/rotate`, as: admin, status: 404 }) },
  'DELETE /api/forwarder/:id': { most: 5, ask: () => ({ path: `/forwarder/${nobody}`, as: admin, status: 404 }) },
  'PUT /api/forwarder/:id/balance': {
    most: 19,
    ask: async (size) => ({ path: `/forwarder/${await phoneWithMessages(size)}/balance`, as: admin, body: { network: 'MTN', balance: 1 } }),
  },
  'GET /api/forwarder/:id/messages': {
    most: 2,
    ask: async (size) => ({ path: `/forwarder/${await phoneWithMessages(size)}/messages`, as: admin }),
  },
  'POST /api/forwarder/:id/message': {
    most: 27,
    ask: async (size) => {
      const id = await phoneWithMessages(size)
      return {
        path: `/forwarder/${id}/message`,
        body: { sender: 'MobileMoney', text: messages(1) },
        headers: { 'x-forwarder-key': phoneKey },
      }
    },
  },
  'GET /api/received-payment': { most: 3, ask: () => ({ as: admin, ...page }) },
  'GET /api/received-payment (search)': { most: 3, ask: () => ({ as: admin, ...search }) },
  'GET /api/received-payment/matches': {
    most: 8,
    ask: async (size) => {
      await paymentMessages(size)
      return { as: admin }
    },
  },
  'POST /api/received-payment/messages': { most: 16, ask: (size) => ({ as: admin, body: { text: messages(size) } }) },
  'POST /api/received-payment/statement': { most: 15, ask: (size) => ({ as: admin, body: statementBody(statementRows(size)) }) },
  'POST /api/received-payment/approve': {
    most: 22,
    perItem: 16,
    ask: async (size) => ({ as: admin, body: { matches: await certainMatches(size) } }),
  },
  'POST /api/received-payment/:id/credit': {
    most: 16,
    ask: async () => ({
      path: `/received-payment/${await paymentMessages(1)}/credit`,
      as: admin,
      body: { amount: 60, userId: (await makeUser(shop))._id },
    }),
  },
  'PUT /api/received-payment/:id/set-aside': {
    most: 7,
    ask: async () => ({ path: `/received-payment/${await paymentMessages(1)}/set-aside`, as: admin, body: { how: 'keep' } }),
  },
  'POST /api/received-payment/:id/take-back': {
    most: 17,
    ask: async () => {
      const id = await paymentMessages(1)
      await call(shop, 'POST', `/received-payment/${id}/credit`, { as: admin, body: { amount: 60, userId: (await makeUser(shop))._id } })
      return { path: `/received-payment/${id}/take-back`, as: admin, body: { reason: 'Not yours' } }
    },
  },
  'PUT /api/recharge/:id/paid': { most: 5, ask: async () => ({ path: `/recharge/${await recharge()}/paid`, as: admin, status: 404 }) },
  'POST /api/payment (top-up)': {
    most: 11,
    ask: async (size) => ({ as: await makeUser(shop), body: { purpose: 'top-up', amount: 5.5 * size, items: Array(size).fill(line) } }),
  },
  'POST /api/payment': { most: 7, ask: (size) => ({ as: buyer, body: { purpose: 'order', items: Array(size).fill(line) } }) },
  'POST /api/payment/list': {
    most: 11,
    ask: agentWithList,
  },
  'POST /api/payment/:reference/confirm': {
    most: 9,
    ask: async (size) => ({ path: `/payment/${await payment(size)}/confirm`, as: buyer }),
  },
  'POST /api/payment/:reference/release': {
    most: 6,
    ask: async (size) => ({ path: `/payment/${await payment(size)}/release`, as: admin, body: { reason: 'They called us' }, status: 409 }),
  },
  'GET /api/whatsapp/webhook': { most: 0, ask: () => ({ status: 403 }) },
  'POST /api/whatsapp/webhook': { most: 0, ask: () => ({ body: {}, status: 401 }) },
  'GET /api/user/me/whatsapp': { most: 3, ask: () => ({ as: buyer }) },
  'POST /api/user/me/whatsapp': { most: 8, ask: () => ({ as: buyer }) },
  'DELETE /api/user/me/whatsapp': { most: 5, ask: () => ({ as: buyer }) },
  'GET /api/admin/whatsapp': { most: 4, ask: () => ({ as: admin }) },
  'PUT /api/admin/whatsapp': { most: 7, ask: () => ({ as: admin, body: { dailyCap: 900 } }) },
  'POST /api/admin/whatsapp/test': { most: 8, ask: () => ({ as: admin, body: { phone: '0241239876' } }) },
  'POST /api/payment/webhook': { most: 0, ask: () => ({ body: {}, status: 401 }) },
  'GET /api/admin/channel/:channel': { most: 3, ask: () => ({ path: '/admin/channel/ussd', as: admin }) },
  'PUT /api/admin/channel/:channel': { most: 8, ask: () => ({ path: '/admin/channel/ussd', as: admin, body: { isOn: true } }) },
  'GET /api/admin/ussd': { most: 3, ask: () => ({ as: admin }) },
  'PUT /api/admin/ussd': { most: 8, ask: () => ({ as: admin, body: { mostCharacters: 150 } }) },
  'POST /api/admin/ussd/address': { most: 7, ask: () => ({ as: admin }) },
  'GET /api/admin/ussd/test': { most: 7, ask: () => ({ as: admin }) },
  'POST /api/ussd/:secret': { most: 2, ask: () => ({ path: '/ussd/made-up', body: {}, status: 404 }) },
  'POST /api/supplier/webhook/:secret': { most: 1, ask: () => ({ path: `/supplier/webhook/${'A'.repeat(64)}`, body: {}, status: 404 }) },

  'POST /api/product/create': { most: 12, ask: (size) => ({ as: admin, body: newProduct(size) }) },
  'PUT /api/product/:id': {
    most: 15,
    ask: async (size) => ({ path: `/product/${(await product())._id}`, as: admin, body: { ...newProduct(size), status: 'available' } }),
  },
  'PUT /api/product/:id/status': {
    most: 9,
    ask: async () => ({ path: `/product/${(await product())._id}/status`, as: admin, body: { status: 'out of stock' } }),
  },
  'DELETE /api/product/:id': { most: 9, ask: async () => ({ path: `/product/${(await product())._id}`, as: admin }) },
  'PUT /api/extra/notice': { most: 8, ask: () => ({ as: admin, body: { noticeContent: 'Open on Sundays too' } }) },
  'PUT /api/extra/momo-details': { most: 9, ask: () => ({ as: admin, body: { momoPhoneNumber: '0240000001', momoAccountName: 'Dwadi' } }) },
  'PUT /api/admin/settings': { most: 9, ask: (size) => ({ as: admin, body: { smsDailyCap: 400 + size } }) },
  'POST /api/admin/prices/publish': {
    most: 23,
    ask: async (size) => ({ as: admin, body: { changes: await newPrices(size), costs: await newCosts(size) } }),
  },
  'POST /api/admin/price-schedules': {
    most: 17,
    ask: async (size) => ({ as: admin, body: { liveAt: inAnHour(), changes: await newPrices(size) } }),
  },
  'DELETE /api/admin/price-schedules/:id': { most: 6, ask: () => ({ path: `/admin/price-schedules/${nobody}`, as: admin, status: 404 }) },
  'POST /api/admin/prices/:id/undo': { most: 7, ask: () => ({ path: `/admin/prices/${nobody}/undo`, as: admin, status: 404 }) },
  'POST /api/admin/suppliers/:name/retry': {
    most: 12,
    ask: async (size) => ({ path: await held('hubnet', size, 'retry'), as: admin }),
  },
  'POST /api/admin/suppliers/:name/release': {
    most: 20,
    perItem: 5,
    ask: async (size) => ({ path: await held('remadata', size, 'release'), as: admin }),
  },
  'PUT /api/admin/suppliers/balance': { most: 10, ask: (size) => ({ as: admin, body: { network: 'MTN', balance: size } }) },
  'GET /api/admin/suppliers/order': { most: 8, ask: () => ({ as: admin }) },
  'PUT /api/admin/suppliers/order': { most: 15, ask: (size) => ({ as: admin, body: { verificationDays: 1 + (size % 3), seen: {} } }) },
  'PUT /api/admin/suppliers/settings': { most: 8, ask: (size) => ({ as: admin, body: { alarmHours: 1 + (size % 3) } }) },
  'POST /api/admin/jobs/:id/retry': { most: 5, ask: () => ({ path: `/admin/jobs/${nobody}/retry`, as: admin, status: 404 }) },
  'POST /api/admin/jobs/:id/dismiss': {
    most: 14,
    ask: async () => ({ path: `/admin/jobs/${await failedJob()}/dismiss`, as: admin, body: { reason: 'sent by hand' } }),
  },
}

const counting = new AsyncLocalStorage<{ statements: string[] }>()
const { query } = pg.Client.prototype
const { connect } = pg.Pool.prototype

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
let agent: SignedInUser
let line: Awaited<ReturnType<typeof cartLine>>

beforeAll(async () => {
  // Counted where each statement leaves for the database, whoever sends it, by the request that it is sent for.
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text?: string }]
    counting.getStore()?.statements.push(typeof first === 'string' ? first : (first.text ?? 'a stream'))
    return Reflect.apply(query, this, args)
  } as typeof query
  // Who waits for a connection is served by whoever gives one back, and would be counted there.
  pg.Pool.prototype.connect = function bound(this: pg.Pool, done?: (...args: unknown[]) => void) {
    return Reflect.apply(connect, this, done ? [AsyncResource.bind(done)] : [])
  } as typeof connect
  // Its rows are written without their entries, which a check of the books on a slow machine would pause purchases for.
  const timings = { reconcileEveryMs: 3_600_000 }
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' }, timings })
  await shop.database.db.query('update agent_shop_rules set new_shops = true')
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 100_000 })
  agent = await makeUser(shop, { level: 'Agent' })
  line = await cartLine(shop)
})
afterAll(async () => {
  pg.Client.prototype.query = query
  pg.Pool.prototype.connect = connect
  await shop.close()
})

test('every route has a line', () => {
  const found = readRoutes(shop.app)
    .filter(({ method, path }) => !/\/\*$|^\/api\/sandbox/.test(path) && ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    .map(({ method, path }) => `${method} ${path}`)
  const lines = Object.keys(ROUTES).filter((route) => !route.endsWith(')'))
  expect(found.toSorted()).toEqual(lines.toSorted())
})

describe('with fifty rows as many statements as with one', () => {
  const counts = new Map<string, string[][]>()
  beforeAll(async () => {
    let rows = 0
    for (const size of SIZES) {
      await addRows(size - rows)
      rows = size
      for (const [route, { ask }] of Object.entries(ROUTES)) {
        counts.set(route, [...(counts.get(route) ?? []), await statementsOf(route, await ask(size))])
      }
    }
  })

  test.each(Object.entries(ROUTES))('%s', (route, { most, perItem = 0 }) => {
    const [one, fifty] = counts.get(route) as [string[], string[]]
    expect(one.length, one.join('\n')).toBeLessThanOrEqual(most)
    expect(fifty.length, fifty.join('\n')).toBeLessThanOrEqual(one.length + perItem * 49)
  })

  test('a statement too many is seen', async () => {
    const seen: { statements: string[] } = { statements: [] }
    await counting.run(seen, async () => {
      for (let index = 0; index < 3; index++) await shop.database.db.query('select 1')
    })
    expect(seen.statements).toEqual(['select 1', 'select 1', 'select 1'])
  })
})

async function statementsOf(route: string, { path, as, status = 200, ...options }: Ask): Promise<string[]> {
  const [method, pattern = ''] = route.split(' ') as [Method, string]
  const seen: { statements: string[] } = { statements: [] }
  const reply = await counting.run(seen, () =>
    call<unknown>(shop, method, path ?? pattern.replace('/api', ''), { ...options, ...(as ? { as } : {}) }),
  )
  expect([route, reply.status, reply.status === status ? null : reply.body]).toEqual([route, status, null])
  return seen.statements
}

async function keeper(): Promise<{ as: SignedInUser; shopId: string }> {
  const as = await makeUser(shop, { level: 'Agent' })
  return { as, shopId: await openShopOf(shop, as._id) }
}

async function shopLink(): Promise<string> {
  const { shopId } = await keeper()
  const { rows } = await shop.database.db.query<{ slug: string }>('select slug from agent_shops where id = $1', [shopId])
  return (rows[0] as { slug: string }).slug
}

async function withdrawal(): Promise<string> {
  return makeWithdrawal(shop, (await makeUser(shop, { level: 'Agent' }))._id)
}

/** As many more of everything that a list shows, and of what its rows point at. */
async function addRows(count: number) {
  const { db } = shop.database
  await db.query(
    `with made as (
       insert into users (username, username_skeleton, email, phone, password_hash)
       select 'many ' || tag, 'many-' || tag, 'many' || tag || '@example.com', '029' || lpad(tag::text, 7, '0'), 'none'
       from (select n + (select count(*) from users) as tag from generate_series(1, $1::int) n) tags returning id
     )
     select create_wallet(id) from made`,
    [count],
  )
  await orders(count)
  await db.query(
    `insert into recharges (recharge_id, user_id, amount_pesewas, created_at)
     select (10000000 + n + (select count(*) from recharges))::text, (select id from users order by seq desc offset n - 1 limit 1), 5000, now()
     from generate_series(1, $1::int) n`,
    [count],
  )
  await db.query(
    `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, reason, received_pesewas, created_at, settled_at)
     select substr(md5(n || random()::text), 1, 20), (select id from users order by seq desc offset n - 1 limit 1), 'agent-upgrade', 5000, 150,
       'held', 'paid in NGN, not in GHS', 0, now(), now()
     from generate_series(1, $1::int) n`,
    [count],
  )
  await db.query(
    `insert into admin_actions (actor_id, action, subject_type, subject_id, created_at)
     select (select id from users order by seq desc offset n - 1 limit 1), 'user.level', 'user', (select id from users order by seq desc offset n - 1 limit 1), now()
     from generate_series(1, $1::int) n`,
    [count],
  )
  await db.query(
    `with made as (
       insert into products (network, image_hash, created_at)
       select 'Telecel', (select hash from images limit 1), now() from generate_series(1, $1::int) returning id
     )
     insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) select id, 1, '1GB', 500, 450 from made`,
    [count],
  )
}

async function orders(count: number) {
  return (await checkout(shop, buyer, Array(count).fill(line))).body.orders
}

const inAnHour = () => new Date(shop.clock.now.getTime() + 3_600_000).toISOString()

/** An agent’s price that is a pesewa more for as many packages, none of which is scheduled. */
async function newPrices(size: number) {
  await shop.database.db.query('delete from price_schedules where ended_at is null')
  const { rows } = await shop.database.db.query<{ productId: string; offer: string; price: number }>(
    'select product_id as "productId", offer, price_agent_pesewas as price from packages order by product_id, offer limit $1',
    [size],
  )
  return rows.map(({ price, ...line }) => ({ ...line, priceAgent: { from: price / 100, to: (price + 1) / 100 } }))
}

async function newCosts(size: number) {
  const { rows } = await shop.database.db.query<{ productId: string; offer: string; supplier: string; from: number | null }>(
    `select product_id as "productId", offer, 'remadata' as supplier, package_cost(product_id, offer, 'remadata', now()) as from
     from packages order by product_id, offer limit $1`,
    [size],
  )
  return rows.map(({ from, ...line }) => ({ ...line, from: from === null ? null : from / 100, to: size / 100 }))
}

/** A new cost for as many packages. */
async function costsOfPackages(size: number) {
  const { rows } = await shop.database.db.query<{ productId: string; offer: string }>(
    'select product_id as "productId", offer from packages order by id limit $1',
    [size],
  )
  return rows.map((line) => ({ ...line, supplier: 'by-hand', cost: size / 100 }))
}

/** Orders that the relay has left to a person. */
async function relayed(count: number) {
  const made = await orders(count)
  await ordersRelayed(shop)
  return made
}

async function batch(count: number) {
  return makeBatch(shop, admin, await orders(count))
}

async function order() {
  return (await orders(1))[0] as Awaited<ReturnType<typeof orders>>[number]
}

/** A report with as many lines. */
async function report(lines: number): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `with made as (insert into reports (order_id, opened_at) values ($1, now()) returning id), lines as (
       insert into report_messages (report_id, user_id, from_shop, body, created_at)
       select id, $2, false, 'Hello', now() from made cross join generate_series(1, $3::int)
     )
     select id from made`,
    [(await order())._id, buyer._id, lines],
  )
  return rows[0]?.id ?? ''
}

/** A job that no supplier will ever do, with its order. */
async function failedJob(): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into jobs.job (name, source_name, data) values ('parked', 'supplier-send', $1) returning id`,
    [{ orderId: (await order())._id }],
  )
  return rows[0]?.id ?? ''
}

/** As many orders that wait at a supplier. */
async function held(supplier: string, count: number, then: string): Promise<string> {
  await shop.database.db.query(
    `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, created_at, updated_at)
     select id, reference, $1, 1000, now(), now() from orders where id = any ($2)`,
    [supplier, (await orders(count)).map(({ _id }) => _id)],
  )
  return `/admin/suppliers/${supplier}/${then}`
}

async function userId(): Promise<string> {
  return (await makeUser(shop))._id
}

/** A credit by hand, by the number of its entry. */
async function credit(chosenId: string): Promise<string> {
  await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId, amount: 5 } })
  const { rows } = await shop.database.db.query<{ id: string }>('select max(id)::text as id from journal_entries')
  return rows[0]!.id
}

let transactions = 0

/** Payment messages that no request asks for, or that name these requests. */
function messages(many: number, references: readonly string[] = []): string {
  const one = (index: number) =>
    `Payment received for GHS 60.00 from AMA SAMPLE. Reference: ${references[index] ?? 'x'}. Transaction ID: ${70_000_000_000 + ++transactions}.`
  return Array.from({ length: many }, (_, index) => one(index)).join('\n')
}

function statementRows(many: number) {
  return Array.from({ length: many }, () => ({ transactionId: String(70_000_000_000 + ++transactions), amount: '60.00' }))
}

/** Reads payment messages; the id of the last payment. */
async function paymentMessages(many: number, references: readonly string[] = []): Promise<string> {
  await call(shop, 'POST', '/received-payment/messages', { as: admin, body: { text: messages(many, references) } })
  const { rows } = await shop.database.db.query<{ id: string }>('select id from received_payments order by seq desc limit 1')
  return rows[0]!.id
}

async function certainMatches(many: number) {
  const references: string[] = []
  for (let count = 0; count < many; count++) references.push(await recharge())
  await paymentMessages(many, references)
  const { body } = await call<Matches>(shop, 'GET', '/received-payment/matches', { as: admin })
  const named = body.certain.filter(({ request }) => references.includes(request?.rechargeId ?? ''))
  return named.map(({ payment, request }) => ({ paymentId: payment._id, rechargeId: request?._id, amount: payment.amount }))
}

let phoneKey = ''

/** A phone that has brought this many messages which don't follow from its balance. */
async function phoneWithMessages(size: number): Promise<string> {
  const body = { name: 'Till', app: 'other', networks: ['MTN'] }
  const made = await call<{ forwarder: { _id: string }; key: string }>(shop, 'POST', '/forwarder', { as: admin, body })
  const id = made.body.forwarder._id
  phoneKey = made.body.key
  await call(shop, 'PUT', `/forwarder/${id}/balance`, { as: admin, body: { network: 'MTN', balance: 90_000 } })
  await shop.database.db.query(
    `insert into wallet_movements (forwarder_id, network, text_hash, opening_pesewas, closing_pesewas, read_at)
     select $1, 'MTN', sha256(n::text::bytea), 1000 + n, 900 + n, now() from generate_series(1, $2::int) n`,
    [id, size],
  )
  return id
}

async function recharge(): Promise<string> {
  const { body } = await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: await makeUser(shop), body: { amount: 60 } })
  return body.rechargeId
}

async function payment(size: number): Promise<string> {
  const body = { purpose: 'order', items: Array(size).fill(line) }
  return (await call<PaymentReply>(shop, 'POST', '/payment', { as: buyer, body })).body.reference
}

async function product(): Promise<Product> {
  const { body } = await call<{ product: Product }>(shop, 'POST', '/product/create', { as: admin, body: newProduct(1) })
  return body.product
}

function newProduct(size: number) {
  const packages = Array.from({ length: size }, (_, index) => ({ offer: `${index + 1}GB`, priceCustomer: 5, priceAgent: 4 }))
  return { network: 'Telecel', image: PIXEL, packages }
}

function newUser() {
  const tag = randomUUID().replaceAll(/[^a-f]/g, '')
  return {
    username: `new ${tag}`,
    email: `${tag}@example.com`,
    phone: `055${Math.floor(Math.random() * 1e7)
      .toString()
      .padStart(7, '0')}`,
    password: PASSWORD,
  }
}

/** A picture of one pixel. */
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../server/platform/hash-token.ts'
import type { UserLevel } from '../shared/users.ts'
import { AFA_FORM, makeAfaOrder, newGhanaCard } from './afa.ts'
import {
  makeInvitation,
  makePayoutCode,
  makePayoutNumber,
  makeRefund,
  makeRefundCode,
  makeWithdrawal,
  openShopOf,
  shopNameOf,
} from './agent-shop.ts'
import { openTestShop, type TestShop } from './app.ts'
import {
  call,
  cartLine,
  checkout,
  findProduct,
  hashQuickly,
  makePaymentOnHold,
  makeUser,
  ordersRelayed,
  PASSWORD,
  setUpCode,
} from './builders.ts'
import { makeRefundedByCard } from './card-orders.ts'
import { makeCheckerOrder, makeCode, makeUnsoldCode, stockCheckers } from './checkers.ts'
import { makeNumberCode } from './confirmations.ts'
import { isWaitedFor } from './locks.ts'
import { readRoutes } from './read-routes.ts'
import { until } from './until.ts'

// Rights that are taken away between the look at the session and the write: the write is refused and changes nothing.
// Each route that writes stands here, so that a new one without the look fails.

type Asker = { _id: string; token: string }
type Ask = { path: string; body?: unknown; headers?: Record<string, string> }
type Write = {
  by: 'admin' | 'customer'
  /** What a revoked asker's request waits for; by default the asker's own row. A purchase waits for the wallet. */
  waitsFor?: 'wallet'
  ask: (as: Asker) => Ask | Promise<Ask>
}

const FORM = { network: 'MTN', name: 'bill', kind: 'money-out', words: null, senders: [], samples: [], on: false, version: 0 }

/** Writes that take no session, and what a session may begin although it ends meanwhile. */
const EXEMPT: Record<string, string> = {
  'POST /api/user/register': 'anyone',
  'POST /api/user/register/code': 'anyone',
  'POST /api/user/login': 'anyone',
  'POST /api/shops/order/:reference/afa': 'anyone who has the reference of a guest’s order',
  'POST /api/user/forget-password': 'anyone',
  'POST /api/user/reset-password/:token': 'anyone',
  'POST /api/user/reset-password/:token/keep': 'anyone',
  'POST /api/payment/webhook': 'the card provider, by its signature',
  'POST /api/supplier/webhook/:secret': 'the supplier, by its secret',
  'POST /api/ussd/:secret': 'the USSD gateway, by its secret',
  'POST /api/forwarder/:id/message': 'a phone of the shop, by its key',
  'POST /api/whatsapp/webhook': 'WhatsApp, by its signature',
  'POST /api/user/me/sessions/end': "ends the asker's own sessions, which is all that it could lose",
  'POST /api/user/me/confirm-password': 'notes it in the session, in the statement that checks the session',
  'POST /api/user/me/second-factor/confirm': 'needs a code of the moment; second-factor.test.ts',
  'POST /api/user/logout': 'ends the session, which is all that it could lose',
  'POST /api/proxy': 'reads',
  'POST /api/bulk/preview': 'reads',
  'POST /api/message-format/try': 'reads',
  'POST /api/track': 'anyone',
  'POST /api/track/:reference/checkers': 'anyone who has the reference of a guest’s order and its number; reads',
  'POST /api/track/:reference/checkers/send': 'anyone who has the reference of a guest’s order and its number',
  'POST /api/admin/checkers/check': 'reads',
  'POST /api/shops/:slug/payment': 'anyone',
  'POST /api/shops/:slug/afa': 'anyone',
  'POST /api/shops/order/:reference/report': 'anyone who has the reference of a guest’s order',
  'POST /api/shops/payment/:reference/confirm': 'anyone who has the reference of a guest’s payment',
  'POST /api/shops/payment/:reference/refund-codes': 'anyone who has the reference of a guest’s payment',
  'POST /api/shops/order/:reference/refund-code': 'anyone who has the reference of a guest’s order; it goes to the guest’s own number',
  'PUT /api/refunds/:id/check': 'asks the provider, as the shop does by itself',
  'POST /api/user/debits/dismiss': 'takes a notice off the own screen',
  'PUT /api/withdrawals/:id/check': 'asks the provider, as the shop does by itself',
  'POST /api/payment/:reference/confirm': 'settles what was paid, as the shop does by itself',
}

const SAVED_GROUP = { name: 'Staff', lines: [{ name: '', phoneNumber: '0244123456', network: 'MTN', offer: '1GB' }] }
const MONDAYS = { groupId: randomUUID(), repeats: 'weekly', day: null, weekday: 1, monthDay: null, time: '08:00', most: 1 }

async function withPin(as: Asker, path: string, body: Record<string, unknown>) {
  await call(shop, 'POST', '/user/me/pin', { as, body: { password: PASSWORD, pin: '7392', atCheckout: true } })
  return { path, body }
}

async function givenAfa(): Promise<string> {
  const buyer = await makeUser(shop, { balance: 20 })
  const order = await makeAfaOrder(shop, buyer)
  await call(shop, 'POST', `/order/${order}/afa`, { as: buyer, body: { ...AFA_FORM, ghanaCard: newGhanaCard() } })
  return order
}

const WRITES: Record<string, Write> = {
  'PUT /api/user/me/password': {
    by: 'customer',
    ask: () => ({ path: '/user/me/password', body: { password: PASSWORD, newPassword: 'seven green umbrellas' } }),
  },
  'PUT /api/user/me/contact': {
    by: 'customer',
    ask: () => ({ path: '/user/me/contact', body: { password: PASSWORD, phone: '0241239876' } }),
  },
  'POST /api/user/me/whatsapp': { by: 'customer', ask: () => ({ path: '/user/me/whatsapp', body: {} }) },
  'DELETE /api/user/me/whatsapp': { by: 'customer', ask: () => ({ path: '/user/me/whatsapp', body: {} }) },
  'PUT /api/admin/whatsapp': { by: 'admin', ask: () => ({ path: '/admin/whatsapp', body: { dailyCap: 7 } }) },
  'POST /api/admin/whatsapp/test': { by: 'admin', ask: () => ({ path: '/admin/whatsapp/test', body: { phone: '0241239876' } }) },
  'POST /api/user/me/pin': {
    by: 'customer',
    ask: () => ({ path: '/user/me/pin', body: { password: PASSWORD, pin: '7392', atCheckout: true } }),
  },
  'PUT /api/user/me/pin': { by: 'customer', ask: (as) => withPin(as, '/user/me/pin', { currentPin: '7392', pin: '8251' }) },
  'POST /api/user/me/pin/end': { by: 'customer', ask: (as) => withPin(as, '/user/me/pin/end', { currentPin: '7392' }) },
  'POST /api/user/me/pin/proof': { by: 'customer', ask: (as) => withPin(as, '/user/me/pin/proof', { pin: '7392' }) },
  'POST /api/user/me/pin/reset-code': { by: 'customer', ask: (as) => withPin(as, '/user/me/pin/reset-code', { password: PASSWORD }) },
  'POST /api/user/me/pin/reset': {
    by: 'customer',
    ask: async (as) => {
      const asked = await withPin(as, '/user/me/pin/reset', { password: PASSWORD, pin: '8251' })
      await shop.database.db.query(`update transaction_pins set reset_asked_at = $2::timestamptz - interval '1 day' where user_id = $1`, [
        as._id,
        shop.clock.now,
      ])
      return asked
    },
  },
  'POST /api/afa': { by: 'customer', ask: () => ({ path: '/afa', body: { ...AFA_FORM, ghanaCard: newGhanaCard() } }) },
  'POST /api/order/:id/afa': {
    by: 'customer',
    ask: async (as) => ({ path: `/order/${await makeAfaOrder(shop, as)}/afa`, body: AFA_FORM }),
  },
  'POST /api/admin/afa/:id/reveal': {
    by: 'admin',
    ask: async () => ({ path: `/admin/afa/${await givenAfa()}/reveal`, body: { reason: 'They called' } }),
  },
  'POST /api/admin/afa/export': {
    by: 'admin',
    ask: async () => {
      await givenAfa()
      return { path: '/admin/afa/export', body: {} }
    },
  },
  'PUT /api/admin/staff/rules': { by: 'admin', ask: () => ({ path: '/admin/staff/rules', body: { secondPersonAbove: 7 } }) },
  'PUT /api/admin/staff/:id': {
    by: 'admin',
    ask: async () => ({ path: `/admin/staff/${await customer()}`, body: { roles: ['owner'] } }),
  },
  'POST /api/admin/staff/:id/reset-code': {
    by: 'admin',
    ask: async () => {
      const helper = await makeUser(shop, { roles: ['finance'] })
      await setUpCode(shop, helper)
      return { path: `/admin/staff/${helper._id}/reset-code`, body: {} }
    },
  },
  'POST /api/user/me/second-factor': { by: 'admin', ask: () => ({ path: '/user/me/second-factor', body: {} }) },
  'POST /api/user/me/second-factor/end': {
    by: 'admin',
    ask: async (as) => {
      const { recoveryCodes } = await setUpCode(shop, as)
      return { path: '/user/me/second-factor/end', body: { code: recoveryCodes[0] } }
    },
  },
  'POST /api/user/me/recovery-codes': {
    by: 'admin',
    ask: async (as) => {
      const { recoveryCodes } = await setUpCode(shop, as)
      return { path: '/user/me/recovery-codes', body: { code: recoveryCodes[0] } }
    },
  },
  'POST /api/admin/approvals/:id/approve': {
    by: 'admin',
    ask: async () => ({ path: `/admin/approvals/${await approval()}/approve`, body: { hash: 'ab'.repeat(32) } }),
  },
  'POST /api/admin/price-proposals/:id/approve': {
    by: 'admin',
    ask: async () => ({ path: `/admin/price-proposals/${await priceProposal()}/approve`, body: { hash: 'ab'.repeat(32) } }),
  },
  'POST /api/admin/approvals/:id/decline': {
    by: 'admin',
    ask: async () => ({ path: `/admin/approvals/${await approval()}/decline`, body: {} }),
  },
  'PUT /api/user/:id/level': { by: 'admin', ask: async () => ({ path: `/user/${await customer()}/level`, body: { userLevel: 'Admin' } }) },
  'PUT /api/user/:id/status': { by: 'admin', ask: async () => ({ path: `/user/${await customer()}/status`, body: { status: 'Banned' } }) },
  'PUT /api/user/balance': {
    by: 'admin',
    ask: async () => ({ path: '/user/balance', body: { chosenId: await customer(), amount: 9_999_999 } }),
  },
  'POST /api/admin/customers/:id/credit/undo': {
    by: 'admin',
    ask: async () => {
      const _id = await customer()
      return { path: `/admin/customers/${_id}/credit/undo`, body: { entry: await credit(_id) } }
    },
  },
  'POST /api/admin/customers/:id/sessions/end': {
    by: 'admin',
    ask: async () => ({ path: `/admin/customers/${await customer()}/sessions/end`, body: {} }),
  },
  'POST /api/admin/customers/:id/notes': {
    by: 'admin',
    ask: async () => ({ path: `/admin/customers/${await customer()}/notes`, body: { text: 'Gets everything free' } }),
  },
  'DELETE /api/admin/customers/:id/notes/:note': {
    by: 'admin',
    ask: async (as) => {
      const _id = await customer()
      return { path: `/admin/customers/${_id}/notes/${await note(_id, as._id)}`, body: {} }
    },
  },
  'PUT /api/order/update-status/:id': {
    by: 'admin',
    ask: async () => ({ path: `/order/update-status/${await order()}`, body: { status: 'rejected' } }),
  },
  'POST /api/order/decide-many': {
    by: 'admin',
    ask: async () => ({ path: '/order/decide-many', body: { ids: [await order(), await order()], status: 'completed' } }),
  },
  'PUT /api/admin/orders/:id/query-status': {
    by: 'admin',
    ask: async () => ({ path: `/admin/orders/${await sentOrder('failed')}/query-status`, body: {} }),
  },
  'PUT /api/admin/orders/:id/send-again': {
    by: 'admin',
    ask: async () => ({
      path: `/admin/orders/${await sentOrder('waiting')}/send-again`,
      body: { to: 'by-hand', supplierStatus: 'waiting' },
    }),
  },
  'PUT /api/admin/orders/:id/receiver': {
    by: 'admin',
    ask: async () => ({
      path: `/admin/orders/${await relayedOrder()}/receiver`,
      body: { receiver: '0249999999', seen: line.phoneNumber, agreedBy: 'Kojo', consent: 'call' },
    }),
  },
  'POST /api/admin/batches': {
    by: 'admin',
    ask: async () => ({ path: '/admin/batches', body: { key: randomUUID(), network: 'MTN', ids: [await relayedOrder()] } }),
  },
  'PUT /api/admin/batches/:number/exported': {
    by: 'admin',
    ask: async () => ({ path: `/admin/batches/${(await batch()).number}/exported`, body: {} }),
  },
  'PUT /api/admin/batches/:number/settle': {
    by: 'admin',
    ask: async () => {
      const { number, ids } = await batch()
      return { path: `/admin/batches/${number}/settle`, body: { completed: ids.slice(0, 1), released: ids.slice(1) } }
    },
  },
  'PUT /api/admin/batches/:number/format': {
    by: 'admin',
    ask: async () => ({
      path: `/admin/batches/${(await batch()).number}/format`,
      body: { file: 'csv', columns: ['number', 'gb'], withHeader: true, numberFormat: 'plus' },
    }),
  },
  'POST /api/order/:id/checkers/send': {
    by: 'customer',
    ask: async (as) => {
      const { order } = await makeCheckerOrder(shop, as)
      return { path: `/order/${order._id}/checkers/send`, body: { by: 'email' } }
    },
  },
  'POST /api/admin/checkers/imports': {
    by: 'admin',
    ask: () => ({ path: '/admin/checkers/imports', body: { kind: 'wassce', distributor: 'Kwame', unitCost: 15, lines: [makeCode()] } }),
  },
  'POST /api/admin/checker-codes/:code/void': {
    by: 'admin',
    ask: async () => ({ path: `/admin/checker-codes/${await makeUnsoldCode(shop)}/void`, body: { reason: 'Already used' } }),
  },
  'POST /api/admin/checkers/imports/:id/take-back': {
    by: 'admin',
    ask: async () => ({ path: `/admin/checkers/imports/${(await stockCheckers(shop, 'BECE', 1)).importId}/take-back`, body: {} }),
  },
  'PUT /api/admin/checkers/kinds/:kind': {
    by: 'admin',
    ask: () => ({ path: '/admin/checkers/kinds/bece', body: { name: 'BECE', portal: 'https://thief.example', lowStock: 1 } }),
  },
  'PUT /api/admin/checkers/packages': {
    by: 'admin',
    ask: async () => ({
      path: '/admin/checkers/packages',
      body: { productId: (await findProduct(shop, 'WAEC Checkers'))._id, offer: 'BECE', kind: 'novdec', units: 2 },
    }),
  },
  'POST /api/admin/order/:id/checkers/reveal': {
    by: 'admin',
    ask: async () => ({ path: `/admin/order/${(await makeCheckerOrder(shop)).order._id}/checkers/reveal`, body: { reason: 'I look' } }),
  },
  'POST /api/admin/order/:id/checkers/send': {
    by: 'admin',
    ask: async () => ({ path: `/admin/order/${(await makeCheckerOrder(shop)).order._id}/checkers/send`, body: {} }),
  },
  'POST /api/admin/checker-codes/:code/replace': {
    by: 'admin',
    ask: async () => ({ path: `/admin/checker-codes/${(await makeCheckerOrder(shop)).code}/replace`, body: { reason: 'Used already' } }),
  },
  'PUT /api/admin/reports/:id/end': {
    by: 'admin',
    ask: async () => ({ path: `/admin/reports/${await report(buyer)}/end`, body: { outcome: 'refunded', text: 'It never came' } }),
  },
  'POST /api/report/:id/message': {
    by: 'customer',
    ask: async (as) => ({ path: `/report/${await report(as)}/message`, body: { text: 'Hello?' } }),
  },
  'POST /api/order/:id/report': {
    by: 'customer',
    ask: async (as) => ({ path: `/order/${await oldOrder(as)}/report`, body: { text: 'Nothing came' } }),
  },
  'PUT /api/recharge/:id/approve': { by: 'admin', ask: async () => ({ path: `/recharge/${await recharge()}/approve`, body: {} }) },
  'PUT /api/recharge/:id/decline': { by: 'admin', ask: async () => ({ path: `/recharge/${await recharge()}/decline`, body: {} }) },
  'PUT /api/recharge/:id/reopen': {
    by: 'admin',
    ask: async () => {
      const id = await recharge()
      await shop.database.db.query(`update recharges set status = 'declined', decided_at = now() where id = $1`, [id])
      return { path: `/recharge/${id}/reopen`, body: {} }
    },
  },
  'POST /api/received-payment/messages': {
    by: 'admin',
    ask: () => ({
      path: '/received-payment/messages',
      body: { text: 'Payment received for GHS 101.00 from AMA SAMPLE. Reference: x. Transaction ID: 83724298138.' },
    }),
  },
  'POST /api/received-payment/statement': {
    by: 'admin',
    ask: () => ({
      path: '/received-payment/statement',
      body: {
        network: 'MTN',
        headings: ['Transaction ID', 'Amount', 'Type'],
        rows: [['83724298139', '60.00', 'Money in']],
        columns: { transactionId: 0, amount: 1, direction: 2 },
      },
    }),
  },
  'POST /api/received-payment/approve': {
    by: 'admin',
    ask: async () => {
      const rechargeId = await recharge()
      const paymentId = await receivedPayment(rechargeId)
      return { path: '/received-payment/approve', body: { matches: [{ paymentId, rechargeId, amount: 50 }] } }
    },
  },
  'POST /api/received-payment/:id/credit': {
    by: 'admin',
    ask: async () => ({
      path: `/received-payment/${await receivedPayment()}/credit`,
      body: { amount: 50, userId: await customer() },
    }),
  },
  'PUT /api/received-payment/:id/set-aside': {
    by: 'admin',
    ask: async () => ({ path: `/received-payment/${await receivedPayment()}/set-aside`, body: { how: 'dismiss' } }),
  },
  'POST /api/received-payment/:id/take-back': {
    by: 'admin',
    ask: async () => ({ path: `/received-payment/${await creditedPayment()}/take-back`, body: { reason: 'Not yours' } }),
  },
  'POST /api/product/create': { by: 'admin', ask: () => ({ path: '/product/create', body: newProduct }) },
  'PUT /api/product/:id': { by: 'admin', ask: () => ({ path: `/product/${productId}`, body: { ...newProduct, status: 'available' } }) },
  'PUT /api/product/:id/status': { by: 'admin', ask: () => ({ path: `/product/${productId}/status`, body: { status: 'out of stock' } }) },
  'DELETE /api/product/:id': { by: 'admin', ask: () => ({ path: `/product/${productId}`, body: {} }) },
  'PUT /api/extra/notice': { by: 'admin', ask: () => ({ path: '/extra/notice', body: { noticeContent: 'Closed' } }) },
  'PUT /api/extra/momo-details': {
    by: 'admin',
    ask: () => ({ path: '/extra/momo-details', body: { momoPhoneNumber: '0240000009', momoAccountName: 'Somebody else' } }),
  },
  'POST /api/admin/prices/publish': {
    by: 'admin',
    ask: () => ({ path: '/admin/prices/publish', body: { changes: [{ productId, offer: '5GB', hidden: { from: false, to: true } }] } }),
  },
  'POST /api/admin/price-schedules': {
    by: 'admin',
    ask: () => ({
      path: '/admin/price-schedules',
      body: { liveAt: inAnHour(), changes: [{ productId, offer: '5GB', hidden: { from: false, to: true } }] },
    }),
  },
  'DELETE /api/admin/price-schedules/:id': {
    by: 'admin',
    ask: async (as) => ({ path: `/admin/price-schedules/${await priceSchedule(as)}`, body: {} }),
  },
  'POST /api/admin/prices/:id/undo': {
    by: 'admin',
    ask: async (as) => ({ path: `/admin/prices/${await pricePublication(as)}/undo`, body: {} }),
  },
  'POST /api/admin/day-close': {
    by: 'admin',
    ask: () => ({ path: '/admin/day-close', body: { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', closing: 0 } }),
  },
  'POST /api/admin/profit/uncosted': {
    by: 'admin',
    ask: () => ({ path: '/admin/profit/uncosted', body: { productId, offer: '1GB', supplier: 'by-hand', cost: 3.33 } }),
  },
  'PUT /api/admin/costs': {
    by: 'admin',
    ask: () => ({ path: '/admin/costs', body: { costs: [{ productId, offer: '1GB', supplier: 'by-hand', cost: 3.33 }] } }),
  },
  'PUT /api/admin/shop': { by: 'admin', ask: () => ({ path: '/admin/shop', body: { name: 'Somebody else’s' } }) },
  'PUT /api/admin/shop/logo': { by: 'admin', ask: () => ({ path: '/admin/shop/logo', body: { image: null } }) },
  'PUT /api/admin/shop/payment-numbers': {
    by: 'admin',
    ask: () => ({
      path: '/admin/shop/payment-numbers',
      body: { numbers: [{ network: 'MTN', phoneNumber: '0240000009', accountName: 'Somebody else' }] },
    }),
  },
  'PUT /api/admin/setup': { by: 'admin', ask: () => ({ path: '/admin/setup', body: { hidden: true } }) },
  'PUT /api/admin/settings': { by: 'admin', ask: () => ({ path: '/admin/settings', body: { smsDailyCap: 7 } }) },
  'POST /api/admin/books/check': { by: 'admin', ask: () => ({ path: '/admin/books/check', body: {} }) },
  'POST /api/admin/books/resume': { by: 'admin', ask: () => ({ path: '/admin/books/resume', body: { reason: 'looked at' } }) },
  'POST /api/admin/suppliers/:name/retry': { by: 'admin', ask: () => ({ path: '/admin/suppliers/hubnet/retry', body: {} }) },
  'POST /api/admin/suppliers/:name/release': { by: 'admin', ask: () => ({ path: '/admin/suppliers/hubnet/release', body: {} }) },
  'PUT /api/admin/suppliers/balance': {
    by: 'admin',
    ask: () => ({ path: '/admin/suppliers/balance', body: { network: 'MTN', balance: 7 } }),
  },
  'PUT /api/admin/suppliers/order': {
    by: 'admin',
    ask: () => ({ path: '/admin/suppliers/order', body: { verificationDays: 5, seen: {} } }),
  },
  'PUT /api/admin/suppliers/settings': { by: 'admin', ask: () => ({ path: '/admin/suppliers/settings', body: { alarmHours: 7 } }) },
  'POST /api/admin/jobs/:id/retry': { by: 'admin', ask: async () => ({ path: `/admin/jobs/${await failedJob()}/retry`, body: {} }) },
  'POST /api/admin/jobs/:id/dismiss': {
    by: 'admin',
    ask: async () => ({ path: `/admin/jobs/${await failedJob()}/dismiss`, body: { reason: 'sent by hand' } }),
  },
  'POST /api/payment/:reference/release': {
    by: 'admin',
    ask: async () => ({ path: `/payment/${await makePaymentOnHold(shop, buyer._id)}/release`, body: { reason: 'they called us' } }),
  },
  'PUT /api/user/news': { by: 'customer', ask: () => ({ path: '/user/news', body: { sms: false } }) },
  'POST /api/api-keys': { by: 'customer', ask: () => ({ path: '/api-keys', body: { name: 'Till', scopes: ['balance:read'] } }) },
  'POST /api/api-keys/:id/rotate': { by: 'customer', ask: () => ({ path: `/api-keys/${randomUUID()}/rotate`, body: { overlapHours: 1 } }) },
  'POST /api/webhooks': {
    by: 'customer',
    ask: () => ({ path: '/webhooks', body: { url: 'https://example.com/hooks', events: ['order.delivered'] } }),
  },
  'PUT /api/webhooks/:id': {
    by: 'customer',
    ask: () => ({ path: `/webhooks/${randomUUID()}`, body: { url: 'https://example.com/hooks', events: ['order.delivered'] } }),
  },
  'DELETE /api/webhooks/:id': { by: 'customer', ask: () => ({ path: `/webhooks/${randomUUID()}`, body: {} }) },
  'POST /api/webhooks/:id/rotate': { by: 'customer', ask: () => ({ path: `/webhooks/${randomUUID()}/rotate`, body: {} }) },
  'POST /api/webhooks/:id/test': { by: 'customer', ask: () => ({ path: `/webhooks/${randomUUID()}/test`, body: {} }) },
  'POST /api/webhooks/deliveries/:id/resend': {
    by: 'customer',
    ask: () => ({ path: `/webhooks/deliveries/${randomUUID()}/resend`, body: {} }),
  },
  'DELETE /api/api-keys/:id': { by: 'customer', ask: () => ({ path: `/api-keys/${randomUUID()}`, body: {} }) },
  'POST /api/bulk': {
    by: 'customer',
    ask: async () => {
      const { productId, offer, phoneNumber, amount } = await cartLine(shop)
      const lines = [{ number: 1, text: '', name: '', productId, offer, phoneNumber, amount }]
      return { path: '/bulk', body: { total: amount, lines }, headers: { 'idempotency-key': randomUUID() } }
    },
  },
  'POST /api/bulk-groups': { by: 'customer', ask: () => ({ path: '/bulk-groups', body: SAVED_GROUP }) },
  'PUT /api/bulk-groups/:id': { by: 'customer', ask: () => ({ path: `/bulk-groups/${randomUUID()}`, body: SAVED_GROUP }) },
  'DELETE /api/bulk-groups/:id': { by: 'customer', ask: () => ({ path: `/bulk-groups/${randomUUID()}`, body: {} }) },
  'POST /api/bulk-schedules': { by: 'customer', ask: () => ({ path: '/bulk-schedules', body: MONDAYS }) },
  'PUT /api/bulk-schedules/:id': { by: 'customer', ask: () => ({ path: `/bulk-schedules/${randomUUID()}`, body: MONDAYS }) },
  'POST /api/bulk-schedules/:id/pause': { by: 'customer', ask: () => ({ path: `/bulk-schedules/${randomUUID()}/pause`, body: {} }) },
  'POST /api/bulk-schedules/:id/resume': { by: 'customer', ask: () => ({ path: `/bulk-schedules/${randomUUID()}/resume`, body: {} }) },
  'POST /api/bulk-schedules/:id/skip': { by: 'customer', ask: () => ({ path: `/bulk-schedules/${randomUUID()}/skip`, body: {} }) },
  'DELETE /api/bulk-schedules/:id': { by: 'customer', ask: () => ({ path: `/bulk-schedules/${randomUUID()}`, body: {} }) },
  'PUT /api/contact': {
    by: 'customer',
    ask: () => ({ path: '/contact', body: { network: 'MTN', phoneNumber: '0244123456', name: 'Mum' } }),
  },
  'DELETE /api/contact/:id': { by: 'customer', ask: () => ({ path: `/contact/${randomUUID()}`, body: {} }) },
  'POST /api/recharge': { by: 'customer', ask: () => ({ path: '/recharge', body: { amount: 60 } }) },
  'POST /api/my-shop': {
    by: 'customer',
    ask: ({ _id }) => ({ path: '/my-shop', body: { ...SHOP_LOOK, name: shopNameOf(_id), slug: `of-${_id.slice(0, 8)}` } }),
  },
  'PUT /api/my-shop': {
    by: 'customer',
    ask: async ({ _id }) => ({ path: await afterOpening(_id, '/my-shop'), body: { name: shopNameOf(`another ${_id}`) } }),
  },
  'PUT /api/my-shop/logo': {
    by: 'customer',
    ask: async ({ _id }) => ({ path: await afterOpening(_id, '/my-shop/logo'), body: { image: null } }),
  },
  'PUT /api/my-shop/prices': {
    by: 'customer',
    ask: async ({ _id }) => ({
      path: await afterOpening(_id, '/my-shop/prices'),
      body: { prices: [{ productId, offer: '1GB', price: null, hidden: true }] },
    }),
  },
  'POST /api/my-shop/sub-agent-invitations': {
    by: 'customer',
    ask: async ({ _id }) => ({ path: await afterOpening(_id, '/my-shop/sub-agent-invitations'), body: {} }),
  },
  'DELETE /api/my-shop/sub-agent-invitations/:id': {
    by: 'customer',
    ask: async ({ _id }) => ({ path: await afterOpening(_id, `/my-shop/sub-agent-invitations/${randomUUID()}`), body: {} }),
  },
  'PUT /api/my-shop/sub-agents/prices': {
    by: 'customer',
    ask: async ({ _id }) => ({
      path: await afterOpening(_id, '/my-shop/sub-agents/prices'),
      body: { prices: [{ productId, offer: '1GB', price: null }] },
    }),
  },
  'POST /api/my-shop/sub-agents/:id/end': {
    by: 'customer',
    ask: async ({ _id }) => ({ path: await afterOpening(_id, `/my-shop/sub-agents/${randomUUID()}/end`), body: {} }),
  },
  'POST /api/my-shop/leave': { by: 'customer', ask: () => ({ path: '/my-shop/leave', body: {} }) },
  'POST /api/join/:code': {
    by: 'customer',
    ask: async () => ({ path: `/join/${(await makeInvitation(shop, await openShopOf(shop, await customer()))).code}`, body: {} }),
  },
  'PUT /api/agent-shops/:id': {
    by: 'admin',
    ask: async () => ({ path: `/agent-shops/${await openShopOf(shop, await customer())}`, body: { closed: 'Not yours' } }),
  },
  'PUT /api/agent-shops/rules': { by: 'admin', ask: () => ({ path: '/agent-shops/rules', body: { maxMarkup: 500 } }) },
  'POST /api/earnings/withdrawals': {
    by: 'customer',
    ask: async (as) => {
      await openShopOf(shop, as._id, 100)
      const body = { amount: 50, fee: 1, phoneNumber: '0245550100', network: 'MTN', name: 'Ama Mensah' }
      return { path: '/earnings/withdrawals', body, headers: { 'idempotency-key': randomUUID() } }
    },
  },
  'POST /api/order/:id/refund-to-source': {
    by: 'customer',
    ask: async (as) => ({ path: `/order/${(await makeRefundedByCard(shop, as._id)).orderIds[0]}/refund-to-source`, body: {} }),
  },
  'POST /api/refund-codes': {
    by: 'customer',
    ask: async () => ({ path: '/refund-codes', body: { code: (await makeRefundCode(shop)).code } }),
  },
  'PUT /api/refunds/:id/send-again': {
    by: 'admin',
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'review')).id}/send-again`, body: {} }),
  },
  'PUT /api/refunds/:id/code': {
    by: 'admin',
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'review')).id}/code`, body: {} }),
  },
  'PUT /api/refunds/:id/pay-by-hand': {
    by: 'admin',
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'review')).id}/pay-by-hand`, body: { transactionId: '51234567891' } }),
  },
  'PUT /api/refunds/:id/send-code': {
    by: 'admin',
    ask: async () => ({ path: `/refunds/${(await makeRefund(shop, 'code')).id}/send-code`, body: {} }),
  },
  'POST /api/user/me/numbers/code': {
    by: 'customer',
    ask: async () => ({ path: '/user/me/numbers/code', body: { phoneNumber: '0245550100' } }),
  },
  'POST /api/user/me/numbers': {
    by: 'customer',
    ask: async (as) => ({ path: '/user/me/numbers', body: await makeNumberCode(shop, as, '0245550100') }),
  },
  'POST /api/earnings/payout-numbers/code': {
    by: 'customer',
    ask: async (as) => {
      await openShopOf(shop, as._id)
      return { path: '/earnings/payout-numbers/code', body: { phoneNumber: '0245550100' } }
    },
  },
  'POST /api/earnings/payout-numbers': {
    by: 'customer',
    ask: async (as) => ({ path: '/earnings/payout-numbers', body: await makePayoutCode(shop, await openShopOf(shop, as._id), as._id) }),
  },
  'POST /api/earnings/payout-numbers/remove': {
    by: 'customer',
    ask: async (as) => ({
      path: '/earnings/payout-numbers/remove',
      body: await makePayoutNumber(shop, await openShopOf(shop, as._id), as._id),
    }),
  },
  'PUT /api/earnings/withdrawals/:id/cancel': {
    by: 'customer',
    ask: async (as) => ({ path: `/earnings/withdrawals/${await makeWithdrawal(shop, as._id)}/cancel`, body: {} }),
  },
  'PUT /api/withdrawals/:id/approve': { by: 'admin', ask: async () => ({ path: `/withdrawals/${await withdrawal()}/approve`, body: {} }) },
  'PUT /api/withdrawals/:id/pay-by-hand': {
    by: 'admin',
    ask: async () => ({ path: `/withdrawals/${await withdrawal()}/pay-by-hand`, body: { transactionId: '51234567890' } }),
  },
  'PUT /api/withdrawals/:id/decline': {
    by: 'admin',
    ask: async () => ({ path: `/withdrawals/${await withdrawal()}/decline`, body: { reason: 'Wrong number' } }),
  },
  'POST /api/referrals/link': { by: 'customer', ask: () => ({ path: '/referrals/link', body: {} }) },
  'PUT /api/referrals/rules': { by: 'admin', ask: () => ({ path: '/referrals/rules', body: { reward: 3 } }) },
  'POST /api/claim': { by: 'customer', ask: () => ({ path: '/claim', body: { transactionId: '83724298138' } }) },
  'POST /api/forwarder': { by: 'admin', ask: () => ({ path: '/forwarder', body: { name: 'Till', app: 'other', networks: ['MTN'] } }) },
  'PUT /api/forwarder/rules': { by: 'admin', ask: () => ({ path: '/forwarder/rules', body: { most: 7 } }) },
  'POST /api/forwarder/read-again': { by: 'admin', ask: () => ({ path: '/forwarder/read-again', body: {} }) },
  'PUT /api/message-format': { by: 'admin', ask: () => ({ path: '/message-format', body: FORM }) },
  'POST /api/forwarder/:id/rotate': { by: 'admin', ask: () => ({ path: `/forwarder/${randomUUID()}/rotate`, body: {} }) },
  'DELETE /api/forwarder/:id': { by: 'admin', ask: () => ({ path: `/forwarder/${randomUUID()}`, body: {} }) },
  'PUT /api/forwarder/:id/balance': {
    by: 'admin',
    ask: () => ({ path: `/forwarder/${randomUUID()}/balance`, body: { network: 'MTN', balance: 7 } }),
  },
  'PUT /api/admin/channel/:channel': { by: 'admin', ask: () => ({ path: '/admin/channel/ussd', body: { mostPerOrder: 7 } }) },
  'PUT /api/admin/ussd': { by: 'admin', ask: () => ({ path: '/admin/ussd', body: { mostCharacters: 150 } }) },
  'POST /api/admin/ussd/address': { by: 'admin', ask: () => ({ path: '/admin/ussd/address', body: {} }) },
  'PUT /api/withdrawals/rules': { by: 'admin', ask: () => ({ path: '/withdrawals/rules', body: { minimum: 30 } }) },
  'PUT /api/recharge/:id/paid': { by: 'customer', ask: async () => ({ path: `/recharge/${await recharge()}/paid`, body: {} }) },
  'POST /api/payment/list': {
    by: 'customer',
    ask: async () => {
      const { productId, offer, phoneNumber, amount } = await cartLine(shop)
      return {
        path: '/payment/list',
        body: { total: amount, lines: [{ number: 1, text: '', name: '', productId, offer, phoneNumber, amount }] },
      }
    },
  },
  'POST /api/payment': { by: 'customer', ask: () => ({ path: '/payment', body: { purpose: 'agent-upgrade' } }) },
  'POST /api/order/create': {
    by: 'customer',
    waitsFor: 'wallet',
    ask: () => {
      const { offer, phoneNumber, amount } = line
      const newOrder = { id: randomUUID(), network: 'MTN', offer, receiver: phoneNumber, totalAmount: amount }
      return { path: '/order/create', body: { newOrder } }
    },
  },
  'POST /api/order/checkout': {
    by: 'customer',
    waitsFor: 'wallet',
    ask: () => ({ path: '/order/checkout', body: { items: [line] }, headers: { 'idempotency-key': randomUUID() } }),
  },
}

type Loss = { name: string; status: number; take: (client: pg.ClientBase, asker: Asker) => Promise<unknown> }

const DEMOTED: Loss = {
  name: 'demoted',
  status: 403,
  take: (client, { _id }) => client.query(`update users set level = 'Customer' where id = $1`, [_id]),
}
const WITHOUT_ROLE: Loss = {
  name: 'left without a role',
  status: 403,
  take: (client, { _id }) => client.query('delete from staff_roles where user_id = $1', [_id]),
}
const BANNED: Loss = {
  name: 'banned',
  status: 401,
  take: (client, { _id }) => client.query(`update users set status = 'Banned' where id = $1`, [_id]),
}
const SIGNED_OUT: Loss = {
  name: 'signed out',
  status: 401,
  take: (client, { token }) => client.query('delete from sessions where token_hash = $1', [hashToken(token)]),
}

/** A purchase that waits for the wallet is refused in the words for a banned buyer; one pressed before signing out goes through. */
const LOSSES = {
  admin: [DEMOTED, WITHOUT_ROLE, BANNED, SIGNED_OUT],
  customer: [BANNED, SIGNED_OUT],
  wallet: [{ ...BANNED, status: 403 }],
}

let shop: TestShop
let buyer: Asker
let productId: string
const passwordHash = hashQuickly(PASSWORD)
let line: Awaited<ReturnType<typeof cartLine>>

const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const newProduct = { network: 'Telecel', image: PIXEL, packages: [{ offer: '99GB', priceCustomer: 0.01, priceAgent: 0.01 }] }

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' } })
  buyer = await makeUser(shop, { balance: 5_000 })
  productId = (await findProduct(shop, 'Telecel'))._id
  line = await cartLine(shop)
  await shop.database.db.query(`update shop_settings set notice_content = 'Open'`)
  await shop.database.db.query('update agent_shop_rules set new_shops = true')
})
afterAll(() => shop.close())

test('every route that writes has a line', () => {
  const writing = readRoutes(shop.app)
    .filter(({ method, path }) => !/\/\*$|^\/api\/sandbox/.test(path) && ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    .map(({ method, path }) => `${method} ${path}`)
  expect(writing.toSorted()).toEqual([...Object.keys(WRITES), ...Object.keys(EXEMPT)].toSorted())
})

const RACES = Object.entries(WRITES).flatMap(([route, write]) =>
  LOSSES[write.waitsFor ?? write.by].map((loss): [string, string, Write, Loss] => [loss.name, route, write, loss]),
)

describe('rights that are taken away while the request is on its way to its write', () => {
  test.each(RACES)('%s: %s is refused and changes nothing', async (_name, route, write, loss) => {
    const asker = await makeAsker(write.by)
    const ask = await write.ask(asker)
    const before = await readShop(asker)
    const holder = await shop.database.db.connect()
    try {
      await holder.query('begin')
      if (write.waitsFor === 'wallet') await holder.query('select from wallets where user_id = $1 for update', [asker._id])
      await loss.take(holder, asker)
      let isAnswered = false
      // Authenticated by what is committed: to that look, the asker still has every right.
      const reply = send(route, asker, ask, JSON.stringify(ask.body)).finally(() => {
        isAnswered = true
      })
      await until(async () => isAnswered || (await isWaitedFor(holder)))
      await holder.query('commit')
      expect((await reply).statusCode).toBe(loss.status)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect(await readShop(asker)).toEqual(before)
  })
})

describe('rights that are taken away while the body trickles in', () => {
  test.each(Object.entries(WRITES))('%s is refused and changes nothing', async (route, write) => {
    for (const loss of LOSSES[write.by]) {
      const asker = await makeAsker(write.by)
      const ask = await write.ask(asker)
      const before = await readShop(asker)
      const reply = await send(
        route,
        asker,
        ask,
        trickle(JSON.stringify(ask.body), () => loss.take(shop.database.db as never, asker)),
      )
      expect([loss.name, reply.statusCode]).toEqual([loss.name, loss.status])
      expect([loss.name, await readShop(asker)]).toEqual([loss.name, before])
    }
  })

  test('who is banned meanwhile learns nothing of a body that is not valid, and reads nothing', async () => {
    const path = '/proxy'
    const { reference } = await placedOrder()
    for (const body of [{}, { body: { reference } }]) {
      const asker = await makeAsker('customer')
      const cut = () => BANNED.take(shop.database.db as never, asker)
      expect((await send('POST /api/proxy', asker, { path }, trickle(JSON.stringify(body), cut))).statusCode).toBe(401)
    }
  })

  test('nobody sends a picture without having shown who they are', async () => {
    let sent = 0
    const body = async function* () {
      for (; sent < 100; sent++) yield 'x'.repeat(1024)
    }
    const nobody = { _id: '', token: 'A'.repeat(43) }
    const reply = await send('POST /api/product/create', nobody, { path: '/product/create' }, Readable.from(body()))
    expect([reply.statusCode, sent]).toEqual([401, 0])
  })
})

function send(route: string, { token }: Asker, { path, headers = {} }: Ask, payload: string | Readable) {
  const method = route.split(' ', 1)[0] as 'POST' | 'PUT' | 'DELETE'
  const sent = { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return shop.app.inject({ method, url: `/api${path}`, headers: sent, payload })
}

/** A body of which one half comes, then `meanwhile` happens, then the other half comes. */
function trickle(text: string, meanwhile: () => Promise<unknown>): Readable {
  const half = Math.ceil(text.length / 2)
  const parts = async function* () {
    yield text.slice(0, half)
    await meanwhile()
    yield text.slice(half)
  }
  return Readable.from(parts())
}

/** A user of their own, signed in. */
async function makeAsker(by: Write['by']): Promise<Asker> {
  const tag = randomBytes(6).toString('hex')
  const level: UserLevel = by === 'admin' ? 'Admin' : 'Customer'
  const token = randomBytes(32).toString('base64url')
  const { rows } = await shop.database.db.query<{ _id: string }>(
    `with made as (
       insert into users (username, username_skeleton, email, phone, password_hash, level)
       values ($1, $1, $1 || '@example.com', '02' || lpad((select count(*) from users)::text, 8, '0'), $5, $2) returning id
     ), wallet as (select create_wallet(id) from made),
     session as (
       insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at)
       select $3, id, $4::timestamptz, $4, $4::timestamptz + interval '1 hour' from made
     )
     select id as "_id" from made, wallet`,
    [`asker ${tag}`, level, hashToken(token), shop.clock.now, await passwordHash],
  )
  const asker = { _id: (rows[0] as { _id: string })._id, token }
  if (by === 'customer') {
    await shop.database.db.query(
      `select post_entry($1, 'admin-credit', 'test', null, array[account_id, 6], array[5000, -5000], now()) from wallets where user_id = $2`,
      [`admin-credit:${randomUUID()}`, asker._id],
    )
  }
  return asker
}

const SHOP_LOOK = { name: 'Akosua Data', about: null, colour: 'plum', phone: null, whatsapp: null }

async function afterOpening(userId: string, path: string): Promise<string> {
  await openShopOf(shop, userId)
  return path
}

async function withdrawal(): Promise<string> {
  return makeWithdrawal(shop, (await makeUser(shop, { level: 'Agent' }))._id)
}

/** All that a write could have changed; of the asker's own row only what nobody took away. */
async function readShop({ _id }: Asker): Promise<unknown> {
  const all = (table: string, where = 'true') =>
    `(select count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)), 0) from ${table} t where ${where}) as ${table.replace('.', '_')}`
  const tables = [
    'admin_actions',
    'orders',
    'recharges',
    'payments',
    'wallets',
    'journal_entries',
    'products',
    'packages',
    'received_payments',
    'payment_credits',
    'refunds',
    'withdrawals',
    'agent_shops',
    'agent_shop_rules',
    'shop_prices',
    'withdrawal_rules',
    'payout_codes',
    'confirmed_numbers',
    'payout_numbers',
    'payout_number_removals',
    'message_formats',
    'referral_rules',
    'referral_links',
    'channel_settings',
    'ussd_settings',
  ]
  const more = [
    'images',
    'shop_settings',
    'operations_settings',
    'purchase_pauses',
    'supplier_deliveries',
    'reports',
    'report_messages',
    'price_schedules',
    'price_publications',
    'news_preferences',
    'second_factors',
    'recovery_codes',
    'approvals',
    'staff_rules',
    'user_notes',
    'batches',
    'batch_orders',
    'batch_formats',
    'delivery_restarts',
    'receiver_corrections',
  ]
  const { rows } = await shop.database.db.query({
    // Planned once: planning takes longer than reading.
    name: 'all of the shop',
    text: `select ${[...tables, ...more].map((table) => all(table)).join(', ')}, ${all('users', 't.id <> $1')}, ${all('sessions', 't.user_id <> $1')},
       (select jsonb_agg(to_jsonb(u) - 'level' - 'status') from users u where id = $1) as asker,
       ${all('jobs.job', `t.name in ('parked', 'supplier-send', 'supplier-ask') or (t.name = 'check-books' and t.singleton_key = 'asked')`)}`,
    values: [_id],
  })
  return rows[0]
}

/** Proposed by somebody who may move money. */
async function approval(): Promise<string> {
  const { _id } = await makeUser(shop, { roles: ['finance'] })
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into approvals (action, action_hash, details, proposed_by, proposed_at, expires_at)
     values ('wallet.credit', sha256(random()::text::bytea), $1, $2, now(), now() + interval '1 year') returning id`,
    [{ userId: buyer._id, amountPesewas: 100, note: '', showNote: false }, _id],
  )
  return (rows[0] as { id: string }).id
}

async function priceProposal(): Promise<string> {
  const { _id } = await makeUser(shop, { roles: ['products'] })
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into approvals (action, action_hash, details, proposed_by, proposed_at, expires_at)
     values ('prices.publish', sha256(random()::text::bytea), $1, $2, now(), now() + interval '1 year') returning id`,
    [{ userId: _id, amountPesewas: 0, note: '', showNote: false, prices: [], changes: [], liveAt: null }, _id],
  )
  return (rows[0] as { id: string }).id
}

async function customer(): Promise<string> {
  return (await makeAsker('customer'))._id
}

/** A credit by hand, by the number of its entry. */
async function credit(userId: string): Promise<string> {
  const { db } = shop.database
  await db.query(
    `select post_entry('admin-balance:' || gen_random_uuid(), 'admin-credit', '', null, array[account_id, 6], array[500::bigint, -500], now())
     from wallets where user_id = $1`,
    [userId],
  )
  return (await db.query<{ id: string }>('select max(id)::text as id from journal_entries')).rows[0]!.id
}

async function note(userId: string, authorId: string): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into user_notes (user_id, author_id, body, created_at) values ($1, $2, 'Call first', now()) returning id::text`,
    [userId, authorId],
  )
  return rows[0]!.id
}

async function placedOrder() {
  const { status, body } = await checkout(shop, buyer, [line])
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.orders[0] as { _id: string; reference: string }
}

async function order(): Promise<string> {
  return (await placedOrder())._id
}

/** An order that the relay has left to a person. */
async function relayedOrder(): Promise<string> {
  const id = await order()
  await ordersRelayed(shop)
  return id
}

/** An order that stands so at a supplier. */
async function sentOrder(standing: string): Promise<string> {
  const id = await relayedOrder()
  await shop.database.db.query(
    `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at)
     select id, reference, 'hubnet', 1000, $2, 1, now(), now() from orders where id = $1`,
    [id, standing],
  )
  return id
}

/** A batch of two orders, made by another admin. */
async function batch(): Promise<{ number: number; ids: string[] }> {
  const ids = [await order(), await relayedOrder()]
  const maker = await makeAsker('admin')
  const { rows } = await shop.database.db.query<{ number: number }>(
    `with made as (insert into batches (network, key, made_by, made_at) values ('MTN', $1, $2, now()) returning id, number),
       locked as (insert into batch_orders (batch_id, order_id) select id, unnest($3::uuid[]) from made)
     select number from made`,
    [randomUUID(), maker._id, ids],
  )
  return { number: (rows[0] as { number: number }).number, ids }
}

/** The asker's own order, whose usual time is long over. */
async function oldOrder({ token }: { token: string }): Promise<string> {
  const { _id } = (await checkout(shop, { token }, [line])).body.orders[0] as { _id: string }
  await shop.database.db.query(`update orders set created_at = created_at - interval '3 hours' where id = $1`, [_id])
  return _id
}

async function report(of: { token: string }): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    'insert into reports (order_id, opened_at) values ($1, now()) returning id',
    [await oldOrder(of)],
  )
  return (rows[0] as { id: string }).id
}

/** A payment of 50 cedis that waits; with a request it names it. */
async function receivedPayment(rechargeId: string | null = null): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into received_payments (network, transaction_id, amount_pesewas, reference, raw, source, received_by, received_at)
     select 'MTN', (60000000000 + count(*))::text, 5000, (select recharge_id from recharges where id = $2), 'sms', 'message', $1, now()
     from received_payments returning id`,
    [buyer._id, rechargeId],
  )
  return (rows[0] as { id: string }).id
}

async function creditedPayment(): Promise<string> {
  const id = await receivedPayment()
  await shop.database.db.query(
    `with credited as (update received_payments set status = 'credited' where id = $1),
       noted as (
         insert into payment_credits (payment_id, amount_pesewas, user_id, entry_key, credited_at, credited_by)
         values ($1, 5000, $2, 'momo:' || $1, now(), $2)
       )
     select post_entry('momo:' || $1, 'admin-credit', 'test', null, array[account_id, 4], array[5000::bigint, -5000::bigint], now())
     from wallets where user_id = $2`,
    [id, (await makeUser(shop))._id],
  )
  return id
}

async function recharge(): Promise<string> {
  // Only so many of one customer may wait.
  await shop.database.db.query(`update recharges set status = 'declined', decided_at = now() where status = 'pending' and user_id = $1`, [
    buyer._id,
  ])
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into recharges (recharge_id, user_id, amount_pesewas, created_at)
     select (10000000 + count(*))::text, $1, 5000, now() from recharges returning id`,
    [buyer._id],
  )
  return (rows[0] as { id: string }).id
}

/** A job that was given up, with its order. */
const inAnHour = () => new Date(shop.clock.now.getTime() + 3_600_000).toISOString()

async function priceSchedule({ _id }: Asker): Promise<string> {
  const changes = [{ productId, network: 'Telecel', offer: '10GB', hidden: { from: false, to: true } }]
  const { rows } = await shop.database.db.query<{ id: string }>(
    'insert into price_schedules (changes, live_at, created_at, created_by) values ($1, $2, $3, $4) returning id',
    [JSON.stringify(changes), inAnHour(), shop.clock.now, _id],
  )
  return (rows[0] as { id: string }).id
}

async function pricePublication({ _id }: Asker): Promise<string> {
  const changes = [{ productId, network: 'Telecel', offer: '15GB', hidden: { from: true, to: false } }]
  const { rows } = await shop.database.db.query<{ id: string }>(
    'insert into price_publications (changes, published_at, published_by) values ($1, $2, $3) returning id',
    [JSON.stringify(changes), shop.clock.now, _id],
  )
  return (rows[0] as { id: string }).id
}

async function failedJob(): Promise<string> {
  const { rows } = await shop.database.db.query<{ id: string }>(
    `insert into jobs.job (name, source_name, data) values ('parked', 'supplier-send', $1) returning id`,
    [{ orderId: await order() }],
  )
  return (rows[0] as { id: string }).id
}

import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { actionName, KNOWN_ACTIONS } from '../../../../shared/action-words.ts'
import type { AdminAction } from '../../../../shared/admin-actions.ts'
import type { DaySheet } from '../../../../shared/day-close.ts'
import { isForStaff } from '../../../../shared/endpoint.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { PricesReply } from '../../../../shared/prices.ts'
import type { Product } from '../../../../shared/products.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SettingsReply } from '../../../../shared/settings.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { Approval } from '../../../../shared/wallet.ts'
import { AFA_FORM, makeAfaOrder, newGhanaCard } from '../../../../test/afa.ts'
import { makeRefund, makeWithdrawal, openShopOf } from '../../../../test/agent-shop.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import {
  call,
  cartLine,
  checkout,
  findProduct,
  makeBatch,
  makePaymentOnHold,
  makeUser,
  ordersRelayed,
  setUpCode,
} from '../../../../test/builders.ts'
import { clearCheckers, makeCheckerOrder, makeCode, makeUnsoldCode, stockCheckers } from '../../../../test/checkers.ts'
import { statementBody } from '../../../../test/statements.ts'

let shop: TestShop
let admin: SignedInUser
let adminWrites: string[]

beforeAll(async () => {
  const routes: RouteOptions[] = []
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => routes.push(route) as unknown as undefined)
  }
  subscribe('fastify.initialization', collect)
  // A provider that nobody answers for: withdrawals and messages may go out, and none does.
  shop = await openTestShop({ outsideWorld: { CARD: undefined, SMS: undefined, ...NO_PROVIDER } })
  unsubscribe('fastify.initialization', collect)
  adminWrites = routes
    .filter(({ config }) => config?.access && isForStaff(config.access))
    .flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url}`))
    .filter((name) => !/^(GET|HEAD|OPTIONS) /.test(name))
  admin = await makeUser(shop, { level: 'Admin', username: 'the owner' })
})
afterAll(() => shop.close())

/** `says`: what the reply says, when it says something. */
type Deed = { method?: 'POST' | 'PUT' | 'DELETE'; path: string; body?: unknown; says?: string; leaves: Record<string, unknown>[] }

async function makeOrder(): Promise<Order> {
  const buyer = await makeUser(shop, { balance: 20 })
  return (await checkout(shop, buyer, [await cartLine(shop)])).body.orders[0]!
}

/** An order that stands so at a supplier. */
async function atSupplier(standing: string): Promise<Order> {
  const order = await makeOrder()
  await ordersRelayed(shop)
  await shop.database.db.query(
    `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, status, attempts, created_at, updated_at)
     values ($1, $2, 'hubnet', 1000, $3, 1, now(), now())`,
    [order._id, order.reference, standing],
  )
  return order
}

async function batchOfTwo() {
  return makeBatch(shop, admin, [await makeOrder(), await makeOrder()])
}

async function addPhone(): Promise<string> {
  const body = { name: 'Till', app: 'other', networks: ['MTN'] }
  return (await call<{ forwarder: { _id: string } }>(shop, 'POST', '/forwarder', { as: admin, body })).body.forwarder._id
}

async function makeRecharge(): Promise<Recharge> {
  return (await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: await makeUser(shop), body: { amount: 60 } })).body.recharge
}

const NO_PROVIDER = {
  WHATSAPP_TOKEN: 'the token of a number of this file',
  WHATSAPP_APP_SECRET: 'the secret of the app of this file',
  WHATSAPP_VERIFY_TOKEN: 'the verify token of this file',
  WHATSAPP_PHONE_ID: '12345',
  WHATSAPP_NUMBER: '0301234567',
  WHATSAPP_BASE_URL: 'http://127.0.0.1:1',
  PAYSTACK_SECRET_KEY: 'sk_test_of_this_file',
  PAYSTACK_PUBLIC_KEY: 'pk_test_of_this_file',
  PAYSTACK_BASE_URL: 'http://127.0.0.1:1',
  SMS_ARKESEL_KEY: 'key-of-this-file',
  SMS_ARKESEL_BASE_URL: 'http://127.0.0.1:1',
}

async function waitingWithdrawal(): Promise<{ id: string; number: string }> {
  const id = await makeWithdrawal(shop, (await makeUser(shop, { level: 'Agent' }))._id)
  const { rows } = await shop.database.db.query<{ number: string }>('select seq::text as number from withdrawals where id = $1', [id])
  return { id, number: rows[0]!.number }
}

let transactions = 70_000_000_000

function paymentMessage(reference: string): string {
  return `Payment received for GHS 60.00 from AMA SAMPLE. Reference: ${reference}. Transaction ID: ${++transactions}.`
}

/** Reads a payment message; the payment's id. */
async function readPayment(reference: string): Promise<string> {
  await call(shop, 'POST', '/received-payment/messages', { as: admin, body: { text: paymentMessage(reference) } })
  const { rows } = await shop.database.db.query<{ id: string }>('select id from received_payments order by seq desc limit 1')
  return rows[0]!.id
}

const packages = [{ offer: '1GB', priceCustomer: 5, priceAgent: 4 }]

async function makeProduct(): Promise<Product> {
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const body = { network: 'MTN', image: `data:image/png;base64,${bytes.toString('base64')}`, packages }
  return (await call<{ product: Product }>(shop, 'POST', '/product/create', { as: admin, body })).body.product
}

/** For each call that changes something as an admin: how to make it, and what it must leave behind. */
async function giveAfaDetails(): Promise<string> {
  const buyer = await makeUser(shop, { balance: 20 })
  const order = await makeAfaOrder(shop, buyer)
  await call(shop, 'POST', `/order/${order}/afa`, { as: buyer, body: { ...AFA_FORM, ghanaCard: newGhanaCard() } })
  return order
}

const DEEDS: Record<string, () => Promise<Deed>> = {
  'POST /api/admin/afa/:id/reveal': async () => {
    const order = await giveAfaDetails()
    const leaves = [{ action: 'afa.open', subjectType: 'order', subjectId: order, before: null, after: null, note: 'They called' }]
    return { method: 'POST', path: `/admin/afa/${order}/reveal`, body: { reason: 'They called' }, leaves }
  },
  'POST /api/admin/afa/export': async () => {
    await giveAfaDetails()
    return {
      method: 'POST',
      path: '/admin/afa/export',
      body: {},
      leaves: [{ action: 'afa.export', subjectType: 'afa-batch', before: null }],
    }
  },
  'PUT /api/user/:id/level': async () => {
    const { _id } = await makeUser(shop)
    const leaves = [{ action: 'user.level', subjectType: 'user', subjectId: _id, before: { level: 'Customer' }, after: { level: 'Agent' } }]
    return { path: `/user/${_id}/level`, body: { userLevel: 'Agent' }, leaves }
  },
  'PUT /api/user/:id/status': async () => {
    const { _id } = await makeUser(shop)
    const leaves = [
      { action: 'user.status', subjectType: 'user', subjectId: _id, before: { status: 'Active' }, after: { status: 'Banned' } },
    ]
    return { path: `/user/${_id}/status`, body: { status: 'Banned' }, leaves }
  },
  'PUT /api/user/balance': async () => {
    const { _id, username } = await makeUser(shop, { balance: 10 })
    const leaves = [
      {
        action: 'wallet.debit',
        subjectType: 'user',
        subjectId: _id,
        subject: username,
        before: { balance: 10 },
        after: { balance: 7.5 },
        note: 'sold twice',
      },
    ]
    return { path: '/user/balance', body: { chosenId: _id, amount: -2.5, note: 'sold twice' }, leaves }
  },
  'PUT /api/admin/shop': async () => ({
    path: '/admin/shop',
    body: { name: 'Akua Data' },
    leaves: [{ action: 'shop.profile', subjectType: 'shop', subjectId: 'shop', before: { name: null }, after: { name: 'Akua Data' } }],
  }),
  'PUT /api/admin/shop/logo': async () => ({
    path: '/admin/shop/logo',
    body: { image: null },
    leaves: [{ action: 'shop.logo', subjectType: 'shop', before: { logo: null }, after: { logo: null } }],
  }),
  'PUT /api/admin/shop/payment-numbers': async () => ({
    path: '/admin/shop/payment-numbers',
    body: { numbers: [{ network: 'Telecel', phoneNumber: '0205550100', accountName: 'Akua Boateng' }] },
    leaves: [{ action: 'shop.payment-numbers', subjectType: 'shop', after: { Telecel: '0205550100, Akua Boateng' } }],
  }),
  'PUT /api/admin/setup': async () => ({
    path: '/admin/setup',
    body: { hidden: true },
    leaves: [{ action: 'shop.setup', subjectType: 'shop', after: { hidden: true } }],
  }),
  'PUT /api/admin/staff/rules': async () => {
    const leaves = [{ action: 'staff.rules', subjectType: 'staff', after: expect.objectContaining({ passwordAbove: 400 }) }]
    return { path: '/admin/staff/rules', body: { passwordAbove: 400 }, leaves }
  },
  'PUT /api/admin/staff/:id': async () => {
    const { _id } = await makeUser(shop)
    const leaves = [{ action: 'staff.roles', subjectType: 'user', subjectId: _id, before: { roles: '' }, after: { roles: 'support' } }]
    return { path: `/admin/staff/${_id}`, body: { roles: ['support'] }, leaves }
  },
  'POST /api/admin/staff/:id/reset-code': async () => {
    const helper = await makeUser(shop, { roles: ['orders'] })
    await setUpCode(shop, helper)
    const leaves = [{ action: 'staff.code-reset', subjectType: 'user', subjectId: helper._id }]
    return { method: 'POST', path: `/admin/staff/${helper._id}/reset-code`, body: {}, leaves }
  },
  // What is begun is not on yet.
  'POST /api/user/me/second-factor': async () => ({ method: 'POST', path: '/user/me/second-factor', body: {}, leaves: [] }),
  'POST /api/user/me/second-factor/confirm': async () => {
    await shop.database.db.query('delete from second_factors')
    const { body } = await call<{ secret: string }>(shop, 'POST', '/user/me/second-factor', { as: admin, body: {} })
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({ timestamp: shop.clock.now.getTime() })
    const leaves = [{ action: 'staff.code-on', subjectType: 'user', subjectId: admin._id }]
    return { method: 'POST', path: '/user/me/second-factor/confirm', body: { code }, leaves }
  },
  'POST /api/user/me/second-factor/end': async () => {
    await shop.database.db.query('delete from second_factors')
    const { codeNow } = await setUpCode(shop, admin)
    const leaves = [{ action: 'staff.code-off', subjectType: 'user', subjectId: admin._id }]
    return { method: 'POST', path: '/user/me/second-factor/end', body: { code: codeNow(30_000) }, says: 'The code is off.', leaves }
  },
  'POST /api/user/me/recovery-codes': async () => {
    await shop.database.db.query('delete from second_factors')
    const { codeNow } = await setUpCode(shop, admin)
    const leaves = [{ action: 'staff.recovery-codes', subjectType: 'user', subjectId: admin._id }]
    return { method: 'POST', path: '/user/me/recovery-codes', body: { code: codeNow(30_000) }, leaves }
  },
  'POST /api/admin/approvals/:id/approve': async () => {
    const { _id, hash, proposer } = await propose()
    const leaves = [{ action: 'wallet.credit', subjectType: 'user', before: { balance: 0 }, after: { balance: 9, proposedBy: proposer } }]
    return { method: 'POST', path: `/admin/approvals/${_id}/approve`, body: { hash }, leaves }
  },
  'POST /api/admin/approvals/:id/decline': async () => {
    const { _id, proposer } = await propose()
    const leaves = [{ action: 'wallet.declined', subjectType: 'user', after: { amount: 9, proposedBy: proposer } }]
    return { method: 'POST', path: `/admin/approvals/${_id}/decline`, body: {}, says: 'Declined. Nothing was changed.', leaves }
  },
  'POST /api/admin/customers/:id/credit/undo': async () => {
    const { _id, username } = await makeUser(shop, { balance: 10 })
    const { rows } = await shop.database.db.query<{ id: string }>('select max(id)::text as id from journal_entries')
    const leaves = [
      {
        action: 'wallet.credit-undone',
        subjectType: 'user',
        subjectId: _id,
        subject: username,
        before: { balance: 10 },
        after: { balance: 0 },
      },
    ]
    return { method: 'POST', path: `/admin/customers/${_id}/credit/undo`, body: { entry: rows[0]!.id }, leaves }
  },
  'POST /api/admin/customers/:id/sessions/end': async () => {
    const { _id } = await makeUser(shop)
    const leaves = [{ action: 'customer.sessions-ended', subjectType: 'user', subjectId: _id }]
    return { method: 'POST', path: `/admin/customers/${_id}/sessions/end`, body: {}, leaves }
  },
  'POST /api/admin/customers/:id/notes': async () => {
    const { _id } = await makeUser(shop)
    const leaves = [{ action: 'customer.note', subjectType: 'user', subjectId: _id, note: 'Pays on Fridays' }]
    return { method: 'POST', path: `/admin/customers/${_id}/notes`, body: { text: ' Pays on Fridays ' }, leaves }
  },
  'DELETE /api/admin/customers/:id/notes/:note': async () => {
    const { _id } = await makeUser(shop)
    const { rows } = await shop.database.db.query<{ id: string }>(
      `insert into user_notes (user_id, author_id, body, created_at) values ($1, $2, 'Pays on Fridays', now()) returning id::text`,
      [_id, admin._id],
    )
    const leaves = [{ action: 'customer.note-deleted', subjectType: 'user', subjectId: _id, note: 'Pays on Fridays' }]
    return { method: 'DELETE', path: `/admin/customers/${_id}/notes/${rows[0]!.id}`, leaves }
  },
  'POST /api/payment/:reference/release': async () => {
    const reference = await makePaymentOnHold(shop, (await makeUser(shop))._id)
    const leaves = [
      {
        action: 'payment.release',
        subjectType: 'payment',
        subjectId: reference,
        before: { onHold: 'the payer disputes the card payment' },
        after: { onHold: null },
        note: 'they called us',
      },
    ]
    return { method: 'POST', path: `/payment/${reference}/release`, body: { reason: 'they called us' }, leaves }
  },
  'PUT /api/order/update-status/:id': async () => {
    const order = await makeOrder()
    const leaves = [
      {
        action: 'order.rejected',
        subjectType: 'order',
        subjectId: order._id,
        subject: `${order.id}: MTN 1GB`,
        before: { status: 'pending' },
        after: { status: 'rejected' },
      },
    ]
    return { path: `/order/update-status/${order._id}`, body: { status: 'rejected' }, leaves }
  },
  'PUT /api/admin/orders/:id/query-status': async () => {
    const order = await atSupplier('failed')
    const leaves = [{ action: 'order.query', subjectId: order._id, after: { supplier: 'hubnet', supplierStatus: 'failed' } }]
    return { path: `/admin/orders/${order._id}/query-status`, leaves }
  },
  'PUT /api/admin/orders/:id/send-again': async () => {
    const order = await atSupplier('waiting')
    const before = { supplier: 'hubnet', supplierStatus: 'waiting' }
    const leaves = [{ action: 'order.resend', subjectId: order._id, before, after: { supplier: 'by-hand' } }]
    return { path: `/admin/orders/${order._id}/send-again`, body: { to: 'by-hand', supplierStatus: 'waiting' }, leaves }
  },
  'PUT /api/admin/orders/:id/receiver': async () => {
    const { _id, receiver } = await makeOrder()
    const leaves = [
      {
        action: 'order.receiver',
        subjectId: _id,
        before: { receiver },
        after: { receiver: '0244123456' },
        note: 'Kojo agreed (whatsapp)',
      },
    ]
    const body = { receiver: '0244123456', seen: receiver, agreedBy: 'Kojo', consent: 'whatsapp' }
    return { path: `/admin/orders/${_id}/receiver`, body, leaves }
  },
  'POST /api/admin/batches': async () => {
    const ids = [(await makeOrder())._id]
    await ordersRelayed(shop)
    const leaves = [{ action: 'batch.create', subjectType: 'batch', after: { network: 'MTN', orders: 1 } }]
    return { method: 'POST', path: '/admin/batches', body: { key: randomUUID(), network: 'MTN', ids }, leaves }
  },
  'PUT /api/admin/batches/:number/exported': async () => {
    const { number } = await batchOfTwo()
    const leaves = [{ action: 'batch.export', subjectId: String(number), subject: `Batch ${number}`, after: { orders: 2 } }]
    return { path: `/admin/batches/${number}/exported`, leaves }
  },
  'PUT /api/admin/batches/:number/settle': async () => {
    const { number, rows } = await batchOfTwo()
    const [first, second] = rows.map(({ order }) => order._id)
    const leaves = [
      { action: 'order.completed', subjectId: first, before: { status: 'pending', batch: number }, after: { status: 'completed' } },
      { action: 'batch.release', subjectId: String(number), after: { orders: 1 } },
    ]
    return { path: `/admin/batches/${number}/settle`, body: { completed: [first], released: [second] }, leaves }
  },
  'PUT /api/admin/batches/:number/format': async () => {
    const { number } = await batchOfTwo()
    const usual = { network: 'MTN', file: 'xlsx', columns: ['number', 'gb'], withHeader: true, numberFormat: 'local' }
    const body = { file: 'csv', columns: ['gb', 'number'], withHeader: false, numberFormat: 'plus' }
    const leaves = [{ action: 'batch.format', subjectId: String(number), before: usual, after: { network: 'MTN', ...body } }]
    return { path: `/admin/batches/${number}/format`, body, leaves }
  },
  'POST /api/order/decide-many': async () => {
    const orders = [await makeOrder(), await makeOrder()]
    const leaves = orders.map(({ _id }) => ({
      action: 'order.completed',
      subjectType: 'order',
      subjectId: _id,
      before: { status: 'pending' },
      after: { status: 'completed' },
    }))
    return { method: 'POST', path: '/order/decide-many', body: { ids: orders.map(({ _id }) => _id), status: 'completed' }, leaves }
  },
  'PUT /api/refunds/:id/send-again': async () => {
    const { id, reference } = await makeRefund(shop, 'review')
    const leaves = [
      {
        action: 'refund.send-again',
        subjectType: 'refund',
        subjectId: id,
        before: { status: 'review' },
        after: { status: 'sending', amount: 5, payment: reference },
      },
    ]
    return { path: `/refunds/${id}/send-again`, leaves }
  },
  'PUT /api/refunds/:id/code': async () => {
    const { id, reference } = await makeRefund(shop, 'review')
    const leaves = [
      {
        action: 'refund.code',
        subjectType: 'refund',
        subjectId: id,
        before: { status: 'review' },
        after: { status: 'code', amount: 5, payment: reference },
      },
    ]
    return { path: `/refunds/${id}/code`, leaves }
  },
  'PUT /api/refunds/:id/pay-by-hand': async () => {
    const { id } = await makeRefund(shop, 'review')
    const transactionId = '51234567891'
    const leaves = [
      {
        action: 'refund.pay-by-hand',
        subjectType: 'refund',
        subjectId: id,
        before: { status: 'review' },
        after: { status: 'paid', amount: 5, phone: '0245550142', transactionId },
      },
    ]
    return { path: `/refunds/${id}/pay-by-hand`, body: { transactionId }, leaves }
  },
  'PUT /api/refunds/:id/send-code': async () => {
    const { id } = await makeRefund(shop, 'code')
    const leaves = [
      { action: 'refund.send-code', subjectType: 'refund', subjectId: id, before: null, after: { phone: '0245550142', amount: 5 } },
    ]
    return { path: `/refunds/${id}/send-code`, leaves }
  },
  // It asks the provider, as the shop does by itself.
  'PUT /api/refunds/:id/check': async () => ({ path: `/refunds/${(await makeRefund(shop, 'review')).id}/check`, leaves: [] }),
  'PUT /api/withdrawals/:id/approve': async () => {
    const { id, number } = await waitingWithdrawal()
    const leaves = [
      {
        action: 'withdrawal.approve',
        subjectType: 'withdrawal',
        subjectId: number,
        before: { status: 'approval' },
        after: { status: 'ready', amount: 50, phone: '0245550100' },
      },
    ]
    return { path: `/withdrawals/${id}/approve`, leaves }
  },
  'PUT /api/withdrawals/:id/pay-by-hand': async () => {
    const { id, number } = await waitingWithdrawal()
    const transactionId = '51234567890'
    const leaves = [
      {
        action: 'withdrawal.pay-by-hand',
        subjectType: 'withdrawal',
        subjectId: number,
        before: { status: 'approval' },
        after: { status: 'paid', amount: 50, phone: '0245550100', transactionId },
      },
    ]
    return { path: `/withdrawals/${id}/pay-by-hand`, body: { transactionId }, leaves }
  },
  'PUT /api/withdrawals/:id/decline': async () => {
    const { id, number } = await waitingWithdrawal()
    const note = 'Wrong number'
    const leaves = [
      {
        action: 'withdrawal.decline',
        subjectType: 'withdrawal',
        subjectId: number,
        before: { status: 'approval' },
        after: { status: 'declined', amount: 50 },
        note,
      },
    ]
    return { path: `/withdrawals/${id}/decline`, body: { reason: note }, leaves }
  },
  // It asks the provider, as the shop does by itself.
  'PUT /api/withdrawals/:id/check': async () => ({ path: `/withdrawals/${(await waitingWithdrawal()).id}/check`, leaves: [] }),
  'PUT /api/agent-shops/:id': async () => {
    const shopId = await openShopOf(shop, (await makeUser(shop, { level: 'Agent' }))._id)
    const { rows } = await shop.database.db.query<{ slug: string }>('select slug from agent_shops where id = $1', [shopId])
    const leaves = [
      {
        action: 'agent-shop.limit',
        subjectType: 'agent-shop',
        subjectId: rows[0]?.slug,
        before: { closed: null },
        after: { closed: 'Complaints' },
      },
    ]
    return { path: `/agent-shops/${shopId}`, body: { closed: 'Complaints' }, leaves }
  },
  'PUT /api/agent-shops/rules': async () => {
    await shop.database.db.query('update agent_shop_rules set max_markup = 30')
    const rules = { enabled: true, newShops: false, minProfit: 0.1, subAgents: false, mostSubAgents: 10 }
    const leaves = [
      { action: 'agent-shop.rules', subjectType: 'shop', before: { ...rules, maxMarkup: 30 }, after: { ...rules, maxMarkup: 25 } },
    ]
    return { path: '/agent-shops/rules', body: { maxMarkup: 25 }, leaves }
  },
  'PUT /api/admin/channel/:channel': async () => {
    const before = { isOn: true, mostPerOrder: 200, mostPerDay: 500 }
    const leaves = [
      { action: 'channel.change', subjectType: 'settings', subjectId: 'ussd', before, after: { ...before, mostPerOrder: 150 } },
    ]
    return { path: '/admin/channel/ussd', body: { mostPerOrder: 150 }, leaves }
  },
  'PUT /api/admin/ussd': async () => {
    const before = { gateway: 'arkesel', addresses: [], mostCharacters: 160 }
    const leaves = [{ action: 'ussd.change', subjectType: 'settings', subjectId: 'ussd', before, after: { ...before, gateway: 'nalo' } }]
    return { path: '/admin/ussd', body: { gateway: 'nalo' }, leaves }
  },
  'POST /api/admin/ussd/address': async () => {
    const leaves = [{ action: 'ussd.address', subjectType: 'settings', subjectId: 'ussd' }]
    return { method: 'POST', path: '/admin/ussd/address', body: {}, leaves }
  },
  'PUT /api/referrals/rules': async () => {
    await shop.database.db.query('update referral_rules set reward_pesewas = 200')
    const rules = { enabled: false, spend: 50, mostAMonth: 50, leaderboard: false }
    const leaves = [{ action: 'referral.rules', subjectType: 'shop', before: { ...rules, reward: 2 }, after: { ...rules, reward: 3 } }]
    return { path: '/referrals/rules', body: { reward: 3 }, leaves }
  },
  'PUT /api/withdrawals/rules': async () => {
    await shop.database.db.query('update withdrawal_rules set fee_pesewas = 100')
    const rules = { enabled: true, minimum: 20, unapproved: 200, holdNights: 1, byHand: false, numberHoldHours: 24 }
    const leaves = [{ action: 'withdrawal.rules', subjectType: 'shop', before: { ...rules, fee: 1 }, after: { ...rules, fee: 2 } }]
    return { path: '/withdrawals/rules', body: { fee: 2 }, leaves }
  },
  'PUT /api/recharge/:id/approve': async () => {
    const { _id, rechargeId } = await makeRecharge()
    const leaves = [
      {
        action: 'recharge.approve',
        subjectType: 'recharge',
        subjectId: rechargeId,
        before: { status: 'pending', balance: 0 },
        after: { status: 'approved', balance: 60 },
      },
    ]
    return { path: `/recharge/${_id}/approve`, leaves }
  },
  'PUT /api/recharge/:id/decline': async () => {
    const { _id, rechargeId } = await makeRecharge()
    const leaves = [
      {
        action: 'recharge.decline',
        subjectType: 'recharge',
        subjectId: rechargeId,
        before: { status: 'pending' },
        after: { status: 'declined' },
      },
    ]
    return { path: `/recharge/${_id}/decline`, leaves }
  },
  'PUT /api/recharge/:id/reopen': async () => {
    const { _id, rechargeId } = await makeRecharge()
    await call(shop, 'PUT', `/recharge/${_id}/decline`, { as: admin })
    const leaves = [
      {
        action: 'recharge.reopen',
        subjectType: 'recharge',
        subjectId: rechargeId,
        before: { status: 'declined' },
        after: { status: 'pending' },
      },
    ]
    return { path: `/recharge/${_id}/reopen`, leaves }
  },
  'PUT /api/admin/whatsapp': async () => ({
    path: '/admin/whatsapp',
    body: { dailyCap: 900 },
    leaves: [
      {
        action: 'whatsapp.change',
        before: expect.objectContaining({ dailyCap: 1_000 }),
        after: expect.objectContaining({ dailyCap: 900 }),
      },
    ],
  }),
  'POST /api/admin/whatsapp/test': async () => ({
    method: 'POST',
    says: 'On its way. Below you see what became of it.',
    path: '/admin/whatsapp/test',
    body: { phone: '0241239876' },
    leaves: [{ action: 'whatsapp.test', after: { phone: '0241239876' } }],
  }),
  'POST /api/forwarder': async () => ({
    path: '/forwarder',
    method: 'POST',
    body: { name: 'Till', app: 'other', networks: ['MTN'] },
    leaves: [{ action: 'forwarder.add', subjectType: 'forwarder', subjectId: 'Till', after: { app: 'other', networks: ['MTN'] } }],
  }),
  'PUT /api/forwarder/rules': async () => {
    const rules = { most: 500, daily: 5_000, unsigned: 200, silentMinutes: 120 }
    const leaves = [{ action: 'forwarder.rules', before: { ...rules, claim: 0 }, after: { ...rules, claim: 20 } }]
    return { path: '/forwarder/rules', body: { claim: 20 }, leaves }
  },
  'POST /api/forwarder/read-again': async () => ({
    path: '/forwarder/read-again',
    method: 'POST',
    leaves: [{ action: 'message-format.read-again', after: { read: 0, understood: 0 } }],
  }),
  // Nothing is kept.
  'POST /api/message-format/try': async () => ({
    path: '/message-format/try',
    method: 'POST',
    body: { text: 'A message of today' },
    leaves: [],
  }),
  'PUT /api/message-format': async () => {
    const said = { on: false, kind: 'money-out', words: null, senders: [], version: 1 }
    return {
      path: '/message-format',
      body: { ...said, network: 'MTN', name: 'bill', samples: [], version: 0 },
      leaves: [{ action: 'message-format.change', subjectType: 'message-format', subjectId: 'MTN bill', after: said }],
    }
  },
  'POST /api/forwarder/:id/rotate': async () => ({
    path: `/forwarder/${await addPhone()}/rotate`,
    method: 'POST',
    leaves: [{ action: 'forwarder.rotate', subjectId: 'Till' }],
  }),
  'PUT /api/forwarder/:id/balance': async () => ({
    path: `/forwarder/${await addPhone()}/balance`,
    body: { network: 'MTN', balance: 7 },
    leaves: [
      {
        action: 'forwarder.balance',
        before: { network: 'MTN', balancePesewas: null },
        after: { network: 'MTN', balance: 7 },
      },
    ],
  }),
  'DELETE /api/forwarder/:id': async () => ({
    path: `/forwarder/${await addPhone()}`,
    method: 'DELETE',
    says: 'Removed. Nothing more is taken from this phone.',
    leaves: [{ action: 'forwarder.end', subjectId: 'Till' }],
  }),
  'POST /api/received-payment/messages': async () => ({
    method: 'POST',
    path: '/received-payment/messages',
    body: { text: paymentMessage('x') },
    leaves: [{ action: 'payment.read', subjectType: 'payments', subjectId: 'message', after: { read: 1, new: 1 } }],
  }),
  'POST /api/received-payment/statement': async () => {
    const leaves = [{ action: 'payment.read', subjectType: 'payments', subjectId: 'statement', after: { read: 1, new: 1 } }]
    return {
      method: 'POST',
      path: '/received-payment/statement',
      body: statementBody([{ transactionId: '71000000000', amount: '60' }]),
      leaves,
    }
  },
  'POST /api/received-payment/approve': async () => {
    const { _id: rechargeId, rechargeId: reference, user } = await makeRecharge()
    const paymentId = await readPayment(reference)
    const note = `For request ${reference}`
    const leaves = [
      {
        action: 'recharge.approve',
        subjectType: 'recharge',
        subjectId: reference,
        before: { status: 'pending', balance: 0 },
        after: { status: 'approved', balance: 60 },
        note: `MTN ${transactions} from AMA SAMPLE`,
      },
      {
        action: 'payment.credit',
        subjectType: 'user',
        subjectId: user._id,
        after: { amount: 60, network: 'MTN', transactionId: String(transactions), alone: true },
        note,
      },
    ]
    return { method: 'POST', path: '/received-payment/approve', body: { matches: [{ paymentId, rechargeId, amount: 60 }] }, leaves }
  },
  'POST /api/received-payment/:id/credit': async () => {
    const { _id } = await makeUser(shop)
    const id = await readPayment('x')
    const after = { amount: 60, network: 'MTN', transactionId: String(transactions), alone: true }
    return {
      method: 'POST',
      path: `/received-payment/${id}/credit`,
      body: { amount: 60, userId: _id },
      leaves: [{ action: 'payment.credit', subjectType: 'user', subjectId: _id, after }],
    }
  },
  'PUT /api/received-payment/:id/set-aside': async () => {
    const id = await readPayment('x')
    const leaves = [{ action: 'payment.keep', subjectType: 'payment', subjectId: String(transactions), after: { amount: 60 } }]
    return { method: 'PUT', path: `/received-payment/${id}/set-aside`, body: { how: 'keep' }, says: 'Kept for later.', leaves }
  },
  'POST /api/received-payment/:id/take-back': async () => {
    const { _id } = await makeUser(shop)
    const id = await readPayment('x')
    await call(shop, 'POST', `/received-payment/${id}/credit`, { as: admin, body: { amount: 60, userId: _id } })
    const leaves = [
      { action: 'wallet.debit', subjectType: 'user', subjectId: _id, before: { balance: 60 }, after: { balance: 0 }, note: 'Not yours' },
      {
        action: 'payment.take-back',
        subjectType: 'user',
        subjectId: _id,
        after: { amount: 60 },
        note: `MTN ${transactions} from AMA SAMPLE: Not yours`,
      },
    ]
    return { method: 'POST', path: `/received-payment/${id}/take-back`, body: { reason: 'Not yours' }, leaves }
  },
  'POST /api/product/create': async () => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const leaves = [
      {
        action: 'product.create',
        subjectType: 'product',
        subject: 'AFA',
        before: null,
        after: { network: 'AFA', status: 'available', imageHash: expect.stringMatching(/^[0-9a-f]{64}$/), packages },
      },
    ]
    const body = { network: 'AFA', image: `data:image/png;base64,${bytes.toString('base64')}`, packages }
    return { method: 'POST', path: '/product/create', body, leaves }
  },
  'PUT /api/product/:id': async () => {
    const { _id } = await makeProduct()
    const dearer = [{ ...packages[0], priceCustomer: 5.5 }]
    const leaves = [
      {
        action: 'product.update',
        subjectId: _id,
        before: expect.objectContaining({ packages }),
        after: expect.objectContaining({ packages: dearer }),
      },
    ]
    return { path: `/product/${_id}`, body: { network: 'MTN', status: 'available', packages: dearer }, leaves }
  },
  'PUT /api/product/:id/status': async () => {
    const { _id } = await makeProduct()
    const leaves = [
      {
        action: 'product.status',
        subjectId: _id,
        before: expect.objectContaining({ status: 'available' }),
        after: expect.objectContaining({ status: 'out of stock' }),
      },
    ]
    return { path: `/product/${_id}/status`, body: { status: 'out of stock' }, leaves }
  },
  'DELETE /api/product/:id': async () => {
    const { _id } = await makeProduct()
    const leaves = [
      { action: 'product.delete', subjectId: _id, subject: 'MTN', before: expect.objectContaining({ packages }), after: null },
    ]
    return { method: 'DELETE', path: `/product/${_id}`, says: 'Product deleted successfully', leaves }
  },
  'PUT /api/extra/notice': async () => {
    const before = (await call(shop, 'GET', '/extra/momo-details')).body
    const leaves = [{ action: 'notice.text', before, after: { ...before, noticeContent: 'Closed today' } }]
    return { path: '/extra/notice', body: { noticeContent: 'Closed today' }, leaves }
  },
  'PUT /api/extra/momo-details': async () => {
    const before = (await call(shop, 'GET', '/extra/momo-details')).body
    const body = { momoPhoneNumber: '0557654321', momoAccountName: 'Somebody else' }
    return { path: '/extra/momo-details', body, leaves: [{ action: 'notice.momo-details', before, after: { ...before, ...body } }] }
  },
  'POST /api/admin/day-close': async () => {
    const { body } = await call<{ sheet: DaySheet }>(shop, 'GET', '/admin/day-close', { as: admin })
    const { from, until, wallets, earned } = body.sheet
    const after = { from, until, balance: wallets.closing, totalProfit: earned.profit }
    const leaves = [{ action: 'day.close', subjectType: 'day', subject: 'The day of 21 November', before: null, after }]
    return { method: 'POST', path: '/admin/day-close', body: { from, until, closing: wallets.closing }, leaves }
  },
  'POST /api/admin/profit/uncosted': async () => {
    const order = await makeOrder()
    await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'completed' } })
    const { rows } = await shop.database.db.query<{ productId: string }>('select product_id as "productId" from orders where id = $1', [
      order._id,
    ])
    const { productId } = rows[0]!
    const of = { offer: '1GB', supplier: 'by-hand' }
    const leaves = [
      {
        action: 'costs.record',
        subjectType: 'costs',
        subjectId: productId,
        before: { costPesewas: null },
        after: { ...of, cost: 4.2, orders: expect.any(Number) },
      },
    ]
    return { method: 'POST', path: '/admin/profit/uncosted', body: { productId, ...of, cost: 4.2 }, leaves }
  },
  'PUT /api/admin/costs': async () => {
    const { _id } = await makeProduct()
    const costs = [{ productId: _id, offer: packages[0]!.offer, supplier: 'by-hand', cost: 4.2 }]
    const name = `MTN ${packages[0]!.offer}, by-hand`
    const leaves = [
      {
        action: 'costs.change',
        subjectType: 'costs',
        subjectId: 'catalogue',
        before: { costs: [{ name, costPesewas: null }] },
        after: { costs: [{ name, cost: 4.2 }] },
      },
    ]
    return { path: '/admin/costs', body: { costs }, leaves }
  },
  'PUT /api/admin/settings': async () => {
    const before = (await call<SettingsReply>(shop, 'GET', '/admin/settings', { as: admin })).body.settings
    const body = { smsDailyCap: before.smsDailyCap + 1, buyerSms: !before.buyerSms }
    const leaves = [{ action: 'settings.change', subjectType: 'settings', subjectId: 'shop', before, after: { ...before, ...body } }]
    return { path: '/admin/settings', body, leaves }
  },
  'POST /api/admin/prices/publish': async () => {
    const { _id: productId } = await makeProduct()
    const changes = [{ productId, offer: '1GB', priceCustomer: { from: 5, to: 5.3 }, hidden: { from: false, to: true } }]
    const costs = [{ productId, offer: '1GB', supplier: 'by-hand', from: null, to: 4.1 }]
    const costOf = (cost: object) => ({ costs: [{ name: 'MTN 1GB, by-hand', ...cost }] })
    const leaves = [
      { action: 'costs.change', before: costOf({ costPesewas: null }), after: costOf({ cost: 4.1 }) },
      {
        action: 'prices.publish',
        subjectType: 'prices',
        subjectId: 'MTN',
        before: { 'MTN 1GB': '¢5.00, shown' },
        after: { 'MTN 1GB': '¢5.30, hidden' },
      },
    ]
    return { method: 'POST', path: '/admin/prices/publish', body: { changes, costs }, leaves }
  },
  'POST /api/admin/price-schedules': async () => {
    const { _id: productId } = await makeProduct()
    const liveAt = new Date(shop.clock.now.getTime() + 3_600_000).toISOString()
    const changes = [{ productId, offer: '1GB', priceAgent: { from: 4, to: 4.2 } }]
    const leaves = [{ action: 'prices.schedule', before: { 'MTN 1GB': 'agents ¢4.00' }, after: { 'MTN 1GB': 'agents ¢4.20', liveAt } }]
    return { method: 'POST', path: '/admin/price-schedules', body: { liveAt, changes }, leaves }
  },
  'DELETE /api/admin/price-schedules/:id': async () => {
    const { path, body } = await DEEDS['POST /api/admin/price-schedules']!()
    const { schedules } = (await call<PricesReply>(shop, 'POST', path, { as: admin, body })).body
    const { _id, liveAt } = schedules.at(-1)!
    const leaves = [{ action: 'prices.cancel', before: { 'MTN 1GB': 'agents ¢4.20', liveAt }, after: null }]
    return { method: 'DELETE', path: `/admin/price-schedules/${_id}`, leaves }
  },
  'POST /api/admin/price-proposals/:id/approve': async () => {
    const as = await makeUser(shop, { roles: ['products'] })
    const { body: wanted } = await DEEDS['POST /api/admin/prices/publish']!()
    const [change] = (wanted as { changes: { productId: string; priceCustomer: { from: number } }[] }).changes
    const { productId, priceCustomer } = change!
    const changes = [{ productId, offer: '1GB', priceCustomer: { from: priceCustomer.from, to: 0.5 } }]
    await call(shop, 'POST', '/admin/prices/publish', { as, body: { changes } })
    const { approvals } = (await call<{ approvals: Approval[] }>(shop, 'GET', '/admin/approvals', { as: admin })).body
    const { _id, hash } = approvals.find(({ proposedBy }) => proposedBy === as.username)!
    const leaves = [{ action: 'prices.publish', note: `Asked for by ${as.username}` }]
    return { method: 'POST', path: `/admin/price-proposals/${_id}/approve`, body: { hash }, says: 'The new prices are agreed.', leaves }
  },
  'POST /api/admin/prices/:id/undo': async () => {
    const { path, body } = await DEEDS['POST /api/admin/prices/publish']!()
    const { lastPublication } = (await call<PricesReply>(shop, 'POST', path, { as: admin, body })).body
    const leaves = [{ action: 'prices.undo', before: { 'MTN 1GB': '¢5.30, hidden' }, after: { 'MTN 1GB': '¢5.00, shown' } }]
    return { method: 'POST', path: `/admin/prices/${lastPublication?._id}/undo`, leaves }
  },
  'POST /api/admin/jobs/:id/retry': async () => {
    const { rows } = await shop.database.db.query<{ id: string }>(
      `insert into jobs.job (name, source_name, data) values ('parked', 'daily-check', '{}') returning id`,
    )
    const { id } = rows[0]!
    const leaves = [{ action: 'job.retry', subjectType: 'job', subjectId: id, before: null, after: null }]
    return { method: 'POST', path: `/admin/jobs/${id}/retry`, body: {}, says: 'The job will be tried again.', leaves }
  },
  'POST /api/admin/jobs/:id/dismiss': async () => {
    const { rows } = await shop.database.db.query<{ id: string }>(
      `insert into jobs.job (name, source_name, data, source_output) values ('parked', 'daily-check', '{}', '{"message": "no disk"}') returning id`,
    )
    const { id } = rows[0]!
    const note = 'tonight does it again'
    const before = { work: 'daily-check', problem: 'no disk' }
    const leaves = [{ action: 'job.dismiss', subjectType: 'job', subjectId: id, before, after: null, note }]
    return { method: 'POST', path: `/admin/jobs/${id}/dismiss`, body: { reason: note }, says: 'The job is dismissed.', leaves }
  },
  'POST /api/admin/checkers/check': async () => ({
    method: 'POST',
    path: '/admin/checkers/check',
    body: { kind: 'bece', lines: [makeCode()] },
    leaves: [],
  }),
  'POST /api/admin/checkers/imports': async () => {
    const after = { number: expect.any(Number), kind: 'bece', codes: 1, unitCost: 15, distributor: 'Kwame' }
    const leaves = [{ action: 'checkers.imported', subjectType: 'checker-import', before: null, after }]
    const body = { kind: 'bece', distributor: 'Kwame', unitCost: 15, lines: [makeCode()] }
    return { method: 'POST', path: '/admin/checkers/imports', body, leaves }
  },
  'POST /api/admin/checker-codes/:code/void': async () => {
    const code = await makeUnsoldCode(shop)
    const before = { number: expect.any(Number), kind: 'bece', serialEnd: expect.any(String), cost: 15 }
    const leaves = [
      { action: 'checkers.voided', subjectType: 'checker-code', subjectId: String(code), before, after: null, note: 'Already used' },
    ]
    const says = 'Taken out of the stock, and booked as a loss.'
    return { method: 'POST', path: `/admin/checker-codes/${code}/void`, body: { reason: 'Already used' }, says, leaves }
  },
  'POST /api/admin/checkers/imports/:id/take-back': async () => {
    const { importId } = await stockCheckers(shop, 'BECE', 3)
    const before = { number: expect.any(Number), kind: 'bece', codes: 3, distributor: 'Kwame Cards' }
    const leaves = [{ action: 'checkers.taken-back', subjectType: 'checker-import', subjectId: importId, before, after: null }]
    return { method: 'POST', path: `/admin/checkers/imports/${importId}/take-back`, body: {}, says: 'Taken out of the stock.', leaves }
  },
  'PUT /api/admin/checkers/kinds/:kind': async () => {
    const after = { name: 'NOVDEC', portal: 'https://eresults.waecgh.org', lowStock: 7 }
    const leaves = [
      { action: 'checkers.kind', subjectType: 'checker-kind', subjectId: 'novdec', before: { ...after, lowStock: 20 }, after },
    ]
    return { path: '/admin/checkers/kinds/novdec', body: after, says: 'Saved.', leaves }
  },
  'PUT /api/admin/checkers/packages': async () => {
    await clearCheckers(shop)
    const { _id } = await findProduct(shop, 'WAEC Checkers')
    const before = { offer: 'BECE', kind: null, units: 1 }
    const after = { offer: 'BECE', kind: 'bece', units: 2 }
    const leaves = [{ action: 'checkers.package', subjectType: 'product', subjectId: _id, before, after }]
    return { path: '/admin/checkers/packages', body: { productId: _id, ...after }, says: 'Saved.', leaves }
  },
  'POST /api/admin/order/:id/checkers/reveal': async () => {
    const { order } = await makeCheckerOrder(shop)
    const subject = { subjectType: 'order', subjectId: order._id }
    const leaves = [
      { action: 'checkers.revealed', ...subject, before: null, after: { roles: ['owner'], codes: 1 }, note: 'She cannot read it' },
    ]
    return { method: 'POST', path: `/admin/order/${order._id}/checkers/reveal`, body: { reason: 'She cannot read it' }, leaves }
  },
  'POST /api/admin/order/:id/checkers/send': async () => {
    const { order } = await makeCheckerOrder(shop)
    shop.clock.advance(61_000)
    const leaves = [
      { action: 'checkers.sent', subjectType: 'order', subjectId: order._id, before: null, after: { receiver: '0551234567' } },
    ]
    return { method: 'POST', path: `/admin/order/${order._id}/checkers/send`, body: {}, says: 'We are sending it to 055 ••• 4567.', leaves }
  },
  'POST /api/admin/checker-codes/:code/replace': async () => {
    const { order, code } = await makeCheckerOrder(shop)
    const subject = { subjectType: 'order', subjectId: order._id }
    const leaves = [
      {
        action: 'checkers.replaced',
        ...subject,
        before: { serialEnd: expect.any(String) },
        after: { cost: 15, worth: 21 },
        note: 'Used already',
      },
    ]
    return { method: 'POST', path: `/admin/checker-codes/${code}/replace`, body: { reason: 'Used already' }, leaves }
  },
  'PUT /api/admin/reports/:id/end': async () => {
    const order = await makeOrder()
    const { rows } = await shop.database.db.query<{ id: string }>(
      'insert into reports (order_id, status, opened_at) values ($1, $2, $3) returning id',
      [order._id, 'open', shop.clock.now],
    )
    const note = 'we asked the network'
    const subject = { subjectType: 'order', subjectId: order._id }
    const leaves = [
      { action: 'order.completed', ...subject, before: { status: 'pending' }, after: { status: 'completed' }, note },
      { action: 'report.delivered', ...subject, before: { status: 'open' }, after: { status: 'delivered' }, note },
    ]
    return { path: `/admin/reports/${rows[0]!.id}/end`, body: { outcome: 'delivered', text: note }, leaves }
  },
  'POST /api/admin/suppliers/:name/retry': async () => {
    await shop.database.db.query(
      `insert into supplier_health (supplier, pauses, paused_until) values ('hubnet', 1, 'infinity')
       on conflict (supplier) do update set pauses = 1, paused_until = 'infinity'`,
    )
    const leaves = [{ action: 'supplier.retry', subjectType: 'supplier', subjectId: 'hubnet', after: { orders: 0 } }]
    const says = 'No order is waiting there. The next one is sent at once.'
    return { method: 'POST', path: '/admin/suppliers/hubnet/retry', body: {}, says, leaves }
  },
  'POST /api/admin/suppliers/:name/release': async () => {
    const order = await makeOrder()
    await shop.database.db.query(
      `insert into supplier_deliveries (order_id, reference, supplier, volume_mb, created_at, updated_at)
       select id, reference, 'remadata', 1000, now(), now() from orders where id = $1`,
      [order._id],
    )
    const leaves = [
      { action: 'supplier.release', subjectType: 'supplier', subjectId: 'remadata', subject: 'RemaData', after: { orders: 1 } },
    ]
    const says = '1 order is yours to process by hand now.'
    return { method: 'POST', path: '/admin/suppliers/remadata/release', body: {}, says, leaves }
  },
  'PUT /api/admin/suppliers/balance': async () => {
    const leaves = [
      { action: 'supplier.balance', subjectType: 'supplier', subjectId: 'by-hand:MTN', subject: 'MTN portal', after: { balance: 120.5 } },
    ]
    return { path: '/admin/suppliers/balance', body: { network: 'MTN', balance: 120.5 }, says: 'The balance is saved.', leaves }
  },
  'PUT /api/admin/suppliers/order': async () => {
    await shop.database.db.query(`update operations_settings set send_below_cost = false, verification_days = 7`)
    const before = { sendBelowCost: false, verificationDays: 7, networks: expect.any(Object) }
    const after = { ...before, sendBelowCost: true }
    const leaves = [{ action: 'supplier.order', subjectType: 'settings', subjectId: 'suppliers', before, after }]
    return { path: '/admin/suppliers/order', body: { sendBelowCost: true, seen: { sendBelowCost: false } }, leaves }
  },
  'PUT /api/admin/suppliers/settings': async () => {
    const before = { alarmHours: 1, howToTopUp: {} }
    const after = { alarmHours: 3, howToTopUp: { hubnet: 'Send mobile money to 024 000 0000' } }
    await shop.database.db.query(`update float_settings set alarm_hours = 1, how_to_top_up = '{}'`)
    const leaves = [{ action: 'supplier.settings', subjectType: 'settings', subjectId: 'suppliers', before, after }]
    const body = { alarmHours: 3, howToTopUp: { key: 'hubnet', text: ' Send mobile money to 024 000 0000 ' } }
    return { path: '/admin/suppliers/settings', body, says: 'Saved.', leaves }
  },
  // It looks and changes nothing, so there is nothing to record.
  'POST /api/admin/books/check': async () => ({
    method: 'POST',
    path: '/admin/books/check',
    body: {},
    says: 'The books are being checked.',
    leaves: [],
  }),
  'POST /api/admin/books/resume': async () => {
    const before = { pausedAt: shop.clock.now.toISOString(), found: [] }
    await shop.database.db.query(`insert into purchase_pauses (paused_at, found) values ($1, '[]')`, [before.pausedAt])
    const note = 'looked at and understood'
    const leaves = [{ action: 'purchases.resume', subjectType: 'purchases', subjectId: 'paused', before, after: {}, note }]
    return { method: 'POST', path: '/admin/books/resume', body: { reason: note }, says: 'Purchases go on.', leaves }
  },
}

/** Nine cedis to somebody new, which wait for a second person. */
async function propose() {
  const [proposer, { _id: userId }] = [await makeUser(shop, { roles: ['finance'] }), await makeUser(shop)]
  const { rows } = await shop.database.db.query<{ _id: string; hash: string }>(
    `insert into approvals (action, action_hash, details, proposed_by, proposed_at, expires_at)
     values ('wallet.credit', sha256(random()::text::bytea), $1, $2, $3, $3::timestamptz + interval '1 hour')
     returning id as _id, encode(action_hash, 'hex') as hash`,
    [{ userId, amountPesewas: 900, note: '', showNote: false }, proposer._id, shop.clock.now],
  )
  return { ...rows[0]!, proposer: proposer.username }
}

async function actions(query: Record<string, string> = {}): Promise<AdminAction[]> {
  return (await call<AdminAction[]>(shop, 'GET', '/admin/actions', { as: admin, query })).body
}

describe('every change that an admin makes', () => {
  // Nothing is sold while one is on.
  afterEach(() => shop.database.db.query('delete from purchase_pauses'))

  test('is listed in this file: a new admin endpoint needs an example here, and so a record', () => {
    expect(adminWrites.length).toBeGreaterThan(10)
    expect(adminWrites.filter((name) => !(name in DEEDS))).toEqual([])
  })

  test.each(Object.keys(DEEDS))('%s leaves who, what, before, after, when and from where, once', async (name) => {
    const { method = 'PUT', path, body, says, leaves } = await DEEDS[name]!()
    const [newest] = await actions()
    shop.clock.advance(1000)
    const reply = await shop.app.inject({
      method,
      url: `/api${path}`,
      headers: { authorization: `Bearer ${admin.token}` },
      remoteAddress: '154.160.1.2',
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(reply.headers['content-type']).includes('json')
    expect([reply.statusCode, isJson ? reply.json().message : undefined]).toEqual([200, says])
    const left = (await actions()).filter(({ _id }) => Number(_id) > Number(newest?._id ?? 0)).toReversed()
    expect(left).toEqual(
      leaves.map((expected) =>
        expect.objectContaining({
          actor: 'the owner',
          ip: '154.160.1.2',
          note: '',
          createdAt: shop.clock.now.toISOString(),
          ...expected,
        }),
      ),
    )
  })

  test.each(Object.keys(DEEDS).filter((name) => !name.includes('/product/create')))('%s that is refused leaves nothing', async (name) => {
    const { method = 'PUT', path, body } = await DEEDS[name]!()
    const before = (await actions()).length
    const customer = await makeUser(shop)
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect((await call(shop, method, path, { as: customer, body })).status).toBe(403)
    expect((await call(shop, method, path, { body })).status).toBe(401)
    if (name.includes(':id'))
      expect((await call(shop, method, path.replace(/[0-9a-f-]{36}/, nobody), { as: admin, body })).status).toBe(404)
    expect((await actions()).length).toBe(before)
  })
})

describe('the log', () => {
  test('is for admins alone', async () => {
    expect((await call(shop, 'GET', '/admin/actions')).status).toBe(401)
    expect((await call(shop, 'GET', '/admin/actions', { as: await makeUser(shop, { level: 'Agent' }) })).status).toBe(403)
  })

  test('is paged and searched by actor, action, subject and reason', async () => {
    const ama = await makeUser(shop, { username: 'ama of the log' })
    for (const amount of [5, 6, 7]) {
      await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: ama._id, amount, note: `gift ${amount}` } })
    }
    const page = await call<AdminAction[]>(shop, 'GET', '/admin/actions', {
      as: admin,
      query: { search: 'AMA of the', page: '1', pageSize: '5' },
    })
    expect([page.headers['x-total-count'], page.body.map(({ note }) => note)]).toEqual(['3', ['gift 7', 'gift 6', 'gift 5']])
    expect((await actions({ search: 'gift 6' })).map(({ after }) => after)).toEqual([{ balance: 11 }])
    expect((await actions({ search: 'credited wallet', page: '1', pageSize: '5' })).length).toBeGreaterThan(2)
    // The screen shows words, so the code behind them finds nothing, nor does an id that it does not show.
    expect(await actions({ search: 'wallet.credit' })).toEqual([])
    expect(await actions({ search: ama._id })).toEqual([])
    // What names an action and what stands in a reason are found together, each once, in the order of the list.
    await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: ama._id, amount: 1, note: 'a Credit for the wait' } })
    const all = await actions()
    const named = all.filter(({ action, note }) => /credit/i.test(actionName(action)) || /credit/i.test(note)).map(({ _id }) => _id)
    expect((await actions({ search: 'CREDIT' })).map(({ _id }) => _id)).toEqual(named)
    expect((await actions({ search: 'credit', page: '2', pageSize: '5' })).map(({ _id }) => _id)).toEqual(named.slice(5, 10))
    const { rows } = await shop.database.db.query<{ day: string }>(
      `select (max(created_at) at time zone 'UTC')::date::text as day from admin_actions`,
    )
    expect((await actions({ search: 'credit', from: rows[0]!.day })).map(({ _id }) => _id)).toEqual(
      all.filter(({ _id, createdAt }) => named.includes(_id) && createdAt.startsWith(rows[0]!.day)).map(({ _id }) => _id),
    )
    expect(await actions({ search: 'credit', to: '2020-01-01' })).toEqual([])
    expect((await actions({ search: 'the owner', page: '1', pageSize: '5' })).length).toBe(5)
    expect(await actions({ search: 'nobody did this' })).toEqual([])
    expect(await actions({ search: '%' })).toEqual([])
  })

  test('has words for each action that was ever taken here', async () => {
    const { rows } = await shop.database.db.query<{ action: string }>('select distinct action from admin_actions')
    expect(rows.map(({ action }) => action).filter((action) => !KNOWN_ACTIONS.includes(action))).toEqual([])
  })

  test('shows an order by its number and bundle after its product is gone', async () => {
    const order = await makeOrder()
    await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status: 'completed' } })
    await call(shop, 'DELETE', `/product/${(await findProduct(shop, 'MTN'))._id}`, { as: admin })
    expect(await actions({ search: order._id })).toEqual([])
    expect((await actions({ search: order.id })).map(({ subject }) => subject)).toEqual([`${order.id}: MTN 1GB`])
  })

  test.each(["update admin_actions set note = 'never happened'", 'delete from admin_actions', 'truncate admin_actions'])(
    'cannot be rewritten: %s',
    async (statement) => {
      const before = await actions()
      await expect(shop.database.db.query(statement)).rejects.toThrow('append-only')
      expect(await actions()).toEqual(before)
    },
  )
})

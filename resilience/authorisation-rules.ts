import { type Routes, routes } from '../shared/api.ts'
import type { Access, Endpoint } from '../shared/endpoint.ts'
import { STAFF_ROLES, type StaffRole } from '../shared/staff-rules.ts'

/** Who may do what, as the endpoints declare it. A route of the app that declares nothing fails the experiment. */
export type Actor = 'visitor' | 'customer' | 'other' | 'agent' | StaffRole | 'banned' | 'expired' | 'forged' | 'signedOut'

export const ACTORS: readonly Actor[] = [
  'visitor',
  'customer',
  'other',
  'agent',
  ...STAFF_ROLES,
  'banned',
  'expired',
  'forged',
  'signedOut',
]

/** The declared access. `self` routes are for their subject and owners; `secret` routes refuse whoever has not the provider's own secret. */
export type Rule = {
  access: Access | 'self' | 'secret'
  /** A request that would do something, were it let through. */
  body?: ((subject: Subject) => unknown) | undefined
}

/** What the requests are about: all of it belongs to `customer`. */
export type Subject = {
  customer: string
  order: string
  recharge: string
  payment: string
  product: string
  reference: string
  phone: string
}

const nothing = {}
const line = ({ product }: Subject) => ({ productId: product, offer: '1GB', phoneNumber: '0551234567', amount: 0.01 })

const savedGroup = (phone: string) => ({ name: 'Thief', lines: [{ name: '', phoneNumber: phone, network: 'MTN', offer: '1GB' }] })
const FIRST_OF_MONTH = { groupId: crypto.randomUUID(), repeats: 'monthly', day: null, weekday: null, monthDay: 1, time: '08:00', most: 1 }

/** A request for each write that would do something, were it let through. A write that is missing here is a type error. */
const PAYMENT_MESSAGE = 'Payment received for GHS 101.00 from AMA SAMPLE. Reference: x. Transaction ID: 83724298138.'

const AFA_FORM = {
  fullName: 'Ama Mensah',
  phone: '0244123456',
  ghanaCard: 'GHA-123456789-0',
  birthDate: '1990-05-17',
  region: 'Ashanti',
  town: 'Kumasi',
  occupation: 'Farmer',
  consent: true,
}

const BODIES: Record<Extract<keyof Routes, `POST ${string}` | `PUT ${string}`>, (subject: Subject) => unknown> = {
  'POST /user/register': () => nothing,
  'POST /user/register/code': () => ({ phoneNumber: '0245550100' }),
  'POST /user/login': () => nothing,
  'POST /user/forget-password': () => nothing,
  'POST /user/reset-password/:token': () => nothing,
  'POST /user/reset-password/:token/keep': () => nothing,
  'POST /payment/webhook': ({ payment }) => ({ event: 'charge.success', data: { reference: payment } }),
  'PUT /admin/channel/:channel': () => ({ mostPerOrder: 1_000 }),
  'PUT /admin/ussd': () => ({ mostCharacters: 150 }),
  'POST /admin/ussd/address': () => nothing,
  'POST /ussd/:secret': ({ phone }) => ({ sessionID: 'stolen', newSession: true, msisdn: phone, userData: '*928#' }),
  'POST /supplier/webhook/:secret': ({ reference }) => ({ reference, status: 'delivered' }),
  'POST /user/logout': () => nothing,
  'PUT /admin/staff/rules': () => ({ secondFactorRequired: false }),
  'PUT /admin/staff/:id': () => ({ roles: ['support'] }),
  'POST /admin/staff/:id/reset-code': () => nothing,
  'PUT /user/me/password': () => ({ password: 'not the password', newPassword: 'another good password' }),
  'PUT /user/me/contact': () => ({ password: 'not the password', phone: '0240000001' }),
  'POST /user/me/sessions/end': () => ({ session: 'a'.repeat(24) }),
  'POST /user/me/confirm-password': () => ({ password: 'not the password' }),
  'POST /whatsapp/webhook': () => ({ object: 'whatsapp_business_account', entry: [] }),
  'POST /user/me/whatsapp': () => nothing,
  'PUT /admin/whatsapp': () => ({ dailyCap: 1 }),
  'POST /admin/whatsapp/test': () => ({ phone: '0240000001' }),
  'POST /user/me/pin': () => ({ password: 'not the password', pin: '7392', atCheckout: true }),
  'PUT /user/me/pin': () => ({ currentPin: '7392', atCheckout: false }),
  'POST /user/me/pin/end': () => ({ currentPin: '7392' }),
  'POST /user/me/pin/proof': () => ({ pin: '7392' }),
  'POST /user/me/pin/reset-code': () => ({ password: 'not the password' }),
  'POST /user/me/pin/reset': () => ({ password: 'not the password', code: '123456', pin: '7392' }),
  'POST /user/me/second-factor': () => nothing,
  'POST /user/me/second-factor/confirm': () => ({ code: '000000' }),
  'POST /user/me/second-factor/end': () => ({ code: '123456' }),
  'POST /user/me/recovery-codes': () => ({ code: '123456' }),
  'POST /admin/approvals/:id/approve': () => ({ hash: 'a'.repeat(64) }),
  'POST /admin/approvals/:id/decline': () => nothing,
  'POST /order/checkout': (subject) => ({ items: [line(subject)] }),
  'POST /order/create': ({ payment }) => ({
    newOrder: { id: 'x', network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 0.01, reference: payment },
  }),
  'POST /proxy': ({ reference }) => ({ body: { reference } }),
  'POST /recharge': () => ({ amount: 1 }),
  'PUT /user/news': () => ({ sms: false }),
  'POST /api-keys/:id/rotate': () => ({ overlapHours: 24 }),
  'POST /webhooks': () => ({ url: 'https://example.com/hooks', events: ['order.delivered'] }),
  'PUT /webhooks/:id': () => ({ url: 'https://example.com/hooks', events: ['order.delivered'] }),
  'POST /webhooks/:id/rotate': () => ({}),
  'POST /webhooks/:id/test': () => ({}),
  'POST /webhooks/deliveries/:id/resend': () => ({}),
  'POST /claim': () => ({ transactionId: '83724298138' }),
  'POST /forwarder': () => ({ name: 'Thief', app: 'other', networks: ['MTN'] }),
  'POST /forwarder/:id/rotate': () => nothing,
  'PUT /forwarder/:id/balance': () => ({ network: 'MTN', balance: 1 }),
  'POST /forwarder/read-again': () => nothing,
  'POST /message-format/try': () => ({ text: PAYMENT_MESSAGE }),
  'PUT /message-format': () => ({
    network: 'MTN',
    name: 'bill',
    kind: 'other',
    words: null,
    senders: [],
    samples: [],
    on: false,
    version: 0,
  }),
  'PUT /forwarder/rules': () => ({ most: 50_000 }),
  'POST /forwarder/:id/message': () => ({ sender: 'MobileMoney', text: PAYMENT_MESSAGE }),
  'POST /api-keys': () => ({ name: 'Till', scopes: ['balance:read'] }),
  'POST /bulk/preview': ({ phone }) => ({ text: `${phone} 1` }),
  'POST /bulk': (subject) => ({ total: 0.01, lines: [{ ...line(subject), number: 1, text: '', name: '' }] }),
  'POST /bulk-groups': ({ phone }) => savedGroup(phone),
  'PUT /bulk-groups/:id': ({ phone }) => savedGroup(phone),
  'POST /bulk-schedules': () => FIRST_OF_MONTH,
  'PUT /bulk-schedules/:id': () => FIRST_OF_MONTH,
  'POST /bulk-schedules/:id/pause': () => nothing,
  'POST /bulk-schedules/:id/resume': () => nothing,
  'POST /bulk-schedules/:id/skip': () => nothing,
  'PUT /contact': ({ phone }) => ({ network: 'MTN', phoneNumber: phone, name: 'Mum' }),
  'POST /track': () => ({ reference: '1', phoneNumber: '0551234567' }),
  'POST /user/debits/dismiss': () => ({ id: '1' }),
  'POST /payment': (subject) => ({ purpose: 'order', items: [line(subject)] }),
  'POST /payment/list': (subject) => ({ total: 0.01, lines: [{ ...line(subject), number: 1, text: '', name: '' }] }),
  'POST /payment/:reference/confirm': () => nothing,
  'PUT /user/:id/level': () => ({ userLevel: 'Agent' }),
  'PUT /user/balance': ({ customer }) => ({ chosenId: customer, amount: 1 }),
  'PUT /user/:id/status': () => ({ status: 'Active' }),
  'PUT /order/update-status/:id': () => ({ status: 'rejected' }),
  'POST /order/:id/refund-to-source': () => nothing,
  'POST /order/:id/report': () => ({ text: 'Nothing came' }),
  'POST /report/:id/message': () => ({ text: 'Hello?' }),
  'POST /order/:id/checkers/send': () => ({ by: 'sms' }),
  'POST /track/:reference/checkers': () => ({ phoneNumber: '0551234567' }),
  'POST /track/:reference/checkers/send': () => ({ phoneNumber: '0551234567' }),
  'POST /admin/checkers/check': () => ({ kind: 'wassce', lines: [{ serial: 'THIEF1', pin: '123456789012' }] }),
  'POST /admin/checkers/imports': () => ({
    kind: 'wassce',
    distributor: 'Thief',
    unitCost: 1,
    lines: [{ serial: 'THIEF1', pin: '123456789012' }],
  }),
  'POST /admin/checkers/imports/:id/take-back': () => nothing,
  'POST /admin/checker-codes/:code/void': () => ({ reason: 'Faulty' }),
  'PUT /admin/checkers/kinds/:kind': () => ({ name: 'Thief', portal: 'https://thief.example', lowStock: 0 }),
  'PUT /admin/checkers/packages': ({ product }) => ({ productId: product, offer: '1GB', kind: 'wassce', units: 1 }),
  'POST /admin/order/:id/checkers/reveal': () => ({ reason: 'I am a thief' }),
  'POST /admin/order/:id/checkers/send': () => nothing,
  'POST /admin/checker-codes/:code/replace': () => ({ reason: 'I am a thief' }),
  'PUT /admin/reports/:id/end': () => ({ outcome: 'refunded', text: 'It never came' }),
  'POST /order/decide-many': ({ order }) => ({ ids: [order], status: 'rejected' }),
  'PUT /admin/orders/:id/query-status': () => nothing,
  'PUT /admin/orders/:id/send-again': () => ({ to: 'hubnet', supplierStatus: null }),
  'PUT /admin/orders/:id/receiver': ({ phone }) => ({ receiver: phone, seen: '0551234567', agreedBy: 'nobody', consent: 'call' }),
  'POST /shops/:slug/payment': (subject) => ({ phone: subject.phone, items: [line(subject)] }),
  'POST /shops/payment/:reference/confirm': () => nothing,
  'POST /shops/payment/:reference/refund-codes': () => nothing,
  'POST /refund-codes': () => ({ code: 'AAAA-AAAA-AAAA' }),
  'POST /shops/order/:reference/report': () => nothing,
  'POST /my-shop': () => ({ slug: 'thief', name: 'Thief', about: null, colour: 'red', phone: null, whatsapp: null }),
  'PUT /my-shop': () => ({ name: 'Thief' }),
  'PUT /my-shop/logo': () => ({ image: null }),
  'PUT /my-shop/prices': ({ product }) => ({ prices: [{ productId: product, offer: '1GB', price: 0.01 }] }),
  'PUT /my-shop/sub-agents/prices': ({ product }) => ({ prices: [{ productId: product, offer: '1GB', price: 0.01 }] }),
  'POST /my-shop/sub-agent-invitations': () => ({}),
  'POST /my-shop/sub-agents/:id/end': () => ({}),
  'POST /my-shop/leave': () => ({}),
  'POST /join/:code': () => ({}),
  'PUT /agent-shops/:id': () => ({ closed: 'Not yours' }),
  'PUT /agent-shops/rules': () => ({ maxMarkup: 500 }),
  'POST /admin/batches': () => ({ key: crypto.randomUUID(), network: 'MTN' }),
  'PUT /admin/batches/:number/exported': () => nothing,
  'PUT /admin/batches/:number/settle': ({ order }) => ({ rejected: [{ id: order, reason: 'It never came' }] }),
  'PUT /admin/batches/:number/format': () => ({ file: 'csv', columns: ['number', 'gb'], withHeader: true, numberFormat: 'local' }),
  'POST /earnings/withdrawals': () => ({ amount: 20, fee: 1, phoneNumber: '0245550100', network: 'MTN', name: 'Ama Mensah' }),
  'POST /user/me/numbers/code': () => ({ phoneNumber: '0245550100' }),
  'POST /user/me/numbers': () => ({ phoneNumber: '0245550100', code: '428517' }),
  'POST /earnings/payout-numbers/code': () => ({ phoneNumber: '0245550100' }),
  'POST /earnings/payout-numbers/remove': () => ({ phoneNumber: '0245550100' }),
  'POST /earnings/payout-numbers': () => ({ phoneNumber: '0245550100', code: '428517' }),
  'PUT /earnings/withdrawals/:id/cancel': () => nothing,
  'POST /shops/order/:reference/refund-code': () => nothing,
  'PUT /refunds/:id/check': () => nothing,
  'PUT /refunds/:id/send-again': () => nothing,
  'PUT /refunds/:id/code': () => nothing,
  'PUT /refunds/:id/pay-by-hand': () => ({ transactionId: '51234567891' }),
  'PUT /refunds/:id/send-code': () => nothing,
  'PUT /withdrawals/:id/approve': () => nothing,
  'PUT /withdrawals/:id/pay-by-hand': () => ({ transactionId: '51234567890' }),
  'PUT /withdrawals/:id/decline': () => ({ reason: 'Wrong number' }),
  'PUT /withdrawals/:id/check': () => nothing,
  'PUT /withdrawals/rules': () => ({ minimum: 20 }),
  'POST /referrals/link': () => nothing,
  'PUT /referrals/rules': () => ({ reward: 2 }),
  'PUT /recharge/:id/paid': () => nothing,
  'PUT /recharge/:id/approve': () => nothing,
  'PUT /recharge/:id/decline': () => nothing,
  'PUT /recharge/:id/reopen': () => nothing,
  'POST /received-payment/messages': () => ({ text: PAYMENT_MESSAGE }),
  'POST /received-payment/statement': () => ({
    network: 'MTN',
    headings: ['Transaction ID', 'Money in'],
    rows: [['83724298139', '60.00']],
    columns: { transactionId: 0, in: 1 },
  }),
  'POST /received-payment/approve': () => ({
    matches: [{ paymentId: crypto.randomUUID(), rechargeId: crypto.randomUUID(), amount: 60 }],
  }),
  'POST /received-payment/:id/credit': ({ customer }) => ({ amount: 60, userId: customer }),
  'PUT /received-payment/:id/set-aside': () => ({ how: 'dismiss' }),
  'POST /received-payment/:id/take-back': () => ({ reason: 'Not yours' }),
  'POST /afa': () => AFA_FORM,
  'POST /shops/:slug/afa': () => AFA_FORM,
  'POST /order/:id/afa': () => AFA_FORM,
  'POST /shops/order/:reference/afa': () => AFA_FORM,
  'POST /admin/afa/:id/reveal': () => ({ reason: 'Curious' }),
  'POST /admin/afa/export': () => ({}),
  'POST /product/create': () => nothing,
  'PUT /product/:id': () => nothing,
  'PUT /product/:id/status': () => ({ status: 'available' }),
  'PUT /extra/notice': () => ({ noticeContent: 'Sale' }),
  'PUT /extra/momo-details': () => ({ momoPhoneNumber: '0240000001', momoAccountName: 'Thief' }),
  'POST /payment/:reference/release': () => ({ reason: 'They called us' }),
  'POST /admin/books/check': () => nothing,
  'POST /admin/books/resume': () => ({ reason: 'It was looked at.' }),
  'POST /admin/prices/publish': ({ product }) => ({
    changes: [{ productId: product, offer: '1GB', priceCustomer: { from: 0.01, to: 0.02 } }],
  }),
  'POST /admin/price-schedules': ({ product }) => ({
    liveAt: new Date(Date.now() + 3_600_000).toISOString(),
    changes: [{ productId: product, offer: '1GB', hidden: { from: false, to: true } }],
  }),
  'POST /admin/price-proposals/:id/approve': () => ({ hash: 'a'.repeat(64) }),
  'POST /admin/prices/:id/undo': () => nothing,
  'POST /admin/day-close': () => ({ from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', closing: 0 }),
  'POST /admin/profit/uncosted': ({ product }) => ({ productId: product, offer: '1GB', supplier: 'by-hand', cost: 0.01 }),
  'PUT /admin/costs': ({ product }) => ({ costs: [{ productId: product, offer: '1GB', supplier: 'by-hand', cost: 0.01 }] }),
  'PUT /admin/settings': () => nothing,
  'PUT /admin/shop': () => ({ name: 'Thief' }),
  'PUT /admin/shop/logo': () => ({ image: null }),
  'PUT /admin/shop/payment-numbers': ({ phone }) => ({ numbers: [{ network: 'MTN', phoneNumber: phone, accountName: 'Thief' }] }),
  'PUT /admin/setup': () => ({ hidden: true }),
  'POST /admin/suppliers/:name/retry': () => nothing,
  'POST /admin/suppliers/:name/release': () => nothing,
  'PUT /admin/suppliers/balance': () => ({ network: 'MTN', balance: 1 }),
  'PUT /admin/suppliers/settings': () => ({ alarmHours: 2 }),
  'PUT /admin/suppliers/order': () => ({ verificationDays: 5, seen: {} }),
  'POST /admin/jobs/:id/retry': () => nothing,
  'POST /admin/customers/:id/credit/undo': () => ({ entry: '1' }),
  'POST /admin/customers/:id/sessions/end': () => nothing,
  'POST /admin/customers/:id/notes': () => ({ text: 'Call first' }),
  'POST /admin/jobs/:id/dismiss': () => ({ reason: 'It was looked at.' }),
}

/** Where the declared access does not say all: what the handler checks besides. */
const CHECKED_BY_HANDLER: Partial<Record<keyof Routes, Rule['access']>> = {
  'POST /payment/webhook': 'secret',
  'POST /whatsapp/webhook': 'secret',
  'GET /whatsapp/webhook': 'secret',
  'POST /supplier/webhook/:secret': 'secret',
  'POST /ussd/:secret': 'secret',
  'POST /forwarder/:id/message': 'secret',
  'PUT /user/:id/level': 'self',
}

export const RULES: Record<string, Rule> = Object.fromEntries(
  (Object.keys(routes) as (keyof Routes)[]).map((route) => {
    const access = CHECKED_BY_HANDLER[route] ?? (routes[route] as Endpoint).access
    return [route.replace(' ', ' /api'), { access, body: (BODIES as Partial<Record<string, Rule['body']>>)[route] }]
  }),
)

/** Declared for whoever is signed in, and refused with 403 by the handler to a customer: never done for one. */
export const AGENTS_ONLY: ReadonlySet<string> = new Set([
  'POST /api/api-keys',
  'POST /api/api-keys/:id/rotate',
  'POST /api/referrals/link',
  'GET /api/referrals/leaderboard',
  'POST /api/webhooks',
  'POST /api/webhooks/deliveries/:id/resend',
  'PUT /api/webhooks/:id',
  'POST /api/webhooks/:id/rotate',
  'POST /api/webhooks/:id/test',
  'POST /api/bulk/preview',
  'POST /api/payment/list',
  'POST /api/bulk-groups',
  'PUT /api/bulk-groups/:id',
  'POST /api/bulk-schedules',
  'PUT /api/bulk-schedules/:id',
  'GET /api/my-shop',
  'POST /api/my-shop',
  'PUT /api/my-shop',
  'PUT /api/my-shop/logo',
  'PUT /api/my-shop/prices',
  'GET /api/my-shop/sales',
  'GET /api/my-shop/today',
  'GET /api/my-shop/sub-agents',
  'POST /api/my-shop/sub-agent-invitations',
  'DELETE /api/my-shop/sub-agent-invitations/:id',
  'PUT /api/my-shop/sub-agents/prices',
  'POST /api/my-shop/sub-agents/:id/end',
])

/** The route's path with the subject's own ids in it. */
export function pathFor(path: string, subject: Subject): string {
  const id = path.includes('/recharge/')
    ? subject.recharge
    : /\/orders?\//.test(path)
      ? subject.order
      : path.includes('/product/')
        ? subject.product
        : path.includes('/user/') || path.includes('/customers/')
          ? subject.customer
          : crypto.randomUUID()
  return path
    .replace(':id', id)
    .replace(':name', 'hubnet')
    .replace(':channel', 'ussd')
    .replace(':reference', subject.payment)
    .replace(':number', '1')
    .replace(/:(token|secret)/, 'A'.repeat(43))
    .replace(':note', '1')
}

/** Who may do what. A route of the app that is missing here fails the experiment. */
export type Actor = 'visitor' | 'customer' | 'other' | 'agent' | 'admin' | 'banned' | 'expired' | 'forged' | 'signedOut'

export const ACTORS: readonly Actor[] = ['visitor', 'customer', 'other', 'agent', 'admin', 'banned', 'expired', 'forged', 'signedOut']

/** `anyone` and `signed-in` speak of the token alone; `secret` routes refuse whoever has not the provider's own secret. */
export type Rule = {
  access: 'anyone' | 'signed-in' | 'admin' | 'owner' | 'secret'
  /** A request that would do something, were it let through. */
  body?: (subject: Subject) => unknown
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

export const RULES: Record<string, Rule> = {
  'GET /api/shop': { access: 'anyone' },
  'GET /api/shop/figures': { access: 'anyone' },
  'GET /api/product': { access: 'anyone' },
  'GET /api/extra/momo-details': { access: 'anyone' },
  'POST /api/user/register': { access: 'anyone', body: () => nothing },
  'POST /api/user/login': { access: 'anyone', body: () => nothing },
  'POST /api/user/forget-password': { access: 'anyone', body: () => nothing },
  'POST /api/user/reset-password/:token': { access: 'anyone', body: () => nothing },
  'POST /api/payment/webhook': { access: 'secret', body: ({ payment }) => ({ event: 'charge.success', data: { reference: payment } }) },
  'POST /api/supplier/webhook/:secret': { access: 'secret', body: ({ reference }) => ({ reference, status: 'delivered' }) },

  'GET /api/user': { access: 'signed-in' },
  'GET /api/user/me': { access: 'signed-in' },
  'GET /api/user/account-balances': { access: 'signed-in' },
  'POST /api/user/logout': { access: 'signed-in', body: () => nothing },
  'GET /api/order/allorders': { access: 'signed-in' },
  'POST /api/order/checkout': { access: 'signed-in', body: (subject) => ({ items: [line(subject)] }) },
  'POST /api/order/create': {
    access: 'signed-in',
    body: ({ payment }) => ({
      newOrder: { id: 'x', network: 'MTN', offer: '1GB', receiver: '0551234567', totalAmount: 0.01, reference: payment },
    }),
  },
  'POST /api/proxy': { access: 'signed-in', body: ({ reference }) => ({ body: { reference } }) },
  'GET /api/recharge': { access: 'signed-in' },
  'POST /api/recharge': { access: 'signed-in', body: () => ({ amount: 1 }) },
  'GET /api/wallet/statement': { access: 'signed-in' },
  'GET /api/contact': { access: 'signed-in' },
  'PUT /api/contact': { access: 'signed-in', body: ({ phone }) => ({ network: 'MTN', phoneNumber: phone, name: 'Mum' }) },
  'DELETE /api/contact/:id': { access: 'signed-in' },
  'GET /api/order/:id': { access: 'signed-in' },
  'GET /api/track/:reference': { access: 'anyone' },
  'POST /api/track': { access: 'anyone', body: () => ({ reference: '1', phoneNumber: '0551234567' }) },
  'GET /api/export/statement': { access: 'signed-in' },
  'GET /api/user/debits': { access: 'signed-in' },
  'POST /api/user/debits/dismiss': { access: 'signed-in', body: () => ({ id: '1' }) },
  'GET /api/payment/mine': { access: 'signed-in' },
  'POST /api/payment': { access: 'signed-in', body: (subject) => ({ purpose: 'order', items: [line(subject)] }) },
  'POST /api/payment/:reference/confirm': { access: 'signed-in', body: () => nothing },

  'PUT /api/user/:id/level': { access: 'owner', body: () => ({ userLevel: 'Agent' }) },

  'PUT /api/user/balance': { access: 'admin', body: ({ customer }) => ({ chosenId: customer, amount: 1 }) },
  'PUT /api/user/:id/status': { access: 'admin', body: () => ({ status: 'Active' }) },
  'PUT /api/order/update-status/:id': { access: 'admin', body: () => ({ status: 'rejected' }) },
  'POST /api/order/decide-many': { access: 'admin', body: ({ order }) => ({ ids: [order], status: 'rejected' }) },
  'GET /api/order/stats': { access: 'admin' },
  'PUT /api/recharge/:id/approve': { access: 'admin', body: () => nothing },
  'PUT /api/recharge/:id/decline': { access: 'admin', body: () => nothing },
  'POST /api/product/create': { access: 'admin', body: () => nothing },
  'PUT /api/product/:id': { access: 'admin', body: () => nothing },
  'PUT /api/product/:id/status': { access: 'admin', body: () => ({ status: 'available' }) },
  'DELETE /api/product/:id': { access: 'admin' },
  'PUT /api/extra/notice': { access: 'admin', body: () => ({ noticeContent: 'Sale' }) },
  'PUT /api/extra/momo-details': { access: 'admin', body: () => ({ momoPhoneNumber: '0240000001', momoAccountName: 'Thief' }) },
  'GET /api/payment': { access: 'admin' },
  'GET /api/payment/disputes': { access: 'admin' },
  'GET /api/payment/unmatched': { access: 'admin' },
  'POST /api/payment/:reference/release': { access: 'admin', body: () => ({ reason: 'They called us' }) },
  'GET /api/export/admin-orders': { access: 'admin' },
  'GET /api/export/admin-finance': { access: 'admin' },
  'GET /api/export/admin-products': { access: 'admin' },
  'GET /api/export/admin-stats': { access: 'admin' },
  'GET /api/admin/actions': { access: 'admin' },
  'GET /api/admin/books': { access: 'admin' },
  'POST /api/admin/books/check': { access: 'admin', body: () => nothing },
  'POST /api/admin/books/resume': { access: 'admin', body: () => ({ reason: 'It was looked at.' }) },
  'GET /api/admin/settings': { access: 'admin' },
  'PUT /api/admin/settings': { access: 'admin', body: () => nothing },
  'GET /api/admin/jobs': { access: 'admin' },
  'POST /api/admin/jobs/:id/retry': { access: 'admin', body: () => nothing },
  'POST /api/admin/jobs/:id/dismiss': { access: 'admin', body: () => ({ reason: 'It was looked at.' }) },
}

/** The route's path with the subject's own ids in it. */
export function pathFor(path: string, subject: Subject): string {
  const id = path.includes('/recharge/')
    ? subject.recharge
    : path.includes('/order/')
      ? subject.order
      : path.includes('/product/')
        ? subject.product
        : path.includes('/user/')
          ? subject.customer
          : crypto.randomUUID()
  return path
    .replace(':id', id)
    .replace(':reference', subject.payment)
    .replace(/:(token|secret)/, 'A'.repeat(43))
}

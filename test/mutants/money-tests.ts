const LEDGER = 'server/ledger/ledger.test.ts'
const CONSTRAINTS = 'server/ledger/constraints.test.ts'
const RULES = 'server/ledger/constraints-of-features.test.ts'
const LOCKS = 'server/ledger/locks.test.ts'
const CHECK = 'server/ledger/check-ledger.test.ts'
const PLACE = 'server/features/orders/purchases/place-wallet-orders.test.ts'
const CHECKOUT = 'server/features/orders/purchases/place-orders.test.ts'
const PURCHASE = 'server/features/orders/purchases/purchase.test.ts'
const DECIDE = 'server/features/orders/orders/decide-order.test.ts'
const RECHARGES = 'server/features/wallet/recharges/recharges.test.ts'
const BALANCE = 'server/features/wallet/wallet/change-balance.test.ts'
const PAYMENTS = 'server/features/card/payments/payments.test.ts'
const SETTLE = 'server/features/card/payments/settle-payment.test.ts'
const JOBS = 'server/features/card/payments/jobs.test.ts'
const START = 'server/features/card/payments/start-payment.test.ts'
const SCHEDULE = 'server/features/card/payments/choose-check-time.test.ts'
const LISTS = 'server/features/card/payments/lists.test.ts'
const TOLD = 'server/features/card/payments/settling-is-told.test.ts'
const TAKE = 'server/features/card/payments/claim-paid-order.test.ts'
const RELAYED = 'server/features/storefront/checkout/orders-are-relayed.test.ts'
const LIMITER = 'server/features/storefront/checkout/open-checkout-limiter.test.ts'
const SESSION = 'server/features/storefront/checkout/checkout-session.test.ts'
const SEARCH = 'server/features/wallet/recharges/search-recharges.test.ts'
const MANY = 'server/features/orders/orders/decide-many.test.ts'
const REFUND = 'server/features/orders/orders/refund-order.test.ts'
const REQUEST = 'server/features/wallet/recharges/request-recharge.test.ts'
const DISPUTES = 'server/features/card/payments/disputes.test.ts'
const TOP_UPS = 'server/features/card/payments/top-ups.test.ts'
const REPORTS = 'server/features/orders/reports/reports.test.ts'
const SUPPLIER = 'server/features/delivery/supplier/supplier.test.ts'
const BUCKETS = 'server/platform/rate-limiter.test.ts'
const SHOPS = 'server/features/agents/agent-shops/agent-shops.test.ts'
const GUESTS = 'server/features/card/payments/guest-refunds.test.ts'
const WITHDRAWALS = 'server/features/agents/withdrawals/withdrawals.test.ts'
const DELIVERY = 'server/features/orders/orders/post-delivery.test.ts'
const COSTS = 'server/features/catalogue/costs/change-costs.test.ts'
const BATCHES = 'server/features/delivery/batches/batches.test.ts'
const TRACKER = 'server/features/storefront/tracker/tracker.test.ts'
const APPROVALS = 'server/features/wallet/wallet/approvals.test.ts'
const DAYS = 'server/features/office/day-close/day-close.test.ts'
const RECEIVED = 'server/features/wallet/received-payments/received-payments.test.ts'
const DELIVERIES = 'server/features/delivery/deliveries/deliveries.test.ts'
const BULK = 'server/features/orders/bulk/bulk.test.ts'
const API = 'server/features/channels/developer-api/developer-api.test.ts'
const PROFIT = 'server/features/office/profit/profit.test.ts'
const REFERRALS = 'server/features/people/referrals/referrals.test.ts'
const WEBHOOKS = 'server/features/channels/webhooks/webhooks.test.ts'
const CHECKERS = 'server/features/orders/checkers/checkers.test.ts'
const ASKS = 'server/features/storefront/checkout/on-the-way.test.ts'
const PINS = 'server/features/people/transaction-pin/transaction-pin.test.ts'
const USSD = 'server/features/channels/ussd/ussd.test.ts'
const WHATSAPP = 'server/features/channels/whatsapp/whatsapp.test.ts'
const FORMATS = 'server/features/messages/message-formats/message-formats.test.ts'
const AFA = 'server/features/orders/afa/afa.test.ts'
const AFA_FORMS = 'server/features/orders/afa/afa-forms.test.ts'
const READS = 'server/features/messages/message-formats/parse-message.test.ts'
const SPLITS = 'server/features/wallet/received-payments/split-messages.test.ts'
const FORWARDERS = 'server/features/wallet/forwarders/forwarders.test.ts'
const SUB_AGENTS = 'server/features/agents/sub-agents/sub-agents.test.ts'
const FAILOVER = 'server/features/delivery/supplier/failover.test.ts'
const TO_SOURCE = 'server/features/card/refunds/refund-to-source.test.ts'

/** Only these tests notice unnecessary queries. */
const STATEMENTS = 'test/statements-per-route.test.ts'

/** The tests that mutants of the money code have to get past, the quickest to notice something first. */
export const MONEY_TESTS = [
  LEDGER,
  LOCKS,
  CONSTRAINTS,
  RULES,
  PLACE,
  PURCHASE,
  CHECKOUT,
  REFUND,
  DECIDE,
  RECHARGES,
  REQUEST,
  BALANCE,
  SETTLE,
  JOBS,
  START,
  SCHEDULE,
  LISTS,
  TAKE,
  RELAYED,
  SESSION,
  SEARCH,
  MANY,
  TOLD,
  PAYMENTS,
  DISPUTES,
  TOP_UPS,
  REPORTS,
  SUPPLIER,
  BUCKETS,
  SHOPS,
  GUESTS,
  WITHDRAWALS,
  DELIVERY,
  COSTS,
  BATCHES,
  APPROVALS,
  DAYS,
  RECEIVED,
  BULK,
  API,
  REFERRALS,
  WEBHOOKS,
  CHECKERS,
  ASKS,
  PINS,
  USSD,
  WHATSAPP,
  FORMATS,
  AFA,
  FORWARDERS,
  SUB_AGENTS,
  FAILOVER,
  TO_SOURCE,
  CHECK,
]

/** The tests that a piece of the database or of the sources is used by; what is not named here is tried on all. */
const OF_PIECE: [piece: RegExp, tests: string[]][] = [
  [/attempts/, [BUCKETS]],
  [/check(er|ers)_|sold_out|checkers/, [CHECKERS]],
  [/on_the_way|place_asking/, [ASKS, CHECKERS, PINS]],
  [/place_proven|pin/, [PINS, ASKS, USSD]],
  [/conversations|channel|ussd/, [USSD, WHATSAPP]],
  [/whatsapp/, [WHATSAPP]],
  [/format/, [FORMATS]],
  [/afa/, [AFA, AFA_FORMS]],
  [/claims/, [RECEIVED, FORWARDERS]],
  [/referral/, [REFERRALS]],
  [/channels\/webhooks|webhook_(endpoints|deliveries)|api_event/, [WEBHOOKS, API]],
  [/api[-_]key/, [API, WEBHOOKS]],
  [/withdrawal/, [WITHDRAWALS]],
  [/^table refund(s|_codes)$|orders\/refunds|refunds-to-source|refund-codes|(owe|guard)_refund$/, [GUESTS, TO_SOURCE, SHOPS, CONSTRAINTS]],
  [/release_profit|take_back_profit|profit_shares|shop/, [SHOPS, WITHDRAWALS, GUESTS, SUB_AGENTS, CHECKERS]],
  [/post_delivery|undelivered|supplier_account/, [DELIVERY, SHOPS, DECIDE, CHECK]],
  [/post_entries/, [LOCKS, BULK, LEDGER, SHOPS]],
  [/bulk/, [BULK, LEDGER]],
  [/place_key_orders/, [API]],
  [/cost/, [DELIVERY, COSTS, PROFIT, CHECKERS]],
  [/batch|locked/, [BATCHES]],
  [/receiver/, [TRACKER, CONSTRAINTS, DELIVERIES]],
  [/approval/, [APPROVALS]],
  [/day|account_movements/, [DAYS, CHECK]],
  [/received|payment_credit/, [RECEIVED, FORWARDERS]],
  [/seal_entries/, [CHECK]],
  [/guard_(delivery|rejection)|supplier_deliveries|deliveries\.sql/, [DELIVERIES, FAILOVER, SUPPLIER, REFUND, REPORTS, DISPUTES]],
  [/report/, [REPORTS]],
  [/top-ups/, [TOP_UPS]],
  [/disputes|card_refunds|payment-losses/, [DISPUTES, TOP_UPS, CONSTRAINTS, DECIDE]],
  [/recharge/, [CONSTRAINTS, RECHARGES, REQUEST, SEARCH, FORWARDERS]],
  [/payments|webhook/, [CONSTRAINTS, JOBS, SETTLE, START, TAKE, LISTS, PAYMENTS, DISPUTES, TOP_UPS]],
  [
    /^table (orders|packages|idempotency)|place_wallet_orders|price_lines|refused_lines/,
    [PLACE, PURCHASE, CONSTRAINTS, LOCKS, CHECKOUT, SETTLE, START, TAKE, DECIDE, REFUND, CHECKERS, ASKS, PINS],
  ],
  [/refuse_second_decision/, [CONSTRAINTS, LEDGER, REFUND, DECIDE, REPORTS, TOP_UPS]],
  [/purchases\.sql/, [PURCHASE, CHECKOUT, SESSION]],
  [/orders\.sql/, [REFUND, DECIDE, START, TAKE]],
  [/^table /, [CONSTRAINTS, LEDGER, CHECKOUT]],
  [/^(check_|refuse_change|create_wallet)/, [LEDGER, CONSTRAINTS, CHECKOUT, DECIDE]],
  [/^(count_order|fold_|view )/, [CONSTRAINTS, CHECKOUT, DECIDE]],
]

export function testsOf(piece: string): string[] {
  const tests = OF_PIECE.find(([pattern]) => pattern.test(piece))?.[1] ?? MONEY_TESTS
  return piece.startsWith('table ') ? [RULES, ...tests.filter((file) => file !== RULES)] : tests
}

/** Parts of the TypeScript, and the tests that use them: a part has its own run of Stryker, so that no run is long. */
export const PARTS: Record<string, { mutate: string[]; tests: string[] }> = {
  money: { mutate: ['shared/money.ts'], tests: ['shared/money.test.ts'] },
  wallet: { mutate: ['server/features/wallet/wallet/*.ts'], tests: [BALANCE] },
  ledger: { mutate: ['server/ledger/ledger.ts', 'server/ledger/accounts.ts'], tests: [LEDGER, LOCKS, BALANCE] },
  decide: { mutate: ['server/features/orders/orders/decide-{order,many}.ts'], tests: [REFUND, DECIDE, MANY, DISPUTES, REPORTS] },
  reports: { mutate: ['server/features/orders/reports/*.ts', 'server/features/orders/orders/reports.sql.ts'], tests: [REPORTS] },
  settle: { mutate: ['server/features/card/payments/{settle-payment,choose-check-time}.ts'], tests: [SCHEDULE, SETTLE, TOLD, TOP_UPS] },
  recharges: { mutate: ['server/features/wallet/recharges/*.ts'], tests: [REQUEST, RECHARGES, SEARCH] },
  checkout: {
    mutate: [
      'server/features/{orders/purchases,storefront/checkout}/*.ts',
      '!server/features/storefront/checkout/open-checkout-limiter.ts',
    ],
    tests: [PURCHASE, CHECKOUT, START, TAKE, SESSION, RELAYED, TOLD, LIMITER, STATEMENTS],
  },
  formats: { mutate: ['server/features/messages/message-formats/parse-message.ts'], tests: [READS, SPLITS, FORMATS] },
  payments: {
    mutate: ['server/features/card/payments/*.ts', '!server/features/card/payments/{settle-payment,choose-check-time}.ts'],
    tests: [JOBS, START, TAKE, LISTS, PAYMENTS, DISPUTES, TOP_UPS, STATEMENTS],
  },
}

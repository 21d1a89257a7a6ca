const LEDGER = 'server/ledger/ledger.test.ts'
const CONSTRAINTS = 'server/ledger/constraints.test.ts'
const LOCKS = 'server/ledger/locks.test.ts'
const CHECK = 'server/ledger/check-ledger.test.ts'
const PLACE = 'server/features/checkout/place-wallet-orders.test.ts'
const CHECKOUT = 'server/features/checkout/buy-from-wallet.test.ts'
const DECIDE = 'server/features/orders/decide-order.test.ts'
const RECHARGES = 'server/features/recharges/recharges.test.ts'
const BALANCE = 'server/features/wallet/change-balance.test.ts'
const PAYMENTS = 'server/features/payments/payments.test.ts'

/** The tests that mutants of the money code have to get past, the quickest to notice something first. */
export const MONEY_TESTS = [LEDGER, LOCKS, CONSTRAINTS, PLACE, CHECKOUT, DECIDE, RECHARGES, BALANCE, PAYMENTS, CHECK]

/** The tests that a piece of the database or of the sources is used by; what is not named here is tried on all. */
const OF_PIECE: [piece: RegExp, tests: string[]][] = [
  [/check-ledger/, [CHECK]],
  [/recharge/, [CONSTRAINTS, RECHARGES, CHECK]],
  [/payments|webhook/, [CONSTRAINTS, PAYMENTS, CHECK]],
  [/^table (orders|packages|idempotency)|place_wallet_orders/, [PLACE, LOCKS, CONSTRAINTS, CHECKOUT, DECIDE, PAYMENTS]],
  [/refuse_second_decision/, [LEDGER, DECIDE, PAYMENTS]],
  [/orders\.sql/, [DECIDE, PAYMENTS]],
  [/^table /, [LEDGER, CONSTRAINTS, CHECK, CHECKOUT]],
  [/^(check_|refuse_change|create_wallet)/, [LEDGER, CONSTRAINTS, CHECKOUT, DECIDE]],
  [/^(count_order|fold_|view )/, [CONSTRAINTS, CHECKOUT, DECIDE, CHECK]],
]

export function testsOf(piece: string): string[] {
  return OF_PIECE.find(([pattern]) => pattern.test(piece))?.[1] ?? MONEY_TESTS
}

/** Parts of the TypeScript, and the tests that use them: a part has its own run of Stryker, so that no run is long. */
export const PARTS: Record<string, { mutate: string[]; tests: string[] }> = {
  money: { mutate: ['shared/money.ts'], tests: ['shared/money.test.ts'] },
  wallet: { mutate: ['server/features/wallet/*.ts'], tests: [BALANCE] },
  ledger: {
    mutate: ['server/ledger/ledger.ts', 'server/ledger/accounts.ts', 'server/features/orders/decide-order.ts'],
    tests: [LEDGER, DECIDE, BALANCE, RECHARGES, PAYMENTS],
  },
  recharges: { mutate: ['server/features/recharges/*.ts'], tests: [RECHARGES] },
  checkout: { mutate: ['server/features/checkout/*.ts'], tests: [CHECKOUT, DECIDE, PAYMENTS] },
  payments: { mutate: ['server/features/payments/*.ts'], tests: [PAYMENTS] },
  'check-ledger': { mutate: ['server/ledger/check-ledger.ts'], tests: [CHECK] },
}

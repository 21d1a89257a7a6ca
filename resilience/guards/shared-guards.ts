import { createHmac } from 'node:crypto'
import type * as AppModule from '../../server/app.ts'
import type * as JobsModule from '../../server/features/payments/jobs.ts'
import type * as PaystackModule from '../../server/integrations/payments/paystack.ts'
import type * as LedgerModule from '../../server/ledger/ledger.ts'
import type { Wallet } from '../../server/ledger/ledger.ts'
import type { Db } from '../../server/platform/db.ts'
import { beforeEach, type Edit, editFunction, replace } from './guard.ts'

export const noLock = (db: Db) => editFunction(db, 'place_wallet_orders', [['where user_id = p_user for update', 'where user_id = p_user']])

export async function noLockNoCheck(db: Db) {
  await noLock(db)
  await db.query('alter table wallets drop constraint wallet_not_below_zero')
  await db.query('alter table postings drop constraint postings_balance_after_pesewas_check')
}

/** Forgets every idempotency key. */
export const noKey = (db: Db) => beforeEach(db, 'insert', 'idempotency_keys', 'return null;')

/** Reads each wallet's balance and writes the sum back, without locks. */
export async function lostUpdates(db: Db) {
  await noLock(db)
  await editFunction(db, 'post_entry', [
    ['perform 1 from wallets where account_id = any (p_accounts) order by account_id for update;', ''],
    [
      'update wallets set balance_pesewas = balance_pesewas + p_amounts[i], version',
      'select balance_pesewas into after from wallets where account_id = p_accounts[i]; perform pg_sleep(0.01); update wallets set balance_pesewas = after + p_amounts[i], version',
    ],
  ])
}

export const NO_WALLET_LOCK = replace<typeof LedgerModule>('../../server/ledger/ledger.ts', {
  lockWallet: ({ findWallet }) => findWallet,
  lockWalletOf:
    ({ findWallet }) =>
    async (tx, userId) =>
      (await findWallet(tx, userId)) as Wallet,
})

export async function decidedTwice(db: Db) {
  for (const [trigger, table] of [
    ['orders_decided_once', 'orders'],
    ['recharges_decided_once', 'recharges'],
  ])
    await db.query(`drop trigger if exists ${trigger} on ${table}`)
  await db.query('alter table journal_entries drop constraint journal_entries_key_key cascade')
  await editFunction(db, 'post_entry', [['on conflict (key) do nothing', '']])
}

export const NO_ADMINS: Edit = [
  'server/platform/http/access.ts',
  "if (request.routeOptions.config.access === 'admin' && request.actor?.level !== 'Admin') throw new Forbidden()",
  '',
]
type Paystack = typeof PaystackModule

/** Signs every incoming event before it is checked. */
export const NO_SIGNATURE = replace<Paystack>('../../server/integrations/payments/paystack.ts', {
  createPaystack:
    ({ createPaystack }) =>
    (settings) => {
      const card = createPaystack(settings)
      const sign = (body: Buffer) => createHmac('sha512', settings.secretKey).update(body).digest('hex')
      return { ...card, readWebhook: (body) => card.readWebhook(body, sign(body)) }
    },
})

/** Open payments are not checked. */
export const NO_CHECKS = replace<typeof JobsModule>('../../server/features/payments/jobs.ts', {
  checkOpenPayments: () => async () => {},
})

/** Requests go to a database that is away, and wait for it. */
export const NO_LOOK_AT_THE_DATABASE = replace<typeof AppModule>('../../server/app.ts', {
  buildApp:
    ({ buildApp }) =>
    (deps) =>
      buildApp({ ...deps, isDatabaseAlive: () => true }),
})

/** Calls of services outside are redirected wherever these want. */
export function followRedirects() {
  const { fetch } = globalThis
  globalThis.fetch = (to, init) => fetch(to, { ...init, redirect: 'follow' })
}

/** Whether it is still to be decided is not asked. */
export const UNTIL_DECIDED: Edit[] = [
  ['server/features/orders/decide-order.ts', "if (pending.status !== 'pending') throw new AlreadyDecided('order', pending.status)", ''],
  [
    'server/features/recharges/approve-recharge.ts',
    "if (pending.status !== 'pending') throw new AlreadyDecided('recharge', pending.status)",
    '',
  ],
]

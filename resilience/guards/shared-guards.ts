import type { Db } from '../../server/platform/db.ts'
import { type Edit, editFunction } from './guard.ts'

export const noLock = (db: Db) => editFunction(db, 'place_wallet_orders', [['where user_id = p_user for update', 'where user_id = p_user']])

export async function noLockNoCheck(db: Db) {
  await noLock(db)
  await db.query('alter table wallets drop constraint wallet_not_below_zero')
  await db.query('alter table postings drop constraint postings_balance_after_pesewas_check')
}

export const noKey = (db: Db) =>
  editFunction(db, 'place_wallet_orders', [
    ['where user_id = p_user and key = p_key', 'where user_id = p_user and key = p_key and false'],
    ['else result end, p_now);', 'else result end, p_now) on conflict do nothing;'],
  ])

/** Each wallet's balance is read, and written back with what is added to it, and nobody waits for anybody. */
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

export const NO_WALLET_LOCK: Edit = ['server/ledger/ledger.ts', "selectWallet(tx, userId, 'for update')", "selectWallet(tx, userId, '')"]

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
export const NO_SIGNATURE: Edit = [
  'server/integrations/payments/paystack.ts',
  'if (!isSigned(rawBody, signature, secrets)) return null',
  'void isSigned(rawBody, signature, secrets)',
]

/** Whether it is still to be decided is not asked. */
export const UNTIL_DECIDED: Edit[] = [
  ['server/features/orders/decide-order.ts', "if (pending.status !== 'pending') throw new AlreadyDecided('order', pending.status)", ''],
  [
    'server/features/recharges/approve-recharge.ts',
    "if (pending.status !== 'pending') throw new AlreadyDecided('recharge', pending.status)",
    '',
  ],
]

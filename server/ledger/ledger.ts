import type { Queryable, Tx } from '../platform/db.ts'
import { brokenConstraint } from '../platform/db.ts'
import { InsufficientBalance } from '../platform/errors.ts'

export type EntryKind =
  | 'order'
  | 'order-refund'
  | 'admin-credit'
  | 'admin-debit'
  | 'recharge'
  | 'card-payment'
  | 'card-surcharge'
  | 'agent-upgrade'
  | 'dispute-lost'
  | 'dispute-recovered'
  | 'card-refund'
  | 'delivery'
  | 'delivery-cost'
  | 'provider-fee'
  | 'guest-refund'
  | 'refund-code'
  | 'refund-claimed'
  | 'refund-paid'
  | 'refund-to-source'
  | 'refund-returned'
  | 'withdrawal'
  | 'withdrawal-paid'
  | 'withdrawal-returned'
  | 'owner-funds'
  | 'referral-reward'
  | 'checker-import'
  | 'checker-return'
  | 'checker-loss'

/** Raised by the database when a key is reused with other lines. */
export const KEY_HAS_OTHER_LINES = 'DW004'

/** One balanced movement of money: two or more `lines` in whole pesewas, summing to zero. */
export type Transfer = {
  /** Unique for ever: the same key never moves money twice. */
  key: string
  kind: EntryKind
  memo: string
  actorId: string | null
  lines: { accountId: number; amountPesewas: number }[]
  now: Date
}

/**
 * Moves money inside the caller's transaction and updates wallet balances. The only other writers, `place_wallet_orders` and
 * `post_delivery`, call the same database function. Repeating a transfer with the same key and lines changes nothing; other lines raise
 * `KEY_HAS_OTHER_LINES`.
 * @throws InsufficientBalance when a wallet would go below zero; roll the transaction back then.
 */
export async function postTransfer(tx: Tx, transfer: Transfer): Promise<void> {
  const { key, kind, memo, actorId, lines, now } = transfer
  try {
    await tx.query({
      name: 'post-entry',
      text: 'select post_entry($1, $2, $3, $4, $5, $6, $7)',
      values: [key, kind, memo, actorId, lines.map((line) => line.accountId), lines.map((line) => line.amountPesewas), now],
    })
  } catch (error) {
    if (brokenConstraint(error) === 'wallet_not_below_zero') {
      throw new InsufficientBalance('The balance is not enough for that.')
    }
    throw error
  }
}

export type Wallet = { accountId: number; balancePesewas: number; totalPurchasePesewas: number; version: number }

/** A user's wallet, or null for an unknown user. */
export async function findWallet(db: Queryable, userId: string): Promise<Wallet | null> {
  return selectWallet(db, userId, '')
}

/** A user's wallet, locked until the transaction ends; null for an unknown user. */
export async function lockWallet(tx: Tx, userId: string): Promise<Wallet | null> {
  return selectWallet(tx, userId, 'for update')
}

/**
 * Like `lockWallet`, for a user known to exist.
 * @throws Error when there is no wallet.
 */
export async function lockWalletOf(tx: Tx, userId: string): Promise<Wallet> {
  const wallet = await lockWallet(tx, userId)
  if (!wallet) throw new Error(`user ${userId} has no wallet`)
  return wallet
}

async function selectWallet(db: Queryable, userId: string, lock: '' | 'for update'): Promise<Wallet | null> {
  const { rows } = await db.query<Wallet>({
    name: `wallet ${lock}`,
    text: `select account_id as "accountId", balance_pesewas as "balancePesewas",
        total_purchase_pesewas as "totalPurchasePesewas", version
      from wallets where user_id = $1 ${lock}`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** Creates an empty wallet, in the transaction that creates its user. */
export async function openWallet(tx: Tx, userId: string): Promise<void> {
  await tx.query('select create_wallet($1)', [userId])
}

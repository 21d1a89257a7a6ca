import type { Queryable, Tx } from '../platform/db.ts'
import { brokenConstraint } from '../platform/db.ts'
import { InsufficientBalance } from '../platform/errors.ts'
import { RESERVATIONS } from './accounts.ts'

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
  | 'referral-undone'
  | 'effect-undone'
  | 'dispute-won'
  | 'checker-import'
  | 'checker-return'
  | 'checker-loss'
  | 'reservation'
  | 'reservation-returned'

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

export type Wallet = {
  accountId: number
  balancePesewas: number
  /** Not in the balance: what the owner's client has set aside, back in the wallet as soon as anything needs it. */
  reservedPesewas: number
  totalPurchasePesewas: number
  version: number
}

/** A user's wallet, or null for an unknown user. */
export async function findWallet(db: Queryable, userId: string): Promise<Wallet | null> {
  return selectWallet(db, userId, '')
}

/** What a user may spend, in pesewas: also what is set aside for an order. @throws Error as `findOwnWallet` does. */
export async function readSpendable(db: Queryable, userId: string): Promise<number> {
  const { balancePesewas, reservedPesewas } = await findOwnWallet(db, userId)
  return balancePesewas + reservedPesewas
}

/** @throws Error when the user has no wallet: everyone gets one when they register. */
export async function findOwnWallet(db: Queryable, userId: string): Promise<Wallet> {
  const wallet = await findWallet(db, userId)
  if (!wallet) throw new Error(`user ${userId} has no wallet`)
  return wallet
}

/**
 * A user's wallet, locked until the transaction ends, with what was set aside back in it: whoever locks a wallet may spend all of it. Null
 * for an unknown user.
 */
export async function lockWallet(tx: Tx, userId: string, now: Date): Promise<Wallet | null> {
  const wallet = await selectWallet(tx, userId, 'for update')
  if (!wallet || wallet.reservedPesewas === 0) return wallet
  await tx.query('select return_reserved($1, $2)', [wallet.accountId, now])
  return findWallet(tx, userId)
}

/**
 * Like `lockWallet`, for a user known to exist.
 * @throws Error when there is no wallet.
 */
export async function lockWalletOf(tx: Tx, userId: string, now: Date): Promise<Wallet> {
  const wallet = await lockWallet(tx, userId, now)
  if (!wallet) throw new Error(`user ${userId} has no wallet`)
  return wallet
}

async function selectWallet(db: Queryable, userId: string, lock: '' | 'for update'): Promise<Wallet | null> {
  const { rows } = await db.query<Wallet>({
    name: `wallet ${lock}`,
    text: `select account_id as "accountId", balance_pesewas as "balancePesewas",
        reserved_pesewas as "reservedPesewas", total_purchase_pesewas as "totalPurchasePesewas", version
      from wallets where user_id = $1 ${lock}`,
    values: [userId],
  })
  return rows[0] ?? null
}

/**
 * Sets money of a wallet aside until `until`, in one entry; what was set aside before stays so as well, as far as the wallet covers both.
 * Returns the balance in pesewas.
 * @throws InsufficientBalance when all of the wallet's money is less.
 */
export async function reserveMoney(
  tx: Tx,
  { userId, amountPesewas, until, now }: { userId: string; amountPesewas: number; until: Date; now: Date },
): Promise<number> {
  let wallet = await selectWallet(tx, userId, 'for update')
  if (!wallet) throw new Error(`user ${userId} has no wallet`)
  if (wallet.balancePesewas < amountPesewas) wallet = await lockWalletOf(tx, userId, now)
  const { accountId, balancePesewas } = wallet
  await postTransfer(tx, {
    key: `reservation:${crypto.randomUUID()}`,
    kind: 'reservation',
    memo: 'Set aside for your next order',
    actorId: userId,
    lines: [
      { accountId, amountPesewas: -amountPesewas },
      { accountId: RESERVATIONS, amountPesewas },
    ],
    now,
  })
  await tx.query('update wallets set reserved_pesewas = reserved_pesewas + $2, reserved_until = $3 where account_id = $1', [
    accountId,
    amountPesewas,
    until,
  ])
  return balancePesewas - amountPesewas
}

/** Puts what was set aside until now back into some wallets; returns their owners. Others do the same at the same time without waiting. */
export async function returnDueReservations(db: Queryable, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ userId: string }>(
    `with due as materialized (
       select account_id, user_id from wallets where reserved_until <= $1 order by reserved_until limit 50 for update skip locked
     ) select user_id as "userId", return_reserved(account_id, $1) from due`,
    [now],
  )
  return rows.map(({ userId }) => userId)
}

/** Creates an empty wallet, in the transaction that creates its user. */
export async function openWallet(tx: Tx, userId: string): Promise<void> {
  await tx.query('select create_wallet($1)', [userId])
}

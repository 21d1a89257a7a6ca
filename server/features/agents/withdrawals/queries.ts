import type { Queryable } from '../../../platform/db.ts'
import { chooseFreeAt, chooseHeldSince } from './choose-hold.ts'
import {
  type EarningsWallet,
  type Held,
  type KnownNumber,
  type MovementRow,
  type Sums,
  selectEarningsOf,
  selectHeld,
  selectKnownNumbers,
  selectMovements,
  selectOnTheWay,
  selectSums,
} from './earnings.sql.ts'
import { type PayoutNumber, selectPayoutNumbers } from './payout-numbers.sql.ts'
import { type Rules, selectRules } from './rules.sql.ts'
import { selectUnapproved } from './withdrawals.sql.ts'

const LATEST = 5
const DAY_MS = 24 * 3_600_000

export type EarningsView = {
  wallet: EarningsWallet
  withdrawablePesewas: number
  held: Held & { freeAt: Date | null }
  onTheWay: { pesewas: number; orders: number }
  since: Date
  sums: Sums
  rules: Rules
  atOncePesewas: number
  numbers: KnownNumber[]
  confirmed: PayoutNumber[]
  latest: MovementRow[]
}

/** A shop's earnings since the beginning of the month; null for a user without a shop. */
export async function readEarnings(db: Queryable, userId: string, now: Date): Promise<EarningsView | null> {
  const [wallet, rules] = await Promise.all([selectEarningsOf(db, userId), selectRules(db)])
  if (!wallet) return null
  const { shopId, accountId } = wallet
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const [held, onTheWay, sums, numbers, confirmed, latest, unapprovedPesewas] = await Promise.all([
    selectHeld(db, shopId, chooseHeldSince(now, rules.holdNights)),
    selectOnTheWay(db, shopId),
    selectSums(db, shopId, since),
    selectKnownNumbers(db, shopId),
    selectPayoutNumbers(db, shopId),
    selectMovements(db, { accountId, limit: LATEST, offset: 0 }),
    selectUnapproved(db, shopId, new Date(now.getTime() - DAY_MS)),
  ])
  return {
    wallet,
    withdrawablePesewas: Math.max(0, wallet.balancePesewas - held.pesewas),
    held: { ...held, freeAt: held.oldestAt && chooseFreeAt(held.oldestAt, rules.holdNights) },
    onTheWay,
    since,
    sums,
    rules,
    atOncePesewas: rules.byHand ? 0 : Math.max(0, rules.unapprovedPesewas - unapprovedPesewas),
    numbers,
    confirmed,
    latest,
  }
}

/** What can be withdrawn now, in pesewas. */
export async function readWithdrawable(db: Queryable, userId: string, now: Date): Promise<number> {
  const [wallet, rules] = await Promise.all([selectEarningsOf(db, userId), selectRules(db)])
  if (!wallet) return 0
  const held = await selectHeld(db, wallet.shopId, chooseHeldSince(now, rules.holdNights))
  return Math.max(0, wallet.balancePesewas - held.pesewas)
}

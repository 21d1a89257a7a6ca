import { toCedis } from '../../../../shared/money.ts'
import { hintPhone } from '../../../../shared/phones.ts'
import type { Earnings, EarningsMovement, StaffWithdrawal, Withdrawal, WithdrawalRules } from '../../../../shared/withdrawals.ts'
import { chooseLeast } from './choose-least.ts'
import type { MovementRow } from './earnings.sql.ts'
import type { PayoutNumber } from './payout-numbers.sql.ts'
import type { EarningsView } from './queries.ts'
import type { Rules } from './rules.sql.ts'
import type { StaffWithdrawalRow, WithdrawalRow } from './withdrawals.sql.ts'

export function presentWithdrawal(row: WithdrawalRow): Withdrawal {
  const isAsked = row.status === 'accepted' || row.status === 'unknown'
  return {
    _id: row.id,
    number: String(row.seq),
    status: row.status,
    amount: toCedis(row.amountPesewas),
    fee: toCedis(row.feePesewas),
    payout: toCedis(row.amountPesewas - row.feePesewas),
    phoneNumber: row.phone,
    network: row.network,
    name: row.name,
    reason: row.reason,
    askedNextAt: isAsked ? (row.askAt?.toISOString() ?? null) : null,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

export function presentStaffWithdrawal(row: StaffWithdrawalRow): StaffWithdrawal {
  return {
    ...presentWithdrawal(row),
    reference: row.reference,
    agent: { _id: row.agentId, username: row.username, phone: row.agentPhone },
    shop: { id: row.shopId, name: row.shopName, slug: row.slug },
    newNumber: row.newNumber,
    confirmed: row.confirmedAt !== null,
    earned: toCedis(row.earnedPesewas),
    provider: row.providerNote,
    wasSent: row.sentAt !== null,
    byHand: row.handTransactionId !== null,
    transactionId: row.handTransactionId,
    decidedBy: row.decider,
  }
}

const KINDS: Record<string, EarningsMovement['kind']> = {
  delivery: 'delivered',
  'order-refund': 'refunded',
  withdrawal: 'withdrawn',
  'withdrawal-returned': 'returned',
}

export function presentMovement(row: MovementRow): EarningsMovement {
  const kind = KINDS[row.kind] ?? 'other'
  return {
    id: `${row.entryId}-${row.line}`,
    kind,
    // A guest's number is theirs, as among the sales; that of a withdrawal is the agent's own.
    details: kind === 'withdrawn' || kind === 'returned' ? row.memo : row.memo.replace(/\d{10}/g, hintPhone),
    amount: toCedis(row.amountPesewas),
    balance: toCedis(row.balanceAfterPesewas),
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentEarnings(
  view: EarningsView,
  { providerPays, sendsCodes }: { providerPays: boolean; sendsCodes: boolean },
): Earnings {
  const { wallet, held, onTheWay, sums, rules, withdrawablePesewas } = view
  const beforePesewas =
    withdrawablePesewas + held.pesewas + sums.beingPaidPesewas + sums.withdrawnPesewas + sums.takenBackPesewas - sums.releasedPesewas
  return {
    balance: toCedis(wallet.balancePesewas),
    withdrawable: toCedis(withdrawablePesewas),
    held: { amount: toCedis(held.pesewas), freeAt: held.freeAt?.toISOString() ?? null, orders: held.orders },
    onTheWay: { amount: toCedis(onTheWay.pesewas), orders: onTheWay.orders },
    debt: toCedis(wallet.debtPesewas),
    sums: {
      since: view.since.toISOString(),
      before: toCedis(beforePesewas),
      released: toCedis(sums.releasedPesewas),
      takenBack: { amount: toCedis(sums.takenBackPesewas), count: sums.takenBack },
      withdrawn: { amount: toCedis(sums.withdrawnPesewas), count: sums.withdrawn },
      beingPaid: { amount: toCedis(sums.beingPaidPesewas), count: sums.beingPaid },
    },
    rules: {
      enabled: rules.enabled,
      minimum: toCedis(chooseLeast(rules, providerPays)),
      fee: toCedis(rules.feePesewas),
      unapproved: toCedis(rules.byHand || !providerPays ? 0 : rules.unapprovedPesewas),
      atOnce: toCedis(providerPays ? view.atOncePesewas : 0),
    },
    numbers: view.numbers.map(({ phone, network, name, used }) => ({ phoneNumber: phone, network, name, used })),
    confirmed: view.confirmed.map(presentPayoutNumber),
    sendsCodes,
    latest: view.latest.map(presentMovement),
  }
}

export function presentPayoutNumber({ phone, freeAt }: PayoutNumber) {
  return { phoneNumber: phone, freeAt: freeAt.toISOString() }
}

export function presentRules(rules: Rules): WithdrawalRules {
  return {
    enabled: rules.enabled,
    minimum: toCedis(rules.minimumPesewas),
    fee: toCedis(rules.feePesewas),
    unapproved: toCedis(rules.unapprovedPesewas),
    holdNights: rules.holdNights,
    byHand: rules.byHand,
    numberHoldHours: rules.numberHoldHours,
  }
}

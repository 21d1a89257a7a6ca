import { toCedis } from '../../../../shared/money.ts'
import type { Approval, Movement, StatementLine } from '../../../../shared/wallet.ts'
import type { ApprovalRow } from '../../people/approvals/approvals.sql.ts'
import { KIND_NAMES, type MovementRow, type StatementRow } from './statement.sql.ts'

export function presentStatementLine(row: StatementRow): StatementLine {
  const isByShop = row.shownKind === 'admin-credit' || row.shownKind === 'admin-debit'
  return {
    id: `${row.entryId}-${row.line}`,
    createdAt: row.createdAt.toISOString(),
    kind: KIND_NAMES[row.shownKind],
    reference: row.reference,
    details: isByShop ? row.note : row.memo,
    amount: toCedis(row.amountPesewas),
    balance: toCedis(row.balanceAfterPesewas),
  }
}

/** The same for staff, who also read what was noted for them. */
export function presentMovement(row: MovementRow): Movement {
  const isByHand = row.kind === 'admin-credit' || row.kind === 'admin-debit'
  return { ...presentStatementLine(row), details: row.memo, by: isByHand ? row.actor : null, isUndo: row.isUndo, orderId: row.orderId }
}

export function presentApproval(row: ApprovalRow, viewerId: string): Approval {
  const isTopUp = row.action === 'recharge.approve' || row.action === 'payment.credit'
  const { paymentId = null, entryId = null } = row.details
  const isUndo = row.action === 'wallet.debit' && (paymentId !== null || entryId !== null)
  return {
    _id: row.id,
    hash: row.actionHash,
    userId: row.details.userId,
    username: row.username,
    amount: toCedis(row.details.amountPesewas),
    note: row.details.note,
    proposedBy: row.proposer,
    topUp: isTopUp ? { rechargeId: row.details.rechargeId ?? null, paymentId } : null,
    undo: isUndo ? { paymentId, entryId } : null,
    prices: row.action === 'prices.publish' ? { says: row.details.prices ?? [], liveAt: row.details.liveAt ?? null } : null,
    mine: row.proposerId === viewerId,
    proposedAt: row.proposedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}

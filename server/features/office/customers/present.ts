import type { Customer, CustomerLine, CustomerRecharge, CustomerReport } from '../../../../shared/customers.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { RechargeLineRow, ReportLineRow } from './customers.sql.ts'
import type { CustomerRecord, FoundCustomer } from './queries.ts'

/** Who looks: their id, and whether they see what is in wallets. */
export type Viewer = { id: string; seesWallets: boolean }

export function presentCustomerLine(row: FoundCustomer, { seesWallets }: Viewer): CustomerLine {
  return {
    _id: row.id,
    username: row.username,
    phone: row.phone,
    userLevel: row.level,
    status: row.status,
    balance: seesWallets ? toCedis(row.balancePesewas) : null,
    found: row.found,
  }
}

export function presentCustomer({ user, lastCredit, summary, notes, sessions }: CustomerRecord, viewer: Viewer): Customer {
  return {
    _id: user.id,
    username: user.username,
    phone: user.phone,
    email: user.email,
    userLevel: user.level,
    status: user.status,
    createdAt: user.createdAt.toISOString(),
    wallet: viewer.seesWallets
      ? {
          balance: toCedis(user.balancePesewas),
          balanceVersion: user.balanceVersion,
          totalPurchase: toCedis(user.totalPurchasePesewas),
          lastCredit: lastCredit && {
            entry: String(lastCredit.entryId),
            amount: toCedis(lastCredit.amountPesewas),
            by: lastCredit.actor,
            mine: lastCredit.actorId === viewer.id,
            at: lastCredit.createdAt.toISOString(),
          },
        }
      : null,
    today: { orders: summary.ordersToday, amount: toCedis(summary.pesewasToday) },
    waitingTopUps: summary.waitingTopUps,
    openReports: summary.openReports,
    notes: notes.map(({ id, body, authorId, author, createdAt }) => ({
      _id: String(id),
      text: body,
      by: author,
      at: createdAt.toISOString(),
      mine: authorId === viewer.id,
    })),
    sessions: sessions.map(({ id, device, createdAt, lastUsedAt }) => ({
      _id: id,
      device,
      startedAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
    })),
  }
}

export function presentCustomerRecharge(row: RechargeLineRow, { seesWallets }: Viewer): CustomerRecharge {
  return {
    _id: row.id,
    rechargeId: row.rechargeId,
    amount: seesWallets ? toCedis(row.amountPesewas) : null,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    declineReason: row.declineReason,
  }
}

export function presentCustomerReport(row: ReportLineRow): CustomerReport {
  return {
    _id: row.id,
    orderId: row.orderId,
    number: String(row.orderSeq),
    network: row.network,
    offer: row.offer,
    receiver: row.receiver,
    status: row.status,
    openedAt: row.openedAt.toISOString(),
  }
}

import { toCedis } from '../../../../shared/money.ts'
import type { ProfitReply } from '../../../../shared/profit.ts'
import type { Queryable } from '../../../platform/db.ts'
import { selectBestAgents } from './best-agents.sql.ts'
import { addUp, grossProfitPesewas, otherPesewas, presentDelivered } from './present.ts'
import { type Days, type OtherRow, selectDeliveries, selectOtherLines, selectUncosted } from './profit.sql.ts'

const MOST_AGENTS = 20

/**
 * Profit of whole days, both included: what delivered orders earned, and what else the ledger earned and lost. An order whose cost
 * nobody knows earns nothing here, and is counted apart.
 */
export async function readProfit(db: Queryable, days: Days): Promise<ProfitReply> {
  const [deliveries, agents, other] = await Promise.all([
    selectDeliveries(db, days),
    selectBestAgents(db, days, { network: null, supplier: null }, MOST_AGENTS),
    selectOtherLines(db, days),
  ])
  const soldByDay = deliveries.filter(({ day }) => day !== null)
  const total = addUp(soldByDay)
  const lines = addUpOther(other)
  const otherByDay = new Map(other.map((row) => [row.day, otherPesewas(row)]))
  return {
    total: presentDelivered(total),
    other: {
      surcharges: toCedis(lines.surchargesPesewas),
      upgradeFees: toCedis(lines.upgradeFeesPesewas),
      withdrawalFees: toCedis(lines.withdrawalFeesPesewas),
      providerFees: toCedis(lines.providerFeesPesewas),
      disputeLosses: toCedis(lines.disputeLossesPesewas),
      referralRewards: toCedis(lines.referralRewardsPesewas),
      checkerLosses: toCedis(lines.checkerLossesPesewas),
    },
    profit: toCedis(grossProfitPesewas(total) + otherPesewas(lines)),
    days: [...new Set([...soldByDay.flatMap(({ day }) => day ?? []), ...otherByDay.keys()])].sort().map((day) => {
      const sold = addUp(soldByDay.filter((row) => row.day === day))
      return { day, ...presentDelivered(sold), profit: toCedis(grossProfitPesewas(sold) + (otherByDay.get(day) ?? 0)) }
    }),
    networks: deliveries
      .flatMap((row) => (row.network === null ? [] : [{ network: row.network, ...presentDelivered(row) }]))
      .sort((a, b) => b.sales - a.sales),
    suppliers: deliveries
      .flatMap((row) => (row.supplier === null ? [] : [{ supplier: row.supplier, ...presentDelivered(row) }]))
      .sort((a, b) => b.sales - a.sales),
    agents: agents.map(({ agentId, username, ...row }) => ({ agentId, username, ...presentDelivered(row) })),
  }
}

/** What one day has earned, in cedis, of how many delivered orders, and how many of these have no cost and so earn nothing yet. */
export async function readProfitOfDay(db: Queryable, day: string): Promise<{ profit: number; delivered: number; uncosted: number }> {
  const total = addUp((await selectDeliveries(db, { from: day, until: day })).filter((row) => row.day !== null))
  const other = addUpOther(await selectOtherLines(db, { from: day, until: day }))
  return { profit: toCedis(grossProfitPesewas(total) + otherPesewas(other)), delivered: total.orders, uncosted: total.uncostedOrders }
}

/** Packages with delivered orders whose cost nobody knows. */
export async function readUncosted(db: Queryable, now: Date) {
  return (await selectUncosted(db, now)).map(({ salesPesewas, costNowPesewas, ...row }) => ({
    ...row,
    sales: toCedis(salesPesewas),
    costNow: costNowPesewas === null ? null : toCedis(costNowPesewas),
  }))
}

function addUpOther(rows: readonly OtherRow[]): OtherRow {
  const sum = (name: keyof OtherRow) => rows.reduce((total, row) => total + row[name], 0)
  return {
    surchargesPesewas: sum('surchargesPesewas'),
    upgradeFeesPesewas: sum('upgradeFeesPesewas'),
    providerFeesPesewas: sum('providerFeesPesewas'),
    disputeLossesPesewas: sum('disputeLossesPesewas'),
    withdrawalFeesPesewas: sum('withdrawalFeesPesewas'),
    referralRewardsPesewas: sum('referralRewardsPesewas'),
    checkerLossesPesewas: sum('checkerLossesPesewas'),
  }
}

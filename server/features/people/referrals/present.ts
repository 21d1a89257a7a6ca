import { toCedis } from '../../../../shared/money.ts'
import type { Leaderboard, Referral, ReferralRules } from '../../../../shared/referrals.ts'
import type { InvitedRow, LeaderRow, Rules } from './referrals.sql.ts'

export function presentRules(rules: Rules): ReferralRules {
  return {
    enabled: rules.enabled,
    reward: toCedis(rules.rewardPesewas),
    spend: toCedis(rules.spendPesewas),
    mostAMonth: rules.mostAMonth,
    leaderboard: rules.leaderboard,
  }
}

export function presentReferral(row: InvitedRow): Referral {
  return {
    name: shortened(row.username),
    status: row.rewardedAt ? 'rewarded' : row.checkAt ? 'open' : 'ended',
    delivered: toCedis(Math.min(row.deliveredPesewas, row.spendPesewas)),
    spend: toCedis(row.spendPesewas),
    reward: toCedis(row.rewardPesewas),
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentLeader(row: LeaderRow, userId: string): Leaderboard['rows'][number] {
  const isOwn = row.userId === userId
  return { rank: row.rank, name: isOwn ? row.username : shortened(row.username), orders: row.orders, isOwn }
}

/** Enough for an agent to know a friend by, and too little for a stranger to sign in with. */
function shortened(username: string): string {
  return `${[...username].slice(0, 3).join('')}…`
}

import { REFERRAL_MONTHS } from '../../../shared/referrals.ts'
import { REFERRAL_REWARDS } from '../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../ledger/ledger.ts'
import { raiseAlarm } from '../../platform/alarms.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { announceUserById } from '../users/events.ts'
import { countRewards, lockDue, selectDelivered, selectDue, selectRules, updateReferral } from './referrals.sql.ts'

const AT_ONCE = 100
const LOOK_AGAIN_MS = 60 * 60_000
/** An order counts a day after its delivery, by when most complaints have come. */
const REST_MS = 24 * 60 * 60_000

/**
 * Rewards the agents whose invited customers were delivered what the rules asked for, each customer once. Looks at a hundred
 * referrals a call, and at each again an hour later until it ends. Nobody is rewarded for themselves. Safe beside itself in another process.
 */
export async function settleReferrals(ctx: Ctx): Promise<void> {
  for (const referredId of await selectDue(ctx.db, ctx.now, AT_ONCE)) {
    const referrerId = await rewardReferral(ctx, referredId)
    if (referrerId !== null) await announceUserById(ctx, referrerId)
  }
}

/** The agent who was rewarded, or null. */
async function rewardReferral(ctx: Ctx, referredId: string): Promise<string | null> {
  const { now } = ctx
  return transaction(ctx.db, async (tx) => {
    const due = await lockDue(tx, referredId, now)
    if (!due) return null
    const rules = await selectRules(tx)
    const deliveredPesewas = await selectDelivered(tx, {
      userId: referredId,
      agentId: due.referrerId,
      until: new Date(now.getTime() - REST_MS),
    })
    const isEarned = deliveredPesewas >= due.spendPesewas
    // An agent's earnings may have gone to the customer's number since the registration.
    if (due.isSamePerson || (!isEarned && now >= monthsAfter(due.createdAt, REFERRAL_MONTHS))) {
      await updateReferral(tx, referredId, { deliveredPesewas, checkAt: null, rewardedAt: null })
      return null
    }
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
    const isFull = isEarned && (await countRewards(tx, due.referrerId, month)) >= rules.mostAMonth
    if (!isEarned || !rules.enabled || !due.isAgent || isFull) {
      // Honest agents rarely get that far; whoever opens accounts to invite themselves does.
      if (isFull) raiseAlarm(ctx.log, 'referral-cap', { agent: due.referrerId, rewardsAMonth: rules.mostAMonth })
      const checkAt = isFull ? monthsAfter(month, 1) : new Date(now.getTime() + LOOK_AGAIN_MS)
      await updateReferral(tx, referredId, { deliveredPesewas, checkAt, rewardedAt: null })
      return null
    }
    const { accountId } = await lockWalletOf(tx, due.referrerId, ctx.now)
    await postTransfer(tx, {
      key: `referral:${referredId}`,
      kind: 'referral-reward',
      memo: 'A customer you invited has bought',
      actorId: null,
      lines: [
        { accountId: REFERRAL_REWARDS, amountPesewas: -due.rewardPesewas },
        { accountId, amountPesewas: due.rewardPesewas },
      ],
      now,
    })
    await updateReferral(tx, referredId, { deliveredPesewas, checkAt: null, rewardedAt: now })
    return due.referrerId
  })
}

function monthsAfter(time: Date, months: number): Date {
  const after = new Date(time)
  after.setUTCMonth(after.getUTCMonth() + months)
  return after
}

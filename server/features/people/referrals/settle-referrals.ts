import { REFERRAL_MONTHS } from '../../../../shared/referrals.ts'
import { AGENT_DEBTS, REFERRAL_REWARDS } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { announceUserById } from '../users/events.ts'
import {
  changeDebt,
  countRewards,
  endRecheck,
  lockDue,
  lockRewarded,
  markUndone,
  selectDebt,
  selectDelivered,
  selectDue,
  selectRules,
  selectToRecheck,
  updateReferral,
} from './referrals.sql.ts'

const AT_ONCE = 100
const LOOK_AGAIN_MS = 60 * 60_000
/** An order counts a day after its delivery, by when most complaints have come. */
const REST_MS = 24 * 60 * 60_000

/**
 * Rewards the agents whose invited customers were delivered what the rules asked for, each customer once. Looks at a hundred
 * referrals a call, and at each again an hour later until it ends. Nobody is rewarded for themselves. A reward is taken back once what
 * earned it went back to its payer. Safe beside itself in another process.
 */
export async function settleReferrals(ctx: Ctx): Promise<void> {
  for (const referredId of await selectToRecheck(ctx.db, AT_ONCE)) {
    const referrerId = await takeBackReward(ctx, referredId)
    if (referrerId !== null) await announceUserById(ctx, referrerId)
  }
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
    // What the agent owes after a reward that was taken back is repaid first.
    const repaidPesewas = Math.min(await selectDebt(tx, accountId), due.rewardPesewas)
    if (repaidPesewas > 0) await changeDebt(tx, accountId, -repaidPesewas)
    await postTransfer(tx, {
      key: due.undone === 0 ? `referral:${referredId}` : `referral:${referredId}:${due.undone}`,
      kind: 'referral-reward',
      memo: 'A customer you invited has bought',
      actorId: null,
      lines: [
        { accountId: REFERRAL_REWARDS, amountPesewas: -due.rewardPesewas },
        { accountId, amountPesewas: due.rewardPesewas - repaidPesewas },
        { accountId: AGENT_DEBTS, amountPesewas: repaidPesewas },
      ].filter(({ amountPesewas }) => amountPesewas !== 0),
      now,
    })
    await updateReferral(tx, referredId, { deliveredPesewas, checkAt: null, rewardedAt: now })
    return due.referrerId
  })
}

/** The agent whose reward was taken back, or null. What is not in the wallet any more is a debt, which the next rewards repay. */
async function takeBackReward(ctx: Ctx, referredId: string): Promise<string | null> {
  const { now } = ctx
  return transaction(ctx.db, async (tx) => {
    const rewarded = await lockRewarded(tx, referredId)
    if (!rewarded) return null
    const { referrerId, rewardPesewas, spendPesewas, undone } = rewarded
    const deliveredPesewas = await selectDelivered(tx, { userId: referredId, agentId: referrerId, until: now })
    if (deliveredPesewas >= spendPesewas) {
      await endRecheck(tx, referredId)
      return null
    }
    const { accountId, balancePesewas } = await lockWalletOf(tx, referrerId, ctx.now)
    const takenPesewas = Math.min(balancePesewas, rewardPesewas)
    if (takenPesewas < rewardPesewas) await changeDebt(tx, accountId, rewardPesewas - takenPesewas)
    await postTransfer(tx, {
      key: `referral-undone:${referredId}:${undone}`,
      kind: 'referral-undone',
      memo: 'The purchases of a customer you invited went back',
      actorId: null,
      lines: [
        { accountId: REFERRAL_REWARDS, amountPesewas: rewardPesewas },
        { accountId, amountPesewas: -takenPesewas },
        { accountId: AGENT_DEBTS, amountPesewas: takenPesewas - rewardPesewas },
      ].filter(({ amountPesewas }) => amountPesewas !== 0),
      now,
    })
    await markUndone(tx, referredId, { deliveredPesewas, checkAt: new Date(now.getTime() + LOOK_AGAIN_MS) })
    return referrerId
  })
}

function monthsAfter(time: Date, months: number): Date {
  const after = new Date(time)
  after.setUTCMonth(after.getUTCMonth() + months)
  return after
}

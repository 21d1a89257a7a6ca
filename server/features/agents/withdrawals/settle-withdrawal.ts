import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { PayoutStatus } from '../../../integrations/payments/payouts.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { findAccount } from './earnings.sql.ts'
import { postPaid, postPaidLate, postReturned, postReversed } from './post-withdrawal.ts'
import { type Change, lockWithdrawal, updateWithdrawal, type WithdrawalRow } from './withdrawals.sql.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** The least time between two answers that the provider does not know a payout, before a person may decide about it. */
const NOT_FOUND_APART_MS = 10 * MINUTE_MS
const NOT_FOUND_TIMES = 2
const MOST_INTERVAL_MS = 30 * MINUTE_MS
const SOON_MS = 20 * SECOND_MS

/**
 * Books what the provider says about a payout, once, whoever asked: sending, the loop, a webhook event or a person. An answer that says
 * nothing certain moves no money.
 * @throws NotFound
 */
export async function settleWithdrawal(ctx: Ctx, gateway: CardGateway, id: string, said: PayoutStatus): Promise<WithdrawalRow> {
  return transaction(ctx.db, async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id)
    if (!withdrawal) throw new NotFound('withdrawal')
    const change = await settle(tx, ctx, gateway, withdrawal, said)
    return change ? ((await updateWithdrawal(tx, withdrawal, change)) as WithdrawalRow) : withdrawal
  })
}

async function settle(tx: Tx, ctx: Ctx, gateway: CardGateway, withdrawal: WithdrawalRow, said: PayoutStatus): Promise<Change | null> {
  const { reference, status } = withdrawal
  // Never sent, so an answer about it can only be about somebody else's.
  if (withdrawal.sentAt === null || withdrawal.handTransactionId !== null) return null
  if (status === 'paid') {
    if (said.outcome !== 'reversed') return null
    await postReversed(tx, withdrawal, await findAccount(tx, withdrawal.shopId), ctx.now)
    raiseAlarm(ctx.log, 'withdrawal-reversed', { reference })
    return { status: 'reversed', reason: 'The network sent it back. It is in your earnings again.', providerNote: said.reason }
  }
  if (withdrawal.endedAt !== null) {
    if (said.outcome !== 'paid' || status === 'reversed') return null
    await postPaidLate(tx, withdrawal, ctx.now)
    raiseAlarm(ctx.log, 'withdrawal-paid-late', { reference, amountPesewas: said.amountPesewas })
    return { paidLateAt: ctx.now, providerNote: 'paid after its money had gone back' }
  }
  switch (said.outcome) {
    case 'paid':
      return settlePaid(tx, ctx, gateway, withdrawal, said)
    case 'failed':
    case 'reversed':
      await postReturned(tx, withdrawal, await findAccount(tx, withdrawal.shopId), { now: ctx.now, actorId: null })
      return {
        ...FOUND,
        status: 'failed',
        reason: 'The network did not take it. Check the number, then withdraw again.',
        providerNote: said.reason,
        askAt: null,
        endedAt: ctx.now,
      }
    case 'under-way':
      return {
        ...FOUND,
        status: 'accepted',
        reason: null,
        providerNote: said.needs === 'otp' ? 'it waits for the code (OTP) that you type in the Paystack dashboard' : said.reason,
        ...nextAsk(ctx, withdrawal),
      }
    case 'not-found':
      return settleNotFound(ctx, withdrawal, said.reason)
    case 'unknown':
      return { status: 'unknown', reason: null, providerNote: said.reason, ...nextAsk(ctx, withdrawal) }
  }
}

const FOUND = { notFound: 0, notFoundAt: null }

async function settlePaid(
  tx: Tx,
  ctx: Ctx,
  gateway: CardGateway,
  withdrawal: WithdrawalRow,
  said: Extract<PayoutStatus, { outcome: 'paid' }>,
): Promise<Change> {
  const { reference } = withdrawal
  const payoutPesewas = withdrawal.amountPesewas - withdrawal.feePesewas
  if (said.amountPesewas !== payoutPesewas || said.currency !== 'GHS' || said.isTest !== gateway.isTest) {
    raiseAlarm(ctx.log, 'withdrawal-unclear', { reference, ...said, payoutPesewas })
    const { amountPesewas, currency, isTest } = said
    const providerNote = `it says that ${amountPesewas} ${currency} were paid${isTest ? ', as a test' : ''}; look it up there`
    return { ...FOUND, status: 'unknown', reason: null, providerNote, ...nextAsk(ctx, withdrawal) }
  }
  await postPaid(tx, withdrawal, { now: ctx.now, actorId: null, byHand: false, providerFeePesewas: said.feePesewas ?? 0 })
  return { ...FOUND, status: 'paid', reason: null, providerNote: null, askAt: null, endedAt: ctx.now }
}

/** Not known once may only be early. Known of twice, a person decides: nothing is sent again by itself. */
function settleNotFound(ctx: Ctx, withdrawal: WithdrawalRow, note: string): Change {
  const { notFound, notFoundAt } = withdrawal
  const isAgain = notFoundAt !== null && ctx.now.getTime() - notFoundAt.getTime() >= NOT_FOUND_APART_MS
  const counted = notFoundAt === null ? { notFound: 1, notFoundAt: ctx.now } : isAgain ? { notFound: notFound + 1 } : {}
  const times = counted.notFound ?? notFound
  if (withdrawal.status === 'approval') return { ...counted, providerNote: note }
  if (withdrawal.status === 'unknown' && times >= NOT_FOUND_TIMES) {
    raiseAlarm(ctx.log, 'withdrawal-unclear', { reference: withdrawal.reference, note })
    return { ...counted, status: 'approval', reason: 'The provider could not find it, so we look first.', providerNote: note, askAt: null }
  }
  return { ...counted, status: 'unknown', reason: null, providerNote: note, ...nextAsk(ctx, withdrawal) }
}

/** Asked soon, then ever more rarely. */
export function nextAsk(ctx: Pick<Ctx, 'now'>, { asks }: Pick<WithdrawalRow, 'asks'>): { asks: number; askAt: Date } {
  const intervalMs = Math.min(SOON_MS * 2 ** Math.min(asks, 10), MOST_INTERVAL_MS)
  return { asks: asks + 1, askAt: new Date(ctx.now.getTime() + intervalMs) }
}

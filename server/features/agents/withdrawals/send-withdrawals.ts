import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { SendOutcome } from '../../../integrations/payments/payouts.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { findAccount } from './earnings.sql.ts'
import { postReturned } from './post-withdrawal.ts'
import { nextAsk, settleWithdrawal } from './settle-withdrawal.ts'
import { claimDueWithdrawals, holdOfBarred, lockWithdrawal, updateWithdrawal, type WithdrawalRow } from './withdrawals.sql.ts'

/** Longer than naming the recipient and sending take together. What is found sending after this died with its process, and is asked about. */
const CALL_DEAD_AFTER_MS = 60_000
const AT_ONCE = 5
const BARRED = 'Your account or shop was closed, so we look first.'

/** Sends withdrawals that may go out. Safe to run twice or in several processes: each is claimed, and sent under its one reference. */
export async function sendWithdrawals(ctx: Ctx, gateway: CardGateway): Promise<void> {
  const nextAt = new Date(ctx.now.getTime() + CALL_DEAD_AFTER_MS)
  const due = await claimDueWithdrawals(ctx.db, { now: ctx.now, nextAt, limit: AT_ONCE, toSend: true })
  await Promise.all(
    due.map((withdrawal) =>
      sendWithdrawal(ctx, gateway, withdrawal).catch((error: unknown) =>
        ctx.log.error({ err: error, reference: withdrawal.reference }, 'a withdrawal could not be sent'),
      ),
    ),
  )
}

async function sendWithdrawal(ctx: Ctx, gateway: CardGateway, ready: WithdrawalRow): Promise<void> {
  // The provider may know it from an earlier attempt: then it is under way, and sending it again would say nothing new.
  if (ready.sentAt !== null) {
    const said = await gateway.payouts.queryStatus(ready.reference)
    if (said.outcome !== 'not-found') return void (await settleWithdrawal(ctx, gateway, ready.id, said))
  }
  const recipientCode = ready.recipientCode ?? (await nameRecipient(ctx, gateway, ready))
  if (recipientCode === null) return
  const sentAt = ready.sentAt ?? ctx.now
  const sending = await transaction(ctx.db, async (tx) => {
    if (await holdOfBarred(tx, ready, BARRED)) return null
    return updateWithdrawal(tx, ready, {
      status: 'sending',
      recipientCode,
      sentAt,
      notFound: 0,
      notFoundAt: null,
      askAt: new Date(ctx.now.getTime() + CALL_DEAD_AFTER_MS),
    })
  })
  if (!sending) return
  const { reference, amountPesewas, feePesewas } = sending
  const outcome = await gateway.payouts.send({
    reference,
    amountPesewas: amountPesewas - feePesewas,
    recipientCode,
    reason: `Withdrawal ${sending.seq}`,
  })
  await noteOutcome(ctx, sending, outcome)
}

/** Null when the number cannot be paid or nobody knows yet. */
async function nameRecipient(ctx: Ctx, gateway: CardGateway, ready: WithdrawalRow): Promise<string | null> {
  const { network, phone, name } = ready
  const named = await gateway.payouts.nameRecipient({ network, phone, name })
  if (named.outcome === 'accepted') return named.recipientCode
  if (named.outcome === 'rejected') await returnMoney(ctx, ready, named.reason)
  else await updateWithdrawal(ctx.db, ready, { providerNote: named.reason, ...nextAsk(ctx, ready) })
  return null
}

async function noteOutcome(ctx: Ctx, sending: WithdrawalRow, outcome: SendOutcome): Promise<void> {
  switch (outcome.outcome) {
    case 'accepted':
      return void (await updateWithdrawal(ctx.db, sending, {
        status: 'accepted',
        reason: null,
        providerNote: null,
        ...nextAsk(ctx, { asks: 0 }),
      }))
    case 'unknown':
      return void (await updateWithdrawal(ctx.db, sending, {
        status: 'unknown',
        reason: null,
        providerNote: outcome.reason,
        ...nextAsk(ctx, { asks: 0 }),
      }))
    case 'rejected':
      return returnMoney(ctx, sending, outcome.reason)
    case 'refused-for-now':
      raiseAlarm(ctx.log, 'withdrawal-refused', { reference: sending.reference, reason: outcome.reason })
      return void (await updateWithdrawal(ctx.db, sending, {
        status: 'approval',
        reason: 'We could not send it yet, so we look first.',
        providerNote: outcome.reason,
        askAt: null,
      }))
  }
}

/** The provider does not pay this number, and nothing was sent. */
async function returnMoney(ctx: Ctx, { id, status }: WithdrawalRow, note: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id)
    if (withdrawal?.status !== status) return
    await postReturned(tx, withdrawal, await findAccount(tx, withdrawal.shopId), { now: ctx.now, actorId: null })
    await updateWithdrawal(tx, withdrawal, {
      status: 'failed',
      reason: 'That number cannot be paid. Check it, then withdraw again.',
      providerNote: note,
      askAt: null,
      endedAt: ctx.now,
    })
  })
}

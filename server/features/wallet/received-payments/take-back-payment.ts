import { formatPesewas } from '../../../../shared/money.ts'
import { MOBILE_MONEY_RECEIVED } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, InsufficientBalance, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { SecondPersonNeeded } from '../../people/approvals/request-approval.ts'
import { requestSecondPerson } from '../../people/approvals/request-second-person.ts'
import { selectStaffRules } from '../../people/second-factor/staff-rules.sql.ts'
import { announceUserById } from '../../people/users/events.ts'
import { insertCustomerNote } from '../wallet/statement.sql.ts'
import { nameOf } from './credit-payment.ts'
import { lockPayment, QUESTIONS, selectCredit, updateStanding, updateTakenBack } from './received-payments.sql.ts'

/**
 * Takes a wrongly credited payment back by a debit, with a reason that the customer reads. The payment then waits again, for its
 * right customer; one that was reversed is dismissed. Returns what was debited, in pesewas.
 * @throws NotFound, AlreadyDecided when it is not credited, InsufficientBalance when the customer has spent it,
 * PasswordNeeded above the owner's limit; SecondPersonNeeded when no money moved: it is a debit like any other.
 */
export async function takeBackPayment(ctx: Ctx, id: string, reason: string): Promise<{ amountPesewas: number; username: string }> {
  const taken = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const payment = await lockPayment(tx, id)
    if (!payment) throw new NotFound('payment')
    const credit = await selectCredit(tx, id)
    if (payment.status !== 'credited' || !credit) throw new AppError('ALREADY_DECIDED', 'This payment is not credited to anybody.')
    const { amountPesewas } = payment
    const { passwordAbovePesewas } = await selectStaffRules(tx)
    if (passwordAbovePesewas !== null && amountPesewas > passwordAbovePesewas) await requirePassword(tx, ctx)
    const debit = { action: 'wallet.debit' as const, userId: credit.userId, amountPesewas: -amountPesewas, paymentId: id }
    const second = await requestSecondPerson(tx, ctx, { ...debit, note: reason, showNote: true }, { isSeen: false })
    if (second === 'proposed') return new SecondPersonNeeded({ isOwn: false })
    const { proposedBy } = second
    const wallet = await lockWalletOf(tx, credit.userId, ctx.now)
    const after = wallet.balancePesewas - amountPesewas
    if (after < 0) {
      const left = formatPesewas(wallet.balancePesewas)
      throw new InsufficientBalance(`${credit.username} has only ¢${left} left of it. Speak to them, or debit what is there by hand.`)
    }
    const key = `momo-undo:${credit.id}`
    await postTransfer(tx, {
      key,
      kind: 'admin-debit',
      memo: reason,
      actorId: admin.id,
      lines: [
        { accountId: wallet.accountId, amountPesewas: -amountPesewas },
        { accountId: MOBILE_MONEY_RECEIVED, amountPesewas },
      ],
      now: ctx.now,
    })
    await insertCustomerNote(tx, key, reason)
    await updateTakenBack(tx, credit.id, admin.id, ctx.now)
    const status = payment.doubts.some((doubt) => QUESTIONS.includes(doubt)) ? 'dismissed' : 'waiting'
    await updateStanding(tx, id, { status, keptAt: null })
    // The customer is told of it as of any debit by the shop.
    await recordAdminAction(tx, ctx, {
      action: 'wallet.debit',
      subject: { type: 'user', id: credit.userId },
      before: { balancePesewas: wallet.balancePesewas },
      after: { balancePesewas: after, ...(proposedBy !== null && { proposedBy }) },
      note: reason,
    })
    await recordAdminAction(tx, ctx, {
      action: 'payment.take-back',
      subject: { type: 'user', id: credit.userId },
      after: { amountPesewas },
      note: `${nameOf(payment)}: ${reason}`,
    })
    return { amountPesewas, username: credit.username, userId: credit.userId }
  })
  if (taken instanceof SecondPersonNeeded) {
    announceApprovals(ctx)
    throw taken
  }
  await announceUserById(ctx, taken.userId)
  return taken
}

import { formatPesewas } from '../../../../shared/money.ts'
import { ADJUSTMENTS } from '../../../ledger/accounts.ts'
import { findWallet, lockWallet, postTransfer, type Wallet } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AlreadyDecided, InsufficientBalance, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { SecondPersonNeeded } from '../../people/approvals/request-approval.ts'
import { requestSecondPerson } from '../../people/approvals/request-second-person.ts'
import { selectStaffRules } from '../../people/second-factor/staff-rules.sql.ts'
import { announceUserById } from '../../people/users/events.ts'
import { insertCustomerNote } from '../../wallet/wallet/statement.sql.ts'
import { selectCredit } from './customers.sql.ts'

/**
 * Takes back a credit by hand with a counter-entry, once. The customer reads it in the statement.
 * @throws NotFound for an entry that is no credit of this wallet; AlreadyDecided when it was undone before;
 * InsufficientBalance when part of it was spent; PasswordNeeded above the owner's limit; SecondPersonNeeded when no money moved: it is a
 * debit like any other.
 */
export async function undoCredit(ctx: Ctx, { userId, entryId }: { userId: string; entryId: string }): Promise<void> {
  const proposed = await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'finance')
    const found = await findWallet(tx, userId)
    if (!found) throw new NotFound('customer')
    const credit = await selectCredit(tx, found.accountId, entryId)
    if (!credit) throw new NotFound('credit')
    if (credit.undone) throw new AlreadyDecided('credit', 'undone')
    const { amountPesewas } = credit
    const { passwordAbovePesewas } = await selectStaffRules(tx)
    if (passwordAbovePesewas !== null && amountPesewas > passwordAbovePesewas) await requirePassword(tx, ctx)
    const note = `Undo of a credit of ¢${formatPesewas(amountPesewas)}`
    const debit = { action: 'wallet.debit' as const, userId, amountPesewas: -amountPesewas, entryId, note, showNote: false }
    const second = await requestSecondPerson(tx, ctx, debit, { isSeen: false })
    if (second === 'proposed') return new SecondPersonNeeded({ isOwn: false })
    const { proposedBy } = second
    const wallet = (await lockWallet(tx, userId, ctx.now)) as Wallet
    if ((await selectCredit(tx, wallet.accountId, entryId))?.undone) throw new AlreadyDecided('credit', 'undone')
    if (wallet.balancePesewas < amountPesewas) throw new InsufficientBalance(alreadySpent(amountPesewas, wallet.balancePesewas))
    const key = `credit-undo:${entryId}`
    await postTransfer(tx, {
      key,
      kind: 'admin-debit',
      memo: note,
      actorId: actor.id,
      lines: [
        { accountId: wallet.accountId, amountPesewas: -amountPesewas },
        { accountId: ADJUSTMENTS, amountPesewas },
      ],
      now: ctx.now,
    })
    await insertCustomerNote(tx, key, 'We took back a credit that was made by mistake.')
    const { balancePesewas } = (await findWallet(tx, userId)) as Wallet
    await recordAdminAction(tx, ctx, {
      action: 'wallet.credit-undone',
      subject: { type: 'user', id: userId },
      before: { balancePesewas: wallet.balancePesewas },
      after: { balancePesewas, ...(proposedBy !== null && { proposedBy }) },
    })
    return null
  })
  if (proposed) {
    announceApprovals(ctx)
    throw proposed
  }
  await announceUserById(ctx, userId)
}

function alreadySpent(amountPesewas: number, leftPesewas: number): string {
  return `The credit of ¢${formatPesewas(amountPesewas)} can’t be undone: only ¢${formatPesewas(leftPesewas)} is left in the wallet. Debit what is left, if you want it back.`
}

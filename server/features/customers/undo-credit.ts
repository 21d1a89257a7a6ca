import { formatPesewas } from '../../../shared/money.ts'
import { ADJUSTMENTS } from '../../ledger/accounts.ts'
import { findWallet, lockWallet, postTransfer, type Wallet } from '../../ledger/ledger.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AlreadyDecided, InsufficientBalance, NotFound } from '../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../platform/lock-actor.ts'
import { selectStaffRules } from '../second-factor/staff-rules.sql.ts'
import { announceUserById } from '../users/events.ts'
import { insertCustomerNote } from '../wallet/statement.sql.ts'
import { selectCredit } from './customers.sql.ts'

/**
 * Takes back a credit by hand with a counter-entry, once. The customer reads it in the statement.
 * @throws NotFound for an entry that is no credit of this wallet; AlreadyDecided when it was undone before;
 * InsufficientBalance when part of it was spent; PasswordNeeded above the owner's limit.
 */
export async function undoCredit(ctx: Ctx, { userId, entryId }: { userId: string; entryId: string }): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, 'finance')
    const wallet = await lockWallet(tx, userId, ctx.now)
    if (!wallet) throw new NotFound('customer')
    const credit = await selectCredit(tx, wallet.accountId, entryId)
    if (!credit) throw new NotFound('credit')
    if (credit.undone) throw new AlreadyDecided('credit', 'undone')
    const { amountPesewas } = credit
    const { passwordAbovePesewas } = await selectStaffRules(tx)
    if (passwordAbovePesewas !== null && amountPesewas > passwordAbovePesewas) await requirePassword(tx, ctx)
    if (wallet.balancePesewas < amountPesewas) throw new InsufficientBalance(alreadySpent(amountPesewas, wallet.balancePesewas))
    const key = `credit-undo:${entryId}`
    await postTransfer(tx, {
      key,
      kind: 'admin-debit',
      memo: `Undo of a credit of ¢${formatPesewas(amountPesewas)}`,
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
      after: { balancePesewas },
    })
  })
  await announceUserById(ctx, userId)
}

function alreadySpent(amountPesewas: number, leftPesewas: number): string {
  return `The credit of ¢${formatPesewas(amountPesewas)} can’t be undone: only ¢${formatPesewas(leftPesewas)} is left in the wallet. Debit what is left, if you want it back.`
}

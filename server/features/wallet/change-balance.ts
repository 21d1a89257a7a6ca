import { toPesewas } from '../../../shared/money.ts'
import type { ChangeBalanceRequest } from '../../../shared/wallet.ts'
import { ADJUSTMENTS } from '../../ledger/accounts.ts'
import { findWallet, KEY_HAS_OTHER_LINES, lockWallet, postTransfer, type Wallet } from '../../ledger/ledger.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { isDatabaseError, transaction } from '../../platform/db.ts'
import { KeyReused, NotFound } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { announceUserById } from '../users/events.ts'
import { insertCustomerNote } from './statement.sql.ts'

/**
 * Credits a wallet, or debits it when the amount is negative, never below zero. With a key, repeating the request moves
 * money once, and the note stands as it was. Returns the balance in pesewas.
 * @throws NotFound, InsufficientBalance, KeyReused
 */
export async function changeBalance(
  ctx: Ctx,
  { chosenId, amount, note = '', showNote = false }: ChangeBalanceRequest,
  key: string | null,
): Promise<number> {
  const amountPesewas = toPesewas(amount)
  const balancePesewas = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const wallet = await lockWallet(tx, chosenId)
    if (!wallet) throw new NotFound('user')
    const isCredit = amountPesewas > 0
    // The direction is not part of the key: a repeated credit sent as a debit is a reused key.
    const entryKey = `admin-balance:${admin.id}:${key ?? crypto.randomUUID()}`
    await postTransfer(tx, {
      key: entryKey,
      kind: isCredit ? 'admin-credit' : 'admin-debit',
      memo: note || (isCredit ? 'Credit by the shop' : 'Debit by the shop'),
      actorId: admin.id,
      lines: [
        { accountId: wallet.accountId, amountPesewas },
        { accountId: ADJUSTMENTS, amountPesewas: -amountPesewas },
      ],
      now: ctx.now,
    })
    if (note !== '' && (showNote || !isCredit)) await insertCustomerNote(tx, entryKey, note)
    const { balancePesewas: after } = (await findWallet(tx, chosenId)) as Wallet
    // An unchanged balance means that this request was carried out before; record it only once.
    if (after !== wallet.balancePesewas) {
      await recordAdminAction(tx, ctx, {
        action: isCredit ? 'wallet.credit' : 'wallet.debit',
        subject: { type: 'user', id: chosenId },
        before: { balancePesewas: wallet.balancePesewas },
        after: { balancePesewas: after },
        note,
      })
    }
    return after
  }).catch((error: unknown) => {
    throw isDatabaseError(error, KEY_HAS_OTHER_LINES) ? new KeyReused() : error
  })
  await announceUserById(ctx, chosenId)
  return balancePesewas
}

import { toPesewas } from '../../../shared/money.ts'
import type { ChangeBalanceRequest } from '../../../shared/users.ts'
import { ADJUSTMENTS } from '../../ledger/accounts.ts'
import { findWallet, lockWallet, postTransfer } from '../../ledger/ledger.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import { type Ctx, requireAdmin } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { KeyReused, NotFound } from '../../platform/errors.ts'
import { announceUserById } from '../users/events.ts'

/**
 * Credits a wallet, or debits it when the amount is negative, never below zero. With a key, the same request sent
 * twice moves money once. Replies the balance in pesewas.
 */
export async function changeBalance(ctx: Ctx, { chosenId, amount, note = '' }: ChangeBalanceRequest, key: string | null): Promise<number> {
  const admin = requireAdmin(ctx)
  const amountPesewas = toPesewas(amount)
  const balancePesewas = await transaction(ctx.db, async (tx) => {
    const wallet = await lockWallet(tx, chosenId)
    if (!wallet) throw new NotFound('user')
    const kind = amountPesewas > 0 ? 'admin-credit' : 'admin-debit'
    // The direction is not in the key: a credit sent again as a debit is another request under a used key.
    const entryKey = `admin-balance:${admin.id}:${key ?? crypto.randomUUID()}`
    const memo = note || (amountPesewas > 0 ? 'Credit by the shop' : 'Debit by the shop')
    await postTransfer(tx, {
      key: entryKey,
      kind,
      memo,
      actorId: admin.id,
      lines: [
        { accountId: wallet.accountId, amountPesewas },
        { accountId: ADJUSTMENTS, amountPesewas: -amountPesewas },
      ],
      now: ctx.now,
    })
    const after = (await findWallet(tx, chosenId))?.balancePesewas ?? 0
    // Unchanged means that this very request was carried out before: it is recorded once.
    if (after !== wallet.balancePesewas) {
      await recordAdminAction(tx, ctx, {
        action: `wallet.${amountPesewas > 0 ? 'credit' : 'debit'}`,
        subject: { type: 'user', id: chosenId },
        before: { balancePesewas: wallet.balancePesewas },
        after: { balancePesewas: after },
        note,
      })
    }
    return after
  }).catch((error: unknown) => {
    throw isKeyReused(error) ? new KeyReused() : error
  })
  await announceUserById(ctx, chosenId)
  return balancePesewas
}

function isKeyReused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'DW004'
}

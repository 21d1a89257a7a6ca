import { toPesewas } from '../../../../shared/money.ts'
import type { ChangeBalanceRequest } from '../../../../shared/wallet.ts'
import { ADJUSTMENTS } from '../../../ledger/accounts.ts'
import { findWallet, KEY_HAS_OTHER_LINES, lockWallet, postTransfer, type Wallet } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { isDatabaseError, type Tx, transaction } from '../../../platform/db.ts'
import { KeyReused, NotFound } from '../../../platform/errors.ts'
import { requirePassword, requireStaff } from '../../../platform/lock-actor.ts'
import { hasEntry, type ProposedChange } from '../../people/approvals/approvals.sql.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { requestApproval, SecondPersonNeeded, wasProposed } from '../../people/approvals/request-approval.ts'
import { passesLimit } from '../../people/approvals/request-second-person.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { hasSecondPerson, selectStaffRules } from '../../people/second-factor/staff-rules.sql.ts'
import { announceUserById } from '../../people/users/events.ts'
import { insertCustomerNote } from './statement.sql.ts'

/**
 * Credits a wallet, or debits it when the amount is negative, never below zero. With a key, repeating the request moves
 * money once, and the note stands as it was. Returns the balance in pesewas.
 * Above the owner's limits, added up over the actor's day, it needs a fresh password, and a second person if there is one; a
 * credit of one's own account always needs a second person.
 * @throws NotFound, InsufficientBalance, KeyReused, PasswordNeeded; OwnGain where nobody else could approve it, unless the actor is the only owner.
 * @throws SecondPersonNeeded when no money moved: the change waits for somebody else's approval.
 */
export async function changeBalance(
  ctx: Ctx,
  { chosenId, amount, note = '', showNote = false }: ChangeBalanceRequest,
  key: string | null,
): Promise<number> {
  const change = { userId: chosenId, amountPesewas: toPesewas(amount), note, showNote }
  const isOwn = chosenId === requireActor(ctx).id && change.amountPesewas > 0
  const outcome = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const entryKey = `admin-balance:${admin.id}:${key ?? crypto.randomUUID()}`
    // What was carried out before is answered again, and counts once.
    const isRepeat = key !== null && (await hasEntry(tx, entryKey))
    if (isRepeat) return postBalanceChange(tx, ctx, { ...change, actorId: admin.id, entryKey })
    const { amountPesewas } = change
    const rules = await selectStaffRules(tx)
    if (await passesLimit(tx, ctx, { limit: rules.passwordAbovePesewas, amountPesewas })) await requirePassword(tx, ctx)
    const isLarge = await passesLimit(tx, ctx, { limit: rules.secondPersonAbovePesewas, amountPesewas })
    const needsSecond = (isLarge || isOwn) && (await hasSecondPerson(tx, admin.id))
    // The limit may have been raised since it was proposed.
    if (needsSecond || (await wasProposed(tx, ctx, { ...change, key }))) {
      return requestApproval(tx, ctx, { ...change, key })
    }
    if (isOwn) await refuseOwnGain(tx, ctx, 'finance', { users: [chosenId] })
    // The direction is not part of the key: a repeated credit sent as a debit is a reused key.
    return postBalanceChange(tx, ctx, { ...change, actorId: admin.id, entryKey })
  }).catch((error: unknown) => {
    throw isDatabaseError(error, KEY_HAS_OTHER_LINES) ? new KeyReused() : error
  })
  if (outcome === 'proposed') {
    announceApprovals(ctx)
    throw new SecondPersonNeeded({ isOwn })
  }
  await announceUserById(ctx, chosenId)
  return outcome
}

type Posting = ProposedChange & { actorId: string; entryKey: string; proposedBy?: string }

/**
 * Moves the money and records who did it, once per `entryKey`. Returns the balance in pesewas.
 * @throws NotFound, InsufficientBalance
 */
export async function postBalanceChange(
  tx: Tx,
  ctx: Ctx,
  { userId, amountPesewas, note, showNote, actorId, entryKey, proposedBy }: Posting,
): Promise<number> {
  const wallet = await lockWallet(tx, userId, ctx.now)
  if (!wallet) throw new NotFound('user')
  const isCredit = amountPesewas > 0
  await postTransfer(tx, {
    key: entryKey,
    kind: isCredit ? 'admin-credit' : 'admin-debit',
    memo: note || (isCredit ? 'Credit by the shop' : 'Debit by the shop'),
    actorId,
    lines: [
      { accountId: wallet.accountId, amountPesewas },
      { accountId: ADJUSTMENTS, amountPesewas: -amountPesewas },
    ],
    now: ctx.now,
  })
  if (note !== '' && (showNote || !isCredit)) await insertCustomerNote(tx, entryKey, note)
  const { balancePesewas: after } = (await findWallet(tx, userId)) as Wallet
  // An unchanged balance means that this request was carried out before; record it only once.
  if (after !== wallet.balancePesewas) {
    await recordAdminAction(tx, ctx, {
      action: isCredit ? 'wallet.credit' : 'wallet.debit',
      subject: { type: 'user', id: userId },
      before: { balancePesewas: wallet.balancePesewas },
      after: { balancePesewas: after, ...(proposedBy && { proposedBy }) },
      note,
    })
  }
  return after
}

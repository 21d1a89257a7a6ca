import { createHash } from 'node:crypto'
import { isoDay } from '../../../../shared/dates.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { refuseOwnGain } from '../second-factor/refuse-own-gain.ts'
import { hasSecondPerson, selectStaffRules, takeLimitTurn } from '../second-factor/staff-rules.sql.ts'
import { insertApproval, lockApprovalsOf, mayMoveMoney, type Proposed, selectMovedAlone, updateDecision } from './approvals.sql.ts'
import { LASTS_MS } from './request-approval.ts'

type Moved = Proposed & { action: 'recharge.approve' | 'payment.credit' | 'wallet.debit' }

/**
 * Whether the actor may credit this locked top-up, or take this credit back, now: alone, or as the second person (`proposedBy` is then
 * the first). If not, it is proposed to the others, and nothing may move. `isSeen` says that a phone or somebody else has brought the
 * payment in, which counts as a second person except for one's own account. Call it before the wallet is locked. What others propose for one's own account is not approved by oneself.
 * @throws OwnGain when there is nobody else and the actor is not the only owner.
 */
export async function requestSecondPerson(
  tx: Tx,
  ctx: Ctx,
  { action, ...details }: Moved,
  { isSeen }: { isSeen: boolean },
): Promise<{ proposedBy: string | null } | 'proposed'> {
  const { id: actorId } = requireActor(ctx)
  const isOwn = details.userId === actorId && details.amountPesewas > 0
  const open = await lockApprovalsOf(tx, action, details, ctx.now)
  for (const { id, proposerId, proposer } of open) {
    if (isOwn || proposerId === actorId || !(await mayMoveMoney(tx, proposerId))) continue
    await updateDecision(tx, { id, decision: 'approved', userId: actorId, now: ctx.now })
    return { proposedBy: proposer }
  }
  const { secondPersonAbovePesewas: limit } = await selectStaffRules(tx)
  const isLarge = !isSeen && (await passesLimit(tx, ctx, { limit, amountPesewas: details.amountPesewas }))
  if (!(isOwn || isLarge)) return { proposedBy: null }
  if (!(await hasSecondPerson(tx, actorId))) {
    if (isOwn) await refuseOwnGain(tx, ctx, 'finance', { users: [details.userId] })
    return { proposedBy: null }
  }
  if (open.some(({ proposerId }) => proposerId === actorId)) return 'proposed'
  const facts = [action, details.rechargeId, details.paymentId, details.entryId, details.userId, details.amountPesewas, actorId, ctx.now]
  await insertApproval(tx, {
    action,
    actionHash: createHash('sha256').update(JSON.stringify(facts)).digest(),
    details,
    proposerId: actorId,
    now: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + LASTS_MS),
  })
  await recordAdminAction(tx, ctx, {
    action: 'wallet.proposed',
    subject: { type: 'user', id: details.userId },
    after: { amountPesewas: details.amountPesewas },
    note: details.note,
  })
  return 'proposed'
}

type Limited = { limit: number | null; amountPesewas: number }

/**
 * Whether an amount in pesewas, with what the actor has moved alone since midnight, is above a limit: ten changes just below
 * it are one large one, for whomever they are.
 */
export async function passesLimit(tx: Tx, ctx: Ctx, { limit, amountPesewas }: Limited): Promise<boolean> {
  if (limit === null) return false
  if (Math.abs(amountPesewas) > limit) return true
  const { id: actorId } = requireActor(ctx)
  await takeLimitTurn(tx, 'moved', actorId)
  const since = new Date(isoDay(ctx.now))
  return (await selectMovedAlone(tx, { actorId, since })) + Math.abs(amountPesewas) > limit
}

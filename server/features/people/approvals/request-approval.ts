import { createHash } from 'node:crypto'
import { findWallet } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { insertApproval, type ProposedChange, selectProposal } from './approvals.sql.ts'

export const LASTS_MS = 24 * 3_600_000

/**
 * Proposes a change of a balance to whoever else may move money. The same key is the same proposal until that expires;
 * once it was approved, the reply is the balance in pesewas.
 * @throws NotFound, 409 when the same was declined
 */
export async function requestApproval(
  tx: Tx,
  ctx: Ctx,
  { key, ...details }: ProposedChange & { key: string | null },
): Promise<'proposed' | number> {
  const { id: proposerId } = requireActor(ctx)
  const wallet = await findWallet(tx, details.userId)
  if (!wallet) throw new NotFound('user')
  const action = actionOf(details)
  const { actionHash, earlier } = await findLatest(tx, ctx, { ...details, key: key ?? crypto.randomUUID() })
  if (earlier?.decision === 'approved') return wallet.balancePesewas
  if (earlier?.decision === 'declined') throw new AppError('CONFLICT', 'Somebody declined that. Nothing was changed.')
  const expiresAt = new Date(ctx.now.getTime() + LASTS_MS)
  if (await insertApproval(tx, { action, actionHash, details, proposerId, now: ctx.now, expiresAt })) {
    await recordAdminAction(tx, ctx, {
      action: 'wallet.proposed',
      subject: { type: 'user', id: details.userId },
      after: { amountPesewas: details.amountPesewas },
      note: details.note,
    })
  }
  return 'proposed'
}

/** The newest proposal of this key. One that expired undecided stays as it was, and sending it again proposes it anew. */
async function findLatest(tx: Tx, ctx: Ctx, { key, ...details }: ProposedChange & { key: string }) {
  const { id: proposerId } = requireActor(ctx)
  for (let expired = 0; ; expired++) {
    const actionHash = hashOf(details, proposerId, key, expired)
    const earlier = await selectProposal(tx, actionHash)
    if (!earlier || earlier.decision || earlier.expiresAt > ctx.now) return { actionHash, earlier }
  }
}

/** Whether the actor has proposed this before under the same key, so that it is not carried out beside its approval. */
export async function wasProposed(tx: Tx, ctx: Ctx, { key, ...details }: ProposedChange & { key: string | null }): Promise<boolean> {
  return key !== null && (await selectProposal(tx, hashOf(details, requireActor(ctx).id, key))) !== undefined
}

function actionOf({ amountPesewas }: ProposedChange): 'wallet.credit' | 'wallet.debit' {
  return amountPesewas > 0 ? 'wallet.credit' : 'wallet.debit'
}

function hashOf(details: ProposedChange, proposerId: string, key: string, expired = 0): Buffer {
  const { userId, amountPesewas, note, showNote } = details
  const facts = [actionOf(details), userId, amountPesewas, note, showNote, proposerId, key]
  if (expired > 0) facts.push(expired)
  return createHash('sha256').update(JSON.stringify(facts)).digest()
}

/** No money moved; somebody else who may move money is asked. */
export class SecondPersonNeeded extends AppError {
  constructor({ isOwn }: { isOwn: boolean }) {
    const why = isOwn ? 'Your own account needs a second person.' : 'An amount this large needs a second person.'
    super('SECOND_PERSON_NEEDED', `${why} It waits in the Inbox of the others for 24 hours; nothing has moved yet.`)
  }
}

import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockApproval, updateDecision } from '../../people/approvals/approvals.sql.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import type { ProposedCost } from '../costs/change-costs.ts'
import { lockCosts } from '../costs/costs.sql.ts'
import { recordCosts } from '../costs/record-costs.ts'
import { announceProduct } from '../products/events.ts'
import { changePackages } from './change-packages.ts'
import { factsOf } from './present.ts'
import { type ChangeRow, insertPublication, insertSchedule, lockPublications } from './prices.sql.ts'
import { mayStillPublish } from './publish-scheduled-prices.ts'
import { refuseChangedMeanwhile } from './refuse-changed-meanwhile.ts'

/**
 * An owner publishes, or schedules, the prices that somebody else has asked for, once and all of them. `actionHash` is what they saw.
 * @throws NotFound, AlreadyDecided, Forbidden for the proposer; 409 when it expired or a package has changed since.
 */
export async function approvePrices(ctx: Ctx, { id, actionHash }: { id: string; actionHash: string }): Promise<void> {
  const products = await transaction(ctx.db, async (tx) => {
    const owner = await requireStaff(tx, ctx, 'owner')
    const proposed = await lockApproval(tx, id)
    if (proposed?.action !== 'prices.publish') throw new NotFound('proposal')
    if (proposed.decision) throw new AlreadyDecided('proposal', proposed.decision)
    if (proposed.proposerId === owner.id) throw new Forbidden('Somebody else must approve what you proposed.')
    if (proposed.expiresAt <= ctx.now) throw new AppError('CONFLICT', 'That proposal is older than 24 hours. It must be made again.')
    if (proposed.actionHash !== actionHash) throw new AppError('CONFLICT', 'That is not what was proposed. Reload the page and look again.')
    if (!(await mayStillPublish(tx, proposed.proposerId)))
      throw new AppError('CONFLICT', `${proposed.proposer} may no longer change prices here.`)
    await lockPublications(tx)
    const { changes, costs = [], liveAt } = proposed.details as unknown as Agreed
    await setCosts(tx, ctx, costs, owner.id)
    await updateDecision(tx, { id, decision: 'approved', userId: owner.id, now: ctx.now })
    const subject = { type: 'prices', id: [...new Set(changes.map(({ network }) => network))].join(', ') }
    const note = `Asked for by ${proposed.proposer}`
    if (liveAt !== null && new Date(liveAt) > ctx.now) {
      await insertSchedule(tx, { changes, liveAt: new Date(liveAt), now: ctx.now, by: owner.id })
      await recordAdminAction(tx, ctx, { action: 'prices.schedule', subject, after: { ...factsOf(changes, 'to'), liveAt }, note })
      return []
    }
    const made = await changePackages(tx, changes, { userId: owner.id, isOwner: true, now: ctx.now }, (conflicts) => {
      throw refuseChangedMeanwhile(conflicts, 'changes')
    })
    await publish(tx, ctx, { changes: made.changes, by: owner.id, subject, note })
    return made.products
  })
  announceApprovals(ctx)
  for (const product of products) announceProduct(ctx, product)
}

/** Proposals of versions before have no costs. */
type Agreed = { changes: ChangeRow[]; costs?: ProposedCost[]; liveAt: string | null }

async function setCosts(tx: Tx, ctx: Ctx, costs: readonly ProposedCost[], setBy: string) {
  if (costs.length === 0) return
  const lines = costs.map(({ fromPesewas: _, ...line }) => line)
  const found = await lockCosts(tx, lines, ctx.now)
  const changed = costs.find(({ fromPesewas, costPesewas }, index) => {
    const now = found[index]
    return !now?.exists || (now.costPesewas !== fromPesewas && now.costPesewas !== costPesewas)
  })
  if (changed) throw new AppError('CONFLICT', `The cost of ${changed.offer} has changed since. It must be proposed again.`)
  await recordCosts(tx, ctx, { lines, found, setBy })
}

type Publication = { changes: ChangeRow[]; by: string; subject: { type: string; id: string }; note: string }

async function publish(tx: Tx, ctx: Ctx, { changes, by, subject, note }: Publication) {
  if (changes.length === 0) return
  await insertPublication(tx, { changes, now: ctx.now, by })
  await recordAdminAction(tx, ctx, {
    action: 'prices.publish',
    subject,
    before: factsOf(changes, 'from'),
    after: factsOf(changes, 'to'),
    note,
  })
}

import { toPesewas } from '../../../../shared/money.ts'
import type { CostChange, PublishRequest } from '../../../../shared/prices.ts'
import { hasRole } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { asProposed, type ProposedCost } from '../costs/change-costs.ts'
import { type CostLine, type FoundCost, lockCosts } from '../costs/costs.sql.ts'
import { findCostsToApprove } from '../costs/find-costs-to-approve.ts'
import { recordCosts } from '../costs/record-costs.ts'
import { announceProduct } from '../products/events.ts'
import { selectProductsById } from '../products/products.sql.ts'
import { OwnerNeeded, requestPriceApproval } from '../products/request-price-approval.ts'
import { changePackages, planChanges } from './change-packages.ts'
import { factsOf, toChange } from './present.ts'
import { insertPublication, lockPublications } from './prices.sql.ts'
import { refuseChangedMeanwhile } from './refuse-changed-meanwhile.ts'

/**
 * Changes many prices and costs, all of them or none. Sent again, or when somebody else has just done the same, it changes nothing.
 * @throws 409 that names each package whose price, cost or visibility is not what the admin saw.
 * @throws OwnerNeeded when nothing was changed: an owner is asked.
 */
export async function publishPrices(ctx: Ctx, { changes, costs }: PublishRequest): Promise<void> {
  const outcome = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'products')
    await lockPublications(tx)
    const asked = changes.map(toChange)
    const by = { userId: admin.id, isOwner: hasRole(admin, 'owner'), now: ctx.now }
    const { lines, found } = await lockAskedCosts(tx, ctx, costs)
    const proposed = { asked, costs: asProposed(lines, found) }
    const lowCosts = by.isOwner ? [] : findCostsToApprove(lines, found)
    if (lowCosts.length > 0) return askOwner(tx, ctx, { ...proposed, messages: lowCosts })
    const made = await changePackages(tx, asked, by, (conflicts) => {
      throw refuseChangedMeanwhile(conflicts, 'changes')
    })
    if (made.toApprove.length > 0) return askOwner(tx, ctx, { ...proposed, messages: made.toApprove.map(({ message }) => message) })
    await recordCosts(tx, ctx, { lines, found, setBy: admin.id })
    if (made.changes.length === 0) return { products: [] }
    await insertPublication(tx, { changes: made.changes, now: ctx.now, by: admin.id })
    await recordAdminAction(tx, ctx, {
      action: 'prices.publish',
      subject: { type: 'prices', id: [...new Set(made.changes.map(({ network }) => network))].join(', ') },
      before: factsOf(made.changes, 'from'),
      after: factsOf(made.changes, 'to'),
    })
    return { products: made.products }
  })
  if ('messages' in outcome) {
    announceApprovals(ctx)
    throw new OwnerNeeded(outcome.messages)
  }
  for (const product of outcome.products) announceProduct(ctx, product)
}

type Proposal = { asked: readonly ReturnType<typeof toChange>[]; costs?: readonly ProposedCost[]; messages: string[]; liveAt?: Date }

/** All of it waits, since it is all or none. */
export async function askOwner(tx: Tx, ctx: Ctx, { asked, costs = [], messages, liveAt }: Proposal): Promise<{ messages: string[] }> {
  const products = await selectProductsById(tx, [...new Set(asked.map(({ productId }) => productId))])
  // With all prices as they will be, so that none changes between what an owner sees and what they agree to.
  const planned = planChanges(products, asked)
  if (planned.conflicts.length > 0) throw refuseChangedMeanwhile(planned.conflicts, 'changes')
  const changes = planned.changes.map(({ change, found }) => ({
    ...change,
    priceCustomerPesewas: change.priceCustomerPesewas ?? { from: found.priceCustomerPesewas, to: found.priceCustomerPesewas },
    priceAgentPesewas: change.priceAgentPesewas ?? { from: found.priceAgentPesewas, to: found.priceAgentPesewas },
  }))
  await requestPriceApproval(tx, ctx, { changes, costs, messages, liveAt: liveAt ?? null })
  return { messages }
}

async function lockAskedCosts(tx: Tx, ctx: Ctx, costs: CostChange[]): Promise<{ lines: CostLine[]; found: FoundCost[] }> {
  if (costs.length === 0) return { lines: [], found: [] }
  const lines = costs.map(({ from: _, to, ...line }) => ({ ...line, costPesewas: to === null ? null : toPesewas(to) }))
  const found = await lockCosts(tx, lines, ctx.now)
  const conflicts = costs.flatMap(({ offer, from }, index) => {
    const { exists, network, costPesewas } = found[index] ?? { exists: false, network: null, costPesewas: null }
    const seen = from === null ? null : toPesewas(from)
    if (exists && (costPesewas === seen || costPesewas === lines[index]?.costPesewas)) return []
    const name = [network, offer].filter(Boolean).join(' ')
    return [{ index, message: exists ? `The cost of ${name} has changed.` : `${name} is not in the catalogue any more.` }]
  })
  if (conflicts.length > 0) throw refuseChangedMeanwhile(conflicts, 'costs')
  return { lines, found }
}

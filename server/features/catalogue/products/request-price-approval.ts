import { createHash } from 'node:crypto'
import { formatPesewas } from '../../../../shared/money.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { countPriceProposals, insertApproval } from '../../people/approvals/approvals.sql.ts'
import type { ProductRow } from './products.sql.ts'

const LASTS_MS = 24 * 3_600_000
const MOST_OPEN = 20

/** Changes of packages as `price_publications` has them, costs as `ProposedCost`, and when they go live; null is at once. */
type Asked = { changes: readonly object[]; costs?: readonly object[]; messages: readonly string[]; liveAt: Date | null }

/**
 * Asks an owner to publish these prices; asked again while that waits, it is one proposal.
 * @throws AppError (CONFLICT) at the most that one person may have open.
 */
export async function requestPriceApproval(tx: Tx, ctx: Ctx, { changes, costs = [], messages, liveAt }: Asked): Promise<void> {
  const { id: proposerId } = requireActor(ctx)
  const facts = { changes, costs, liveAt: liveAt?.toISOString() ?? null }
  const open = await countPriceProposals(tx, { proposerId, facts, now: ctx.now })
  if (open.same > 0) return
  if (open.all >= MOST_OPEN) throw new AppError('CONFLICT', `${MOST_OPEN} of your prices wait for an owner already.`)
  await insertApproval(tx, {
    action: 'prices.publish',
    actionHash: createHash('sha256')
      .update(JSON.stringify([facts, proposerId, ctx.now]))
      .digest(),
    details: { userId: proposerId, amountPesewas: 0, note: '', showNote: false, prices: [...new Set(messages)], ...facts },
    proposerId,
    now: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + LASTS_MS),
  })
  await recordAdminAction(tx, ctx, {
    action: 'prices.proposed',
    subject: { type: 'prices', id: 'catalogue' },
    note: messages.slice(0, 3).join(' '),
  })
}

/** Asks an owner to show packages that were saved hidden, since no owner has agreed to a price of theirs. */
export async function askForNewPackages(tx: Tx, ctx: Ctx, { id, network, packages }: ProductRow, offers: readonly string[]): Promise<void> {
  if (offers.length === 0) return
  const asked = packages.filter(({ offer }) => offers.includes(offer))
  const changes = asked.map(({ offer, priceCustomerPesewas: customer, priceAgentPesewas: agent }) => ({
    productId: id,
    offer,
    network,
    priceCustomerPesewas: { from: customer, to: customer },
    priceAgentPesewas: { from: agent, to: agent },
    hidden: { from: true, to: false },
  }))
  const messages = asked.map((line) => {
    const [customer, agent] = [formatPesewas(line.priceCustomerPesewas), formatPesewas(line.priceAgentPesewas)]
    return `${network} ${line.offer} is new here, at ¢${customer}, agents ¢${agent}.`
  })
  await requestPriceApproval(tx, ctx, { changes, messages, liveAt: null })
}

/** Nothing is on sale at these prices; an owner is asked. */
export class OwnerNeeded extends AppError {
  constructor(messages: readonly string[]) {
    const more = messages.length > 1 ? ` So ${messages.length === 2 ? 'is one more price' : `are ${messages.length - 1} more prices`}.` : ''
    super(
      'SECOND_PERSON_NEEDED',
      `${messages[0]}${more} An owner must agree: it waits in their Inbox for 24 hours, and nothing has changed yet.`,
    )
  }
}

import { AGENT_UPGRADE_FEE_PESEWAS } from '../../../../shared/money.ts'
import { CARD_REFERENCE } from '../../../../shared/payments.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { ListedPayment } from '../../../integrations/payments/card-payments.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Queryable, transaction } from '../../../platform/db.ts'
import { AppError, OutsideService } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { databaseBuckets, openRateLimiter } from '../../../platform/rate-limiter.ts'
import { lockUser } from '../../people/users/users.sql.ts'
import { selectProfile } from '../../shop/shop/shop.sql.ts'
import { hasPaid, isOurs, keepForeignPayment } from './adopt-payment.ts'
import { selectPayment } from './payments.sql.ts'
import { announceFulfilled, fulfilWithin } from './settle-payment.ts'

/** How long after its payment a client asks for the level at most. */
const PAID_WITHIN_MS = 3_600_000
/** How often one user has the provider's list read, which is two calls. */
const PER_USER = { size: 6, everyMs: 20_000 }

/** The fee for becoming an agent, as the owner has set it, in pesewas. It is paid by card without a surcharge. */
export async function readUpgradeFee(db: Queryable): Promise<number> {
  return (await selectProfile(db)).agentFeePesewas ?? AGENT_UPGRADE_FEE_PESEWAS
}

/**
 * Makes the actor an agent, if their client paid exactly the fee at the card provider in the last hour under a reference unknown to us, and
 * nothing else has used that payment. The e-mail address need not be confirmed: the level is all that can be gained. So payment and level are one
 * transaction: kept for later, the payment of a stranger would fill the wallet of who is an agent by then. Nothing happens when
 * there is no such payment.
 * @throws OutsideService when the provider does not answer, 402 while the payment is disputed or being refunded, TooManyAttempts.
 */
export async function claimUpgrade(ctx: Ctx, gateway: CardGateway): Promise<void> {
  const actor = requireActor(ctx)
  if (gateway.card.isOff) return
  const limiter = openRateLimiter(databaseBuckets(ctx.db), () => ctx.now)
  await limiter.take([{ name: `upgrades of user ${actor.id} looked for`, ...PER_USER }])
  const since = new Date(ctx.now.getTime() - PAID_WITHIN_MS)
  const list = await gateway.card.listPaid({ email: actor.email, since })
  if (list.outcome === 'unknown') throw new OutsideService(NO_ANSWER)
  const feePesewas = await readUpgradeFee(ctx.db)
  const candidates = list.payments.filter(
    ({ reference, paidAt, paid }) =>
      CARD_REFERENCE.test(reference) &&
      paidAt >= since &&
      isOurs(gateway, paid) &&
      hasPaid(actor, paid) &&
      paid.amountPesewas === feePesewas,
  )
  const found = await findUnused(ctx.db, candidates)
  if (!found) return
  const done = await transaction(ctx.db, async (tx) => {
    // Exclusive before the shared lock of the actor: two tabs that both held that would wait for each other.
    await lockUser(tx, actor.id)
    const { level } = await lockActor(tx, ctx)
    if (level !== 'Customer') return null
    const upgrade = { purpose: 'agent-upgrade' as const, lines: null, pricePesewas: feePesewas, surchargePesewas: 0 }
    const reason = await keepForeignPayment(tx, ctx, found.reference, upgrade)
    if (reason !== null) throw new AppError('UNPAID', `We cannot make you an agent, because ${reason}.`)
    const kept = await selectPayment(tx, found.reference)
    // An order may have taken it a moment before; then it is not the fee.
    if (kept?.userId !== actor.id || kept.purpose !== 'agent-upgrade') return null
    return fulfilWithin(tx, ctx, gateway, found.reference, found.paid)
  })
  if (done) await announceFulfilled(ctx, done)
}

const NO_ANSWER = 'We could not ask the card provider about your payment. Please try again in a minute.'

async function findUnused(db: Queryable, listed: ListedPayment[]): Promise<ListedPayment | undefined> {
  const known = await Promise.all(listed.map(async (one) => ({ one, payment: await selectPayment(db, one.reference) })))
  return known.findLast(({ payment }) => payment === null)?.one
}

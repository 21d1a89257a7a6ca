import type { CheckerStock, OwnChecker, SoldChecker } from '../../../../shared/checkers.ts'
import type { ListQuery } from '../../../../shared/lists.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { limitKnowledge } from '../../../platform/limit-knowledge.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import type { Vault } from '../../../platform/vault.ts'
import { type OrderRow, selectOrder, selectOrderByReference } from '../orders/orders.sql.ts'
import { findOrderId } from '../orders/queries.ts'
import { refuseOtherBrowser } from '../orders/refuse-other-browser.ts'
import { selectCodesOf, selectCodesOfImport, selectImports, selectKinds, selectPackages } from './checkers.sql.ts'
import { presentCode, presentImport, presentKind, presentOwn, presentSold } from './present.ts'

const WEEK_MS = 7 * 24 * 3_600_000

export async function readStock({ db, now }: Pick<Ctx, 'db' | 'now'>, vault: Vault | null): Promise<CheckerStock> {
  const [kinds, packages, imports] = await Promise.all([
    selectKinds(db, new Date(now.getTime() - WEEK_MS)),
    selectPackages(db),
    selectImports(db),
  ])
  return { ready: vault !== null, kinds: kinds.map(presentKind), packages, imports: imports.map(presentImport) }
}

/**
 * One page of the codes of an import, masked; with `search` those whose serial ends so.
 * @throws NotFound
 */
export async function readCodesOfImport({ db }: Pick<Ctx, 'db'>, id: string, { search, ...list }: ListQuery) {
  const tail = search ? search.trim().slice(-TAIL) : null
  const found = await selectCodesOfImport(db, id, { ...toPage(list), tail })
  if (!found) throw new NotFound('import')
  return { rows: found.rows.map(presentCode), total: found.total }
}

/** So much of a serial is kept in the clear. */
const TAIL = 4

/**
 * The codes of an order of the caller's own.
 * @throws NotFound, also for someone else's, whoever asks.
 */
export async function readOwnCheckers(ctx: Ctx, vault: Vault | null, named: string): Promise<OwnChecker[]> {
  const order = await selectOrder(ctx.db, await findOrderId(ctx, named))
  if (!order || order.userId !== requireActor(ctx).id) throw new NotFound('order')
  return readForBuyer(ctx.db, vault, order)
}

/**
 * The codes of a guest's order, for whoever has its link and knows the number that it was bought with, or bought for, in the browser
 * that paid.
 * @throws NotFound, also when the number is another: who asks learns nothing of which it was; 409 CONFLICT in another browser
 */
export async function readGuestCheckers(
  ctx: Ctx,
  { vault, limiter }: { vault: Vault | null; limiter: RateLimiter },
  { browser, ...asked }: GuestAsks & { browser: Buffer | null },
): Promise<OwnChecker[]> {
  const order = await findGuestOrder(ctx, limiter, asked)
  await refuseOtherBrowser(ctx.db, {
    paymentReference: order.paymentReference,
    browser,
    instead: 'You can have it sent by SMS again, or call us.',
  })
  return readForBuyer(ctx.db, vault, order)
}

type GuestAsks = { reference: string; phoneNumber: string }

/**
 * A guest's order by its link, and the number that it was bought with or for.
 * @throws NotFound, also for another number; TooManyAttempts once that was wrong too often for this order, at one address or from everywhere.
 */
export async function findGuestOrder(ctx: Ctx, limiter: RateLimiter, { reference, phoneNumber }: GuestAsks): Promise<OrderRow> {
  const order = await selectOrderByReference(ctx.db, reference)
  return limitKnowledge(limiter, ctx.ip, [{ door: 'number of guest order', of: order?.id ?? reference }], async () => {
    if (!order || order.guestPhone === null || ![order.guestPhone, order.receiver].includes(phoneNumber)) throw new NotFound('order')
    return order
  })
}

/** For who has bought them; the caller has checked that. What was refunded is the shop's again, and shown to them no more. */
export async function readForBuyer(db: Queryable, vault: Vault | null, order: { id: string; status: OrderStatus }): Promise<OwnChecker[]> {
  return order.status === 'rejected' ? [] : readCheckersOf(db, vault, order.id)
}

/** The caller has checked who asks. */
export async function readCheckersOf(db: Queryable, vault: Vault | null, orderId: string): Promise<OwnChecker[]> {
  return (await selectCodesOf(db, orderId)).map((code) => presentOwn(vault, code))
}

/** @throws NotFound */
export async function readSoldCheckers(ctx: Ctx, named: string): Promise<SoldChecker[]> {
  return (await selectCodesOf(ctx.db, await findOrderId(ctx, named))).map(presentSold)
}

import type { OrderStatus } from '../../../../shared/orders.ts'
import { findOwnWallet, readSpendable } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { selectMovements } from '../../wallet/wallet/statement.sql.ts'
import {
  type ApiListRow,
  type ApiOrderRow,
  selectListsBefore,
  selectOrdersBefore,
  selectOrdersOfList,
  selectOwnList,
  selectOwnOrder,
  selectTestMovements,
} from './developer-api.sql.ts'
import { openTestWallet } from './open-test-wallet.ts'
import { presentMovement } from './present.ts'

/** Whose records: those that a live key sees, or those of the user's test keys. */
type Owner = { userId: string; isTest: boolean }
type Wanted = { cursor?: string | undefined; limit?: number | undefined }
type Page<T> = { rows: T[]; next: string | null }

const USUAL_LIMIT = 20

/** In pesewas. */
export async function readBalance(ctx: Ctx, { userId, isTest }: Owner): Promise<number> {
  if (!isTest) return readSpendable(ctx.db, userId)
  return transaction(ctx.db, (tx) => openTestWallet(tx, { userId, forPesewas: 0, now: ctx.now }))
}

export async function readMovements(ctx: Ctx, { userId, isTest }: Owner, { cursor, limit = USUAL_LIMIT }: Wanted) {
  const [first, line = 0] = cursor?.split('-').map(Number) ?? []
  if (isTest) {
    await readBalance(ctx, { userId, isTest })
    const found = await selectTestMovements(ctx.db, { userId, before: first ?? null, limit: limit + 1 })
    const page = toPage(found, limit, ({ seq }) => String(seq))
    return { ...page, rows: page.rows.map((row) => presentMovement(row, isTest)) }
  }
  const { accountId } = await findOwnWallet(ctx.db, userId)
  const before = first === undefined ? null : { entryId: first, line }
  const found = await selectMovements(ctx.db, { accountId, before, limit: limit + 1 })
  const page = toPage(found, limit, (last) => `${last.entryId}-${last.line}`)
  return { ...page, rows: page.rows.map((row) => presentMovement(row, isTest)) }
}

export async function readOrders(ctx: Ctx, owner: Owner, { cursor, limit = USUAL_LIMIT }: Wanted): Promise<Page<ApiOrderRow>> {
  const rows = await selectOrdersBefore(ctx.db, { ...owner, before: startOf(cursor), limit: limit + 1 })
  return toPage(rows, limit, ({ seq }) => String(seq))
}

/** @throws NotFound, also for an order of somebody else. */
export async function readOrder(ctx: Ctx, owner: Owner, id: string): Promise<ApiOrderRow> {
  const seq = numberIn(id, 'ord', owner)
  const order = seq === null ? null : await selectOwnOrder(ctx.db, { ...owner, seq })
  if (!order) throw new NotFound('order')
  return order
}

export async function readLists(ctx: Ctx, owner: Owner, { cursor, limit = USUAL_LIMIT }: Wanted): Promise<Page<ApiListRow>> {
  const rows = await selectListsBefore(ctx.db, { ...owner, before: startOf(cursor), limit: limit + 1 })
  return toPage(rows, limit, ({ seq }) => String(seq))
}

/** @throws NotFound, also for a list of somebody else. */
export async function readList(ctx: Ctx, owner: Owner, id: string): Promise<ApiListRow> {
  const seq = numberIn(id, 'list', owner)
  const list = seq === null ? null : await selectOwnList(ctx.db, { ...owner, seq })
  if (!list) throw new NotFound('list')
  return list
}

/** The list that a purchase made. */
export async function readListOfPurchase(ctx: Ctx, owner: Owner, id: string): Promise<ApiListRow> {
  const list = await selectOwnList(ctx.db, { ...owner, id })
  if (!list) throw new Error(`purchase ${id} made no list`)
  return list
}

/** @throws NotFound, also for a list of somebody else. */
export async function readOrdersOfList(
  ctx: Ctx,
  owner: Owner,
  { id, cursor, limit = USUAL_LIMIT, status = null }: Wanted & { id: string; status?: OrderStatus | null | undefined },
): Promise<Page<ApiOrderRow & { line: number }>> {
  const { id: listId } = await readList(ctx, owner, id)
  const after = startOf(cursor) ?? 0
  const rows = await selectOrdersOfList(ctx.db, { listId, isTest: owner.isTest, after, status, limit: limit + 1 })
  return toPage(rows, limit, ({ line }) => String(line))
}

function startOf(cursor: string | undefined): number | null {
  return cursor === undefined ? null : Number(cursor.split('-', 1)[0])
}

/** The number in an id of what a live key sees, such as ord_12, or a test key, such as ord_test_12; null when it is none. */
function numberIn(id: string, kind: 'ord' | 'list', { isTest }: Owner): number | null {
  const [, seq] = new RegExp(`^${kind}_${isTest ? 'test_' : ''}([0-9]{1,15})$`).exec(id) ?? []
  return seq === undefined ? null : Number(seq)
}

/** One row more than the page shows says that there is another page. */
function toPage<T>(found: T[], limit: number, cursorOf: (last: T) => string): Page<T> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? cursorOf(last) : null }
}

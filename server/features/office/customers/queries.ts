import { CUSTOMER_PAGE } from '../../../../shared/customers.ts'
import { startOfDay } from '../../../../shared/dates.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { phoneTexts } from '../../../../shared/search.ts'
import { hasRole, SEES_WALLETS } from '../../../../shared/staff-rules.ts'
import { findWallet, type Wallet } from '../../../ledger/ledger.ts'
import type { Actor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { type OrderRow, selectOrdersBySeq } from '../../orders/orders/orders.sql.ts'
import { type SessionRow, selectSessionsOfUser } from '../../people/sessions/sessions.sql.ts'
import { selectUser, type UserRow } from '../../people/users/users.sql.ts'
import { type MovementRow, selectMovements } from '../../wallet/wallet/statement.sql.ts'
import {
  type CreditRow,
  type CustomerLineRow,
  countCustomers,
  type Named,
  type RechargeLineRow,
  type ReportLineRow,
  type SummaryRow,
  selectCustomers,
  selectCustomersById,
  selectLastCredit,
  selectOrderSeqsBefore,
  selectRechargesBefore,
  selectReportsBefore,
  selectSummary,
  selectTraces,
  type Trace,
  type Words,
} from './customers.sql.ts'
import { type NoteRow, selectNotes } from './notes.sql.ts'

export type FoundCustomer = CustomerLineRow & { found: string | null }
const DAY_MS = 86_400_000

/**
 * One page of customers, newest first. What names one order, payment, top-up or receiver comes before those whose name, number
 * or e-mail matches, on the first page.
 */
export async function findCustomers(
  db: Queryable,
  { search, before }: { search: string; before: string | undefined },
): Promise<{ customers: FoundCustomer[]; total: number | null; next: string | null }> {
  const from = before === undefined ? null : Number(before.split('-')[0])
  if (search === '') {
    const [rows, total] = [await selectCustomers(db, { words: null, before: from, limit: CUSTOMER_PAGE + 1 }), await countCustomers(db)]
    return { ...page(rows.map((row) => ({ ...row, found: null }))), total }
  }
  const traced = from === null ? await traceCustomers(db, nameIn(search)) : []
  const matching = await selectCustomers(db, { words: wordsIn(search), before: from, limit: CUSTOMER_PAGE + 1 })
  const { customers, next } = page(matching.map((row) => ({ ...row, found: foundBy(row, search) })))
  const others = traced.filter(({ id }) => !customers.some((one) => one.id === id))
  return { customers: [...others, ...customers], total: null, next }
}

function page(rows: FoundCustomer[]) {
  const customers = rows.slice(0, CUSTOMER_PAGE)
  return { customers, next: rows.length > CUSTOMER_PAGE ? String(customers.at(-1)?.seq) : null }
}

/** A number typed in any way is looked for among numbers only: anyone may put another's number into their name. */
function wordsIn(search: string): Words {
  const numbers = phoneTexts(search)
  if (numbers.length === 0) return { texts: [search.toLowerCase().replace(/\s+/g, ' ')], phonesOnly: false }
  // No kept number is longer.
  return { texts: numbers.filter(({ length }) => length <= 10), phonesOnly: true }
}

/** A line shows name and number; whoever is found by the e-mail address alone has it shown too. */
function foundBy({ username, phone, email }: CustomerLineRow, search: string): string | null {
  const { texts } = wordsIn(search)
  return texts.some((text) => `${username} ${phone}`.toLowerCase().includes(text)) ? null : `E-mail ${email}`
}

function nameIn(search: string): Named {
  const bare = search.replace(/^#/, '')
  return {
    orderNumber: /^\d{1,9}$/.test(bare) ? Number(bare) : null,
    rechargeId: /^[1-9]\d{7}$/.test(search) ? search : null,
    reference: /^[A-Za-z0-9.=-]{6,64}$/.test(search) ? search : null,
    receiver: phoneTexts(search).find((number) => /^0\d{9}$/.test(number)) ?? null,
  }
}

async function traceCustomers(db: Queryable, named: Named): Promise<FoundCustomer[]> {
  if (Object.values(named).every((name) => name === null)) return []
  const traces = await selectTraces(db, named)
  if (traces.length === 0) return []
  const users = new Map((await selectCustomersById(db, [...new Set(traces.map(({ userId }) => userId))])).map((user) => [user.id, user]))
  return [...Map.groupBy(traces, ({ userId }) => userId)].flatMap(([userId, [trace]]) => {
    const user = users.get(userId)
    return user && trace ? [{ ...user, found: wordsOf(trace) }] : []
  })
}

function wordsOf({ by, name }: Trace): string {
  switch (by) {
    case 'order':
      return `Bought order ${name}`
    case 'recharge':
      return `Asked for top-up ${name}`
    case 'payment':
      return `Paid ${name}`
    case 'receiver':
      return `Bought for ${spacedPhone(name)}`
  }
}

export type CustomerRecord = {
  user: UserRow
  lastCredit: CreditRow | null
  summary: SummaryRow
  notes: NoteRow[]
  sessions: SessionRow[]
}

/** @throws NotFound */
export async function readCustomer(db: Queryable, id: string, now: Date): Promise<CustomerRecord> {
  const [user, wallet] = [await selectUser(db, id), await findWallet(db, id)]
  if (!user || !wallet) throw new NotFound('customer')
  const today = startOfDay(now)
  const lastCredit = await selectLastCredit(db, wallet.accountId, new Date(now.getTime() - DAY_MS))
  return {
    user,
    lastCredit,
    summary: await selectSummary(db, id, today),
    notes: await selectNotes(db, id),
    sessions: await selectSessionsOfUser(db, id, now),
  }
}

type Paged<T> = { rows: T[]; next: string | null }

/** @throws NotFound */
export async function listMovements(db: Queryable, id: string, before: string | undefined): Promise<Paged<MovementRow>> {
  const { accountId } = await requireWallet(db, id)
  const [entryId, line] = before?.split('-').map(Number) ?? []
  const from = entryId === undefined ? null : { entryId, line: line ?? 0 }
  const rows = await selectMovements(db, { accountId, before: from, limit: MOVEMENTS + 1 })
  return cut(rows, MOVEMENTS, (last) => `${last.entryId}-${last.line}`)
}

/** An agent's orders of one day fold into one line on the screen, so a page holds more of them. */
const MOVEMENTS = 100

export async function listCustomerOrders(db: Queryable, id: string, before: string | undefined): Promise<Paged<OrderRow>> {
  await requireWallet(db, id)
  const seqs = await selectOrderSeqsBefore(db, id, seqIn(before), CUSTOMER_PAGE + 1)
  const rows = await selectOrdersBySeq(db, seqs)
  return cut(rows, CUSTOMER_PAGE, ({ seq }) => String(seq))
}

export async function listCustomerRecharges(db: Queryable, id: string, before: string | undefined): Promise<Paged<RechargeLineRow>> {
  await requireWallet(db, id)
  return cut(await selectRechargesBefore(db, id, seqIn(before), CUSTOMER_PAGE + 1), CUSTOMER_PAGE, ({ seq }) => String(seq))
}

export async function listCustomerReports(db: Queryable, id: string, before: string | undefined): Promise<Paged<ReportLineRow>> {
  await requireWallet(db, id)
  return cut(await selectReportsBefore(db, id, seqIn(before), CUSTOMER_PAGE + 1), CUSTOMER_PAGE, ({ seq }) => String(seq))
}

/**
 * Everybody has a wallet, so whoever has none does not exist.
 * @throws NotFound
 */
export async function requireWallet(db: Queryable, id: string): Promise<Wallet> {
  const wallet = await findWallet(db, id)
  if (!wallet) throw new NotFound('customer')
  return wallet
}

function seqIn(before: string | undefined): number | null {
  return before === undefined ? null : Number(before.split('-')[0])
}

function cut<T>(rows: T[], size: number, nameOf: (last: T) => string): Paged<T> {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > size && last ? nameOf(last) : null }
}

/** Whether this member of staff sees what is in wallets. */
export function seesWallets(actor: Actor): boolean {
  return hasRole(actor, SEES_WALLETS)
}

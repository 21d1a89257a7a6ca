import type { StatementLine } from '../../../../shared/wallet.ts'
import type { EntryKind } from '../../../ledger/ledger.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'

export type StatementRow = {
  entryId: number
  line: number
  kind: EntryKind
  shownKind: ShownKind
  memo: string
  /** What an admin wrote for the customer. */
  note: string | null
  /** What customers know the order, the recharge or the card payment by. */
  reference: string | null
  amountPesewas: number
  balanceAfterPesewas: number
  createdAt: Date
}

/** A top-up is a card payment in the books; mobile money for which nobody asked is a credit there. Deliveries, fees and guests' payments move no customer's wallet. */
type ShownKind =
  | Exclude<
      EntryKind,
      | 'delivery'
      | 'delivery-cost'
      | 'provider-fee'
      | 'guest-refund'
      | 'refund-code'
      | 'refund-paid'
      | 'withdrawal'
      | 'withdrawal-paid'
      | 'withdrawal-returned'
      | 'owner-funds'
      | 'effect-undone'
      | 'checker-import'
      | 'checker-return'
      | 'checker-loss'
    >
  | 'top-up'
  | 'top-up-hold'
  | 'top-up-release'
  | 'disputed-hold'
  | 'disputed-release'
  | 'mobile-money'

/** What the customer reads for each kind of journal entry. */
export const KIND_NAMES: Record<ShownKind, StatementLine['kind']> = {
  order: 'Order',
  'order-refund': 'Refund',
  recharge: 'Recharge',
  'mobile-money': 'Mobile money',
  'card-payment': 'Card payment',
  'top-up': 'Top-up',
  'top-up-hold': 'Top-up on hold',
  'top-up-release': 'Top-up released',
  'disputed-hold': 'Card dispute',
  'disputed-release': 'Card dispute',
  'refund-claimed': 'Refund',
  'refund-to-source': 'Sent back',
  'refund-returned': 'Refund',
  'card-surcharge': 'Card surcharge',
  'card-refund': 'Card refund',
  'dispute-lost': 'Card dispute',
  'dispute-recovered': 'Card dispute',
  'agent-upgrade': 'Overpaid agent upgrade',
  'dispute-won': 'Card dispute',
  'referral-reward': 'Referral reward',
  reservation: 'Set aside',
  'reservation-returned': 'Back from set aside',
  'referral-undone': 'Referral reward',
  'admin-credit': 'Credit by the shop',
  'admin-debit': 'Debit by the shop',
}

/** `month` as YYYY-MM, in UTC. Null for any. */
export type StatementFilter = { accountId: number; month: string | null; search: string | null }

const LINE = `k.entry_id as "entryId", k.line, k.kind, k.shown as "shownKind", k.memo, k.note, k.reference, k.amount_pesewas as "amountPesewas",
  k.balance_after_pesewas as "balanceAfterPesewas", k.created_at as "createdAt"`

/** Movements with the reference that customers know, from postings named `from`. */
const keyed = (from: string) => `keyed as (
    select m.*, case
      when m.kind in ('order', 'order-refund') then (select o.seq::text from orders o where o.id = m.subject::uuid)
      when m.kind in ('refund-to-source', 'refund-returned')
        then (select o.seq::text from refunds f join orders o on o.id = f.order_id where f.id = m.subject::uuid)
      when m.kind = 'recharge' then (select r.recharge_id from recharges r where r.id = m.subject::uuid)
      when m.kind in ('card-payment', 'card-surcharge', 'agent-upgrade') then m.subject
      when m.kind = 'card-refund' then (select c.reference from card_refunds c where c.provider_id = m.subject)
      when m.name = 'momo' then split_part(m.subject, ':', 2)
      when m.kind in ('dispute-recovered', 'dispute-won') then coalesce((select d.reference from disputes d where d.provider_id = m.subject),
        (select f.payment_reference from refunds f where f.id::text = m.subject))
    end as reference,
    case when m.name = 'momo' then 'mobile-money' when m.kind <> 'card-payment' then m.kind when m.name in ('top-up-hold', 'top-up-release') then m.name
      when m.name = 'rest-hold' then 'top-up-hold'
      when m.name ~ '^disputed-(hold|release)-' then regexp_replace(m.name, '-[0-9]+$', '')
      when exists (select from payments t where t.reference = m.subject and t.purpose = 'top-up') then 'top-up' else m.kind end as shown,
    case when m.kind in ('admin-credit', 'admin-debit') then (select n.note from customer_notes n where n.entry_id = m.entry_id) end as note
    from (select p.*, e.kind, e.memo, e.created_at, e.actor_id, split_part(e.key, ':', 1) as name, substr(e.key, strpos(e.key, ':') + 1) as subject
      from ${from} p join journal_entries e on e.id = p.entry_id) m
  )`

/**
 * The postings of a wallet's account, newest first. Entries get their ids while the wallet is locked, so their order is the one in
 * which the balance changed, whatever the clocks of the processes said.
 */
export async function selectStatement(
  db: Queryable,
  { accountId, month, search, limit, offset }: Page & StatementFilter,
): Promise<{ lines: StatementRow[]; total: number }> {
  if (month !== null || search !== null) return selectMatches(db, { accountId, month, search }, { limit, offset })
  const [page, count] = await Promise.all([
    db.query<StatementRow>(
      `with page as materialized (
         select entry_id, line, amount_pesewas, balance_after_pesewas from postings where account_id = $1 order by entry_id desc, line desc limit $2 offset $3
       ), ${keyed('page')}
       select ${LINE} from keyed k order by k.entry_id desc, k.line desc`,
      [accountId, limit, offset],
    ),
    db.query<{ total: number }>('select count(*) as total from postings where account_id = $1', [accountId]),
  ])
  return { lines: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** A movement as staff see it: with what was written for them, and who moved it by hand. */
export type MovementRow = StatementRow & { actor: string | null; orderId: string | null; isUndo: boolean }

/** The movements of a wallet's account before one of them, newest first; from the newest when `before` is null. */
export async function selectMovements(
  db: Queryable,
  { accountId, before, limit }: { accountId: number; before: { entryId: number; line: number } | null; limit: number },
): Promise<MovementRow[]> {
  const { text, values } = movementsQuery(accountId, before, limit)
  const { rows } = await db.query<MovementRow>(text, values)
  return rows
}

/** All movements as staff see them, or a page of them. */
export function movementsQuery(
  accountId: number,
  before: { entryId: number; line: number } | null = null,
  limit: number | null = null,
): { text: string; values: unknown[] } {
  return {
    text: `with page as materialized (
       select entry_id, line, amount_pesewas, balance_after_pesewas from postings
       where account_id = $1 and ($2::bigint is null or (entry_id, line) < ($2, $3)) order by entry_id desc, line desc limit $4
     ), ${keyed('page')}
     select ${LINE}, a.username as actor, k.name = 'credit-undo' as "isUndo",
       case when k.kind in ('order', 'order-refund') then k.subject end as "orderId"
     from keyed k left join users a on a.id = k.actor_id order by k.entry_id desc, k.line desc`,
    values: [accountId, before?.entryId ?? null, before?.line ?? null, limit],
  }
}

async function selectMatches(db: Queryable, filter: StatementFilter, { limit, offset }: Pick<Page, 'limit' | 'offset'>) {
  const { text, values } = statementQuery(filter)
  const { rows } = await db.query<StatementRow & { total: number }>(
    `with found as materialized (${text})
     select found.*, counted.total from (select count(*) as total from found) counted
     left join (select * from found order by "entryId" desc, line desc limit $${values.length + 1} offset $${values.length + 2}) found on true`,
    [...values, limit, offset],
  )
  return { lines: rows.filter(({ entryId }) => entryId !== null), total: rows[0]?.total ?? 0 }
}

/** All movements that match, newest first. A search looks in everything that a line shows. */
export function statementQuery({ accountId, month, search }: StatementFilter): { text: string; values: unknown[] } {
  return {
    text: `with movements as (
        select entry_id, line, amount_pesewas, balance_after_pesewas from postings where account_id = $1
      ), ${keyed('movements')}
      select ${LINE} from keyed k
      where ($2::text is null or to_char(k.created_at at time zone 'UTC', 'YYYY-MM') = $2)
        and ($3::text[] is null or concat_ws(' ', $4::jsonb ->> k.shown, case when k.shown not in ('admin-credit', 'admin-debit') then k.memo end, k.note, k.reference, shown_time(k.created_at),
          shown_amount(abs(k.amount_pesewas)), shown_amount(k.balance_after_pesewas)) ilike any ($3))
      order by k.entry_id desc, k.line desc`,
    values: [accountId, month, likePatterns(search), JSON.stringify(KIND_NAMES)],
  }
}

/** Once for an entry: repeating the same request writes no other note. */
export async function insertCustomerNote(tx: Tx, entryKey: string, note: string) {
  await tx.query('insert into customer_notes (entry_id, note) select id, $2 from journal_entries where key = $1 on conflict do nothing', [
    entryKey,
    note,
  ])
}

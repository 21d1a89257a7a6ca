import type { EntryKind } from '../../ledger/ledger.ts'
import type { Queryable } from '../../platform/db.ts'
import type { Page } from '../../platform/http/lists.ts'

export type StatementRow = {
  entryId: number
  line: number
  kind: EntryKind
  memo: string
  /** What customers know the order, the recharge or the card payment by. */
  reference: string | null
  amountPesewas: number
  balanceAfterPesewas: number
  createdAt: Date
}

/**
 * The postings of a wallet's account, newest first. Entries get their ids while the wallet is locked, so their order is the one in
 * which the balance changed, whatever the clocks of the processes said.
 */
export async function selectStatement(
  db: Queryable,
  { accountId, limit, offset }: Page & { accountId: number },
): Promise<{ lines: StatementRow[]; total: number }> {
  const [page, count] = await Promise.all([
    db.query<StatementRow>(
      `with page as materialized (
         select entry_id, line, amount_pesewas, balance_after_pesewas from postings where account_id = $1 order by entry_id desc, line desc limit $2 offset $3
       ), keyed as (
         select page.*, e.kind, e.memo, e.created_at, substr(e.key, strpos(e.key, ':') + 1) as subject
         from page join journal_entries e on e.id = page.entry_id
       )
       select k.entry_id as "entryId", k.line, k.kind, k.memo, k.amount_pesewas as "amountPesewas",
         k.balance_after_pesewas as "balanceAfterPesewas", k.created_at as "createdAt",
         case
           when k.kind in ('order', 'order-refund') then (select o.seq::text from orders o where o.id = k.subject::uuid)
           when k.kind = 'recharge' then (select r.recharge_id from recharges r where r.id = k.subject::uuid)
           when k.kind in ('card-payment', 'card-surcharge', 'agent-upgrade') then k.subject
           when k.kind = 'card-refund' then (select c.reference from card_refunds c where c.provider_id = k.subject)
           when k.kind = 'dispute-recovered' then (select d.reference from disputes d where d.provider_id = k.subject)
         end as reference
       from keyed k order by k.entry_id desc, k.line desc`,
      [accountId, limit, offset],
    ),
    db.query<{ total: number }>('select count(*) as total from postings where account_id = $1', [accountId]),
  ])
  return { lines: page.rows, total: count.rows[0]?.total ?? 0 }
}

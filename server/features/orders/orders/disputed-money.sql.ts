import type { Tx } from '../../../platform/db.ts'

export type DisputedPayment = {
  holdReason: string | null
  receivedPesewas: number | null
  returnedPesewas: number
  onHoldPesewas: number
  lossPesewas: number
  /** Whose wallets got money of it: its payer's, or those that claimed its guest's refunds. In the order in which wallets are locked. */
  owners: string[]
}

export async function selectDisputedPayment(tx: Tx, reference: string): Promise<DisputedPayment | null> {
  const { rows } = await tx.query<DisputedPayment>(
    `select hold_reason as "holdReason", received_pesewas as "receivedPesewas", returned_pesewas as "returnedPesewas",
       on_hold_pesewas as "onHoldPesewas", loss_pesewas as "lossPesewas", case when user_id is not null then array[user_id] else array(
         select w.user_id from wallets w where w.user_id in (
           select claimed_by from refunds where payment_reference = $1 and status = 'claimed') order by w.account_id
       ) end as owners
     from payments where reference = $1`,
    [reference],
  )
  return rows[0] ?? null
}

/** What banks and the provider have not decided about a payment yet, in pesewas; not what the shop itself sends back. */
export async function sumOpenReturns(tx: Tx, reference: string): Promise<number> {
  const { rows } = await tx.query<{ pesewas: number }>(
    `select coalesce(sum(pesewas), 0)::bigint as pesewas from (
       select amount_pesewas as pesewas from disputes where reference = $1 and outcome in ('open', 'unclear') and currency = 'GHS'
       union all
       select c.amount_pesewas from card_refunds c where c.reference = $1 and c.status not in ('failed', 'processed') and c.currency = 'GHS'
         and not exists (select from refunds r where r.provider_id = c.provider_id)
     ) open`,
    [reference],
  )
  return rows[0]?.pesewas ?? 0
}

export type DisputedMoney = { accountId: number; pesewas: number }

/** What of a payment is kept out of wallets. */
export async function selectDisputedMoney(tx: Tx, reference: string): Promise<DisputedMoney[]> {
  const { rows } = await tx.query<DisputedMoney>(
    'select account_id as "accountId", pesewas from disputed_money where payment_reference = $1 order by account_id',
    [reference],
  )
  return rows
}

/** Stores what is kept out of wallets from now on and returns the number of this change, which its entry has. */
export async function upsertDisputedMoney(tx: Tx, reference: string, changes: DisputedMoney[]): Promise<number> {
  const { rows } = await tx.query<{ times: number }>(
    `insert into disputed_money as kept (payment_reference, account_id, pesewas, times)
     select $1, change.account_id, change.pesewas, (select coalesce(max(times), 0) + 1 from disputed_money where payment_reference = $1)
     from unnest($2::bigint[], $3::bigint[]) change (account_id, pesewas)
     on conflict (payment_reference, account_id) do update set pesewas = excluded.pesewas, times = excluded.times returning times`,
    [reference, changes.map(({ accountId }) => accountId), changes.map(({ pesewas }) => pesewas)],
  )
  return rows[0]?.times as number
}

type Attributed = { reference: string; userId: string; pesewas: number }

/** How many orders one statement names. */
const AT_ONCE = 500

/**
 * Names a disputed payment as what paid for so much of a user's orders from the wallet since it came in, as far as no other disputed one has: the
 * pending and the newest ones first, and those that no other top-up brought money for. An order that is being decided at this moment is left out: who decides it locks it before
 * its payment.
 */
export async function attributeOrders(tx: Tx, attributed: Attributed) {
  while ((await attributeSome(tx, attributed)) === AT_ONCE);
}

async function attributeSome(tx: Tx, { reference, userId, pesewas }: Attributed): Promise<number> {
  const { rowCount } = await tx.query(
    `with known as (
       select coalesce(sum(d.pesewas), 0)::bigint as pesewas from disputed_orders d join orders o on o.id = d.order_id
       where d.payment_reference = $1 and o.user_id = $2 and o.status <> 'rejected'
     ), bought as materialized (
       select o.id, o.seq, o.status, o.top_up_reference is not null as topped_up, o.price_pesewas - taken.pesewas as free
       from orders o cross join lateral (
         select coalesce(sum(d.pesewas), 0)::bigint as pesewas from disputed_orders d join payments p on p.reference = d.payment_reference
         where d.order_id = o.id and (p.reference = $1 or p.hold_reason is not null or p.loss_pesewas > 0)
       ) taken
       where o.user_id = $2 and o.status <> 'rejected' and o.paid_with = 'wallet' and o.top_up_reference is distinct from $1
         and o.created_at >= (select settled_at from payments where reference = $1) and (select pesewas from known) < $3
         and taken.pesewas < o.price_pesewas
       order by o.status <> 'pending', topped_up, o.seq desc limit ${AT_ONCE} for update of o skip locked
     ), added as (
       select id, free, sum(free) over (order by status <> 'pending', topped_up, seq desc) - free as before from bought
     )
     insert into disputed_orders as share (order_id, payment_reference, pesewas)
     select id, $1, least(free, $3 - (select pesewas from known) - before) from added where before < $3 - (select pesewas from known)
     on conflict (order_id, payment_reference) do update set pesewas = share.pesewas + excluded.pesewas`,
    [reference, userId, pesewas],
  )
  return rowCount ?? 0
}

/** How much of a payment is still in a wallet, its payer's or that of who claimed its guest's refund, according to the ledger: received, minus spent, plus refunded. */
export async function sumInWallet(tx: Tx, reference: string, accountId: number): Promise<number> {
  const { rows } = await tx.query<{ pesewas: number }>(
    `with keys (key) as (
       select unnest(array['card-payment:' || $1, 'card-surcharge:' || $1, 'agent-upgrade:' || $1, 'top-up-hold:' || $1, 'top-up-release:' || $1,
         'card-unspent:' || $1, 'card-rest:' || $1, 'rest-hold:' || $1,
         'left-surcharge:' || $1, 'rest-surcharge:' || $1])
       union all select unnest(array['card-spent-' || n || ':' || $1, 'card-surcharge-' || n || ':' || $1])
         from payments, generate_series(1, unspent_uses) n where reference = $1
       union all select unnest(array['disputed-hold-' || n || ':' || $1, 'disputed-release-' || n || ':' || $1])
         from generate_series(1, (select max(times) from disputed_money where payment_reference = $1)) n
       union all select unnest(array['order:' || id, 'order-refund:' || id]) from orders where payment_reference = $1 or top_up_reference = $1
       union all select unnest(array['refund-to-source:' || id, 'refund-returned:' || id, 'dispute-recovered:' || id]) from refunds where payment_reference = $1 and user_id is not null
       union all select 'refund-claimed:' || id from refunds where payment_reference = $1 and status = 'claimed'
       union all select unnest(array['dispute-recovered:' || provider_id, 'dispute-won:' || provider_id]) from disputes where reference = $1
       union all select 'card-refund:' || provider_id from card_refunds where reference = $1
     )
     select coalesce(sum(p.amount_pesewas), 0) as pesewas
     from keys join journal_entries e using (key) join postings p on p.entry_id = e.id where p.account_id = $2`,
    [reference, accountId],
  )
  return rows[0]?.pesewas ?? 0
}

import type { PayoutNetwork } from '../../../../shared/withdrawal-rules.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** The earnings wallet of a shop. Amounts in pesewas. */
export type EarningsWallet = { shopId: string; shopName: string; accountId: number; balancePesewas: number; debtPesewas: number }

const WALLET = `s.id as "shopId", s.name as "shopName", w.account_id as "accountId", w.balance_pesewas as "balancePesewas",
  w.debt_pesewas as "debtPesewas"`

/** The earnings of a user's shop; null for a user without one. */
export async function selectEarningsOf(db: Queryable, userId: string): Promise<EarningsWallet | null> {
  const { rows } = await db.query<EarningsWallet>({
    name: 'earnings-of',
    text: `select ${WALLET} from agent_shops s join wallets w on w.shop_id = s.id where s.owner_id = $1`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** The same, locked until the transaction ends: what is withdrawn and what a refund takes back wait for each other. */
export async function lockEarningsOf(tx: Tx, userId: string): Promise<EarningsWallet | null> {
  const { rows } = await tx.query<EarningsWallet>({
    name: 'lock-earnings-of',
    text: `select ${WALLET} from agent_shops s join wallets w on w.shop_id = s.id where s.owner_id = $1 for update of w`,
    values: [userId],
  })
  return rows[0] ?? null
}

export type Held = { pesewas: number; orders: number; oldestAt: Date | null }

/** The profit that was released since `since` and still rests. */
export async function selectHeld(db: Queryable, shopId: string, since: Date): Promise<Held> {
  const { rows } = await db.query<Held>({
    name: 'earnings-held',
    text: `select coalesce(sum(profit_pesewas - repaid_pesewas), 0)::bigint as pesewas, count(*)::int as orders, min(released_at) as "oldestAt"
      from shop_profits where shop_id = $1 and released_at >= $2 and ended_at is null`,
    values: [shopId, since],
  })
  return rows[0] as Held
}

/** What is released once the shop's pending orders are delivered. */
export async function selectOnTheWay(db: Queryable, shopId: string): Promise<{ pesewas: number; orders: number }> {
  const { rows } = await db.query<{ pesewas: number; orders: number }>({
    name: 'earnings-on-the-way',
    text: `select coalesce(sum(profit_pesewas), 0)::bigint as pesewas, count(*)::int as orders
      from shop_profits where shop_id = $1 and released_at is null and ended_at is null`,
    values: [shopId],
  })
  return rows[0] as { pesewas: number; orders: number }
}

export type Sums = {
  releasedPesewas: number
  takenBackPesewas: number
  takenBack: number
  withdrawnPesewas: number
  withdrawn: number
  beingPaidPesewas: number
  beingPaid: number
}

/** What moved since a time, and what is being paid now. */
export async function selectSums(db: Queryable, shopId: string, since: Date): Promise<Sums> {
  const { rows } = await db.query<Sums>({
    name: 'earnings-sums',
    text: `select released.pesewas as "releasedPesewas", back.pesewas as "takenBackPesewas", back.orders as "takenBack",
        paid.pesewas as "withdrawnPesewas", paid.n as withdrawn, open.pesewas as "beingPaidPesewas", open.n as "beingPaid"
      from (select coalesce(sum(profit_pesewas - repaid_pesewas), 0)::bigint as pesewas from shop_profits
          where shop_id = $1 and released_at >= $2) released,
        (select coalesce(sum(pesewas), 0)::bigint as pesewas, count(*)::int as orders from (
          select profit_pesewas as pesewas from shop_profits where shop_id = $1 and released_at is not null and ended_at >= $2
          union all select u.undone_pesewas from undone_effects u
            join (select order_id, 'profit' as effect, shop_id from profit_shares union all select order_id, 'commission', shop_id from commissions) s
              using (order_id, effect)
            where s.shop_id = $1 and u.undone_pesewas > 0 and u.changed_at >= $2
        ) taken) back,
        (select coalesce(sum(amount_pesewas), 0)::bigint as pesewas, count(*)::int as n from withdrawals
          where shop_id = $1 and status = 'paid' and ended_at >= $2) paid,
        (select coalesce(sum(amount_pesewas), 0)::bigint as pesewas, count(*)::int as n from withdrawals
          where shop_id = $1 and ended_at is null) open`,
    values: [shopId, since],
  })
  return rows[0] as Sums
}

export type KnownNumber = { phone: string; network: PayoutNetwork; name: string; used: number }

const MOST_NUMBERS = 5

/** Paid, and asked for after the number was removed, if it ever was. */
const COUNTS = `w.status = 'paid' and w.created_at > coalesce(
  (select max(r.removed_at) from payout_number_removals r where r.shop_id = w.shop_id and r.phone = w.phone), '-infinity')`

/** Whether money went to a number before, of any network. */
export async function selectIsKnownNumber(tx: Tx, { shopId, phone }: { shopId: string; phone: string }): Promise<boolean> {
  const { rows } = await tx.query(`select from withdrawals w where w.shop_id = $1 and w.phone = $2 and ${COUNTS} limit 1`, [shopId, phone])
  return rows.length > 0
}

/** Numbers that were paid before, the most used first. */
export async function selectKnownNumbers(db: Queryable, shopId: string): Promise<KnownNumber[]> {
  const { rows } = await db.query<KnownNumber>({
    name: 'paid-numbers',
    text: `select phone, network, (array_agg(name order by seq desc))[1] as name, count(*)::int as used
      from withdrawals w where shop_id = $1 and ${COUNTS} group by phone, network order by used desc, max(seq) desc limit ${MOST_NUMBERS}`,
    values: [shopId],
  })
  return rows
}

export type MovementRow = {
  entryId: number
  line: number
  kind: string
  memo: string
  amountPesewas: number
  balanceAfterPesewas: number
  createdAt: Date
}

/** Movements of an earnings wallet, newest first. */
export async function selectMovements(
  db: Queryable,
  { accountId, limit, offset }: { accountId: number; limit: number; offset: number },
): Promise<MovementRow[]> {
  const { rows } = await db.query<MovementRow>({
    name: 'earnings-movements',
    text: `select p.entry_id as "entryId", p.line, e.kind, e.memo, p.amount_pesewas as "amountPesewas",
        p.balance_after_pesewas as "balanceAfterPesewas", e.created_at as "createdAt"
      from (select * from postings where account_id = $1 order by entry_id desc, line desc limit $2 offset $3) p
      join journal_entries e on e.id = p.entry_id order by p.entry_id desc, p.line desc`,
    values: [accountId, limit, offset],
  })
  return rows
}

export async function countMovements(db: Queryable, accountId: number): Promise<number> {
  const { rows } = await db.query<{ total: number }>('select count(*) as total from postings where account_id = $1', [accountId])
  return rows[0]?.total ?? 0
}

/**
 * The account of a shop's earnings.
 * @throws Error when there is none.
 */
export async function findAccount(tx: Tx, shopId: string): Promise<number> {
  const { rows } = await tx.query<{ accountId: number }>('select account_id as "accountId" from wallets where shop_id = $1', [shopId])
  if (!rows[0]) throw new Error(`shop ${shopId} has no earnings`)
  return rows[0].accountId
}

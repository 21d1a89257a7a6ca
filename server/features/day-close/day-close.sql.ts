import type { DaySheet } from '../../../shared/day-close.ts'
import type { Network } from '../../../shared/networks.ts'
import { RESERVATIONS } from '../../ledger/accounts.ts'
import type { Queryable, Tx } from '../../platform/db.ts'

export type Range = { from: Date; until: Date }
export type Movement = { accountId: number; code: string; kind: string; postings: number; pesewas: number }

const DAY_MS = 24 * 3_600_000

/** What moved on the house's accounts in a range, without what was set aside of wallets, which counts as theirs; whole days from their totals, the hours at its ends from the entries. */
export async function selectMovements(db: Queryable, { from, until }: Range): Promise<Movement[]> {
  const { rows } = await db.query<Movement>({
    name: 'account-movements',
    text: `select m.account_id as "accountId", a.code, m.kind, m.postings, m.pesewas
      from account_movements($1, $2) m join accounts a on a.id = m.account_id where m.account_id <> ${RESERVATIONS} order by m.account_id, m.kind`,
    values: [from, until],
  })
  return rows
}

/** What all wallets held at a time, with what was set aside of them, in pesewas: what they hold now without what moved since. */
export async function selectWalletsAt(db: Queryable, at: Date): Promise<number> {
  const { rows } = await db.query<{ pesewas: number }>({
    name: 'wallets-at',
    text: `select ((select coalesce(sum(pesewas), 0) from account_movements($1, 'infinity') where account_id <> ${RESERVATIONS})
        - (select coalesce(sum(pesewas), 0) from house_balances where account_id <> ${RESERVATIONS}))::bigint as pesewas`,
    values: [at],
  })
  return rows[0]?.pesewas ?? 0
}

export type DeliveredRow = {
  network: Network
  orders: number
  salesPesewas: number
  costPesewas: number
  uncostedOrders: number
  uncostedPesewas: number
}

/**
 * Orders delivered in a range, by network; whole days from their totals. When nothing was delivered since its end, as when that is now,
 * its last day is whole.
 */
export async function selectDelivered(db: Queryable, { from, until }: Range): Promise<DeliveredRow[]> {
  const { rows } = await db.query<DeliveredRow>({
    name: 'delivered-in-range',
    text: `with whole as (
        select $3::timestamptz as since,
          -- The latest is read from the end of its index; with "exists", a plan for any times would read all orders.
          case when (select max(completed_at) from orders where completed_at is not null) >= $2 then $4::timestamptz
            else $4::timestamptz + interval '1 day' end as until
      ),
      delivered as (
        select network, orders, sales_pesewas as sales, cost_pesewas as cost, uncosted_orders as uncosted, uncosted_pesewas as uncosted_sales
        from delivery_day_counts
        where day >= (select since at time zone 'UTC' from whole)::date and day < (select until at time zone 'UTC' from whole)::date
        union all
        select network, 1, price_pesewas - agent_profit_pesewas, coalesce(cost_pesewas, 0), (cost_pesewas is null)::integer,
          case when cost_pesewas is null then price_pesewas - agent_profit_pesewas else 0 end
        from (
          select * from orders where completed_at >= $1 and completed_at < least($2, (select since from whole))
          union all select * from orders
          where completed_at >= greatest($1, (select until from whole)) and completed_at < $2 and (select since <= until from whole)
        ) o
      )
      select network, sum(orders)::bigint as orders, sum(sales)::bigint as "salesPesewas", sum(cost)::bigint as "costPesewas",
        sum(uncosted)::bigint as "uncostedOrders", sum(uncosted_sales)::bigint as "uncostedPesewas"
      from delivered group by network having sum(orders) <> 0 order by sum(sales) desc, network`,
    values: [from, until, new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS), new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS)],
  })
  return rows
}

export type Late = { orders: number; salesPesewas: number; costPesewas: number }

/** Orders delivered before `deliveredBefore` or since `deliveredSince` whose cost was recorded in the range. */
export async function selectLateCosts(
  db: Queryable,
  { from, until }: { from: Date; until: Date | 'infinity' },
  delivered: { since: Date | '-infinity'; before: Date | 'infinity' },
): Promise<(Late & { network: Network })[]> {
  const { rows } = await db.query<Late & { network: Network }>({
    name: 'late-costs',
    text: `select o.network, count(*)::bigint as orders, sum(o.price_pesewas - o.agent_profit_pesewas)::bigint as "salesPesewas", sum(o.cost_pesewas)::bigint as "costPesewas"
      from journal_entries e join orders o on o.id = substr(e.key, 15)::uuid
      where e.kind = 'delivery-cost' and e.created_at >= $1 and e.created_at < $2 and o.completed_at >= $3 and o.completed_at < $4
        -- Most days have none, and then no entry is read.
        and exists (
          select from account_days where kind = 'delivery-cost' and day >= ($1::timestamptz at time zone 'UTC')::date
          union all select from account_deltas where kind = 'delivery-cost'
        )
      group by o.network`,
    values: [from, until, delivered.since, delivered.before],
  })
  return rows
}

/** Orders that were refunded in a range after their delivery; those whose cost is not known never counted as earned. */
export async function selectRefundedLater(db: Queryable, { from, until }: Range): Promise<{ orders: number; pesewas: number }> {
  const { rows } = await db.query<{ orders: number; pesewas: number }>({
    name: 'refunded-later',
    text: `select count(*)::bigint as orders, coalesce(sum(o.price_pesewas - o.agent_profit_pesewas), 0)::bigint as pesewas
      from journal_entries e join orders o on o.id = substr(e.key, 14)::uuid
      where e.kind = 'order-refund' and e.key like 'order-refund:%' and e.created_at >= $1 and e.created_at < $2
        and o.completed_at is not null and o.cost_pesewas is not null
        -- Most days have none, and then no entry is read.
        and exists (
          select from delivery_day_counts where refunded_orders > 0
            and day between ($1::timestamptz at time zone 'UTC')::date and ($2::timestamptz at time zone 'UTC')::date
        )`,
    values: [from, until],
  })
  return rows[0] ?? { orders: 0, pesewas: 0 }
}

/** Orders that wait now, by the folded counts, and what was paid for them. */
export async function selectPending(db: Queryable): Promise<{ orders: number; pesewas: number }> {
  const { rows } = await db.query<{ orders: number; pesewas: number }>({
    name: 'pending-now',
    text: `select coalesce(sum(orders), 0)::bigint as orders, coalesce(sum(pesewas), 0)::bigint as pesewas
      from order_counts where day = 'infinity' and status = 'pending'`,
  })
  return rows[0] ?? { orders: 0, pesewas: 0 }
}

/** What the shop has read at each supplier, and entered of the portals that are used by hand, newest first. */
export async function selectReadings(db: Queryable): Promise<{ supplier: string; pesewas: number | null; readAt: Date | null }[]> {
  const { rows } = await db.query<{ supplier: string; pesewas: number | null; readAt: Date | null }>({
    name: 'supplier-readings',
    text: `select substr(a.code, 10) as supplier, sum(newest.amount)::bigint as pesewas, max(newest.read_at) as "readAt"
      from accounts a left join lateral (
        select distinct on (float_key) amount, read_at from float_readings
        where float_key = substr(a.code, 10) or (a.code = 'supplier:by-hand' and float_key like 'by-hand:%')
        order by float_key, read_at desc, id desc
      ) newest on true
      where a.id between 100 and 999 group by a.id, a.code order by a.id`,
  })
  return rows
}

export type StoredCounted = {
  key: string
  name: string
  expectedPesewas: number | null
  movedPesewas: number
  countedPesewas: number
  note: string
  /** Missing in closes of before payment numbers were counted one by one. */
  parts?: { key: string; name: string; countedPesewas: number }[]
}
export type CloseRow = {
  id: number
  from: Date
  until: Date
  openingPesewas: number
  closingPesewas: number
  profit: number
  note: string
  signedBy: string
  signedAt: Date
  corrects: number | null
  correctedBy: number | null
}

const CLOSE = `c.id, c.from_at as "from", c.until_at as until, c.opening_pesewas as "openingPesewas", c.closing_pesewas as "closingPesewas",
  (c.sheet #>> '{earned,profit}')::float8 as profit, c.note, u.username as "signedBy", c.signed_at as "signedAt", c.corrects,
  (select later.id from day_closes later where later.corrects = c.id) as "correctedBy"`

/** The newest closes, corrections among them. */
export async function selectCloses(db: Queryable, limit: number): Promise<CloseRow[]> {
  const { rows } = await db.query<CloseRow>({
    name: 'day-closes',
    text: `select ${CLOSE} from day_closes c join users u on u.id = c.signed_by order by c.until_at desc, c.id desc limit $1`,
    values: [limit],
  })
  return rows
}

export async function selectClose(db: Queryable, id: number): Promise<(CloseRow & { sheet: DaySheet; counted: StoredCounted[] }) | null> {
  const { rows } = await db.query<CloseRow & { sheet: DaySheet; counted: StoredCounted[] }>(
    `select ${CLOSE}, c.sheet, c.counted from day_closes c join users u on u.id = c.signed_by where c.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** What was counted at the close that ended then, as it stands after its corrections. */
export async function selectCountedAt(db: Queryable, at: Date): Promise<StoredCounted[]> {
  const { rows } = await db.query<{ counted: StoredCounted[] }>({
    name: 'counted-at',
    text: 'select counted from day_closes where until_at = $1 order by id desc limit 1',
    values: [at],
  })
  return rows[0]?.counted ?? []
}

/** Where the last close ended; null before the first. */
export async function selectClosedUntil(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>({ name: 'closed-until', text: 'select max(until_at) as until from day_closes' })
  return rows[0]?.until ?? null
}

/** When the newest entry was made; null in an empty ledger. */
export async function selectLastMovement(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date }>({
    name: 'last-movement',
    text: 'select created_at as at from journal_entries order by id desc limit 1',
  })
  return rows[0]?.at ?? null
}

/** Keeps new entries out until the transaction ends, after those that are being written. */
export async function lockLedger(tx: Tx) {
  await tx.query('select lock_ledger()')
}

export async function insertClose(
  tx: Tx,
  close: Range & {
    openingPesewas: number
    closingPesewas: number
    sheet: DaySheet
    counted: StoredCounted[]
    note: string
    corrects: number | null
    signedBy: string
    now: Date
  },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into day_closes (from_at, until_at, corrects, opening_pesewas, closing_pesewas, sheet, counted, note, signed_by, signed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      close.from,
      close.until,
      close.corrects,
      close.openingPesewas,
      close.closingPesewas,
      JSON.stringify(close.sheet),
      JSON.stringify(close.counted),
      close.note,
      close.signedBy,
      close.now,
    ],
  )
  return (rows[0] as { id: number }).id
}

/** The account of what the shop owes a supplier. */
export async function selectSupplierAccount(tx: Tx, supplier: string): Promise<number> {
  const { rows } = await tx.query<{ id: number }>('select supplier_account($1) as id', [supplier])
  return (rows[0] as { id: number }).id
}

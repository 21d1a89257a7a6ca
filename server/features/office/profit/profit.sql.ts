import type { Network } from '../../../../shared/networks.ts'
import {
  AGENT_UPGRADE_FEES,
  CARD_SURCHARGES,
  CHECKER_LOSSES,
  COST_OF_SALES,
  DISPUTE_LOSSES,
  PROVIDER_FEES,
  REFERRAL_REWARDS,
  WITHDRAWAL_FEES,
} from '../../../ledger/accounts.ts'
import { type Queryable, sumOf, type Tx } from '../../../platform/db.ts'

/**
 * What the shop sold and earned, for every screen, file and message: sales are orders by the time of their delivery, less what was refunded
 * afterwards by the time of the refund. All of it is counted by the trigger count_delivery, and read here alone.
 */

/** Amounts in pesewas; see `delivered` in shared/profit.ts. */
export type DeliveredRow = {
  orders: number
  salesPesewas: number
  costPesewas: number
  uncostedOrders: number
  uncostedPesewas: number
  refundedOrders: number
  refundedPesewas: number
  refundedUncostedPesewas: number
}

/** The sums of `DeliveredRow`, of rows with its columns. */
export const SUMS = `${sumOf('orders')} as orders, ${sumOf('sales_pesewas')} as "salesPesewas",
  ${sumOf('cost_pesewas')} as "costPesewas", ${sumOf('uncosted_orders')} as "uncostedOrders",
  ${sumOf('uncosted_pesewas')} as "uncostedPesewas", ${sumOf('refunded_orders')} as "refundedOrders",
  ${sumOf('refunded_pesewas')} as "refundedPesewas", ${sumOf('refunded_uncosted_pesewas')} as "refundedUncostedPesewas"`

export type Days = { from: string; until: string }

/** One of the three is given. */
export type DeliveredOf = DeliveredRow & { day: string | null; network: Network | null; supplier: string | null }

/** Deliveries of these days, by day, by network and by supplier. */
export async function selectDeliveries(db: Queryable, { from, until }: Days): Promise<DeliveredOf[]> {
  const { rows } = await db.query<DeliveredOf>({
    name: 'deliveries-by-day',
    text: `select day::text, network, supplier, ${SUMS} from delivery_day_counts where day between $1 and $2
      group by grouping sets ((day), (network), (supplier)) order by day, network, supplier`,
    values: [from, until],
  })
  return rows
}

export type Range = { from: Date; until: Date }

const DAY_MS = 24 * 3_600_000

/**
 * Deliveries in a range of time, and refunds after delivery, by network; whole days from their totals. When nothing was delivered since its end, as
 * when that is now, its last day is whole.
 */
export async function selectDeliveredIn(db: Queryable, { from, until }: Range): Promise<(DeliveredRow & { network: Network })[]> {
  const { rows } = await db.query<DeliveredRow & { network: Network }>({
    name: 'delivered-in-range',
    text: `with whole as (
        select $3::timestamptz as since,
          -- The latest is read from the end of its index; with "exists", a plan for any times would read all orders.
          case when (select max(completed_at) from orders where completed_at is not null) >= $2
              or exists (select from journal_entries where kind = 'order-refund' and created_at >= $2) then $4::timestamptz
            else $4::timestamptz + interval '1 day' end as until
      ),
      hours as (
        select $1::timestamptz as since, least($2, (select since from whole)) as until
        union all select greatest($1, (select until from whole)), $2 where (select since <= until from whole)
      ),
      delivered as (
        select network, orders, sales_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas, refunded_orders, refunded_pesewas, refunded_uncosted_pesewas
        from delivery_day_counts
        where day >= (select since at time zone 'UTC' from whole)::date and day < (select until at time zone 'UTC' from whole)::date
        union all
        select o.network, 1, sale, coalesce(o.cost_pesewas, 0), (o.cost_pesewas is null)::integer, case when o.cost_pesewas is null then sale else 0 end, 0, 0, 0
        from hours cross join lateral (
          select *, price_pesewas - agent_profit_pesewas as sale from orders where completed_at >= hours.since and completed_at < hours.until offset 0
        ) o
        union all
        select o.network, 0, 0, 0, 0, 0, 1, sale, case when o.cost_pesewas is null then sale else 0 end
        from hours cross join lateral (
          select * from journal_entries e where e.kind = 'order-refund' and e.key like 'order-refund:%'
            and e.created_at >= hours.since and e.created_at < hours.until
            -- Most days have none, and then no entry is read.
            and exists (
              select from delivery_day_counts where refunded_orders > 0
                and day between (hours.since at time zone 'UTC')::date and (hours.until at time zone 'UTC')::date
            ) offset 0
        ) e join lateral (
          select *, price_pesewas - agent_profit_pesewas as sale from orders where id = substr(e.key, 14)::uuid and completed_at is not null
        ) o on true
      )
      select network, ${SUMS} from delivered group by network having sum(orders) <> 0 or sum(refunded_orders) <> 0 order by sum(sales_pesewas) desc, network`,
    values: [from, until, new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS), new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS)],
  })
  return rows
}

export type Late = { orders: number; salesPesewas: number; refundedPesewas: number; costPesewas: number }

/** Orders delivered in `delivered` whose cost was recorded in the range. `refundedPesewas` are sales that were refunded before it. */
export async function selectLateCosts(
  db: Queryable,
  { from, until }: { from: Date; until: Date | 'infinity' },
  delivered: { since: Date | '-infinity'; before: Date | 'infinity' },
): Promise<(Late & { network: Network })[]> {
  const { rows } = await db.query<Late & { network: Network }>({
    name: 'late-costs',
    text: `select o.network, count(*)::bigint as orders, sum(o.price_pesewas - o.agent_profit_pesewas)::bigint as "salesPesewas", sum(o.cost_pesewas)::bigint as "costPesewas",
        coalesce(sum(o.price_pesewas - o.agent_profit_pesewas) filter (where o.status = 'rejected' and o.decided_at < $1), 0)::bigint as "refundedPesewas"
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

export type OtherRow = {
  surchargesPesewas: number
  upgradeFeesPesewas: number
  withdrawalFeesPesewas: number
  providerFeesPesewas: number
  disputeLossesPesewas: number
  referralRewardsPesewas: number
  checkerLossesPesewas: number
}

/** What else these days earned, by day; fees and losses are positive. */
export async function selectOtherLines(db: Queryable, { from, until }: Days): Promise<(OtherRow & { day: string })[]> {
  const { rows } = await db.query<OtherRow & { day: string }>({
    name: 'other-profit',
    text: `select day::text, coalesce(sum(pesewas) filter (where account_id = $3), 0)::bigint as "surchargesPesewas",
        coalesce(sum(pesewas) filter (where account_id = $4), 0)::bigint as "upgradeFeesPesewas",
        coalesce(-sum(pesewas) filter (where account_id = $5), 0)::bigint as "providerFeesPesewas",
        coalesce(-sum(pesewas) filter (where account_id = $6), 0)::bigint as "disputeLossesPesewas",
        coalesce(sum(pesewas) filter (where account_id = $7), 0)::bigint as "withdrawalFeesPesewas",
        coalesce(-sum(pesewas) filter (where account_id = $8), 0)::bigint as "referralRewardsPesewas",
        coalesce(-sum(pesewas) filter (where account_id = $9), 0)::bigint as "checkerLossesPesewas"
      from (
        select day, account_id, pesewas from account_days where day between $1 and $2
        union all select day, account_id, pesewas from account_deltas where day between $1 and $2
      ) moved where account_id in ($3, $4, $5, $6, $7, $8, $9) group by day order by day`,
    values: [
      from,
      until,
      CARD_SURCHARGES,
      AGENT_UPGRADE_FEES,
      PROVIDER_FEES,
      DISPUTE_LOSSES,
      WITHDRAWAL_FEES,
      REFERRAL_REWARDS,
      CHECKER_LOSSES,
    ],
  })
  return rows
}

export type UncostedRow = {
  productId: string
  network: Network
  offer: string
  supplier: string
  orders: number
  salesPesewas: number
  costNowPesewas: number | null
}

/** More orders of one package are not counted, so that a shop without any costs is not slow. */
const MOST_COUNTED = 1_000

/** Delivered orders whose cost is not known, by package and who delivered them, at most a hundred packages. */
export async function selectUncosted(db: Queryable, now: Date): Promise<UncostedRow[]> {
  const { rows } = await db.query<UncostedRow>(
    `with recursive groups as (
       (select product_id, offer, cost_supplier from orders where completed_at is not null and cost_pesewas is null
        order by product_id, offer, cost_supplier limit 1)
       union all
       select next.product_id, next.offer, next.cost_supplier from groups g cross join lateral (
         select product_id, offer, cost_supplier from orders o
         where completed_at is not null and cost_pesewas is null
           and (o.product_id, o.offer, o.cost_supplier) > (g.product_id, g.offer, g.cost_supplier)
         order by product_id, offer, cost_supplier limit 1
       ) next
     )
     select g.product_id as "productId", found.network, g.offer, g.cost_supplier as supplier, found.orders, found.pesewas as "salesPesewas",
       package_cost(g.product_id, g.offer, g.cost_supplier, $1) as "costNowPesewas"
     from (select * from groups limit 100) g cross join lateral (
       select count(*)::bigint as orders, sum(price_pesewas)::bigint as pesewas, max(network) as network from (
         select price_pesewas, network from orders o
         where completed_at is not null and cost_pesewas is null and (o.product_id, o.offer, o.cost_supplier) = (g.product_id, g.offer, g.cost_supplier)
         order by seq limit ${MOST_COUNTED}
       ) counted
     ) found order by found.orders desc, 1, 3, 4`,
    [now],
  )
  return rows
}

export type UncostedPackage = { productId: string; offer: string; supplier: string }

/**
 * Says what the oldest such orders have cost, at most `limit`, and books it: each of them once. Returns how many, and how many are
 * left.
 */
export async function recordUncosted(
  tx: Tx,
  { productId, offer, supplier }: UncostedPackage,
  { costPesewas, actorId, now, limit }: { costPesewas: number; actorId: string; now: Date; limit: number },
): Promise<{ orders: number; left: number }> {
  const matches = 'product_id = $1 and offer = $2 and cost_supplier = $3 and completed_at is not null and cost_pesewas is null'
  const { rows } = await tx.query<{ orders: number }>(
    `with due as (
       select id from orders where ${matches} order by seq limit $5 for update
     ), changed as (
       update orders o set cost_pesewas = $4 from due where o.id = due.id returning o.id, o.network, o.offer, o.receiver, o.seq
     ), booked as (
       select post_entry('delivery-cost:' || id, 'delivery-cost', 'Cost of ' || network || ' ' || offer || ' to ' || receiver, $6::uuid,
         array[$7::bigint, supplier_account($3)], array[-$4::bigint, $4::bigint], $8) as entry
       from (select * from changed order by seq) changed
     )
     select count(entry) as orders from booked`,
    [productId, offer, supplier, costPesewas, limit, actorId, COST_OF_SALES, now],
  )
  const { rows: rest } = await tx.query<{ left: number }>(
    `select count(*) as left from (select from orders where ${matches} limit ${MOST_COUNTED}) counted`,
    [productId, offer, supplier],
  )
  return { orders: rows[0]?.orders ?? 0, left: rest[0]?.left ?? 0 }
}

import { NETWORKS, type Network } from '../../../shared/networks.ts'
import type { OrderStatus } from '../../../shared/orders.ts'
import { CARD_PAYMENTS_RECEIVED, MOBILE_MONEY_RECEIVED, PROVIDER_FEES, RESERVATIONS } from '../../ledger/accounts.ts'
import { type Queryable, sumOf } from '../../platform/db.ts'

export type OrderCount = { status: OrderStatus; orders: number; pesewas: number }
export type OrderCounts = { days: (OrderCount & { day: string })[]; networks: (OrderCount & { network: Network })[] }

/**
 * Number and value of orders per day since `from` (YYYY-MM-DD), and over all days under the day `infinity`; per network of the days since
 * `networksFrom`.
 */
export async function selectOrderCounts(db: Queryable, from: string, networksFrom: string): Promise<OrderCounts> {
  const { rows } = await db.query<OrderCount & ({ day: string; network: null } | { day: null; network: Network })>({
    name: 'order-counts',
    text: `select day::text, network, status, ${sumOf('orders')} as orders, ${sumOf('pesewas')} as pesewas
      from (select *, day >= $2 and day <> 'infinity' as recent from order_counts where day >= $1) counted
      group by grouping sets ((day, status), (recent, network, status)) having sum(orders) <> 0 and recent is not false
      order by day`,
    values: [from, networksFrom],
  })
  return { days: rows.filter((row) => row.day !== null), networks: rows.filter((row) => row.day === null) }
}

/** Money received by mobile money and card, before the card provider's fees, and what all wallets hold with what is set aside of them, the house's balance negated. */
export async function selectFunds(db: Queryable): Promise<{ paymentsPesewas: number; walletsPesewas: number }> {
  const { rows } = await db.query<{ paymentsPesewas: number; walletsPesewas: number }>({
    name: 'funds',
    text: `select coalesce(-sum(pesewas) filter (where account_id in ($1, $2, $3)), 0) as "paymentsPesewas", coalesce(-sum(pesewas) filter (where account_id <> $4), 0) as "walletsPesewas"
      from house_balances`,
    values: [MOBILE_MONEY_RECEIVED, CARD_PAYMENTS_RECEIVED, PROVIDER_FEES, RESERVATIONS],
  })
  return rows[0] as { paymentsPesewas: number; walletsPesewas: number }
}

export type WaitingRow = { orders: number; pesewas: number; oldest: Date | null }

/** Pending orders that are locked in a batch: somebody has decided already to send them. */
export async function selectLockedOrders(db: Queryable): Promise<{ orders: number; pesewas: number }> {
  const { rows } = await db.query<{ orders: number; pesewas: number }>({
    name: 'orders-in-batches',
    text: `select count(*)::integer as orders, coalesce(sum(o.price_pesewas), 0)::bigint as pesewas
      from batch_orders l join orders o on o.id = l.order_id where l.status = 'locked' and o.status = 'pending'`,
  })
  return rows[0] ?? { orders: 0, pesewas: 0 }
}

/** Reads the first pending order of each network that is in no batch, from the filter's index. */
export async function selectOldestPendingOrder(db: Queryable): Promise<Date | null> {
  const { rows } = await db.query<{ oldest: Date }>({
    name: 'oldest-pending-order',
    text: `select first.created_at as oldest from unnest($1::text[]) network,
        lateral (select seq, created_at from orders o where o.network = network.network and o.status = 'pending'
            and not exists (select from batch_orders l where l.order_id = o.id and l.status = 'locked') order by seq limit 1) first
      order by first.seq limit 1`,
    values: [NETWORKS],
  })
  return rows[0]?.oldest ?? null
}

export async function selectWaitingRecharges(db: Queryable): Promise<WaitingRow> {
  const { rows } = await db.query<WaitingRow>(
    `select count(*) as orders, coalesce(sum(amount_pesewas), 0) as pesewas, min(created_at) as oldest from recharges where status = 'pending'`,
  )
  return rows[0] as WaitingRow
}

/** Held payments whose money is not in the payer's wallet and which wait for the operator. */
export async function selectWaitingHeldPayments(db: Queryable): Promise<WaitingRow> {
  const { rows } = await db.query<WaitingRow>(
    `select count(*) as orders, coalesce(sum(received_pesewas), 0) as pesewas, min(settled_at) as oldest
     from payments where status = 'held' and not in_wallet`,
  )
  return rows[0] as WaitingRow
}

/** A package that is on sale, and how often and by how many buyers it was bought. */
export type PackageSales = { productId: string; packageId: string; orders: number; buyers: number }

/** Sales of each package among the newest 500 completed orders of its network since `since`; only those 500 are read. */
export async function selectPackageSales(db: Queryable, since: Date): Promise<PackageSales[]> {
  const { rows } = await db.query<PackageSales>({
    name: 'package-sales',
    text: `select k.product_id as "productId", k.id as "packageId", count(*)::integer as orders, count(distinct recent.user_id)::integer as buyers
      from unnest($1::text[]) network,
        lateral (
          select product_id, offer, user_id, created_at from orders o
          where o.network = network.network and o.status = 'completed' order by seq desc limit 500
        ) recent
      join packages k on k.product_id = recent.product_id and k.offer = recent.offer and not k.hidden
      where recent.created_at >= $2
      group by k.product_id, k.id
      order by k.product_id, buyers desc, orders desc, k.id`,
    values: [NETWORKS, since],
  })
  return rows
}

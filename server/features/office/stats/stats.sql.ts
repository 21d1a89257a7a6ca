import { NETWORKS } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import { CARD_PAYMENTS_RECEIVED, MOBILE_MONEY_RECEIVED, OWNER_FUNDS, PROVIDER_FEES, RESERVATIONS } from '../../../ledger/accounts.ts'
import { type Queryable, sumOf } from '../../../platform/db.ts'

export type OrderCount = { status: OrderStatus; orders: number; pesewas: number }

/** Number and value of orders placed per day since `from` (YYYY-MM-DD), and over all days under the day `infinity`. */
export async function selectOrderCounts(db: Queryable, from: string): Promise<(OrderCount & { day: string })[]> {
  const { rows } = await db.query<OrderCount & { day: string }>({
    name: 'order-counts',
    text: `select day::text, status, ${sumOf('orders')} as orders, ${sumOf('pesewas')} as pesewas
      from order_counts where day >= $1 group by day, status having sum(orders) <> 0 order by day`,
    values: [from],
  })
  return rows
}

/**
 * Money received by mobile money and card, before the card provider's fees, and what all wallets hold with what is set aside of them, the house's
 * balance negated. What the owner took out or paid in, and what was paid out to agents, moved money that had been received, so it is left out.
 */
export async function selectFunds(db: Queryable): Promise<{ paymentsPesewas: number; walletsPesewas: number }> {
  const { rows } = await db.query<{ paymentsPesewas: number; walletsPesewas: number }>({
    name: 'funds',
    text: `select coalesce(-sum(pesewas) filter (where account_id in ($1, $2, $3)), 0) + (${OWNER_TOOK}) + (${AGENTS_GOT}) as "paymentsPesewas",
        coalesce(-sum(pesewas) filter (where account_id <> $4), 0) as "walletsPesewas"
      from house_balances`,
    values: [MOBILE_MONEY_RECEIVED, CARD_PAYMENTS_RECEIVED, PROVIDER_FEES, RESERVATIONS],
  })
  return rows[0] as { paymentsPesewas: number; walletsPesewas: number }
}

const OWNER_TOOK = `select coalesce(sum(of_phone.amount_pesewas), 0) from postings moved
  join postings of_phone on of_phone.entry_id = moved.entry_id and of_phone.account_id = ${MOBILE_MONEY_RECEIVED}
  where moved.account_id = ${OWNER_FUNDS}`

const AGENTS_GOT = `select coalesce(sum(amount_pesewas - fee_pesewas), 0) from withdrawals where status = 'paid' or paid_late_at is not null`

export type WaitingRow = { orders: number; pesewas: number; oldest: Date | null }

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

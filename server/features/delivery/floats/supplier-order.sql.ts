import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** As stored. `first` is the route of the settings; a network without one is sent by hand, whatever stands in `others`. */
export type SupplierRulesRow = {
  first: Partial<Record<Network, SupplierName>>
  others: Partial<Record<Network, SupplierName[]>>
  sendBelowCost: boolean
  verificationDays: number
}

export async function selectSupplierRules(db: Queryable): Promise<SupplierRulesRow> {
  const { rows } = await db.query<SupplierRulesRow>(
    `select supplier_routes as first, supplier_fallbacks as others, send_below_cost as "sendBelowCost", verification_days as "verificationDays"
     from operations_settings`,
  )
  return rows[0] as SupplierRulesRow
}

/** The rules, locked until the transaction ends, together with the other settings. */
export async function lockSupplierRules(tx: Tx): Promise<SupplierRulesRow> {
  await tx.query('select from operations_settings for update')
  return selectSupplierRules(tx)
}

export async function updateSupplierRules(tx: Tx, { first, others, sendBelowCost, verificationDays }: SupplierRulesRow, now: Date) {
  await tx.query(
    `update operations_settings set supplier_routes = $1, supplier_fallbacks = $2, send_below_cost = $3, verification_days = $4, updated_at = $5`,
    [JSON.stringify(first), JSON.stringify(others), sendBelowCost, verificationDays, now],
  )
}

export type DoneRow = { network: Network; supplier: string; delivered: number; refused: number }

/** Since `since`: what each supplier delivered, and what it refused or could not deliver. */
export async function selectDone(db: Queryable, since: Date): Promise<DoneRow[]> {
  const { rows } = await db.query<DoneRow>({
    name: 'suppliers-done',
    text: `select network, supplier, sum(delivered)::integer as delivered, sum(refused)::integer as refused from (
        select network, supplier, orders as delivered, 0 as refused from insight_hour_counts where hour >= $1
        union all select o.network, e.supplier, 0, 1 from delivery_events e join orders o on o.id = e.order_id
          where e.at >= $1 and e.kind in ('rejected', 'failed')
      ) done where supplier <> 'by-hand' group by network, supplier`,
    values: [since],
  })
  return rows
}

/** Of a network; each may lie on a page of its own. */
const MOST_COMPLETED = 100
const MOST_REFUNDED = 250

/** Median minutes from payment to delivery by network and supplier, of each network's newest completed orders. */
export async function selectSpeeds(db: Queryable): Promise<{ network: Network; supplier: string; minutes: number }[]> {
  const { rows } = await db.query<{ network: Network; supplier: string; minutes: number }>({
    name: 'suppliers-speed',
    text: `select n.network, o.cost_supplier as supplier,
        percentile_cont(0.5) within group (order by extract(epoch from d.delivered_at - o.created_at) / 60)::float8 as minutes
      from unnest($1::text[]) n (network) cross join lateral (
        select id, created_at, cost_supplier from orders where network = n.network and status = 'completed' order by seq desc limit ${MOST_COMPLETED}
      ) o join supplier_deliveries d on d.order_id = o.id
      where d.delivered_at is not null and d.supplier = o.cost_supplier group by 1, 2`,
    values: [NETWORKS],
  })
  return rows
}

export type CostsRow = { network: Network; supplier: string | null; packages: number; withCost: number; aboveAgentPrice: number }

/** Of each network's packages on sale: how many have a cost at a supplier, and how many cost more there than agents pay. */
export async function selectCostCounts(db: Queryable, names: SupplierName[], now: Date): Promise<CostsRow[]> {
  const { rows } = await db.query<CostsRow>({
    name: 'suppliers-costs',
    text: `select p.network, s.name as supplier, count(*)::integer as packages, count(c.cost)::integer as "withCost",
        (count(*) filter (where c.cost > k.price_agent_pesewas))::integer as "aboveAgentPrice"
      from packages k join products p on p.id = k.product_id cross join unnest($1::text[]) s (name)
        cross join lateral (select package_cost(k.product_id, k.offer, s.name, $2) as cost) c
      where not k.hidden group by 1, 2`,
    values: [names, now],
  })
  return rows
}

export async function selectGaps(db: Queryable, since: Date): Promise<{ network: Network; supplier: string; volumeMb: number }[]> {
  const { rows } = await db.query<{ network: Network; supplier: string; volumeMb: number }>(
    `select network, supplier, volume_mb as "volumeMb" from supplier_gaps where noted_at > $1 order by volume_mb`,
    [since],
  )
  return rows
}

export type AfterAllRow = {
  seq: number
  network: Network
  offer: string
  receiver: string
  pricePesewas: number
  supplier: SupplierName
  reference: string
  at: Date
  deliveredBy: string | null
}

/**
 * Orders that a supplier delivered after they had been refunded, or that it had left and delivered beside another, the newest first. Of refunded ones
 * the newest of each network are looked at. What it delivered alone is no loss.
 */
export async function selectAfterAll(db: Queryable, { since, limit }: { since: Date; limit: number }): Promise<AfterAllRow[]> {
  const { rows } = await db.query<AfterAllRow>(
    `select o.seq, o.network, o.offer, o.receiver, o.price_pesewas as "pricePesewas", late.supplier, late.reference, late.at,
       case when o.status = 'completed' then o.cost_supplier end as "deliveredBy"
     from (
       select order_id, supplier, reference, at from delivery_events where kind = 'delivered-after-all' and at >= $1
       union all select refunded.id, d.supplier, d.reference, d.delivered_at
         from unnest($3::text[]) n (network) cross join lateral (
           select id, decided_at from orders where network = n.network and status = 'rejected' order by seq desc limit ${MOST_REFUNDED}
         ) refunded join supplier_deliveries d on d.order_id = refunded.id
         where d.status = 'delivered' and d.delivered_at >= $1 and d.delivered_at > refunded.decided_at
     ) late join orders o on o.id = late.order_id
     where o.status = 'rejected' or (o.status = 'completed' and o.cost_supplier <> late.supplier)
     order by late.at desc, late.reference limit $2`,
    [since, limit, NETWORKS],
  )
  return rows
}

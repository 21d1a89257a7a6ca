import type { Network } from '../../../../shared/networks.ts'
import { SUPPLIERS, type SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { DeliveryRow } from '../../orders/orders/deliveries.sql.ts'
import type { Candidate } from './choose-supplier.ts'

export type SupplierOrder = { names: SupplierName[]; mayCostMore: boolean }

/** A network's suppliers in the owner's order, the one of the settings first; empty where a person sends its orders. */
export async function selectSupplierOrder(db: Queryable, network: Network): Promise<SupplierOrder> {
  const { rows } = await db.query<{ first: string | null; others: string[]; mayCostMore: boolean }>({
    name: 'supplier-order',
    text: `select supplier_routes ->> $1 as first, coalesce(supplier_fallbacks -> $1, '[]') as others, send_below_cost as "mayCostMore"
      from operations_settings`,
    values: [network],
  })
  const { first = null, others = [], mayCostMore = false } = rows[0] ?? {}
  if (first === null) return { names: [], mayCostMore }
  return { names: [...new Set([first, ...others])].filter(isKnown), mayCostMore }
}

/** A newer process may have stored a supplier that this one has never heard of. */
export function isKnown(name: string): name is SupplierName {
  return SUPPLIERS.some((known) => known === name)
}

/** Whether it stands where an admin or a report sent it: there it stays until a person moves it. */
export async function isSentByPerson(db: Queryable, { orderId, reference }: Pick<DeliveryRow, 'orderId' | 'reference'>): Promise<boolean> {
  const { rows } = await db.query(
    `select from delivery_restarts where order_id = $1 and reference = $2 and restarted_by is not null
     union all select from reports where order_id = $1 and resend_reference = $2 limit 1`,
    [orderId, reference],
  )
  return rows.length > 0
}

/** Readings are ten minutes apart; one older than this says nothing. */
const BALANCE_SAYS = '30 minutes'
/** A bundle may be sold again the next day. */
const GAP_SAYS = '1 day'

export type Facts = { soldForPesewas: number; candidates: Omit<Candidate, 'carries'>[] }

/** What is known of these suppliers for one order, in the order given. */
export async function selectFacts(db: Queryable, orderId: string, names: SupplierName[], now: Date): Promise<Facts> {
  const { rows } = await db.query<Omit<Candidate, 'carries'> & { soldForPesewas: number }>(
    `select s.name, o.price_pesewas - o.agent_profit_pesewas as "soldForPesewas",
       exists (select from delivery_restarts r where r.order_id = o.id and r.from_supplier = s.name and r.from_status in ('rejected', 'failed'))
         or (d.supplier = s.name and d.status in ('rejected', 'failed')) as "hasRefused",
       exists (select from supplier_gaps g where g.supplier = s.name and g.network = o.network and g.volume_mb = d.volume_mb
         and g.noted_at > $3::timestamptz - interval '${GAP_SAYS}') as "isNotSold",
       greatest(coalesce(ceil(extract(epoch from h.paused_until - clock_timestamp()) * 1000), 0), 0)::float8 as "openMs",
       case when h.balance_at > $3::timestamptz - interval '${BALANCE_SAYS}' then h.balance_pesewas end as "balancePesewas",
       package_cost(o.product_id, o.offer, s.name, $3) as "costPesewas"
     from orders o join supplier_deliveries d on d.order_id = o.id
       cross join unnest($2::text[]) with ordinality s (name, place) left join supplier_health h on h.supplier = s.name
     where o.id = $1 order by s.place`,
    [orderId, names, now],
  )
  return { soldForPesewas: rows[0]?.soldForPesewas ?? 0, candidates: rows.map(({ soldForPesewas: _, ...candidate }) => candidate) }
}

/** Of these orders, by the order's id and then the supplier: what the shop keeps of the price, and what its package costs there. */
export async function selectCostsOfOrders(db: Queryable, orderIds: string[], names: SupplierName[], now: Date): Promise<OrderCost[]> {
  const { rows } = await db.query<OrderCost>(
    `select o.id as "orderId", s.name, o.price_pesewas - o.agent_profit_pesewas as "soldForPesewas",
       package_cost(o.product_id, o.offer, s.name, $3) as "costPesewas"
     from orders o cross join unnest($2::text[]) with ordinality s (name, place) where o.id = any ($1) order by s.place`,
    [orderIds, names, now],
  )
  return rows
}
export type OrderCost = { orderId: string; name: SupplierName; soldForPesewas: number; costPesewas: number | null }

export type Gap = { supplier: SupplierName; network: Network; volumeMb: number; detail: string }

export async function noteGap(tx: Tx, { supplier, network, volumeMb, detail }: Gap, now: Date) {
  await tx.query(
    `insert into supplier_gaps (supplier, network, volume_mb, detail, noted_at) values ($1, $2, $3, $4, $5)
     on conflict (supplier, network, volume_mb) do update set detail = excluded.detail, noted_at = excluded.noted_at`,
    [supplier, network, volumeMb, detail, now],
  )
}

/** What a supplier does not sell, it may sell again: the next order shows. */
export async function forgetGaps(tx: Tx, supplier: SupplierName) {
  await tx.query('delete from supplier_gaps where supplier = $1', [supplier])
}

import type { Queryable, Tx } from '../../../platform/db.ts'

type Prices = { priceCustomerPesewas: number; priceAgentPesewas: number }
export type AgreedPrices = Prices & { network: string; offer: string }

/** The prices that an owner agrees to, whatever was agreed before. */
export async function replaceAgreedPrices(tx: Tx, prices: readonly AgreedPrices[], now: Date) {
  if (prices.length === 0) return
  await tx.query(
    `${INSERT} on conflict (network, offer) do update
       set price_customer_pesewas = excluded.price_customer_pesewas, price_agent_pesewas = excluded.price_agent_pesewas, agreed_at = excluded.agreed_at`,
    [JSON.stringify(prices), now],
  )
}

/** Prices on sale before somebody else than an owner changes them, where an owner has not agreed to any. */
export async function insertAgreedPrices(tx: Tx, prices: readonly AgreedPrices[], now: Date) {
  if (prices.length === 0) return
  await tx.query(`${INSERT} on conflict (network, offer) do nothing`, [JSON.stringify(prices), now])
}

/** In one order, so that two at once wait for each other; of two products with one package, the dearer. */
const INSERT = `insert into agreed_prices (network, offer, price_customer_pesewas, price_agent_pesewas, agreed_at)
  select line.network, line.offer, max(line."priceCustomerPesewas"), max(line."priceAgentPesewas"), $2::timestamptz
  from jsonb_to_recordset($1::jsonb) as line(network text, offer text, "priceCustomerPesewas" bigint, "priceAgentPesewas" bigint)
  group by line.network, line.offer order by line.network, line.offer`

/**
 * What a package's prices are measured by; null where nobody has agreed to any, or nobody else has set its cost. `ownCostPesewas`: its cost now,
 * whoever has set it.
 */
export type Measure = {
  agreedCustomerPesewas: number | null
  agreedAgentPesewas: number | null
  costPesewas: number | null
  ownCostPesewas: number | null
}

/**
 * For each of these packages, in their order. The cost is what others than `userId` have set, or whoever sets the price would set its limit too:
 * the highest of what this package of this network costs in any product that has it, and of what was set last, also in one that is gone.
 */
export async function selectMeasures(
  db: Queryable,
  lines: readonly { network: string; offer: string; productId: string | null }[],
  { userId, now }: { userId: string; now: Date },
): Promise<Measure[]> {
  const { rows } = await db.query<Measure>(
    `select a.price_customer_pesewas as "agreedCustomerPesewas", a.price_agent_pesewas as "agreedAgentPesewas", others.cost_pesewas as "costPesewas",
       package_cost(line."productId", line.offer, route.supplier, $2) as "ownCostPesewas"
     from rows from (jsonb_to_recordset($1::jsonb) as (network text, offer text, "productId" uuid))
       with ordinality as line(network, offer, "productId", place)
     left join agreed_prices a on a.network = line.network and a.offer = line.offer
     cross join lateral (select coalesce(s.supplier_routes ->> line.network, 'by-hand') as supplier from operations_settings s) route
     cross join lateral (
       select max(newest.cost_pesewas) filter (where newest.place = 1
         or exists (select from packages k where k.product_id = newest.product_id and k.offer = line.offer)) as cost_pesewas
       from (
         select each.*, row_number() over (order by each.valid_from desc, each.id desc) as place from (
           select distinct on (c.product_id) c.* from package_costs c
           where c.offer = line.offer and c.supplier = route.supplier and c.valid_from <= $2 and c.set_by is distinct from $3
             and (c.network = line.network or c.product_id = line."productId")
           order by c.product_id, c.valid_from desc, c.id desc
         ) each
       ) newest
     ) others
     order by line.place`,
    [JSON.stringify(lines.map(({ network, offer, productId }) => ({ network, offer, productId }))), now, userId],
  )
  return rows
}

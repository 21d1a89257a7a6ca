import type { Route } from '../../../../shared/settings.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** A package is its product and offer. `costPesewas` is null when the cost was known and is not any more. */
export type CostLine = { productId: string; offer: string; supplier: Route; costPesewas: number | null }
export type CostRow = CostLine & { validFrom: Date; setBy: string | null }

const COST = `c.product_id as "productId", c.offer, c.supplier, c.cost_pesewas as "costPesewas", c.valid_from as "validFrom",
  (select u.username from users u where u.id = c.set_by) as "setBy"`

/** The cost at `now` of each package on sale, at each supplier and by hand. A package without a row has no cost yet. */
export async function selectCosts(db: Queryable, now: Date): Promise<CostRow[]> {
  const { rows } = await db.query<CostRow>({
    name: 'costs-now',
    text: `select ${COST}
      from packages k
      cross join lateral (select distinct d.supplier from package_costs d where d.product_id = k.product_id and d.offer = k.offer) at
      cross join lateral (
        select * from package_costs d where d.product_id = k.product_id and d.offer = k.offer and d.supplier = at.supplier and d.valid_from <= $1
        order by d.valid_from desc, d.id desc limit 1
      ) c
      order by k.product_id, k.position, c.supplier`,
    values: [now],
  })
  return rows
}

/** The newest 500 costs of a product's packages, whether they are on sale or not. */
export async function selectCostHistory(db: Queryable, productId: string): Promise<CostRow[]> {
  const { rows } = await db.query<CostRow>(
    `select ${COST} from package_costs c where c.product_id = $1 order by c.valid_from desc, c.id desc limit 500`,
    [productId],
  )
  return rows
}

/** `pricePesewas`: the lower of its two prices. */
export type FoundCost = { exists: boolean; network: string | null; costPesewas: number | null; pricePesewas: number | null }

/** Of these lines, by their place: whether the package is on sale, what it is called, what it costs now and what it is sold at. */
export async function lockCosts(tx: Tx, lines: CostLine[], now: Date): Promise<FoundCost[]> {
  // One change of costs at a time: of two that cross, the second must see what the first has set.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('package-costs', 0))`)
  const { rows } = await tx.query<FoundCost>(
    `select k.id is not null as exists, p.network, package_cost(line."productId", line.offer, line.supplier, $2) as "costPesewas",
       least(k.price_customer_pesewas, k.price_agent_pesewas) as "pricePesewas"
     from rows from (jsonb_to_recordset($1::jsonb) as ("productId" uuid, offer text, supplier text))
       with ordinality as line("productId", offer, supplier, place)
     left join packages k on k.product_id = line."productId" and k.offer = line.offer
     left join products p on p.id = k.product_id
     order by line.place`,
    [JSON.stringify(lines), now],
  )
  return rows
}

export async function insertCosts(tx: Tx, lines: CostLine[], { setBy, now }: { setBy: string | null; now: Date }) {
  await tx.query(
    `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from, set_by)
     select line."productId", line.offer, line.supplier, line."costPesewas", $2, $3
     from jsonb_to_recordset($1::jsonb) as line("productId" uuid, offer text, supplier text, "costPesewas" bigint)`,
    [JSON.stringify(lines), now, setBy],
  )
}

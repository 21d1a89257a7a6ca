import type { Network } from '../../../../shared/networks.ts'
import type { ProductStatus } from '../../../../shared/products.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type PackageRow = {
  id: string
  offer: string
  priceCustomerPesewas: number
  priceAgentPesewas: number
  hidden: boolean
  /** It is sold from the stock of checkers, and none is left. */
  soldOut?: boolean
}
export type ProductRow = {
  id: string
  seq: number
  network: Network
  imageHash: string
  status: ProductStatus
  packages: PackageRow[]
}

const PRODUCT = `p.id, p.seq, p.network, p.image_hash as "imageHash", p.status,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', k.id, 'offer', k.offer, 'priceCustomerPesewas', k.price_customer_pesewas,
      'priceAgentPesewas', k.price_agent_pesewas, 'hidden', k.hidden)
        || case when p.network = 'WAEC Checkers' and sold_out(p.id, k.offer) then '{"soldOut": true}' else '{}'::jsonb end order by k.position, k.offer)
    from packages k where k.product_id = p.id
  ), '[]') as packages`

export async function selectProducts(db: Queryable): Promise<ProductRow[]> {
  const { rows } = await db.query<ProductRow>({
    name: 'select-products',
    text: `select ${PRODUCT} from products p order by p.seq`,
  })
  return rows
}

export async function selectProduct(db: Queryable, id: string): Promise<ProductRow | null> {
  const { rows } = await db.query<ProductRow>(`select ${PRODUCT} from products p where p.id = $1`, [id])
  return rows[0] ?? null
}

/** These products, in their order in the catalogue, locked until the transaction ends. */
export async function lockProducts(tx: Tx, ids: readonly string[]): Promise<ProductRow[]> {
  await tx.query('select from products where id = any ($1) order by id for update', [ids])
  return selectProductsById(tx, ids)
}

export async function selectProductsById(db: Queryable, ids: readonly string[]): Promise<ProductRow[]> {
  const { rows } = await db.query<ProductRow>(`select ${PRODUCT} from products p where p.id = any ($1) order by p.seq`, [ids])
  return rows
}

/** A product, locked until the transaction ends. */
export async function lockProduct(tx: Tx, id: string): Promise<ProductRow | null> {
  // Lock first, then read: a single statement that waited for the lock would return the old packages.
  await tx.query('select from products where id = $1 for update', [id])
  return selectProduct(tx, id)
}

export async function updateProduct(tx: Tx, id: string, product: { network: Network; status: ProductStatus; imageHash: string }) {
  await tx.query('update products set network = $2, status = $3, image_hash = $4 where id = $1', [
    id,
    product.network,
    product.status,
    product.imageHash,
  ])
}

export async function updateProductStatus(tx: Tx, id: string, status: ProductStatus) {
  await tx.query('update products set status = $2 where id = $1', [id, status])
}

export async function deleteProductRow(tx: Tx, id: string) {
  await tx.query('delete from products where id = $1', [id])
}

/** Deletes a product's packages, but keeps those hidden ones that are not among `offers`. */
export async function deletePackages(tx: Tx, productId: string, offers: readonly string[]) {
  await tx.query('delete from packages where product_id = $1 and (not hidden or offer = any ($2))', [productId, offers])
}

export type NewProduct = {
  network: Network
  imageHash: string
  status: ProductStatus
  packages: { offer: string; priceCustomerPesewas: number; priceAgentPesewas: number; hidden?: boolean }[]
}

export async function insertProduct(tx: Tx, product: NewProduct, now: Date): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'insert into products (network, image_hash, status, created_at) values ($1, $2, $3, $4) returning id',
    [product.network, product.imageHash, product.status, now],
  )
  const { id } = rows[0] as { id: string }
  await insertPackages(tx, id, product.packages)
  return id
}

export async function insertPackages(tx: Tx, productId: string, packages: NewProduct['packages']) {
  await tx.query(
    `insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas, hidden)
     select $1, line.position, line.offer, line."priceCustomerPesewas", line."priceAgentPesewas", coalesce(line.hidden, false)
     from rows from (jsonb_to_recordset($2::jsonb) as (offer text, "priceCustomerPesewas" bigint, "priceAgentPesewas" bigint, hidden boolean))
       with ordinality as line(offer, "priceCustomerPesewas", "priceAgentPesewas", hidden, position)`,
    [productId, JSON.stringify(packages)],
  )
}

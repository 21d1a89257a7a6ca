import type { Product } from '../../../../shared/products.ts'
import type { Queryable } from '../../../platform/db.ts'
import { presentProduct } from './present.ts'
import { selectProducts } from './products.sql.ts'

/** The public catalogue. */
export async function readCatalogue(db: Queryable): Promise<Product[]> {
  return (await selectProducts(db)).map(presentProduct)
}

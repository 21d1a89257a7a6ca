import type { Tx } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import type { RefusedLine } from '../purchases/purchases.sql.ts'
import { selectAfaProducts } from './bulk.sql.ts'

type List = { lines: readonly { product: string | null; network: string | null; offer: string }[]; pathOf: (line: RefusedLine) => string }

/**
 * A list has no place for the details of a person, whom a registration is for.
 * @throws Invalid that names the first such line.
 */
export async function refuseAfa(tx: Tx, { lines, pathOf }: List): Promise<void> {
  const products = await selectAfaProducts(tx)
  const index = lines.findIndex(({ product, network }) => network === 'AFA' || (product !== null && products.has(product)))
  const offer = lines[index]?.offer
  if (offer === undefined) return
  const message = 'An AFA registration needs the details of a person: buy it by itself, not in a list. Nothing was charged.'
  throw new Invalid([{ path: pathOf({ index, code: 'NOT_AVAILABLE', offer, network: 'AFA' }), message }])
}

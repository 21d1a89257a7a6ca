import { formatPesewas } from '../../../shared/money.ts'
import type { Tx } from '../../platform/db.ts'
import { lockProducts, type PackageRow, type ProductRow, selectProductsById } from '../products/products.sql.ts'
import { type ChangeRow, updatePackages } from './prices.sql.ts'

type Asked = Omit<ChangeRow, 'network'> & { network?: string }
/** A change that is not made, by its place among those asked for, and why in words for an admin. */
export type Conflict = { index: number; change: ChangeRow; message: string }
type Changed = { changes: ChangeRow[]; conflicts: Conflict[]; products: ProductRow[] }

/**
 * Changes packages whose state is what `from` says, or is already what `to` says. `onConflict` may throw to have all or nothing;
 * otherwise packages with a conflict are left as they are. Returns the changes made, and the products as they are then.
 */
export async function changePackages(
  tx: Tx,
  asked: readonly Asked[],
  onConflict: (conflicts: Conflict[]) => void = () => {},
): Promise<Changed> {
  const before = await lockProducts(tx, productsOf(asked))
  const planned = planChanges(before, asked)
  if (planned.conflicts.length > 0) onConflict(planned.conflicts)
  if (planned.changes.length > 0)
    await updatePackages(
      tx,
      planned.changes.map(({ change, found }) => packageAfter(change, found)),
    )
  const changes = planned.changes.map(({ change }) => change)
  return { changes, conflicts: planned.conflicts, products: await selectProductsById(tx, productsOf(changes)) }
}

/** Which changes could be made now, and which could not. */
export function planChanges(products: readonly ProductRow[], asked: readonly Asked[]) {
  const byId = new Map(
    products.map((product) => [product.id, { ...product, offers: new Map(product.packages.map((one) => [one.offer, one])) }]),
  )
  const changes: { change: ChangeRow; found: PackageRow }[] = []
  const conflicts: Conflict[] = []
  asked.forEach((one, index) => {
    const product = byId.get(one.productId)
    const found = product?.offers.get(one.offer)
    const change = { ...one, network: product?.network ?? one.network ?? '' }
    if (!found) conflicts.push({ index, change, message: `${nameOf(change)} is not in the catalogue any more.` })
    else if (!isAsSaid(change, found)) conflicts.push({ index, change, message: `${nameOf(change)} ${stateOf(found)} now.` })
    else if (!isDone(change, found)) changes.push({ change, found })
  })
  return { changes, conflicts }
}

/** Whether the package is now what the change makes it. */
export function isAsPlanned(products: readonly ProductRow[], change: ChangeRow): boolean {
  const product = products.find(({ id }) => id === change.productId)
  const found = product?.packages.find(({ offer }) => offer === change.offer)
  return found !== undefined && isDone(change, found)
}

function isAsSaid({ priceCustomerPesewas, priceAgentPesewas, hidden }: ChangeRow, now: PackageRow): boolean {
  return (
    isEither(priceCustomerPesewas, now.priceCustomerPesewas) &&
    isEither(priceAgentPesewas, now.priceAgentPesewas) &&
    isEither(hidden, now.hidden)
  )
}

function isEither<T>(change: { from: T; to: T } | undefined, now: T): boolean {
  return !change || change.from === now || change.to === now
}

function isDone(change: ChangeRow, now: PackageRow): boolean {
  const after = packageAfter(change, now)
  return (
    after.priceCustomerPesewas === now.priceCustomerPesewas &&
    after.priceAgentPesewas === now.priceAgentPesewas &&
    after.hidden === now.hidden
  )
}

function packageAfter({ productId, priceCustomerPesewas, priceAgentPesewas, hidden }: ChangeRow, { id: _, ...now }: PackageRow) {
  return {
    productId,
    offer: now.offer,
    priceCustomerPesewas: priceCustomerPesewas?.to ?? now.priceCustomerPesewas,
    priceAgentPesewas: priceAgentPesewas?.to ?? now.priceAgentPesewas,
    hidden: hidden?.to ?? now.hidden,
  }
}

function productsOf(changes: readonly { productId: string }[]): string[] {
  return [...new Set(changes.map(({ productId }) => productId))]
}

export function nameOf({ network, offer }: { network: string; offer: string }): string {
  return `${network} ${offer}`.trim()
}

function stateOf({ priceCustomerPesewas, priceAgentPesewas, hidden }: PackageRow): string {
  const prices = `costs ¢${formatPesewas(priceCustomerPesewas)}, agents ¢${formatPesewas(priceAgentPesewas)},`
  return hidden ? `${prices} and is hidden` : prices.slice(0, -1)
}

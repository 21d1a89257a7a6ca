import { formatPesewas } from '../../../../shared/money.ts'
import type { Tx } from '../../../platform/db.ts'
import { insertAgreedPrices, replaceAgreedPrices } from '../products/agreed-prices.sql.ts'
import { findPricesToApprove } from '../products/find-prices-to-approve.ts'
import { lockProducts, type PackageRow, type ProductRow, selectProductsById } from '../products/products.sql.ts'
import { type ChangeRow, updatePackages } from './prices.sql.ts'

type Asked = Omit<ChangeRow, 'network'> & { network?: string }
/** A change that is not made, by its place among those asked for, and why in words for an admin. */
export type Conflict = { index: number; change: ChangeRow; message: string }
type Changed = {
  changes: ChangeRow[]
  conflicts: Conflict[]
  products: ProductRow[]
  /** Prices that take an owner; then nothing was changed, but for what `leavesOut` allows. */
  toApprove: Conflict[]
}
/** Who changes prices. `leavesOut`: what takes an owner is left as it is, and the rest changed. */
type By = { userId: string; isOwner: boolean; now: Date; leavesOut?: boolean }

/**
 * Changes packages whose state is what `from` says, or is already what `to` says. `onConflict` may throw to have all or nothing;
 * otherwise packages with a conflict are left as they are. Returns the changes made, and the products as they are then. What an owner
 * changes is agreed; what somebody else changes must be near it.
 */
export async function changePackages(
  tx: Tx,
  asked: readonly Asked[],
  by: By,
  onConflict: (conflicts: Conflict[]) => void = () => {},
): Promise<Changed> {
  const before = await lockProducts(tx, productsOf(asked))
  const planned = planChanges(before, asked)
  if (planned.conflicts.length > 0) onConflict(planned.conflicts)
  const toApprove = by.isOwner ? [] : await findToApprove(tx, planned.changes, by)
  if (toApprove.length > 0 && !by.leavesOut) return { changes: [], conflicts: planned.conflicts, products: [], toApprove }
  const made = planned.changes.filter((_, index) => !toApprove.some((one) => one.index === index))
  if (made.length > 0) {
    await keepAgreed(tx, made, by)
    await updatePackages(
      tx,
      made.map(({ change, found }) => packageAfter(change, found)),
    )
  }
  const changes = made.map(({ change }) => change)
  const conflicts = [...planned.conflicts, ...toApprove]
  return { changes, conflicts, products: await selectProductsById(tx, productsOf(changes)), toApprove }
}

type Planned = { change: ChangeRow; found: PackageRow }

/** The changes, by their place among those planned, that take an owner. */
export async function findToApprove(tx: Tx, planned: readonly Planned[], by: { userId: string; now: Date }): Promise<Conflict[]> {
  const lines = planned.map(({ change, found }) => {
    const { network, offer, productId } = change
    return { network, offer, productId, before: found, after: packageAfter(change, found) }
  })
  const found = await findPricesToApprove(tx, lines, by)
  return found.map(({ index, message }) => ({ index, change: (planned[index] as Planned).change, message }))
}

async function keepAgreed(tx: Tx, made: readonly Planned[], { isOwner, now }: By) {
  const named = ({ network }: ChangeRow, { offer, priceCustomerPesewas, priceAgentPesewas }: Omit<PackageRow, 'id'>) => ({
    network,
    offer,
    priceCustomerPesewas,
    priceAgentPesewas,
  })
  if (isOwner)
    await replaceAgreedPrices(
      tx,
      made.map(({ change, found }) => named(change, packageAfter(change, found))),
      now,
    )
  else
    await insertAgreedPrices(
      tx,
      made.filter(({ found }) => !found.hidden).map(({ change, found }) => named(change, found)),
      now,
    )
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

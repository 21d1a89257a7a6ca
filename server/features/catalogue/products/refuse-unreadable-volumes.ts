import { namesDelivery, unreadableOffer } from '../../../../shared/offers.ts'
import type { SaveProductRequest } from '../../../../shared/products.ts'
import type { Tx } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'

/**
 * Offers delivered by a supplier must name a volume, or the operator and the amount of airtime. Offers older than the network's routing may stay: their orders are
 * processed by hand.
 * @throws Invalid
 */
export async function refuseUnreadableVolumes(tx: Tx, { network, packages }: SaveProductRequest, before: readonly { offer: string }[]) {
  const { supplierRoutes } = await selectSettings(tx)
  if (supplierRoutes[network] === undefined) return
  const kept = new Set(before.map(({ offer }) => offer))
  const issues = packages.flatMap(({ offer }, index) =>
    !namesDelivery(network, offer) && !kept.has(offer) ? [{ path: `packages.${index}.offer`, message: unreadableOffer(network) }] : [],
  )
  if (issues.length > 0) throw new Invalid(issues)
}

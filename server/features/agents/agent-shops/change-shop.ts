import type { ShopLook } from '../../../../shared/agent-shops.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { NotFound, Taken } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { type AgentShopRow, lockShop, selectHosts, updateShop } from './agent-shops.sql.ts'
import { refuseCustomer } from './refuse-customer.ts'
import { refuseLeads, refuseNearName, refuseOurName } from './refuse-our-name.ts'

type Wanted = ShopLook & { open: boolean; host: string | null; subAgentsSell: boolean }
export type ShopChange = { [K in keyof Wanted]?: Wanted[K] | undefined }

/**
 * Changes how the caller's shop looks, or opens and closes it; what is left out stays. A new host name has to be approved anew.
 * @throws Forbidden, NotFound without a shop, Taken for a host name that was approved for another shop or is the house's, or a name like
 * the house's or another open shop's; Invalid for a line about it that leads elsewhere.
 */
export async function changeShop(ctx: Ctx, change: ShopChange, house: { name: string; host: string }): Promise<void> {
  if (change.host && isOurHost(change.host, house.host)) throw new Taken('host', 'That is the address of our own shop.')
  if (change.name !== undefined) refuseOurName('name', change.name, house.name)
  refuseLeads(change.about)
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<AgentShopRow>
  await transaction(ctx.db, async (tx) => {
    const shop = await lockOwnShop(tx, ctx)
    // A claim that the owner has not approved keeps nobody else from the name.
    if (change.host && change.host !== shop.host && (await selectHosts(tx)).has(change.host)) {
      throw new Taken('host', 'Another shop has that host name.')
    }
    const name = change.name ?? shop.name
    if (name !== shop.name || (change.open && !shop.open)) await refuseNearName(tx, name, shop.id)
    await updateShop(tx, { ...shop, ...given })
  })
}

/** Also a name below the house's, or the one that it is below: whoever reads it takes it for the house. Names below localhost are for trying it. */
function isOurHost(host: string, ours: string): boolean {
  return host === ours || (host.endsWith(`.${ours}`) && ours !== 'localhost') || ours.endsWith(`.${host}`)
}

/** @throws Forbidden, NotFound */
export async function lockOwnShop(tx: Tx, ctx: Ctx): Promise<AgentShopRow> {
  const actor = await lockActor(tx, ctx)
  await refuseCustomer(tx, actor)
  const shop = await lockShop(tx, { ownerId: actor.id })
  if (!shop) throw new NotFound('shop')
  return shop
}

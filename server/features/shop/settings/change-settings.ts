import type { Issue } from '../../../../shared/errors.ts'
import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { ChangeSettingsRequest, Settings } from '../../../../shared/settings.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { presentSettings, toRow } from './present.ts'
import { lockSettings, updateSettings } from './settings.sql.ts'

/**
 * Changes the given settings and keeps the rest. Orders already sent to a supplier stay there.
 * @throws Invalid for a route to a supplier that is not configured or does not carry the network, or a most below the least.
 * @throws ChangedMeanwhile when a setting differs from `seen`.
 */
export async function changeSettings(ctx: Ctx, suppliers: Suppliers, { seen, ...change }: ChangeSettingsRequest): Promise<Settings> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const before = presentSettings(await lockSettings(tx))
    const differing = seen ? findDiffering(before, seen) : []
    if (differing.length > 0) throw new ChangedMeanwhile(differing)
    const after = { ...before, ...change, routes: { ...before.routes, ...change.routes } } as Settings
    const issues = [...NETWORKS.flatMap((network) => checkRoute(suppliers, network, before, after)), ...checkTopUps(after)]
    if (issues.length > 0) throw new Invalid(issues)
    await updateSettings(tx, toRow(after), ctx.now)
    await recordAdminAction(tx, ctx, { action: 'settings.change', subject: { type: 'settings', id: 'shop' }, before, after })
    return after
  })
}

/** An unchanged route is not checked, so that removing a supplier's configuration does not block other changes. */
function checkRoute(suppliers: Suppliers, network: Network, before: Settings, after: Settings): Issue[] {
  const route = after.routes[network]
  if (route === 'by-hand' || route === before.routes[network]) return []
  const path = `routes.${network}`
  const supplier = suppliers.get(route)
  if (!supplier) return [{ path, message: `The shop is not set up for ${route}.` }]
  return supplier.networks.includes(network) ? [] : [{ path, message: `${route} does not carry ${network}.` }]
}

function checkTopUps({ topUpMinimum, topUpMaximum }: Settings): Issue[] {
  if (topUpMinimum <= topUpMaximum) return []
  return [{ path: 'topUpMaximum', message: 'The most cannot be less than the least.' }]
}

type Seen = NonNullable<ChangeSettingsRequest['seen']>

/** The paths of settings that differ from what the admin saw. */
function findDiffering(stored: Settings, { routes, ...rest }: Seen): string[] {
  const others = Object.keys(rest).filter((name) => rest[name as keyof typeof rest] !== stored[name as keyof typeof rest])
  const networks = NETWORKS.filter((network) => routes?.[network] !== undefined && routes[network] !== stored.routes[network])
  return [...networks.map((network) => `routes.${network}`), ...others]
}

class ChangedMeanwhile extends AppError {
  constructor(paths: string[]) {
    const message = 'Another admin has changed this meanwhile. Nothing was saved: look at what it is now, then save again.'
    super(
      'CONFLICT',
      message,
      paths.map((path) => ({ path, message })),
    )
  }
}
